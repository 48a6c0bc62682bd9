"""Level of detail: how a million positions become a thousand columns, without looking at each. Pure functions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import ceil


def columns(times: Sequence[int], start: int, per_pixel: float, width: int) -> list[int]:
    """How many of the sorted `times` fall into each of `width` columns of `per_pixel`, the first beginning at `start`.

    Column i is from start + ceil(i * per_pixel) up to and without the next one's begin.
    """
    counts = [0] * width
    low = bisect_left(times, start)
    high = bisect_left(times, start + ceil(width * per_pixel), low)
    if high - low < width:
        for at in range(low, high):
            offset = times[at] - start
            column = min(int(offset / per_pixel), width - 1)
            if offset < ceil(column * per_pixel):
                column -= 1
            elif offset >= ceil((column + 1) * per_pixel):
                column += 1
            counts[column] += 1
        return counts
    for column in range(width):
        if low == high:
            break
        after = bisect_left(times, start + ceil((column + 1) * per_pixel), low, high)
        counts[column] = after - low
        low = after
    return counts


def merged(
    starts: Sequence[int], ends: Sequence[int], first: int, last: int, gap: float
) -> list[tuple[int, int, int, int]]:
    """Bars number first to last - 1, joined where less than `gap` lies between: (start, end, first, last) of each run.

    Both columns are sorted. The cost is that of the runs, not of the bars.
    """
    runs = []
    at = first
    while at < last:
        begin, end, after = starts[at], ends[at], at + 1
        while after < last and starts[after] - end < gap:
            after = bisect_left(starts, ceil(end + gap), after, last)
            end = max(end, ends[after - 1])
        runs.append((begin, end, at, after))
        at = after
    return runs


def spaced(times: Sequence[int], start: float, end: float, apart: float) -> list[int]:
    """The sorted `times` from `start` to `end`, left out where they follow the one before by less than `apart`."""
    found = []
    at, stop = bisect_left(times, start), bisect_right(times, end)
    while at < stop:
        found.append(times[at])
        at = max(at + 1, bisect_left(times, times[at] + apart, at, stop))
    return found


def nearest(times: Sequence[int], position: float) -> int | None:
    """The number of the time that lies nearest to `position`, None when there is none."""
    if not times:
        return None
    after = bisect_left(times, position)
    if after == 0:
        return 0
    if after == len(times) or position - times[after - 1] <= times[after] - position:
        return bisect_left(times, times[after - 1])
    return after
