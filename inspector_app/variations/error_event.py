"""The server fails in the middle of its answer, long after it said 200: the error comes as an event, the rest never."""

from __future__ import annotations

import json
from typing import Any

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import TROUBLE, Edit, changed
from inspector_app.variations._middle import middle, unfit
from inspector_app.variations._payloads import BY_LINES, NDJSON, line_end
from inspector_app.variations._shorten import shortened

__all__ = ["FRAMINGS", "KEEPS_MEANING", "NAME", "SORT", "TITLE", "apply", "unfit"]

NAME = "error-event"
TITLE = "Send an error in the middle of the answer, and nothing behind it"
SORT = TROUBLE
KEEPS_MEANING = False
FRAMINGS = BY_LINES

WORDS = "The server had an error while it answered (made by the replay server)"
_CHAT = {"error": {"message": WORDS, "type": "server_error", "code": 500, "param": None}}
_FORMS: dict[str, tuple[str, Any]] = {
    "openai-responses": (
        "error", {"type": "error", "code": "server_error", "message": WORDS, "param": None, "sequence_number": 0},
    ),
    "anthropic-messages": ("error", {"type": "error", "error": {"type": "overloaded_error", "message": WORDS}}),
    "gemini": ("", {"error": {"code": 503, "message": WORDS, "status": "UNAVAILABLE"}}),
    "ollama-chat": ("", {"error": WORDS}),
    "ollama-generate": ("", {"error": WORDS}),
    "ai-sdk-ui": ("", {"type": "error", "errorText": WORDS}),
    "ag-ui": ("", {"type": "RUN_ERROR", "message": WORDS}),
    "dashscope": ("error", {"code": "InternalError", "message": WORDS, "request_id": "replay"}),
    "cohere-v1": ("", {"event_type": "stream-end", "is_finished": True, "finish_reason": "ERROR", "error": WORDS}),
    "cohere-v2": ("message-end", {"type": "message-end", "delta": {"finish_reason": "ERROR", "error": WORDS}}),
    "replicate": ("error", {"detail": WORDS}),
    "watsonx": ("", {"errors": [{"code": "internal_error", "message": WORDS}], "status_code": 500}),
    "tgi": ("", {"error": WORDS, "error_type": "generation"}),
}  # fmt: skip
"""Dialect -> name of the event and payload; the others fail as Chat does (dialects.md, errors of each)."""


def apply(reading: Reading) -> Exchange:
    n = middle(reading)
    if n is None:
        return reading.exchange
    end = line_end(reading)
    name, payload = _FORMS.get(reading.dialect, ("", _CHAT))
    data = json.dumps(payload).encode()
    if reading.framing == NDJSON:
        event = data + end
    else:
        event = (b"event: " + name.encode() + end if name else b"") + b"data: " + data + end + end
    at = reading.bytes_of(n)[1]
    made = changed(reading.exchange, [Edit(at, at, event)])
    return shortened(made, at + len(event), "eof", True)
