"""The names of fields that a stream has, to be offered where one is asked for."""

from __future__ import annotations

from typing import Any

from inspector_app.core.reading import Reading

LOOKED = 400
"""Events that are looked at; what comes later can be typed."""
MOST = 300


def field_names(reading: Reading) -> list[str]:
    """The names in the order of the alphabet, each once."""
    found: set[str] = set()
    for n in range(min(LOOKED, len(reading.events))):
        waiting: list[Any] = [reading.payload(n)]
        for value in waiting:
            if isinstance(value, dict):
                found.update(name for name in value if len(name) < 60)
                waiting += value.values()
            elif isinstance(value, list):
                waiting += value
        if len(found) > MOST:
            break
    return sorted(found)
