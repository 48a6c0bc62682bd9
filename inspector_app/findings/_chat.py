"""Where the parts of a Chat payload stand: for the families that look into choices, deltas and tool calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector_app.core.reading import Reading

CHAT = frozenset({"openai-chat"})
"""Dialects whose payloads have `choices` with deltas."""


def in_choices(reading: Reading) -> bool:
    """Whether answers stand in `choices`, each with an end of its own: in Chat, and where a dialect says CHOICES."""
    return reading.speaks in CHAT or getattr(reading.dialect_module, "CHOICES", False)


REASONING_KEYS = ("reasoning_content", "reasoning", "reasoning_text", "thinking")
"""Delta keys that hold reasoning as a string, by how many clients know them."""


def choices(payload: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The choices of a payload that are objects, each with its pointer."""
    found = payload.get("choices") if type(payload) is dict else None
    for n, choice in enumerate(found if type(found) is list else ()):
        if type(choice) is dict:
            yield f"/choices/{n}", choice


def deltas(payload: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The delta objects of a payload, each with its pointer."""
    for pointer, choice in choices(payload):
        delta = choice.get("delta")
        if type(delta) is dict:
            yield pointer + "/delta", delta


def answers(payload: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects that say something: the delta of each choice, or its message where there is no delta."""
    for pointer, choice in choices(payload):
        for key in ("delta", "message"):
            found = choice.get(key)
            if type(found) is dict:
                yield f"{pointer}/{key}", found
                break


def elements(payload: Any, *, whole: bool = True) -> Iterator[tuple[str, dict[str, Any]]]:
    """The elements of `tool_calls`, each with its pointer. `whole`: those of whole messages too."""
    for pointer, answer in answers(payload) if whole else deltas(payload):
        calls = answer.get("tool_calls")
        for n, element in enumerate(calls if type(calls) is list else ()):
            if type(element) is dict:
                yield f"{pointer}/tool_calls/{n}", element


def functions(payload: Any) -> Iterator[tuple[str, dict[str, Any], str]]:
    """What holds name and arguments of each call element: pointer, object, and the key of the arguments."""
    for pointer, element in elements(payload):
        for key, arguments in (("function", "arguments"), ("custom", "input")):
            if type(element.get(key)) is dict:
                yield f"{pointer}/{key}", element[key], arguments
                break
        else:
            yield pointer, element, "arguments"
