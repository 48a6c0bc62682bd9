"""AI SDK UI message stream of AI SDK 5 and 6 (dialects.md section 16): parts by id, inside of steps.

An id names a part until the part or its step ends; after that a start makes another part of the same id (`reasoning-0`
comes in every step). Sources and facts: packages/ai/src/ui-message-stream/ui-message-chunks.ts and
packages/ai/src/ui/process-ui-message-stream.ts of vercel/ai.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspector_app.core.diagnosis import Rule
from inspector_app.core.errors import OWN, error_delta, is_filled, type_of
from inspector_app.core.parts import AFTER_CLOSE, NOT_STARTED
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._media import media_of

NAME = "ai-sdk-ui"
TITLE = "AI SDK UI message stream"
END_MARKER = "[DONE]"
MARKERS = (b"[DONE]",)
META = {"id": ("messageId",)}
NAMED_BY = "type"
"""An `event:` line is not usual; where there is one, it repeats this key."""
FAULTS = {
    NOT_STARTED: "meta-ui-delta-without-start",
    (AFTER_CLOSE, "text"): "meta-ui-delta-without-start",
    (AFTER_CLOSE, "reasoning"): "meta-ui-delta-without-start",
}
"""The client forgets a text or a thought at its end, a call never."""

FINISH = {
    "stop": "stop",
    "length": "length",
    "content-filter": "content_filter",
    "tool-calls": "tool_calls",
    "error": "error",
    "other": "error",
    "unknown": "error",
    "finish": "stop",
    "abort": "cancelled",
}
"""Finish reasons; `finish` and `abort` are the types of parts that need not give one. `other` and `unknown` stand for
an upstream that broke off or gave no reason."""

_SURE = {
    "start": frozenset({"messageId", "messageMetadata"}),
    "finish": frozenset({"finishReason", "messageMetadata"}),
    "abort": frozenset({"reason"}),
    "custom": frozenset({"kind", "providerMetadata"}),
}
"""Types that anybody may have, and all keys that they have here."""
_NEEDS = {"error": "errorText", "file": "url", "custom": "kind", "message-metadata": "messageMetadata"}
"""Types that anybody may have, and a key that they must have here."""

_KNOWN = frozenset(
    {"type", "id", "delta", "providerMetadata", "toolCallId", "toolName", "inputTextDelta", "input", "output"}
    | {"errorText", "providerExecuted", "dynamic", "title", "preliminary", "approvalId", "messageId", "messageMetadata"}
    | {"finishReason", "reason", "sourceId", "url", "mediaType", "filename", "data", "transient", "kind"}
)

_OPAQUE = {
    ("anthropic", "signature"): "reasoning.signature",
    ("anthropic", "redactedData"): "reasoning.redacted",
    ("bedrock", "signature"): "reasoning.signature",
    ("bedrock", "redactedData"): "reasoning.redacted",
    ("google", "thoughtSignature"): "reasoning.signature",
    ("vertex", "thoughtSignature"): "reasoning.signature",
    ("openai", "reasoningEncryptedContent"): "reasoning.encrypted",
    ("azure", "reasoningEncryptedContent"): "reasoning.encrypted",
}
"""What a provider wants back with a thought: its place in `providerMetadata`, and what it is."""


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    if type(payload) is not dict:
        return 0
    kind = type_of(payload)
    if kind.startswith("data-"):
        return 2 if "data" in payload else 0
    if kind not in _EVENTS or (kind in _NEEDS and _NEEDS[kind] not in payload):
        return 0
    return 2 if kind not in _SURE or payload.keys() - {"type"} <= _SURE[kind] else 0


def provider(payload: dict[str, Any]) -> str | None:
    """Whose answer is passed on: the first provider that says something of its own."""
    own = payload.get("providerMetadata")
    return next(iter(own), None) if type(own) is dict else None


def answer_id(payload: Any) -> str | None:
    """The id of the message that a start announces."""
    found = payload.get("messageId") if type(payload) is dict and payload.get("type") == "start" else None
    return found if isinstance(found, str) else None


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    kind = type_of(payload)
    event = _data if kind.startswith("data-") else _EVENTS.get(kind)
    if event is None:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    event(out, payload)
    for key, value in payload.items():
        if key not in _KNOWN and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    return out or [Delta("noop", 0, "", payload)]


# texts and thoughts


def _extra(payload: dict[str, Any], space: str) -> dict[str, Any]:
    name = payload.get("toolCallId" if space in ("call", "result") else "id")
    key = name if isinstance(name, str) else ""
    return {"key": (space, key)} | ({"index": key} if space in ("text", "reasoning") else {})


def _of(stem: str, what: str) -> Callable[[list[Delta], dict[str, Any]], None]:
    """The reader of a start, a delta or an end of a text or a thought."""
    more = {"form": "raw"} if stem == "reasoning" else {}

    def event(out: list[Delta], payload: dict[str, Any]) -> None:
        extra = _extra(payload, stem)
        value = payload.get("delta") if what == "delta" else None
        if what == "start":
            out.append(Delta(f"{stem}.start", 0, "", None, extra | more))
        elif isinstance(value, str) and value:
            out.append(Delta(f"{stem}.delta", 0, "/delta", value, extra | more))
        elif is_filled(value):
            out.append(Delta("unknown", 0, "/delta", value))
        _metadata(out, payload, extra if stem == "reasoning" else None)
        if what == "end":
            out.append(Delta(f"{stem}.end", 0, "", None, extra))

    return event


def _metadata(out: list[Delta], payload: dict[str, Any], extra: dict[str, Any] | None = None) -> None:
    """What the provider adds: signatures of thoughts by kind, everything else as it is."""
    own = payload.get("providerMetadata")
    if not is_filled(own):
        return
    said = len(out)
    if extra is not None and type(own) is dict:
        for (vendor, key), kind in _OPAQUE.items():
            holder = own.get(vendor)
            value = holder.get(key) if type(holder) is dict else None
            if isinstance(value, str) and value:
                place = f"/providerMetadata/{vendor}/{key}"
                out.append(Delta(kind, 0, place, value, extra | {"mode": "set", "format": vendor}))
    if len(out) == said:
        out.append(Delta("stream.meta", 0, "/providerMetadata", own))


# calls


def _start_call(out: list[Delta], payload: dict[str, Any]) -> None:
    own = {"id": payload.get("toolCallId"), "name": payload.get("toolName"), "resumes": True}
    kind = "server" if payload.get("providerExecuted") is True else "function"
    place = "/toolName" if "toolName" in payload else ""
    extra = _extra(payload, "call") | own | {"kind": kind}
    out.append(Delta("tool.start", 0, place, payload.get("toolName"), extra))


def _input_start(out: list[Delta], payload: dict[str, Any]) -> None:
    _start_call(out, payload)
    _metadata(out, payload)


def _input_delta(out: list[Delta], payload: dict[str, Any]) -> None:
    value = payload.get("inputTextDelta")
    if isinstance(value, str) and value:
        out.append(Delta("tool.args", 0, "/inputTextDelta", value, _extra(payload, "call")))
    elif is_filled(value):
        out.append(Delta("unknown", 0, "/inputTextDelta", value))
    if is_filled(payload.get("delta")):
        # The name that texts have: no client reads it here.
        out.append(Delta("unknown", 0, "/delta", payload["delta"]))


def _input_available(out: list[Delta], payload: dict[str, Any]) -> None:
    _start_call(out, payload)
    _metadata(out, payload)
    extra = _extra(payload, "call") | {"alone": True}
    out.append(Delta("tool.end", 0, "/input" if "input" in payload else "", payload.get("input"), extra))


def _input_error(out: list[Delta], payload: dict[str, Any]) -> None:
    _input_available(out, payload)
    _output(out, payload, "errorText", is_error=True)


def _output(out: list[Delta], payload: dict[str, Any], key: str, is_error: bool = False) -> None:
    preliminary = payload.get("preliminary") is True
    extra = _extra(payload, "result") | {"id": payload.get("toolCallId"), "is_error": is_error}
    extra |= {"preliminary": preliminary, "complete": not preliminary}
    out.append(Delta("tool.result", 0, "/" + key if key in payload else "", payload.get(key), extra))


def _output_available(out: list[Delta], payload: dict[str, Any]) -> None:
    _output(out, payload, "output")
    _metadata(out, payload)


def _output_error(out: list[Delta], payload: dict[str, Any]) -> None:
    _output(out, payload, "errorText", is_error=True)


def _output_denied(out: list[Delta], payload: dict[str, Any]) -> None:
    extra = _extra(payload, "result") | {"id": payload.get("toolCallId"), "is_error": True, "complete": True}
    out.append(Delta("tool.result", 0, "/type", payload.get("type"), extra))


# what stands beside


def _source(out: list[Delta], payload: dict[str, Any]) -> None:
    out.append(Delta("citation", 0, "", payload))


def _file(out: list[Delta], payload: dict[str, Any]) -> None:
    extra = {"media": media_of(payload.get("mediaType"))}
    out.append(Delta("media.delta", 0, "/url" if "url" in payload else "", payload.get("url"), extra))
    _metadata(out, payload)


def _data(out: list[Delta], payload: dict[str, Any]) -> None:
    """A part of the application's own: the value of an id is the last one; a transient part is kept by nobody."""
    kind, name = type_of(payload), payload.get("id")
    extra: dict[str, Any] = {"name": kind}
    if payload.get("transient") is not True:
        same = isinstance(name, str)
        extra |= {"key": (kind, name if same else None), "starts": True, "resumes": same, "block": "state"}
    out.append(Delta("state", 0, "/data" if "data" in payload else "", payload.get("data"), extra))


def _other(out: list[Delta], payload: dict[str, Any]) -> None:
    """A request for approval, its answer, or a part of a provider's own kind: shown whole."""
    extra = {"key": ("other", type_of(payload)), "starts": True, "block": "other", "name": type_of(payload)}
    out.append(Delta("state", 0, "", payload, extra))


# the message and its steps


def _start(out: list[Delta], payload: dict[str, Any]) -> None:
    out.append(Delta("stream.start", 0, "", {"id": payload.get("messageId")}))
    _message_metadata(out, payload)


def _message_metadata(out: list[Delta], payload: dict[str, Any]) -> None:
    if is_filled(payload.get("messageMetadata")):
        out.append(Delta("stream.meta", 0, "/messageMetadata", payload["messageMetadata"]))


def _start_step(out: list[Delta], payload: dict[str, Any]) -> None:
    out.append(Delta("step.start", 0, "", None))


def _finish_step(out: list[Delta], payload: dict[str, Any]) -> None:
    """Ids of texts and thoughts mean nothing behind it, whether they have ended or not."""
    out.append(Delta("step.end", 0, "", None, {"closes": ("text", "reasoning")}))


def _finish(out: list[Delta], payload: dict[str, Any]) -> None:
    reason = payload.get("finishReason")
    said = isinstance(reason, str) and bool(reason)
    raw = reason if isinstance(reason, str) and said else "finish"
    extra: dict[str, Any] = {"reason": FINISH.get(raw.lower()), "native": {}}
    if not said:
        extra["with_calls"] = "tool_calls"
    _message_metadata(out, payload)
    out.append(Delta("finish", 0, "/finishReason" if said else "/type", raw, extra))
    if not said and is_filled(reason):
        out.append(Delta("unknown", 0, "/finishReason", reason))


def _abort(out: list[Delta], payload: dict[str, Any]) -> None:
    native = {"reason": payload["reason"]} if is_filled(payload.get("reason")) else {}
    out.append(Delta("finish", 0, "/type", "abort", {"reason": FINISH["abort"], "native": native}))


def _error(out: list[Delta], payload: dict[str, Any]) -> None:
    found = error_delta(payload.get("errorText"), "/errorText" if "errorText" in payload else "", "event")
    if isinstance(payload.get("errorText"), str):
        found = found._replace(value=found.value | {"shape": OWN})
    out.append(found)


_EVENTS: dict[str, Callable[[list[Delta], dict[str, Any]], None]] = {
    **{f"{stem}-{what}": _of(stem, what) for stem in ("text", "reasoning") for what in ("start", "delta", "end")},
    "tool-input-start": _input_start,
    "tool-input-delta": _input_delta,
    "tool-input-available": _input_available,
    "tool-input-error": _input_error,
    "tool-approval-request": _other,
    "tool-approval-response": _other,
    "tool-output-available": _output_available,
    "tool-output-error": _output_error,
    "tool-output-denied": _output_denied,
    "source-url": _source,
    "source-document": _source,
    "file": _file,
    "reasoning-file": _file,
    "custom": _other,
    "start": _start,
    "start-step": _start_step,
    "finish-step": _finish_step,
    "reset-step": _finish_step,
    "message-metadata": _message_metadata,
    "finish": _finish,
    "abort": _abort,
    "error": _error,
}


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    first = path.partition(".")[0].partition("[")[0]
    return first in _KNOWN and (first != "errorText" or rules.error_key != "ignored")


RULES = (
    Rule(
        "meta-ui-delta-without-start",
        "error",
        "event",
        "{count} part{s} of a text, a thought or a call that is not open ({detail}).",
        "Open each id with its start part, again in every step, and send nothing for it behind its end.",
        why="The AI SDK client throws at the first of them, and what follows is never shown.",
        breaks=("AI SDK useChat: throws and ends the stream",),
    ),
)
"""The rules of this dialect."""
