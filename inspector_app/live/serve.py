"""A local HTTP server that answers with recordings: their bytes, their times, their end.

`ReplayServer` runs on the loop it is started on; `Serving` runs one in a thread of its own, for tests and whoever has
no loop. It listens on 127.0.0.1 alone, and answers no page of another origin (loopback.py).
"""

from __future__ import annotations

import asyncio
import json
import threading
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from inspector_app.core.types import MemoryBody
from inspector_app.live.fine_loop import new_loop
from inspector_app.live.loopback import ADDRESS, Refusal, Request
from inspector_app.live.serve_choice import choose, names_one, wants_stream
from inspector_app.live.serve_http import Connection, Track
from inspector_app.live.serve_item import Item
from inspector_app.live.serve_plan import AS_RECORDED, Ending, Plan
from inspector_app.live.serve_score import Score, Visit

FAVICON = "/favicon.ico"
"""What browsers ask for by themselves."""
BACKLOG = 512
"""Clients that may wait to be let in."""

ROUNDS, ROUNDS_S = 4, 5.0
"""Rounds of the loop in which a request is read, answered, and the end of its connection seen; seconds for them."""
CLOSE_S, CLOSE_LOOKS = 5.0, 500
"""Seconds that a client may take for what was said to it, once the server stops."""

Page = Callable[["ReplayServer"], tuple[str, Any]]
"""Something to read beside the recordings: gives it as text, and as what becomes JSON."""


class ReplayServer:
    """Serves items. `pages` are what paths of their own show, as JSON for `PATH.json` or where JSON is accepted;
    `on_visit` is called at each request, at its end, and when a rest is left unread; `on_refused` for one that gets no
    recording.

    Variations are asked for by their paths alone: one taken in turn would stand in the score as if it was meant.

    `visits` of the score are in the order of the requests.
    """

    def __init__(
        self,
        items: Sequence[Item],
        *,
        pages: dict[str, Page] | None = None,
        on_visit: Callable[[Visit], None] = lambda visit: None,
        on_refused: Callable[[Refusal], None] = lambda refusal: None,
        once: bool = False,
    ) -> None:
        """Raises ValueError where there is nothing to serve. `once`: `over` is set after the first answer."""
        if not items:
            raise ValueError("there is nothing to serve")
        self.items = items
        self.score = Score(items)
        self.port = 0
        self.connections: set[Connection] = set()
        self.over = asyncio.Event()
        self._pages = pages or {}
        self._on_visit = on_visit
        self.refused = on_refused
        self._by_path = any(item.variation for item in items)
        self._once = once
        self._turns: dict[tuple[int, ...], int] = {}
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://{ADDRESS}:{self.port}"

    async def start(self, port: int = 0) -> None:
        """Listen, at any free port for 0. Raises OSError where the port is taken."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: Connection(self), ADDRESS, port, backlog=BACKLOG, start_serving=False
        )
        self.port = self._server.sockets[0].getsockname()[1]
        await self._server.start_serving()

    async def close(self) -> None:
        """Stop listening, and end all connections."""
        if self._server is not None:
            self._server.close()
        for connection in list(self.connections):
            connection.close()
        for _ in range(CLOSE_LOOKS):
            # Transports end in the next round of the loop, unless a slow client has not taken all yet.
            await asyncio.sleep(0)
            if not self.connections:
                return
            await asyncio.sleep(CLOSE_S / CLOSE_LOOKS)

    def answer(self, request: Request) -> tuple[Plan, Track]:
        """The plan for a request, and whom to tell how it went."""
        path = request.target.partition("?")[0]
        page = self._pages.get(path.removesuffix(".json"))
        if page is not None and request.method in ("GET", "HEAD"):
            text, value = page(self)
            as_json = path.endswith(".json") or "json" in (request.header("accept") or "")
            return _page(text, value, as_json), _Nobody()
        if self._by_path and not names_one(request, self.items):
            return self._unknown(request), _Nobody()
        items = choose(request, self.items).items
        if self._by_path:
            # A recording without a variation is that recording.
            items = [item for item in items if item.variation == AS_RECORDED] or items
        item = items[self._turn(items)]
        whole = None if wants_stream(request, item.dialect) else item.whole
        visit = self.score.visit(item, request, whole is not None)
        self._on_visit(visit)
        return whole or item.plan, _Watch(visit, self._ended, self._on_visit)

    def _unknown(self, request: Request) -> Plan:
        path = request.target.partition("?")[0]
        words = f"there is no variation at {path}; / names the paths of all"
        if path != FAVICON:
            self.score.unknown[path] = self.score.unknown.get(path, 0) + 1
            self.refused(Refusal(404, words))
        return _page(words, {"error": {"type": "not_found", "code": 404, "message": words}}, True, 404)

    def _turn(self, items: Sequence[Item]) -> int:
        key = tuple(map(id, items))
        turn = self._turns.get(key, 0)
        self._turns[key] = turn + 1
        return turn % len(items)

    def _ended(self, visit: Visit) -> None:
        self._on_visit(visit)
        if self._once:
            self.over.set()


class _Watch:
    """Tells a visit how it ended, and then the server."""

    def __init__(self, visit: Visit, ended: Callable[[Visit], None], left: Callable[[Visit], None]) -> None:
        self._visit = visit
        self._ended = ended
        self._left = left

    def over(self, sent: int, *, left: bool) -> None:
        self._visit.over(sent, left=left)
        self._ended(self._visit)

    def unread(self) -> None:
        self._visit.unread = True
        self._left(self._visit)

    def read(self) -> None:
        self._visit.read = True


class _Nobody:
    """A page of ours: nothing is noted."""

    def over(self, sent: int, *, left: bool) -> None:
        pass

    def unread(self) -> None:
        pass

    def read(self) -> None:
        pass


def _page(text: str, value: Any, as_json: bool, status: int = 200) -> Plan:
    data = (json.dumps(value, ensure_ascii=False, indent=2) if as_json else text).encode("utf-8", "replace")
    kind = "application/json" if as_json else "text/plain; charset=utf-8"
    headers = (("content-type", kind), ("x-content-type-options", "nosniff"))
    ends, times = array("q", [len(data)]), array("d", [0.0])
    return Plan(status, headers, 0.0, MemoryBody(data), ends, times, 0.0, Ending.CLEAN)


class Serving:
    """A replay server in a thread of its own: `with Serving(items) as serving: … serving.url`."""

    def __init__(self, items: Sequence[Item], *, port: int = 0, pages: dict[str, Page] | None = None) -> None:
        """Raises ValueError where there is nothing to serve."""
        self._items = items
        self._port = port
        self._pages = pages
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._failure: OSError | None = None
        self._thread = threading.Thread(target=self._work, name="replay server", daemon=True)
        if not items:
            raise ValueError("there is nothing to serve")
        self.server: ReplayServer

    @property
    def url(self) -> str:
        """Where it listens."""
        return self.server.url

    @property
    def visits(self) -> list[Visit]:
        """What was asked so far, and what became of it: all that a client did before this was asked."""
        if self._loop is not None and self._thread.is_alive():
            # A client has the last byte, or has left, before the server has come to note it.
            with suppress(RuntimeError, TimeoutError):
                asyncio.run_coroutine_threadsafe(_rounds(), self._loop).result(ROUNDS_S)
        return list(self.server.score.visits)

    def start(self) -> None:
        """Listen; returns as soon as it does. Raises OSError where it cannot."""
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            raise self._failure

    def close(self) -> None:
        """End all connections, and the thread."""
        if self._loop is not None and self._stop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def __enter__(self) -> Serving:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _work(self) -> None:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(self._run())

    async def _run(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            self.server = ReplayServer(self._items, pages=self._pages)
            await self.server.start(self._port)
        except OSError as error:
            self._failure = error
            return
        finally:
            self._ready.set()
        await self._stop.wait()
        await self.server.close()


async def _rounds() -> None:
    for _ in range(ROUNDS):
        await asyncio.sleep(0)
