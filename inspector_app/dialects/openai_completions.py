"""OpenAI text completions, the legacy endpoint that vLLM, llama.cpp and others have too (dialects.md section 6).

A chunk is one of Chat whose choices hold their text as it is; all around the text is read as there. Old servers put
`text_completion` on chunks of their chat route as well, so a delta that says something is Chat's (section 18.1).
"""

from __future__ import annotations

from typing import Any

from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects import _chat_chunk as chunk
from inspector_app.dialects import _whole

NAME = "openai-completions"
TITLE = "OpenAI text completions and compatible"
END_MARKER = chunk.END_MARKER
MARKERS = chunk.MARKERS
META = chunk.META
PLACES = chunk.PLACES
PADDING = chunk.PADDING
NAMED_EVENTS = chunk.NAMED_EVENTS
FINISH = chunk.FINISH
CHOICES = True

keys = chunk.keys
provider = chunk.provider
unheeded = chunk.unheeded
whole = _whole.completions


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3).

    A chunk with counts and no choice ends streams of either kind: it goes to the one that is under way.
    """
    if type(payload) is not dict:
        return 0
    choices = payload.get("choices")
    held = [choice for choice in choices if type(choice) is dict] if type(choices) is list else []
    if any(choice.get("delta") or "message" in choice for choice in held):
        return 0
    if payload.get("object") == "text_completion":
        return 1 if not held and payload.get("usage") else 2
    return 2 if any("text" in choice and "delta" not in choice for choice in held) else 0


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one chunk. Pure: equal payloads give equal deltas, and none raises."""
    out: list[Delta] = []
    choices = payload.get("choices") if type(payload) is dict else None
    for position, choice in enumerate(choices if type(choices) is list else ()):
        text = choice.get("text") if type(choice) is dict and not choice.get("delta") else None
        if text:
            index, place = chunk.choice_index(choice), f"/choices/{position}/text"
            kind = "text.delta" if isinstance(text, str) else "unknown"
            out.append(Delta(kind, index, place, text, {"field": "text"}))
    # What is left of a choice is what a chunk of Chat has beside its delta.
    out += [delta for delta in chunk.decode(payload, name) if not _is_second(delta)]
    return out or [Delta("noop", 0, "", payload)]


def _is_second(delta: Delta) -> bool:
    """What Chat says of a choice because it has no delta, or because its text stands beside an empty one."""
    if delta.kind == "absent":
        return (delta.extra or {}).get("field") == "delta"
    return delta.kind == "noop" and delta.pointer.endswith("/text")


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    return path == "choices[].text" or chunk.reads(path, rules)
