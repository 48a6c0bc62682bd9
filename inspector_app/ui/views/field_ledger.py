"""The field ledger in pieces: what `report.outline.ledger` says of a whole stream, and where in it each field is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector_app.core.reading import Reading
from inspector_app.core.shapes import Shapes
from inspector_app.report.outline import sampled, take_fields

LIMIT = 2_000_000
"""Events that are looked through."""
PIECE = 100
MOST = 50_000
"""Fields that are told apart; a stream with new keys in each event has no end of them."""
CELLS = 256
"""Parts of the stream that presence is told of, at most."""


_NOWHERE = bytearray()


class FieldLedger:
    """Rows by path, as `ledger` gives them; `steps` yields the number of events done after each piece.

    `presence` says of each path in which parts of the stream it is: a byte for `grain` events.
    """

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.done = 0
        """Events that have been looked through; a reading that grows is looked through further."""
        self.rows: dict[str, dict[str, Any]] = {}
        self.presence: dict[str, bytearray] = {}
        self.grain = 1
        self._shapes = Shapes(reading, lambda path: sampled(self.rows.get(path)))

    @property
    def total(self) -> int:
        """Events that are looked through now."""
        return min(len(self.reading.events), LIMIT)

    @property
    def left_out(self) -> int:
        """Events beyond them."""
        return len(self.reading.events) - self.total

    def steps(self) -> Iterator[int]:
        """Read on, piece by piece."""
        while self.done < (total := self.total):
            start, end = self.done, min(self.done + PIECE, total)
            while (end - 1) // self.grain >= CELLS:
                self._coarsen()
            for paths, events in take_fields(self.rows, self._shapes, start, end, MOST):
                places = {n // self.grain for n in events}
                for path in paths:
                    if path not in self.rows:
                        continue
                    cells = self.presence.setdefault(path, _NOWHERE)
                    if cells is _NOWHERE:
                        cells = self.presence[path] = bytearray(CELLS)
                    for place in places:
                        cells[place] = 1
            self.done = end
            yield end

    def stretches(self, path: str) -> list[tuple[float, float]]:
        """Where in what was looked through a field is: parts of the whole, 0 to 1, those that touch in one."""
        found: list[tuple[float, float]] = []
        cells, last = self.presence[path], (self.done - 1) // self.grain + 1
        at = cells.find(1)
        while 0 <= at < last:
            end = cells.find(0, at)
            end = last if end < 0 else min(end, last)
            found.append((at * self.grain / self.done, min(1.0, end * self.grain / self.done)))
            at = cells.find(1, end)
        return found

    def _coarsen(self) -> None:
        self.grain *= 2
        for path, cells in self.presence.items():
            # Byte by byte the larger one, since there are but 0 and 1.
            even, odd = (int.from_bytes(cells[first::2], "big") for first in range(2))
            joined = bytearray((even | odd).to_bytes(CELLS // 2, "big"))
            self.presence[path] = joined + bytes(CELLS - len(joined))


def pointer_of(value: Any, path: str) -> str | None:
    """The first JSON Pointer in a value that a ledger path without quoted keys leads to."""
    if '"' in path:
        return None
    return _below(value, [part for part in path.replace("[]", ".[]").split(".") if part])


def _below(value: Any, parts: list[str]) -> str | None:
    if not parts:
        return ""
    first, rest = parts[0], parts[1:]
    members: list[tuple[int | str, Any]]
    if first == "[]":
        members = list(enumerate(value)) if isinstance(value, list) else []
    else:
        members = [(first, value[first])] if isinstance(value, dict) and first in value else []
    for key, member in members:
        found = _below(member, rest)
        if found is not None:
            return f"/{str(key).replace('~', '~0').replace('/', '~1')}{found}"
    return None
