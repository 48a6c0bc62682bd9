"""Two recordings side by side: lanes that stay in step, and line ends that are no characters."""

from __future__ import annotations

from dataclasses import replace

from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.ui.timeline.layout import lanes_of
from inspector_app.ui.timeline.view import TOP
from inspector_app.ui.window import Window
from tests.ui.pair_data import before, chunk, compared
from tests.ui.window_data import window

__all__ = ["window"]


def other_ends(exchange: Exchange) -> Exchange:
    """The same with CR LF, in which some rule finds fault with the first event."""
    body = exchange.body.slice(0, len(exchange.body)).replace(b"\n", b"\r\n")
    first = b"data: " + chunk({"role": "assistant"}) + b"\r\n\r\nevent: x\r\n\r\n"
    return replace(exchange, body=MemoryBody(first + body), read_ends=None, read_times=None, timing="none")


def test_line_ends_mark_the_line_and_none_of_its_characters(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), other_ends(before()))
    new = page.panes.sides[1]
    reading = new.session.reference
    assert reading is not None
    for event in range(2, 6):
        told = new.evidences.of(event)
        line = reading.lines_of(event)[0]
        assert "framing: line ends" in told.told[line]
        assert [one for one in told.ranges if one.meaning == "info"] == []


def test_a_finding_alone_scrolls_the_lanes_of_neither_side(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), other_ends(before()))
    qtbot.waitUntil(lambda: page.timelines.settled)
    _, b = page.timelines.timelines
    b._event, b._bar = 0, None
    (found,) = lanes_of(b.lanes, b.axis, 0)
    assert b.lanes[found].marks
    b._scroll.setRange(0, 500)
    b._scroll.setValue(500 if b._view.scrolled_to(found, 0, b.height() - TOP) == 0 else 0)
    stays = b._scroll.value()
    b._bring_lane()
    assert b._scroll.value() == stays
