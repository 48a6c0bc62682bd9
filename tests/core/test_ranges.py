"""The numbers of a part of a stream, counted by hand and against the whole."""

from __future__ import annotations

import pytest

from inspector_app.core.ranges import Numbers, Part, numbers_in_steps
from inspector_app.core.rates import Tokens
from inspector_app.core.reading import Reading
from tests.core.streams import DONE, end, said, sse, thought, tool
from tests.core.timed import MS, reading_of

ROLE = sse({"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]})


def answer() -> Reading:
    """Events: role, two thoughts in one read, a thought, three texts (the last in a read of its own), a call, ends."""
    return reading_of(
        [
            (100, ROLE),
            (150, sse(thought("ab"), thought("cde"))),
            (250, sse(thought("f"))),
            (300, sse(said("one "), said("two "))),
            (800, sse(said("three"))),
            (1000, sse(tool("{}", id="c", name="find"))),
            (1001, sse(end("tool_calls"), DONE)),
        ],
        end_time=1101 * MS,
    )


def numbers(reading: Reading, part: Part) -> Numbers:
    *rests, found = numbers_in_steps(reading, part)
    assert set(rests) <= {None}
    assert found is not None
    return found


def test_a_part_counts_what_came_in_it() -> None:
    reading = answer()
    found = numbers(reading, Part(2, 6, 150 * MS, 500 * MS))
    assert (found.events, found.reads) == (4, 3)
    assert found.size == reading.bytes_of(5)[1] - reading.bytes_of(2)[0]
    kinds = [(kind.meaning, kind.blocks, kind.deltas, kind.characters, kind.first) for kind in found.kinds]
    assert kinds == [("reasoning", 1, 2, 4, 2), ("text", 1, 2, 8, 4)]
    assert found.characters == 12
    assert found.a_second(found.characters) == 24
    assert found.tokens(Tokens(2.0, 0.5, False)) == 4 * 2.0 + 8 * 0.5


def test_waits_are_those_between_the_reads_of_the_part() -> None:
    waits = numbers(answer(), Part(1, 7)).waits
    assert waits is not None
    assert [(wait.ns // MS, wait.words) for wait in waits.longest()] == [
        (500, "event 5 to 6"), (100, "event 2 to 3"), (50, "reasoning to text"),
    ]  # fmt: skip
    assert waits.percentiles() == {50: 100 * MS, 95: 500 * MS, 99: 500 * MS}


def test_the_parts_of_a_stream_are_the_whole() -> None:
    reading = answer()
    count = len(reading.events)
    whole = numbers(reading, Part(0, count))
    for cut in range(1, count):
        parts = [numbers(reading, Part(0, cut)), numbers(reading, Part(cut, count))]
        assert sum(part.characters for part in parts) == whole.characters
        assert sum(part.size for part in parts) == whole.size
        assert sum(kind.deltas for part in parts for kind in part.kinds) == sum(kind.deltas for kind in whole.kinds)


@pytest.mark.parametrize("part", [Part(3, 3, 0, 5 * MS), Part(4, 3)])
def test_a_part_without_events_has_no_numbers_but_its_length(part: Part) -> None:
    found = numbers(answer(), part)
    assert (found.events, found.size, found.reads, found.kinds) == (0, 0, None, [])
    assert found.waits is None or found.waits.total == 0
    assert found.a_second(0) == (0 if part.ns else None)


def test_without_times_nothing_is_told_of_waits() -> None:
    found = numbers(reading_of([(None, sse(said("a"), said("b")))]), Part(0, 2))
    assert (found.waits, found.a_second(2), found.characters) == (None, None, 2)


@pytest.mark.parametrize(("start", "end", "waits", "first", "inside"), [
    (0, 100, [], 100, [100]), (0, 150, [50], 100, [100, 50]), (120, 150, [50], None, [30]),
    (210, 240, [300], None, [30]), (100, 150, [50], None, [50]), (450, 600, [300, 100], None, [100, 50]),
    (50, 60, [], None, []),
])  # fmt: skip
def test_the_waits_of_a_part_are_all_that_reach_into_it(
    start: int, end: int, waits: list[int], first: int | None, inside: list[int]
) -> None:
    reading = reading_of([(at, sse(said("a"))) for at in (100, 150, 200, 500, 600, 700)])
    times = [reading.time_of(n) or 0 for n in range(6)]
    events = [n for n in range(6) if start * MS <= times[n] <= end * MS]
    lowest = events[0] if events else sum(time < start * MS for time in times)
    found = numbers(reading, Part(lowest, lowest + len(events), start * MS, (end - start) * MS))
    assert found.waits is not None
    assert [wait.ns // MS for wait in found.waits.longest()] == waits
    assert found.first_byte == (None if first is None else first * MS)
    assert sorted(wait.ns // MS for wait in found.longest()) == sorted([*waits, *([first] if first else [])])
    # The one of which most lies in the part stands first, however long it is.
    assert [found.inside(wait) // MS for wait in found.longest()] == inside
