"""The way back through the zooms, and the range between two points: set, moved, told, taken away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from inspector_app.ui.commands import Bindings
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Timeline, crumbs, marked
from inspector_app.ui.timeline.marked import Marked
from inspector_app.ui.timeline.view import LABELS, LANE, OVERVIEW, TOP, View
from tests.ui import timeline_data

Open = Callable[..., Timeline]
LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
WHOLE = View(0.0, 1000.0, 100)


@pytest.fixture
def timeline(qtbot: QtBot, look: Look) -> Open:
    """Shows a recording of `timeline_data`, without motion."""

    def show(recording: str = "flagship") -> Timeline:
        made = Timeline(look)
        qtbot.addWidget(made)
        made.resize(1600, TOP + 6 * LANE)
        made.set_data(*getattr(timeline_data, recording)())
        return made

    return show


def closer(factor: float, start: float = 0.0) -> View:
    return replace(WHOLE, per_pixel=WHOLE.per_pixel / factor, start=start)


@pytest.mark.parametrize(
    ("reached", "left"),
    [
        ([], []),
        ([2], [2]),
        ([2, 2.5], [2.5]),
        ([4, 5], [4, 5]),
        ([4, 5, 6], [4, 6]),
        ([4, 13], [4, 13]),
        ([4, 13, 5], [4, 5]),
        ([4, 13, 2], [2]),
        ([4, 13, 1], []),
        ([1.2**n for n in range(1, 20)], [1.2**7, 1.2**14, 1.2**19]),
    ],
)
def test_a_step_closer_leaves_a_crumb_and_a_step_back_takes_it(reached: list[float], left: list[float]) -> None:
    trail: tuple[View, ...] = ()
    for factor in reached:
        trail = crumbs.trail_to(trail, closer(factor), WHOLE)
    assert [round(WHOLE.per_pixel / view.per_pixel, 6) for view in trail] == [round(factor, 6) for factor in left]


def test_what_is_not_around_the_view_any_more_falls_off() -> None:
    trail = crumbs.trail_to((), closer(10), WHOLE)
    assert len(crumbs.trail_to(trail, closer(100, 5000), WHOLE)) == 2
    assert len(crumbs.trail_to(trail, closer(100, 50_000), WHOLE)) == 1


def test_a_click_on_a_crumb_goes_back_there(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline()
    shown.zoom(5)
    wide = shown.view
    shown.zoom(5)
    assert len(shown.trail) == 2
    places = {place: box for box, _, place in crumbs.placed(shown.axis, shown.trail)}
    qtbot.mouseClick(shown, LEFT, pos=places[1].center())
    assert shown.view == wide
    qtbot.mouseClick(shown, LEFT, pos=places[0].center())
    assert (shown.view, shown.trail) == (shown._whole, ())


def test_the_key_goes_one_step_back(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline()
    back = next(command for command in shown.commands() if command.keys == ("Backspace",))
    assert not back.enabled()
    shown.zoom(5)
    wide = shown.view
    shown.zoom(5)
    back.run()
    assert shown.view == wide
    back.run()
    assert shown.trail == ()


def test_crumbs_say_what_they_show_and_keep_to_their_place(timeline: Open) -> None:
    shown = timeline()
    for _ in range(6):
        shown.zoom(4)
        boxes = crumbs.placed(shown.axis, shown.trail)
        assert boxes[0][1] == "All"
        assert boxes[-1][2] == len(shown.trail)
        assert all(box.right() <= crumbs.RIGHT for box, _, _ in boxes)
        assert all(one[0].right() < other[0].left() for one, other in pairwise(boxes))
    assert crumbs.placed(shown.axis, shown.trail)[1][1] == crumbs.MORE


@pytest.mark.parametrize(
    ("recording", "start", "end", "words"),
    [
        ("flagship", 2_100, 3_900, "2.10–3.90\u2009s"),
        ("flagship", 100, 400, "100–400\u2009ms"),
        ("flagship", 500, 1_500, "0.50–1.50\u2009s"),
        ("untimed", 3, 9, "3–9"),
    ],
)
def test_a_span_is_told_in_one_unit(timeline: Open, recording: str, start: int, end: int, words: str) -> None:
    axis = timeline(recording).axis
    unit = timeline_data.MS if axis.measured else 1
    axis = replace(axis, span=(0, 10_000 * unit))
    assert crumbs.span_words(axis, View(start * unit, (end - start) * unit / 100, 100)) == words


def drag(qtbot: QtBot, shown: Timeline, start: int, end: int, y: int, held: Qt.KeyboardModifier = SHIFT) -> None:
    qtbot.mousePress(shown, LEFT, held, QPoint(start, y))
    for x in (start + (end - start) // 2, end):
        qtbot.mouseMove(shown, QPoint(x, y))
    qtbot.mouseRelease(shown, LEFT, held, QPoint(end, y))


@pytest.mark.parametrize("backwards", [False, True])
def test_a_drag_with_shift_marks_from_event_to_event(timeline: Open, qtbot: QtBot, backwards: bool) -> None:
    shown = timeline()
    before, times = shown.view, shown.axis.events
    ends = [shown.view.x(times[10]), shown.view.x(times[60])]
    with qtbot.waitSignals([shown.range_changed, shown.range_set]):
        drag(qtbot, shown, *(reversed(ends) if backwards else ends), TOP + 30)
    assert shown.points == Marked(times[10], times[60])
    assert shown.view == before
    assert marked.events_between(shown.axis, shown.points) == (10, 61)
    assert marked.words_of(shown.axis, shown.lanes, shown.points)[1] == "51 events"


@pytest.mark.parametrize("place", [0, 1])
def test_a_flag_is_dragged_and_the_other_stays(timeline: Open, qtbot: QtBot, place: int) -> None:
    shown = timeline()
    times = shown.axis.events
    shown.mark(Marked(times[10], times[60]))
    x = shown.view.x(shown.points.ends[place])
    drag(qtbot, shown, x, shown.view.x(times[100]), OVERVIEW + 10, Qt.KeyboardModifier.NoModifier)
    kept = (times[60], times[10])[place]
    assert shown.points == marked.marked(kept, times[100])


def test_a_click_on_the_ruler_beside_the_flags_still_picks_an_event(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline()
    times = shown.axis.events
    shown.mark(Marked(times[10], times[60]))
    with qtbot.waitSignal(shown.event_picked) as picked:
        qtbot.mouseClick(shown, LEFT, pos=QPoint(shown.view.x(times[100]), OVERVIEW + 10))
    assert picked.args == [100]


def test_the_key_sets_a_then_b_then_begins_anew(timeline: Open, qtbot: QtBot, look: Look) -> None:
    shown = timeline()
    Bindings(shown, shown.commands).renew()
    with qtbot.waitActive(shown):
        shown.show()
        shown.activateWindow()
    shown.setFocus()
    times, found = shown.axis.events, []
    for event in (60, 10, 30):
        shown.set_selection(event)
        qtbot.keyClick(shown, Qt.Key.Key_R)
        found.append(shown.points)
    assert found == [Marked(times[60]), Marked(times[10], times[60]), Marked(times[30])]


def test_the_range_over_a_block_and_a_view_of_it(timeline: Open) -> None:
    shown = timeline()
    times = shown.axis.events
    shown.set_selection(150, 149)
    shown.mark_selected()
    assert shown.points == Marked(times[150], times[187])
    shown.show_range()
    assert shown.view.start < times[150] < times[187] < shown.view.end
    assert shown.view.width * shown.view.per_pixel < 2 * (times[187] - times[150])


def test_an_order_has_a_range_of_whole_events(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline("untimed")
    view = shown.view
    drag(qtbot, shown, view.x(3) + 2, view.x(9) - 2, TOP + 30)
    assert shown.points == Marked(3, 9)
    assert marked.words_of(shown.axis, shown.lanes, shown.points) == ["7 events"]


def test_the_range_goes_when_the_axis_turns_and_is_said(timeline: Open, qtbot: QtBot) -> None:
    shown = timeline()
    times = shown.axis.events
    shown.mark(Marked(times[0], times[1]))
    assert "range" in shown.accessibleDescription()
    shown.set_data(*timeline_data.missing_tool())
    assert shown.points is not None
    with qtbot.waitSignal(shown.range_changed) as changed:
        shown.set_data(*timeline_data.untimed())
    assert changed.args == [None]
    assert "range" not in shown.accessibleDescription()


@pytest.mark.parametrize("ends", [(-1e30, 1e30), (1e25, 2e25), (-2e25, -1e25), (0.0, 1e300)])
def test_a_range_far_outside_of_the_axis_is_drawn_all_the_same(timeline: Open, ends: tuple[float, float]) -> None:
    shown = timeline()
    shown.mark(Marked(*ends))
    shown.grab()
    shown.show_range()
    shown.grab()
    assert marked.point_at(Marked(*ends), shown.view, LABELS + 40) in (None, 0, 1)
    assert shown.points == Marked(*ends)


def test_it_is_painted_between_its_lines_and_words_only_where_they_fit(timeline: Open, look: Look) -> None:
    shown = timeline()
    times, accent = shown.axis.events, look.theme.color("accent")
    shown.mark(Marked(times[10], times[100]))
    image = shown.grab().toImage()
    lines = [x for x in range(LABELS, 1580) if image.pixelColor(x, TOP + 2 * LANE + 1) == accent]
    assert lines == [shown.view.x(times[10]), shown.view.x(times[100])]
    inside, outside = (image.pixelColor(x, TOP + 5 * LANE + 2) for x in (lines[0] + 9, lines[1] + 60))
    assert inside != outside
    box, words = marked.told(shown.axis, shown.lanes, shown.points, shown.view)
    assert lines[0] < box.left() < box.right() < lines[1]
    assert "91 events" in words
    shown.mark(Marked(times[10], times[12]))
    assert marked.told(shown.axis, shown.lanes, shown.points, shown.view) == (box.__class__(), "")
