"""From blocks and deltas to the places of a finding."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from inspector_app.core.reading import Reading
from inspector_app.core.search_places import place_of
from inspector_app.core.types import Block

Row = tuple[str, int, str]
TOGETHER = 20_000
"""Fragments of a block that are joined at once."""


class Spot(NamedTuple):
    """Where a delta stands: its event and its pointer there."""

    event: int
    pointer: str


def spot(reading: Reading, delta: int) -> Spot:
    """The place of a delta number."""
    event = reading.event_of_delta(delta)
    first, _ = reading.deltas_of(event)
    return Spot(event, reading.layouts[reading.events.layouts[event]].rows[delta - first][2])


def pieces_of(blocks: Iterable[Block]) -> Iterator[str]:
    """The text of some blocks, one after the other, without joining a million fragments at once."""
    held: list[str] = []
    for block in blocks:
        fragments = block.fragments if block.override is None else (block.override,)
        for start in range(0, len(fragments), TOGETHER):
            held += fragments[start : start + TOGETHER]
            if len(held) >= TOGETHER:
                yield "".join(held)
                held.clear()
    yield "".join(held)


def standing(pieces: Iterable[str], words: Collection[str]) -> Iterator[bool]:
    """Whether one of some words stands in a text that comes in pieces, told after each; True is the last of these."""
    end, longest = "", max(map(len, words))
    for piece in pieces:
        text = end + piece
        found = any(word in text for word in words)
        yield found
        if found:
            return
        end = text[len(text) - longest + 1 :] if len(text) >= longest else text


def spots(reading: Reading, block: Block, characters: Iterable[int]) -> Iterator[Spot]:
    """The places of characters of a block's text."""
    ends = list(accumulate(map(len, block.fragments)))
    for character in characters:
        at = min(bisect_right(ends, character), len(block.deltas) - 1)
        yield spot(reading, block.deltas[at]) if at >= 0 else Spot(block.first_event, "")


def bytes_at(reading: Reading, block: Block, character: int) -> tuple[int | None, int | None]:
    """The bytes [start, end) of the body that a character of a block's text stands in; None where they are not known:
    where the text is not as it came, or the character is behind its end.
    """
    if block.override is not None:
        return None, None
    before = 0
    for number, fragment in enumerate(block.fragments):
        at = character - before
        if at < len(fragment):
            place = place_of(reading, block, number, fragment, at, at + 1)
            return (None, None) if place is None else (place.start, place.end)
        before += len(fragment)
    return None, None


def first_spot(reading: Reading, block: Block) -> Spot:
    """The place of the first delta of a block."""
    return spot(reading, block.deltas[0]) if block.deltas else Spot(block.first_event, "")


def last_spot(reading: Reading, block: Block) -> Spot:
    """The place of the last delta of a block."""
    return spot(reading, block.deltas[-1]) if block.deltas else Spot(block.last_event, "")


def rows_where(reading: Reading, wanted: Callable[[Row], bool]) -> Iterator[tuple[int, Row]]:
    """Every (event, row) whose row is wanted, in order. Each layout is asked once, so a long plain stream is cheap."""
    found = {layout.number: rows for layout in reading.layouts.all if (rows := [r for r in layout.rows if wanted(r)])}
    places = reading.events_by_layout()
    hits = [(n, number) for number in found if number in places for n in places[number]]
    for n, number in sorted(hits):
        for row in found[number]:
            yield n, row


def speakers(reading: Reading) -> dict[int, int]:
    """The choices that sent something, each with its first event (Chat family)."""
    found: dict[int, int] = {}
    for number, places in reading.events_by_layout().items():
        n = places[0]
        for _, choice, pointer in reading.layouts[number].rows:
            if pointer.startswith("/choices/"):
                found.setdefault(0 if reading.rules.choice == "merged" else choice, n)
    return found
