"""Where two long sequences part, in time that is nearly linear: between what stands once in each of both."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from inspector_app.core.pairing import rising

SMALL = 20_000
"""Up to so many items of one times items of the other every item is compared with every other one."""
RUNS = (12, 4, 1)
"""How many items in a row must stand once in each to be the same place; the longest that are found are taken."""

Range = tuple[int, int, int, int]
"""Items [start, end) of the one, and of the other, that are not the same."""


def parted(a: Sequence[Hashable], b: Sequence[Hashable]) -> Iterator[Range]:
    """The ranges in which two sequences differ, in order; what stands between them is the same in both."""
    waiting: list[Range] = [(0, len(a), 0, len(b))]
    while waiting:
        i, j, k, m = _trimmed(a, b, waiting.pop())
        if i == j or k == m:
            if i < j or k < m:
                yield i, j, k, m
        elif (j - i) * (m - k) <= SMALL:
            for tag, start, end, first, last in SequenceMatcher(None, a[i:j], b[k:m], autojunk=False).get_opcodes():
                if tag != "equal":
                    yield i + start, i + end, k + first, k + last
        elif places := _places(a, b, (i, j, k, m)):
            edges = [(i, k), *places, (j, m)]
            waiting += [(x, x_end, y, y_end) for (x, y), (x_end, y_end) in pairwise(edges)][::-1]
        else:
            yield i, j, k, m


def _trimmed(a: Sequence[Hashable], b: Sequence[Hashable], of: Range) -> Range:
    i, j, k, m = of
    while i < j and k < m and a[i] == b[k]:
        i, k = i + 1, k + 1
    while i < j and k < m and a[j - 1] == b[m - 1]:
        j, m = j - 1, m - 1
    return i, j, k, m


def _places(a: Sequence[Hashable], b: Sequence[Hashable], of: Range) -> list[tuple[int, int]]:
    """Places in a range that are the same in both, rising in both; none where nothing stands once in each."""
    i, j, k, m = of
    for size in RUNS:
        ours, theirs = _single(a, i, j, size), _single(b, k, m, size)
        found = rising([(x, theirs[key]) for key, x in ours.items() if key in theirs])
        if found:
            # What goes on from one place to the next is the same anyway.
            return [one for one, before in zip(found, [(-1, -1), *found]) if one != (before[0] + 1, before[1] + 1)]
    return []


def _single(items: Sequence[Hashable], start: int, end: int, size: int) -> dict[Hashable, int]:
    """Runs of items that stand once in [start, end), in order, and where each does."""
    where: dict[Hashable, int] = {}
    for at in range(start, end - size + 1):
        key = items[at] if size == 1 else tuple(items[at : at + size])
        where[key] = -1 if key in where else at
    return {key: at for key, at in where.items() if at >= 0}
