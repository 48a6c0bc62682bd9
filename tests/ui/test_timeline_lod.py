"""Level of detail and the ruler's steps: pure functions against their plain definitions."""

from __future__ import annotations

from array import array
from itertools import pairwise
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.text import THIN_SPACE
from inspector_app.ui.timeline.clock import MILLISECOND, SECOND, minor, moment, step, tick
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.lod import columns, merged, nearest, spaced
from inspector_app.ui.timeline.model import Axis, Bar, Lane
from inspector_app.ui.timeline.view import View

TIMES = st.lists(st.integers(-50, 5000), max_size=80).map(sorted)


class Counted(list[int]):
    """A list that counts how often it is looked at."""

    looked = 0

    def __getitem__(self, at):
        self.looked += 1
        return super().__getitem__(at)


@given(TIMES, st.integers(-100, 3000), st.floats(0.3, 300), st.integers(1, 60))
def test_columns_count_what_lies_between_their_edges(
    times: list[int], start: int, per_pixel: float, width: int
) -> None:
    edges = [start + ceil(column * per_pixel) for column in range(width + 1)]
    expected = [sum(low <= time < high for time in times) for low, high in pairwise(edges)]
    assert columns(array("q", times), start, per_pixel, width) == expected


def test_columns_look_at_few_of_many() -> None:
    times = Counted(range(0, 10_000_000, 10))
    assert sum(columns(times, 0, 10_000, 1000)) == 1_000_000
    assert times.looked < 30_000


BARS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=40)


def laid_out(gaps: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    starts, ends, at = [], [], 0
    for before, size in gaps:
        at += before
        starts.append(at)
        at += size
        ends.append(at)
    return starts, ends


@given(BARS, st.integers(1, 20))
def test_merged_runs_hold_every_bar_and_only_small_gaps(gaps: list[tuple[int, int]], gap: int) -> None:
    starts, ends = laid_out(gaps)
    runs = merged(starts, ends, 0, len(starts), gap)
    assert [run[2] for run in runs] == [0, *[run[3] for run in runs[:-1]]]
    assert runs[-1][3] == len(starts)
    for begin, end, first, last in runs:
        assert (begin, end) == (starts[first], max(ends[first:last]))
        assert all(starts[at + 1] - max(ends[first : at + 1]) < gap for at in range(first, last - 1))
    assert all(after[0] - before[1] >= gap for before, after in pairwise(runs))


def test_merging_costs_runs_and_not_bars() -> None:
    starts = Counted(range(0, 1_000_000, 10))
    ends = [start + 9 for start in starts]
    starts.looked = 0
    assert len(merged(starts, ends, 0, len(starts), 1000)) == 1
    assert starts.looked < 20_000


@given(TIMES, st.integers(-60, 2000), st.integers(0, 4000), st.integers(1, 500))
def test_spaced_keeps_the_first_and_a_distance(times: list[int], start: int, size: int, apart: int) -> None:
    found = spaced(times, start, start + size, apart)
    within = [time for time in times if start <= time <= start + size]
    assert found[:1] == within[:1]
    assert all(after - before >= apart for before, after in pairwise(found))
    assert all(any(0 <= time - kept < apart for kept in found) for time in within)


@given(TIMES, st.integers(-100, 6000))
def test_nearest_is_nearest_and_the_first_of_equals(times: list[int], position: int) -> None:
    found = nearest(times, position)
    if found is None:
        assert not times
    else:
        assert abs(times[found] - position) == min(abs(time - position) for time in times)
        assert times.index(times[found]) == found


@pytest.mark.parametrize(
    "least, wanted", [(0, 1), (1, 1), (1.5, 2), (3, 5), (5, 5), (6, 10), (99, 100), (112e6, 200e6), (0.4e9, 0.5e9)]
)
def test_steps_are_ones_twos_and_fives(least: float, wanted: float) -> None:
    assert step(least) == wanted


@pytest.mark.parametrize(
    "major, small", [(SECOND, SECOND // 10), (5 * SECOND, SECOND), (200, 20), (10, 1), (1, 1), (2, 2)]
)
def test_small_ticks_are_whole_and_five_or_ten_to_a_step(major: int, small: int) -> None:
    assert minor(major) == small


@pytest.mark.parametrize(
    "ns, major, words",
    [
        (0, SECOND, "0 s"),
        (3 * SECOND, SECOND, "3 s"),
        (0, 200 * MILLISECOND, "0 ms"),
        (800 * MILLISECOND, 200 * MILLISECOND, "800 ms"),
        (1200 * MILLISECOND, 200 * MILLISECOND, "1.20 s"),
        (2_100 * MILLISECOND, 100 * MILLISECOND, "2.10 s"),
        (2_105 * MILLISECOND, 5 * MILLISECOND, "2.105 s"),
        (1_500_000, 500_000, "1.5 ms"),
    ],
)
def test_the_ruler_says_ms_under_a_second(ns: int, major: int, words: str) -> None:
    assert tick(ns, major) == words.replace(" ", THIN_SPACE)


@pytest.mark.parametrize(
    "ns, words",
    [
        (1_476 * MILLISECOND, "1.476 s"),
        (980 * MILLISECOND, "980 ms"),
        (999_600_000, "1.000 s"),
        (1_230_000, "1.2 ms"),
        (0, "0.0 ms"),
    ],
)
def test_moments_are_told_to_the_millisecond(ns: int, words: str) -> None:
    assert moment(ns) == words.replace(" ", THIN_SPACE)


def index_of(*bars: Bar, measured: bool = True) -> LaneIndex:
    return LaneIndex(Lane("lane", "Lane", bars=list(bars)), Axis(measured, (0, 1000)))


def bar(start: int, end: int, *fragments: int, **more: object) -> Bar:
    return Bar(start, end, "Bar", "text", start, fragments, **more)


def test_a_delta_is_drawn_up_to_the_next_but_not_over_a_pause() -> None:
    index = index_of(*(bar(at, at, at) for at in (0, 10, 20, 30, 400)))
    assert index.gap == 10
    assert list(index.ends) == [10, 20, 30, 40, 410]


def test_a_bar_is_never_drawn_into_the_next_one() -> None:
    index = index_of(bar(0, 90, 0, 50, 90), bar(100, 100, 100))
    assert index.ends[0] == 100


def test_a_cut_bar_ends_where_the_bytes_end() -> None:
    assert list(index_of(bar(0, 90, 0, 50, 90, state="truncated")).ends) == [90]


def test_bars_that_overlap_stay_whole() -> None:
    index = index_of(bar(0, 500, 0, 500), bar(100, 200, 100, 200))
    assert index.ends[0] == 500
    assert list(index.ends) == sorted(index.ends)


@pytest.mark.parametrize(
    "per_pixel, near, expected",
    [
        (10.0, 24, "far"),
        (4.0, 24, "far"),
        (1.0, 24, "confetti"),
        (0.25, 24, "near"),
        (0.25, 160, "middle"),
    ],
)
def test_the_size_of_a_delta_decides_the_detail(per_pixel: float, near: float, expected: str) -> None:
    index = index_of(*(bar(at, at, at, closed_early=True) for at in range(0, 1000, 10)))
    assert index.detail(View(0, per_pixel, 200, near)) == expected


def test_too_many_bars_are_far_at_any_size() -> None:
    index = index_of(*(bar(at, at, at) for at in range(1000)))
    assert index.detail(View(0, 2.5, 400, 24)) == "far"


def test_bars_and_marks_may_come_in_any_order() -> None:
    index = index_of(bar(50, 60), bar(10, 20))
    assert [one.start for one in index.bars] == [10, 50]
    assert (index.bar_at(15), index.bar_at(55), index.bar_at(500), index.bar_at(-1)) == (0, 1, None, None)
