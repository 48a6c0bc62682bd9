"""One JSON value per line (dialects.md section 2.3). Lines end at LF, CR LF is tolerated."""

from __future__ import annotations

from collections import Counter, deque

from inspector_app.core import flags as F
from inspector_app.core.frame import Frame, Note
from inspector_app.core.rules import ReadingRules
from inspector_app.core.store import CRLF, LF, Events, Lines

NAME = "ndjson"
BOM = b"\xef\xbb\xbf"
BLANKS = b" \t\r"
"""What a blank line may hold: the white space of JSON."""


class Ndjson:
    """Each line that is not blank is an event; a blank line belongs to the event before."""

    def __init__(self, lines: Lines, events: Events) -> None:
        self.lines = lines
        self.events = events
        self.counts: Counter[int] = Counter()
        self.stopped: str | None = None
        self.notes: deque[Note] = deque()
        self.marker: tuple[str, int] | None = None
        self._partial: list[bytes] = []
        self._bom = 0

    def feed(self, data: bytes) -> list[bytes | Frame]:
        """Take one read; return the events that it completed."""
        out: list[bytes | Frame] = []
        if b"\n" not in data:
            self._partial.append(data)
            return out
        *whole, rest = b"".join([*self._partial, data]).split(b"\n")
        for line in whole:
            crlf = line.endswith(b"\r")
            self._line(line[:-1] if crlf else line, CRLF if crlf else LF, out)
        self._partial = [rest]
        return out

    def close(self) -> list[bytes | Frame]:
        """The data has ended: a last line without its line end counts, it only has to be whole JSON."""
        out: list[bytes | Frame] = []
        rest = b"".join(self._partial)
        self._partial = []
        if rest:
            self._line(rest, 0, out)
        return out

    def _line(self, content: bytes, eol: int, out: list[bytes | Frame]) -> None:
        lines, events = self.lines, self.events
        number = len(lines)
        lines.add(lines.size, len(content), eol)
        payload = content
        if number == 0 and payload.startswith(BOM):
            payload, self._bom = payload[3:], F.BOM
        if not payload.strip(BLANKS):
            return
        flags, self._bom = self._bom, 0
        if eol == 0:
            flags |= F.PARTIAL_LINE
        events.first_lines.append(number if events.first_lines else 0)
        events.flags.append(flags)
        out.append(self._frame(payload, flags, lines.starts[number] + len(content) - len(payload)))

    def _frame(self, payload: bytes, flags: int, start: int) -> bytes | Frame:
        """What is handed on for the event that was just tabled: its line, and where in the body that starts."""
        return Frame(flags, None, payload) if flags else payload


def create(rules: ReadingRules, lines: Lines, events: Events, name: str = NAME) -> Ndjson:
    """A reader for one body."""
    return Ndjson(lines, events)


def data_of(lines: list[bytes]) -> bytes | None:
    """The payload among the lines of one event, which come without a byte-order mark."""
    return next((line for line in lines if line.strip(BLANKS)), b"")
