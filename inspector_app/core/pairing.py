"""Which event of one recording stands beside which event of another: by number, by time, or by what they are part of.

A pairing leads from either side to the other. It is monotonic: whoever goes on in one recording never goes back in the
other. Nothing is worked out for all events; each question is answered by a bisect at most.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

Beside = Callable[[int], int]
"""Event of one recording -> the event beside it in the other; 0 where that has none."""


class Pairing(NamedTuple):
    """The event of b beside one of a, and the other way round."""

    b_of: Beside
    a_of: Beside

    @property
    def swapped(self) -> Pairing:
        """The same seen from the other side."""
        return Pairing(self.a_of, self.b_of)


def by_number(a: int, b: int) -> Pairing:
    """Event n beside event n, of recordings of `a` and `b` events; what is beyond the shorter one beside its last."""
    return Pairing(lambda n: _within(n, b), lambda n: _within(n, a))


def by_time(a: Sequence[int], b: Sequence[int]) -> Pairing:
    """Beside an event what the other recording had brought by then. `a` and `b` are the times of the events, rising."""
    return Pairing(lambda n: _until(b, a[n]), lambda n: _until(a, b[n]))


def along(pairs: Iterable[tuple[int, int]], a: int, b: int) -> Pairing:
    """By events that belong together, such as the first and the last ones of two blocks.

    What is between two pairs is spread evenly, what is outside keeps its distance from the nearest pair. Of pairs that
    cross each other as many stay as can.
    """
    chain = rising(sorted(set(pairs)))
    if not chain:
        return by_number(a, b)
    ours, theirs = [pair[0] for pair in chain], [pair[1] for pair in chain]
    return Pairing(
        lambda n: _within(_between(ours, theirs, n), b),
        lambda n: _within(_between(theirs, ours, n), a),
    )


def place(beside: Beside, position: float, total: int) -> float:
    """A place between events, in events, beside one of a recording of `total` events: 3.5 is the middle of event 3."""
    if not total:
        return 0.0
    event = min(max(int(position), 0), total - 1)
    first = beside(event)
    after = beside(event + 1) if event + 1 < total else first + 1
    return first + min(max(position - event, 0.0), 1.0) * (after - first)


def _within(event: int, total: int) -> int:
    return max(0, min(event, total - 1))


def _until(times: Sequence[int], time: int) -> int:
    return max(0, bisect_right(times, time) - 1)


def _between(ours: Sequence[int], theirs: Sequence[int], n: int) -> int:
    at = bisect_left(ours, n)
    if at == len(ours):
        return theirs[-1] + n - ours[-1]
    if ours[at] == n:
        return theirs[at]
    if not at:
        return theirs[0] + n - ours[0]
    # Of several pairs with one event before, the last one: what follows it begins there.
    part = (n - ours[at - 1]) * (theirs[at] - theirs[at - 1]) // (ours[at] - ours[at - 1])
    return theirs[at - 1] + part


def rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most pairs, sorted by a, that do not fall in b either."""
    lasts: list[int] = []
    """Of the chains of each length the one that ends lowest: its last b, and below the number of that pair."""
    ends: list[int] = []
    before: list[int] = []
    for number, (_, b) in enumerate(pairs):
        at = bisect_right(lasts, b)
        before.append(ends[at - 1] if at else -1)
        lasts[at : at + 1], ends[at : at + 1] = [b], [number]
    found = []
    number = ends[-1] if ends else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]
