"""Cohere Command on Bedrock: pieces of the text without names of events, or whole generations (section 15).

The model was older than the chat of Cohere v1: where streaming is asked for, each event is a piece with a flag that
says whether it was the last, else one event holds all of the texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._bedrock import beside, left
from inspector_app.dialects._holders import keys_in

NAME = "bedrock-invoke/cohere"
TITLE = "Cohere Command on Bedrock"
META = {"id": ("id",)}

FINISH = {"complete": "stop", "max_tokens": "length", "error": "error", "error_toxic": "content_filter"}
_KNOWN = frozenset({"generations", "id", "prompt", "is_finished", "text", "index", "finish_reason", "error"})
_TEXT_KNOWN = frozenset({"text", "id", "index", "finish_reason"})


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    if type(payload) is not dict:
        return 0
    texts = payload.get("generations")
    if type(texts) is list and any(type(one) is dict and "text" in one for one in texts):
        return 2
    piece = type(payload.get("is_finished")) is bool and "event_type" not in payload
    return 2 if piece and payload.keys() & {"text", "finish_reason"} else 0


def provider(payload: dict[str, Any]) -> str | None:
    """Nobody else streams these models in this form."""
    return "bedrock"


def keys(payload: dict[str, Any]) -> Iterator[str]:
    """Every key of the event and of its texts, for rules that ask whether a key is there at all."""
    return keys_in(payload, "generations")


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    texts = payload.get("generations")
    for at, one in enumerate(texts if type(texts) is list else ()):
        place = f"/generations/{at}"
        if type(one) is not dict:
            out.append(Delta("unknown", 0, place, one))
            continue
        _text(out, one, place, at)
        for key, value in one.items():
            if key not in _TEXT_KNOWN and is_filled(value):
                out.append(Delta("unknown", 0, f"{place}/{escape(key)}", value))
    if is_filled(texts) and type(texts) is not list:
        out.append(Delta("unknown", 0, "/generations", texts))
    _text(out, payload, "", 0)
    if is_filled(payload.get("prompt")):
        out.append(Delta("stream.meta", 0, "/prompt", payload["prompt"]))
    beside(out, payload)
    left(out, payload, _KNOWN)
    if is_filled(payload.get("error")):
        out.append(error_delta(payload["error"], "/error", "event", 0, payload))
    return out or [Delta("noop", 0, "", payload)]


def _text(out: list[Delta], holder: dict[str, Any], place: str, at: int) -> None:
    """A text or a piece of one, and why it ended; several texts are several choices."""
    index = holder.get("index")
    choice = index if type(index) is int and 0 <= index < 1 << 16 else at
    text, reason = holder.get("text"), holder.get("finish_reason")
    if isinstance(text, str) and text:
        out.append(Delta("text.delta", choice, place + "/text", text, {"field": "text"}))
    elif is_filled(text):
        out.append(Delta("unknown", choice, place + "/text", text))
    if isinstance(reason, str) and reason:
        extra: dict[str, Any] = {"reason": FINISH.get(reason.lower()), "native": {}}
        out.append(Delta("finish", choice, place + "/finish_reason", reason, extra))
    elif is_filled(reason):
        out.append(Delta("unknown", choice, place + "/finish_reason", reason))


_READ = frozenset({"text", "finish_reason", "index", "id", "is_finished"})


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    return path.removeprefix("generations[].") in _READ
