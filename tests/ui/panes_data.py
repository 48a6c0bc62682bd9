"""Bodies for the panes, in the shape of the three reports: an empty list on each chunk, a line without its space."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView, QWidget
from pytestqt.qtbot import QtBot

from inspector_app.core.kit import load_kit
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses import Lens, load_lenses, shipped_folder
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.panes import Panes
from inspector_app.ui.views.row_view import ROW

MS = 1_000_000
Show = Callable[..., Panes]
ZCODE = ("zcode-3.11", "reference")
WINGMATE = ("wingmate-2026-06", "reference")
WORDS = ("Fetch ", "ends ", "after ", "four ", "minutes ", "再試行 ")


def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
    """One Chat chunk as compact JSON."""
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    body = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1764431702, "choices": [choice]}
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()


def event(payload: bytes, field: bytes = b"data: ") -> bytes:
    """An event with one line of data."""
    return field + payload + b"\n\n"


def exchange(events: Sequence[bytes], timed: bool = True) -> Exchange:
    """An exchange whose events came one a read, 20 ms apart."""
    made = Exchange("stream.sse", "sse-body", MemoryBody(b"".join(events)))
    if timed:
        made.timing = "measured"
        made.read_ends = array("q")
        at = 0
        for part in events:
            at += len(part)
            made.read_ends.append(at)
        made.read_times = array("q", (20 * MS * (number + 1) for number in range(len(events))))
    return made


def fragmented(count: int = 12, timed: bool = True) -> Exchange:
    """Reasoning with `tool_calls: []` on each chunk from event 1 on, then a text of two; event 0 has the role."""
    events = [event(chunk({"role": "assistant", "content": ""}))]
    for number in range(count):
        word = WORDS[number % len(WORDS)]
        events.append(event(chunk({"reasoning_content": word, "content": "", "tool_calls": []})))
    events += [event(chunk({"content": word, "tool_calls": []})) for word in ("We ", "wait.")]
    events += [event(chunk({}, "stop")), event(b"[DONE]")]
    return exchange(events, timed)


def lost_call() -> Exchange:
    """A text (events 1 and 2), a call whose first line (line 6, event 3) has no space, empty labels in the others."""
    call = {"index": 0, "id": "call_7Q", "type": "function", "function": {"name": "get_weather", "arguments": ""}}
    events = [
        event(chunk({"role": "assistant", "content": ""})),
        event(chunk({"content": "Let me "})),
        event(chunk({"content": "look."})),
        event(chunk({"tool_calls": [call]}), b"data:"),
    ]
    for piece in ('{"city":', '"Bergen"}'):
        call = {"index": 0, "id": "", "function": {"name": "", "arguments": piece}}
        events.append(event(chunk({"tool_calls": [call]})))
    return exchange([*events, event(chunk({}, "tool_calls")), event(b"[DONE]")])


def opened(
    qtbot: QtBot, read: Exchange, primary: str | None = None, secondary: str | None = "", lenses: bool = True
) -> Session:
    """A session that has read all of an exchange, with these readers chosen."""
    session = fresh(lenses)
    with qtbot.waitSignal(session.compared):
        session.open_exchanges([read])
    if primary is not None:
        session.choose(primary, secondary)
    return session


def fresh(lenses: bool = True) -> Session:
    """A session without anything in it."""
    return Session("stream.sse", kit(), shipped_lenses() if lenses else {})


kit = cache(load_kit)


@cache
def shipped_lenses() -> Mapping[str, Lens]:
    """The lenses that the program brings along."""
    return load_lenses([shipped_folder()])


def shown(qtbot: QtBot, look: Look, session: Session, width: int = 1600, height: int = 350) -> Panes:
    """The panes of a session in a window of a size."""
    panes = Panes(session, look)
    qtbot.addWidget(panes)
    panes.resize(width, height)
    with qtbot.waitExposed(panes):
        panes.show()
    return panes


def selected(panes: Panes) -> Selection:
    """What is selected."""
    current = panes.raw._session.selection.current
    assert current is not None
    return current


def click(view: QTableView, row: int, x: int, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    y = row * ROW - view.verticalScrollBar().value() + ROW // 2
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, keys, QPoint(x, y))


def press(view: QWidget, key: Qt.Key) -> None:
    """One stroke of a key."""
    QTest.keyClick(view, key)
