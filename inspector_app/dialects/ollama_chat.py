"""Ollama /api/chat: JSON lines with a piece of a message each; the last one is done (dialects.md section 13)."""

from __future__ import annotations

from typing import Any

from inspector_app.core.errors import is_filled
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects import _ollama, _whole
from inspector_app.dialects._ollama import FINISH, LOAD_ONLY, keys, provider

__all__ = ["FINISH", "keys", "provider"]

NAME = "ollama-chat"
TITLE = "Ollama chat"
whole = _whole.ollama_chat
META = {"model": ("model",)}
PADDING = frozenset({"created_at"})
"""Root keys whose value says nothing: another time in each line."""
RULES = (LOAD_ONLY,)
"""The rules of Ollama's own streams."""

_KNOWN = _ollama.KNOWN | {"message"}
_MESSAGE_KNOWN = frozenset({"role", "content", "thinking", "images", "tool_calls", "tool_name"})


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    return 2 if _ollama.is_line(payload) and type(payload.get("message")) is dict else 0


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one line. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    message = payload.get("message")
    if type(message) is dict:
        if isinstance(message.get("role"), str) and message["role"]:
            out.append(Delta("role", 0, "/message/role", message["role"]))
        _ollama.text(out, message, "thinking", "/message")
        _ollama.text(out, message, "content", "/message")
        _ollama.images(out, message.get("images"), "/message/images")
        _ollama.unknown(out, message, _MESSAGE_KNOWN, "/message")
        _ollama.calls(out, message.get("tool_calls"), "/message/tool_calls")
    elif is_filled(message):
        out.append(Delta("unknown", 0, "/message", message))
    _ollama.ending(out, payload, _KNOWN)
    return out


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    return _ollama.reads(path, rules, ("message",))
