"""Reasoning tags in the text of blocks with a key, such as Anthropic's and those of Responses (dialects.md 8.1).

They are split once the data has ended: until then the block has the number and the text that its deltas name, and a
whole value that its end gives is compared with the text as it was sent (R44).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence

from inspector_app.core.runs import Choice, Runs
from inspector_app.core.tags import TAGS, Piece, TagSplitter
from inspector_app.core.types import Block

BEFORE = frozenset({"", "reasoning", "tool_call", "tool_result"})
"""What stands before a text that may begin with a tag: nothing, a thought, or a call."""
_LONGEST = max(map(len, TAGS))
MANY = 10_000
"""Blocks that are looked at between two rests."""


def note_tagged(runs: Runs, choice: Choice) -> Iterator[None]:
    """Keep in mind the text blocks with a key that begin with an open tag; the answer of the choice has ended. With a
    rest now and then.
    """
    if runs.rules.think_tags != "split":
        return
    keyed = {id(part.block) for part in choice.parts.order}
    before = ""
    for count, block in enumerate(runs.blocks[runs.settled :]):
        if count % MANY == 0:
            yield
        if block.choice != choice.number:
            continue
        if id(block) in keyed and block.kind == "text" and before in BEFORE:
            start = _start(block.fragments)
            runs.tagged += [block] if any(start.startswith(tag) for tag in TAGS) else []
        if block.kind != "text" or any(map(str.strip, block.fragments)):
            before = block.kind


def _start(fragments: Iterable[str]) -> str:
    """As many characters behind leading white space as the longest tag has, or more."""
    start = ""
    for fragment in fragments:
        start = (start + fragment).lstrip()
        if len(start) >= _LONGEST:
            break
    return start


def split_tagged(runs: Runs) -> None:
    """Make thoughts of what stands between tags, each before the text that is left; blocks are numbered anew."""
    found = [(block, _split(runs, block)) for block in runs.tagged if block.override is None]
    runs.tagged = []
    thoughts = {block.n: these for block, these in found if these is not None}
    if not thoughts:
        return
    column = runs.delta_blocks
    sent = [number for number, n in enumerate(column) if n in thoughts]
    blocks = [one for block in runs.blocks for one in (*thoughts.get(block.n, ()), block)]
    numbers = {block.n: at for at, block in enumerate(blocks) if block.n >= 0}
    fed = [one for block in runs.blocks if block.n in thoughts for one in (*thoughts[block.n], block)]
    runs.dropped = {numbers[n] for n in runs.dropped if n in numbers}
    for number, n in enumerate(column):
        column[number] = numbers.get(n, -1)
    for number in sent:
        column[number] = -1
    for at, block in enumerate(blocks):
        block.n = at
    for block in reversed(fed):
        # A delta that gave to two blocks is shown at the first.
        for number in block.deltas:
            column[number] = block.n
    runs.blocks[:] = blocks


def _split(runs: Runs, block: Block) -> list[Block] | None:
    """The thoughts of a text block, which keeps the rest; None where a tag is never closed (section 8.1)."""
    splitter = TagSplitter()
    pieces: list[Piece] = []
    for number, text in zip(block.deltas, block.fragments, strict=True):
        pieces += splitter.feed(number, text)
    first = runs.event_of(block.deltas[0])
    if splitter.inside:
        runs.note("think-tag-unbalanced", first, "", block, "open")
        block.fields["likely_reasoning"] = block.text.partition(splitter.tag)[2]
        return None
    pieces += splitter.finish()
    cut = splitter.split_over
    runs.note("think-tag-inline", first, "", None, splitter.tag + (f" cut over {cut} deltas" if cut > 1 else ""))
    found: list[Block] = []
    inside = False
    for piece in pieces:
        if piece.kind == "reasoning":
            if not inside:
                found.append(_thought(runs, block, piece))
            inside = True
            _give(found[-1], piece)
            found[-1].last_event = runs.event_of(piece.delta)
        elif piece.turn == "close":
            if inside:
                found[-1].closed_at = runs.event_of(piece.delta)
            inside = False
    _keep(runs, block, [piece for piece in pieces if piece.kind == "text"])
    return [thought for thought in found if not _is_copy(runs, thought)]


def _thought(runs: Runs, block: Block, piece: Piece) -> Block:
    event = runs.event_of(piece.delta)
    fields = {"form": "inline_tag"}
    return Block(-1, "reasoning", block.choice, event, event, "complete", "explicit", event, fields=fields)


def _give(block: Block, piece: Piece) -> None:
    if not piece.whole:
        block.spans[len(block.deltas)] = (piece.start, piece.end)
    block.fragments.append(piece.text)
    block.deltas.append(piece.delta)


def _keep(runs: Runs, block: Block, pieces: Sequence[Piece]) -> None:
    """The text behind the tags is all that is left of the block."""
    block.fragments, block.deltas, block.spans = [], array("I"), {}
    for piece in pieces:
        _give(block, piece)
    if pieces:
        block.first_event = runs.event_of(pieces[0].delta)


def _is_copy(runs: Runs, thought: Block) -> bool:
    """Whether a thought between tags says what a thought of its own said already (R10)."""
    own = (one for one in runs.blocks if one.kind == "reasoning" and one.choice == thought.choice)
    said = "".join(one.text for one in own if one.fields.get("form") != "inline_tag")
    if not said or said.strip() != thought.text.strip():
        return False
    runs.note("reasoning-double-delivery", thought.first_event, "", None, "inline tags repeat a reasoning field")
    return True
