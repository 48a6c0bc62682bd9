"""Undo of what a person changed in the view of a recording: where they looked, what they selected, whose reading.

A step is all that was in view before a change, so that what followed from the change goes back with it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

MOST = 500
"""Steps that are kept."""
TOGETHER = {"zoom": 1.0, "pan": 1.0, "selection": 0.4}
"""Kind of change -> seconds within which one that follows another belongs to it: turns of a wheel, a held arrow."""


class Facet(NamedTuple):
    """One thing that can be brought back."""

    read: Callable[[], Any]
    write: Callable[[Any], object]


class History:
    """The steps of one page. `facets` by their kind, in the order in which they are to be brought back.

    Nothing is kept until `open` and between `hold` and `open`: there the program moves things itself.
    `clock` gives seconds.
    """

    def __init__(self, facets: Mapping[str, Facet], clock: Callable[[], float] = time.monotonic) -> None:
        self._facets, self._clock = facets, clock
        self._known: dict[str, Any] = {}
        self._held = True
        self._undo: deque[dict[str, Any]] = deque(maxlen=MOST)
        self._redo: deque[dict[str, Any]] = deque(maxlen=MOST)
        self._last: tuple[str, float] = ("", 0.0)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """Whether there is a change that was taken back."""
        return bool(self._redo)

    def hold(self) -> None:
        """What follows is done by the program."""
        self._held = True

    def open(self) -> None:
        """What follows is done by a person."""
        self._held = False
        self._known = self._now()

    def clear(self) -> None:
        """Forget all steps: another recording is in view."""
        self._undo.clear()
        self._redo.clear()
        self._last = ("", 0.0)

    def keep(self, kind: str) -> None:
        """Remember what is in view: a person is about to change it. `kind` says how, for `TOGETHER`."""
        if not self._held:
            self._push(kind, self._now())

    def noticed(self, kind: str) -> None:
        """The same for a facet that has just changed, before anything else follows from it."""
        if self._held:
            return
        value = self._facets[kind].read()
        if self._known[kind] != value:
            self._push(kind, self._now() | {kind: self._known[kind]})
            self._known[kind] = value

    def undo(self) -> None:
        """Take back the last change."""
        self._move(self._undo, self._redo)

    def redo(self) -> None:
        """Make the change again that was taken back last."""
        self._move(self._redo, self._undo)

    def _move(self, taken: deque[dict[str, Any]], given: deque[dict[str, Any]]) -> None:
        now = self._now()
        while taken:
            wanted = taken.pop()
            # A change that moved nothing, as to zoom out of the whole, is no step.
            if wanted != now:
                given.append(now)
                self._bring_back(wanted)
                return

    def _now(self) -> dict[str, Any]:
        return {kind: facet.read() for kind, facet in self._facets.items()}

    def _push(self, kind: str, before: dict[str, Any]) -> None:
        last, when = self._last
        now = self._clock()
        self._last = (kind, now)
        if kind == last and now - when <= TOGETHER.get(kind, 0.0) and self._undo:
            return
        self._undo.append(before)
        self._redo.clear()

    def _bring_back(self, before: dict[str, Any]) -> None:
        self._last = ("", 0.0)
        self.hold()
        for kind, facet in self._facets.items():
            if facet.read() != before[kind]:
                facet.write(before[kind])
        self.open()
