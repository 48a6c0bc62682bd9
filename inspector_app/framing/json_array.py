"""A JSON array that arrives piece by piece (dialects.md section 2.4): each element is an event once it is complete.

Strategy. Elements mostly begin alike and stand apart alike, so one is guessed to end where those bytes come again; if
what lies between is JSON, that is the end. Any other element that lies in one read is matched by one expression, which
knows strings and brackets to a depth that payloads have. What a read cuts, and what is nested deeper, goes through
`_inside`, which keeps depth and string state from read to read and looks at each byte once. All of them find the same
end, so no cut changes an answer.

Lines are those of the body. Where an element begins behind another one in the same line, the line is cut there, so
that every line belongs to one event. Commas, blanks and the closing bracket belong to the element before them.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections import Counter, deque
from itertools import accumulate

import orjson

from inspector_app.core import flags as F
from inspector_app.core.frame import Frame, Note
from inspector_app.core.rules import ReadingRules
from inspector_app.core.store import CR, CRLF, LF, Events, Lines

NAME = "json-array"
BOM = b"\xef\xbb\xbf"
MARKER = "]"
"""What ends such a stream: the bracket that closes the array."""

_ENDS = re.compile(rb"\r\n|\n|\r")
_CODES = {b"\n": LF, b"\r": CR, b"\r\n": CRLF}
BLANKS = b" \t\n\r"
_BLANKS = re.compile(rb"[ \t\n\r]*")
_MARK = re.compile(rb'["{}\[\]]')
_IN_STRING = re.compile(rb'["\\]')
_WORD_END = {True: re.compile(rb"[,\[\]{\n\r]"), False: re.compile(rb"[\[{\n\r]")}
"""Where something ends that is neither object, array nor string: in the array, and outside of it."""

ALIKE = 10
"""Bytes at the beginning of an element that tell it from the objects inside of another."""

DEPTH = 12
"""Brackets inside each other that one match copes with."""


def _whole(depth: int) -> re.Pattern[bytes]:
    """One object or array, strings understood; possessive, so that a failed match costs one pass."""
    flat = rb'[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+"'
    element = rb"[{\[](?:" + flat + rb")*+[}\]]"
    for _ in range(depth):
        element = rb"[{\[](?:" + flat + rb"|" + element + rb")*+[}\]]"
    return re.compile(element, re.DOTALL)


_WHOLE = _whole(DEPTH)
_BETWEEN, _BRACKETS, _WORD = range(3)


class JsonArray:
    """Feed it reads; it fills the line and event columns and returns the elements that became complete."""

    def __init__(self, lines: Lines, events: Events) -> None:
        self.lines = lines
        self.events = events
        self.counts: Counter[int] = Counter()
        self.stopped: str | None = None
        self.notes: deque[Note] = deque()
        self.marker: tuple[str, int] | None = None
        self._state = _BETWEEN
        self._inside_array = False
        self._opened = False
        self._commas = 0
        self._elements = 0
        """Elements of the array that is open."""
        self._fresh = True
        """No element has begun in this line yet."""
        self._bom = 0
        self._pieces: list[bytes] = []
        self._start = 0
        self._depth = 0
        self._in_string = False
        self._escaped = False
        self._line_open = False
        self._new: list[tuple[int, bytes, int]] = []
        self._cuts: list[int] = []
        self._alike = b""
        """The last byte of an element, the comma behind it with blanks, how the next one begins; empty if not known."""
        self._reach = 0

    def feed(self, data: bytes) -> list[bytes | Frame]:
        """Take one read; return the events that it completed."""
        base, at = self.lines.size, 0
        if base == self._bom < 3:
            while at < len(data) and self._bom < 3 and data[at] == BOM[self._bom]:
                at, self._bom = at + 1, self._bom + 1
        if self._state != _BETWEEN:
            at = self._go_on(data, at)
        while at < len(data):
            begin = at
            at = self._between(data, at, base)
            gap = data[begin:at]
            if b"\n" in gap or b"\r" in gap:
                self._fresh = True
            if at < len(data):
                whole = data[begin - 1 : begin] in (b"}", b"]") and gap.strip(BLANKS) == b","
                self._alike = data[begin - 1 : at + ALIKE] if whole else b""
                at = self._begin(data, at, base)
        self._table(data)
        return self._emit()

    def close(self) -> list[bytes | Frame]:
        """The data has ended: an element that is not complete comes marked, an array that is still open is noted."""
        if self._state != _BETWEEN:
            content = b"".join(self._pieces)
            word = self._state == _WORD
            self._new.append((self._start, content.rstrip() if word else content, F.PARTIAL_LINE | F.DANGLING))
            self._state = _BETWEEN
        out = self._emit()
        if self._inside_array:
            size = self.lines.size
            last = max(0, len(self.events.first_lines) - 1)
            self.notes.append(Note("frame-cut", last, size, size, "the array is not closed"))
        return out

    # elements

    def _between(self, data: bytes, at: int, base: int) -> int:
        """Pass what stands between elements; returns where one begins."""
        while True:
            at = _BLANKS.match(data, at).end()  # type: ignore[union-attr]
            byte = data[at : at + 1]
            if byte == b"," and self._inside_array:
                self._commas += 1
            elif byte == b"]" and self._inside_array:
                self._close_array(base + at)
            elif byte == b"[" and not self._inside_array:
                self._inside_array, self._commas, self._elements = True, 0, 0
            else:
                return at
            at += 1

    def _close_array(self, at: int) -> None:
        known = len(self.events.first_lines) + len(self._new)
        last = max(0, known - 1)
        if self._commas:
            self.notes.append(Note("json-invalid", last, at, at + 1, "comma before ']'"))
        self._inside_array = False
        if self.marker is None:
            self.marker = MARKER, last

    def _begin(self, data: bytes, at: int, base: int) -> int:
        """An element begins; returns where it ends, or the end of the data."""
        start = base + at
        if not self._fresh:
            self._cuts.append(start)
        self._fresh = False
        if self._inside_array:
            if self._commas != (self._elements > 0):
                self._complain(start)
            self._elements += 1
            self._commas = 0
        self._start = start
        byte = data[at]
        if byte in b"{[":
            at = self._while_alike(data, at, base)
            found = _WHOLE.match(data, at)
            if found is not None:
                self._new.append((base + at, found.group(), 0))
                self._reach = 4 * len(found.group())
                return found.end()
            self._start = base + at
        self._state = _BRACKETS if byte in b'{["' else _WORD
        return self._go_on(data, at)

    def _while_alike(self, data: bytes, at: int, base: int) -> int:
        """Take elements for as long as they begin and stand apart alike; returns where one begins that is not taken."""
        alike, new = self._alike, self._new
        if len(alike) <= ALIKE:
            return at
        step = len(alike) - ALIKE
        lines = b"\n" in alike[:step] or b"\r" in alike[:step]
        while (end := data.find(alike, at, at + self._reach)) >= 0:
            element = data[at : end + 1]
            try:
                orjson.loads(element)
            except orjson.JSONDecodeError:
                break
            new.append((base + at, element, 0))
            at = end + step
            self._elements += 1
            if not lines:
                self._cuts.append(base + at)
        return at

    def _complain(self, start: int) -> None:
        number = len(self.events.first_lines) + len(self._new)
        what = "no comma" if not self._commas else "a comma" if not self._elements else f"{self._commas} commas"
        self.notes.append(Note("json-invalid", number, start, start + 1, f"{what} before element {self._elements}"))

    def _go_on(self, data: bytes, at: int) -> int:
        """Go on with the element that is open; returns where it ends, or the end of the data."""
        if self._state == _WORD:
            found = _WORD_END[self._inside_array].search(data, at)
            end = -1 if found is None else found.start()
        else:
            end = self._inside(data, at)
        self._pieces.append(data[at:] if end < 0 else data[at:end])
        if end < 0:
            return len(data)
        content = b"".join(self._pieces)
        self._new.append((self._start, content.rstrip() if self._state == _WORD else content, 0))
        self._pieces, self._state = [], _BETWEEN
        return end

    def _inside(self, data: bytes, at: int) -> int:
        """Where the open object, array or string ends, -1 when that is not in the data."""
        while at < len(data):
            if self._escaped:
                self._escaped = False
                at += 1
                continue
            found = (_IN_STRING if self._in_string else _MARK).search(data, at)
            if found is None:
                return -1
            at = found.end()
            match found.group():
                case b'"':
                    self._in_string = not self._in_string
                    if not self._in_string and not self._depth:
                        return at
                case b"\\":
                    self._escaped = True
                case b"{" | b"[":
                    self._depth += 1
                case _:
                    self._depth -= 1
                    if not self._depth:
                        return at
        return -1

    # the tables

    def _table(self, data: bytes) -> None:
        """Table the lines of a read. The last line is open: it grows until its end has come."""
        lines = self.lines
        base = lines.size
        total = base + len(data)
        if lines.eols and lines.eols[-1] == CR and not self._line_open and data[:1] == b"\n":
            lines.eols[-1] = CRLF
            base += 1
            data = data[1:]
        lines.size = total
        if not data:
            return
        ends, codes = self._ends_in(data, base)
        if not self._line_open:
            lines.starts.append(base)
            lines.eols.append(0)
        if not ends:
            self._line_open = True
            return
        self._line_open = ends[-1] < total
        lines.eols[-1] = codes[0]
        lines.eols += codes[1:]
        lines.starts.extend(ends if self._line_open else ends[:-1])
        if self._line_open:
            lines.eols.append(0)

    def _ends_in(self, data: bytes, base: int) -> tuple[array[int], bytes]:
        """Where lines end in a read, and the codes of their terminators; 0 where an element begins in the line."""
        cuts, self._cuts = self._cuts, []
        if b"\r" not in data and (not cuts or b"\n" not in data):
            if cuts:
                return array("Q", cuts), bytes(len(cuts))
            *sizes, _ = map(len, data.split(b"\n"))
            ends = array("Q", accumulate([size + 1 for size in sizes], initial=base))[1:]
            return ends, b"\x01" * len(ends)
        found = [(base + end.end(), _CODES[end.group()]) for end in _ENDS.finditer(data)]
        found = sorted([*found, *((at, 0) for at in cuts)])
        return array("Q", [at for at, _ in found]), bytes([code for _, code in found])

    def _emit(self) -> list[bytes | Frame]:
        events, starts = self.events, self.lines.starts
        out: list[bytes | Frame] = []
        low = events.first_lines[-1] if events.first_lines else 0
        for start, payload, flags in self._new:
            if not events.first_lines:
                flags |= F.BOM if self._bom == len(BOM) else 0
            else:
                low = bisect_right(starts, start, low) - 1
            events.first_lines.append(low)
            events.flags.append(flags)
            events.data_starts.append(start)
            events.data_ends.append(start + len(payload))
            out.append(Frame(flags, None, payload) if flags else payload)
        self._new = []
        return out


def create(rules: ReadingRules, lines: Lines, events: Events, name: str = NAME) -> JsonArray:
    """A reader for one body."""
    return JsonArray(lines, events)
