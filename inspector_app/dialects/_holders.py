"""What dialects share whose payloads hold their content in a few objects of the root."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def keys_in(payload: dict[str, Any], *holders: str) -> Iterator[str]:
    """Every key of the root and of those of its members that are objects, or lists of objects."""
    yield from payload
    for holder in holders:
        held = payload.get(holder)
        for one in held if type(held) is list else (held,):
            if type(one) is dict:
                yield from one
