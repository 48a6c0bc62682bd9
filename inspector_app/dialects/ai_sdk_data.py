"""AI SDK data stream v1, of AI SDK 3 and 4 (dialects.md section 16): a code says what each value is.

Text and reasoning have no start and no end, calls have ids. The framing hands the code on as the name of the event.
Facts: packages/ui-utils/src/data-stream-parts.ts of vercel/ai.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspector_app.core.errors import OWN, error_delta, is_filled
from inspector_app.core.parts import NOT_STARTED
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._media import media_of

NAME = "ai-sdk-data"
TITLE = "AI SDK data stream (AI SDK 3 and 4)"
META: dict[str, tuple[str, ...]] = {}
"""Each step has an id of its own, so none is that of the answer."""
FAULTS = {NOT_STARTED: "meta-ui-delta-without-start"}
"""The client looks up the call of a piece of arguments without a test."""

FINISH = {
    "stop": "stop",
    "length": "length",
    "content-filter": "content_filter",
    "tool-calls": "tool_calls",
    "error": "error",
    "other": "error",
    "unknown": "error",
}
"""Finish reasons. `other` and `unknown` stand for an upstream that broke off or gave no reason."""

_USAGE = {"input": "promptTokens", "output": "completionTokens", "total": "totalTokens"}


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect: a code, and a value of its type with a key of its own."""
    kind, _, known = _PARTS.get(name or "", (None, None, _ANY))
    signs = known or _SIGNS.get(name or "", _ANY)
    if type(payload) is not kind or (type(payload) is dict and signs and signs.isdisjoint(payload)):
        return 0
    return 2


def provider(payload: dict[str, Any]) -> str | None:
    """Who sent it: the stream does not say whose answer it passes on."""
    return None


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event, by its code. Pure: equal payloads give equal deltas, and none raises."""
    kind, part, known = _PARTS.get(name or "", (None, None, frozenset()))
    if part is None or type(payload) is not kind:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    part(out, payload)
    for key, value in payload.items() if type(payload) is dict and known else ():
        if key not in known and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    return out or [Delta("noop", 0, "", payload)]


def _text(out: list[Delta], payload: str) -> None:
    if payload:
        out.append(Delta("text.delta", 0, "", payload))


def _reasoning(out: list[Delta], payload: str) -> None:
    if payload:
        out.append(Delta("reasoning.delta", 0, "", payload, {"field": "reasoning", "form": "raw"}))


def _redacted(out: list[Delta], payload: dict[str, Any]) -> None:
    if is_filled(payload.get("data")):
        out.append(Delta("reasoning.redacted", 0, "/data", payload["data"], {"field": "reasoning"}))


def _signature(out: list[Delta], payload: dict[str, Any]) -> None:
    value = payload.get("signature")
    if isinstance(value, str) and value:
        out.append(Delta("reasoning.signature", 0, "/signature", value, {"field": "reasoning", "mode": "set"}))
    elif is_filled(value):
        out.append(Delta("unknown", 0, "/signature", value))


def _error(out: list[Delta], payload: str) -> None:
    found = error_delta(payload, "", "event")
    out.append(found._replace(value=found.value | {"shape": OWN}))


# calls


def _key(payload: dict[str, Any], space: str) -> dict[str, Any]:
    name = payload.get("toolCallId")
    return {"key": (space, name if isinstance(name, str) else "")}


def _call_start(out: list[Delta], payload: dict[str, Any]) -> None:
    own = {"id": payload.get("toolCallId"), "name": payload.get("toolName"), "kind": "function", "resumes": True}
    place = "/toolName" if "toolName" in payload else ""
    out.append(Delta("tool.start", 0, place, payload.get("toolName"), _key(payload, "call") | own))


def _call_delta(out: list[Delta], payload: dict[str, Any]) -> None:
    value = payload.get("argsTextDelta")
    if isinstance(value, str) and value:
        out.append(Delta("tool.args", 0, "/argsTextDelta", value, _key(payload, "call")))
    elif is_filled(value):
        out.append(Delta("unknown", 0, "/argsTextDelta", value))


def _call(out: list[Delta], payload: dict[str, Any]) -> None:
    _call_start(out, payload)
    extra = _key(payload, "call") | {"alone": True}
    out.append(Delta("tool.end", 0, "/args" if "args" in payload else "", payload.get("args"), extra))


def _result(out: list[Delta], payload: dict[str, Any]) -> None:
    extra = _key(payload, "result") | {"id": payload.get("toolCallId"), "complete": True}
    out.append(Delta("tool.result", 0, "/result" if "result" in payload else "", payload.get("result"), extra))


# steps and the end


def _step_start(out: list[Delta], payload: dict[str, Any]) -> None:
    out.append(Delta("step.start", 0, "", payload))


def _step_end(out: list[Delta], payload: dict[str, Any]) -> None:
    """Reason and usage are those of the step; the whole answer has its own at the end."""
    out.append(Delta("step.end", 0, "", payload))


def _finish(out: list[Delta], payload: dict[str, Any]) -> None:
    reason = payload.get("finishReason")
    if isinstance(reason, str) and reason:
        extra: dict[str, Any] = {"reason": FINISH.get(reason.lower()), "native": {}}
        out.append(Delta("finish", 0, "/finishReason", reason, extra))
    elif is_filled(reason):
        out.append(Delta("unknown", 0, "/finishReason", reason))
    raw = payload.get("usage")
    if type(raw) is dict:
        value: dict[str, int | None] = dict.fromkeys(("input", "output", "reasoning", "cache_read", "cache_write"))
        counts = {name: raw.get(key) for name, key in _USAGE.items()}
        value |= {name: count if type(count) is int else None for name, count in counts.items()}
        out.append(Delta("usage", 0, "/usage", value, {"where": "root", "raw": raw}))
    elif is_filled(raw):
        out.append(Delta("unknown", 0, "/usage", raw))


# what stands beside


def _data(out: list[Delta], payload: list[Any]) -> None:
    """Values of the application's own; the client keeps all of them in one list."""
    extra = {"key": ("data",), "starts": True, "resumes": True, "mode": "append", "block": "state", "name": "data"}
    out.append(Delta("state", 0, "", payload, extra))


def _annotations(out: list[Delta], payload: list[Any]) -> None:
    out.append(Delta("stream.meta", 0, "", payload))


def _source(out: list[Delta], payload: dict[str, Any]) -> None:
    out.append(Delta("citation", 0, "", payload))


def _file(out: list[Delta], payload: dict[str, Any]) -> None:
    extra = {"media": media_of(payload.get("mimeType"))}
    out.append(Delta("media.delta", 0, "/data" if "data" in payload else "", payload.get("data"), extra))


def _old(out: list[Delta], payload: Any) -> None:
    """A part of the first version, of which nothing is left but its code."""
    out.append(Delta("unknown", 0, "", payload))


def _nothing(out: list[Delta], payload: Any) -> None:
    """The end of a piece of reasoning: a later one goes on where it was, for it has no name."""


_CALL = frozenset({"toolCallId", "toolName", "args", "argsTextDelta", "result"})
_END = frozenset({"finishReason", "usage", "isContinued"})
_ANY: frozenset[str] = frozenset()
_SIGNS = {"e": _END, "f": frozenset({"messageId"}), "h": frozenset({"sourceType", "id", "url"})}
"""Code -> keys of which one is there, where others are taken too: a letter alone is a name that any event may have."""

_PARTS: dict[str, tuple[type, Callable[[list[Delta], Any], None], frozenset[str]]] = {
    "0": (str, _text, _ANY),
    "1": (dict, _old, _ANY),
    "2": (list, _data, _ANY),
    "3": (str, _error, _ANY),
    "4": (dict, _old, _ANY),
    "5": (dict, _old, _ANY),
    "6": (dict, _old, _ANY),
    "7": (dict, _old, _ANY),
    "8": (list, _annotations, _ANY),
    "9": (dict, _call, _CALL),
    "a": (dict, _result, _CALL),
    "b": (dict, _call_start, _CALL),
    "c": (dict, _call_delta, _CALL),
    "d": (dict, _finish, _END),
    "e": (dict, _step_end, _ANY),
    "f": (dict, _step_start, _ANY),
    "g": (str, _reasoning, _ANY),
    "h": (dict, _source, _ANY),
    "i": (dict, _redacted, frozenset({"data"})),
    "j": (dict, _signature, frozenset({"signature"})),
    "k": (dict, _file, frozenset({"data", "mimeType"})),
    "l": (dict, _nothing, _ANY),
}
"""Code -> the type of its value, who reads it, and the keys that are read (none where all of it is)."""

_READ_BY_SOME: tuple[tuple[str, Callable[[ReadingRules], bool]], ...] = (
    ("signature", lambda rules: "signature" in rules.extras),
    ("usage", lambda rules: rules.usage != "none"),
    ("", lambda rules: True),
)


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    first = path.partition(".")[0].partition("[")[0]
    known = first in _CALL | _END | {
        "",
        "data",
        "mimeType",
        "signature",
        "messageId",
        "sourceType",
        "id",
        "url",
        "title",
    }
    return known and next(test for place, test in _READ_BY_SOME if place in (first, ""))(rules)
