"""How tool calls are delivered: empty lists, several at once, in another choice, as plain text, in old forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from inspector_app.core.diagnosis import Report, Rule, Seen, Watcher
from inspector_app.core.reading import Reading
from inspector_app.findings._chat import deltas
from inspector_app.findings._markup import HINTS, leaks
from inspector_app.findings._markup_calls import likely_calls
from inspector_app.findings._request import asked, tool_names
from inspector_app.findings._spots import first_spot, pieces_of, speakers, spots, standing

WRAPPERS = frozenset({"parallel", "multi_tool_use.parallel"})


def _empty_array(payload: Any) -> Iterator[str]:
    yield from (pointer + "/tool_calls" for pointer, delta in deltas(payload) if delta.get("tool_calls") == [])


def _multi(report: Report) -> Watcher:
    def watch(seen: Seen) -> None:
        for pointer, delta in deltas(seen.payload):
            calls = delta.get("tool_calls")
            if type(calls) is not list or len(calls) < 2:
                continue
            indexes = [call.get("index") for call in calls if type(call) is dict]
            numbers = Counter(index for index in indexes if type(index) is int)
            shared = [f", several with index {index}" for index, times in numbers.items() if times > 1]
            report(seen.n, pointer + "/tool_calls", detail=f"{len(calls)} in one{''.join(shared[:1])}")

    return watch


def _other_choice(reading: Reading, report: Report) -> None:
    callers = {block.choice for block in reading.blocks if block.kind == "tool_call"}
    if not any(choice > 0 for choice in callers):
        return
    talkers = {block.choice for block in reading.blocks if block.kind == "text" and block.has_words}
    astray = {choice for choice in callers if choice > 0 and (0 not in callers or (talkers and choice not in talkers))}
    if not astray or _whole_answers(reading, callers):
        return
    for block in reading.blocks:
        if block.kind == "tool_call" and block.choice in astray:
            report(*first_spot(reading, block), detail=f"choice {block.choice}")


def _whole_answers(reading: Reading, callers: set[int]) -> bool:
    """Whether each choice is an answer of its own: one that ends itself and says of its calls what is true."""
    request = asked(reading)
    if request is not None and request.get("n") in (None, 1):
        return False
    reasons = {entry["choice"]: entry["reason"] for entry in reversed(reading.finishes)}
    said = {block.choice for block in reading.blocks}
    return all(
        choice in reasons and choice in said and (reasons[choice] == "tool_calls") == (choice in callers)
        for choice in speakers(reading)
    )


def _markup(reading: Reading, report: Report) -> Iterator[None]:
    for block in reading.blocks:
        if block.kind not in ("text", "reasoning"):
            continue
        marked = False
        for known in standing(pieces_of([block]), HINTS):
            marked = known
            yield
        if not marked:
            continue
        text = block.text
        yield
        found = leaks(text)
        if not found:
            continue
        calls = likely_calls(text)
        if calls:
            block.fields["suggested_calls"] = calls
        likely = f", likely a call of {calls[0]['name']}" if calls else ""
        for leak, place in zip(found, spots(reading, block, (leak.start for leak in found))):
            report(*place, block=block, detail=leak.format + likely)


def _wrapper(reading: Reading, report: Report) -> None:
    for block in reading.blocks:
        if block.kind == "tool_call" and block.fields["name"] in WRAPPERS - tool_names(reading):
            value = block.fields.get("arguments_json")
            uses = value.get("tool_uses") if isinstance(value, dict) else None
            if isinstance(uses, list):
                report(*first_spot(reading, block), block=block, detail=f"{len(uses)}")


def _legacy(payload: Any) -> Iterator[str]:
    yield from (pointer + "/function_call" for pointer, delta in deltas(payload) if delta.get("function_call"))


RULES = (
    Rule(
        "tool-calls-empty-array",
        "warning",
        "delta",
        "`tool_calls` is an empty list in {count} delta{s}.",
        "Leave `tool_calls` out of a delta that has no call.",
        why="A client that only tests for null ends the thought or the text there, at every single delta.",
        breaks=(
            "@ai-sdk/openai-compatible 2.0.41: makes three blocks of three tokens; put right by 2.0.92 and 3.0.44",
            "the deepseek, moonshotai, alibaba, groq and xai packages of that SDK: likewise",
            "ZCode 3.11.2, opencode (holds 2.0.41), 9router #3236: one panel per token",
        ),
        keys=frozenset({"tool_calls"}),
        shape=_empty_array,
    ),
    Rule(
        "tool-multi-in-delta",
        "warning",
        "delta",
        "`tool_calls` has several elements in {count} delta{s} ({detail}).",
        "Give each element a delta of its own.",
        why="Some readers look at element 0 only; accumulators that copy the first list strand a fragment.",
        breaks=(
            "openai-python #3425: a fragment stays behind",
            "openai-agents 0.24.0: merges them when the index is missing",
            "VS Code Copilot Chat reader, older LiteLLM builder: read the first element",
        ),
        kinds=frozenset({"tool.start", "tool.args"}),
        watch=_multi,
    ),
    Rule(
        "tool-other-choice",
        "warning",
        "stream",
        "Tool calls stand in {detail}, apart from the rest of the answer.",
        "Keep all that belongs to one answer in one choice.",
        why="Most clients read choice 0 alone, or take choices by place and merge them.",
        breaks=(
            "pydantic-ai 2.68.0, langchain-openai 1.7.4, @ai-sdk/openai-compatible 2.0.92, llm 0.36: merge the choices",
            "openai-agents 0.24.0: ignores the call",
            "LiteLLM 1.110.2: loses the call",
            "openai-node 6.49.0 helper: raises",
            "clients of Copilot with Claude models: see no call",
        ),
        end=_other_choice,
    ),
    Rule(
        "tool-markup-leak",
        "error",
        "block",
        "Markup of a model format stands in the text ({detail}).",
        "Let the server parse the calls of this model, with the parser made for it.",
        why="The server did not parse what the model wrote: no tool runs, and people see raw tags.",
        breaks=(
            "all clients: show the tags and run nothing",
            "axonhub #2516, sglang #40236: calls end up as text",
        ),
        heuristic=True,
        end=_markup,
    ),
    Rule(
        "tool-parallel-wrapper",
        "warning",
        "block",
        "A call of the made-up tool `parallel` wraps {detail} others.",
        "Unwrap the calls inside.",
        why="OpenAI models now and then write several calls as one of a tool that nobody offered.",
        breaks=("Vercel AI SDK before its fix: unknown tool",),
        end=_wrapper,
    ),
    Rule(
        "tool-legacy-function-call",
        "warning",
        "delta",
        "`function_call`, the form before `tool_calls`, is used in {count} delta{s}.",
        "Move to `tool_calls`.",
        why="The form is deprecated, and most newer clients pass over it.",
        breaks=("Vercel AI SDK, pydantic-ai, Zed: ignore the call",),
        keys=frozenset({"function_call"}),
        shape=_legacy,
    ),
)
"""The rules of this family that are about how calls are delivered."""
