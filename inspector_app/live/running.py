"""A capture at work in a thread of its own, with the recording beside it.

How a window follows one (nothing here knows of Qt):

    running = Running(request, kit, conditions, recorder)    # recorder may be None
    growth = Growth(name, request)                           # growth.py: the exchange that grows
    analysis = Analysis(growth.exchange, kit)
    running.start()

    every 33 ms, on the interface thread:
        for piece in growth.add(running.take()):             # decoded bytes, in order
            analysis.feed(piece)                             # then one `grown`, one insert per model
        if growth.ended:
            analysis.finish_steps() ...                      # as for a file

- Times are right whatever the window does: they are taken in the capture's thread. A pause of the view is just not
  drawing; go on taking, or leave the items in the queue: the capture and the recording go on.
- The current wait is `perf_counter_ns() - running.zero - growth.last_time`, while `running.zero` is not 0.
- `growth.stopped` says in words that the recording stopped (a full disk) while the stream went on.
- To close: `running.cancel()`, then `running.join(2)`: the recording has its end record by then, and is synced.
- No item shows a secret of the request: head, body and end are masked before they are handed out or written.
- `done` against `eof` is judged here, before the end is recorded; no reader has to be quick for that.
"""

from __future__ import annotations

import asyncio
import selectors
import sys
import threading
from collections import deque
from collections.abc import Sequence
from time import perf_counter_ns
from typing import NamedTuple

from inspector_app.core.kit import Kit
from inspector_app.core.redact import redact_headers, redact_text
from inspector_app.core.types import Mark
from inspector_app.live.capture import Conditions, End, Head, Read, Sent, capture
from inspector_app.live.ending import Ending
from inspector_app.live.key_mask import KeyMask
from inspector_app.live.recorder import Recorder
from inspector_app.live.request import Outgoing, without
from inspector_app.live.wire import DaemonThreads

SWITCH_S = 0.0005
"""Seconds after which a thread that computes lets another go on. With Python's own 5 ms a busy window made one read in
twenty look 20 ms late, with this 5 ms."""


class Stopped(NamedTuple):
    """The recording stopped, `why` says in words what happened; the stream goes on."""

    t: int
    why: str


class Waker(selectors.DefaultSelector):
    """Knows when it last woke for a socket. From there to the read the thread may lose its turn three times."""

    def __init__(self) -> None:
        super().__init__()
        self.woke_at = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready."""
        ready = super().select(timeout)
        if ready:
            self.woke_at = perf_counter_ns()
        return ready


Item = Sent | Head | Read | Stopped | End


class Running:
    """One capture. `take` hands out what arrived, in order; the last item is an `End`, always.

    The queue has no bound: what is not taken waits in memory, nothing is held back from the network for it.
    """

    def __init__(self, request: Outgoing, kit: Kit, conditions: Conditions, recorder: Recorder | None = None) -> None:
        self.zero = 0
        """When the request was sent, on the clock of `perf_counter_ns`; 0 before that."""
        self._request = request
        self._kit = kit
        self._conditions = conditions
        self._recorder = recorder
        self._told = False
        self._ending = Ending(None)
        self._mask = KeyMask(request.secrets)
        self._items: deque[Item] = deque()
        self._filled = threading.Event()
        self._waker = Waker()
        self._loop = asyncio.SelectorEventLoop(self._waker)
        self._task: asyncio.Task[End] | None = None
        self._cancelled = False
        self._thread = threading.Thread(target=self._work, name="capture", daemon=True)

    def start(self) -> None:
        """Send the request. Python switches threads more often from here on, for the times' sake."""
        if sys.getswitchinterval() > SWITCH_S:
            sys.setswitchinterval(SWITCH_S)
        self._thread.start()

    def take(self, limit: int | None = None) -> list[Item]:
        """What has arrived since the last call, `limit` items at most. Never waits; for one consumer."""
        self._filled.clear()
        items = self._items
        out = [items.popleft() for _ in range(len(items) if limit is None else min(limit, len(items)))]
        if items:
            self._filled.set()
        return out

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until there is something to take; False when the time is over first."""
        return self._filled.wait(seconds)

    def cancel(self) -> None:
        """End the stream now; may be called from any thread, and again. The `End` follows at once."""
        try:
            self._loop.call_soon_threadsafe(self._cancel)
        except RuntimeError:
            pass  # It has ended already.

    def join(self, seconds: float | None = None) -> bool:
        """Wait until the stream has ended and the recording is closed; False when the time is over first."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def mark(self) -> Mark | None:
        """By what the recording is known again; None before it is closed."""
        return None if self._recorder is None else self._recorder.mark

    def _cancel(self) -> None:
        # Cancelled a second time, the connection would not be closed in order.
        if not self._cancelled and self._task is not None:
            self._cancelled = True
            self._task.cancel()

    def _work(self) -> None:
        end = End(0, "cancelled", closed_by="client", detail="the program failed")
        try:
            self._loop.set_default_executor(DaemonThreads())
            self._task = self._loop.create_task(
                capture(self._request, self._put, self._conditions, lambda: self._waker.woke_at)
            )
            end = self._loop.run_until_complete(self._task)
            self._put_reads(self._mask.rest())
            detail = None if end.detail is None else without(redact_text(end.detail), self._request.secrets)
            trailers, places = tuple(self._masked(end.trailers)), tuple(self._mask.places)
            end = end._replace(trailers=trailers, detail=detail, masked=places)
            if end.how == "eof" and self._ending.is_complete(self._kit):
                end = end._replace(how="done")
        except asyncio.CancelledError:
            # Cancelled before it began.
            end = end._replace(detail=None)
        finally:
            if self._recorder is not None:
                self._recorder.close(end)
                self._tell(end.t)
            self._items.append(end)
            self._filled.set()
            self._loop.close()

    def _masked(self, fields: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        secrets = self._request.secrets
        return [(name, without(value, secrets)) for name, value in redact_headers(fields)[0]]

    def _put(self, item: Sent | Head | list[Read]) -> None:
        recorder = self._recorder
        if isinstance(item, list):
            self._put_reads(self._mask.feed(item))
            return
        if isinstance(item, Head):
            item.http.headers = self._masked(item.http.headers)
            self._ending = Ending(item.http)
            if recorder is not None:
                recorder.head(item.t, item.http)
        else:
            self.zero = item.at
        self._items.append(item)
        self._filled.set()

    def _put_reads(self, reads: list[Read]) -> None:
        if not reads:
            return
        for read in reads:
            self._ending.feed(read.data)
        if self._recorder is not None:
            self._recorder.reads(reads)
            self._tell(reads[-1].t)
        self._items += reads
        self._filled.set()

    def _tell(self, t: int) -> None:
        if self._recorder is not None and self._recorder.stopped is not None and not self._told:
            self._told = True
            self._items.append(Stopped(t, self._recorder.stopped))
