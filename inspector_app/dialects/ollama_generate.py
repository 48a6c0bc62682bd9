"""Ollama /api/generate: JSON lines with a piece of text each; the last one is done (dialects.md section 13)."""

from __future__ import annotations

from typing import Any

from inspector_app.core.errors import is_filled
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects import _ollama, _whole
from inspector_app.dialects._ollama import FINISH, keys, provider

__all__ = ["FINISH", "keys", "provider"]

NAME = "ollama-generate"
TITLE = "Ollama generate"
whole = _whole.ollama_generate
META = {"model": ("model",)}
PADDING = frozenset({"created_at"})
"""Root keys whose value says nothing: another time in each line."""

_KNOWN = _ollama.KNOWN | {"response", "thinking", "context", "images", "tool_calls"}


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    return 2 if _ollama.is_line(payload) and isinstance(payload.get("response"), str) else 0


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one line. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    _ollama.text(out, payload, "thinking", "")
    _ollama.text(out, payload, "response", "")
    _ollama.images(out, payload.get("images"), "/images")
    _ollama.calls(out, payload.get("tool_calls"), "/tool_calls")
    if is_filled(payload.get("context")):
        out.append(Delta("stream.meta", 0, "/context", payload["context"]))
    _ollama.ending(out, payload, _KNOWN)
    return out


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    return _ollama.reads(path, rules, ("response", "thinking", "images", "tool_calls"))
