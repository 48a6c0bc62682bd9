"""What dialects share whose payloads hold their content in a few objects of the root."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def keys_in(payload: dict[str, Any], *holders: str) -> Iterator[str]:
    """Every key of the root and of those of its members that are objects."""
    yield from payload
    for holder in holders:
        if type(payload.get(holder)) is dict:
            yield from payload[holder]


def id_in(payload: Any, holder: str) -> str | None:
    """The text under `id` in a member of the root, None where there is none."""
    held = payload.get(holder) if type(payload) is dict else None
    found = held.get("id") if type(held) is dict else None
    return found if isinstance(found, str) else None
