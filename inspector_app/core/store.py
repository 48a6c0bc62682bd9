"""Append-only columns for lines and events. Everyone else sees `Line` and `Event`.

A million rows as tuples or dataclasses cost 185 MB, as columns 35 MB; that is why.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right

from inspector_app.core.types import EOL, Body, Line

LF, CR, CRLF = 1, 2, 3
WHOLE = 1 << 16
"""Bytes of a body that grows which are kept in one piece."""


class Lines:
    """Where each line starts and how it ends. A line ends where the next one starts, less its terminator."""

    def __init__(self) -> None:
        self.starts: array[int] = array("Q")
        self.eols = bytearray()
        self.size = 0
        """Bytes covered so far: the end of the last line with its terminator."""

    def __len__(self) -> int:
        return len(self.starts)

    def add(self, start: int, size: int, eol: int) -> None:
        """One line of `size` bytes, terminator not counted."""
        self.starts.append(start)
        self.eols.append(eol)
        self.size = start + size + len(EOL[eol])

    def __getitem__(self, n: int) -> Line:
        start = self.starts[n]
        eol = EOL[self.eols[n]]
        end = self.starts[n + 1] if n + 1 < len(self.starts) else self.size
        return Line(start, end - len(eol), eol)

    def at(self, offset: int) -> int:
        """The line that holds a byte (its terminator counts as its own)."""
        return max(0, bisect_right(self.starts, offset) - 1)


class Events:
    """One row per event: its first line, flag bits, and the layout of its deltas (see `Layouts`)."""

    def __init__(self) -> None:
        self.first_lines: array[int] = array("I")
        self.flags: array[int] = array("I")
        self.layouts: array[int] = array("I")
        self.names: dict[int, str] = {}
        """Event names other than the default, by event number."""
        self.data_starts: array[int] = array("Q")
        self.data_ends: array[int] = array("Q")
        """Where the payload of each event lies, in framings that keep it in one piece; empty in those by lines."""
        self.taken: dict[int, tuple[bytes | None, tuple[bytes, ...]]] = {}
        """Data and stray lines of events whose lines say something else to everybody but this reader."""
        self.id_events: array[int] = array("I")
        self.ids: list[str] = []
        """The last event id from event `id_events[i]` on is `ids[i]`."""

    def __len__(self) -> int:
        return len(self.layouts)

    def id_at(self, n: int) -> str | None:
        """The last event id as it stood when event n was dispatched."""
        i = bisect_right(self.id_events, n)
        return self.ids[i - 1] if i else None


class Layout:
    """What the deltas of an event are, without values: (kind, choice, pointer) each, and the rules its shape raises.

    Equal layouts are one object, so 300,000 equal chunks cost four bytes each.
    """

    __slots__ = ("hits", "number", "rows")

    def __init__(self, number: int, rows: tuple[tuple[str, int, str], ...], hits: tuple[tuple[str, str], ...]) -> None:
        self.number = number
        self.rows = rows
        self.hits = hits


class Layouts:
    """Interns layouts; number 0 has no rows."""

    def __init__(self) -> None:
        self.all: list[Layout] = []
        self._numbers: dict[object, int] = {}
        self.intern((), ())

    def __getitem__(self, number: int) -> Layout:
        return self.all[number]

    def intern(self, rows: tuple[tuple[str, int, str], ...], hits: tuple[tuple[str, str], ...]) -> Layout:
        """The one layout with these rows and hits."""
        key = (rows, hits)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.all)
            self.all.append(Layout(number, rows, hits))
        return self.all[number]


class RowCounts:
    """Prefix sums that grow with a column: where the rows of event n start. One bisect leads back."""

    def __init__(self) -> None:
        self.starts: array[int] = array("Q", [0])

    def extend(self, counts: list[int]) -> None:
        """Add the row counts of further events."""
        total = self.starts[-1]
        for count in counts:
            total += count
            self.starts.append(total)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def total(self) -> int:
        """All rows so far."""
        return self.starts[-1]

    def owner(self, row: int) -> int:
        """The event that a row belongs to."""
        return bisect_right(self.starts, row) - 1


class SegmentBody:
    """A body that grows in sealed pieces while an exchange is live; old pieces are never copied again."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._starts: array[int] = array("Q")
        self._size = 0
        self._loose = 0
        """How many of the last pieces are kept as they came."""
        self._keeps = True

    def __len__(self) -> int:
        return self._size

    def append(self, data: bytes) -> None:
        """Add what arrived."""
        if not data or not self._keeps:
            self._size += len(data)
            return
        self._pieces.append(data)
        self._starts.append(self._size)
        self._size += len(data)
        self._loose += 1
        loose = self._starts[-self._loose]
        if self._size - loose >= WHOLE:
            # Reads of a stream are small: kept each for itself they would cost more than what is in them.
            self._pieces[-self._loose :] = [b"".join(self._pieces[-self._loose :])]
            del self._starts[len(self._pieces) :]
            self._loose = 0

    def let_go(self) -> None:
        """Keep the size alone, of what follows as well; nothing can be read from it any more."""
        self._keeps = False
        self._pieces, self._starts, self._loose = [], array("Q"), 0

    def slice(self, start: int, end: int) -> bytes:
        end = min(end, self._size)
        if start >= end or not self._keeps:
            return b""
        first = bisect_right(self._starts, start) - 1
        out = []
        at = start
        while at < end:
            offset = self._starts[first]
            out.append(self._pieces[first][at - offset : end - offset])
            at = offset + len(self._pieces[first])
            first += 1
        return b"".join(out)


__all__ = ["CR", "CRLF", "LF", "Body", "Events", "Layout", "Layouts", "Lines", "RowCounts", "SegmentBody"]
