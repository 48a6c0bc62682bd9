"""Reasoning tags inside text: `<think>` and its relatives."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.reading import Reading
from inspector_app.core.tags import CLOSES, stray_close
from inspector_app.core.types import Block
from inspector_app.findings._spots import pieces_of, spots, standing

MANY = 1000
"""Blocks that are looked at between two rests."""


def _stray_close(reading: Reading, report: Report) -> Iterator[None]:
    """A close tag without its open one; what stands before it in the text is likely the thought."""
    texts: dict[int, list[Block]] = {}
    tagged = {block.choice for block in reading.blocks if block.fields.get("form") == "inline_tag"}
    for count, block in enumerate(reading.blocks):
        if count % MANY == 0:
            yield
        if block.kind == "text" and block.choice not in tagged:
            texts.setdefault(block.choice, []).append(block)
    for blocks in texts.values():
        closed = False
        for found in standing(pieces_of(blocks), CLOSES):
            closed = found
            yield
        if not closed:
            continue
        at = stray_close("".join(block.text for block in blocks))
        if at is None:
            continue
        for block in blocks:
            if at < len(block.text):
                block.fields.setdefault("likely_reasoning", block.text[:at])
                report(*next(spots(reading, block, [at])), block=block, detail="close")
                break
            at -= len(block.text)


RULES = (
    Rule(
        "think-tag-inline",
        "warning",
        "block",
        "Reasoning stands between tags inside the text ({detail}).",
        "Switch on the server's reasoning parser; a client that splits tags must hold back the start of one.",
        why="Depending on the client people read thoughts as if they were the answer, or lose the answer among them.",
        breaks=(
            "all clients that were measured: show the tags as text",
            "pydantic-ai 2.68.0: sees a tag only when it is a whole delta",
            "memory-vault #98: misses a tag that is cut over two chunks",
        ),
        heuristic=True,
    ),
    Rule(
        "think-tag-unbalanced",
        "warning",
        "block",
        "A reasoning tag has no partner: only the {detail} tag came.",
        "Send the open tag as well, or take what stands before the first close tag for reasoning.",
        why="The prompt had opened the tag already, or the answer was cut; a tag parser then takes all for one kind.",
        breaks=(
            "sglang #36285: the thought is shown as text",
            "most tag parsers: all text or all thought",
        ),
        heuristic=True,
        end=_stray_close,
    ),
)
"""The rules of this family."""
