"""Where another answer begins in the same body (R41, rule meta-generation-spliced)."""

from __future__ import annotations

from collections.abc import Sequence

from inspector_app.core.runs import KINDS, Runs
from inspector_app.core.types import Delta

_CONTENT = frozenset({*KINDS, "tool.start", "tool.args"})


class Generation:
    """Follows the id of the answer that is being read; ask it before each event that is read the long way."""

    def __init__(self) -> None:
        self._id: str | None = None
        self._before: str | None = None
        self._role_before = False
        self._started = False
        self._ended = False

    def begins_with(self, name: str | None, deltas: Sequence[Delta], runs: Runs, marked: bool) -> bool:
        """True for a chunk that starts an answer of its own: a new id after a complete answer and its end marker, or
        after content together with a role that the chunk before did not have. Where answers are announced, only an
        announcement does; `name` is the id of the answer.
        """
        if any(delta.kind == "stream.end" or (delta.kind == "finish" and self._id is None) for delta in deltas):
            self._ended = True  # Answers without an id end where they say why; what follows, only its start tells.
        if any(delta.kind == "stream.start" for delta in deltas):
            return self._announced(name)
        if name is None or self._started:
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

    def is_new(self, name: str | None) -> bool:
        """Whether an announced answer of this id is another one than before."""
        return self._started and name is not None and name != self._id

    def _announced(self, name: str | None) -> bool:
        """A start: of another answer where the one before has ended, or has another id (R41)."""
        held, started, ended = self._id, self._started, self._ended
        self._started, self._ended = True, False
        self._id = name or held
        return started and (ended or (name is not None and held is not None and name != held))
