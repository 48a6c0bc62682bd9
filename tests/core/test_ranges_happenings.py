"""What begins and ends in a part of a stream, where its kinds came, and waits in order: against a naive count."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.ranges import (
    ENDS,
    FOUND,
    STARTS,
    WHOLE,
    Happenings,
    Numbers,
    Part,
    happenings_in_steps,
    joined,
    numbers_in_steps,
    order_share,
    share,
)
from inspector_app.core.rates import CODES, MEANINGS
from inspector_app.core.reading import Reading
from inspector_app.core.timing import STEP, Waits
from tests.core.streams import DONE, end, said, sse, thought, tool
from tests.core.timed import MS, reading_of

PIECES = st.lists(
    st.tuples(st.sampled_from(["thought", "said", "tool", "odd"]), st.text("ab 界", max_size=4), st.booleans()),
    max_size=25,
)
"""What comes, event by event: its kind, its text, and whether it comes in a read of its own."""


def reading_from(pieces: list[tuple[str, str, bool]]) -> Reading:
    made = {
        "thought": lambda text, n: thought(text),
        "said": lambda text, n: said(text),
        "tool": lambda text, n: tool(text, index=n // 3, id=f"c{n // 3}", name="find"),
        "odd": lambda text, n: {"choices": []},
    }
    reads: list[tuple[float | None, bytes]] = []
    for n, (kind, text, own) in enumerate(pieces):
        data = sse(made[kind](text, n))
        if own or not reads:
            reads.append((100.0 + 30 * n, data))
        else:
            reads[-1] = (reads[-1][0], reads[-1][1] + data)
    return reading_of([*reads, (2000, sse(end(), DONE))], end_time=2100 * MS)


def numbers(reading: Reading, part: Part) -> Numbers:
    *rests, found = numbers_in_steps(reading, part)
    assert set(rests) <= {None}
    assert found is not None
    return found


def happenings(reading: Reading, part: Part, most: int = 1000) -> Happenings:
    *rests, found = happenings_in_steps(reading, part, most)
    assert set(rests) <= {None}
    assert found is not None
    return found


@given(PIECES, st.integers(0, 27), st.integers(0, 27))
def test_kinds_are_what_a_naive_count_finds(pieces: list[tuple[str, str, bool]], one: int, other: int) -> None:
    reading = reading_from(pieces)
    count = len(reading.events)
    first, last = min(one, other, count), min(max(one, other), count)
    found = numbers(reading, Part(first, last))
    wanted: dict[str, tuple[set[int], list[int]]] = {}
    everywhere = set()
    for block in reading.blocks:
        if block.kind in CODES:
            meaning = MEANINGS[CODES[block.kind]]
            everywhere.add(meaning)
            events = [reading.event_of_delta(delta) for delta in block.deltas]
            inside = [event for event in events if first <= event < last]
            if inside:
                blocks, all_events = wanted.setdefault(meaning, (set(), []))
                blocks.add(block.n)
                all_events.extend(inside)
    told = {kind.meaning: kind for kind in found.kinds}
    assert told.keys() == wanted.keys()
    for meaning, (blocks, events) in wanted.items():
        kind = told[meaning]
        assert (kind.blocks, kind.first, kind.last) == (len(blocks), min(events), max(events))
        assert all(any(start <= event <= stop for start, stop in kind.stretches) for event in events)
        assert all(before[1] + 1 < after[0] for before, after in zip(kind.stretches, kind.stretches[1:]))
        assert (kind.stretches[0][0], kind.stretches[-1][1]) == (min(events), max(events))
    assert set(found.absent) == everywhere - wanted.keys()


@given(PIECES, st.integers(0, 27), st.integers(0, 27), st.integers(1, 6))
def test_happenings_are_what_a_naive_count_finds(
    pieces: list[tuple[str, str, bool]], one: int, other: int, most: int
) -> None:
    reading = reading_from(pieces)
    first, last = min(one, other), max(one, other)
    inside = range(first, last)
    wanted = []
    for block in reading.blocks:
        starts, ends = block.first_event in inside, block.last_event in inside and block.state != "open"
        if starts:
            wanted.append((block.first_event, WHOLE if ends else STARTS, block.n))
        elif ends:
            wanted.append((block.last_event, ENDS, block.n))
    for number, finding in enumerate(reading.findings):
        events = [event for event in finding.events if event in inside]
        wanted += [(min(events), FOUND, number)] if events else []
    found = happenings(reading, Part(first, last), most)
    assert found.total == len(wanted)
    assert [tuple(one) for one in found.all] == sorted(wanted)[:most]


def test_a_block_starts_ends_or_does_both() -> None:
    reading = reading_from([("thought", "a", True), ("thought", "b", True), ("said", "c", True), ("said", "d", True)])
    told = {
        part: [(one.event, one.kind) for one in happenings(reading, Part(*part)).all if one.kind != FOUND]
        for part in ((0, 4), (1, 3), (0, 1), (1, 2))
    }
    assert told == {
        (0, 4): [(0, WHOLE), (2, WHOLE)],
        (1, 3): [(1, ENDS), (2, STARTS)],
        (0, 1): [(0, STARTS)],
        (1, 2): [(1, ENDS)],
    }


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 9))), st.integers(1, 12))
def test_stretches_are_joined_where_least_is_between(lengths: list[tuple[int, int]], most: int) -> None:
    stretches = [(first, first + length) for first, length in lengths]
    found = joined(stretches, most)
    held = {at for first, last in stretches for at in range(first, last + 1)}
    told = {at for first, last in found for at in range(first, last + 1)}
    assert len(found) <= most
    assert held <= told
    assert found == sorted(found)
    apart = joined(stretches, 1000)
    assert {at for first, last in apart for at in range(first, last + 1)} == held
    if len(apart) > most:
        gaps = sorted(after[0] - before[1] for before, after in pairwise(apart))
        kept = sorted(after[0] - before[1] for before, after in pairwise(found))
        assert kept == gaps[len(gaps) - len(kept) :]


@pytest.mark.parametrize(
    ("start", "end", "wanted"),
    [(100, 200, (0, 1)), (150, 175, (0.5, 0.75)), (0, 50, (0, 0)), (0, 150, (0, 0.5)), (190, 900, (0.9, 1))],
)
def test_a_share_is_cut_at_the_ends_of_the_range(start: int, end: int, wanted: tuple[float, float]) -> None:
    assert share(start, end, Part(0, 9, 100, 100)) == wanted


def test_a_range_without_length_has_shares_all_the_same() -> None:
    assert share(5, 5, Part(0, 1, 5, 0)) == (0, 0)
    assert order_share(0, 9, Part(3, 3)) == (0, 0)


@pytest.mark.parametrize(
    ("first", "last", "wanted"), [(0, 3, (0, 0.5)), (2, 2, (0, 0.25)), (5, 9, (0.75, 1)), (2, 5, (0, 1))]
)
def test_in_an_order_each_event_has_the_same_room(first: int, last: int, wanted: tuple[float, float]) -> None:
    assert order_share(first, last, Part(2, 6)) == wanted


def waits_of(times: list[int]) -> Waits:
    reading = reading_of([(time, sse(said("a"))) for time in times])
    return Waits(reading)


def percentiles(times: list[int]) -> dict[int, int] | None:
    waits = waits_of(times)
    waits.extend()
    return waits.percentiles()


@given(st.lists(st.integers(0, 50), min_size=1, max_size=30))
def test_waits_that_were_put_in_order_have_the_same_percentiles(gaps: list[int]) -> None:
    times = [sum(gaps[: n + 1]) for n in range(len(gaps))]
    waits = waits_of(times)
    waits.extend()
    for _ in waits.settling():
        pass
    assert waits.percentiles() == percentiles(times)


def test_many_waits_are_put_in_order_in_steps() -> None:
    waits = waits_of([0])
    waits._fresh = [(n * 7919) % 100_003 for n in range(5 * STEP + 17)]
    wanted = sorted(waits._fresh)
    assert sum(1 for _ in waits.settling()) > 5
    assert (waits._sorted, waits._fresh) == (wanted, [])
    waits._fresh = [5, 3]
    for _ in waits.settling():
        pass
    assert waits._sorted == sorted([*wanted, 5, 3])


def test_what_is_left_in_the_middle_is_not_lost() -> None:
    waits = waits_of([0])
    waits._fresh = list(range(3 * STEP, 0, -1))
    steps = waits.settling()
    next(steps)
    steps.close()
    found = waits.percentiles()
    assert found is not None
    assert found[50] == 3 * STEP // 2
