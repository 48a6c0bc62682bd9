"""A state that grows: snapshots, what is added to it, and JSON patches (RFC 6902) that change it in place.

Patches come from the wire, so a few bytes may ask for a copy of everything, again and again: what copies and moves
may walk over is limited for each state, and so is how deep it gets. What is not applied stays visible in its event.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

LONGEST = 100
"""Steps of a path that are followed."""
DEEPEST = 300
"""Levels that a state may have."""
WALKS = 1_000_000
"""Members that all copies and moves of one state may touch together."""


class State:
    """One state; `value` is what it is now. Nothing in it is shared with a payload once it has been patched."""

    def __init__(self) -> None:
        self.value: Any = None
        self._left = WALKS

    def take(self, value: Any, mode: str | None) -> None:
        """One more delta. Without a mode its value takes the place of all, a `first` one only that of nothing; `append`
        adds to a list.
        """
        if mode == "first" and self.value is not None:
            return
        if mode == "append":
            held = self.value if isinstance(self.value, list) else []
            held.extend(value if isinstance(value, list) else [value])
            self.value = held
        elif mode != "patch":
            self.value = copied(value) if mode in ("snapshot", "first") else value
        else:
            self.value = {} if self.value is None else self.value
            for one in value if isinstance(value, list) else ():
                try:
                    self._apply(one)
                except (KeyError, IndexError, ValueError, TypeError):
                    continue  # The patch does not fit; readers differ in what they do then.

    def _apply(self, one: dict[str, Any]) -> None:
        steps = _steps(one["path"])
        match one["op"]:
            case "add":
                self._put(steps, copied(one["value"]), _insert)
            case "replace":
                _at(self.value, steps)
                self._put(steps, copied(one["value"]), _set)
            case "remove":
                self._put(steps, None, _remove)
            case "copy":
                found = _at(self.value, _steps(one["from"]))
                if self._may(found, steps):
                    self._put(steps, copied(found), _insert)
            case "move":
                source = _steps(one["from"])
                found = _at(self.value, source)
                if source and steps[: len(source)] != source and self._may(found, steps):
                    self._put(source, None, _remove)
                    self._put(steps, found, _insert)

    def _may(self, value: Any, steps: list[str]) -> bool:
        """Whether a part of the state may go to another place: not too often, and not too deep."""
        level, depth = [value], len(steps)
        while level and self._left > 0 and depth < DEEPEST:
            self._left -= len(level)
            depth += 1
            level = [member for node in level for member in _members(node)]
        return not level

    def _put(self, steps: list[str], value: Any, change: Callable[[Any, str, Any], None]) -> None:
        """Change the member at the end of the steps; without any, all of it."""
        if steps:
            change(_at(self.value, steps[:-1]), steps[-1], value)
        else:
            self.value = value


def copied(value: Any) -> Any:
    """The same JSON value, with objects and lists of its own."""
    if isinstance(value, dict):
        members = {}
        for key, member in value.items():
            members[key] = copied(member)
        return members
    if isinstance(value, list):
        return [copied(member) for member in value]
    return value


def _members(node: Any) -> list[Any]:
    return list(node.values()) if isinstance(node, dict) else node if isinstance(node, list) else []


def _steps(path: Any) -> list[str]:
    if not isinstance(path, str):
        raise TypeError(path)
    steps = path.split("/")
    if steps[0] or len(steps) > LONGEST:
        raise ValueError(path)
    return [step.replace("~1", "/").replace("~0", "~") for step in steps[1:]]


def _at(node: Any, steps: list[str]) -> Any:
    for step in steps:
        node = node[_place(node, step)]
    return node


def _place(node: Any, step: str) -> Any:
    """The key or the number of a member, which has to be there."""
    if isinstance(node, dict):
        if step in node:
            return step
    elif isinstance(node, list) and step.isascii() and step.isdigit() and len(step) < 10 and int(step) < len(node):
        return int(step)
    raise KeyError(step)


def _insert(node: Any, step: str, value: Any) -> None:
    if isinstance(node, dict):
        node[step] = value
    elif isinstance(node, list):
        node.insert(len(node) if step in ("-", str(len(node))) else _place(node, step), value)
    else:
        raise TypeError(step)


def _set(node: Any, step: str, value: Any) -> None:
    node[_place(node, step)] = value


def _remove(node: Any, step: str, value: Any) -> None:
    del node[_place(node, step)]
