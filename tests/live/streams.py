"""Runs one capture to its end, with its recording beside it, as a window would."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.types import Exchange
from inspector_app.files import read_input
from inspector_app.live.capture import Conditions, End, Head, Read
from inspector_app.live.growth import Growth
from inspector_app.live.recorder import Recorder
from inspector_app.live.request import Outgoing
from inspector_app.live.running import Item, Running
from tests.live.server import Server

CANARY = "sk-canary-0123456789abcdef"
PATIENCE_S = 60.0
"""How long a test waits for what must come; it never takes that long."""


@cache
def kit() -> Kit:
    return load_kit()


def request(url: str, *headers: tuple[str, str]) -> Outgoing:
    fields = (("authorization", f"Bearer {CANARY}"), ("accept-encoding", "identity"), *headers)
    return Outgoing("POST", url, fields, b'{"model":"m","stream":true}', (CANARY,))


class Ran(NamedTuple):
    """What came of one capture: its items, the exchange as it grew, and the recording."""

    items: list[Item]
    growth: Growth
    pieces: list[bytes]
    path: Path

    @property
    def end(self) -> End:
        last = self.items[-1]
        assert isinstance(last, End)
        return last

    @property
    def head(self) -> Head:
        return next(item for item in self.items if isinstance(item, Head))

    @property
    def reads(self) -> list[Read]:
        return [item for item in self.items if isinstance(item, Read)]

    @property
    def body(self) -> bytes:
        return b"".join(read.data for read in self.reads)

    def recorded(self) -> Exchange:
        (exchange,) = read_input(str(self.path))
        return exchange


def start(url: str, path: Path | None, conditions: Conditions = Conditions(idle_s=PATIENCE_S)) -> Running:  # noqa: B008
    asked = request(url)
    recorder = Recorder(path.open("xb", buffering=0), asked.record()) if path is not None else None
    running = Running(asked, kit(), conditions, recorder)
    running.start()
    return running


def until(running: Running, items: list[Item], enough: int) -> list[Item]:
    """Take items until so many bytes of the body are there, or the end."""
    while True:
        came = running.take()
        items += came
        ended = bool(items) and isinstance(items[-1], End)
        if ended or sum(len(item.data) for item in items if isinstance(item, Read)) >= enough:
            return items
        if not came:
            assert running.wait(PATIENCE_S), items


def follow(server: Server, url: str, running: Running, path: Path, enough: int = 0) -> Ran:
    """Take everything; the server's gate opens once `enough` bytes are there."""
    items = until(running, [], enough)
    server.gate.set()
    until(running, items, 1 << 62)
    assert running.join(PATIENCE_S)
    growth = Growth(str(path), request(url))
    return Ran(items, growth, list(growth.add(items)), path)


def stream(server: Server, name: str, folder: Path, conditions: Conditions | None = None, enough: int = 0) -> Ran:
    """Capture one behaviour of the server."""
    url, path = f"{server.url}/{name}", folder / f"{name}.rec.jsonl"
    running = start(url, path, conditions or Conditions(idle_s=PATIENCE_S))
    return follow(server, url, running, path, enough)
