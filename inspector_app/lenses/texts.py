"""Compares the texts of two readings: reasoning, answer, refusal."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping

from inspector_app.core.types import Block
from inspector_app.lenses.align import Gap, Links, Strand, link, strands
from inspector_app.lenses.changes import (
    LABELS,
    Change,
    Side,
    altered,
    blocks_of,
    characters,
    event_at,
    fragmented,
    lost,
    merged,
    parts_at,
)

TEXT_KINDS = ("reasoning", "text", "refusal")

KEPT = ("signature", "encrypted", "redacted", "citations")
"""What a block may hold besides its text (`Block.fields`)."""


def compare_texts(a: Side, b: Side) -> Iterator[Change]:
    """The differences between the text blocks, at most one of each verdict for a kind and choice."""
    a_strands, b_strands = strands(a.blocks, TEXT_KINDS), strands(b.blocks, TEXT_KINDS)
    links = link(a_strands, b_strands)
    a_blocks = {block.n: block for strand in a_strands.values() for block in strand.blocks}
    b_blocks = {block.n: block for strand in b_strands.values() for block in strand.blocks}
    for gap in links.gaps:
        yield from _gap(a, b, gap, links, b_blocks)
    nothing = Strand(())
    for key in dict.fromkeys((*a_strands, *b_strands)):
        own, other = a_strands.get(key, nothing), b_strands.get(key, nothing)
        counts = len(own.blocks), len(other.blocks)
        cut = [links.parts[one.n] for one in own.blocks if len(links.parts.get(one.n, ())) > 1]
        joined = [links.holders[one.n] for one in other.blocks if len(links.holders.get(one.n, ())) > 1]
        if cut:
            yield fragmented(a, b, [b_blocks[n] for n in cut[0]], _instead(key[0], counts, counts[1] > counts[0]))
        if joined:
            yield _merged(a, b, [a_blocks[n] for n in joined[0]], key[0], counts)
        if counts[0] == counts[1]:
            yield from _kept(a, b, own, other)
        elif own.text == other.text and not cut and not joined:
            where = (own.blocks or other.blocks)[0].first_event
            yield altered(a, b, blocks_of(counts[1], key[0]), _instead(key[0], counts, True), where)


def _gap(a: Side, b: Side, gap: Gap, links: Links, b_blocks: Mapping[int, Block]) -> Iterator[Change]:
    """What the place where two strands part means: content is missing, moved, new or other."""
    example = (*gap.a.blocks, *gap.b.blocks)[0]
    label = LABELS[example.kind] + (f" of choice {example.choice}" if example.choice else "")
    if gap.lacking:
        first = bisect_right(gap.a.starts, gap.start) - 1
        last = bisect_right(gap.a.starts, gap.a_end - 1) - 1
        much = characters(gap.lacking)
        headline = f"{_title(label)} is {much} short" if gap.b.text else f"{_title(label)} is lost"
        event = parts_at(a, b, (gap.a, gap.b), gap.start)
        yield lost(a, b, f"{much} of the {label}", headline, gap.a.blocks[first : last + 1], event)
    elif gap.start < gap.a_end:
        event = parts_at(a, b, (gap.a, gap.b), gap.start)
        if gap.moved_out:
            target = _moved_to(gap, links, b_blocks)
            yield altered(a, b, f"the {label} as {target}", f"{_title(label)} is read as {target}", event)
        else:
            yield altered(a, b, f"other {label}", f"{_title(label)} reads otherwise", event)
    elif not gap.moved_in:
        more = characters(gap.b_end - gap.start)
        headline = f"{_title(label)} is {more} longer"
        yield altered(a, b, f"{more} more of the {label}", headline, event_at(b, gap.b, gap.start))


def _moved_to(gap: Gap, links: Links, b_blocks: Mapping[int, Block]) -> str:
    """The kind, or the choice, under which b has what is missing from the strand."""
    own = gap.a.blocks[0].kind, gap.a.blocks[0].choice
    targets = (b_blocks[n] for block in gap.a.blocks for n in links.parts.get(block.n, ()))
    block = next(one for one in targets if (one.kind, one.choice) != own)
    return LABELS[block.kind] if block.kind != own[0] else f"choice {block.choice}"


def _merged(a: Side, b: Side, pieces: list[Block], kind: str, counts: tuple[int, int]) -> Change:
    pieces = sorted(pieces, key=lambda piece: (piece.first_event, piece.n))
    labels = dict.fromkeys(LABELS[piece.kind] for piece in pieces)
    choices = {piece.choice for piece in pieces}
    if len(labels) > 1:
        headline = f"{_title(' and '.join(labels))} in one block"
    elif len(choices) > 1:
        headline = f"{_title(LABELS[kind])} of {len(choices)} choices in one block"
    else:
        headline = _instead(kind, counts, counts[1] < counts[0])
    return merged(a, b, pieces, headline)


def _kept(a: Side, b: Side, own: Strand, other: Strand) -> Iterator[Change]:
    """The first of these blocks that keeps something else besides its text than the other reading's."""
    for mine, theirs in zip(own.blocks, other.blocks):
        for name in KEPT:
            held, got = mine.fields.get(name) or None, theirs.fields.get(name) or None
            if held != got:
                word = "no" if got is None else "a" if held is None else "another"
                label = LABELS[mine.kind]
                yield altered(
                    a, b, f"{label} with {word} {name}", f"{_title(label)} with {word} {name}", mine.last_event
                )
                return


def _instead(kind: str, counts: tuple[int, int], fits: bool) -> str:
    """'149 reasoning blocks instead of 1', or that the borders lie elsewhere where the numbers do not show it."""
    return (
        f"{blocks_of(counts[1], kind)} instead of {counts[0]}" if fits else f"{_title(LABELS[kind])} is cut elsewhere"
    )


def _title(text: str) -> str:
    return text[:1].upper() + text[1:]
