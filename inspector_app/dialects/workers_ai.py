"""Cloudflare Workers AI: the next piece of the text under `response`, padding, and usage at the end (dialects.md 18.4).

No event says why the answer ended; the marker alone says that it did.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._usage import normalize_usage

NAME = "workers-ai"
TITLE = "Cloudflare Workers AI"
END_MARKER = "[DONE]"
MARKERS = (b"[DONE]",)
ENDS_WITHOUT_FINISH = frozenset({"[DONE]"})
PADDING = frozenset({"p"})

_KNOWN = frozenset({"response", "tool_calls", "usage", "error", "errors", "success", "p"})
_BESIDE = _KNOWN | {"result", "messages"}
"""Keys of a chunk; one with others is of another dialect that has a `response`."""


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    if type(payload) is not dict:
        return 0
    if type(payload.get("response")) in (str, int, float) and payload.keys() <= _BESIDE:
        return 2 if "p" in payload else 1
    failed = payload.get("success") is False and type(payload.get("errors")) is list
    return 1 if failed else 0


def provider(payload: dict[str, Any]) -> str | None:
    """Who sent it: nobody else speaks so."""
    return "cloudflare"


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one chunk. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    text = payload.get("response")
    if isinstance(text, str) and text:
        out.append(Delta("text.delta", 0, "/response", text, {"field": "response"}))
    elif type(text) in (int, float):
        # The server writes a token that is a number as one.
        out.append(Delta("text.delta", 0, "/response", str(text), {"field": "response"}))
    elif is_filled(text):
        out.append(Delta("unknown", 0, "/response", text))
    elif "response" in payload:
        out.append(Delta("absent", 0, "/response", text, {"field": "content"}))
    _calls(out, payload.get("tool_calls"))
    usage = payload.get("usage")
    if type(usage) is dict and usage:
        out.append(Delta("usage", 0, "/usage", normalize_usage(usage), {"where": "root", "raw": usage}))
    elif is_filled(usage):
        out.append(Delta("unknown", 0, "/usage", usage))
    if is_filled(payload.get("p")):
        out.append(Delta("padding", 0, "/p", payload["p"]))
    for key, value in payload.items():
        if key not in _KNOWN and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    _errors(out, payload)
    return out or [Delta("noop", 0, "", payload)]


def _calls(out: list[Delta], value: Any) -> None:
    """Calls; each comes whole, its arguments as an object."""
    if type(value) is not list:
        if is_filled(value):
            out.append(Delta("unknown", 0, "/tool_calls", value))
        return
    for at, call in enumerate(value):
        base = f"/tool_calls/{at}"
        if type(call) is not dict:
            if is_filled(call):
                out.append(Delta("unknown", 0, base, call))
            continue
        inner, place = (call["function"], base + "/function") if type(call.get("function")) is dict else (call, base)
        key = {"key": ("call", at)}
        own = {"id": call["id"]} if isinstance(call.get("id"), str) and call["id"] else {"nameless": True}
        extra = key | own | {"kind": "function", "name": inner.get("name")}
        out.append(Delta("tool.start", 0, place + ("/name" if "name" in inner else ""), inner.get("name"), extra))
        if inner.get("arguments") is not None:
            out.append(Delta("tool.args", 0, place + "/arguments", inner["arguments"], key))
        out.append(Delta("tool.end", 0, place, None, key))
        for holder, where in {base: call, place: inner}.items():
            for name, found in where.items():
                if name not in ("id", "type", "index", "function", "name", "arguments") and is_filled(found):
                    out.append(Delta("unknown", 0, f"{holder}/{escape(name)}", found))


def _errors(out: list[Delta], payload: dict[str, Any]) -> None:
    if is_filled(payload.get("error")):
        out.append(error_delta(payload["error"], "/error", "event", 0, payload))
    errors = payload.get("errors")
    for at, error in enumerate(errors if type(errors) is list else ()):
        out.append(error_delta(error, f"/errors/{at}", "event"))
    if is_filled(errors) and type(errors) is not list:
        out.append(error_delta(errors, "/errors", "event", 0, payload))


_READ_BY_SOME: tuple[tuple[tuple[str, ...], Callable[[ReadingRules], bool]], ...] = (
    (("usage",), lambda rules: rules.usage != "none"),
    (("error", "errors"), lambda rules: rules.error_key != "ignored"),
    (("response", "tool_calls"), lambda rules: True),
)
"""Fields by ledger path, and which readers take something from them or from what is under them."""


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    for places, test in _READ_BY_SOME:
        if any(path == place or path.startswith((place + ".", place + "[")) for place in places):
            return test(rules)
    return False
