"""Server-sent events: the WHATWG algorithm, incremental, keeping every byte.

Strategy. Nearly every LLM stream is `data: {json}` LF LF, so a piece of the body that consists of nothing else is split
and tabled in C (`_plain`). Whatever is different goes line by line through `_line`, which is the algorithm itself and
notes on the way what a strict client would drop. Both see the same bytes once: an unfinished line waits in `_partial`.
A CR ends its line at once; an LF that follows in the next read only completes that terminator.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from itertools import accumulate, chain

from inspector_app.core import flags as F
from inspector_app.core.frame import Frame, Note
from inspector_app.core.rules import ReadingRules
from inspector_app.core.store import CR, CRLF, LF, Events, Lines
from inspector_app.framing._sse_lines import LARGE, data_of, half_end, retry_of, stray_line, stray_of
from inspector_app.framing._sse_named import fields_of, take_named, take_one

__all__ = ["NAME", "Sse", "create", "data_of", "retry_of", "stray_of"]

NAME = "sse"
FIELDS = (b"data", b"event", b"id", b"retry")
BOM = b"\xef\xbb\xbf"

_PLAIN = F.HAS_ID | F.NO_SPACE | F.COMMENT | F.BAD_RETRY | F.LARGE_LINE
"""Facts about the lines of an event that change nothing for its payload."""

_ENDS = re.compile(rb"\r\n|\n|\r")
_LF_ENDS = re.compile(rb"\n")
_UNICODE_ENDS = re.compile(rb"\r\n|\n|\r|\xe2\x80[\xa8\xa9]|\xc2\x85|[\x0b\x0c\x1c-\x1e]")
_CODES = {b"\n": LF, b"\r": CR, b"\r\n": CRLF, b"\xe2\x80\xa8": 4, b"\xe2\x80\xa9": 4, b"\xc2\x85": 5}
_RUNS = {eol: bytes([_CODES[eol]] * 8) for eol in (b"\n", b"\r\n")}


class Sse:
    """Feed it reads; it fills the line and event columns and returns the new events.

    A plain event comes back as its payload alone (bytes), any other as a `Frame`.
    """

    def __init__(self, rules: ReadingRules, lines: Lines, events: Events) -> None:
        self.rules = rules
        self.lines = lines
        self.events = events
        self.counts: Counter[int] = Counter()
        """How many lines raised each flag of core/flags.py."""
        self.stopped: str | None = None
        """Why this reader's client stopped reading (a lens rule), None while it reads."""
        self.notes: deque[Note] = deque()
        self.marker: tuple[str, int] | None = None
        self._partial: list[bytes] = []
        self._at = 0
        self._skip_lf = False
        self._id_seen = False
        self._id = ""
        self._ends = _UNICODE_ENDS if rules.unicode_lines else _ENDS if rules.framing == "spec" else _LF_ENDS
        self._looks_ahead = rules.unicode_lines or rules.final_cr == "held"
        self._held = b""
        self._plain_possible = rules.framing == "spec" and not rules.unicode_lines and not rules.max_line
        self._usual = rules.comment == "skip" and not rules.space_required and rules.multi_data == "join"
        self._first = True
        self._reset()

    def _reset(self) -> None:
        self._open = False
        self._flags = 0
        self._name: str | None = None
        self._data: list[bytes] = []
        self._data_lines: list[int] = []
        self._stray: list[bytes] = []
        self._stray_lines: list[int] = []
        self._lost: str | None = None
        self._drop = False
        self._fires = False
        self._otherwise = False
        self._set: set[bytes] = set()
        self._start = 0

    # reading

    def feed(self, data: bytes) -> list[bytes | Frame]:
        """Take one read; return the events that it completed."""
        out: list[bytes | Frame] = []
        if self._skip_lf and data:
            data = self._completed(data)
        if self.stopped is not None:
            return out
        if self._looks_ahead:
            data = self._held + data
            self._held = half_end(data, self.rules.unicode_lines)
            data = data[: len(data) - len(self._held)]
        eol = b"\n"
        if b"\r" in data and data.count(b"\r\n") == data.count(b"\n") == data.count(b"\r"):
            eol = b"\r\n"
        if not self._plain_possible or (eol == b"\n" and b"\r" in data):
            self._any(data, out)
            return out
        if self._first or self._open or self._partial:
            # The first event, or the open one, line by line; what follows starts at an event border.
            found = data.find(eol + eol)
            ends = not self._partial and data.startswith(eol)
            cut = len(eol) if ends else found + 2 * len(eol) if found >= 0 else len(data)
            self._any(data[:cut], out)
            data = data[cut:]
        if self.stopped is None:
            self._plain(data, out, eol)
        return out

    def _plain(self, data: bytes, out: list[bytes | Frame], eol: bytes) -> None:
        """Read from the border of an event on, where all lines end alike."""
        gap = eol + eol
        pieces = data.split(gap)
        rest = pieces.pop()
        count = len(pieces)
        body = len(data) - len(rest)
        lines, events = self.lines, self.events
        spaced = data.startswith(b"data: ")
        head = b"data: " if spaced else b"data:"
        if (
            count
            and (spaced or (not self.rules.space_required and data.startswith(head)))
            and data.count(b"\n", 0, body) == 2 * count
            and data.count(gap + head, 0, body) == count - 1
        ):
            sizes = list(map(len, pieces))
            payloads = [piece[len(head) :] for piece in pieces]
            # What starts with white space may be nothing else, or is spaced unlike the first: that takes a closer look.
            if max(sizes) <= LARGE and min(payloads) >= b"!":
                first = len(lines)
                ends = list(accumulate([size + len(gap) for size in sizes], initial=self._at))
                starts = ends[:-1]
                blanks = [end - len(eol) for end in ends[1:]]
                lines.starts.extend(chain.from_iterable(zip(starts, blanks, strict=True)))
                lines.eols.extend(bytes([_CODES[eol]]) * (2 * count))
                self._at = lines.size = ends[-1]
                number = len(events.first_lines)
                events.first_lines.extend(range(first, first + 2 * count, 2))
                if not number:
                    events.first_lines[0] = 0
                events.flags.extend([0 if spaced else F.NO_SPACE] * count)
                if not spaced:
                    self.counts[F.NO_SPACE] += count
                out.extend(payloads)
                if rest:
                    self._any(rest, out)
                return
        elif count and not self._open and take_named(data, pieces, eol, lines, events, out):
            self._at = lines.size
            pieces = []
        fields = False
        """Whether the event before had further lines: then those behind it have them mostly, too."""
        for piece in pieces:
            if self.stopped is not None:
                return
            if (
                eol == b"\n"
                and piece.startswith(b"data: ")
                and piece[6:].strip()
                and b"\n" not in piece
                and len(piece) <= LARGE
                and not self._open
            ):
                events.first_lines.append(len(lines) if len(events.first_lines) else 0)
                events.flags.append(0)
                lines.add(self._at, len(piece), LF)
                lines.add(self._at + len(piece) + 1, 0, LF)
                self._at = lines.size
                out.append(piece[6:])
            elif eol == b"\n" and not self._open and not fields and take_one(piece, lines, events, out):
                self._at = lines.size
            else:
                fields = self._usual and not self._open and self._take_fields(piece, eol, out)
                if not fields:
                    self._any(piece + gap, out)
        if rest and self.stopped is None:
            self._any(rest, out)

    def _completed(self, data: bytes) -> bytes:
        """What follows a CR at the end of the read before: an LF is its other half."""
        self._skip_lf = False
        if data[:1] == b"\n":
            self.lines.eols[-1] = CRLF
            self.lines.size += 1
            self._at += 1
            return data[1:]
        return data

    def _take_fields(self, piece: bytes, eol: bytes, out: list[bytes | Frame]) -> bool:
        """Table one event of several lines; False, and nothing done, where it is none of the usual ones."""
        found = fields_of(piece, eol) if len(piece) <= LARGE else None
        if found is None:
            return False
        ends, data, name, last_id, bits, unspaced, comments = found
        events, lines, at = self.events, self.lines, self._at
        number = len(events.first_lines)
        events.first_lines.append(len(lines.starts) if number else 0)
        lines.starts.append(at)
        lines.starts.extend([at + end for end in ends])
        lines.eols.extend(_RUNS[eol][: len(ends) + 1] if len(ends) < 8 else bytes([_CODES[eol]]) * (len(ends) + 1))
        self._at = lines.size = at + ends[-1] + len(eol)
        if unspaced:
            self.counts[F.NO_SPACE] += unspaced
        if comments:
            self.counts[F.COMMENT] += comments
        if last_id is not None:
            self._id_seen, self._id = True, last_id
            if not events.ids or events.ids[-1] != last_id:
                events.id_events.append(number)
                events.ids.append(last_id)
        events.flags.append(bits)
        if name is not None:
            events.names[number] = name
        plain = name is None and not bits & ~_PLAIN
        out.append(data if plain else tuple.__new__(Frame, (bits, name, data, None, ())))
        return True

    def _any(self, data: bytes, out: list[bytes | Frame]) -> None:
        start = 0
        for match in self._ends.finditer(data):
            content = data[start : match.start()]
            if self._partial:
                self._partial.append(content)
                content = b"".join(self._partial)
                self._partial = []
            self._line(content, _CODES.get(match.group(), 6), out)
            start = match.end()
            if self.stopped is not None:
                break
        if start < len(data):
            self._partial += [data[start:]] if self.stopped is None else []
        elif data.endswith(b"\r") and self._ends is _ENDS:
            self._skip_lf = True

    def close(self) -> list[bytes | Frame]:
        """The data has ended: return the event that hangs open, marked."""
        out: list[bytes | Frame] = []
        if self._held == b"\r" and self.rules.final_cr != "held":
            self._any(self._held, out)
        elif self._held:
            self._partial.append(self._held)
        self._held = b""
        if self._partial and self.stopped is None:
            content = b"".join(self._partial)
            self._partial = []
            self._line(content, 0, out, partial=True)
        if self._open:
            if self.stopped is not None:
                self._data, self._stray, self._lost = [], [], "the reading has ended in this event"
            self._dispatch(out, dangling=True)
        return out

    # one line

    def _line(self, content: bytes, eol: int, out: list[bytes | Frame], partial: bool = False) -> None:
        lines = self.lines
        number = len(lines)
        lines.add(self._at, len(content), eol)
        self._at = lines.size
        if self._first:
            self._first = False
            if content.startswith(BOM):
                self._flags |= F.BOM
                if self.rules.bom == "stripped":
                    content = content[3:]
                else:
                    self._otherwise, self._lost = True, "a byte-order mark stands in the name of its first field"
        if self.rules.framing == "lf-blocks" and content.endswith(b"\r"):
            content = content[:-1] if content != b"\r" else content
        if not content:
            self._blank(out, number)
            return
        if not self._open:
            self._open = True
            self._start = number
        if len(content) > LARGE:
            self._mark(F.LARGE_LINE)
        limit = self.rules.max_line
        if limit and len(content) > limit:
            self.stopped = f"line of {len(content)} bytes is longer than {limit}"
            return
        if content[:1] == b":":
            self._comment()
            return
        if self.rules.framing == "slice5":
            self._otherwise = not content.startswith(b"data:")
            self._take(content[5:].removeprefix(b" "), number)
            self._flags |= F.PARTIAL_LINE if partial else 0
            self._dispatch(out, dangling=partial)
            return
        self._field(content, number, partial)

    def _mark(self, flag: int) -> None:
        self._flags |= flag
        self.counts[flag] += 1

    def _comment(self) -> None:
        self._mark(F.COMMENT)
        if self.rules.comment == "drop-event":
            self._drop = True
        elif self.rules.comment == "end":
            self.stopped = ""

    def _take(self, value: bytes, number: int) -> None:
        self._data.append(value)
        self._data_lines.append(number)

    def _field(self, content: bytes, number: int, partial: bool) -> None:
        name, _, value = content.partition(b":")
        spaced = value[:1] == b" "
        if spaced:
            value = value[1:]
        elif value and name in FIELDS:
            self._mark(F.NO_SPACE)
        if name == b"data" and not spaced and self.rules.space_required:
            self._lost = "no space after the colon"
            self._otherwise = True
            return
        if partial:
            self._flags |= F.PARTIAL_LINE
        match name:
            case b"data":
                self._take(value, number)
            case b"event":
                self._name = value.decode("utf-8", "replace")
                self._set.add(name)
                self._fires |= "event" in self.rules.blank_fires and bool(value)
            case b"id":
                self._set.add(name)
                self._id_seen = True
                if b"\0" in value:
                    self._mark(F.NUL_ID)
                elif not partial:
                    self._id = value.decode("utf-8", "replace")
                    self._flags |= F.HAS_ID
            case b"retry":
                self._set.add(name)
                if not (value.isdigit() and value.isascii()):
                    self._mark(F.BAD_RETRY)
                else:
                    self._fires |= "retry" in self.rules.blank_fires
            case _:
                self._unknown(content, number, partial)

    def _unknown(self, content: bytes, number: int, partial: bool) -> None:
        text = content.strip()
        lower = text[:9].lower()
        found = stray_line(content)
        if found is not None:
            self._stray.append(found)
            self._stray_lines.append(number)
        if text == b"[DONE]":
            self._mark(F.BARE_MARKER)
        elif found is not None and text[:1] in (b"{", b"["):
            self._mark(F.UNFRAMED_JSON)
        elif lower.startswith((b"<!doctype", b"<html")):
            self._mark(F.HTML)
        else:
            if partial:
                self._flags |= F.UNKNOWN_FIELD
            else:
                self._mark(F.UNKNOWN_FIELD)

    # the end of an event

    def _blank(self, out: list[bytes | Frame], number: int) -> None:
        if self._open:
            self._dispatch(out)
            return
        if self._id_seen and len(self.events.flags):
            self.counts[F.EMPTY_AFTER_ID] += 1
            self.events.flags[-1] |= F.EMPTY_AFTER_ID
        if self._id and "id" in self.rules.blank_fires:
            self._start = number
            self._emit(out, F.NO_DATA, b"")

    def _dispatch(self, out: list[bytes | Frame], dangling: bool = False) -> None:
        data = self._data
        joined: bytes | None = None
        bits = self._flags
        rules = self.rules
        if data:
            joined = data[0] if len(data) == 1 else b"\n".join(data)
            if len(data) > 1:
                bits |= F.MULTI_DATA
            if not joined.strip():
                bits |= F.EMPTY_DATA
        elif bits & F.COMMENT and not bits & (F.UNKNOWN_FIELD | F.UNFRAMED_JSON | F.BARE_MARKER) and not self._set:
            bits |= F.COMMENT_ONLY
            if self._id_seen and not dangling:
                bits |= F.EMPTY_AFTER_ID
                self.counts[F.EMPTY_AFTER_ID] += 1
        else:
            bits |= F.NO_DATA
        if dangling:
            bits |= F.DANGLING
            if joined is not None and joined.strip() == b"[DONE]":
                bits |= F.UNFRAMED_MARKER
                self.counts[F.UNFRAMED_MARKER] += 1
        if joined is None and not dangling and (self._fires or (self._id and "id" in rules.blank_fires)):
            joined = b""
        lost = self._lost if joined is None else None
        if self._drop:
            joined, lost, self._otherwise = None, "a comment line beside it drops the event", True
        if joined is not None and len(data) > 1 and rules.multi_data != "join":
            joined = data[-1]
            self._otherwise |= rules.multi_data == "last"
            if rules.multi_data == "each":
                for piece, following in zip(data, self._data_lines[1:]):
                    stray, after = self._stray, sum(number < following for number in self._stray_lines)
                    self._stray = stray[:after]
                    self._emit(out, bits, piece, keep=True)
                    self._start, self._stray, self._stray_lines = following, stray[after:], self._stray_lines[after:]
        self._emit(out, bits, joined, lost)

    def _emit(
        self, out: list[bytes | Frame], bits: int, data: bytes | None, lost: str | None = None, keep: bool = False
    ) -> None:
        events = self.events
        number = len(events.first_lines)
        if self._otherwise:
            events.taken[number] = data, tuple(self._stray)
        events.first_lines.append(self._start if number else 0)
        events.flags.append(bits)
        if bits & F.HAS_ID and not bits & F.DANGLING and (not events.ids or events.ids[-1] != self._id):
            events.id_events.append(number)
            events.ids.append(self._id)
        if self._name is not None:
            events.names[number] = self._name
        plain = not bits & ~_PLAIN and self._name is None and data is not None and not self._stray
        out.append(data if plain and data is not None else Frame(bits, self._name, data, lost, tuple(self._stray)))
        if not keep:
            self._reset()


def create(rules: ReadingRules, lines: Lines, events: Events, name: str = NAME) -> Sse:
    """A reader for one body."""
    return Sse(rules, lines, events)
