"""The numbers of a part of a stream: how many events and characters, how fast, the waits between its reads, and what
begins and ends in it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from inspector_app.core.rates import CODES, MEANINGS, Tokens
from inspector_app.core.reading import Reading
from inspector_app.core.timing import Wait, Waits, unmeasured
from inspector_app.core.types import NO_TIME, Block

STEP, BLOCKS = 4000, 1000
"""Fragments, and blocks, after which the caller may rest."""
MOST_STRETCHES = 400
"""Stretches of a kind that are told apart."""
STARTS, ENDS, WHOLE, FOUND = "starts", "ends", "whole", "found"
"""What happens: a block begins, ends, or does both in the part; a finding has its first place there."""


class Part(NamedTuple):
    """What is asked for: the events [first, last), and `ns`, the time between the two points, where it is one."""

    first: int
    last: int
    start: int = 0
    ns: int | None = None


@dataclass(slots=True)
class Kind:
    """What came of one kind of block; `first` and `last` are the events that brought the first and the last of it,
    `stretches` those in between by their first and last event: one for blocks that follow each other or overlap.
    """

    meaning: str
    blocks: int = 0
    deltas: int = 0
    characters: int = 0
    first: int = -1
    last: int = -1
    stretches: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class Numbers:
    """The numbers of a part. `reads` is None where reads are unknown, `waits` where no times were measured: all waits
    between reads that reach into the part, in their full length. `first_byte` is when the first byte came, where that
    is in the part. `absent` are the meanings of which the recording has blocks, but none in the part.
    """

    part: Part
    events: int = 0
    size: int = 0
    reads: int | None = None
    kinds: list[Kind] = field(default_factory=list)
    waits: Waits | None = None
    first_byte: int | None = None
    absent: tuple[str, ...] = ()

    def inside(self, wait: Wait) -> int:
        """How long of a wait lies in the part, in ns: it may begin before, and go on after."""
        part = self.part
        if part.ns is None or wait.end is None:
            return wait.ns
        return max(0, min(wait.end, part.start + part.ns) - max(wait.end - wait.ns, part.start))

    def longest(self) -> list[Wait]:
        """The waits between reads of which most lies in the part, the longest first, and the one before the first byte
        where it ends there.
        """
        found = self.waits.longest() if self.waits is not None else []
        if self.first_byte:
            found.append(Wait(self.first_byte, "before the first byte", 0, 0, end=self.first_byte))
        return sorted(found, key=lambda wait: (-self.inside(wait), -wait.ns))

    @property
    def characters(self) -> int:
        """What the model wrote, of all kinds."""
        return sum(kind.characters for kind in self.kinds)

    def a_second(self, amount: float) -> float | None:
        """How much that is in a second; None without a time."""
        return amount * 1e9 / self.part.ns if self.part.ns else None

    def tokens(self, weight: Tokens) -> float:
        """The tokens that the characters stand for: no stream counts them within a part."""
        return sum(
            kind.characters * (weight.reasoning if kind.meaning == MEANINGS[0] else weight.other) for kind in self.kinds
        )


def numbers_in_steps(reading: Reading, part: Part) -> Iterator[Numbers | None]:
    """The numbers as the last of what is given; each None before is a rest."""
    found = Numbers(part, max(0, part.last - part.first))
    yield from _waited(reading, found)
    if not found.events:
        yield from _without_events(reading, found)
        return
    final = part.last - 1
    found.size = reading.bytes_of(final)[1] - reading.bytes_of(part.first)[0]
    reads = reading.read_of(part.first), reading.read_of(final)
    if reads[0] is not None and reads[1] is not None:
        found.reads = reads[1] - reads[0] + 1
    low, high = reading.deltas_of(part.first)[0], reading.deltas_of(final)[1]
    kinds = [Kind(meaning) for meaning in MEANINGS]
    known: set[str] = set()
    for count, block in enumerate(reading.blocks, 1):
        if block.kind in CODES:
            known.add(MEANINGS[CODES[block.kind]])
            for taken in _taken(block, low, high):
                kind = kinds[CODES[block.kind]]
                kind.deltas += len(taken)
                kind.characters += sum(len(block.fragments[n]) for n in taken)
                if len(taken) == STEP:
                    yield None
            first, last = _bounds(block, low, high)
            if first < last:
                kind.blocks += 1
                event, end = (reading.event_of_delta(block.deltas[at]) for at in (first, last - 1))
                kind.first = event if kind.first < 0 else min(kind.first, event)
                kind.last = max(kind.last, end)
                kind.stretches.append((event, end))
                if len(kind.stretches) > STEP:
                    kind.stretches = joined(kind.stretches, MOST_STRETCHES)
        if count % BLOCKS == 0:
            yield None
    found.kinds = [kind for kind in kinds if kind.blocks]
    for kind in found.kinds:
        kind.stretches = joined(kind.stretches, MOST_STRETCHES)
    found.absent = tuple(kind.meaning for kind in kinds if kind.meaning in known and not kind.blocks)
    yield found


def _waited(reading: Reading, found: Numbers) -> Iterator[None]:
    """Count the waits, with a rest now and then."""
    part, times = found.part, reading.exchange.read_times
    if unmeasured(reading) or not times:
        return
    reads = _reads_around(part, times)
    if reads is None and found.events:
        first, last = reading.read_of(part.first), reading.read_of(part.last - 1)
        reads = (first, last) if first is not None and last is not None else None
    if reads is None:
        return
    found.waits = Waits(reading, reads)
    yield from found.waits.in_steps()
    yield from found.waits.settling()
    first_byte = next((time for time in times if time != NO_TIME), NO_TIME)
    if part.ns is not None and max(0, part.start) < first_byte <= part.start + part.ns:
        found.first_byte = first_byte


def _reads_around(part: Part, times: Sequence[int]) -> tuple[int, int] | None:
    """The last read up to the beginning of a part and the first one from its end on: all waits between them reach into
    the part. None where the time of a read is not known.
    """
    if part.ns is None or NO_TIME in times:
        return None
    last = len(times) - 1
    first = max(0, bisect_right(times, part.start) - 1)
    return first, max(first, min(last, bisect_left(times, part.start + part.ns)))


def _without_events(reading: Reading, found: Numbers) -> Iterator[Numbers | None]:
    """A part in which nothing came: all kinds are absent."""
    known: set[int] = set()
    for count, block in enumerate(reading.blocks, 1):
        if block.kind in CODES:
            known.add(CODES[block.kind])
        if count % BLOCKS == 0:
            yield None
    found.absent = tuple(MEANINGS[code] for code in sorted(known))
    yield found


def joined(stretches: Iterable[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    """Stretches (first, last) in order, those that touch or overlap as one; where still more than `most` are left, also
    those with the smallest gaps between them.
    """
    out: list[tuple[int, int]] = []
    for first, last in sorted(stretches):
        if out and first <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(out[-1][1], last))
        else:
            out.append((first, last))
    if len(out) <= most:
        return out
    gaps = sorted(range(1, len(out)), key=lambda at: out[at][0] - out[at - 1][1])
    kept = sorted(gaps[len(out) - most :])
    starts, ends = [0, *kept], [*kept, len(out)]
    return [(out[start][0], out[end - 1][1]) for start, end in zip(starts, ends, strict=True)]


class Happening(NamedTuple):
    """What begins or ends at an event: `kind` is one of STARTS, ENDS, WHOLE and FOUND, `number` that of the block, or
    of the finding.
    """

    event: int
    kind: str
    number: int


@dataclass(slots=True)
class Happenings:
    """What happens in a part, by event: as many as were asked for, the earliest, of a `total`."""

    all: list[Happening] = field(default_factory=list)
    total: int = 0

    def add(self, happening: Happening, most: int) -> None:
        """Keep one more, as far as it is among the first."""
        self.total += 1
        self.all.append(happening)
        if len(self.all) > 2 * most + STEP:
            self.trim(most)

    def trim(self, most: int) -> None:
        """In order, without those beyond the `most`."""
        self.all = sorted(self.all)[:most]


def happenings_in_steps(reading: Reading, part: Part, most: int) -> Iterator[Happenings | None]:
    """What happens in a part as the last of what is given; each None before is a rest.

    A block that is open has no end yet. A finding stands at the first of its events in the part.
    """
    found, events = Happenings(), range(part.first, max(part.first, part.last))
    for count, block in enumerate(reading.blocks, 1):
        starts = block.first_event in events
        ends = block.state != "open" and block.last_event in events
        if starts or ends:
            kind = WHOLE if starts and ends else STARTS if starts else ENDS
            found.add(Happening(block.first_event if starts else block.last_event, kind, block.n), most)
        if count % BLOCKS == 0:
            yield None
    for number, finding in enumerate(reading.findings):
        at = bisect_left(finding.events, events.start)
        if at < len(finding.events) and finding.events[at] in events:
            found.add(Happening(finding.events[at], FOUND, number), most)
    found.trim(most)
    yield found


def share(start: int, end: int, part: Part) -> tuple[float, float]:
    """Which part of a range lies between two times, from 0 to 1; what reaches beyond is cut. `part.ns` is known."""
    length = max(part.ns or 0, 1)
    low, high = ((min(max(at - part.start, 0), length)) / length for at in (start, end))
    return low, high


def order_share(first: int, last: int, part: Part) -> tuple[float, float]:
    """The same for events of a range in which nothing but their order is known: each has the same room."""
    count = max(part.last - part.first, 1)
    return (max(first, part.first) - part.first) / count, (min(last, part.last - 1) + 1 - part.first) / count


def _bounds(block: Block, low: int, high: int) -> tuple[int, int]:
    first = bisect_left(block.deltas, low)
    return first, bisect_left(block.deltas, high, first)


def _taken(block: Block, low: int, high: int) -> Iterator[range]:
    """The places of a block's deltas from number `low` on and below `high`, as far as they have a text."""
    first, last = _bounds(block, low, high)
    last = min(last, len(block.fragments))
    for start in range(first, last, STEP):
        yield range(start, min(start + STEP, last))
