"""Columns of event numbers, which may be a million long."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import islice
from operator import lt


def in_order(events: array[int]) -> array[int]:
    """The events in order, each once; mostly they came that way, and to see that costs a fifth of sorting them."""
    *_, found = ordering(events)
    return found


def ordering(events: array[int]) -> Iterator[array[int]]:
    """The same, whole as the last of what is given, with a rest before each."""
    if _rises(events):
        yield events[:]
        return
    yield events
    # They come in a few runs that rise, which are merged soon; only the same event twice needs a second look.
    ordered = list(events)
    yield events
    ordered.sort()
    yield events
    found = array("I", ordered)
    yield found
    if _rises(found):
        return
    once = dict.fromkeys(ordered)
    yield found
    yield array("I", once)


def _rises(events: array[int]) -> bool:
    return all(map(lt, events, islice(events, 1, None)))
