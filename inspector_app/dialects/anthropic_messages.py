"""Anthropic Messages (dialects.md section 10): blocks by index, each with a start, deltas and a stop.

`decode` says what one event says; that a stop is missing or a block overlaps another one is seen by the assembler
and by the rules of findings/anthropic.py. An event without `type` goes by its `event:` line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from inspector_app.core.errors import error_delta, is_filled, type_of
from inspector_app.core.parts import MISMATCH, NOT_CLOSED, NOT_STARTED, START_FILLED
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects import _whole as forms
from inspector_app.dialects._holders import keys_in

NAME = "anthropic-messages"
TITLE = "Anthropic Messages"
whole = forms.messages
END_MARKER = "message_stop"
META = {"id": ("message", "id"), "model": ("message", "model")}
NAMED_BY = "type"
"""The `event:` line repeats this key."""
PROMISES_USAGE = True
SIGNS_REASONING = True
"""A thought without a signature cannot be sent back."""
FAULTS = {
    NOT_STARTED: "anthropic-block-not-started",
    NOT_CLOSED: "anthropic-block-not-closed",
    MISMATCH: "anthropic-block-type-mismatch",
    START_FILLED: "anthropic-start-input-filled",
}
"""The rules for faults of blocks."""

FINISH = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
    "pause_turn": "pause",
    "compaction": "pause",
}
"""Stop reasons (section 20)."""

TYPES = frozenset(
    {"message_start", "content_block_start", "content_block_delta", "content_block_stop"}
    | {"message_delta", "message_stop", "ping"}
)
"""Event types that no other dialect has."""

_USAGE = {
    "input": ("input_tokens",),
    "output": ("output_tokens",),
    "reasoning": ("output_tokens_details", "thinking_tokens"),
    "cache_read": ("cache_read_input_tokens",),
    "cache_write": ("cache_creation_input_tokens",),
    "total": ("total_tokens",),
}
_TOOL_KINDS = {"tool_use": "function", "server_tool_use": "server", "mcp_tool_use": "mcp"}
_ROOT_KNOWN = frozenset(
    {"type", "message", "index", "content_block", "delta", "usage", "error", "request_id", "context_management"}
    | {"amazon-bedrock-invocationMetrics", "p"}
)
_BLOCK_KNOWN = frozenset(
    {"type", "text", "citations", "thinking", "signature", "data", "id", "name", "input", "caller", "server_name"}
)


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    if type(payload) is not dict:
        return 0
    kind = type_of(payload, name)
    if kind == "message":
        return 2 if type(payload.get("content")) is list and payload.get("role") == "assistant" else 0
    return 2 if kind in TYPES else 0


def provider(payload: dict[str, Any]) -> str | None:
    """The sender that the payload's extras betray, or None."""
    message = payload.get("message")
    name = message.get("id") if type(message) is dict else None
    if isinstance(name, str) and name.startswith("msg_bdrk_"):
        return "bedrock"
    if isinstance(name, str) and name.startswith("msg_vrtx_"):
        return "vertex"
    return "anthropic" if isinstance(name, str) and name.startswith("msg_01") else None


def keys(payload: dict[str, Any]) -> Iterator[str]:
    """Every key of root, message, block and delta, for rules that ask whether a key is there at all."""
    return keys_in(payload, "message", "content_block", "delta")


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    kind = type_of(payload, name)
    event = _EVENTS.get(kind)
    if event is None:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    event(out, payload)
    if kind != "message":
        for key, value in payload.items():
            if key not in _ROOT_KNOWN and is_filled(value):
                out.append(Delta("unknown", 0, "/" + escape(key), value))
    return out


# the message


def _message_start(out: list[Delta], payload: dict[str, Any]) -> None:
    message = payload.get("message")
    if type(message) is not dict:
        out.append(Delta("unknown", 0, "/message" if "message" in payload else "", message or payload))
        return
    out.append(Delta("stream.start", 0, "/message", {key: message.get(key) for key in ("id", "model")}))
    _message(out, message, "/message", lambda at: ("start", at))


def _whole(out: list[Delta], payload: dict[str, Any]) -> None:
    """A message that was not streamed."""
    _message(out, payload, "", lambda at: at)


def _message(out: list[Delta], message: dict[str, Any], base: str, key_of: Callable[[int], Any]) -> None:
    if isinstance(message.get("role"), str) and message["role"]:
        out.append(Delta("role", 0, base + "/role", message["role"]))
    content = message.get("content")
    for at, block in enumerate(content if type(content) is list else ()):
        pointer = f"{base}/content/{at}"
        extra = {"key": key_of(at)}
        _block(out, block, pointer, extra)
        out.append(Delta("noop", 0, pointer, block, extra))
    _ending(out, message, base)
    _usage(out, message, base, "start" if base else "final")


def _message_delta(out: list[Delta], payload: dict[str, Any]) -> None:
    delta = payload.get("delta")
    if type(delta) is dict:
        _ending(out, delta, "/delta")
        if is_filled(delta.get("container")):
            out.append(Delta("stream.meta", 0, "/delta/container", delta["container"]))
    elif is_filled(delta):
        out.append(Delta("unknown", 0, "/delta", delta))
    if is_filled(payload.get("context_management")):
        out.append(Delta("stream.meta", 0, "/context_management", payload["context_management"]))
    _usage(out, payload, "", "final")


def _ending(out: list[Delta], holder: dict[str, Any], base: str) -> None:
    reason = holder.get("stop_reason")
    if isinstance(reason, str) and reason:
        native = {key: holder[key] for key in ("stop_sequence", "stop_details") if holder.get(key)}
        extra = {"reason": FINISH.get(reason.lower()), "native": native}
        out.append(Delta("finish", 0, base + "/stop_reason", reason, extra))
    elif is_filled(reason):
        out.append(Delta("unknown", 0, base + "/stop_reason", reason))


def _usage(out: list[Delta], holder: dict[str, Any], base: str, where: str) -> None:
    raw = holder.get("usage")
    if type(raw) is not dict or not raw:
        return
    value: dict[str, int | None] = {}
    for key, path in _USAGE.items():
        found: Any = raw
        for step in path:
            found = found.get(step) if type(found) is dict else None
        value[key] = found if type(found) is int else None
    out.append(Delta("usage", 0, base + "/usage", value, {"where": where, "raw": raw}))


def _message_stop(out: list[Delta], payload: dict[str, Any]) -> None:
    metrics = payload.get("amazon-bedrock-invocationMetrics")
    if is_filled(metrics):
        out.append(Delta("stream.meta", 0, "/amazon-bedrock-invocationMetrics", metrics))
    out.append(Delta("stream.end", 0, "", "message_stop"))


def _ping(out: list[Delta], payload: dict[str, Any]) -> None:
    out.append(Delta("keepalive", 0, "", None, {"form": "ping"}))


def _error(out: list[Delta], payload: dict[str, Any]) -> None:
    if is_filled(payload.get("error")):
        out.append(error_delta(payload["error"], "/error", "event", 0, payload))
    else:
        out.append(error_delta(payload, "", "event"))


# blocks


def _key(payload: dict[str, Any]) -> dict[str, Any]:
    index = payload.get("index")
    return {"key": index, "index": index} if type(index) is int else {"key": None}


def _block_start(out: list[Delta], payload: dict[str, Any]) -> None:
    if is_filled(payload.get("content_block")):
        _block(out, payload["content_block"], "/content_block", _key(payload))
    else:
        out.append(Delta("unknown", 0, "", payload, _key(payload) | {"starts": True}))


def _block(out: list[Delta], block: Any, base: str, key: dict[str, Any]) -> None:
    """A block as its start gives it: nothing but its kind, or all of it."""
    kind = type_of(block)
    if kind == "text":
        out.append(Delta("text.start", 0, base, None, key))
        _text(out, block, "text", "text.delta", base, key)
        citations = block.get("citations")
        for at, citation in enumerate(citations if type(citations) is list else ()):
            out.append(Delta("citation", 0, f"{base}/citations/{at}", citation, key))
    elif kind == "thinking":
        out.append(Delta("reasoning.start", 0, base, None, key | {"form": "raw"}))
        _text(out, block, "thinking", "reasoning.delta", base, key | {"form": "raw"})
        _text(out, block, "signature", "reasoning.signature", base, key | _SIGNATURE)
    elif kind == "redacted_thinking":
        out.append(Delta("reasoning.start", 0, base, None, key | {"form": "raw"}))
        if is_filled(block.get("data")):
            out.append(Delta("reasoning.redacted", 0, base + "/data", block["data"], key))
    elif kind in _TOOL_KINDS:
        own = {name: block[name] for name in ("id", "name") if name in block}
        extra = key | own | {"kind": _TOOL_KINDS[kind], "type": kind}
        out.append(Delta("tool.start", 0, base + "/name" if "name" in block else base, block.get("name"), extra))
        if is_filled(block.get("input")):
            held = key | {"kind": _TOOL_KINDS[kind], "mode": "start"}
            out.append(Delta("tool.args", 0, base + "/input", block["input"], held))
    elif kind.endswith("_tool_result"):
        extra = key | {"id": block.get("tool_use_id"), "name": kind}
        out.append(Delta("tool.result", 0, base, block, extra))
        return
    elif kind == "container_upload":
        out.append(Delta("media.start", 0, base, block, key | {"media": "file"}))
        return
    elif kind in ("compaction", "fallback"):
        out.append(Delta("state", 0, base, block, key | {"block": "other", "starts": True, "name": kind}))
        return
    else:
        out.append(Delta("unknown", 0, base, block, key | {"starts": True}))
        return
    for name, value in block.items():
        if name not in _BLOCK_KNOWN and is_filled(value):
            out.append(Delta("unknown", 0, f"{base}/{escape(name)}", value))


_SIGNATURE = {"mode": "set", "format": "anthropic"}


def _text(out: list[Delta], holder: dict[str, Any], name: str, kind: str, base: str, extra: dict[str, Any]) -> None:
    """A string of a block or a delta; an empty one says nothing."""
    value = holder.get(name)
    if isinstance(value, str) and value:
        out.append(Delta(kind, 0, f"{base}/{name}", value, extra))
    elif is_filled(value):
        out.append(Delta("unknown", 0, f"{base}/{name}", value))


def _block_delta(out: list[Delta], payload: dict[str, Any]) -> None:
    delta = payload.get("delta")
    kind = type_of(delta)
    if type(delta) is not dict or kind not in _DELTAS:
        out.append(Delta("unknown", 0, "/delta" if "delta" in payload else "", delta or payload))
        return
    name, said, more = _DELTAS[kind]
    key = _key(payload)
    if said in ("tool.args", "citation", "state"):
        # These may be objects.
        if is_filled(delta.get(name)):
            out.append(Delta(said, 0, f"/delta/{name}", delta[name], key | more if more else key))
    else:
        _text(out, delta, name, said, "/delta", key | more if more else key)
    if not out:
        out.append(Delta("noop", 0, "/delta", delta))
    if kind == "compaction_delta" and is_filled(delta.get("encrypted_content")):
        out.append(Delta("stream.meta", 0, "/delta/encrypted_content", delta["encrypted_content"]))


_DELTAS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "text_delta": ("text", "text.delta", {}),
    "thinking_delta": ("thinking", "reasoning.delta", {"form": "raw"}),
    "signature_delta": ("signature", "reasoning.signature", _SIGNATURE),
    "input_json_delta": ("partial_json", "tool.args", {}),
    "citations_delta": ("citation", "citation", {}),
    "compaction_delta": ("content", "state", {"block": "other"}),
}
"""Delta type -> the key of its value, what it says, and how."""


def _block_stop(out: list[Delta], payload: dict[str, Any]) -> None:
    out.append(Delta("noop", 0, "/index" if "index" in payload else "", payload.get("index"), _key(payload)))


_EVENTS: dict[str, Callable[[list[Delta], dict[str, Any]], None]] = {
    "message_start": _message_start,
    "content_block_start": _block_start,
    "content_block_delta": _block_delta,
    "content_block_stop": _block_stop,
    "message_delta": _message_delta,
    "message_stop": _message_stop,
    "message": _whole,
    "ping": _ping,
    "error": _error,
}

_READ_BY_SOME: tuple[tuple[tuple[str, ...], Callable[[ReadingRules], bool]], ...] = (
    (("content_block.signature", "delta.signature"), lambda rules: "signature" in rules.extras),
    (("content_block.data",), lambda rules: "opaque" in rules.extras),
    (("content_block.citations", "delta.citation"), lambda rules: "citations" in rules.extras),
    (("usage", "message.usage"), lambda rules: rules.usage != "none"),
    (("error",), lambda rules: rules.error_key != "ignored"),
    (("type", "index", "message", "content_block", "delta", "context_management", "content"), lambda rules: True),
    (("role", "stop_reason", "id", "model", "stop_sequence"), lambda rules: True),
)
"""Fields by ledger path, and which readers take something from them or from what is under them."""


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    for places, test in _READ_BY_SOME:
        if any(path == place or path.startswith((place + ".", place + "[")) for place in places):
            return test(rules)
    return False
