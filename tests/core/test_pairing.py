"""Which event stands beside which: never going back, and exact where two events are known to belong together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.pairing import Pairing, along, by_number, by_time, place

COUNTS = st.integers(1, 40)
TIMES = st.lists(st.integers(0, 50), min_size=1, max_size=40).map(sorted)


def both_ways(pairing: Pairing, a: int, b: int) -> tuple[list[int], list[int]]:
    return [pairing.b_of(n) for n in range(a)], [pairing.a_of(n) for n in range(b)]


def assert_sound(pairing: Pairing, a: int, b: int) -> None:
    for found, total in zip(both_ways(pairing, a, b), (b, a)):
        assert found == sorted(found)
        assert all(0 <= n < total for n in found)


@given(COUNTS, COUNTS)
def test_by_number(a: int, b: int) -> None:
    pairing = by_number(a, b)
    assert_sound(pairing, a, b)
    assert [pairing.b_of(n) for n in range(min(a, b))] == [*range(min(a, b))]


@given(TIMES, TIMES)
def test_by_time_what_had_come_by_then(a: list[int], b: list[int]) -> None:
    pairing = by_time(a, b)
    assert_sound(pairing, len(a), len(b))
    for n, time in enumerate(a):
        beside = pairing.b_of(n)
        assert b[beside] <= time or beside == 0
        assert beside + 1 == len(b) or b[beside + 1] > time


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[tuple[int, int]], int, int]:
    a, b = draw(COUNTS), draw(COUNTS)
    pair = st.tuples(st.integers(0, a - 1), st.integers(0, b - 1))
    return draw(st.lists(pair, max_size=12)), a, b


@given(pairs())
def test_along_pairs_that_may_cross(given_: tuple[list[tuple[int, int]], int, int]) -> None:
    known, a, b = given_
    assert_sound(along(known, a, b), a, b)


@given(pairs())
def test_along_pairs_that_do_not_cross(given_: tuple[list[tuple[int, int]], int, int]) -> None:
    known, a, b = given_
    firsts, seconds = sorted({pair[0] for pair in known}), sorted({pair[1] for pair in known})
    straight = [*zip(firsts, seconds)]
    pairing = along(straight, a, b)
    assert [(pairing.b_of(n), pairing.a_of(m)) for n, m in straight] == [(m, n) for n, m in straight]
    assert pairing.swapped == Pairing(pairing.a_of, pairing.b_of)


@pytest.mark.parametrize(
    "known, a, b, found",
    [
        ([], 4, 2, [0, 1, 1, 1]),
        ([(0, 0), (4, 8)], 5, 9, [0, 2, 4, 6, 8]),
        ([(2, 4)], 5, 9, [2, 3, 4, 5, 6]),
        ([(2, 0)], 5, 9, [0, 0, 0, 1, 2]),
        ([(1, 1), (1, 5), (2, 6)], 4, 8, [0, 1, 6, 7]),
        ([(0, 7), (1, 1), (2, 2), (3, 3)], 4, 8, [0, 1, 2, 3]),
    ],
)
def test_what_is_between_and_outside(known: list[tuple[int, int]], a: int, b: int, found: list[int]) -> None:
    assert both_ways(along(known, a, b), a, b)[0] == found


def test_nothing_stands_beside_nothing() -> None:
    assert (by_number(3, 0).b_of(2), by_time([1], []).b_of(0), place(by_number(0, 3).b_of, 0.5, 0)) == (0, 0, 0.0)


@given(pairs(), st.floats(-1, 42), st.floats(-1, 42))
def test_places_between_events_never_go_back(
    given_: tuple[list[tuple[int, int]], int, int], x: float, y: float
) -> None:
    known, a, b = given_
    beside = along(known, a, b).b_of
    low, high = sorted((x, y))
    assert 0 <= place(beside, low, a) <= place(beside, high, a) <= b
