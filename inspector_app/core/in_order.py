"""Columns of event numbers, which may be millions long."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import compress, islice
from operator import le, lt
from typing import Any

AT_ONCE = 1 << 14
"""Entries of a column that are looked at between two rests."""
TOGETHER = 4096
"""Entries that are sorted at once, about."""


def in_order(events: array[int]) -> array[int]:
    """The events in order, each once."""
    *_, found = ordering(events)
    return found


def ordering(events: array[int]) -> Iterator[array[int]]:
    """The same, whole as the last of what is given, with a rest before each.

    Mostly they came that way. Others are marked in a table with a place for every number up to the greatest: to sort
    millions of them could not rest.
    """
    found = events[:]
    for rises in rising(found, strictly=True):
        if not rises:
            break
        yield found
    else:
        yield found
        return
    if len(found) <= AT_ONCE:
        yield array("I", sorted(set(found)))
        return
    there = bytearray()
    for start in range(0, len(found), AT_ONCE):
        mark(there, found[start : start + AT_ONCE])
        yield found
    found = array("I")
    for start in range(0, len(there), AT_ONCE):
        found.extend(marked(there, start, start + AT_ONCE))
        yield found
    yield found


def rising(column: Sequence[Any], strictly: bool = False) -> Iterator[bool]:
    """Whether each piece of a column rises, or at least does not fall; False is the last that is given."""
    before = lt if strictly else le
    for start in range(0, len(column), AT_ONCE):
        some = column[start : start + AT_ONCE + 1]
        rises = all(map(before, some, islice(some, 1, None)))
        yield rises
        if not rises:
            return


def mark(there: bytearray, places: Sequence[int]) -> None:
    """Set these places of a table to 1; it becomes as long as need be."""
    lacking = max(places, default=-1) + 1 - len(there)
    if lacking > 0:
        there.extend(bytes(lacking))
    for place in places:
        there[place] = 1


def marked(there: bytearray, start: int, end: int) -> array[int]:
    """The places in [start, end) of a table that are marked."""
    some = there[start:end]
    return array("I", compress(range(start, start + len(some)), some))


def sorting(column: Sequence[int]) -> Iterator[array[int]]:
    """The places of a column by what stands there, of equals the first one first; whole as the last of what is given,
    with a rest before each. Numbers that lie close are put together first, since a sort of millions could not rest.
    """
    found = array("I")
    highest = 0
    for start in range(0, len(column), AT_ONCE):
        highest = max(highest, max(column[start : start + AT_ONCE]))
        yield found
    width = max(1, (highest + 1) * TOGETHER // max(1, len(column)))
    near: defaultdict[int, list[int]] = defaultdict(list)
    for start in range(0, len(column), AT_ONCE):
        for place, value in enumerate(column[start : start + AT_ONCE], start):
            near[value // width].append(place)
        yield found
    done = 0
    for number in sorted(near):
        places = sorted(near.pop(number), key=column.__getitem__)
        found.extend(array("I", places))
        done += len(places)
        if done >= AT_ONCE:
            done = 0
            yield found
    yield found
