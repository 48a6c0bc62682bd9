"""Arguments of a call that come as values by JSON path (Gemini's `partialArgs`, dialects.md section 11).

Strategy. Pieces are kept by path in order of arrival and joined once, when the call has ended: any number of pieces
of one string costs linear time. A path that leads nowhere sensible becomes a key of its own, so that nothing is lost.
"""

from __future__ import annotations

import re
from typing import Any

FARTHEST = 10_000
"""Places of a list; a larger number is no place but a key."""
DEEPEST = 100
"""Steps of a path that are followed."""

_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d{1,9})\]|\[\"((?:[^\"\\]|\\.)*)\"\]|\['((?:[^'\\]|\\.)*)'\]")


class Patches:
    """The pieces of one call's arguments."""

    def __init__(self) -> None:
        self._pieces: dict[str, list[Any]] = {}

    def take(self, path: str, value: Any) -> None:
        """Set the value of a path; strings of one path are pieces of one string."""
        held = self._pieces.setdefault(path, [])
        if held and not (isinstance(value, str) and isinstance(held[-1], str)):
            held.clear()
        held.append(value)

    def whole(self) -> Any:
        """The arguments that the pieces make up so far."""
        root: dict[str, Any] = {}
        for path, pieces in self._pieces.items():
            value = "".join(pieces) if isinstance(pieces[0], str) else pieces[0]
            steps = _steps(path)
            if not steps or not isinstance(steps[0], str) or not _put(root, steps, value):
                root[path] = value
        return root


def _steps(path: str) -> list[str | int]:
    """The keys and places of a path (a subset of RFC 9535), none where it is not understood."""
    out: list[str | int] = []
    at = 1
    while at < len(path):
        found = _STEP.match(path, at)
        if found is None or len(out) == DEEPEST:
            return []
        name, place, *quoted = found.groups()
        if place is not None:
            out.append(int(place))
        else:
            out.append(name if name is not None else re.sub(r"\\(.)", r"\1", quoted[0] or quoted[1] or ""))
        at = found.end()
    return out if path[:1] == "$" else []


def _put(node: Any, steps: list[str | int], value: Any) -> bool:
    """Set a value below a node; False where something else stands in the way."""
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        if isinstance(step, str) and isinstance(node, dict):
            held = node.get(step)
        elif isinstance(step, int) and isinstance(node, list) and step < FARTHEST:
            node.extend([None] * (step + 1 - len(node)))
            held = node[step]
        else:
            return False
        if following is None:
            node[step] = value
        elif held is None:
            node[step] = held = [] if isinstance(following, int) else {}
        node = held
    return True
