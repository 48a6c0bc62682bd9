"""Zoom, pan and what lies where: arithmetic of the view, without a widget."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.ui.timeline import Axis, hit, overview
from inspector_app.ui.timeline.hit import Hit
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.ruler import scale
from inspector_app.ui.timeline.ticks import groups
from inspector_app.ui.timeline.view import LABELS, LANE, TOP, View, fitted
from tests.ui import timeline_data

WHOLE = View(0, 1_000, 1000)
POINTS = st.integers(LABELS, LABELS + 1000)


def opened(recording: str) -> tuple[Axis, list[LaneIndex], View]:
    axis, lanes = getattr(timeline_data, recording)()
    return axis, [LaneIndex(lane, axis) for lane in lanes], fitted(axis, 1372)


@given(POINTS, st.floats(1, 50))
def test_zooming_keeps_what_is_under_the_pointer(x: int, factor: float) -> None:
    zoomed = WHOLE.zoomed(x, factor, WHOLE, 1)
    assert zoomed.position(x) == pytest.approx(WHOLE.position(x), abs=1e-3)
    assert zoomed.start >= WHOLE.start
    assert zoomed.end <= WHOLE.end + 1e-3


@given(st.lists(st.tuples(POINTS, st.floats(0.1, 10), st.integers(-3000, 3000)), max_size=12))
def test_no_way_leads_out_of_the_recording(moves: list[tuple[int, float, int]]) -> None:
    view = WHOLE
    for x, factor, pixels in moves:
        view = view.zoomed(x, factor, WHOLE, 1).moved(pixels, WHOLE)
        assert view.start >= WHOLE.start
        assert view.end <= WHOLE.end + 1e-3
        assert 1 <= view.per_pixel <= WHOLE.per_pixel


def test_what_is_out_of_sight_is_brought_in() -> None:
    view = View(400_000, 100, 1000)
    assert view.showing(450_000, WHOLE) is view
    for position in (0, 100_000, 990_000):
        shown = view.showing(position, WHOLE)
        assert shown.start <= position <= shown.end
        assert shown.per_pixel == view.per_pixel


@pytest.mark.parametrize("width", [1, 60, 300, 1372, 4000])
@pytest.mark.parametrize("recording", ["flagship", "missing_tool", "untimed", "states"])
def test_a_fitted_view_holds_everything_and_the_marker_of_the_end(recording: str, width: int) -> None:
    axis, _ = getattr(timeline_data, recording)()
    view = fitted(axis, width)
    assert view.start <= axis.span[0]
    assert view.end > axis.end
    if width >= 300:
        assert LABELS + width - view.x(axis.end) >= 50


def test_an_empty_recording_has_a_view() -> None:
    view = fitted(Axis(False, (0, 0)), 300)
    assert view.per_pixel > 0
    assert view.x(0) == LABELS + round(0.5 / view.per_pixel)


def test_without_times_the_ruler_counts_events() -> None:
    axis, _, view = opened("untimed")
    assert [words for _, words in scale(axis, view)] == ["0", "5", "10", "15", "20"]


def test_with_times_the_ruler_has_a_label_each_step() -> None:
    axis, _, view = opened("flagship")
    places = list(scale(axis, view))
    assert [position for position, _ in places] == [number * 1_000_000_000 for number in range(len(places))]


def at(lanes: list[LaneIndex], view: View, lane: int, position: int) -> Hit | None:
    return hit.hit(lanes, view, view.x(position), TOP + lane * LANE + 12, 0)


def test_every_small_block_is_found_where_it_is_drawn() -> None:
    axis, lanes, view = opened("flagship")
    close = view.zoomed(LABELS, 2, view, 1)
    for number in range(0, 60, 7):
        found = at(lanes, close, 2, axis.events[number] + 8_000_000)
        assert found == Hit(2, "bar", number, 0)
        assert hit.event_of(lanes[2], found) == number


def test_a_fragment_of_a_long_block_is_found() -> None:
    axis, lanes, view = opened("flagship")
    found = at(lanes, view, 3, axis.events[80] + 8_000_000)
    assert found == Hit(3, "bar", 0, 80)
    assert hit.position_of(lanes[3], found) == axis.events[80]
    assert hit.event_of(lanes[3], found) == 80


@pytest.mark.parametrize("x, y", [(100, 100), (LABELS - 1, TOP + 5), (1590, TOP + 5), (500, 20), (500, 900)])
def test_there_is_nothing_beside_the_plot(x: int, y: int) -> None:
    _, lanes, view = opened("flagship")
    assert hit.hit(lanes, view, x, y, 0) is None


def test_marks_that_overlap_become_the_most_severe_with_a_count() -> None:
    _, lanes, _ = opened("flagship")
    narrow = fitted(Axis(True, (0, 6_200_000_000)), 200)
    (_, first), (_, second) = groups(lanes[5], narrow)
    assert [mark.severity for mark in first] == ["error", "warning"]
    assert [mark.severity for mark in second] == ["warning", "info"]
    found = hit.hit(lanes, narrow, groups(lanes[5], narrow)[0][0], TOP + 5 * LANE + 10, 0)
    assert found is not None
    assert lanes[5].marks[found.number].severity == "error"


def test_steps_go_through_deltas_then_to_the_next_block() -> None:
    _, lanes, _ = opened("missing_tool")
    found: Hit | None = Hit(3, "bar", 0, 0)
    seen = []
    while found is not None:
        seen.append(hit.event_of(lanes[3], found))
        found = hit.beside(lanes, 3, 0, found, 1)
    assert seen == [9, 10, 11]
    assert hit.beside(lanes, 3, 0, Hit(3, "bar", 0, 0), -1) is None


@pytest.mark.parametrize("lane, kind", [(1, "tick"), (2, "bar"), (5, "mark")])
def test_steps_begin_at_the_play_head(lane: int, kind: str) -> None:
    axis, lanes, _ = opened("flagship")
    after = axis.events[60]
    ahead = hit.beside(lanes, lane, after, None, 1)
    behind = hit.beside(lanes, lane, after, None, -1)
    assert ahead is not None
    assert behind is not None
    assert ahead.kind == behind.kind == kind
    assert hit.position_of(lanes[lane], behind) < after < hit.position_of(lanes[lane], ahead)


def test_the_window_of_the_overview_is_never_too_small_to_hold() -> None:
    tiny = View(500_000, 0.01, 1000)
    window = overview.window_rect(tiny, WHOLE)
    assert window.width() == overview.LEAST_WINDOW
    assert overview.window_rect(WHOLE, WHOLE).width() == WHOLE.width


def test_the_overview_is_held_by_its_grips_or_its_window() -> None:
    view = View(250_000, 500, 1000)
    window = overview.window_rect(view, WHOLE)
    held = [overview.grip(x, view, WHOLE) for x in (window.left() + 1, window.center().x(), window.right(), LABELS + 5)]
    assert held == ["left", "window", "right", ""]
