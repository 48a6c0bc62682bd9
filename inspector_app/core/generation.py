"""Where another answer begins in the same body (R41, rule meta-generation-spliced)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inspector_app.core.runs import KINDS, Runs
from inspector_app.core.types import Delta

_CONTENT = frozenset({*KINDS, "tool.start", "tool.args"})


class Generation:
    """Follows the id of the answer that is being read; ask it before each event that is read the long way."""

    def __init__(self) -> None:
        self._id: str | None = None
        self._before: str | None = None
        self._role_before = False

    def begins_with(self, payload: Any, deltas: Sequence[Delta], runs: Runs, marked: bool) -> bool:
        """True for a chunk that starts an answer of its own: a new id after a complete answer and its end marker, or
        after content together with a role that the chunk before did not have.
        """
        name = payload.get("id") if type(payload) is dict else None
        if not isinstance(name, str) or not name:
            return False
        role = any(delta.kind == "role" for delta in deltas)
        held, before, role_before = self._id, self._before, self._role_before
        self._before, self._role_before = name, role
        if held is None:
            self._id = name
            return False
        if name == held or not runs.blocks[runs.settled :]:
            return False
        finished = bool(runs.choices) and all(choice.finished is not None for choice in runs.choices.values())
        complete = marked and finished and any(delta.kind in _CONTENT or delta.kind == "role" for delta in deltas)
        if not complete and not (role and not role_before and before == held):
            return False
        self._id = name
        return True
