"""The field ledger in pieces: `report.outline.ledger` over some events at a time, and the pieces put together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from inspector_app.core.reading import Reading
from inspector_app.report.outline import ledger

LIMIT = 20_000
"""Events that are looked through."""
PIECE = 200


class _Events:
    """The columns of some events, numbered from 0."""

    def __init__(self, reading: Reading, start: int, end: int) -> None:
        names = reading.events.names
        self.flags = reading.events.flags[start:end]
        self.names = {n - start: names[n] for n in range(start, end) if n in names}

    def __len__(self) -> int:
        return len(self.flags)


class _Piece:
    """Some events of a reading, in the place of the reading."""

    def __init__(self, reading: Reading, start: int, end: int) -> None:
        self._reading, self._start = reading, start
        self.events = _Events(reading, start, end)
        self.rules = reading.rules
        self.markers = reading.markers
        self.dialect_module = reading.dialect_module

    def text(self, n: int) -> bytes | None:
        return self._reading.text(self._start + n)


class FieldLedger:
    """Rows by path, as `ledger` gives them; `steps` yields the number of events done after each piece."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.done = 0
        """Events that have been looked through; a reading that grows is looked through further."""
        self.rows: dict[str, dict[str, Any]] = {}

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
            for row in ledger(cast(Reading, _Piece(self.reading, start, end))):
                self._take(row, start)
            self.done = end
            yield end

    def _take(self, row: dict[str, Any], start: int) -> None:
        known = self.rows.get(row["path"])
        if known is None:
            shifted = {key: row[key] + start for key in ("first_event", "last_event")}
            self.rows[row["path"]] = row | shifted
            return
        known["count"] += row["count"]
        known["last_event"] = row["last_event"] + start
        known["types"] += [kind for kind in row["types"] if kind not in known["types"]]
        if known["sample"] in (None, "", [], {}) and row["sample"] is not None:
            known["sample"] = row["sample"]


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
