"""Reasoning: which field it comes in, twice or in the wrong form, empty, repeated, out of order, opaque."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from operator import eq
from typing import Any

from inspector_app.core.diagnosis import Report, Rule, Seen, Watcher
from inspector_app.core.reading import Reading
from inspector_app.core.types import Block
from inspector_app.findings._chat import REASONING_KEYS, deltas
from inspector_app.findings._spots import Row, first_spot, last_spot, rows_where, spot

STRUCTURED = ("thinking_blocks", "reasoning_details")
VARIANTS = (*REASONING_KEYS[1:], *STRUCTURED)
VISIBLE = ("text", "summary", "thinking")
"""Keys of an entry of the structured fields that hold text to show."""

OPAQUE = frozenset({"reasoning.signature", "reasoning.encrypted", "reasoning.redacted"})
SHOWS = ("text.", "reasoning.delta", "refusal.", "tool.", "media.")
"""What a delta kind begins with when the delta shows something."""

LEAST_REPEAT = 8
"""Characters from which on two equal deltas in a row are no chance."""

FRAGMENTS = 5
SHORT = 20
"""Reasoning blocks in a row from which on, and characters on average up to which, they are pieces of one."""

MANY, TOGETHER = 1000, 20_000
"""Blocks that are looked at, and fragments that are compared, between two rests."""

LEAST_ELEMENTS = 3
"""Single-element lists from which on the sender evidently opens a block per delta."""


def _shown(value: Any) -> bool:
    """Whether a value of a reasoning field holds something to read."""
    if type(value) is list:
        return any(_shown(entry) for entry in value)
    if type(value) is dict:
        return any(type(value.get(key)) is str and value[key] for key in (*VISIBLE, "content"))
    return type(value) in (int, float) or (type(value) is str and value != "")


def _empty(payload: Any) -> Iterator[str]:
    for pointer, delta in deltas(payload):
        speaks = any(delta.get(key) for key in ("content", "tool_calls", "function_call", "refusal"))
        if speaks and not any(_shown(delta.get(key)) for key in (*REASONING_KEYS, *STRUCTURED)):
            key = next((key for key in REASONING_KEYS if delta.get(key) == ""), None)
            if key is not None:
                yield f"{pointer}/{key}"


def _blank(reading: Reading, report: Report) -> Iterator[None]:
    for count, block in enumerate(reading.blocks):
        if count % MANY == 0:
            yield
        if block.kind == "reasoning" and block.has_text and not block.has_words:
            for number in block.deltas:
                report(*spot(reading, number))


def _field_variant(payload: Any) -> Iterator[str]:
    for pointer, delta in deltas(payload):
        if not _shown(delta.get("reasoning_content")):
            key = next((key for key in VARIANTS if _shown(delta.get(key))), None)
            if key is not None:
                yield f"{pointer}/{key}"


def _non_string(payload: Any) -> Iterator[str]:
    for pointer, delta in deltas(payload):
        for key in REASONING_KEYS:
            value = delta.get(key)
            if type(value) in (int, float) or (type(value) in (dict, list) and value):
                yield f"{pointer}/{key}"


def _repeated(reading: Reading, report: Report) -> Iterator[None]:
    looked = 0
    for block in reading.blocks:
        if block.kind != "reasoning" or block.override is not None:
            continue
        fragments, numbers = block.fragments, block.deltas
        for start in range(0, len(fragments), TOGETHER):
            looked += min(len(fragments), TOGETHER)
            if looked >= TOGETHER:
                looked = 0
                yield
            some = fragments[start : start + TOGETHER + 1]
            same = map(eq, some, islice(some, 1, None))
            for n in (n for n, equal in enumerate(same, start + 1) if equal):
                text = fragments[n]
                if len(text) >= LEAST_REPEAT and not text.isspace() and numbers[n] != numbers[n - 1]:
                    report(*spot(reading, numbers[n]))


def _opaque_only(report: Report) -> Watcher:
    def watch(seen: Seen) -> None:
        shows = {delta.choice for delta in seen.deltas if delta.kind.startswith(SHOWS)}
        told: set[int] = set()
        for delta in seen.deltas:
            extra = delta.extra or {}
            on_part = "position" in extra or extra.get("format") == "gemini"
            if delta.kind in OPAQUE and delta.choice not in shows | told and not on_part:
                told.add(delta.choice)
                report(seen.n, delta.pointer)

    return watch


def _blocks_per_delta(reading: Reading, report: Report) -> None:
    places: list[tuple[int, str]] = []
    lone: dict[int, bool] = {}
    for n, (_, _, pointer) in rows_where(reading, _is_element):
        number = reading.events.layouts[n]
        if number not in lone:
            others = (row[2] for row in reading.layouts[number].rows)
            lone[number] = not any("/thinking_blocks/1" in other or other.endswith("/signature") for other in others)
        if lone[number]:
            places.append((n, pointer.rpartition("/")[0]))
    for place in places if len(places) >= LEAST_ELEMENTS else ():
        report(*place)


def _is_element(row: Row) -> bool:
    return row[0] == "reasoning.delta" and "/thinking_blocks/0/" in row[2]


def _interleaved(reading: Reading, report: Report) -> Iterator[None]:
    runs: dict[int, list[Block]] = {}
    for block in reading.blocks:
        runs.setdefault(block.choice, []).append(block)
    for blocks in runs.values():
        thought, between = False, False
        for count, block in enumerate(blocks):
            if count % MANY == 0:
                yield
            if block.kind == "tool_call" or (block.kind == "text" and block.has_words):
                between = thought
            elif block.kind == "reasoning" and block.has_words:
                if between:
                    report(*first_spot(reading, block))
                thought, between = True, False


def _order(report: Report) -> Watcher:
    tops: dict[int, int] = {}
    last = -1
    spoken = False

    def watch(seen: Seen) -> None:
        nonlocal last, spoken
        # Events that were not shown are like those before; once there was text, the run may have ended among them.
        if spoken and seen.n > last + 1:
            tops.clear()
        last = seen.n
        in_delta: dict[tuple[int, str], int] = {}
        for delta in seen.deltas:
            extra = delta.extra or {}
            index = extra.get("index")
            if extra.get("field") == "reasoning_details" and type(index) is int:
                key = (delta.choice, repr(extra.get("type")))
                if index < in_delta.get(key, index) or (key not in in_delta and index < tops.get(delta.choice, index)):
                    report(seen.n, delta.pointer, detail=f"{index} after {in_delta.get(key, tops.get(delta.choice))}")
                in_delta[key] = index
        for (choice, _), index in in_delta.items():
            tops[choice] = max(index, tops.get(choice, index))
        for delta in seen.deltas:
            if delta.kind.startswith(("text.", "refusal.", "tool.", "media.", "finish")):
                spoken = True
                tops.pop(delta.choice, None)

    return watch


def _unsigned(reading: Reading, report: Report) -> Iterator[None]:
    if not getattr(reading.dialect_module, "SIGNS_REASONING", False):
        return
    for count, block in enumerate(reading.blocks):
        if count % MANY == 0:
            yield
        secret = block.fields.keys() & {"signature", "redacted", "encrypted"}
        if block.kind == "reasoning" and block.closed_by == "explicit" and not secret:
            report(*last_spot(reading, block), block=block)


def _fragmented(reading: Reading, report: Report) -> Iterator[None]:
    """Many short thoughts in a row, each with an explicit end of its own."""
    runs: dict[int, list[Block]] = {}
    for count, block in enumerate(reading.blocks):
        if count % MANY == 0:
            yield
        run = runs.setdefault(block.choice, [])
        if block.kind == "reasoning" and block.closed_by == "explicit":
            run.append(block)
        elif block.kind != "text" or block.has_words:
            _short(reading, report, run)
            run.clear()
    for run in runs.values():
        _short(reading, report, run)


def _short(reading: Reading, report: Report, run: list[Block]) -> None:
    if len(run) >= FRAGMENTS and sum(len(block.text) for block in run) < SHORT * len(run):
        for block in run:
            report(*first_spot(reading, block))


RULES = (
    Rule(
        "reasoning-signature-missing",
        "warning",
        "block",
        "This thought ended without a signature.",
        "Pass signatures on; a thought that has none must stay out of the history.",
        why="Sent back with the next turn it is refused (400); the Anthropic layer of Ollama signs nothing.",
        breaks=("agents with several turns and thinking: the second request fails",),
        end=_unsigned,
    ),
    Rule(
        "reasoning-fragmented",
        "error",
        "stream",
        "{count} short reasoning blocks stand in a row where there should be one.",
        "Keep the block open as long as nothing but reasoning comes.",
        why="A gateway starts a block with each token, and a view shows one word per line or panel.",
        breaks=(
            "9router #3236: closes the item after each token",
            "ZCode 3.11.2: makes 2187 parts of one thought",
        ),
        end=_fragmented,
    ),
    Rule(
        "reasoning-empty",
        "warning",
        "delta",
        "Reasoning in {count} delta{s} shows nothing: an empty string beside other content, or white space alone.",
        "Leave the reasoning key out of a delta that has none.",
        why="Whoever goes by the key opens an empty panel, or cuts the text into a block per delta.",
        breaks=(
            "fantasy (Crush): makes empty reasoning deltas that never end",
            "cc-switch #6421, kimi-code #2227: empty panels or chopped text",
            "Roo-Code #8990: shows an empty panel for line feeds",
        ),
        keys=frozenset(REASONING_KEYS),
        shape=_empty,
        end=_blank,
    ),
    Rule(
        "reasoning-field-variant",
        "warning",
        "delta",
        "Reasoning comes under a key other than `reasoning_content` in {count} delta{s}.",
        "Send `reasoning_content`, with other names at most as mirrors; as a client, read all of them.",
        why="Most clients know one name only, and to them this answer has no reasoning.",
        breaks=(
            "openai-agents 0.24.0: turns `reasoning` into an empty summary",
            "langchain-openai 1.7.4, llm 0.36, @ai-sdk/openai 3.0.141: show none",
            "Zed: knows reasoning_content only",
            "litellm #35021, #26501: reasoning lost",
        ),
        keys=frozenset(VARIANTS),
        shape=_field_variant,
    ),
    Rule(
        "reasoning-double-delivery",
        "warning",
        "delta",
        "The same reasoning is delivered twice ({detail}).",
        "Choose one carrier of reasoning per stream and document it.",
        why="OpenRouter and LiteLLM mirror their fields; a reader that adds them up doubles every word.",
        breaks=(
            "kimi-code #3928, oh-my-pi #2434: every word stands there twice",
            "readers that add up all fields: likewise",
        ),
    ),
    Rule(
        "reasoning-non-string",
        "error",
        "delta",
        "The reasoning of {count} delta{s} is not a string.",
        "Put a plain string into the reasoning field.",
        why="The schema asks for text; a typed client gives up on the chunk or on the whole run.",
        breaks=(
            "@ai-sdk/openai-compatible 2.0.92: schema fault in place of the chunk",
            "openai-agents 0.24.0: ValidationError",
            "LiteLLM 1.110.2: its chunk builder fails",
            "pydantic-ai 2.68.0: drops it",
        ),
        keys=frozenset(REASONING_KEYS),
        shape=_non_string,
    ),
    Rule(
        "reasoning-delta-repeated",
        "info",
        "delta",
        "A reasoning delta repeats the one before word for word ({count} time{s}).",
        "Repair the sender; a client must not drop text just because it is equal.",
        why="Servers such as xAI send a delta twice now and then, and a model that repeats itself looks just the same.",
        breaks=(
            "Vercel AI SDK: drops the second of two equal neighbours",
            "all other readers: show it twice",
        ),
        heuristic=True,
        end=_repeated,
    ),
    Rule(
        "reasoning-opaque-only",
        "info",
        "delta",
        "Nothing but an opaque reasoning value stands in {count} delta{s}.",
        "Keep the value with its reasoning block even where no text stands beside it.",
        why="It must go back with the next request, and clients that skip deltas without text lose it.",
        breaks=("ai-sdk-provider #423 (OpenRouter), litellm #35021, req_llm #626: value lost",),
        kinds=OPAQUE,
        watch=_opaque_only,
    ),
    Rule(
        "reasoning-blocks-per-delta",
        "warning",
        "stream",
        "`thinking_blocks` brings a block of its own for each of {count} deltas.",
        "Join the elements until one has a signature: that is one block.",
        why="Only a whole block with its signature can be sent back; a list of splinters cannot.",
        breaks=("litellm #29428: the joined history is refused",),
        end=_blocks_per_delta,
    ),
    Rule(
        "reasoning-interleaved",
        "info",
        "stream",
        "Reasoning starts again after text or a tool call ({count} time{s}).",
        "Show blocks in the order in which they began.",
        why="A reader with one slot for reasoning and one for text joins what does not belong together.",
        breaks=("gptel #1282: order lost",),
        end=_interleaved,
    ),
    Rule(
        "reasoning-order",
        "warning",
        "delta",
        "Entries of `reasoning_details` are out of order (index {detail}).",
        "Send entries by rising index; a reader should sort those of one delta before it joins them.",
        why="Joined as they stand, the pieces of the thought change places.",
        breaks=("openclaw (Qwen3 through OpenRouter): reads the first entry and loses or scrambles the thought",),
        kinds=frozenset({"*"}),
        watch=_order,
    ),
)
"""The rules of this family."""
