"""Blocks that opened and closed within one read: no time is invented for them, and each can be reached."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Axis, Bar, Lane, Timeline
from inspector_app.ui.timeline.boxes import CONFETTI, STUB, box_of
from inspector_app.ui.timeline.hit import Hit, hit
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.view import TOP, View

MS = 1_000_000
READS = [(100, 1), (180, 4), (260, 2), (340, 1)]
"""When something came, in ms, and how many blocks of one delta it was."""


def cut_blocks(measured: bool = True) -> tuple[Axis, Lane]:
    bars: list[Bar] = []
    for time, count in READS:
        for _ in range(count):
            n = len(bars)
            at = time * MS if measured else n
            bars.append(Bar(at, at, f"R {n}", "reasoning", n, [at], [n], [f"w{n}"], closed_early=True))
    axis = Axis(measured, (0, 1000 * MS if measured else len(bars)), [bar.start for bar in bars])
    return axis, Lane("reasoning", "Reasoning", bars=bars)


def indexed(measured: bool = True) -> LaneIndex:
    axis, lane = cut_blocks(measured)
    return LaneIndex(lane, axis)


NEAR_VIEW = View(90 * MS, 0.2 * MS, 1300)
ZOOMS = [0.6 * MS, 0.2 * MS, 0.02 * MS, 10_000.0]


@pytest.mark.parametrize("per_pixel", ZOOMS)
def test_the_mark_of_a_close_stands_at_the_read_that_brought_it(per_pixel: float) -> None:
    index = indexed()
    assert sorted(set(index.cuts)) == [time * MS for time, _ in READS]
    view = View(90 * MS, per_pixel, 1300)
    for number, bar in enumerate(index.bars):
        box = box_of(index, number, view)
        assert box.close <= max(box.left, view.x(bar.start))
        assert box.right - box.left <= STUB


def test_a_close_that_came_later_has_its_mark_there() -> None:
    bars = [Bar(10, 20, "R", "reasoning", 0, [10, 20], closed_early=True, cut_at=70), Bar(90, 90, "R", "reasoning", 1)]
    assert list(LaneIndex(Lane("r", "R", bars=bars), Axis(True, (0, 100))).cuts) == [70]


@pytest.mark.parametrize("per_pixel", [0.02 * MS, 10_000.0])
def test_a_bar_that_lasted_is_as_long_as_it_lasted(per_pixel: float) -> None:
    times = [100 * MS, 180 * MS, 260 * MS]
    index = LaneIndex(Lane("t", "T", bars=[Bar(times[0], times[-1], "T", "text", 0, times)]), Axis(True, (0, 999 * MS)))
    view = View(90 * MS, per_pixel, 1300)
    box = box_of(index, 0, view)
    assert (box.left, box.close) == (view.x(times[0]), view.x(times[-1]))
    assert box.close < box.right <= box.close + STUB
    far = View(90 * MS, 8 * MS, 400)
    assert index.detail(far) == "middle"
    assert box_of(index, 0, far).right == far.x(times[-1])


@pytest.mark.parametrize("per_pixel", [2 * MS, 0.2 * MS])
def test_blocks_of_one_read_lie_side_by_side_before_the_next_read(per_pixel: float) -> None:
    index, view = indexed(), View(90 * MS, per_pixel, 1300)
    boxes = [box_of(index, number, view) for number in range(1, 5)]
    assert [box.shared for box in boxes] == [1] * 4
    assert boxes[0].left == view.x(180 * MS)
    assert all(before.right <= after.left for before, after in pairwise(boxes))
    assert all(box.right > box.left for box in boxes)
    assert boxes[-1].right <= view.x(260 * MS)
    if index.detail(view) == "confetti":
        assert boxes[-1].right - boxes[0].left <= 4 * CONFETTI


def test_each_of_them_is_found_where_it_is_drawn() -> None:
    index = indexed()
    assert index.detail(NEAR_VIEW) == "near"
    for number in range(len(index.bars)):
        box = box_of(index, number, NEAR_VIEW)
        assert hit([index], NEAR_VIEW, (box.left + box.right) // 2, TOP + 12, 0) == Hit(0, "bar", number, 0)
    last = box_of(index, len(index.bars) - 1, NEAR_VIEW)
    assert hit([index], NEAR_VIEW, last.right + 8, TOP + 12, 0) is None


def test_those_of_a_read_before_the_view_are_still_drawn() -> None:
    index = indexed()
    view = View(182 * MS, 0.1 * MS, 1300)
    assert index.visible(view)[0] == 1
    assert index.shared(3) == (1, 5)
    assert index.shared(0) == (0, 1)


def crowd() -> tuple[Axis, list[Lane]]:
    """Many blocks in one read, with the next read so soon that there is no room for them side by side."""
    bars = [Bar(100 * MS, 100 * MS, f"R {n}", "reasoning", n, [100 * MS], [n], [f"w{n}"]) for n in range(5)]
    bars.append(Bar(130 * MS, 130 * MS, "R 5", "reasoning", 5, [130 * MS], [5], ["w5"]))
    return Axis(True, (0, 400 * MS), [bar.start for bar in bars]), [Lane("r", "R", bars=bars)]


def test_a_box_for_several_is_walked_by_clicks_and_by_keys(qtbot: QtBot, look: Look) -> None:
    shown = Timeline(look)
    qtbot.addWidget(shown)
    shown.resize(1200, 200)
    shown.set_data(*crowd())
    picked: list[int] = []
    shown.block_picked.connect(lambda block, event: picked.append(block))
    box = box_of(shown.lanes[0], 0, shown.view)
    assert box.shared == 5
    place = shown.rect().topLeft()
    place.setX(box.left + 4)
    place.setY(TOP + 12)
    for _ in range(3):
        qtbot.mouseClick(shown, Qt.MouseButton.LeftButton, pos=place)
    shown.step_item(1)
    shown.step_item(1)
    shown.step_item(1)
    shown.step_item(-1)
    assert picked == [0, 1, 2, 3, 4, 5, 4]
    shown.grab()


def test_without_times_each_has_its_own_place() -> None:
    index, view = indexed(measured=False), View(-0.5, 0.02, 1300)
    boxes = [box_of(index, number, view) for number in range(len(index.bars))]
    assert all(before.right <= after.left for before, after in pairwise(boxes))
