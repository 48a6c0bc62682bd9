"""Errors inside the stream: framed or not, in any shape, hidden by a relay, or covered by a clean end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from inspector_app.core.diagnosis import Report, Rule, Seen, Watcher
from inspector_app.core.errors import OWN, body_error
from inspector_app.core.reading import Reading
from inspector_app.findings._chat import CHAT, choices
from inspector_app.findings._places import lone_element

SUCCESS = frozenset({"stop", "length", "tool_calls"})

SAYS_NOTHING = frozenset({"role", "noop", "padding", "stream.meta", "usage"})
"""Delta kinds that an empty chunk may still have."""


def _in_stream(report: Report) -> Watcher:
    def watch(seen: Seen) -> None:
        if seen.framing == "json":
            return
        for delta in seen.deltas:
            if delta.kind == "error":
                report(seen.n, delta.pointer, detail=_words(delta.value), case="" if seen.dialect in CHAT else "other")

    return watch


def _words(value: dict[str, Any]) -> str:
    said = [value[key] for key in ("message", "type", "code") if value.get(key) not in (None, "")]
    return f": {said[0]}" if said else ""


def _no_body_error(reading: Reading, events: Iterable[int]) -> Iterable[int]:
    """An error that is all there is, alone in an array, is body-json-error."""
    return () if body_error(lone_element(reading)) is not None else events


def _swallowed(reading: Reading, report: Report) -> None:
    """Ollama's compatible layer decodes an error line into an empty chunk and ends there (dialects.md 7.18)."""
    ended = reading.marker is not None or reading.errors or reading.finishes
    if ended or reading.speaks not in CHAT or reading.framing == "json":
        return
    for n in range(len(reading.events) - 1, -1, -1):
        payload = reading.payload(n)
        if payload is None:
            continue
        if type(payload) is not dict or not any(choices(payload)):
            return
        if payload.get("id") or payload.get("model") or not (reading.meta or "model" in payload):
            return
        rows = reading.layouts[reading.events.layouts[n]].rows
        if all(kind in SAYS_NOTHING for kind, _, _ in rows):
            report(n)
        return


def _then_done(reading: Reading, report: Report) -> None:
    if not reading.errors or reading.framing == "json":
        return
    first = reading.errors[0]["event"]
    good = next((e for e in reading.finishes if e["event"] >= first and e["reason"] in SUCCESS), None)
    if good is not None:
        report(good["event"], good["pointer"], detail=f"finish reason {good['raw']!r}")
    elif reading.marker is not None and (reading.marker_event or 0) > first:
        report(reading.marker_event or 0, detail=f"end marker {reading.marker}")


def _shape(report: Report) -> Watcher:
    def watch(seen: Seen) -> None:
        for delta in seen.deltas:
            if delta.kind == "error":
                odd = _oddity(delta.value, delta.pointer, seen)
                if odd:
                    report(seen.n, delta.pointer, detail=odd)

    return watch


SHAPES = {
    "string": "a bare string",
    "no message": "an object without a message",
    "nested": "an object inside an object",
    "base_resp": "a base_resp status",
}


def _oddity(value: dict[str, Any], pointer: str, seen: Seen) -> str:
    """What keeps an error from being `{"error": {"message", "type", "code"}}`, "" when it is just that."""
    shape = value["shape"]
    if shape == OWN:
        return ""
    if shape != "object":
        return SHAPES.get(shape, f"a value of type {shape}")
    if type(value.get("code")) not in (str, type(None)):
        return f"an object whose code is {type(value['code']).__name__}, not text"
    if not pointer and seen.dialect in CHAT:
        return "an object that no error key holds"
    return ""


RULES = (
    Rule(
        "error-in-stream",
        "error",
        "event",
        "The stream carries an error{detail}",
        "Look for an error in every event before you use it; as a gateway, send it in an event without choices.",
        why="The status line said 200 long before, so a client that reads only the answer shows a short or empty one.",
        breaks=(
            "@ai-sdk/openai 3.0.141: in Chat Completions, overlooks an error beside choices and ends with other",
            "Marinara-Engine #2659: stores half an answer as a finished one",
        ),
        kinds=frozenset({"error"}),
        cases={
            "other": "Look for an error in every event before you use it, and take the answer for cut; as a gateway, "
            "send it in the form that this API documents."
        },
        watch=_in_stream,
        settle=_no_body_error,
    ),
    Rule(
        "error-swallowed",
        "error",
        "stream",
        "The stream stops after an empty chunk without id and model: an upstream error was probably decoded into it.",
        "Relays must pass an upstream error on as an error.",
        why="Ollama's compatible layer reads its own error line as a chat chunk with nothing in it.",
        breaks=("every client: sees an empty answer, or one that just stops",),
        heuristic=True,
        end=_swallowed,
    ),
    Rule(
        "error-then-done",
        "info",
        "stream",
        "After the error the stream still ends as if all were well ({detail}).",
        "Once an error came, ignore whatever end follows.",
        why="A reader that passes over events it does not know takes this for a clean end.",
        breaks=("readers that skip unknown events: report success",),
        end=_then_done,
    ),
    Rule(
        "error-shape",
        "info",
        "event",
        "The error has another form than the dialect documents: {detail}.",
        "Send errors in the form that the dialect documents.",
        why="Clients with typed errors fail to find the text that tells the user what happened.",
        breaks=(
            "openai-python 3.57.0: raises APIError without the text when the error is a string",
            "@ai-sdk/openai-compatible 2.0.92, @ai-sdk/openai 3.0.141: report a schema fault in place of the error",
        ),
        under=("error-in-stream",),
        kinds=frozenset({"error"}),
        watch=_shape,
    ),
)
"""The rules of this family."""
