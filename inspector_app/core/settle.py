"""The end of the data: close what is open, repair joins, judge calls, drop what holds nothing."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import pairwise

from inspector_app.core.arguments import outcome
from inspector_app.core.calls import ClientError
from inspector_app.core.joins import is_cumulative
from inspector_app.core.keyed import settle_parts
from inspector_app.core.keyed_tags import note_tagged, split_tagged
from inspector_app.core.runs import Runs
from inspector_app.core.text import join_halves
from inspector_app.core.think import take_pieces, unsplit
from inspector_app.core.types import Block

MANY, FAR = 1000, 100_000
"""Blocks that are judged, and deltas that are put to other blocks, between two rests."""


def settling(runs: Runs, n: int, broke_off: bool) -> Iterator[None]:
    """The data has ended after event n; `broke_off` when no clean end came. With a rest now and then."""
    yield from _ending(runs, n, broke_off)
    split_tagged(runs)
    yield
    yield from _drop_empty(runs)


def end_generation(runs: Runs, n: int, broke_off: bool) -> None:
    """An answer has ended after event n; what follows, if anything, is another one (R41)."""
    for _ in _ending(runs, n, broke_off):
        pass


def _ending(runs: Runs, n: int, broke_off: bool) -> Iterator[None]:
    for choice in list(runs.choices.values()):
        if choice.splitter is not None:
            unsplit(runs, choice, n)
            take_pieces(runs, choice, n, choice.splitter.finish())
        settle_parts(runs, choice, n)
        yield from note_tagged(runs, choice)
        finished = choice.finished is not None
        runs.close(choice, "finish" if finished else "end", choice.finished)
        try:
            yield from choice.calls.ending()
        except ClientError as error:
            runs.fail(n, error.message, stop=True)
        runs.dropped.update(block.n for block in choice.calls.dropped)
        if choice.citations:
            block = runs.block("other", choice.number, n)
            block.fields["citations"] = list(choice.citations)
            block.state, block.closed_by = "complete", "explicit"
        yield
    yield from _hand_on_citations(runs)
    yield from _last_words(runs, broke_off)


def _hand_on_citations(runs: Runs) -> Iterator[None]:
    """Sources in a block of their own, without text, belong to the text before it (dialects.md section 15)."""
    texts: dict[int, Block] = {}
    owners: dict[int, int] = {}
    for count, block in enumerate(runs.blocks[runs.settled :]):
        if count % (10 * MANY) == 0:
            yield
        if block.kind == "text" and (block.has_text or block.choice not in texts):
            texts[block.choice] = block
        elif block.kind == "text" and block.fields.get("citations"):
            held = texts[block.choice].fields.setdefault("citations", [])
            held += [one for one in block.fields.pop("citations") if one not in held]
            owners[block.n] = texts[block.choice].n
    for start in range(0, len(runs.delta_blocks) if owners else 0, FAR):
        for number, n in enumerate(runs.delta_blocks[start : start + FAR], start):
            runs.delta_blocks[number] = owners.get(n, n)
        yield


def _last_words(runs: Runs, broke_off: bool) -> Iterator[None]:
    """Last words on every block of this answer: state, repaired joins, whether a call can run."""
    judged = 0
    for block in runs.blocks[runs.settled :]:
        judged += 1 + len(block.deltas) // MANY
        if judged > MANY:
            judged = 0
            yield
        choice = runs.choices.get(block.choice)
        cut = broke_off and (choice is None or choice.finished is None)
        if block.kind == "tool_call":
            keyed = block.closed_by is not None
            torn = block.state == "truncated" if keyed else cut and choice is not None and choice.last is block
            block.fields |= outcome(block, runs.rules, torn)
            if not keyed:
                block.closed_by = "end" if cut else "finish"
                block.closed_at = None if cut or choice is None else choice.finished
            block.state = "truncated" if torn else "complete"
        elif cut and block.closed_by == "end":
            block.state = "truncated"
        if block.kind in ("text", "reasoning", "refusal") or block.n in runs.split:
            _repair(runs, block)
    runs.settled = len(runs.blocks)
    runs.choices = {}


def _drop_empty(runs: Runs) -> Iterator[None]:
    """Blocks that hold nothing go; the rest are numbered anew, all at once: nobody sees the half of it."""
    keep: list[Block] = []
    for start in range(0, len(runs.blocks), 2 * MANY):
        some = runs.blocks[start : start + 2 * MANY]
        keep += [block for block in some if block.n not in runs.dropped and _says_something(block)]
        yield
    # Text that was held back may be let go after a block of another choice has begun.
    late = any(one.first_event > two.first_event for one, two in pairwise(keep))
    if late:
        keep.sort(key=lambda block: block.first_event)
    if late or len(keep) != len(runs.blocks):
        numbers = {block.n: n for n, block in enumerate(keep)}
        numbers[-1] = -1
        column = array("i")
        for start in range(0, len(runs.delta_blocks), FAR):
            column.extend([numbers.get(value, -1) for value in runs.delta_blocks[start : start + FAR]])
            yield
        runs.delta_blocks[:] = column
        for block in runs.blocks:
            block.n = numbers.get(block.n, -1)
        runs.blocks[:] = keep


def _repair(runs: Runs, block: Block) -> None:
    rules = runs.rules
    several = len(block.fragments) > 1
    if several and runs.grows and is_cumulative(block.fragments, sure=True):
        block.override = block.fragments[-1]
        block.fields["grown"] = True
    elif several and rules.repairs_rule("text-cumulative") and is_cumulative(block.fragments):
        block.override = block.fragments[-1]
        block.fields["repaired"] = "text-cumulative"
        runs.note("text-cumulative", block.first_event, "", block, block.kind)
    elif block.n in runs.split and rules.repairs_rule("text-split-surrogate"):
        block.override = join_halves(block.text)


def _says_something(block: Block) -> bool:
    if block.kind in ("text", "refusal"):
        return bool(block.has_text or block.fields.get("citations"))
    if block.kind == "reasoning":
        return bool(block.has_text or block.fields.keys() & {"signature", "opaque", "redacted", "encrypted"})
    return True
