"""A session that follows a capture: what its thread has put into the queue is read here in short steps.

One timer does it, every 33 ms, at once again while there is a backlog; no step holds the window longer than `STEP_NS`.
While the view is paused nothing is read: what comes waits and is counted, so that no view can show any of it.
When the stream has ended the session goes on as one of a file: findings of the end, then every lens.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from time import perf_counter_ns
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import Kit
from inspector_app.core.types import Mark
from inspector_app.lenses import Lens
from inspector_app.live.capture import Read
from inspector_app.live.growth import Growth
from inspector_app.live.running import Item
from inspector_app.ui.live.behind import Behind
from inspector_app.ui.live.rows import LiveRows, open_line, tail_of
from inspector_app.ui.mutes import Mutes
from inspector_app.ui.session import STEP_NS, TICK_MS, Session

AT_ONCE = 1024
"""Items that are taken from the queue in one go."""
BATCH = 1 << 15
"""Bytes that are read between two looks at the clock."""
TICK_NS = TICK_MS * 1_000_000
JUDGE_NS = 1_000_000_000
"""Between two looks at the findings so far."""
FAST = 30
"""Events in one step from which a stream is a fast one: about a thousand a second."""


class Capturing(Protocol):
    """What a session needs of a capture (live/running.py)."""

    @property
    def zero(self) -> int: ...
    @property
    def mark(self) -> Mark | None: ...
    def start(self) -> None: ...
    def take(self, limit: int | None = None) -> list[Item]: ...
    def cancel(self) -> None: ...
    def join(self, seconds: float | None = None) -> bool: ...


class LiveSession(Session):
    """Signals besides those of a session: `ticked` (time went on), `paused_changed`, `judged` (there are other findings
    so far), `ended` (the stream is over).
    """

    ticked = Signal()
    judged = Signal()
    paused_changed = Signal()
    ended = Signal()

    def __init__(
        self,
        path: str,
        running: Capturing,
        growth: Growth,
        kit: Kit,
        lenses: Mapping[str, Lens],
        *,
        idle_s: float,
        clock: Callable[[], int] = perf_counter_ns,
        mutes: Mutes | None = None,
        parent: QObject | None = None,
        **how: Any,
    ) -> None:
        super().__init__(path, kit, lenses, mutes=mutes, parent=parent, **how)
        self.growth, self.idle_s = growth, idle_s
        self.paused = False
        self.behind: Behind | None = None
        """What has come since the view was paused, None while it is not."""
        self._running, self._clock = running, clock
        self._analysis: Analysis | None = None
        self._items: deque[Item] = deque()
        """What was taken from the queue and is not read yet."""
        self._pieces: Iterator[bytes] | None = None
        self._received = self._counted = 0
        """Bytes that were read as they came over the connection, and how many items are counted that wait."""
        self._shown_at = self._begun_at = self._judged_at = self._judged_events = self._moment = 0
        self._dirty = self._over = self._turn = False
        self._open_line = (-1, 0)

    @property
    def capture(self) -> Capturing:
        """What goes on when the tab is closed, until its recording is, too."""
        return self._running

    # what is known of the stream while it is live

    @property
    def live(self) -> bool:
        """Whether the stream has not ended, or not all of it has been read."""
        return not self._over

    @property
    def now(self) -> int:
        """Nanoseconds since the request was sent, up to the end; 0 before. The same for all until the next tick.

        In a paused view it stands still.
        """
        end = self.growth.exchange.end_time
        return self._moment if end is None else end

    @property
    def elapsed(self) -> int:
        """The same, in a paused view as well."""
        if not self.paused or not self._running.zero:
            return self.now
        return max(0, self._clock() - self._running.zero)

    @property
    def connecting(self) -> int:
        """Nanoseconds since the connection was asked for."""
        return max(0, self._clock() - self._begun_at)

    @property
    def sent(self) -> bool:
        """Whether the request is on its way."""
        return self._running.zero != 0

    @property
    def waited(self) -> int:
        """Nanoseconds since the last byte, or since the request was sent."""
        return max(0, self.now - self.growth.last_time)

    # working

    def begin(self) -> None:
        """Send the request and follow what comes."""
        self._begun_at = self._clock()
        self._running.start()
        self.exchanges = [self.growth.exchange]
        self.choose_exchange(0)
        self._timer.start(TICK_MS)

    def choose_exchange(self, number: int) -> None:
        super().choose_exchange(number)
        if self.live:
            self.rows = LiveRows()

    def pause(self, on: bool) -> None:
        """Leave the view as it is while the capture goes on, or catch up."""
        on = on and self.live
        if on == self.paused:
            return
        self.paused = on
        if on:
            self._hold()
        else:
            self.behind = None
        self.paused_changed.emit()
        if not on:
            self._shown_at, self._turn = 0, False
            self._timer.setInterval(0)
            self.tick()

    def _hold(self) -> None:
        """From here on what comes waits. An item that is read by half is read to its end."""
        assert self._analysis is not None
        while self._pieces is not None and not self._feed(self._pieces):
            pass
        self._pieces = None
        self._grow()
        http = self.growth.exchange.http
        coded = self._received != len(self.growth.body)
        coded = coded or (http is not None and bool(http.header("content-encoding")))
        self.behind, self._counted = Behind(self._analysis.reading, self.kit, coded), 0

    def stop(self) -> None:
        """End the stream now; what has come stays, and the recording is closed."""
        self._running.cancel()

    def join(self, seconds: float) -> bool:
        """Wait until the recording is closed after `stop`; False when the time is over first."""
        return self._running.join(seconds)

    def cancel(self) -> None:
        if self.live:
            self.stop()
        super().cancel()

    def _read_all(self, analysis: Analysis) -> Iterator[None]:
        self._analysis = analysis
        return super()._read_all(analysis)

    def _read_one(self, analysis: Analysis) -> Iterator[None]:
        """What came live has been read as it came; lenses read all of it."""
        if analysis is self._analysis:
            yield from analysis.finish_steps()
        else:
            yield from super()._read_one(analysis)

    def _step(self) -> None:
        if not self.live:
            super()._step()
            return
        try:
            self.tick()
        except Exception as error:
            # It is told once, not thirty times a second; the recording goes on.
            self.stick(error)
            raise

    def tick(self) -> None:
        """One step: read what has come for a while, and tell the views at most every 33 ms.

        Of a fast stream rows and timeline are shown in turn, so that no step has to paint both.
        """
        assert self.reference is not None
        self.freeze()
        if self.behind is not None:
            self._count(self.behind, self._clock() + STEP_NS)
            self.ticked.emit()
            return
        events = len(self.reference.events)
        began = self._clock()
        self._drain(began + STEP_NS)
        if self._running.zero:
            self._moment = max(0, self._clock() - self._running.zero)
        backlog = self._pieces is not None
        self._timer.setInterval(0 if backlog else TICK_MS)
        fast = len(self.reference.events) - events >= FAST
        now = self._clock()
        if backlog and now - self._shown_at < TICK_NS:
            return
        self._shown_at = now
        if self.growth.ended and not backlog:
            self._conclude()
            return
        self._turn = not self._turn
        if (self._turn or not fast) and (self._dirty or self._tail_changed()):
            self._grow()
        elif now - self._judged_at >= JUDGE_NS:
            self._judged_at = now
            self._judge()
        if not self._turn or not fast:
            self.ticked.emit()

    def _count(self, behind: Behind, until: int) -> None:
        """Take what has come, and count it without reading it."""
        while True:
            if self._counted == len(self._items):
                items = self._running.take(AT_ONCE)
                if not items:
                    self._timer.setInterval(TICK_MS)
                    return
                self._items += items
            behind.take(self._items[self._counted])
            self._counted += 1
            if self._clock() >= until:
                self._timer.setInterval(0)
                return

    def _drain(self, until: int) -> None:
        while True:
            if self._pieces is None:
                self._items += self._running.take(AT_ONCE)
                if not self._items:
                    return
                self._pieces = self.growth.add(self._taken())
            done = self._feed(self._pieces)
            self._dirty = True
            if done:
                self._pieces = None
            if self._clock() >= until:
                # Only an empty queue is no backlog: what is left in it makes the next step follow at once.
                if self._pieces is None:
                    self._items += self._running.take(AT_ONCE)
                    self._pieces = self.growth.add(self._taken()) if self._items else None
                return

    def _taken(self) -> Iterator[Item]:
        """The items that wait, each when it is read; none any more once the view is paused."""
        while self._items and not self.paused:
            item = self._items.popleft()
            if isinstance(item, Read):
                self._received += len(item.data)
            yield item

    def _feed(self, pieces: Iterator[bytes]) -> bool:
        """Read about `BATCH` bytes, as one piece: where reads end stands in the exchange. Whether that was all."""
        assert self._analysis is not None
        taken, size = [], 0
        for piece in pieces:
            taken.append(piece)
            size += len(piece)
            if size >= BATCH:
                break
        if taken:
            reading = self._analysis.reading
            # Until all of it is read nobody knows which line is the first of the next event.
            reading.open_line = None
            self._analysis.feed(b"".join(taken))
            self._open_line = open_line(reading, self._open_line)
            reading.open_line = self._open_line[1]
        return size < BATCH

    def _judge(self) -> None:
        """What has been found so far; rules about the whole wait for its end."""
        assert self._analysis is not None
        reading = self._analysis.reading
        if len(reading.events) != self._judged_events:
            self._judged_events = len(reading.events)
            found = self._analysis.diagnosis.so_far(reading)
            if len(found) != len(reading.findings) or any(a is not b for a, b in zip(found, reading.findings)):
                reading.findings = found
                self.judged.emit()

    def _tail_changed(self) -> bool:
        """Whether half a line has waited long enough to be shown."""
        tail = self.rows.tail
        return tail is not None and tail.end > tail.start and tail.waits != self._tail_now().waits

    def _tail_now(self) -> Any:
        assert self.reference is not None
        body, ends = self.growth.body, self.growth.exchange.read_ends
        return tail_of(self.reference, len(body), len(ends or ()), self.waited)

    def _grow(self) -> None:
        if not self.live:
            super()._grow()
            return
        assert self.reference is not None
        self._dirty = False
        self.rows.extend(self.reference)
        self.rows.tail = self._tail_now()
        self.grown.emit()

    def _conclude(self) -> None:
        """The stream is over and all of it has been fed: what follows is done as for a file."""
        assert self.reference is not None
        self._over = True
        self.reference.open_line = None
        self.rows.tail = None
        self._timer.setInterval(0)
        self.rows.extend(self.reference)
        self.grown.emit()
        self.ended.emit()
