"""MCP, JSON-RPC messages of a server over SSE or line by line (dialects.md section 17.3): no answer of a model.

A result of `tools/call` is a tool result, every other one a block of its own; what a server asks of its client too.
The first event of a stream may have an id and empty data, that of the old transport is named `endpoint` and holds a
URI. Facts: the MCP specification 2025-11-25, its transports and its schema.
"""

from __future__ import annotations

import re
from typing import Any

from inspector_app.core.errors import OWN, error_delta, is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta

NAME = "mcp-jsonrpc"
TITLE = "MCP messages (JSON-RPC)"
META: dict[str, tuple[str, ...]] = {}
TEXT_EVENTS = frozenset({"endpoint"})
"""The old transport names the place to post to in such an event."""
BY_DESIGN = frozenset({"sse-no-data-block"})
"""A server that closes a stream to be polled again says so in a block with `retry` alone."""

_URI = re.compile(r"(?:https?://|/|\?)\S+")
_METHOD = re.compile(
    r"(?:notifications|tools|resources|prompts|sampling|elicitation|roots|completion|logging|tasks)/[a-zA-Z/]+"
)
_ANSWERS = frozenset({"content", "tools", "resources", "resourceTemplates", "prompts", "messages", "contents"})
"""Keys of results that only this protocol has."""
_KNOWN = frozenset({"jsonrpc", "id", "method", "params", "result", "error"})


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect: 1 for any JSON-RPC, 2 for words of its own."""
    if isinstance(payload, str):
        return 2 if name in TEXT_EVENTS and _URI.fullmatch(payload.strip()) else 0
    if type(payload) is list and payload:
        return min(evidence(one, None) if type(one) is dict else 0 for one in payload)
    if type(payload) is not dict or payload.get("jsonrpc") != "2.0":
        return 0
    method, result = payload.get("method"), payload.get("result")
    if isinstance(method, str):
        return 2 if _METHOD.fullmatch(method) else 1
    if type(result) is dict:
        return 2 if result.keys() & _ANSWERS or {"protocolVersion", "serverInfo"} <= result.keys() else 1
    return 1 if "error" in payload else 0


def provider(payload: dict[str, Any]) -> str | None:
    """Who sent it: a server is nobody's model."""
    return None


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if isinstance(payload, str) and name in TEXT_EVENTS:
        return [Delta("stream.meta", 0, "", payload)] if payload.strip() else [Delta("noop", 0, "", payload)]
    out: list[Delta] = []
    for base, one in [("", payload)] if type(payload) is not list else _batch(payload):
        _message(out, one, base)
    return out or [Delta("noop", 0, "", payload)]


def _batch(payload: list[Any]) -> list[tuple[str, Any]]:
    """Several messages in one event, as versions before 2025-06 had them."""
    return [(f"/{at}", one) for at, one in enumerate(payload)]


def _message(out: list[Delta], message: Any, base: str) -> None:
    if type(message) is not dict:
        out.append(Delta("unknown", 0, base, message))
        return
    method = message.get("method")
    if is_filled(message.get("error")):
        _error(out, message, base)
    elif isinstance(method, str) and method:
        _call(out, message, base, method)
    elif "result" in message:
        _result(out, message, base)
    else:
        out.append(Delta("unknown", 0, base, message))
        return
    for key, value in message.items():
        if key not in _KNOWN and is_filled(value):
            out.append(Delta("unknown", 0, f"{base}/{escape(key)}", value))


def _error(out: list[Delta], message: dict[str, Any], base: str) -> None:
    """The error of JSON-RPC, whose code is a number."""
    found = error_delta(message["error"], base + "/error", "event", 0, message)
    shape = OWN if found.value["shape"] == "object" else found.value["shape"]
    out.append(found._replace(value=found.value | {"shape": shape}))


def _id(message: dict[str, Any]) -> str | None:
    """The id of a request as text, None for a notification."""
    found = message.get("id")
    return str(found) if type(found) in (str, int) else None


def _call(out: list[Delta], message: dict[str, Any], base: str, method: str) -> None:
    """A notification, or a request: of a server to its client, or of a client in a log of both."""
    params, request = message.get("params"), _id(message)
    place = base + "/params" if "params" in message else base
    if method in ("notifications/progress", "notifications/tasks/status"):
        out.append(Delta("progress", 0, place, params))
    elif method == "ping":
        out.append(Delta("keepalive", 0, base + "/method", method, {"form": "ping"}))
    elif method == "tools/call" and type(params) is dict:
        extra = {"key": ("call", request), "id": request, "name": params.get("name"), "kind": "mcp"}
        out.append(Delta("tool.start", 0, place + "/name" if "name" in params else place, params.get("name"), extra))
        where = place + "/arguments" if "arguments" in params else place
        end = {"key": ("call", request), "alone": True}
        out.append(Delta("tool.end", 0, where, params.get("arguments", {}), end))
    elif request is None:
        out.append(Delta("stream.meta", 0, place, params, {"name": method}))
    else:
        _block(out, params, place, ("request", request), method)


def _result(out: list[Delta], message: dict[str, Any], base: str) -> None:
    result, request, place = message["result"], _id(message), base + "/result"
    if type(result) is dict and ("isError" in result or type(result.get("content")) is list):
        extra = {"key": ("result", request), "id": request, "complete": True}
        out.append(Delta("tool.result", 0, place, result, extra | {"is_error": result.get("isError") is True}))
    elif is_filled(result):
        _block(out, result, place, ("answer", request), "result")


def _block(out: list[Delta], value: Any, place: str, key: tuple[str, str | None], name: str) -> None:
    """What stands for itself, whole."""
    out.append(Delta("state", 0, place, value, {"key": key, "starts": True, "block": "other", "name": name}))
    out.append(Delta("noop", 0, place, value, {"key": key}))


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    first = path.removeprefix("[].").partition(".")[0].partition("[")[0]
    return first in _KNOWN | {""} and (first != "error" or rules.error_key != "ignored")
