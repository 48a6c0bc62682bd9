"""A timeline that stands alone lets its lanes grow: they are painted, picked and dragged at their own height."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Timeline
from inspector_app.ui.timeline.view import LABELS, LANE, OVERVIEW, TOP
from tests.ui import timeline_data

TALL = 44
LANES = 6
Open = Callable[[int], Timeline]


@pytest.fixture
def timeline(qtbot: QtBot, look: Look) -> Open:
    def show(height: int) -> Timeline:
        made = Timeline(look)
        qtbot.addWidget(made)
        made.let_grow(TALL)
        made.resize(1600, height)
        made.show()
        made.set_data(*timeline_data.flagship())
        return made

    return show


@pytest.mark.parametrize(
    "height, lane",
    [(TOP + LANES * TALL + 300, TALL), (TOP + LANES * 30 + 5, 30), (TOP + LANES * LANE, LANE), (TOP + 3 * LANE, LANE)],
)
def test_lanes_are_as_high_as_there_is_room(timeline: Open, height: int, lane: int) -> None:
    shown = timeline(height)
    assert shown.view.lane == lane
    assert shown.sizeHint().height() == TOP + LANES * LANE


def test_other_timelines_keep_their_lanes(qtbot: QtBot, look: Look) -> None:
    shown = Timeline(look)
    qtbot.addWidget(shown)
    shown.set_data(*timeline_data.flagship())
    shown.resize(1600, 900)
    assert shown.view.lane == LANE


def test_a_block_is_painted_over_its_lane(timeline: Open, look: Look) -> None:
    shown = timeline(TOP + LANES * TALL)
    image: QImage = shown.grab().toImage()
    first = timeline_data.flagship()[0].events[0]
    x = shown.view.x(first) + 300
    fill = look.theme.color("reasoning.fill")
    column = [y for y in range(TOP, image.height()) if image.pixelColor(x, y) == fill]
    top = TOP + 3 * TALL
    assert min(column) <= top + 6
    assert TALL - 14 <= len(column) <= TALL


@pytest.mark.parametrize("lane, block", [(2, 37), (3, -1)])
def test_a_click_picks_what_is_painted_there(timeline: Open, qtbot: QtBot, lane: int, block: int) -> None:
    shown = timeline(TOP + LANES * TALL)
    times = timeline_data.flagship()[0].events
    at = QPoint(shown.view.x(times[37]) + 1, TOP + lane * TALL + TALL // 2)
    with qtbot.waitSignal(shown.block_picked) as picked:
        qtbot.mouseClick(shown, Qt.MouseButton.LeftButton, pos=at)
    assert picked.args == [block, 37]


def test_lanes_keep_their_height_while_the_view_changes(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline(TOP + LANES * TALL)
    left = Qt.MouseButton.LeftButton
    shown.zoom(4)
    for start, end in ((LABELS, LABELS + 200), (LABELS + 1200, LABELS + 900), (LABELS + 1000, LABELS + 1001)):
        qtbot.mousePress(shown, left, pos=QPoint(start, OVERVIEW // 2))
        qtbot.mouseMove(shown, QPoint(end, OVERVIEW // 2))
        qtbot.mouseRelease(shown, left, pos=QPoint(end, OVERVIEW // 2))
        assert shown.view.lane == TALL
    shown.pan(0.2)
    shown.fit()
    qtbot.waitUntil(lambda: shown.view.start == shown._whole.start and shown.view.lane == TALL)
