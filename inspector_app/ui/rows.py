"""The row map: which event stands in which display rows. All three panes are tables over the same rows."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import NamedTuple

from inspector_app.core.reading import Reading
from inspector_app.core.store import RowCounts

AT_ONCE = 4096
"""Events whose deltas are laid out together."""


class Tail(NamedTuple):
    """What has come after the last event while a stream is live; it is shown in `rows` rows below that event.

    `lines` are whole lines [first, last) of the next event, [start, end) the bytes of a line that has no end yet and
    `read` the number of the last read. `waits` says that nothing has come for a moment, so that half a line is worth
    showing; `block` is the number of the block that is open, -1 for none.
    """

    rows: int
    lines: tuple[int, int]
    start: int
    end: int
    read: int
    waits: bool
    block: int


class RowMap:
    """An event takes max(lines, deltas, 1) rows. One prefix sum leads there, one bisect back."""

    def __init__(self) -> None:
        self.counts = RowCounts()
        self.tail: Tail | None = None

    def __len__(self) -> int:
        return self.counts.total

    @property
    def events(self) -> int:
        """Events that have rows so far."""
        return len(self.counts)

    def extend(self, reading: Reading) -> int:
        """Take in the events that are complete; the last one waits for the end, since blank lines may follow it.

        Returns how many rows were added.
        """
        before = self.counts.total
        firsts = reading.events.first_lines
        known = len(reading.events)
        last = known if reading.ended else max(0, known - 1)
        done = len(self.counts)
        if last > done:
            sizes = [len(layout.rows) for layout in reading.layouts.all]
            layouts = reading.events.layouts
            ends = [*firsts[done + 1 : last + 1]]
            if len(ends) < last - done:
                ends.append(len(reading.lines))
            lines = [end - first for first, end in zip(firsts[done:last], ends, strict=True)]
            self.counts.extend([max(size, sizes[n], 1) for size, n in zip(lines, layouts[done:last], strict=True)])
        return self.counts.total - before

    def rows_of(self, event: int) -> tuple[int, int]:
        """The display rows [first, last) of an event."""
        return self.counts.starts[event], self.counts.starts[event + 1]

    def at(self, row: int) -> tuple[int, int]:
        """The event that stands in a row, and which of its rows this is."""
        event = self.counts.owner(row)
        return event, row - self.counts.starts[event]


def delta_events(reading: Reading) -> array[int]:
    """The event of every delta, as a column."""
    *_, found = delta_events_in_steps(reading)
    return found


def delta_events_in_steps(reading: Reading) -> Iterator[array[int]]:
    """The same, whole as the last of what is given, with a rest before each."""
    reading.settle_rows()
    out: array[int] = array("I")
    sizes = [len(layout.rows) for layout in reading.layouts.all]
    layouts = reading.events.layouts
    for start in range(0, len(layouts), AT_ONCE):
        found = [sizes[layout] for layout in layouts[start : start + AT_ONCE]]
        if found.count(1) == len(found):
            out.extend(range(start, start + len(found)))
        else:
            out.extend(n for n, size in enumerate(found, start) for _ in range(size))
        yield out
    yield out
