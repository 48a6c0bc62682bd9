"""The row map of a live stream: its last event is shown at once, and what has come of the next one below it."""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.ui.rows import RowMap, Tail

MOST_LINES = 50
"""Whole lines of an event that is not complete yet and of which the last are shown."""
ROOM = 4
"""Rows below the last event at least: half a line, what is said of it, and a place for the chip over them."""
SEPARATOR = 80
"""Bytes of a line that are looked at to tell a separator from an element."""
SOON_NS = 200_000_000
"""From so long a wait on half a line is shown: before that it would only flicker."""


class LiveRows(RowMap):
    """Takes in the last event as well, although blank lines may follow it: then it grows, at the end of the table."""

    def __init__(self) -> None:
        super().__init__()
        self._open = False
        """Whether the rows of the last event may become more."""

    def extend(self, reading: Reading) -> int:
        before = self.counts.total
        if self._open:
            del self.counts.starts[-1]
            self._open = False
        super().extend(reading)
        n = len(self.counts)
        if n < len(reading.events):
            first, last = reading.lines_of(n)
            rows = len(reading.layouts[reading.events.layouts[n]].rows)
            self.counts.extend([max(rows, last - first, 1)])
            self._open = True
        return self.counts.total - before


def open_line(reading: Reading, known: tuple[int, int]) -> tuple[int, int]:
    """The last event and the first line after it. `known` is the result before: a long event is not walked again.

    An event of server-sent events ends with a blank line, and those that follow are its own. So are the lines behind an
    element of an array that hold no more than the comma. In other framings a line that is no event yet is none of the
    last one either way.
    """
    events, lines = len(reading.events), reading.lines
    if not events:
        return -1, 0
    n = events - 1
    if reading.framing == "json-array":
        at = max(known[1] if known[0] == n else 0, lines.at(reading.events.data_ends[n] - 1) + 1)
        while at < len(lines) and lines.eols[at] and _separates(reading, at):
            at += 1
        return n, at
    if reading.framing != "sse":
        return n, len(lines)
    at = known[1] if known[0] == n else reading.events.first_lines[n]
    if known[0] != n:
        while at < len(lines) and not _blank(reading, at):
            at += 1
    while at < len(lines) and _blank(reading, at):
        at += 1
    return n, at


def _separates(reading: Reading, number: int) -> bool:
    line = reading.lines[number]
    return not reading.body.slice(line.start, min(line.end, line.start + SEPARATOR)).strip(b" \t,]")


def _blank(reading: Reading, number: int) -> bool:
    line = reading.lines[number]
    return line.start == line.end


def tail_of(reading: Reading, size: int, reads: int, wait: int) -> Tail:
    """What stands after the last event of a body of `size` bytes in which nothing came for `wait` ns."""
    lines = len(reading.lines)
    first = lines if reading.open_line is None else reading.open_line
    first = max(first, lines - MOST_LINES)
    blocks = reading.blocks
    block = len(blocks) - 1 if blocks and blocks[-1].state == "open" else -1
    rows = lines - first + ROOM
    return Tail(rows, (first, lines), reading.lines.size, size, reads - 1, wait >= SOON_NS, block)
