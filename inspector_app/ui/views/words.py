"""What deltas are called on the screen, with which mark and colours, and what their values look like in one line."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from inspector_app.core.text import number, visible
from inspector_app.core.types import Delta

SHOWN = 160
"""Characters of a value that a table cell shows at most."""


class Kind(NamedTuple):
    """How a delta is named. `meaning` is one of look.md's, or the empty string for what has no colour of its own."""

    icon: str
    word: str
    meaning: str


KINDS: dict[str, Kind] = {
    "role": Kind("note", "role", ""),
    "reasoning.delta": Kind("reasoning", "reasoning", "reasoning"),
    "reasoning.start": Kind("reasoning", "start", "reasoning"),
    "reasoning.end": Kind("reasoning", "end", "reasoning"),
    "reasoning.signature": Kind("lock", "signature", "reasoning"),
    "reasoning.encrypted": Kind("lock", "encrypted", "reasoning"),
    "reasoning.redacted": Kind("lock", "redacted", "reasoning"),
    "text.delta": Kind("text", "text", "text"),
    "text.start": Kind("text", "start", "text"),
    "text.end": Kind("text", "end", "text"),
    "refusal.delta": Kind("refusal", "refusal", "refusal"),
    "tool.start": Kind("tool", "call start", "tool"),
    "tool.name": Kind("tool", "name", "tool"),
    "tool.args": Kind("tool", "arguments", "tool"),
    "tool.args.patch": Kind("tool", "arguments", "tool"),
    "tool.end": Kind("tool", "call end", "tool"),
    "tool.result": Kind("tool-result", "result", "tool"),
    "citation": Kind("citation", "citation", "info"),
    "media.start": Kind("media", "media", "info"),
    "media.delta": Kind("media", "media", "info"),
    "media.end": Kind("media", "media end", "info"),
    "finish": Kind("flag", "finish", ""),
    "usage": Kind("usage", "usage", ""),
    "error": Kind("error", "error", "error"),
    "filter": Kind("filter", "filter", ""),
    "logprobs": Kind("list", "logprobs", ""),
    "progress": Kind("clock", "progress", ""),
    "keepalive": Kind("clock", "keep-alive", ""),
    "padding": Kind("close", "padding", ""),
    "state": Kind("document", "state", "info"),
    "step.start": Kind("note", "step", ""),
    "step.end": Kind("flag", "step end", ""),
    "stream.start": Kind("note", "start", ""),
    "stream.meta": Kind("note", "meta", ""),
    "stream.end": Kind("flag", "end", ""),
    "unknown": Kind("unknown", "unknown", ""),
}

FIELDS: dict[str, Kind] = {
    "tool_calls": Kind("tool", "tool calls", "tool"),
    "function_call": Kind("tool", "function call", "tool"),
    "content": Kind("text", "text", "text"),
    "refusal": Kind("refusal", "refusal", "refusal"),
}
"""What an empty field would have been; reasoning fields are known by their names."""

BLOCK_END = Kind("flag", "block end", "")
"""The end of a block, of which its event does not say what it is."""

MEDIA_ICONS = {"image": "media", "audio": "audio", "video": "video", "file": "document"}
"""What media are -> their mark."""

PLAIN = ("tool.args", "finish", "role", "unknown")
"""Kinds whose text is shown without quotes."""

def kind_of(delta: Delta) -> Kind:
    """The name of a delta; of an empty one the name of what its field would have been."""
    if delta.kind == "noop":
        if "key" in (delta.extra or {}):
            return BLOCK_END
        field = str((delta.extra or {}).get("field") or "")
        if field in FIELDS:
            return FIELDS[field]
        if "reason" in field or "think" in field:
            return KINDS["reasoning.delta"]
        return Kind("unknown", field.replace("_", " ") or "nothing", "")
    if delta.kind == "tool.start" and not delta.value:
        given = [key for key in ("id", "name") if key in (delta.extra or {})]
        return Kind("tool", ", ".join(given) or "call", "tool")
    known = KINDS.get(delta.kind) or Kind("unknown", delta.kind, "")
    return known._replace(icon=_media_icon(delta)) if known.icon == "media" else known


def _media_icon(delta: Delta) -> str:
    return MEDIA_ICONS.get(str((delta.extra or {}).get("media")), "media")


def value_of(delta: Delta) -> tuple[str, bool]:
    """What a delta says, ready for display and clipped, and whether it is there but empty."""
    value, extra = delta.value, delta.extra or {}
    if delta.kind == "tool.start":
        if value:
            return clipped(str(value)), False
        given = [extra[key] for key in ("id", "name") if key in extra]
        return clipped(", ".join(map(_json, given))), not any(given)
    if isinstance(value, str):
        plain = delta.kind in PLAIN and value != ""
        return clipped(value) if plain else _quoted(value), value == ""
    if delta.kind == "error" and isinstance(value, dict):
        return clipped(str(value.get("message") or _json(value))), False
    if value is None and (delta.kind != "noop" or "key" in extra):
        return "", False
    return clipped(_json(value)), delta.kind == "noop" and "key" not in extra and value in (None, [], {})


def place_in_value(delta: Delta, count: int) -> int:
    """Where in `value_of` the character number `count` of a delta's text stands; far behind it if it is left out."""
    text = str(delta.value)
    if count > min(SHOWN, len(text)):
        return 2 * len(text) + SHOWN
    if delta.kind == "tool.start" or delta.kind in PLAIN:
        return len(visible(text[:count]))
    return len(visible(_json(text[:count]))) - 1


def clipped(text: str, limit: int = SHOWN) -> str:
    """The beginning of a text for one line of a table, with the number of characters that are left out."""
    if len(text) <= limit:
        return visible(text)
    return f"{visible(text[:limit])} … +{number(len(text) - limit)}"


def _quoted(text: str) -> str:
    if len(text) <= SHOWN:
        return visible(_json(text))
    return f"{visible(_json(text[:SHOWN])[:-1])} … +{number(len(text) - SHOWN)}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def plural(count: int, noun: str) -> str:
    """`1 delta`, `2 187 deltas`."""
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def milliseconds(nanoseconds: int) -> str:
    """A time between two deltas, for a column whose head names the unit."""
    tenths = (nanoseconds + 50_000) // 100_000
    if tenths < 10:
        return "0" if tenths == 0 else f"0.{tenths}"
    return number((nanoseconds + 500_000) // 1_000_000)
