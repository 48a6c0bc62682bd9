"""Find in a recording: in the lines as they came, in what the deltas say, and in the blocks that they make.

Each match is known by its bytes, so what is found in a line and in the delta that was read from it counts once. A match
whose characters came with several deltas is found in the text of their block. `steps` rests after a few milliseconds at
most; what is found so far can be looked at in between.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from time import perf_counter
from typing import Any, NamedTuple

from inspector_app.core import flags as F
from inspector_app.core.pattern import Pattern, Query, Spans, fold, literal_spans
from inspector_app.core.reading import Reading
from inspector_app.core.search_places import (
    Place,
    byte_spans,
    character_before,
    literals_of,
    place_of,
    raw_text,
    text_of,
)
from inspector_app.core.text import join_halves
from inspector_app.core.types import Block, Delta

SCOPES = {"everything": "lines, deltas and blocks", "raw": "raw lines", "deltas": "deltas", "blocks": "blocks"}
"""Scope -> what is searched, in words."""

MOST = 50_000
"""Matches that are kept; the search ends there."""
MOST_GIVEN_UP = 500
"""Texts that an expression may take too long in before the search ends: two seconds at most."""
MOST_PARTS = 200
"""Deltas of one match that are told apart."""
SLICE = 1 << 16
"""Bytes of lines that are searched at a time."""
STEP_S = 0.004
"""How long an expression may be tried on one text after another before a rest: each of them may take its budget."""
EVENTS, FRAGMENTS, PLACES = 32, 10_000, 256
"""Events that are decoded, fragments that are counted, and places that are noted between two rests."""

Key = tuple[int, int, int, int]
"""Byte range of a match. Where its characters have no bytes of their own: those of its event, then whose text it is in
(a delta, or a block below -1) and where in that."""


class Match(NamedTuple):
    """One match. [start, end) are the bytes it reaches over, or those of its event.

    `delta` is a number of the reference, -1 outside of any. `block` is a block of the reading named `reader`, and `own`
    the delta with which that reading got the beginning; -1 outside of any.
    """

    start: int
    end: int
    event: int
    delta: int = -1
    block: int = -1
    reader: str = ""
    own: int = -1


class Search:
    """One query in one recording. `readings` are those whose blocks are searched."""

    def __init__(self, query: Query, reference: Reading, readings: Sequence[Reading]) -> None:
        """Raises PatternFault."""
        self.query = query
        self.pattern = Pattern(query)
        self._rested = perf_counter()
        self.matches: dict[Key, Match] = {}
        self.ranges: list[tuple[int, int, Key]] = []
        """Bytes of matches: one range for each part of the stream that a match has characters in."""
        self.deltas: dict[int, list[tuple[int, int, Key]]] = {}
        """Delta of the reference -> characters of its text."""
        self.fragments: dict[tuple[str, int], dict[int, list[tuple[int, int, Key]]]] = {}
        """(reader, block) -> fragment -> characters of it."""
        self.part = 0.0
        """How much of the lines has been searched, 0 to 1."""
        self.stopped = ""
        """Why the search ended early: "many" matches, or a "slow" expression."""
        self._reference = reference
        self._readings = list(dict.fromkeys(readings))
        self._order: list[Key] = []

    @property
    def order(self) -> list[Key]:
        """The matches so far by their place in the stream."""
        if len(self._order) != len(self.matches):
            merge_into(self._order, list(islice(self.matches, len(self._order), None)))
        return self._order

    @property
    def given_up(self) -> int:
        """Lines, deltas and texts in which the expression took too long."""
        return self.pattern.given_up

    def steps(self) -> Iterator[None]:
        """Searches; each step takes a few milliseconds."""
        if not self.query.text:
            return
        scope = self.query.scope
        found = self._lines() if self.pattern.plain else self._lines_by_expression()
        for event in found if scope != "blocks" else ():
            if event is None:
                yield
            elif scope != "raw":
                yield from self._event(event)
            if self._is_enough():
                return
        for reading in self._readings if scope in ("everything", "blocks") else ():
            for block in reading.blocks[:]:
                yield from self._block(reading, block)
                if self._is_enough():
                    return
        self.part = 1.0

    def _is_due(self) -> bool:
        """Whether a rest is due by the clock. Characters as they are take no time to speak of."""
        if self.pattern.plain or (now := perf_counter()) - self._rested < STEP_S:
            return False
        self._rested = now
        return True

    def _is_enough(self) -> bool:
        if len(self.matches) >= MOST:
            self.stopped = "many"
        elif self.pattern.given_up >= MOST_GIVEN_UP:
            self.stopped = "slow"
        return bool(self.stopped)

    # lines

    def _lines(self) -> Iterator[int | None]:
        """Finds characters in the bytes. Gives the events whose deltas may hold them too, and None for a rest."""
        reading = self._reference
        # What is not escaped stands in the bytes as it does in the delta, and has been found there.
        odd = sorted(reading.payload_faults)
        at, size, last = 0, reading.lines.size, -1
        while at < size:
            cut, after = self._cut(at, size)
            data = reading.body.slice(at, cut)
            places = self._found_in(data)
            candidates = set(odd[bisect_left(odd, last + 1) : bisect_left(odd, (reading.event_at(cut - 1) or 0) + 1)])
            for count, (start, end) in enumerate(places, 1):
                self._add_raw(at + start, at + end)
                if count % PLACES == 0:
                    yield None
            candidates |= self._events_at(at, [start for start, _ in places]) | self._escaped(data, at)
            self.part = cut / size
            yield None
            for event in sorted(candidates):
                if event > last and event < len(reading.events):
                    last = event
                    yield event
            if places:
                after = max(after, at + places[-1][1])
            at = after

    def _cut(self, at: int, size: int) -> tuple[int, int]:
        """Where a slice that begins at `at` ends, and where the next one begins: between lines, if it can be."""
        if at + SLICE >= size:
            return size, size
        reading = self._reference
        line = reading.lines.starts[reading.lines.at(at + SLICE)]
        if line > at:
            return line, line
        longest = 4 * len(self.query.text)
        cut = character_before(reading.body.slice(at + SLICE - 4, at + SLICE), at + SLICE)
        before = reading.body.slice(cut - longest - 4, cut - longest)
        return cut, max(at + 1, character_before(before, cut - longest))

    def _found_in(self, data: bytes) -> Spans:
        needle = self.pattern.needle
        if self.pattern.case or data.isascii():
            place = (data if self.pattern.case else data.lower()).find
            sought = needle.encode("utf-8", "surrogatepass")
            found: Spans = []
            at = place(sought)
            while at >= 0:
                found.append((at, at + len(sought)))
                at = place(sought, at + len(sought))
            return found
        text = data.decode("utf-8", "surrogateescape")
        return list(byte_spans(text, literal_spans(fold(text), needle)))

    def _lines_by_expression(self) -> Iterator[int | None]:
        """The same for an expression, which is tried on each line, and on each delta."""
        reading = self._reference
        lines, body, raw = reading.lines, reading.body, self.query.scope != "deltas"
        event, at = 0, 0
        while at < len(lines):
            start = lines.starts[at]
            last = max(at + 1, lines.at(start + SLICE // 8))
            data = body.slice(start, lines[last - 1].end)
            for n in range(at, last) if raw else ():
                line = lines[n]
                content = data[line.start - start : line.end - start]
                text = content.decode("utf-8", "surrogateescape")
                for spans_ in self.pattern.pieces(text) if text else ():
                    for from_byte, to_byte in spans_ if text.isascii() else byte_spans(text, spans_):
                        self._add_raw(line.start + from_byte, line.start + to_byte)
                    if len(text) > SLICE // 4:
                        yield None
                if self._is_due():
                    yield None
            at = last
            self.part = at / len(lines)
            yield None
            until = reading.event_of_line(at - 1)
            while until is not None and event <= until and event < len(reading.events):
                yield event
                event += 1

    def _events_at(self, shift: int, places: list[int]) -> set[int]:
        found: set[int] = set()
        end = -1
        for place in places:
            if shift + place >= end and (event := self._reference.event_at(shift + place)) is not None:
                found.add(event)
                end = self._reference.bytes_of(event)[1]
        return found

    def _escaped(self, data: bytes, shift: int) -> set[int]:
        """The events with an escaped character in a slice."""
        found: set[int] = set()
        at = data.find(b"\\")
        while at >= 0 and (event := self._reference.event_at(shift + at)) is not None:
            found.add(event)
            at = data.find(b"\\", max(at + 1, self._reference.bytes_of(event)[1] - shift))
        return found

    def _add_raw(self, start: int, end: int) -> None:
        if self.query.scope not in ("everything", "raw"):
            return
        key = (start, end, -1, -1)
        if key not in self.matches:
            self.matches[key] = Match(start, end, self._reference.event_at(start) or 0)
            self.ranges.append((start, end, key))

    # deltas

    def _event(self, n: int) -> Iterator[None]:
        """Searches the deltas of an event of the reference."""
        reading = self._reference
        first = reading.deltas_of(n)[0]
        found: list[tuple[int, Delta, int, int]] = []
        deltas = reading.deltas(n)
        for place, delta in enumerate(deltas):
            text = text_of(delta)
            for spans_ in self.pattern.pieces(text) if text else ():
                found += [(place, delta, start, end) for start, end in spans_]
                if len(text) > SLICE:
                    yield
            if place % EVENTS == EVENTS - 1 or self._is_due():
                yield
        if found:
            literals = literals_of(reading, n, {delta.pointer: text_of(delta) for _, delta, _, _ in found})
            bare = n in reading.payload_faults or reading.events.flags[n] & F.PLAIN_TEXT
            whole = found[0][1].value if bare else None
            raw = raw_text(reading, n, whole) if isinstance(whole, str) else None
            for count, (place, delta, start, end) in enumerate(found, 1):
                literal = literals.get(delta.pointer)
                at = literal.bytes_of(start, end) if literal else None
                if raw is not None and at is None and delta.value == raw.text:
                    at = raw.bytes_of(start, end)
                self._add_delta(n, first + place, start, end, at)
                if count % EVENTS == 0:
                    yield
        if n % EVENTS == 0 or found:
            yield

    def _add_delta(self, n: int, delta: int, start: int, end: int, place: tuple[int, int] | None) -> None:
        if place is not None:
            key: Key = (*place, -1, -1)
            if key not in self.matches:
                self.ranges.append((*place, key))
        else:
            place = self._reference.bytes_of(n)
            key = (*place, delta, start)
        self.matches[key] = Match(*place, n, delta)
        _note(self.deltas.setdefault(delta, []), start, end, key)

    # blocks

    def _block(self, reading: Reading, block: Block) -> Iterator[None]:
        """Searches the text of a block, and finds out which deltas brought what was found."""
        fragments = block.fragments if _is_plain(block) else [block.override or ""]
        starts: array[int] | None = None
        for count, spans_ in enumerate(self.pattern.pieces("".join(fragments)), 1):
            if spans_ and starts is None:
                starts = array("Q", [0])
                for at in range(0, len(fragments), FRAGMENTS):
                    more = accumulate(map(len, fragments[at : at + FRAGMENTS]), initial=starts[-1])
                    starts.extend(array("Q", list(more)[1:]))
                    yield
            for start, end in spans_ if starts is not None else ():
                self._add_block(reading, block, fragments, starts, start, end)  # type: ignore[arg-type]
                if len(self.matches) >= MOST:
                    return
                yield
            if count % 4 == 0 or self._is_due():
                yield
        if block.n % EVENTS == 0 or self._is_due():
            yield

    def _add_block(
        self, reading: Reading, block: Block, fragments: Sequence[str], starts: array[int], start: int, end: int
    ) -> None:
        first, last = bisect_right(starts, start) - 1, bisect_left(starts, end) - 1
        begin = starts[first]
        if first == last and self._is_known(reading, block, fragments, first, start - begin, end - begin):
            return
        parts = [
            (n, max(start, starts[n]) - starts[n], min(end, starts[n + 1]) - starts[n])
            for n in range(first, min(last + 1, first + MOST_PARTS))
            if starts[n] < starts[n + 1]
        ]
        plain = fragments is block.fragments
        places = [place_of(reading, block, n, fragments[n], a, b) if plain else None for n, a, b in parts]
        known = [place for place in places if place is not None]
        if known and len(known) == len(places):
            key: Key = (known[0].start, max(known[0].end, known[-1].end), -1, -1)
            event = self._reference.event_at(key[0]) or 0
        else:
            own = reading.event_of_delta(block.deltas[first]) if first < len(block.deltas) else block.first_event
            place = reading.bytes_of(own if plain else block.last_event)
            key = (*place, -2 - block.n, start)
            event = self._reference.event_at(place[0]) or 0
        before = self.matches.get(key)
        own_delta = block.deltas[first] if plain and first < len(block.deltas) else -1
        delta = before.delta if before is not None else -1
        shown = self.fragments.setdefault((reading.reader, block.n), {})
        for (n, a, b), place_ in zip(parts, places):
            if plain:
                _note(shown.setdefault(n, []), a, b, key)
            if place_ is None:
                continue
            mine = self._delta_like(reading, place_)
            if mine is not None:
                delta = mine if delta < 0 else delta
                _note(self.deltas.setdefault(mine, []), place_.from_char, place_.to_char, key)
            if before is None or len(parts) > 1:
                self.ranges.append((place_.start, place_.end, key))
        if before is None or before.block < 0:
            self.matches[key] = Match(key[0], key[1], event, delta, block.n, reading.reader, own_delta)

    def _is_known(
        self, reading: Reading, block: Block, fragments: Sequence[str], n: int, start: int, end: int
    ) -> bool:
        """Whether a match in fragment n of a block has been found in its delta; then it is noted for the block too."""
        if reading is not self._reference or fragments is not block.fragments or n >= len(block.deltas):
            return False
        delta, shift = block.deltas[n], block.spans.get(n, (0, 0))[0]
        for from_char, to_char, key in self.deltas.get(delta, ()):
            if (from_char, to_char) == (start + shift, end + shift):
                shown = self.fragments.setdefault((reading.reader, block.n), {})
                _note(shown.setdefault(n, []), start, end, key)
                if self.matches[key].block < 0:
                    self.matches[key] = self.matches[key]._replace(block=block.n, reader=reading.reader, own=delta)
                return True
        return False

    def _delta_like(self, reading: Reading, place: Place) -> int | None:
        """The delta of the reference that was read from the same place."""
        reference = self._reference
        if reading is reference:
            return place.delta
        event = reference.event_at(place.start)
        if event is None:
            return None
        first = reference.deltas_of(event)[0]
        deltas = reference.deltas(event)
        return next((first + n for n, delta in enumerate(deltas) if delta.pointer == place.pointer), None)


def merge_into(known: list[Any], new: list[Any]) -> None:
    """Adds to a sorted list; what lies before all that is new is not looked at."""
    new.sort()
    at = bisect_left(known, new[0]) if new else len(known)
    new += known[at:]
    new.sort()
    known[at:] = new


def _is_plain(block: Block) -> bool:
    """Whether a block reads as its fragments do, one after the other; halves of characters join where they meet."""
    return block.override is None or block.override == join_halves("".join(block.fragments))


def _note(known: list[tuple[int, int, Key]], start: int, end: int, key: Key) -> None:
    entry = (start, end, key)
    if entry not in known[-8:]:
        known.append(entry)
