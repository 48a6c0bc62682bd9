"""A live stream that goes on by hand: a capture that gives what the test puts in, and a clock that the test turns."""

from __future__ import annotations

from collections import deque
from pathlib import Path

from pytestqt.qtbot import QtBot

from inspector_app.core.types import Http, Mark
from inspector_app.live.capture import End, Head, Read
from inspector_app.live.growth import Growth
from inspector_app.live.request import Outgoing
from inspector_app.live.running import Item
from inspector_app.ui.live.part import LivePart
from inspector_app.ui.live.session import LiveSession
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.theme import Look
from tests.ui.panes_data import chunk, event, kit, shipped_lenses

MS = 1_000_000
SECOND = 1000 * MS
KEY = "sk-canary-0123456789abcdef"
URL = "http://127.0.0.1:1/v1/chat/completions"
REQUEST = Outgoing("POST", URL, (("authorization", f"Bearer {KEY}"),), b"{}", (KEY,))
HTTP = Http(200, [("content-type", "text/event-stream")])
DONE = event(chunk({}, finish="stop")) + b"data: [DONE]\n\n"


def said(text: str, field: str = "content") -> bytes:
    """One event."""
    return event(chunk({field: text}))


class Hand:
    """Stands for a capture. Time zero is 1 s on its clock."""

    def __init__(self) -> None:
        self.zero = 0
        self.at = SECOND
        self.cancelled = 0
        self.mark: Mark | None = None
        self.items: deque[Item] = deque()

    def clock(self) -> int:
        return self.at

    def start(self) -> None:
        pass

    def take(self, limit: int | None = None) -> list[Item]:
        return [self.items.popleft() for _ in range(min(len(self.items), limit or len(self.items)))]

    def cancel(self) -> None:
        self.cancelled += 1

    def join(self, seconds: float | None = None) -> bool:
        return True

    # what the test does

    def wait(self, ms: float) -> None:
        self.at += round(ms * MS)

    def head(self, http: Http = HTTP) -> None:
        self.zero = self.zero or SECOND
        self.items.append(Head(self.at - self.zero, http))

    def read(self, *pieces: bytes) -> None:
        self.items += [Read(self.at - self.zero, piece) for piece in pieces]

    def end(self, how: str = "done", **more: object) -> None:
        self.items.append(End(self.at - (self.zero or self.at), how, **more))  # type: ignore[arg-type]


class LiveStream:
    """A live session; `tick` lets 33 ms pass and does one step."""

    def __init__(self, path: Path | str = "live.rec.jsonl") -> None:
        self.hand = Hand()
        growth = Growth(str(path), REQUEST)
        self.session = LiveSession(
            str(path), self.hand, growth, kit(), shipped_lenses(), idle_s=30.0, clock=self.hand.clock
        )

    def begin(self) -> None:
        self.session.begin()
        self.session._timer.stop()

    def tick(self, count: int = 1) -> None:
        for _ in range(count):
            self.hand.wait(33)
            self.session._step()
            self.session._timer.stop()

    def finish(self) -> None:
        """After the end: all steps that follow without the network."""
        for _ in range(10_000):
            if self.session._work is None:
                return
            self.session._step()
        raise AssertionError("the session does not come to its end")


class Live(LiveStream):
    """The same with its page."""

    def __init__(self, qtbot: QtBot, look: Look, path: Path | str = "live.rec.jsonl") -> None:
        super().__init__(path)
        self.page = RecordingPage(self.session, look)
        qtbot.addWidget(self.page)
        self.page.resize(1600, 1000)
        self.part = LivePart(self.page, self.session)
        self.begin()
        self.page.show()
