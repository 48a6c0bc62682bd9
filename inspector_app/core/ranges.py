"""The numbers of a part of a stream: how many events and characters, how fast, and the waits between its reads."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from inspector_app.core.rates import CODES, MEANINGS, Tokens
from inspector_app.core.reading import Reading
from inspector_app.core.timing import Waits, unmeasured
from inspector_app.core.types import Block

STEP = 4000
"""Blocks or fragments after which the caller may rest."""


class Part(NamedTuple):
    """What is asked for: the events [first, last), and `ns`, the time between the two points, where it is one."""

    first: int
    last: int
    start: int = 0
    ns: int | None = None


@dataclass(slots=True)
class Kind:
    """What came of one kind of block; `first` is the event that brought the first of it."""

    meaning: str
    blocks: int = 0
    deltas: int = 0
    characters: int = 0
    first: int = -1


@dataclass(slots=True)
class Numbers:
    """The numbers of a part. `reads` is None where reads are unknown, `waits` where no times were measured."""

    part: Part
    events: int = 0
    size: int = 0
    reads: int | None = None
    kinds: list[Kind] = field(default_factory=list)
    waits: Waits | None = None

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
    if not found.events:
        yield found
        return
    final = part.last - 1
    found.size = reading.bytes_of(final)[1] - reading.bytes_of(part.first)[0]
    reads = reading.read_of(part.first), reading.read_of(final)
    if reads[0] is not None and reads[1] is not None:
        found.reads = reads[1] - reads[0] + 1
        if not unmeasured(reading):
            found.waits = Waits(reading, (reads[0], reads[1]))
            for _ in found.waits.in_steps():
                yield None
    low, high = reading.deltas_of(part.first)[0], reading.deltas_of(final)[1]
    kinds = [Kind(meaning) for meaning in MEANINGS]
    for count, block in enumerate(reading.blocks, 1):
        if block.kind in CODES:
            for taken in _taken(block, low, high):
                kind = kinds[CODES[block.kind]]
                kind.deltas += len(taken)
                kind.characters += sum(len(block.fragments[n]) for n in taken)
                if len(taken) == STEP:
                    yield None
            first, last = _bounds(block, low, high)
            if first < last:
                kind.blocks += 1
                event = reading.event_of_delta(block.deltas[first])
                kind.first = event if kind.first < 0 else min(kind.first, event)
        if count % STEP == 0:
            yield None
    found.kinds = [kind for kind in kinds if kind.blocks]
    yield found


def _bounds(block: Block, low: int, high: int) -> tuple[int, int]:
    first = bisect_left(block.deltas, low)
    return first, bisect_left(block.deltas, high, first)


def _taken(block: Block, low: int, high: int) -> Iterator[range]:
    """The places of a block's deltas from number `low` on and below `high`, as far as they have a text."""
    first, last = _bounds(block, low, high)
    last = min(last, len(block.fragments))
    for start in range(first, last, STEP):
        yield range(start, min(start + STEP, last))
