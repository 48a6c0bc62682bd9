"""At which events one reading parts from another; worked out once for each difference, since there may be a million."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import islice

from inspector_app.core.in_order import AT_ONCE, mark, marked
from inspector_app.core.reading import Reading
from inspector_app.lenses import Difference
from inspector_app.lenses.run import in_reference

STEP = 2000
"""Blocks, and events that were not read, which are looked at between two rests."""


class Partings:
    """What is known of the pairs of readings that were compared so far."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[Difference, Sequence[int]]] = {}

    def of(self, reference: Reading, ours: Reading, theirs: Reading, difference: Difference) -> Sequence[int]:
        """The events, as the reference numbers them, at which the second of two readings parts from the first."""
        for _ in self.steps(reference, ours, theirs, difference):
            pass
        return self._known[ours.reader, theirs.reader][1]

    def steps(self, reference: Reading, ours: Reading, theirs: Reading, difference: Difference) -> Iterator[None]:
        """Work them out, with a rest now and then, where they are not known."""
        known = self._known.get((ours.reader, theirs.reader))
        if known is not None and known[0] is difference:
            return
        events: Sequence[int] = ()
        for found in parting(reference, ours, theirs, difference):
            events = found
            yield
        self._known[ours.reader, theirs.reader] = difference, events


def parting(reference: Reading, ours: Reading, theirs: Reading, difference: Difference) -> Iterator[Sequence[int]]:
    """The events where they part, whole as the last of what is given, with a rest before each."""
    there = bytearray()
    if difference.verdict == "fragmented":
        mine: dict[str, bytearray] = {}
        for closed in _closed(reference, ours):
            for kind, events in closed.items():
                mark(mine.setdefault(kind, bytearray()), events)
            yield ()
        for closed in _closed(reference, theirs):
            for kind, events in closed.items():
                own = mine.get(kind, b"")
                mark(there, [event for event in events if event >= len(own) or not own[event]])
            yield ()
    elif difference.verdict == "lost":
        known = bytearray()
        for events in _unread(reference, ours):
            mark(known, events)
            yield ()
        for events in _unread(reference, theirs):
            mark(there, [event for event in events if event >= len(known) or not known[event]])
            yield ()
    found = array("I")
    for start in range(0, len(there), AT_ONCE):
        found.extend(marked(there, start, start + AT_ONCE))
        yield found
    if difference.first_difference is not None and not found and len(reference.events):
        found.append(min(difference.first_difference.event, reference.last_event))
    yield found


def _closed(reference: Reading, reading: Reading) -> Iterator[dict[str, list[int]]]:
    """The events that closed blocks, by the kind of these, some at a time."""
    for start in range(0, len(reading.blocks), STEP):
        closed: dict[str, list[int]] = {}
        for block in reading.blocks[start : start + STEP]:
            event = in_reference(reference, reading, block.closed_at)
            if event is not None:
                closed.setdefault(block.kind, []).append(event)
        yield closed


def _unread(reference: Reading, reading: Reading) -> Iterator[list[int]]:
    """The events that a reader did not read, some at a time."""
    left = iter(reading.unread)
    while some := [*islice(left, STEP)]:
        events = (in_reference(reference, reading, n) for n in some)
        yield [event for event in events if event is not None]
