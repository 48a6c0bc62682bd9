"""Two answers of one provider, before and after it changed something, in a window."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from typing import Any

from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.ui.pair.page import PairPage
from inspector_app.ui.window import Window

MS = 1_000_000
WORDS = ("The ", "ferry ", "leaves ", "at ", "nine. ", "船は九時 ", "に出る。")
OTHER_WORDS = ("The ", "boat ", *WORDS[2:])


def chunk(delta: dict[str, Any], **fields: Any) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": None}
    whole = {"object": "chat.completion.chunk", "model": "tide-1", "choices": [choice]} | fields
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()


def answer(events: Sequence[bytes], name: str, gap: int = 20) -> Exchange:
    """An exchange whose events came one a read, `gap` ms apart; 0 measures no time."""
    made = Exchange(name, "sse-body", MemoryBody(b"".join(events)))
    if gap:
        ends = [sum(map(len, events[: n + 1])) for n in range(len(events))]
        made.timing, made.read_ends = "measured", array("q", ends)
        made.read_times = array("q", (gap * MS * (n + 1) for n in range(len(events))))
    return made


def before(words: Sequence[str] = WORDS, **how: int) -> Exchange:
    """As it was: a space behind each colon, no comment."""
    events = [b"data: " + chunk({"content": word}) + b"\n\n" for word in words]
    return answer([*events, b"data: [DONE]\n\n"], "before.sse", **how)


def after(words: Sequence[str] = WORDS, **how: int) -> Exchange:
    """As it is: no space, a comment in front, reasoning before the text, one field more."""
    head = [b": keep-alive\n\n", b"data:" + chunk({"reasoning": "Hm"}, service_tier="default") + b"\n\n"]
    events = [b"data:" + chunk({"content": word}, service_tier="default") + b"\n\n" for word in words]
    return answer([*head, *events, b"data: [DONE]\n\n"], "after.sse", **how)


def compared(qtbot: QtBot, window: Window, a: Exchange, b: Exchange) -> PairPage:
    """Two exchanges side by side, read and compared."""
    page = window.pairs.compare_exchanges((a, "before"), (b, "after"))
    qtbot.waitUntil(lambda: not page.busy, timeout=20_000)
    return page


def rows(page: PairPage) -> list[tuple[str, str]]:
    return [(row.layer, row.what) for row in page.table.differences.rows]


def selected(page: PairPage) -> tuple[int | None, int | None]:
    a, b = (side.selection.current for side in page.sides)
    return a and a.event, b and b.event
