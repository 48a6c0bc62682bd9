"""OpenAI Chat Completions and everything compatible with it (dialects.md sections 5 to 8)."""

from __future__ import annotations

from typing import Any

from inspector_app.dialects import _chat_chunk as chunk
from inspector_app.dialects import _whole

NAME = "openai-chat"
TITLE = "OpenAI Chat Completions and compatible"
END_MARKER = chunk.END_MARKER
MARKERS = chunk.MARKERS
META = chunk.META
PLACES = chunk.PLACES
PADDING = chunk.PADDING
NAMED_EVENTS = chunk.NAMED_EVENTS
FINISH = chunk.FINISH

provider = chunk.provider
keys = chunk.keys
only_choice = chunk.only_choice
unheeded = chunk.unheeded
decode = chunk.decode
reads = chunk.reads
whole = _whole.chat


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect: 2 decides alone, 1 is a hint, 0 nothing (section 3)."""
    if type(payload) is not dict:
        return 0
    kind = payload.get("object")
    if isinstance(kind, str) and kind.startswith("chat."):
        return 2
    choices = payload.get("choices")
    if type(choices) is list:
        if any(type(choice) is dict and "delta" in choice for choice in choices):
            return 2
        if any(type(choice) is dict and "text" in choice for choice in choices):
            return 0
        return 1
    return 1 if "choices" in payload and kind != "text_completion" else 0
