"""The page Timing with a range of the timeline: its numbers, beside those of the whole, and the way back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from inspector_app.core.ranges import Part
from inspector_app.core.rates import Tokens
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline.marked import Marked
from inspector_app.ui.timeline.view import TOP
from inspector_app.ui.window import Window
from tests.core.streams import said, sse
from tests.core.timed import MS, exchange_of
from tests.ui.test_timing_view import page_of, spoken, timed
from tests.ui.window_data import open_in, window

__all__ = ["window"]


def test_the_numbers_of_a_range_stand_in_the_place_of_the_first_times(qtbot: QtBot, look: Look) -> None:
    _, _, page = page_of(qtbot, look, timed())
    before = spoken(page.ladder.rows)
    page.show_range(Part(1, 3, 150 * MS, 310 * MS), Tokens(0.5, 0.25, False))
    told = spoken(page.ladder.rows)
    assert told[:2] == ["length: 310 ms · 1.0 %", "events: 2 in 3 reads"]
    assert told[3:] == [
        "reasoning: 1 delta · 1 char · 3.2/s",
        "text: 1 delta · 5 chars · 16/s",
        "all of it: 6 chars · 19/s",
        "tokens: about 2 · 5.6/s",
    ]
    assert spoken(page.longest.rows) == ["reasoning to text: 300 ms", "inside event 2: 10 ms"]
    assert page.histogram.accessibleDescription().endswith("p50 10 ms   p95 300 ms   p99 300 ms")
    assert len(page.histogram.outlines()) == len(page.histogram.bars())
    page.show_range(None)
    assert spoken(page.ladder.rows) == before
    assert page.histogram.outlines() == []


def test_the_numbers_of_a_range_are_copied(qtbot: QtBot, look: Look) -> None:
    _, _, page = page_of(qtbot, look, timed())
    page.show_range(Part(1, 3, 150 * MS, 310 * MS), Tokens(0.25, 0.25, True))
    page.menu().actions()[0].trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "range\tlength\t310 ms · 1.0 %"
    assert "waits between reads\tp50\t10 ms" in lines
    assert "wait\treasoning to text\t300 ms" in lines


def test_without_times_a_range_has_counts_but_no_rates(qtbot: QtBot, look: Look) -> None:
    _, _, page = page_of(qtbot, look, exchange_of([(None, sse(said("word")))] * 3))
    assert page.ladder.rows.rowCount() == 0
    page.show_range(Part(0, 2))
    assert spoken(page.ladder.rows)[0] == "length: — order only"
    assert any(words.startswith("text: 2 deltas · 8 chars") and "/s" not in words for words in spoken(page.ladder.rows))
    assert page._columns.isVisible()
    page.show_range(None)
    assert not page._columns.isVisible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_drag_in_the_window_tells_and_escape_takes_away(qtbot: QtBot, window: Window, theme: str) -> None:
    page = open_in(qtbot, window, "two-finish-reasons")
    timeline = page.timeline
    times = timeline.axis.events
    held, left = Qt.KeyboardModifier.ShiftModifier, Qt.MouseButton.LeftButton
    qtbot.mousePress(timeline, left, held, QPoint(timeline.view.x(times[2]), TOP + 10))
    for event in (5, len(times) - 2):
        qtbot.mouseMove(timeline, QPoint(timeline.view.x(times[event]), TOP + 10))
    qtbot.mouseRelease(timeline, left, held, QPoint(timeline.view.x(times[-2]), TOP + 10))
    assert timeline.points == Marked(times[2], times[-2])
    assert page.detail.timing.isVisible()
    qtbot.waitUntil(lambda: spoken(page.detail.timing.ladder.rows)[0].startswith("length"))
    selected = page.session.selection.current
    window.run("Clear the selection")
    assert timeline.points is None
    assert page.session.selection.current == selected
    assert spoken(page.detail.timing.ladder.rows)[0].startswith("headers")


def test_of_a_wait_that_reaches_out_of_the_range_the_part_inside_is_told(qtbot: QtBot, look: Look) -> None:
    _, _, page = page_of(qtbot, look, timed())
    page.show_range(Part(1, 2, 150 * MS, 60 * MS), Tokens(0.5, 0.25, False))
    assert spoken(page.longest.rows) == ["of 300 ms, reasoning to text: 60 ms"]
    page.menu().actions()[0].trigger()
    assert QGuiApplication.clipboard().text().splitlines()[-1] == "wait\tof 300 ms, reasoning to text\t60 ms"
