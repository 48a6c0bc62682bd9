"""Where the content of two recordings parts, character by character, and which of their events belong together.

Texts of one kind and choice are compared as one text (see align.py), so that it does not matter where they were cut.
Calls are units: first it is told which of them belong together, then in what these differ.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import accumulate, zip_longest
from typing import NamedTuple

from inspector_app.core.reading import Reading
from inspector_app.core.text import clip
from inspector_app.core.types import Block
from inspector_app.lenses.align import Gap, Key, Links, Strand, link, strands
from inspector_app.lenses.changes import LABELS
from inspector_app.lenses.parting import Range, parted

TEXTS = ("reasoning", "text", "refusal")
UNITS = ("tool_call", "tool_result")
"""Kinds whose blocks are compared one with one, the others as one text."""
LONG = 20_000
"""Characters from which what differs is first looked for in whole phrases."""
AROUND, WORDS = 14, 160
"""Characters shown before and behind what differs, and of that."""
MOST = 1000
"""Stretches that are told apart; the last one goes on to the end of what differs."""
LONGEST = 40
"""Characters of a word at most."""
_LETTER = re.compile(r"[^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_LETTERS, _LETTERS_BEFORE = re.compile(f"{_LETTER.pattern}+"), re.compile(rf"{_LETTER.pattern}*\Z")
_WORD = re.compile(rf"{_LETTER.pattern}+|\s+|.", re.DOTALL)
"""A word, blanks, or one character: scripts without blanks between words are compared by character."""
_PHRASE = re.compile(r".{8,200}?(?:[\s,.;:!?、。]|\Z)|.+", re.DOTALL)
"""Some words: where it begins matters little, the next ones begin alike."""

Pairs = list[tuple[int, int]]


class Part(NamedTuple):
    """Characters [start, end) of a block; nothing where start is end, then it is where the other text has more."""

    block: int
    start: int
    end: int


class Stretch(NamedTuple):
    """Two texts that stand in the same place and are not the same. Each is in one block or goes through several.

    `what`: they are no part of the text, but this of its block.
    """

    kind: str
    choice: int
    a: tuple[Part, ...]
    b: tuple[Part, ...]
    texts: tuple[str, str]
    what: str = ""


class Texts:
    """The texts of the blocks of a reading, and which event brought which character. Each is worked out once."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._texts: dict[int, str] = {}
        self._ends: dict[int, list[int]] = {}

    def of(self, block: int) -> str:
        """The text of a block."""
        found = self._texts.get(block)
        if found is None:
            found = self._texts[block] = self._reading.blocks[block].text
        return found

    def event(self, block: int, at: int) -> int:
        """The event that brought a character of a block, or the one before it."""
        held = self._reading.blocks[block]
        if held.override is not None or not held.deltas:
            return held.first_event
        ends = self._ends.get(block)
        if ends is None:
            ends = self._ends[block] = [*accumulate(map(len, held.fragments))]
        return self._reading.event_of_delta(held.deltas[min(bisect_right(ends, at), len(held.deltas) - 1)])

    def event_at(self, strand: Strand, at: int) -> int:
        """The same for a character of a strand that has one."""
        place = min(max(bisect_right(strand.starts, at) - 1, 0), len(strand.blocks) - 1)
        return self.event(strand.blocks[place].n, at - strand.starts[place])


def content_of(a: Reading, b: Reading) -> tuple[list[Stretch], Pairs]:
    """Where the contents of two readings part, and the events that belong together since their content does."""
    ours, theirs = strands(a.blocks, TEXTS), strands(b.blocks, TEXTS)
    links = link(ours, theirs)
    keys = {id(strand): key for known in (ours, theirs) for key, strand in known.items()}
    gaps = [(keys.get(id(gap.a)) or keys[id(gap.b)], gap) for gap in links.gaps]
    pairs = _pairs(a.blocks, b.blocks, links)
    found: list[Stretch] = []
    for key, held, got in _units(a.blocks, b.blocks):
        if held is not None and got is not None:
            pairs += [(held.first_event, got.first_event), (held.last_event, got.last_event)]
            found += _names(held, got)
            some = [Strand([held])], [Strand([got])]
            gaps += [(key, gap) for gap in link({key: some[0][0]}, {key: some[1][0]}).gaps]
        else:
            found.append(_alone(key, held, got))
    texts = Texts(a), Texts(b)
    for key, gap in gaps:
        for start, end, first, last in _parted(gap):
            if len(found) >= MOST - 1:
                _, end, last = _whole_words(gap)
            pairs += _edges(texts, gap, (start, end, first, last))
            said = gap.a.text[start:end], gap.b.text[first:last]
            found.append(Stretch(*key, _parts(gap.a, start, end), _parts(gap.b, first, last), said))
            if len(found) >= MOST:
                return found, pairs
    return found, pairs


class Told(NamedTuple):
    """One stretch in words: whose text it is of, how it is in each with a little of what stands around it ("a [red]
    fox"), and the events where it begins.
    """

    what: str
    a: str
    b: str
    events: tuple[int | None, int | None]


def told(a: Reading, b: Reading, stretches: Iterable[Stretch]) -> list[Told]:
    """Stretches in words, in the order of b."""
    out = []
    texts = Texts(a), Texts(b)
    for stretch in stretches:
        sides = list(zip(texts, (stretch.a, stretch.b), stretch.texts))
        ours, theirs = (
            (said or "none") if stretch.what else _around(side, parts, said) for side, parts, said in sides
        )
        events = [side.event(parts[0].block, parts[0].start) if parts else None for side, parts, _ in sides]
        what = LABELS[stretch.kind] + (f", choice {stretch.choice}" if stretch.choice else "")
        out.append(Told(f"{stretch.what} of {what}" if stretch.what else what, ours, theirs, (events[0], events[1])))
    return sorted(out, key=lambda row: next((event for event in row.events[::-1] if event is not None), 0))


def _around(texts: Texts, parts: tuple[Part, ...], text: str) -> str:
    if not parts:
        return "not there"
    first, last = parts[0], parts[-1]
    before = texts.of(first.block)[max(0, first.start - AROUND) : first.start]
    rest = texts.of(last.block)[last.end :]
    dots = ["…" if left > AROUND else "" for left in (first.start, len(rest))]
    return f"{dots[0]}{before}[{clip(text, WORDS)}]{rest[:AROUND]}{dots[1]}"


def event_of(reading: Reading, part: Part) -> int:
    """The event that brought the first character of a part, or the one before it."""
    return Texts(reading).event(part.block, part.start)


# texts


def _parted(gap: Gap) -> Iterator[Range]:
    """The stretches of a gap that differ, as [start, end) of the one text and of the other."""
    held: Range | None = None
    for start, end, first, last in _ranges(gap):
        # Blanks alone between two changes are no agreement.
        if held is not None and gap.a.text[held[1] : start].strip():
            yield held
            held = None
        held = (start if held is None else held[0], end, first if held is None else held[2], last)
    if held is not None:
        yield held


def _ranges(gap: Gap) -> Iterator[Range]:
    begin, a_end, b_end = _whole_words(gap)
    a, b = gap.a.text, gap.b.text
    if max(a_end, b_end) - begin <= LONG:
        yield from _ranges_of(_WORD, a, b, (begin, a_end, begin, b_end))
        return
    for start, end, first, last in _ranges_of(_PHRASE, a, b, (begin, a_end, begin, b_end)):
        if start == end or first == last:
            yield start, end, first, last
        else:
            yield from _ranges_of(_WORD, a, b, (start, end, first, last))


def _ranges_of(piece: re.Pattern[str], a: str, b: str, of: Range) -> Iterator[Range]:
    """In which pieces these parts of two texts differ."""
    # A step of an iterator is short; all pieces at once would hold every other thread.
    ours = [found[0] for found in piece.finditer(a, of[0], of[1])]
    theirs = [found[0] for found in piece.finditer(b, of[2], of[3])]
    starts, firsts = [*accumulate(map(len, ours), initial=of[0])], [*accumulate(map(len, theirs), initial=of[2])]
    for i, j, k, m in parted(ours, theirs):
        yield starts[i], starts[j], firsts[k], firsts[m]


def _whole_words(gap: Gap) -> tuple[int, int, int]:
    """Begin of a gap and its ends in both texts, moved out to where a word that it cuts begins and ends."""
    a, b, start, a_end, b_end = gap.a.text, gap.b.text, gap.start, gap.a_end, gap.b_end
    if any(_LETTER.match(text, start) for text in (a, b)):
        start -= len(_LETTERS_BEFORE.search(a[max(0, start - LONGEST) : start])[0])  # type: ignore[index]
    if any(_LETTER.match(text, end - 1) for text, end in ((a, a_end), (b, b_end)) if end > gap.start):
        more = _LETTERS.match(a, a_end)
        tail = min(len(more[0]) if more is not None else 0, LONGEST)
        a_end, b_end = a_end + tail, b_end + tail
    return start, a_end, b_end


def _parts(strand: Strand, start: int, end: int) -> tuple[Part, ...]:
    """The blocks that hold [start, end) of their joined text."""
    if not strand.blocks:
        return ()
    at = min(max(bisect_right(strand.starts, start) - 1, 0), len(strand.blocks) - 1)
    begin = strand.starts[at]
    if start == end:
        return (Part(strand.blocks[at].n, start - begin, start - begin),)
    found = []
    while at < len(strand.blocks) and strand.starts[at] < end:
        begin = strand.starts[at]
        found.append(Part(strand.blocks[at].n, max(start - begin, 0), min(end, strand.starts[at + 1]) - begin))
        at += 1
    return tuple(part for part in found if part.end > part.start)


def _edges(texts: tuple[Texts, Texts], gap: Gap, of: Range) -> Iterator[tuple[int, int]]:
    """The events of the characters just before and just behind what differs: these are the same in both."""
    (start, end, first, last), (ours, theirs) = of, texts
    if start and first:
        yield ours.event_at(gap.a, start - 1), theirs.event_at(gap.b, first - 1)
    if end < len(gap.a.text) and last < len(gap.b.text):
        yield ours.event_at(gap.a, end), theirs.event_at(gap.b, last)


# calls


def _units(a: Sequence[Block], b: Sequence[Block]) -> Iterator[tuple[Key, Block | None, Block | None]]:
    """The calls, and the results, of both that belong together; None beside one that the other has not."""
    sides: tuple[dict[Key, list[Block]], dict[Key, list[Block]]] = {}, {}
    for grouped, blocks in zip(sides, (a, b)):
        for block in blocks:
            if block.kind in UNITS:
                grouped.setdefault((block.kind, block.choice), []).append(block)
    for key in dict.fromkeys((*sides[0], *sides[1])):
        for held, got in _together(sides[0].get(key, []), sides[1].get(key, []), (_whole, _name)):
            yield key, held, got


def _together(
    a: Sequence[Block], b: Sequence[Block], alike: Sequence[Callable[[Block], Hashable]]
) -> Iterator[tuple[Block | None, Block | None]]:
    """Equal ones first; of what is left those with the same name, then in order."""
    if not alike:
        yield from zip_longest(a, b)
        return
    i, k = 0, 0
    for start, end, first, last in parted([alike[0](one) for one in a], [alike[0](one) for one in b]):
        yield from zip(a[i:start], b[k:first])
        yield from _together(a[start:end], b[first:last], alike[1:])
        i, k = end, last
    yield from zip(a[i:], b[k:])


def _whole(block: Block) -> Hashable:
    return _name(block), block.text


def _name(block: Block) -> str:
    return block.fields.get("name") or ""


def _names(a: Block, b: Block) -> Iterator[Stretch]:
    """That two calls which belong together have other names."""
    if _name(a) != _name(b):
        parts = [(Part(block.n, 0, 0),) for block in (a, b)]
        yield Stretch(a.kind, a.choice, parts[0], parts[1], (_name(a), _name(b)), "name")


def _alone(key: Key, a: Block | None, b: Block | None) -> Stretch:
    """A call that only one of both has, by its name and its text."""
    parts = [() if one is None else (Part(one.n, 0, len(one.text)),) for one in (a, b)]
    said = ["" if one is None else " ".join(filter(None, (_name(one), one.text))) for one in (a, b)]
    return Stretch(*key, parts[0], parts[1], (said[0], said[1]))


def _pairs(a: Sequence[Block], b: Sequence[Block], links: Links) -> Pairs:
    """The first and the last events of blocks that share content; of the others the first with the first of its kind
    and choice, and so on.
    """
    found: Pairs = []
    # Blocks of b that joined, or of a that came in several, share the outer edges.
    for n, parts in links.parts.items():
        first, last = b[parts[0]], b[parts[-1]]
        if links.holders[first.n][0] == n:
            found.append((a[n].first_event, first.first_event))
        if links.holders[last.n][-1] == n:
            found.append((a[n].last_event, last.last_event))
    left: dict[Key, list[Block]] = {}
    for block in b:
        if block.n not in links.holders and block.kind not in UNITS:
            left.setdefault((block.kind, block.choice), []).append(block)
    queues = {key: iter(blocks) for key, blocks in left.items()}
    for block in a:
        other = next(queues.get((block.kind, block.choice), iter(())), None) if block.n not in links.parts else None
        if other is not None:
            found += [(block.first_event, other.first_event), (block.last_event, other.last_event)]
    return found
