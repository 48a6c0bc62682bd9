"""Faults that are judged within one generation where a body holds several (general rule 5)."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable

from inspector_app.core.reading import Reading
from inspector_app.findings._generations import closed_by_marker, starts
from inspector_app.findings._spots import rows_where


def borders(reading: Reading) -> list[int]:
    """The events at which the second and further generations begin."""
    closed = [first for first, _ in closed_by_marker(reading)[1:]]
    return sorted({*closed, *(n for n, _ in starts(reading))})


def behind(kind: str) -> Callable[[Reading, array[int]], Iterable[int]]:
    """The last word of rules that need an earlier delta of a kind: it must be one of the same generation."""

    def settle(reading: Reading, events: array[int]) -> Iterable[int]:
        begins = borders(reading)
        firsts: dict[int, int] = {}
        for n, _ in rows_where(reading, lambda row: row[0] == kind):
            firsts.setdefault(bisect_right(begins, n), n)
        return [n for n in events if firsts.get(bisect_right(begins, n), n) < n]

    return settle


def not_the_first(kind: str) -> Callable[[Reading, array[int]], Iterable[int]]:
    """The last word of rules that compare deltas of a kind: not what is the first of its generation, and alone."""

    def settle(reading: Reading, events: array[int]) -> Iterable[int]:
        begins = borders(reading)
        if not begins:
            return events
        groups: dict[int, list[int]] = {}
        for n, _ in rows_where(reading, lambda row: row[0] == kind):
            groups.setdefault(bisect_right(begins, n), []).append(n)
        alone = {group[0] for group in groups.values() if group.count(group[0]) == 1}
        return [n for n in events if n not in alone]

    return settle


def in_company(reading: Reading, events: array[int]) -> Iterable[int]:
    """The last word of rules that count what should come once: two or more in one generation."""
    begins = borders(reading)
    if not begins:
        return events
    groups: dict[int, list[int]] = {}
    for n in events:
        groups.setdefault(bisect_right(begins, n), []).append(n)
    return [n for group in groups.values() if len(group) > 1 for n in group]
