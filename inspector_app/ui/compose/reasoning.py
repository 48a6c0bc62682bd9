"""How much a model is told to think: the levels that a preset knows, found in a body and put into it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspector_app.live.providers import Reasoning
from inspector_app.ui.compose.places import NOTHING, Path, leaves, look, put, without

UNSET = ""
OWN = "?"
"""What a body says that is none of the levels."""


def level_of(body: Mapping[str, Any], reasoning: Reasoning) -> str:
    """The level that a body asks for, UNSET for none, OWN for something else at the same places."""
    places = _places(reasoning)
    given = {path: value for path in places if (value := look(body, path)) is not NOTHING}
    if not given:
        return UNSET
    fitting = [name for name, merged in reasoning.levels.items() if dict(leaves(merged)) == given]
    return fitting[0] if fitting else OWN


def with_level(body: dict[str, Any], reasoning: Reasoning, level: str) -> dict[str, Any]:
    """The body with that level instead of what it says at the places of the levels."""
    wanted = dict(leaves(reasoning.levels[level])) if level in reasoning.levels else {}
    for path in _places(reasoning):
        if path not in wanted:
            body = without(body, path)
    for path, value in wanted.items():
        body = put(body, path, value)
    return body


def _places(reasoning: Reasoning) -> list[Path]:
    return list(dict.fromkeys(path for merged in reasoning.levels.values() for path, _ in leaves(merged)))
