"""What stands above the lanes of a lone timeline: the tall overview, the strip of the range, the ruler, the crumbs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from inspector_app.ui.page import RecordingPage
from inspector_app.ui.timeline import crown
from inspector_app.ui.timeline.here import labelled
from inspector_app.ui.timeline.view import LABELS
from inspector_app.ui.window import Window
from tests.ui.drawer_data import alone
from tests.ui.window_data import open_in, window

__all__ = ["window"]

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def lone(qtbot: QtBot, window: Window) -> RecordingPage:
    page = open_in(qtbot, window, "two-calls-on-one-index")
    alone(qtbot, window, page)
    return page


def crown_of(page: RecordingPage) -> crown.Crown:
    assert page.alone.lone is not None
    return page.alone.lone.crown


def test_a_click_on_the_ruler_picks_the_event(qtbot: QtBot, lone: RecordingPage) -> None:
    timeline, above = lone.timeline, crown_of(lone)
    x = timeline.view.x(timeline.axis.events[5])
    qtbot.mouseClick(above, LEFT, pos=QPoint(x, crown.HEIGHT - 5))
    current = lone.session.selection.current
    assert current is not None
    assert timeline.axis.events[current.event] == timeline.axis.events[5]


def test_the_overview_is_drawn_by_its_grips_and_fits_by_two_clicks(qtbot: QtBot, lone: RecordingPage) -> None:
    timeline, above = lone.timeline, crown_of(lone)
    whole = timeline.view
    edge = LABELS + whole.width
    qtbot.mousePress(above, LEFT, pos=QPoint(edge, 30))
    qtbot.mouseMove(above, QPoint(edge - 300, 30))
    qtbot.mouseRelease(above, LEFT, pos=QPoint(edge - 300, 30))
    assert timeline.view.end == pytest.approx(whole.position(edge - 300))
    qtbot.mouseDClick(above, LEFT, pos=QPoint(LABELS + 20, 30))
    assert timeline.view == whole


def test_shift_and_a_drag_mark_and_a_flag_is_moved(qtbot: QtBot, lone: RecordingPage) -> None:
    timeline, above = lone.timeline, crown_of(lone)
    held, view = Qt.KeyboardModifier.ShiftModifier, timeline.view
    middle = crown.TALL + crown.STRIP // 2
    first, last = view.x(timeline.axis.events[1]), view.x(timeline.axis.events[-1])
    qtbot.mousePress(above, LEFT, held, QPoint(first, middle))
    qtbot.mouseMove(above, QPoint(last, middle))
    qtbot.mouseRelease(above, LEFT, held, QPoint(last, middle))
    assert timeline.points is not None
    a, b = timeline.points.ends
    assert a < b
    qtbot.mousePress(above, LEFT, pos=QPoint(view.x(b), middle))
    qtbot.mouseMove(above, QPoint(view.x((a + b) / 2), middle))
    qtbot.mouseRelease(above, LEFT, pos=QPoint(view.x((a + b) / 2), middle))
    assert timeline.points.a == a
    assert timeline.points.b is not None
    assert timeline.points.b < b


def test_the_name_of_the_overview_is_no_place(qtbot: QtBot, lone: RecordingPage) -> None:
    lone.timeline.zoom(5.0)
    view = lone.timeline.view
    qtbot.mouseClick(crown_of(lone), LEFT, pos=QPoint(40, 30))
    assert lone.timeline.view == view


def test_crumbs_lead_back(qtbot: QtBot, lone: RecordingPage) -> None:
    timeline = lone.timeline
    assert lone.alone.lone is not None
    crumbs = lone.alone.lone.head.crumbs
    whole = timeline.view
    for _ in range(2):
        timeline.zoom(5.0)
    qtbot.waitUntil(lambda: sum(button.isVisible() for button in crumbs._buttons) == 2)
    assert crumbs._buttons[0].text().startswith("Whole recording")
    crumbs._buttons[0].click()
    assert timeline.view == whole
    qtbot.waitUntil(lambda: not any(button.isVisible() for button in crumbs._buttons))


def test_the_range_button_marks_and_takes_away(qtbot: QtBot, lone: RecordingPage) -> None:
    assert lone.alone.lone is not None
    button = lone.alone.lone.head.range
    button.click()
    assert lone.timeline.has_range()
    button.click()
    assert lone.timeline.points is None


def test_labels_count_what_is_in_sight(lone: RecordingPage) -> None:
    timeline = lone.timeline
    index = next(index for index in timeline.lanes if index.lane.key == "events")
    assert labelled(index, timeline.view) is index.lane
    timeline.zoom(4.0)
    view = timeline.view
    here = sum(view.start <= at <= view.end for at in index.ticks)
    assert labelled(index, view).note == f"{here} here"
    other = next(index for index in timeline.lanes if index.lane.key == "findings")
    assert labelled(other, view) is other.lane
