"""AWS event stream: binary frames with lengths, headers and two CRC-32 (dialects.md section 2.5).

A frame is a line and an event; its data is its payload, its name the `:event-type`, for an exception or error frame
the `:exception-type` or `:error-code`.

Resync. A prelude counts when its lengths are possible and its CRC fits. Where none stands, the next one that counts
is looked for byte by byte, and what lies before it is one damaged unit: read as the frame that it says it is when its
length leads exactly there, else shown as bytes. A frame whose message CRC does not fit keeps its length, which the
prelude CRC vouches for, unless a good prelude stands inside of it: then bytes got lost, and it ends there. So a fault
costs the frames that it hit. All of it depends on the bytes alone, not on how they were cut into reads.
"""

from __future__ import annotations

import zlib
from collections import Counter
from typing import NamedTuple

from inspector_app.core import flags as F
from inspector_app.core.frame import Frame, Note
from inspector_app.core.rules import ReadingRules
from inspector_app.core.store import Events, Lines
from inspector_app.framing._aws_frames import (
    CRC,
    PRELUDE,
    Header,
    headers_of,
    is_frame_at,
    is_possible,
    next_frame,
    prelude_at,
)
from inspector_app.framing._sse_lines import stray_line

NAME = "aws-eventstream"
RELAYED = b"\xef\xbf\xbd"
"""U+FFFD: what a relay leaves that takes the bytes for text."""
KNOWN = 256
"""Header blocks whose meaning is remembered; a stream has few."""
LARGEST_STRAY = 1 << 16
"""Bytes between frames that are looked at as text."""


class _Meaning(NamedTuple):
    """What a header block says of its frame. `message` is where an error message lies in it."""

    name: str | None
    flags: int
    message: tuple[int, int] | None


def _meaning(block: bytes) -> _Meaning:
    headers = {header.name: header for header in headers_of(block)[0]}
    said = headers.get(":message-type")
    if said is None or said.value == "event":
        name = headers.get(":event-type")
        return _Meaning(name.value if name is not None else None, 0, None)
    if said.value not in ("exception", "error"):
        return _Meaning(said.value, 0, None)
    name = headers.get(":exception-type") or headers.get(":error-code")
    message = headers.get(":error-message")
    return _Meaning(
        name.value if name is not None else said.value,
        F.EXCEPTION,
        (message.start, message.end) if message is not None else None,
    )


class AwsEventStream:
    """Feed it reads; it fills the line and event columns and returns the frames that became complete."""

    def __init__(self, lines: Lines, events: Events) -> None:
        self.lines = lines
        self.events = events
        self.counts: Counter[int] = Counter()
        self.stopped: str | None = None
        self.notes: list[Note] = []
        self.marker: tuple[str, int] | None = None
        self._buffer = bytearray()
        """The unit that is not complete, and what follows it in a read."""
        self._needed = PRELUDE
        """Bytes that the buffer must have before there is anything to do."""
        self._searched = 1
        """Before this place in the buffer no prelude stands that counts."""
        self._known: dict[bytes, _Meaning] = {}

    def feed(self, data: bytes) -> list[bytes | Frame]:
        """Take one read; return the frames that it completed."""
        self._buffer += data
        out: list[bytes | Frame] = []
        if len(self._buffer) >= self._needed:
            self._drop(self._read(out))
        return out

    def close(self) -> list[bytes | Frame]:
        """The data has ended: what is left is cut, or damaged."""
        out: list[bytes | Frame] = []
        buffer = self._buffer
        at, size = 0, len(buffer)
        while at < size:
            whole = size - at >= PRELUDE
            good = whole and is_frame_at(buffer, at)
            if good and at + prelude_at(buffer, at).total <= size:
                at += self._frame(at, out)
                continue
            found = next_frame(buffer, at + (PRELUDE if good else 1), size)
            if found >= 0:
                self._damaged(at, found, "it is shorter than it says" if good else "the prelude", out)
                at = found
                continue
            if good or not whole:
                self._cut(at, out)
            else:
                self._damaged(at, size, "the prelude", out)
            at = size
        self._drop(size)
        return out

    def _read(self, out: list[bytes | Frame]) -> int:
        """Take out what is complete; returns where the rest begins."""
        buffer = self._buffer
        at, size = 0, len(buffer)
        while size - at >= PRELUDE:
            if is_frame_at(buffer, at):
                total = prelude_at(buffer, at).total
                if size - at < total:
                    self._needed = total
                    return at
                at += self._frame(at, out)
                continue
            found = next_frame(buffer, at + self._searched, size)
            if found < 0:
                self._searched = max(1, size - at - PRELUDE + 1)
                self._needed = size - at + 1
                return at
            self._damaged(at, found, "the prelude", out)
            at, self._searched = found, 1
        self._needed = PRELUDE
        return at

    def _drop(self, size: int) -> None:
        del self._buffer[:size]

    # units

    def _frame(self, at: int, out: list[bytes | Frame]) -> int:
        """A frame with a good prelude that is there whole; returns its length."""
        raw = bytes(memoryview(self._buffer)[at : at + prelude_at(self._buffer, at).total])
        if zlib.crc32(memoryview(raw)[:-CRC]) != int.from_bytes(raw[-CRC:], "big"):
            inner = next_frame(raw, PRELUDE, len(raw))
            if inner >= 0:
                self._damaged(at, at + inner, "it is shorter than it says", out)
                return inner
            self._complain(raw, "the message")
        self._add(raw, 0, out)
        return len(raw)

    def _damaged(self, at: int, end: int, what: str, out: list[bytes | Frame]) -> None:
        """Bytes up to the next good prelude, or to the end of the data."""
        raw = bytes(memoryview(self._buffer)[at:end])
        self._complain(raw, what)
        prelude = prelude_at(raw, 0) if len(raw) >= PRELUDE else None
        if prelude is not None and is_possible(prelude) and prelude.total == len(raw):
            self._add(raw, 0, out)
            return
        start = self.lines.size
        self._row(len(raw), start, start, F.NO_DATA, None)
        out.append(Frame(F.NO_DATA, None, None, None, stray_of([raw])))

    def _cut(self, at: int, out: list[bytes | Frame]) -> None:
        """The last frame, of which the end of the data took a part."""
        raw = bytes(memoryview(self._buffer)[at:])
        start = self.lines.size
        if len(raw) < PRELUDE:
            said = f"{len(raw)} bytes of a frame"
        else:
            said = f"{len(raw)} bytes of a frame of {prelude_at(raw, 0).total}"
        self.notes.append(Note("frame-cut", len(self.events.first_lines), start, start + len(raw), said))
        headers = prelude_at(raw, 0).headers if len(raw) >= PRELUDE else 0
        if len(raw) < PRELUDE + headers or len(raw) <= PRELUDE:
            flags = F.CUT | F.DANGLING | F.NO_DATA
            self._row(len(raw), start, start, flags, None)
            out.append(Frame(flags, None, None))
            return
        self._add(raw, F.CUT | F.DANGLING, out)

    def _complain(self, raw: bytes, what: str) -> None:
        start = self.lines.size
        count = raw.count(RELAYED)
        relayed = f"; {count} × EF BF BD in it, so it was passed on as text" if count else ""
        crc = what if what.startswith("it ") else f"{what} CRC"
        self.notes.append(
            Note("frame-aws-crc", len(self.events.first_lines), start, start + len(raw), f"{crc}{relayed}")
        )

    def _add(self, raw: bytes, flags: int, out: list[bytes | Frame]) -> None:
        prelude = prelude_at(raw, 0)
        block = raw[PRELUDE : PRELUDE + prelude.headers]
        meaning = self._known.get(block)
        if meaning is None:
            meaning = _meaning(block)
            if len(self._known) < KNOWN:
                self._known[block] = meaning
        first = PRELUDE + prelude.headers
        last = min(len(raw), prelude.total - CRC)
        if first == last and meaning.message is not None:
            first, last = PRELUDE + meaning.message[0], PRELUDE + meaning.message[1]
        flags |= meaning.flags
        start = self.lines.size
        self._row(len(raw), start + first, start + last, flags, meaning.name)
        data = raw[first:last]
        out.append(Frame(flags, meaning.name, data) if flags or meaning.name is not None else data)

    def _row(self, size: int, data_start: int, data_end: int, flags: int, name: str | None) -> None:
        lines, events = self.lines, self.events
        number = len(events.first_lines)
        events.first_lines.append(len(lines))
        lines.add(lines.size, size, 0)
        events.flags.append(flags)
        events.data_starts.append(data_start)
        events.data_ends.append(data_end)
        if name is not None:
            events.names[number] = name


class Parts(NamedTuple):
    """A frame taken apart for display. `payload` and the headers' places are byte ranges of the frame."""

    headers: list[Header]
    payload: tuple[int, int]
    fault: str


def parts_of(raw: bytes) -> Parts | None:
    """The parts of one unit of the stream, which may be cut; None where it is no frame."""
    if len(raw) < PRELUDE:
        return None
    prelude = prelude_at(raw, 0)
    first = PRELUDE + prelude.headers
    if not is_possible(prelude) or len(raw) > prelude.total or (len(raw) < first and not is_frame_at(raw, 0)):
        return None
    headers, fault = headers_of(raw[PRELUDE:first])
    placed = [header._replace(start=header.start + PRELUDE, end=header.end + PRELUDE) for header in headers]
    first = min(first, len(raw))
    return Parts(placed, (first, max(first, min(len(raw), prelude.total - CRC))), fault)


def stray_of(units: list[bytes]) -> tuple[bytes, ...]:
    """Text among the frames that carries an error, as a relay writes it when the stream broke."""
    raw = units[0] if units else b""
    text = raw.strip()
    if len(raw) > LARGEST_STRAY or (len(raw) >= PRELUDE and is_frame_at(raw, 0)):
        return ()
    found = stray_line(text)
    return (found,) if found is not None else ()


def create(rules: ReadingRules, lines: Lines, events: Events, name: str = NAME) -> AwsEventStream:
    """A reader for one body."""
    return AwsEventStream(lines, events)
