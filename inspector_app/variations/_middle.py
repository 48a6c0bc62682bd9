"""Where a trouble is made: in the middle of what the answer says, where a client has begun to show it."""

from __future__ import annotations

from inspector_app.core.reading import Reading

CONTENT = ("text.delta", "reasoning.delta", "refusal.delta", "tool.args", "tool.start")
"""Deltas of which blocks are made."""
NOTHING_SAID = "needs an event with text, reasoning or a tool call"


def content_events(reading: Reading) -> list[int]:
    """The events that say something a client keeps."""
    layouts = {one.number for one in reading.layouts.all if any(kind in CONTENT for kind, _, _ in one.rows)}
    return [n for n, number in enumerate(reading.events.layouts) if number in layouts]


def middle(reading: Reading) -> int | None:
    """The event in the middle of them, None where there is none."""
    found = content_events(reading)
    return found[len(found) // 2] if found else None


def unfit(reading: Reading) -> str:
    """Why a stream has no middle, in words; empty where it has one."""
    return "" if middle(reading) is not None else NOTHING_SAID
