"""Finds the events of which a condition holds (`field_filter`), in the form in which `search` gives what it found."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_app.core.field_filter import Filter, Row, parse_filter, rules_of, values_at
from inspector_app.core.pattern import Query
from inspector_app.core.pointer import flatten
from inspector_app.core.reading import Reading
from inspector_app.core.search import MOST, Key, Match

FIELDS = "fields"
"""The scope of a query that is a condition on fields."""
PIECE = 64
"""Events between two rests."""
SAMPLED = 100
"""Events of the beginning, and of the whole, whose fields are offered."""
MOST_PLACES = 20
"""Fields of one event that are shown as what was found."""


class FieldSearch:
    """One condition in one recording. Each event of which it holds is one match; its fields are what is marked."""

    def __init__(self, query: Query, reference: Reading) -> None:
        """Raises PatternFault."""
        self.query = query
        self.filter: Filter = parse_filter(query.text)
        self.matches: dict[Key, Match] = {}
        self.ranges: list[tuple[int, int, Key]] = []
        self.deltas: dict[int, list[tuple[int, int, Key]]] = {}
        self.fragments: dict[tuple[str, int], dict[int, list[tuple[int, int, Key]]]] = {}
        self.part = 0.0
        self.stopped = ""
        self.given_up = 0
        self.order: list[Key] = []
        """The matches so far by their place in the stream."""
        self._reference = reference

    def steps(self) -> Iterator[None]:
        """Searches; each step takes a few milliseconds."""
        reading = self._reference
        rules = rules_of(reading)
        for n in range(len(reading.events)):
            row = Row(reading, n, rules)
            if self.filter.test(row):
                self._add(row)
                if len(self.matches) >= MOST:
                    self.stopped = "many"
                    return
            if n % PIECE == PIECE - 1:
                self.part = n / len(reading.events)
                yield
        self.part = 1.0

    def _add(self, row: Row) -> None:
        reading, n = self._reference, row.n
        start, end = reading.bytes_of(n)
        key: Key = (start, end, -1, -1)
        if key in self.matches:  # Two events of the same bytes: one inside of the other's frame.
            key = (start, end, -1, n)
        self.matches[key] = Match(start, end, n)
        self.order.append(key)
        found = [
            reading.place(n, pointer)
            for payload in row.payloads[:1]
            for steps in self.filter.paths
            for pointer, _ in list(values_at(payload, steps))[:MOST_PLACES]
        ]
        whole = not found or any(place == (start, end) for place in found)
        self.ranges += [(start, end, key)] if whole else [(*place, key) for place in sorted(set(found))]


def fields_of(reading: Reading, most: int = 300) -> list[str]:
    """Paths of a recording to choose from, in order of appearance: those of its first, its last, and some events."""
    total = len(reading.events)
    some = sorted(
        {*range(min(SAMPLED, total)), *range(max(0, total - 20), total), *range(0, total, total // SAMPLED + 1)}
    )
    found: dict[str, None] = {}
    for n in some:
        for payload in Row(reading, n, {}).payloads:
            for path, _ in flatten(payload):
                if len(found) >= most:
                    return list(found)
                for part in _above(path):
                    found.setdefault(part)
    return [path for path in found if path]


def _above(path: str) -> Iterator[str]:
    """A path, and before it the lists and objects that it leads through."""
    for at, character in enumerate(path):
        if character in ".[" and at:
            yield path[:at]
    yield path
