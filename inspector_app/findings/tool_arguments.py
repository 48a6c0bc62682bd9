"""Arguments of tool calls: wrong type, empty, repeated, cut, or no JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector_app.core.arguments import parses
from inspector_app.core.call_words import called
from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.json_text import is_prefix, loads, valid_to
from inspector_app.core.reading import Reading
from inspector_app.core.types import Block
from inspector_app.findings._chat import CHAT, answers, functions
from inspector_app.findings._spots import bytes_at, first_spot, last_spot, spots

ARGUMENT_KEYS = frozenset({"tool_calls", "function_call", "message"})


def _arguments(payload: Any) -> Iterator[tuple[str, Any]]:
    """The arguments that a payload has, each with its pointer."""
    for pointer, holder, key in functions(payload):
        if key in holder:
            yield f"{pointer}/{key}", holder[key]
    for pointer, answer in answers(payload):
        call = answer.get("function_call")
        if type(call) is dict and "arguments" in call:
            yield f"{pointer}/function_call/arguments", call["arguments"]


def _object(payload: Any) -> Iterator[str]:
    yield from (pointer for pointer, value in _arguments(payload) if type(value) in (dict, list))


def _null(payload: Any) -> Iterator[str]:
    yield from (pointer for pointer, value in _arguments(payload) if value is None)


FREE_TEXT = frozenset({"custom", "builtin"})
"""Kinds of calls whose input may be no JSON: code, commands, patches."""

NEED_ARGUMENTS = CHAT | {"openai-responses"}
"""Dialects where no arguments are `{}`, not an empty text."""


def _numbered(reading: Reading) -> Iterator[tuple[int, Block]]:
    """The calls whose arguments should be JSON, each with its number among all calls, from 0 as the window counts."""
    calls = (block for block in reading.blocks if block.kind == "tool_call")
    for number, block in enumerate(calls):
        if block.fields["tool_kind"] not in FREE_TEXT:
            yield number, block


def _functions(reading: Reading) -> Iterator[Block]:
    """The calls whose arguments should be JSON."""
    yield from (block for _, block in _numbered(reading))


def _invalid(reading: Reading, report: Report) -> None:
    for number, block in _numbered(reading):
        text = block.text
        if text.strip() and not parses(text) and not is_prefix(text):
            at = valid_to(text)
            spot, (start, end) = next(spots(reading, block, [at])), bytes_at(reading, block, at)
            words = f"{called(number, block)} are no JSON: the valid part ends at character {at}"
            report(*spot, start=start, end=end, block=block, detail=words)


def _truncated(reading: Reading, report: Report) -> None:
    for number, block in _numbered(reading):
        text = block.text
        if text and is_prefix(text) and not parses(text):
            spot, case = last_spot(reading, block), _ending(reading, block.choice)
            words = f"{called(number, block)} break off after {len(text)} characters"
            report(*spot, block=block, detail=words, case=case)


def _ending(reading: Reading, choice: int) -> str:
    """How a choice ended, as far as it tells why arguments are not whole."""
    reasons = [entry["reason"] for entry in reading.finishes if entry["choice"] == choice]
    if not reasons:
        return "broken"
    return "length" if "length" in reasons else "whole" if set(reasons) <= {"stop", "tool_calls"} else ""


def _empty(reading: Reading, report: Report) -> None:
    if reading.speaks in NEED_ARGUMENTS:
        for block in _functions(reading):
            if not block.text.strip():
                report(*first_spot(reading, block), block=block, detail=block.fields["name"] or "without a name")


def _double_encoded(reading: Reading, report: Report) -> None:
    for number, block in _numbered(reading):
        inner = _string(block.text)
        if inner is not None and inner.lstrip()[:1] in ("{", "[") and parses(inner):
            report(*first_spot(reading, block), block=block, detail=called(number, block))


def _string(text: str) -> str | None:
    """The string that a JSON text is, None when it is anything else."""
    if text.lstrip()[:1] != '"':
        return None
    try:
        value = loads(text)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


RULES = (
    Rule(
        "tool-args-object",
        "error",
        "delta",
        "The arguments are a JSON value and no string in {count} fragment{s}.",
        "Send the arguments as a string that holds JSON.",
        why="Clients join fragments as strings; with an object that fails, or yields [object Object].",
        breaks=(
            "langchain-openai 1.7.4: ValidationError",
            "openai-node 6.49.0 helper: [object Object]",
            "@ai-sdk/openai-compatible 2.0.92, @ai-sdk/openai 3.0.141: schema error",
            "openai-agents 0.24.0, llm 0.36: TypeError",
            "oh-my-pi #1779: call fails",
        ),
        keys=ARGUMENT_KEYS,
        shape=_object,
    ),
    Rule(
        "tool-args-null",
        "warning",
        "delta",
        "The arguments are null in {count} fragment{s}.",
        'Send "" or leave the key out.',
        why="Text cannot be added to null; OpenRouter and Writer send it.",
        breaks=(
            "langfuse-python #1753: loses the output",
            "typed clients: refuse the chunk",
        ),
        keys=ARGUMENT_KEYS,
        shape=_null,
    ),
    Rule(
        "tool-args-repeated",
        "error",
        "block",
        "The arguments of {call} repeat what was sent before: {detail}.",
        "Send only what is new, and no closing copy.",
        why="A client that appends, as all do, ends with text that is no JSON.",
        breaks=(
            "hermes-agent #35718: growing snapshots make broken JSON",
            "opencodex #361: a closing copy makes broken JSON",
            "all clients that append: likewise",
        ),
    ),
    Rule(
        "tool-args-second-root",
        "error",
        "block",
        "A second JSON value begins behind complete arguments, at {call}: {detail}.",
        "Label every call with its own id and index, and send no placeholder before the real arguments.",
        why="Parallel calls without labels melt; who stops at the first whole JSON runs with the wrong arguments.",
        breaks=(
            "langchain-openai 1.7.4: keeps the first object only",
            "llm 0.36: raises",
            "all other clients that were measured: arguments are no JSON",
            "@ai-sdk/openai-compatible 2.0.41, langchain-openai 1.7.4: run with {} when that came first",
            "opencode Copilot fork: finishes the call too early",
            "lens #49: calls melt",
        ),
        heuristic=True,
    ),
    Rule(
        "tool-args-invalid",
        "error",
        "block",
        "The arguments of {detail}.",
        "Check arguments before passing them on, and never mend them in silence.",
        why="Such a call fails, or it runs with nothing.",
        breaks=(
            "llm 0.36: raises",
            "anthropic-sdk-python 2.14.0 helper: ValueError",
            "@anthropic-ai/sdk 1.14.0 helper: AnthropicError",
            "@ai-sdk/anthropic 3.0.140: hands the raw text on",
            "ruby_llm: ToolCallParseError",
            "pi-anthropic-oauth #11: call fails",
        ),
        end=_invalid,
    ),
    Rule(
        "tool-args-truncated",
        "error",
        "block",
        "The arguments of {detail}; this call must not run.",
        "Report the call as failed, and let nothing fill in the rest.",
        why="A client that fills in the rest runs the tool with part of its input, or with none.",
        breaks=(
            "anthropic-sdk-python 2.14.0 helper, @anthropic-ai/sdk 1.14.0 helper: make {} of cut arguments, no error",
            "hermes-agent #100160, fantasy #364: run the tool with what came",
        ),
        end=_truncated,
        cases={
            "length": "Report the call as failed and raise the token limit.",
            "broken": "Report the call as failed and ask again: the answer stopped while they were being sent.",
            "whole": "Report the call as failed. By the finish reason nothing is missing, so whoever wrote the stream "
            "lost the rest: compare with what the model gave.",
        },
    ),
    Rule(
        "tool-args-empty",
        "warning",
        "block",
        "The call {detail} has no arguments at all, not even an empty object.",
        "Send {} for a call without arguments.",
        why='Parsing "" fails, and some clients drop such a call.',
        breaks=(
            "Cline: drops the call",
            '@ai-sdk/openai-compatible 2.0.92, openai-agents 0.24.0: hand "" on',
            "langchainjs #11319: call lost",
        ),
        end=_empty,
    ),
    Rule(
        "tool-args-double-encoded",
        "error",
        "block",
        "The arguments of {detail} are a JSON string that holds JSON: encoded twice.",
        "Encode the arguments once.",
        why="After the one parse that everybody does, a string stands where the tool expects an object.",
        breaks=("langchain-oracle #70: the tool gets a string",),
        end=_double_encoded,
    ),
    Rule(
        "tool-args-interleaved",
        "warning",
        "stream",
        "Fragments of one call come after another call has begun to get its own.",
        "Finish a call before the next one begins; as a client, sort fragments by index.",
        why="It is legal, yet a client that adds to the latest call puts the pieces into the wrong one.",
        breaks=(
            "Cline, VS Code Copilot Chat reader, ruby_llm (without an id): add to the wrong call",
            "fantasy: drops later fragments of the first call",
            "Qwen-Agent #943: arguments mixed up",
        ),
    ),
)
"""The rules of this family that are about arguments."""
