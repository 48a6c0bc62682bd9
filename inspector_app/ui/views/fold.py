"""Which runs of a line say the same as the line before, and may be folded in the view (look.md, Grid).

Display only: the bytes stay as they are, and what somebody points at is never folded.
"""

from __future__ import annotations

from collections.abc import Iterable

LEAST = 20
"""Bytes that a fold must save."""
LONGEST = 1 << 16
"""Lines above this size are not compared."""

_OPENS = b"{[,"
_CLOSES = b"}],"


def folds(
    line: bytes, before: bytes, start: int, before_start: int, kept: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The ranges of `line` that `before` has too, apart from those in `kept` (sorted).

    The payloads begin at `start` and `before_start`; the first run begins there, the last one ends with the lines.
    """
    if len(line) > LONGEST or len(before) > LONGEST or not before:
        return []
    found: list[tuple[int, int]] = []
    at = start
    there = before_start
    size = len(line)
    for kept_start, kept_end in [*kept, (size, size)]:
        if kept_start - at >= LEAST:
            run = line[at:kept_start]
            if at == start:
                length = _snapped_end(line, at, at + common_start(run, before[there:]), kept_start) - at
                if length < len(run) and kept_start == size:
                    found += _tail(line, before, at + max(length, 0), LEAST)
            elif kept_start == size:
                found += _tail(line, before, at, LEAST)
                length = 0
            else:
                where = before.find(run, there)
                length = len(run) if where >= 0 else 0
                there = where + length if where >= 0 else there
            if length >= LEAST:
                found.append((at, at + length))
        at = max(at, kept_end)
    return sorted(found)


def _tail(line: bytes, before: bytes, at: int, least: int) -> list[tuple[int, int]]:
    """The run at the end of both lines, from `at` on at the earliest."""
    length = common_end(line[at:], before)
    begin = len(line) - length
    while begin < len(line) and begin > at and not (line[begin - 1] in _OPENS + b'"]}' and line[begin] in _CLOSES):
        begin += 1
    return [(begin, len(line))] if len(line) - begin >= least else []


def _snapped_end(line: bytes, start: int, end: int, limit: int) -> int:
    """`end`, moved back to where a key or a value begins, so that no word is cut in two."""
    if end >= limit:
        return end
    while end > start and not (line[end : end + 1] == b'"' and line[end - 1] in _OPENS):
        end -= 1
    return end


def common_start(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low


def common_end(one: bytes, other: bytes) -> int:
    """How many bytes both end with."""
    return common_start(one[::-1], other[::-1])
