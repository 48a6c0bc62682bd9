"""Where every field stands in a stream, an object or an array with something in it counted as a field too.

The ledger (`core.pointer.flatten`) has the path of an object or an array only where it is empty; to whoever compares
two streams it is the same field when it is full.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from inspector_app.report.paths import STEP

MOST = 50_000
"""Paths whose prefixes are remembered; of more they are worked out again."""


@dataclass(slots=True)
class Stand:
    """`events` that have a path in any form, the `first` of them; `full`: what it is where it holds something,
    and the first event of each."""

    first: int
    events: int = 0
    full: dict[str, int] = field(default_factory=dict)


class Standing:
    """Path -> its stand, of all that was taken."""

    def __init__(self) -> None:
        self.paths: dict[str, Stand] = {}
        self._known: dict[str, tuple[tuple[str, str], ...]] = {}

    def take(self, n: int, paths: Iterable[str], events: int = 1) -> None:
        """`events` events, the first of which is `n`, that have exactly these ledger paths."""
        seen: dict[str, str] = {}
        for path in paths:
            seen.setdefault(path, "")
            seen.update(self._holders(path))
        for path, kind in seen.items():
            stand = self.paths.get(path)
            if stand is None:
                stand = self.paths[path] = Stand(n)
            stand.first = min(stand.first, n)
            stand.events += events
            if kind:
                stand.full[kind] = min(stand.full.get(kind, n), n)

    def _holders(self, path: str) -> tuple[tuple[str, str], ...]:
        """What holds a path, from the outside in: path and kind of each."""
        found = self._known.get(path)
        if found is None:
            at, steps = "", STEP.findall(path)
            held = []
            for step, after in pairwise(steps):
                at += step
                held.append((at, "array" if after == "[]" else "object"))
            found = tuple(held)
            if len(self._known) < MOST:
                self._known[path] = found
        return found
