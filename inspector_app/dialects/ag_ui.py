"""AG-UI, the protocol between agents and user interfaces (dialects.md section 17.1): messages and calls by id.

A `CHUNK` opens what it names, and nothing ends it but the next event of another id or kind; the ids stand in the first
one only. The state comes as a snapshot and as JSON patches, which are applied. Facts: src/agui-types.ts of
CopilotKit/aimock, docs.ag-ui.com.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspector_app.core.errors import OWN, error_delta, is_filled, type_of
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta

NAME = "ag-ui"
TITLE = "AG-UI events"
META = {"id": ("runId",)}
NAMED_BY = "type"
"""The `event:` line, where there is one, repeats this key."""

FINISH = {"run_finished": "stop", "success": "stop", "interrupt": "pause"}
"""How a run ends: its outcome, or the event where it gives none."""

_KNOWN = frozenset(
    {"type", "timestamp", "messageId", "toolCallId", "toolCallName", "parentMessageId", "delta", "role", "name"}
    | {"threadId", "runId", "parentRunId", "stepName", "message", "code", "content", "snapshot", "messages", "title"}
    | {"activityType", "patch", "replace", "subtype", "entityId", "encryptedValue", "value", "event", "source"}
    | {"outcome", "result", "input"}
)


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3): its types are all in capitals."""
    if type(payload) is not dict:
        return 0
    kind = type_of(payload)
    return 2 if kind in _EVENTS and _NEEDS.get(kind, kind) in (kind, *payload) else 0


_NEEDS = {"RAW": "event", "CUSTOM": "value"}
"""Types that anybody may have, and a key that they must have here."""


def provider(payload: dict[str, Any]) -> str | None:
    """Who sent it: an event does not say whose agent runs."""
    return None


def answer_id(payload: Any) -> str | None:
    """The id of the run that an event announces."""
    found = payload.get("runId") if type(payload) is dict and payload.get("type") == "RUN_STARTED" else None
    return found if isinstance(found, str) else None


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    event = _EVENTS.get(type_of(payload)) if type(payload) is dict else None
    if event is None:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    event(out, payload)
    for key, value in payload.items():
        if key == "rawEvent" and is_filled(value):
            out.append(Delta("stream.meta", 0, "/rawEvent", value))
        elif key not in _KNOWN and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    return out or [Delta("noop", 0, "", payload)]


# messages and thoughts

_OPENS = {"starts": True, "resumes": True}
"""A chunk opens its block where that is not open."""


def _extra(payload: dict[str, Any], space: str, chunk: bool = False) -> dict[str, Any]:
    """The key of what an event speaks of; a chunk without an id goes on with the latest of its kind."""
    name = payload.get("toolCallId" if space in ("call", "result") else "messageId")
    named = isinstance(name, str) and bool(name)
    if not chunk:
        return {"key": (space, name if named else "")}
    return {"key": (space, name), "implied": True} | _OPENS if named else {"key": None, "implied": True}


def _start(stem: str) -> Callable[[list[Delta], dict[str, Any]], None]:
    def event(out: list[Delta], payload: dict[str, Any]) -> None:
        extra = _extra(payload, stem)
        if stem == "reasoning":
            extra["form"] = "raw"
        out.append(Delta(f"{stem}.start", 0, "", None, extra))

    return event


def _piece(stem: str, chunk: bool = False) -> Callable[[list[Delta], dict[str, Any]], None]:
    def event(out: list[Delta], payload: dict[str, Any]) -> None:
        value, extra = payload.get("delta"), _extra(payload, stem, chunk)
        if stem == "reasoning":
            extra["form"] = "raw"
        if isinstance(value, str) and value:
            out.append(Delta(f"{stem}.delta", 0, "/delta", value, extra))
        elif is_filled(value):
            out.append(Delta("unknown", 0, "/delta", value))
        elif chunk and extra["key"] is not None:
            out.append(Delta(f"{stem}.start", 0, "/messageId", None, extra))

    return event


def _end(stem: str) -> Callable[[list[Delta], dict[str, Any]], None]:
    def event(out: list[Delta], payload: dict[str, Any]) -> None:
        out.append(Delta(f"{stem}.end", 0, "", None, _extra(payload, "call" if stem == "tool" else stem)))

    return event


def _encrypted(out: list[Delta], payload: dict[str, Any]) -> None:
    """What the model wants back with a thought, or with a call."""
    owner = payload.get("entityId")
    space = "call" if payload.get("subtype") == "tool-call" else "reasoning"
    if is_filled(payload.get("encryptedValue")):
        extra = {"key": (space, owner if isinstance(owner, str) else "")}
        out.append(Delta("reasoning.encrypted", 0, "/encryptedValue", payload["encryptedValue"], extra))


def _group(kind: str) -> Callable[[list[Delta], dict[str, Any]], None]:
    """The bounds of a group of thoughts, each of which has its own."""

    def event(out: list[Delta], payload: dict[str, Any]) -> None:
        key = next((key for key in ("title", "messageId") if key in payload), "type")
        out.append(Delta(kind, 0, "/" + key, payload[key]))

    return event


# calls


def _labels(payload: dict[str, Any]) -> dict[str, Any]:
    return {"id": payload.get("toolCallId"), "name": payload.get("toolCallName"), "kind": "function"}


def _call_start(out: list[Delta], payload: dict[str, Any]) -> None:
    place = "/toolCallName" if "toolCallName" in payload else ""
    extra = _extra(payload, "call") | _labels(payload)
    out.append(Delta("tool.start", 0, place, payload.get("toolCallName"), extra))


def _arguments(out: list[Delta], payload: dict[str, Any], extra: dict[str, Any]) -> None:
    value = payload.get("delta")
    if isinstance(value, str) and value:
        out.append(Delta("tool.args", 0, "/delta", value, extra))
    elif is_filled(value):
        out.append(Delta("unknown", 0, "/delta", value))


def _call_args(out: list[Delta], payload: dict[str, Any]) -> None:
    _arguments(out, payload, _extra(payload, "call"))


def _call_chunk(out: list[Delta], payload: dict[str, Any]) -> None:
    extra = _extra(payload, "call", chunk=True)
    if is_filled(payload.get("toolCallName")) and extra["key"] is not None:
        labels = _labels(payload)
        out.append(Delta("tool.start", 0, "/toolCallName", payload["toolCallName"], extra | labels))
    _arguments(out, payload, extra | ({"id": payload["toolCallId"]} if extra["key"] is not None else {}))


def _call_result(out: list[Delta], payload: dict[str, Any]) -> None:
    extra = _extra(payload, "result") | {"id": payload.get("toolCallId"), "complete": True}
    out.append(Delta("tool.result", 0, "/content" if "content" in payload else "", payload.get("content"), extra))


# states


def _state(key: str, mode: str, space: str) -> Callable[[list[Delta], dict[str, Any]], None]:
    def event(out: list[Delta], payload: dict[str, Any]) -> None:
        name = payload.get("messageId") if space == "activity" else ""
        how = "first" if payload.get("replace") is False and mode == "snapshot" else mode
        extra = {"key": (space, name if isinstance(name, str) else ""), "mode": how, "block": "state", "name": space}
        out.append(Delta("state", 0, "/" + key if key in payload else "", payload.get(key), extra | _OPENS))

    return event


def _custom(out: list[Delta], payload: dict[str, Any]) -> None:
    extra = {"name": payload.get("name")}
    out.append(Delta("state", 0, "/value" if "value" in payload else "", payload.get("value"), extra))


def _raw(out: list[Delta], payload: dict[str, Any]) -> None:
    """An event of somebody else, passed on as it was."""
    out.append(Delta("stream.meta", 0, "/event" if "event" in payload else "", payload.get("event")))


# the run and its steps


def _run_started(out: list[Delta], payload: dict[str, Any]) -> None:
    out.append(Delta("stream.start", 0, "", {"id": payload.get("runId")}))
    if is_filled(payload.get("input")):
        out.append(Delta("stream.meta", 0, "/input", payload["input"]))


def _run_finished(out: list[Delta], payload: dict[str, Any]) -> None:
    outcome = payload.get("outcome")
    said = type_of(outcome) if type(outcome) is dict else outcome if isinstance(outcome, str) else ""
    place = "/outcome/type" if said and type(outcome) is dict else "/outcome" if said else "/type"
    raw = said or "RUN_FINISHED"
    reason = FINISH.get(raw.lower())
    native = {"interrupts": outcome["interrupts"]} if type(outcome) is dict and outcome.get("interrupts") else {}
    extra: dict[str, Any] = {"reason": reason, "native": native}
    if reason == "stop":
        extra["with_calls"] = "tool_calls"
    if is_filled(payload.get("result")):
        out.append(Delta("stream.meta", 0, "/result", payload["result"]))
    out.append(Delta("finish", 0, place, raw, extra))
    out.append(Delta("stream.end", 0, "", "RUN_FINISHED"))


def _run_error(out: list[Delta], payload: dict[str, Any]) -> None:
    found = error_delta(payload | {"type": None}, "", "event")
    shape = OWN if found.value["shape"] == "object" else found.value["shape"]
    out.append(found._replace(value=found.value | {"shape": shape}))
    out.append(Delta("stream.end", 0, "", "RUN_ERROR"))


def _step(kind: str) -> Callable[[list[Delta], dict[str, Any]], None]:
    def event(out: list[Delta], payload: dict[str, Any]) -> None:
        out.append(Delta(kind, 0, "/stepName" if "stepName" in payload else "", payload.get("stepName")))

    return event


_EVENTS: dict[str, Callable[[list[Delta], dict[str, Any]], None]] = {
    "RUN_STARTED": _run_started,
    "RUN_FINISHED": _run_finished,
    "RUN_ERROR": _run_error,
    "STEP_STARTED": _step("step.start"),
    "STEP_FINISHED": _step("step.end"),
    "TEXT_MESSAGE_START": _start("text"),
    "TEXT_MESSAGE_CONTENT": _piece("text"),
    "TEXT_MESSAGE_END": _end("text"),
    "TEXT_MESSAGE_CHUNK": _piece("text", chunk=True),
    "TOOL_CALL_START": _call_start,
    "TOOL_CALL_ARGS": _call_args,
    "TOOL_CALL_END": _end("tool"),
    "TOOL_CALL_CHUNK": _call_chunk,
    "TOOL_CALL_RESULT": _call_result,
    "STATE_SNAPSHOT": _state("snapshot", "snapshot", "state"),
    "STATE_DELTA": _state("delta", "patch", "state"),
    "MESSAGES_SNAPSHOT": _state("messages", "snapshot", "messages"),
    "ACTIVITY_SNAPSHOT": _state("content", "snapshot", "activity"),
    "ACTIVITY_DELTA": _state("patch", "patch", "activity"),
    "REASONING_START": _group("step.start"),
    "REASONING_END": _group("step.end"),
    "REASONING_MESSAGE_START": _start("reasoning"),
    "REASONING_MESSAGE_CONTENT": _piece("reasoning"),
    "REASONING_MESSAGE_END": _end("reasoning"),
    "REASONING_MESSAGE_CHUNK": _piece("reasoning", chunk=True),
    "REASONING_ENCRYPTED_VALUE": _encrypted,
    "THINKING_START": _group("step.start"),
    "THINKING_END": _group("step.end"),
    "THINKING_TEXT_MESSAGE_START": _start("reasoning"),
    "THINKING_TEXT_MESSAGE_CONTENT": _piece("reasoning"),
    "THINKING_TEXT_MESSAGE_END": _end("reasoning"),
    "RAW": _raw,
    "CUSTOM": _custom,
}


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    first = path.partition(".")[0].partition("[")[0]
    return first in _KNOWN and (first != "encryptedValue" or "opaque" in rules.extras)
