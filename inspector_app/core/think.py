"""Inline reasoning tags: what the splitter found becomes blocks (dialects.md 8.1)."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from inspector_app.core.runs import Choice, Runs
from inspector_app.core.tags import Piece


def take_pieces(runs: Runs, choice: Choice, n: int, pieces: Sequence[Piece], number: int = -1) -> None:
    """Pieces of text that the tag splitter let go in event n: plain text, thoughts, and the tags themselves.

    `number` is the delta that was given to it then; the others were held back, and belong to earlier events.
    """
    for piece in pieces:
        event = n if piece.delta == number else runs.event_of(piece.delta)
        if piece.kind == "text":
            block = runs.plain_text(choice, event, piece.delta, piece.text)
        elif piece.kind == "reasoning":
            block = runs.run(choice, "reasoning", event, "inline_tag")
            block.fragments.append(piece.text)
            runs.feed(block, event, piece.delta)
            runs.odd(block, piece.text, event)
            choice.reasoning = block
        else:
            _tag(runs, choice, n, piece)
            continue
        if not piece.whole:
            block.spans[len(block.deltas) - 1] = (piece.start, piece.end)


def release(runs: Runs, choice: Choice, n: int) -> None:
    """Let go what is held back, because content of another kind stands behind it."""
    if choice.splitter is not None:
        take_pieces(runs, choice, n, choice.splitter.finish())


def start_anew(runs: Runs, choice: Choice, n: int) -> None:
    """Let go what is held back, and let a tag open again: a thought or a call stands behind it (8.1)."""
    if choice.splitter is not None:
        take_pieces(runs, choice, n, choice.splitter.reset())


def _tag(runs: Runs, choice: Choice, n: int, piece: Piece) -> None:
    """Tags and the white space around them feed no block, but say where the thought begins and ends (8.1)."""
    if piece.turn == "close":
        _end_tag(runs, choice, n)
        return
    if not (choice.run is not None and choice.run.fields.get("form") == "inline_tag"):
        choice.open_tag.append(piece)
    if piece.turn == "open":
        assert choice.splitter is not None
        cut = choice.splitter.split_over
        words = f" cut over {cut} deltas" if cut > 1 else ""
        runs.note("think-tag-inline", n, "", None, choice.splitter.tag + words)
        runs.close(choice, "reasoning", n)
        choice.opened_at = len(runs.blocks)


def _end_tag(runs: Runs, choice: Choice, n: int) -> None:
    """A close tag came: the thought is complete, unless a reasoning field has said it already (R10)."""
    block = choice.run
    choice.open_tag = []
    if block is None or block.fields.get("form") != "inline_tag":
        return
    runs.close(choice, "explicit", n)
    mine = (b for b in runs.blocks if b.kind == "reasoning" and b.choice == choice.number and b is not block)
    said = "".join(b.text for b in mine if b.fields.get("form") != "inline_tag")
    if said and block.text.strip() == said.strip():
        runs.dropped.add(block.n)
        runs.note("reasoning-double-delivery", n, "", None, "inline tags repeat a reasoning field")


def exact_tag(runs: Runs, choice: Choice, n: int, number: int, text: str) -> bool:
    """pydantic-ai: a delta that is exactly the tag switches, everything else is what was open."""
    inside = choice.run is not None and choice.run.fields.get("form") == "inline_tag"
    if text == "<think>" and not inside:
        runs.close(choice, "reasoning", n)
        choice.run = choice.last = choice.reasoning = runs.block("reasoning", choice.number, n)
        choice.run.fields["form"] = "inline_tag"
        return True
    if text == "</think>" and inside:
        runs.close(choice, "explicit", n)
        return True
    if inside and choice.run is not None:
        choice.run.fragments.append(text)
        runs.feed(choice.run, n, number)
        runs.odd(choice.run, text, n)
        return True
    return False


def unsplit(runs: Runs, choice: Choice, n: int) -> None:
    """An open tag without its close: the literal text is the reading (section 8.1), whatever came in between."""
    splitter = choice.splitter
    assert splitter is not None
    if not splitter.inside:
        return
    take_pieces(runs, choice, n, splitter.finish())
    mine = (block for block in runs.blocks[choice.opened_at :] if block.choice == choice.number)
    thoughts = [block for block in mine if block.fields.get("form") == "inline_tag"]
    for block in thoughts:
        block.kind = "text"
        block.fields.pop("form")
        block.fields["likely_reasoning"] = block.text
    first = thoughts[0] if thoughts else runs.run(choice, "text", n)
    runs.note("think-tag-unbalanced", n, "", first, "open")
    lead = choice.open_tag
    first.fragments[:0] = [piece.text for piece in lead]
    first.deltas = array("I", [piece.delta for piece in lead]) + first.deltas
    first.first_event = min([first.first_event, *(runs.event_of(piece.delta) for piece in lead)])
    first.spans = {i + len(lead): span for i, span in first.spans.items()}
    first.spans |= {i: (piece.start, piece.end) for i, piece in enumerate(lead)}
    for piece in lead:
        if runs.delta_blocks[piece.delta] < 0:
            runs.delta_blocks[piece.delta] = first.n
    choice.open_tag = []
