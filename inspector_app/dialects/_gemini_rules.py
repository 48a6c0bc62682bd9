"""Gemini: refused prompts and calls, candidates without parts, signatures that get lost, calls that never end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector_app.core.diagnosis import Report, Rule, Seen, Watcher
from inspector_app.core.reading import Reading
from inspector_app.dialects._gemini_parts import BLOCKED, CALL_FAILURES, candidates

GEMINI = "gemini"
AT_RISK = frozenset({"extra_content", "provider_specific_fields"})
"""Fields in which gateways hide a signature in a Chat tool call."""


def _malformed(report: Report) -> Watcher:
    def watch(seen: Seen) -> None:
        for delta in seen.deltas:
            if delta.kind == "finish" and seen.dialect == GEMINI and delta.value.lower() in CALL_FAILURES:
                said = ((delta.extra or {}).get("native") or {}).get("finishMessage")
                report(seen.n, delta.pointer, detail=f"{delta.value}, {said}" if said else delta.value)

    return watch


def _no_parts(payload: Any) -> Iterator[str]:
    for pointer, candidate in candidates(payload):
        content = candidate.get("content")
        if type(content) is not dict:
            yield pointer
        elif not content.get("parts"):
            yield pointer + "/content"


def _no_candidates(reading: Reading, report: Report) -> None:
    silent = not reading.blocks and not reading.finishes and not reading.errors
    if reading.speaks != GEMINI or not silent or not len(reading.events):
        return
    if not any(any(candidates(reading.payload(n))) for n in range(len(reading.events))):
        report(reading.last_event)


def _blocked(report: Report) -> Watcher:
    def watch(seen: Seen) -> None:
        for delta in seen.deltas:
            if delta.kind == "stream.end" and delta.value == BLOCKED:
                holder = seen.payload.get("response") or seen.payload
                report(seen.n, delta.pointer, detail=str(holder["promptFeedback"]["blockReason"]))

    return watch


def _at_risk(report: Report) -> Watcher:
    def watch(seen: Seen) -> None:
        for delta in seen.deltas:
            extra = delta.extra or {}
            if delta.kind == "reasoning.signature" and (extra.get("at_risk") or extra.get("field") in AT_RISK):
                report(seen.n, delta.pointer)

    return watch


RULES = (
    Rule(
        "gemini-malformed-call",
        "error",
        "stream",
        "The API refused a tool call that the model tried: {detail}.",
        "Treat it as a failed answer and ask again; what the model wrote stands in `finishMessage`.",
        why="Nothing else in the stream tells it from an answer that is merely empty.",
        breaks=("hermes-agent #83882: keeps an empty answer as a success",),
        kinds=frozenset({"finish"}),
        watch=_malformed,
    ),
    Rule(
        "gemini-no-parts",
        "info",
        "event",
        "{count} candidate{s} without parts.",
        "Read a candidate that has no parts as one that says nothing, and still take its finish reason.",
        why="The last chunk often looks so, and code that reaches for the first part fails just there.",
        breaks=("req_llm #638: loses the finish reason",),
        keys=frozenset({"candidates"}),
        shape=_no_parts,
    ),
    Rule(
        "gemini-no-candidates",
        "error",
        "stream",
        "The whole stream has no candidate.",
        "See whether the prompt was blocked, and tell the user; there is no answer.",
        why="Code that takes the first candidate fails, and other code shows an answer without words.",
        breaks=("litellm #29167, hydra #855: crash, or an empty answer",),
        under=("gemini-prompt-blocked",),
        end=_no_candidates,
    ),
    Rule(
        "gemini-prompt-blocked",
        "warning",
        "stream",
        "The prompt was refused: {detail}.",
        "Tell the user why the prompt was refused.",
        why="Status 200 and no error object: without this field it seems that the model kept silent.",
        breaks=("hydra #855: an answer without words",),
        kinds=frozenset({"stream.end"}),
        watch=_blocked,
    ),
    Rule(
        "gemini-signature-at-risk",
        "warning",
        "delta",
        "{count} thought signature{s} where many clients overlook it.",
        "Store the part and send it back as it came, even where it has no text.",
        why="A turn that comes back without its signature is refused, or the model has forgotten its thoughts.",
        breaks=(
            "vercel/ai #12402, strands harness-sdk #3306: drop it with the empty part",
            "claude-code-router #1275: loses it on the way",
            "clients that know plain Chat alone: never see it",
        ),
        kinds=frozenset({"reasoning.signature"}),
        watch=_at_risk,
    ),
    Rule(
        "gemini-partial-args-unterminated",
        "warning",
        "block",
        "The streamed arguments of a call never get their end.",
        "Take the next call or the finish reason for the end.",
        why="The empty `functionCall` that ends such a call is missing in recordings of Vertex.",
        breaks=("strict readers: wait for the end and never run the call",),
        under=("end-truncated", "error-in-stream"),
    ),
)
"""The rules of this family."""
