"""Where the content of two recordings parts, character by character, and which of their blocks belong together.

Blocks of one kind and choice are compared as one text (see align.py), so that it does not matter where they were cut.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

from inspector_app.core.reading import Reading
from inspector_app.core.text import clip
from inspector_app.core.types import Block
from inspector_app.lenses.align import Gap, Links, Strand, link, strands
from inspector_app.lenses.changes import LABELS

KINDS = ("reasoning", "text", "refusal", "tool_call", "tool_result")
"""The kinds whose text is compared."""
FINE = 1_000_000
"""Up to so many words of one text times words of the other their differences are told apart; beyond that it is one."""
AROUND, WORDS = 14, 160
"""Characters shown before and behind what differs, and of that."""
MOST = 1000
"""Stretches that are told apart."""
LONGEST = 40
"""Characters of a word at most."""
_LETTER = re.compile(r"[^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_LETTERS, _LETTERS_BEFORE = re.compile(f"{_LETTER.pattern}+"), re.compile(rf"{_LETTER.pattern}*\Z")
_WORD = re.compile(rf"{_LETTER.pattern}+|\s+|.", re.DOTALL)
"""A word, blanks, or one character: scripts without blanks between words are compared by character."""

Pairs = list[tuple[int, int]]


class Part(NamedTuple):
    """Characters [start, end) of a block; nothing where start is end, then it is where the other text has more."""

    block: int
    start: int
    end: int


class Stretch(NamedTuple):
    """Two texts that stand in the same place and are not the same. Each is in one block or goes through several."""

    kind: str
    choice: int
    a: tuple[Part, ...]
    b: tuple[Part, ...]
    texts: tuple[str, str]


def content_of(a: Reading, b: Reading) -> tuple[list[Stretch], Pairs]:
    """Where the contents of two readings part, and the events that belong together since their blocks do."""
    ours, theirs = strands(a.blocks, KINDS), strands(b.blocks, KINDS)
    links = link(ours, theirs)
    keys = {id(strand): key for known in (ours, theirs) for key, strand in known.items()}
    found: list[Stretch] = []
    for gap in links.gaps:
        kind, choice = keys.get(id(gap.a)) or keys[id(gap.b)]
        for start, end, first, last in _parted(gap):
            texts = gap.a.text[start:end], gap.b.text[first:last]
            found.append(Stretch(kind, choice, _parts(gap.a, start, end), _parts(gap.b, first, last), texts))
            if len(found) >= MOST:
                return found, _pairs(a.blocks, b.blocks, links)
    return found, _pairs(a.blocks, b.blocks, links)


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
    for stretch in stretches:
        ours, theirs = _around(a, stretch.a, stretch.texts[0]), _around(b, stretch.b, stretch.texts[1])
        events = [event_of(reading, parts[0]) if parts else None for reading, parts in ((a, stretch.a), (b, stretch.b))]
        what = LABELS[stretch.kind] + (f", choice {stretch.choice}" if stretch.choice else "")
        out.append(Told(what, ours, theirs, (events[0], events[1])))
    return sorted(out, key=lambda row: next((event for event in row.events[::-1] if event is not None), 0))


def _around(reading: Reading, parts: tuple[Part, ...], text: str) -> str:
    if not parts:
        return "not there"
    first, last = parts[0], parts[-1]
    before = reading.blocks[first.block].text[max(0, first.start - AROUND) : first.start]
    after = reading.blocks[last.block].text[last.end : last.end + AROUND]
    dots = "…" if first.start > AROUND else ""
    return f"{dots}{before}[{clip(text, WORDS)}]{after}"


def event_of(reading: Reading, part: Part) -> int:
    """The event that brought the first character of a part, or the one before it."""
    block = reading.blocks[part.block]
    if block.override is not None or not block.deltas:
        return block.first_event
    ends = [*accumulate(map(len, block.fragments))]
    at = min(bisect_right(ends, part.start), len(block.deltas) - 1)
    return reading.event_of_delta(block.deltas[at])


def _parted(gap: Gap) -> Iterator[tuple[int, int, int, int]]:
    """The stretches of a gap that differ, as [start, end) of the one text and of the other."""
    begin, a_end, b_end = _whole_words(gap)
    words, others = _WORD.findall(gap.a.text[begin:a_end]), _WORD.findall(gap.b.text[begin:b_end])
    if not words or not others or len(words) * len(others) > FINE:
        yield begin, a_end, begin, b_end
        return
    starts, firsts = ([*accumulate(map(len, some), initial=begin)] for some in (words, others))
    held: tuple[int, int, int, int] | None = None
    for tag, i, j, k, m in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        if tag == "equal":
            # Blanks alone between two changes are no agreement.
            if held is not None and "".join(words[i:j]).strip():
                yield held
                held = None
            continue
        start, first = (starts[i], firsts[k]) if held is None else (held[0], held[2])
        held = (start, starts[j], first, firsts[m])
    if held is not None:
        yield held


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
    left: dict[tuple[str, int], list[Block]] = {}
    for block in b:
        if block.n not in links.holders:
            left.setdefault((block.kind, block.choice), []).append(block)
    queues = {key: iter(blocks) for key, blocks in left.items()}
    for block in a:
        other = next(queues.get((block.kind, block.choice), iter(())), None) if block.n not in links.parts else None
        if other is not None:
            found += [(block.first_event, other.first_event), (block.last_event, other.last_event)]
    return found
