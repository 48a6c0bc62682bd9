"""Finish reasons: missing, empty, repeated, contradicting the answer, or followed by more."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.ends import to_run
from inspector_app.core.reading import Reading
from inspector_app.findings._chat import REASONING_KEYS, choices, in_choices
from inspector_app.findings._several import behind, borders
from inspector_app.findings._spots import speakers

ANNOUNCES_CALLS = frozenset({"tool_calls", "function_call", "tool_use", "tool_call", "requires_action"})
"""Reasons, in lower case, that promise a call to run."""

FAILURES = frozenset({"error", "network_error", "insufficient_system_resource", "abort", "timeout", "other", "failed"})
"""Reasons, in lower case, that mean the answer broke off."""

CLEAN = frozenset({"stop", "length", "tool_calls"})
"""Normalized reasons of an answer that was given as it was meant."""

CONTENT = frozenset({"text", "reasoning", "refusal", "tool_call", "tool_result", "media"})

CONTENT_KEYS = frozenset(
    {*REASONING_KEYS, "thinking_blocks", "reasoning_details", "reasoning_opaque", "content", "refusal", "tool_calls"}
    | {"function_call", "audio", "images", "annotations", "citations", "executed_tools"}
)
"""Delta keys whose value makes a chunk more than an echo of the end."""


def _by_choice(reading: Reading) -> Iterator[list[dict[str, Any]]]:
    """The finish reasons of each choice of each generation."""
    several = len(reading.finishes) > len({entry["choice"] for entry in reading.finishes})
    begins = borders(reading) if several else []
    found: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for entry in reading.finishes:
        found.setdefault((bisect_right(begins, entry["event"]), entry["choice"]), []).append(entry)
    yield from found.values()


def _word(entry: dict[str, Any]) -> str:
    return str(entry["raw"]).lower()


def _missing(reading: Reading, report: Report) -> None:
    if not in_choices(reading):
        module = reading.dialect_module
        blocked = reading.marker in getattr(module, "ENDS_WITHOUT_FINISH", ())
        if getattr(module, "FINISH", None) and not reading.finishes and reading.framing != "json" and not blocked:
            report(reading.last_event)
        return
    finished = {entry["choice"] for entry in reading.finishes}
    open_ones = sorted(speakers(reading).keys() - finished)
    if not open_ones and not finished and any(any(choices(reading.payload(n))) for n in range(len(reading.events))):
        open_ones = [0]
    if open_ones:
        detail = f" (choice {', '.join(map(str, open_ones))})" if open_ones != [0] else ""
        report(reading.last_event, count=len(open_ones), detail=detail)


def _without_end(payload: Any) -> Iterator[str]:
    """Reasons that are text: whether it is the word "null" only the deltas say."""
    for pointer, choice in choices(payload):
        if type(choice.get("finish_reason")) is str:
            yield pointer + "/finish_reason"


def _no_finish(reading: Reading, events: array[int]) -> Iterator[int]:
    """The events whose reason gave no finish: it was "" or the word "null"."""
    ends = {layout.number for layout in reading.layouts.all if any(row[0] == "finish" for row in layout.rows)}
    yield from (n for n in events if reading.events.layouts[n] not in ends)


def _repeated(reading: Reading, report: Report) -> None:
    for entries in _by_choice(reading):
        seen: set[str] = set()
        for entry in entries:
            if _word(entry) in seen:
                report(entry["event"], entry["pointer"], detail=repr(entry["raw"]))
            seen.add(_word(entry))


def _conflict(reading: Reading, report: Report) -> None:
    for entries in _by_choice(reading):
        others = [entry for entry in entries if _word(entry) != _word(entries[0])]
        for entry in others:
            report(entry["event"], entry["pointer"], detail=f"{entries[0]['raw']} then {entry['raw']}")


def _stop_with_tools(reading: Reading, report: Report) -> None:
    if "tool_calls" not in getattr(reading.dialect_module, "FINISH", {}).values():
        return
    begins = borders(reading)
    callers = {(bisect_right(begins, block.first_event), block.choice) for block in to_run(reading.blocks)}
    for entries in _by_choice(reading):
        first = entries[0]
        if (bisect_right(begins, first["event"]), first["choice"]) in callers and first["reason"] == "stop":
            report(first["event"], first["pointer"], detail=repr(first["raw"]))


def _tools_without_call(reading: Reading, report: Report) -> None:
    if any(block.kind == "tool_call" for block in reading.blocks):
        return
    for entries in _by_choice(reading):
        for entry in entries[:1]:
            if _word(entry) in ANNOUNCES_CALLS:
                report(entry["event"], entry["pointer"], detail=repr(entry["raw"]))


def _error(reading: Reading, report: Report) -> None:
    for entry in reading.finishes:
        if _word(entry) in FAILURES:
            report(entry["event"], entry["pointer"], detail=repr(entry["raw"]))


def _echo(payload: Any) -> Iterator[str]:
    """Choices that say nothing but, at most, a role or a reason."""
    for pointer, choice in choices(payload):
        said = choice.get("delta") or choice.get("message")
        speaks = type(said) is dict and any(said[key] for key in CONTENT_KEYS & said.keys())
        if not speaks and not choice.get("error"):
            yield pointer


def _late_echo(reading: Reading, events: array[int]) -> Iterator[int]:
    """The events of choices that had finished before, in the same generation."""
    late = list(behind("finish")(reading, events))
    if len(speakers(reading)) < 2:
        yield from late
        return
    ends: dict[int, int] = {}
    for entry in reading.finishes:
        ends.setdefault(entry["choice"], entry["event"])
    for n in late:
        named = (choice.get("index") or 0 for _, choice in choices(reading.payload(n)))
        if any(ends.get(index, n) < n for index in named if type(index) is int):
            yield n


def _without_content(reading: Reading, report: Report) -> None:
    finishes = reading.finishes
    silent = not any(block.kind in CONTENT for block in reading.blocks)
    clean = bool(finishes) and all(entry["reason"] in CLEAN for entry in finishes)
    if silent and clean and not reading.errors and reading.framing != "json":
        report(finishes[0]["event"], finishes[0]["pointer"], detail=repr(finishes[0]["raw"]))


RULES = (
    Rule(
        "finish-missing",
        "error",
        "stream",
        "{count} choice{s} ended without a finish reason{detail}.",
        "Close every choice with one reason; when the upstream breaks, send an error and no clean end.",
        why="Nothing tells a cut answer from a whole one, and an end marker behind it makes things worse.",
        breaks=(
            "LiteLLM 1.110.2: raises MidStreamFallbackError",
            "openai-node 6.49.0 helper, @ai-sdk/openai-compatible 2.0.92, fantasy: raise",
            "openai-python 3.57.0, langchain-openai 1.7.4, openai-agents 0.24.0, llm 0.36: take half an answer for all",
            "pydantic-ai 2.68.0: reports stop",
            "@ai-sdk/openai 3.0.141, @ai-sdk/openai-compatible 2.0.41: report other, no error",
            "opencode #39968, pi #7441: half answers kept",
        ),
        under=("end-truncated", "error-in-stream", "frame-cut"),
        end=_missing,
    ),
    Rule(
        "finish-empty-string",
        "warning",
        "delta",
        '`finish_reason` is "" or "null" in {count} chunk{s} without an end.',
        "Keep `finish_reason` null until the chunk that ends the choice.",
        why="A client that only tests for null takes the first such chunk for the end.",
        breaks=(
            "cc-switch #5093, ollama #4357, sglang #3912: tool arguments end after their first fragment",
            "decoders with a closed list of reasons: refuse the chunk",
        ),
        keys=frozenset({"finish_reason"}),
        shape=_without_end,
        settle=_no_finish,
    ),
    Rule(
        "finish-repeated",
        "warning",
        "stream",
        "The finish reason {detail} comes {count} more time{s}.",
        "Give the reason in one chunk per choice, the last one.",
        why="Who stops at the first reason misses what stands behind it; OpenRouter repeats it with its usage.",
        breaks=("one-api #1408: the answer ends after its first words",),
        end=_repeated,
    ),
    Rule(
        "finish-conflict",
        "error",
        "stream",
        "One choice ends with two different reasons: {detail}.",
        "Settle the reason once, when the last fragment is known.",
        why="Some clients go by the first reason and some by the last, so it is chance whether a call runs.",
        breaks=(
            "ChatMock #114, dynamo #4153: a final stop makes the client drop its call",
            "langchain-openai 1.7.4: joins them to stoptool_calls when choices are merged",
        ),
        end=_conflict,
    ),
    Rule(
        "finish-stop-with-tools",
        "warning",
        "stream",
        "The answer holds tool calls, yet its finish reason is {detail}.",
        "Say tool_calls whenever calls were sent; as a client, go by the calls and not by the reason.",
        why="It is the normal form for a forced tool; a client that looks at the reason alone throws the call away.",
        breaks=(
            "openclaw #88799: call never runs",
            "Codex legacy: completes only on stop",
            "LiteLLM 1.110.2: replaces the reason by tool_calls",
        ),
        end=_stop_with_tools,
    ),
    Rule(
        "finish-tools-without-call",
        "error",
        "stream",
        "The finish reason {detail} announces calls, but none was sent.",
        "Compute the reason from the calls that really went out.",
        why="The agent waits for a call that got lost or never existed.",
        breaks=(
            "opencode2api #27: nothing to run",
            "LiteLLM 1.110.2: drops a call in choice 1 and keeps this reason",
        ),
        end=_tools_without_call,
    ),
    Rule(
        "finish-error",
        "error",
        "stream",
        "The finish reason {detail} says that the answer failed.",
        "Send an error object along with the reason, and treat either one as a failure.",
        why="To a client that does not know the word this is an ordinary end.",
        breaks=(
            "OmniRoute #8210, octo-agent #910: the failure passes for a normal end",
            "decoders with a closed list of reasons: refuse the chunk",
        ),
        under=("error-in-stream",),
        end=_error,
    ),
    Rule(
        "finish-content-after",
        "warning",
        "delta",
        "{count} piece{s} of content came after the finish reason of the choice.",
        "Put the reason into the last chunk; as a client, read on to the end marker.",
        why="What comes late is lost on everyone who closes the answer at the reason.",
        breaks=(
            "one-api #1408: loses the rest",
            "Roo Code: closes its tool calls at the reason",
        ),
        settle=behind("finish"),
    ),
    Rule(
        "finish-chunk-after",
        "info",
        "delta",
        "{count} further chunk{s} without content named a choice that had finished.",
        "Skip late chunks that say nothing; as a server, put usage beside an empty choices list.",
        why="OpenRouter's usage and Azure's late filter results come so; a careless reader opens a new message.",
        breaks=("readers that touch the delta without a test: fail on a missing one",),
        keys=frozenset({"choices"}),
        shape=_echo,
        settle=_late_echo,
    ),
    Rule(
        "finish-without-content",
        "warning",
        "stream",
        "The stream ends normally ({detail}) without a single piece of content.",
        "Handle an empty answer as a failure: retry it or tell the user.",
        why="Gemini models are known for it behind many gateways; nothing shows that anything went wrong.",
        breaks=("agent loops: stop without a word",),
        end=_without_content,
    ),
)
"""The rules of this family."""
