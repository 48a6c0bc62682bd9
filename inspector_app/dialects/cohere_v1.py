"""Cohere v1 chat: JSON lines by `event_type`, the whole answer once more at the end (dialects.md section 14)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._usage import cohere_usage

NAME = "cohere-v1"
TITLE = "Cohere chat v1"
META = {"id": ("generation_id",)}

FINISH = {
    "complete": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "error": "error",
    "error_limit": "error",
    "error_toxic": "content_filter",
    "user_cancel": "cancelled",
}
"""Finish reasons by lower-case wire word."""

_ROOT_KNOWN = frozenset({"event_type", "is_finished"})
_PLAN = {"field": "text", "form": "plan"}


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    kind = payload.get("event_type") if type(payload) is dict else None
    return 2 if isinstance(kind, str) and kind in _EVENTS and "is_finished" in payload else 0


def provider(payload: dict[str, Any]) -> str | None:
    """Who sent it: nobody else speaks so."""
    return "cohere"


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one line. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    kind = payload.get("event_type")
    event = _EVENTS.get(kind) if isinstance(kind, str) else None
    if event is None:
        return [error_delta(payload, "", "event") if "message" in payload else Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    taken = event(out, payload)
    for key, value in payload.items():
        if key not in _ROOT_KNOWN and key not in taken and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    return out or [Delta("noop", 0, "", payload)]


Taken = tuple[str, ...]
"""The root keys that an event has read."""


def _start(out: list[Delta], payload: dict[str, Any]) -> Taken:
    out.append(Delta("stream.start", 0, "", {"id": payload.get("generation_id")}))
    return ("generation_id",)


def _text(out: list[Delta], payload: dict[str, Any]) -> Taken:
    value = payload.get("text")
    if isinstance(value, str) and value:
        out.append(Delta("text.delta", 0, "/text", value, {"field": "text"}))
    return ("text",) if isinstance(value, str) else ()


def _plan(out: list[Delta], payload: dict[str, Any]) -> Taken:
    """The text of a piece of a call is the plan of the tools."""
    value = payload.get("text")
    if isinstance(value, str) and value:
        out.append(Delta("reasoning.delta", 0, "/text", value, _PLAN))
    return ("text",) if isinstance(value, str) else ()


def _call_piece(out: list[Delta], payload: dict[str, Any]) -> Taken:
    piece = payload.get("tool_call_delta")
    taken = _plan(out, payload)
    if type(piece) is not dict:
        return taken
    index = piece.get("index")
    key = {"key": ("call", index), "index": index} if type(index) is int else {"key": None}
    if isinstance(piece.get("name"), str) and piece["name"]:
        extra = key | {"kind": "function", "name": piece["name"], "resumes": True, "nameless": True}
        out.append(Delta("tool.start", 0, "/tool_call_delta/name", piece["name"], extra))
    if is_filled(piece.get("parameters")):
        out.append(Delta("tool.args", 0, "/tool_call_delta/parameters", piece["parameters"], key))
    for name, value in piece.items():
        if name not in ("index", "name", "parameters") and is_filled(value):
            out.append(Delta("unknown", 0, f"/tool_call_delta/{escape(name)}", value))
    return (*taken, "tool_call_delta")


def _calls(out: list[Delta], payload: dict[str, Any]) -> Taken:
    """All calls, whole; what the pieces said is said again."""
    calls = payload.get("tool_calls")
    for at, call in enumerate(calls if type(calls) is list else ()):
        place = f"/tool_calls/{at}"
        if type(call) is not dict:
            out.append(Delta("unknown", 0, place, call))
            continue
        extra = {"key": ("call", at), "index": at, "kind": "function", "name": call.get("name"), "nameless": True}
        end = extra | {"opens": True, "alone": True}
        held = "parameters" in call
        out.append(Delta("tool.end", 0, place + "/parameters" if held else place, call.get("parameters"), end))
        for name, value in call.items():
            if name not in ("name", "parameters") and is_filled(value):
                out.append(Delta("unknown", 0, f"{place}/{escape(name)}", value))
    # The plan stands here once more, or for the first time where no call was streamed: which, only the history knows.
    if isinstance(payload.get("text"), str) and payload["text"]:
        out.append(Delta("noop", 0, "/text", payload["text"], {"field": "text"}))
    return ("tool_calls", "text") if type(calls) is list else ("text",)


def _citations(out: list[Delta], payload: dict[str, Any]) -> Taken:
    found = payload.get("citations")
    if type(found) is not list:
        return ()
    out += [Delta("citation", 0, f"/citations/{at}", one) for at, one in enumerate(found) if is_filled(one)]
    return ("citations",)


def _search(out: list[Delta], payload: dict[str, Any]) -> Taken:
    found = tuple(key for key in ("search_queries", "search_results", "documents") if is_filled(payload.get(key)))
    out += [Delta("stream.meta", 0, "/" + key, payload[key]) for key in found]
    return found


def _end(out: list[Delta], payload: dict[str, Any]) -> Taken:
    reason, response = payload.get("finish_reason"), payload.get("response")
    text = response.get("text") if type(response) is dict else None
    if isinstance(text, str) and text:
        # All of it once more: it counts where no line said it before (R32).
        out.append(Delta("text.delta", 0, "/response/text", text, {"field": "text", "whole": True}))
    if isinstance(reason, str) and reason:
        extra: dict[str, Any] = {"reason": FINISH.get(reason.lower()), "native": {}}
        if extra["reason"] == "stop":
            extra["with_calls"] = "tool_calls"
        out.append(Delta("finish", 0, "/finish_reason", reason, extra))
    elif is_filled(reason):
        out.append(Delta("unknown", 0, "/finish_reason", reason))
    if is_filled(payload.get("error")):
        out.append(error_delta(payload["error"], "/error", "event", 0, payload))
    if type(response) is dict:
        meta = response.get("meta")
        if type(meta) is dict and any(type(meta.get(key)) is dict for key in ("tokens", "billed_units")):
            out.append(Delta("usage", 0, "/response/meta", cohere_usage(meta), {"where": "root", "raw": meta}))
    elif is_filled(response):
        out.append(Delta("unknown", 0, "/response", response))
    out.append(Delta("stream.end", 0, "/event_type", "stream-end"))
    return ("finish_reason", "response", "error")


_EVENTS: dict[str, Callable[[list[Delta], dict[str, Any]], Taken]] = {
    "stream-start": _start,
    "text-generation": _text,
    "tool-calls-chunk": _call_piece,
    "tool-calls-generation": _calls,
    "citation-generation": _citations,
    "search-queries-generation": _search,
    "search-results": _search,
    "stream-end": _end,
}
"""What each event says; each returns the root keys that it has read."""

_ALWAYS = ("event_type", "text", "tool_call_delta", "tool_calls", "finish_reason", "is_finished", "generation_id")


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    first = path.partition(".")[0].removesuffix("[]")
    if path.startswith("response.meta"):
        return rules.usage != "none"
    if path == "response.text":
        return True
    if first == "citations":
        return "citations" in rules.extras
    return first in _ALWAYS or (first == "error" and rules.error_key != "ignored")
