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
