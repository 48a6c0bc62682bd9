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

from collections import Counter, deque
from itertools import accumulate
from operator import add
from typing import NamedTuple
from zlib import crc32

from inspector_app.core import flags as F
from inspector_app.core.frame import Frame, Note
from inspector_app.core.rules import ReadingRules
from inspector_app.core.sniff import AWS_LARGEST
from inspector_app.core.store import Events, Lines
from inspector_app.framing._aws_frames import (
    CRC,
    PRELUDE,
    THREE,
    Header,
    headers_of,
    is_frame_at,
    is_possible,
    next_frame,
    prelude_at,
)
from inspector_app.framing._sse_lines import stray_line

NAME = "aws-eventstream"
BINARY = True
"""The body is no text, so nothing is to be said of its characters."""
RELAYED = b"\xef\xbf\xbd"
"""U+FFFD: what a relay leaves that takes the bytes for text."""
SHORTER = "it is shorter than it says"
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
        self.notes: deque[Note] = deque()
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
            del self._buffer[: self._read(out)]
        return out

    def close(self) -> list[bytes | Frame]:
        """The data has ended: what is left is cut, or damaged."""
        out: list[bytes | Frame] = []
        while self._buffer:
            self._needed = PRELUDE
            del self._buffer[: self._read(out)]
            data = bytes(self._buffer)
            if not data:
                break
            good = len(data) >= PRELUDE and is_frame_at(data, 0)
            found = next_frame(data, PRELUDE if good else 1, len(data))
            if found >= 0:
                self._damaged(data[:found], SHORTER if good else "the prelude", out)
            elif good or len(data) < PRELUDE:
                self._cut(data, out)
            else:
                self._damaged(data, "the prelude", out)
            del self._buffer[: found if found >= 0 else len(data)]
        return out

    def _read(self, out: list[bytes | Frame]) -> int:
        """Take out what is complete; returns where the rest begins."""
        size = len(self._buffer)
        if self._searched > 1 and next_frame(self._buffer, self._searched, size) < 0:
            self._searched, self._needed = size - PRELUDE + 1, size + 1
            return 0
        data = bytes(self._buffer)
        at = 0
        plain: list[tuple[int, int, str]] = []
        while size - at >= PRELUDE:
            total, headers, crc = THREE.unpack_from(data, at)
            if crc == crc32(data[at : at + 8]) and PRELUDE + CRC + headers <= total <= AWS_LARGEST:
                end = at + total
                if size < end:
                    self._needed = total
                    break
                first, last = at + PRELUDE + headers, end - CRC
                if crc32(data[at:last]) == int.from_bytes(data[last:end], "big"):
                    meaning = self._known.get(data[at + PRELUDE : first])
                    if meaning is not None and meaning.name is not None and not meaning.flags:
                        plain.append((total, PRELUDE + headers, meaning.name))
                        out.append(Frame(0, meaning.name, data[first:last]))
                    else:
                        self._table(plain)
                        self._add(data[at:end], headers, total, 0, out)
                    at = end
                else:
                    self._table(plain)
                    at += self._altered(data[at:end], out)
                continue
            self._table(plain)
            found = next_frame(data, at + self._searched, size)
            if found < 0:
                self._searched = max(1, size - at - PRELUDE + 1)
                self._needed = size - at + 1
                return at
            self._damaged(data[at:found], "the prelude", out)
            at, self._searched = found, 1
        else:
            self._needed = PRELUDE
        self._table(plain)
        return at

    # units

    def _table(self, plain: list[tuple[int, int, str]]) -> None:
        """Lines and events of whole frames at once, and none are left: their sizes, where their data begins, names."""
        if not plain:
            return
        lines, events = self.lines, self.events
        sizes, firsts, names = zip(*plain, strict=True)
        starts = list(accumulate(sizes, initial=lines.size))
        lines.size = starts.pop()
        line, number, count = len(lines.starts), len(events.first_lines), len(plain)
        events.names.update(zip(range(number, number + count), names, strict=True))
        events.first_lines.extend(range(line, line + count))
        events.flags.frombytes(bytes(events.flags.itemsize * count))
        events.data_starts.extend(map(add, starts, firsts))
        events.data_ends.extend([start + size - CRC for start, size in zip(starts, sizes, strict=True)])
        lines.starts.extend(starts)
        lines.eols.extend(bytes(count))
        plain.clear()

    def _altered(self, raw: bytes, out: list[bytes | Frame]) -> int:
        """A frame whose message CRC does not fit; returns how much of it there is."""
        inner = next_frame(raw, PRELUDE, len(raw))
        if inner >= 0:
            self._damaged(raw[:inner], SHORTER, out)
            return inner
        self._complain(raw, "the message")
        prelude = prelude_at(raw, 0)
        self._add(raw, prelude.headers, prelude.total, 0, out)
        return len(raw)

    def _damaged(self, raw: bytes, what: str, out: list[bytes | Frame]) -> None:
        """Bytes up to the next good prelude, or to the end of the data."""
        self._complain(raw, what)
        prelude = prelude_at(raw, 0) if len(raw) >= PRELUDE else None
        if prelude is not None and is_possible(prelude) and prelude.total == len(raw):
            self._add(raw, prelude.headers, prelude.total, 0, out)
            return
        self._row(len(raw), 0, 0, F.NO_DATA, None)
        out.append(Frame(F.NO_DATA, None, None, None, stray_of([raw])))

    def _cut(self, raw: bytes, out: list[bytes | Frame]) -> None:
        """The last frame, of which the end of the data took a part."""
        start, flags = self.lines.size, F.CUT | F.DANGLING
        prelude = prelude_at(raw, 0) if len(raw) >= PRELUDE else None
        said = f"{len(raw)} bytes of a frame" + (f" of {prelude.total}" if prelude is not None else "")
        self.notes.append(Note("frame-cut", len(self.events.first_lines), start, start + len(raw), said))
        if prelude is not None and len(raw) > PRELUDE + prelude.headers:
            self._add(raw, prelude.headers, prelude.total, flags, out)
            return
        self._row(len(raw), 0, 0, flags | F.NO_DATA, None)
        out.append(Frame(flags | F.NO_DATA, None, None))

    def _complain(self, raw: bytes, what: str) -> None:
        start = self.lines.size
        count = raw.count(RELAYED)
        relayed = f"; {count} × EF BF BD in it, so it was passed on as text" if count else ""
        crc = what if what == SHORTER else f"{what} CRC"
        self.notes.append(
            Note("frame-aws-crc", len(self.events.first_lines), start, start + len(raw), f"{crc}{relayed}")
        )

    def _add(self, raw: bytes, headers: int, total: int, flags: int, out: list[bytes | Frame]) -> None:
        first = PRELUDE + headers
        block = raw[PRELUDE:first]
        meaning = self._known.get(block)
        if meaning is None:
            meaning = _meaning(block)
            if len(self._known) < KNOWN:
                self._known[block] = meaning
        name, extra, message = meaning
        last = min(len(raw), total - CRC)
        if first == last and message is not None:
            first, last = PRELUDE + message[0], PRELUDE + message[1]
        flags |= extra
        self._row(len(raw), first, last, flags, name)
        data = raw[first:last]
        out.append(Frame(flags, name, data) if flags or name is not None else data)

    def _row(self, size: int, first: int, last: int, flags: int, name: str | None) -> None:
        """A line and an event, whose data is [first, last) of its bytes."""
        lines, events = self.lines, self.events
        start = lines.size
        if name is not None:
            events.names[len(events.first_lines)] = name
        events.first_lines.append(len(lines.starts))
        events.flags.append(flags)
        events.data_starts.append(start + first)
        events.data_ends.append(start + last)
        lines.starts.append(start)
        lines.eols.append(0)
        lines.size = start + size


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
