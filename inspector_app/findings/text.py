"""Text: parts in a list, snapshots, empty or damaged characters, refusals and citations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from inspector_app.core import flags as F
from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.reading import Reading
from inspector_app.core.types import Block
from inspector_app.findings._chat import REASONING_KEYS, deltas
from inspector_app.findings._spots import first_spot, rows_where, spot

REPLACEMENT = "\ufffd"
TOGETHER = 20_000
"""Fragments of a block that are looked at between two rests."""

_FIRST_HALF = re.compile(r"(?:^|[^\\])(?:\\\\)*\\u[dD][89abAB][0-9a-fA-F]{2}\Z")
_SECOND_HALF = re.compile(r"\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_LONGEST_TAIL = 64
"""Characters of a fragment that are looked at for the first half of an escaped pair."""


def _content_array(payload: Any) -> Iterator[str]:
    for pointer, delta in deltas(payload):
        if type(delta.get("content")) is list and delta["content"]:
            yield pointer + "/content"


def _empty_beside_reasoning(payload: Any) -> Iterator[str]:
    for pointer, delta in deltas(payload):
        reasons = any(delta.get(key) for key in (*REASONING_KEYS, "thinking_blocks", "reasoning_details"))
        if reasons and delta.get("content", 0) in ("", None):
            yield pointer + "/content"


def _cumulative(reading: Reading, report: Report) -> None:
    """The note names the first fragment; these are the others."""
    for block in reading.blocks:
        if block.fields.get("repaired") == "text-cumulative":
            for number in block.deltas[1:]:
                report(*spot(reading, number), block=block)


def _split_escape(reading: Reading, report: Report) -> Iterator[None]:
    """Arguments cut between the halves of an escaped pair; raw halves are noted where they are joined."""
    for block in reading.blocks:
        if block.kind != "tool_call":
            continue
        held = -1
        for n, fragment in enumerate(block.fragments):
            if n % TOGETHER == 0:
                yield
            if held >= 0 and fragment:
                if _SECOND_HALF.match(fragment):
                    report(*spot(reading, block.deltas[held]))
                held = -1
            if len(fragment) > 5 and fragment[-6:-4] == "\\u" and _FIRST_HALF.search(fragment[-_LONGEST_TAIL:]):
                held = n


def _replacement(reading: Reading, report: Report) -> Iterator[None]:
    looked = 0
    for block in reading.blocks:
        if block.override is not None and REPLACEMENT not in block.override:
            continue
        for start in range(0, len(block.fragments), TOGETHER):
            looked += min(len(block.fragments), TOGETHER)
            if looked >= TOGETHER:
                looked = 0
                yield
            some = block.fragments[start : start + TOGETHER]
            for n, fragment in enumerate(some, start) if REPLACEMENT in "".join(some) else ():
                if REPLACEMENT in fragment:
                    place = spot(reading, block.deltas[n])
                    if not reading.events.flags[place.event] & F.INVALID_UTF8:
                        report(*place, block=block, detail=block.kind.replace("_", " "))


def _refusal(reading: Reading, report: Report) -> None:
    for block in reading.blocks:
        if block.kind == "refusal":
            report(*first_spot(reading, block), block=block)


def _owner(reading: Reading, n: int, row: tuple[str, int, str]) -> Block | None:
    """The block that a statement hangs on."""
    rows = reading.layouts[reading.events.layouts[n]].rows
    number = reading.delta_blocks[reading.deltas_of(n)[0] + rows.index(row)]
    return reading.blocks[number] if number >= 0 else None


def _citations(reading: Reading, report: Report) -> None:
    cited: list[Block] = [block for block in reading.blocks if block.fields.get("citations")]
    if not cited:
        return
    owners = {block.choice: block for block in reversed(cited)}
    left = sum(len(block.fields["citations"]) for block in cited)
    seen: set[tuple[int, str]] = set()
    for n, row in rows_where(reading, lambda row: row[0] == "citation"):
        _, choice, pointer = row
        value = next((delta.value for delta in reading.deltas(n) if delta.pointer == pointer), None)
        block = _owner(reading, n, row) or owners.get(choice)
        if block is not None and (block.n, repr(value)) not in seen:
            seen.add((block.n, repr(value)))
            report(n, pointer, block=block)
            left -= 1
        if not left:
            # What follows repeats the whole list, as Perplexity does in every chunk.
            return


RULES = (
    Rule(
        "text-content-array",
        "warning",
        "delta",
        "The `content` of {count} delta{s} is a list of parts.",
        "Send `content` as a string; a client should take both.",
        why="Mistral streams thoughts this way; where a string is expected the chunk fails or the thought is gone.",
        breaks=(
            "openai-node 6.49.0 helper: writes [object Object] into the text",
            "@ai-sdk/openai 3.0.141, @ai-sdk/openai-compatible 2.0.41: schema error",
            "openai-agents 0.24.0: ValidationError",
            "llm 0.36: TypeError",
            "pydantic-ai 2.68.0, LiteLLM 1.110.2: drop the part",
            "litellm #16272: content lost",
        ),
        keys=frozenset({"content"}),
        shape=_content_array,
    ),
    Rule(
        "text-cumulative",
        "error",
        "block",
        "Every piece of this {detail} repeats all that came before: growing snapshots.",
        "Send only what is new in each delta.",
        why="A client that appends shows the beginning again and again.",
        breaks=(
            "all clients that append, oh-my-pi #2434: text piles up",
            "Roo Code qwen provider: strips equal beginnings, and with them real text",
        ),
        heuristic=True,
        end=_cumulative,
    ),
    Rule(
        "text-empty-beside-reasoning",
        "info",
        "delta",
        "`content` is empty or null beside reasoning in {count} delta{s}.",
        "Leave `content` out while the model reasons.",
        why="A reader that only tests for null opens an empty text block, or passes over the delta with its reasoning.",
        breaks=(
            "llama_index #21232: skips Ollama lines whose content is null",
            "readers that test for null: open an empty text block",
        ),
        keys=frozenset({"content"}),
        shape=_empty_beside_reasoning,
    ),
    Rule(
        "text-split-surrogate",
        "warning",
        "delta",
        "A character is cut in two between deltas ({count} time{s}).",
        "Cut text between characters only.",
        why="Half a character that gets into a view or a database breaks it.",
        breaks=(
            "orjson, msgspec: refuse an event with half a character",
            "eliza #30904: database error",
            "Qt labels: show nothing for it",
        ),
        end=_split_escape,
    ),
    Rule(
        "text-replacement-char",
        "warning",
        "block",
        "The {detail} holds U+FFFD in {count} place{s}, and was sent like that.",
        "Decode bytes incrementally on every hop.",
        why="A relay lost a character, as happens when each read is decoded alone, or the model gave half of one.",
        breaks=("clients behind the hop, as in liter-llm #152: cannot get the character back",),
        end=_replacement,
    ),
    Rule(
        "text-refusal",
        "info",
        "block",
        "The model refused, in a field of its own.",
        "Show the refusal, and do not retry it as if the answer were empty.",
        why="To a client without a notion of refusals this is an empty answer.",
        breaks=(
            "langchain-openai 1.7.4, LiteLLM 1.110.2, llm 0.36: lose it",
            "pydantic-ai 2.68.0: makes content_filter of it",
            "@ai-sdk/openai-compatible 2.0.92, @ai-sdk/openai 3.0.141: show it as text",
            "langchain #39747: empty answer",
        ),
        end=_refusal,
    ),
    Rule(
        "text-citations",
        "info",
        "block",
        "The text carries {count} citation{s}.",
        "Keep citations with the text block that they follow.",
        why="They come in deltas without text, which some clients throw away, and then the sources are missing.",
        breaks=("LibreChat agents #407: sources missing",),
        end=_citations,
    ),
)
"""The rules of this family."""
