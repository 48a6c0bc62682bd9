"""What has been found, as the views ask for it: which characters in their lines, deltas and blocks are matches."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from inspector_app.core.field_search import FieldSearch
from inspector_app.core.search import Key, Search, merge_into
from inspector_app.core.text import visible


class Found(NamedTuple):
    """Bytes or characters [start, end) of a match; `current` if it is the one that was gone to."""

    start: int
    end: int
    current: bool


class Marks:
    """One for all views of a recording. Empty while nothing is looked for."""

    def __init__(self) -> None:
        self.search: Search | FieldSearch | None = None
        self.current: Key | None = None
        self._ranges: list[tuple[int, int, Key]] = []

    def show(self, search: Search | FieldSearch | None, current: Key | None) -> None:
        """Replaces what is found."""
        if search is not self.search:
            self._ranges = []
        self.search, self.current = search, current

    def in_bytes(self, start: int, end: int, most: int = 100) -> list[Found]:
        """Matches in bytes [start, end) of the body: the first ones, and the current one wherever it is."""
        if self.search is None:
            return []
        if len(self._ranges) != len(self.search.ranges):
            merge_into(self._ranges, self.search.ranges[len(self._ranges) :])
        at = bisect_left(self._ranges, (start,))
        shown = self._ranges[at : at + most]
        after = bisect_left(self._ranges, (end,), at)
        if self.current is not None and after > at + most:
            place = bisect_left(self._ranges, self.current[:2], at + most, after)
            shown += [found for found in self._ranges[place : min(place + 3, after)] if found[2] == self.current]
        return [Found(a, min(b, end), key == self.current) for a, b, key in shown if a < end]

    def in_delta(self, delta: int) -> list[Found]:
        """Matches in the text of a delta of the reference."""
        return self._among(() if self.search is None else self.search.deltas.get(delta, ()))

    def in_fragment(self, reader: str, block: int, fragment: int) -> list[Found]:
        """Matches in what one delta gave to a block."""
        of_block = None if self.search is None else self.search.fragments.get((reader, block))
        return self._among(of_block.get(fragment, ()) if of_block else ())

    def any_in_block(self, reader: str, block: int) -> bool:
        """Whether anything was found in a block."""
        return self.search is not None and (reader, block) in self.search.fragments

    def _among(self, known: Sequence[tuple[int, int, Key]]) -> list[Found]:
        return [Found(a, b, key == self.current) for a, b, key in known]


def joined(found: list[Found]) -> list[Found]:
    """The same characters with those in one piece that touch: the parts of a match that came with several deltas."""
    out: list[Found] = []
    for match in found:
        if out and out[-1].end == match.start and out[-1].current == match.current:
            out[-1] = out[-1]._replace(end=match.end)
        else:
            out.append(match)
    return out


def shown_length(text: str, count: int, keep: str = "") -> int:
    """How many characters the first `count` of a text take up where it is made fit to look at."""
    return count if text.isascii() and text.isprintable() else len(visible(text[:count], keep))
