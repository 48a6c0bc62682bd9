"""Where another answer begins in the same body (R41, rule meta-generation-spliced)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from inspector_app.core.reading import Reading
from inspector_app.core.runs import KINDS, Runs
from inspector_app.core.statements import Statements
from inspector_app.core.types import Delta

_CONTENT = frozenset({*KINDS, "tool.start", "tool.args", "role"})
_OF_AN_END = frozenset({"finish", "usage", "error", "stream.end"})
"""What comes late rather than early, and so belongs to the answer before it."""
LOOKED_BACK = 1000
"""Events without an id that are passed over to find one with it."""


Said = tuple[str | None, bool]
"""What an event calls its answer, and whether it says a role."""


def said_by(reading: Reading, statements: Statements, n: int) -> Said:
    """What event n, which was read already, says of its answer."""
    rows = reading.layouts[reading.events.layouts[n]].rows
    return statements.answer_id(reading.payload(n)), any(kind == "role" for kind, *_ in rows)


class Generation:
    """Follows the answer that is being read; ask it before each event that is read the long way. What an event between
    those said is asked of `said` where it counts.
    """

    def __init__(self, said: Callable[[int], Said]) -> None:
        self._said = said
        self.follows: list[int] = []
        """Events at which an answer begins after one that is complete: each could stand alone."""
        self._id: str | None = None
        self._before: str | None = None
        self._role_before = False
        self._last = -1
        """The last event with an id that was read the long way; `_before` and `_role_before` are what it said."""
        self._started = False
        self._ended = False
        self._marked = self._over = False
        """Whether this answer has had its end marker, and that or a finish reason."""
        self._ahead: int | None = None
        """The first event behind an end marker that names no answer and holds no content: it may open the next one, as
        the results of Azure's prompt filter do."""
        self._more: int | None = None
        """The first event behind an end marker that may begin an answer, where those have neither a start nor an id."""

    def begins_with(
        self, n: int, name: str | None, deltas: Sequence[Delta], runs: Runs, *, unmarked: bool, turned: bool
    ) -> bool:
        """True for a chunk that starts an answer of its own: a new id after a complete answer and its end marker, or
        after content together with a role that the chunk before did not have. Where answers are announced, only an
        announcement does; `name` is the id of the answer. `unmarked`: there can be no end marker, so that a complete
        answer needs none. `turned`: the event is of another dialect than the one before, which knows no such id.
        """
        starts = any(delta.kind == "stream.start" for delta in deltas)
        says = any(delta.kind in _CONTENT for delta in deltas)
        if turned:
            self._id = self._before = None
            self._role_before = self._started = self._ended = False
        if turned and runs.blocks[runs.settled :] and (starts or (self._over and says)):
            self._id, self._started, begins = name, starts, True
        elif starts:
            begins = self._announced(name)
        else:
            begins = name is not None and not self._started and self._named(n, name, deltas, runs, says, unmarked)
        if begins:
            self.follows += [self._start(n, starts, runs)] if self._over else []
            self._marked, self._over, self._more, self._ahead = False, False, None, None
        elif self._marked and not says and name is None and deltas:
            late = any(delta.kind in _OF_AN_END for delta in deltas)
            self._ahead = None if late else n if self._ahead is None else self._ahead
        elif self._marked and says and name is None and self._more is None:
            self._more = n
        if name is not None and name == self._id:
            self._ahead = None
        for delta in deltas:
            # Answers without an id end where they say why; what follows, only its start tells.
            self._ended = self._ended or delta.kind == "stream.end" or (delta.kind == "finish" and self._id is None)
            self._over = self._over or delta.kind == "finish"
        return begins

    def is_new(self, name: str | None) -> bool:
        """Whether an announced answer of this id is another one than before."""
        return self._started and name is not None and name != self._id

    def marked(self, runs: Runs) -> None:
        """An end marker came. A second one, behind more content, is that of an answer without a start and an id."""
        if self._more is not None and any(block.last_event >= self._more for block in runs.blocks):
            self.follows.append(self._more)
        self._marked, self._over, self._more, self._ahead = True, True, None, None

    def _start(self, n: int, announced: bool, runs: Runs) -> int:
        """Where the answer begins that event n shows to be another one."""
        ahead = self._ahead
        if announced or ahead is None or any(block.last_event >= ahead for block in runs.blocks):
            return n
        return ahead

    def _named(self, n: int, name: str, deltas: Sequence[Delta], runs: Runs, says: bool, unmarked: bool) -> bool:
        role = any(delta.kind == "role" for delta in deltas)
        held, before, last = self._id, (self._before, self._role_before), self._last
        self._before, self._role_before, self._last = name, role, n
        if held is None:
            self._id = name
            return False
        if name == held or not runs.blocks[runs.settled :]:
            return False
        finished = bool(runs.choices) and all(choice.finished is not None for choice in runs.choices.values())
        if not ((self._marked or unmarked) and finished and says):
            between = map(self._said, range(n - 1, max(last, n - LOOKED_BACK), -1))
            if not role or next((said for said in between if said[0] is not None), before) != (held, False):
                return False
        self._id = name
        return True

    def _announced(self, name: str | None) -> bool:
        """A start: of another answer where the one before has ended, or has another id (R41)."""
        held, started, ended = self._id, self._started, self._ended
        self._started, self._ended = True, False
        self._id = name or held
        return started and (ended or (name is not None and held is not None and name != held))
