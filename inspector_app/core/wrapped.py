"""Payloads that carry another payload as base64: what is inside, and where its bytes stand in the body.

Which payloads do so, and how a stream of them is called, an envelope says: a module with `NAME`, `TITLE`, `FRAMINGS`
(those it comes in), `INNER` (the NAME of a dialect -> the last part of the name of a stream of it), `PADDING`,
`holder(payload, name)` (the object whose string holds the base64, and the key of that string), `SIGN` (bytes that each
has), and `PLAIN`: the name of an event and the pattern of its payload, group 1 the base64, by which most are known
without being parsed.

What is inside takes the place of the data before anybody reads it, so neither plans nor dialects know of an envelope.
"""

from __future__ import annotations

from binascii import Error, a2b_base64
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from inspector_app.core import flags as F
from inspector_app.core.errors import is_filled
from inspector_app.core.frame import Frame, Framer, Note
from inspector_app.core.json_text import plain

if TYPE_CHECKING:
    from inspector_app.core.reading import Reading


class Stretch(NamedTuple):
    """Bytes that stand in the body from `start` on, as they are or as base64."""

    data: bytes
    start: int
    base64: bool = False

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The bytes of the body that hold bytes [first, last) of the data; in base64, those that hold a bit of them."""
        if self.base64:
            first, last = 4 * first // 3, -(-4 * last // 3)
        return self.start + first, self.start + last

    def within(self, start: int, end: int) -> tuple[int, int]:
        """The bytes of the data that bytes [start, end) of the body hold whole."""
        first, last = start - self.start, end - self.start
        if self.base64:
            first, last = -(-3 * first // 4), 3 * last // 4
        size = len(self.data)
        return min(max(first, 0), size), min(max(last, 0), size)


class Inside(NamedTuple):
    """What an envelope holds: bytes, whose base64 begins at `start` of the data, and the members beside it."""

    data: bytes
    start: int
    rest: dict[str, Any]


def open_payload(envelopes: Iterable[ModuleType], data: bytes, name: str | None) -> tuple[ModuleType, Inside] | None:
    """What is inside of a payload and whose envelope it is; None where it is none, or holds no JSON object."""
    for envelope in envelopes:
        if envelope.SIGN in data:
            usual, pattern = envelope.PLAIN
            held = pattern.fullmatch(data) if name == usual else None
            found = _decoded(held[1], held.start(1), {}) if held is not None else _parsed(envelope, data, name)
            return (envelope, found) if found is not None else None
    return None


def _parsed(envelope: ModuleType, data: bytes, name: str | None) -> Inside | None:
    try:
        payload = plain(data)
    except ValueError:
        return None
    found = envelope.holder(payload, name)
    if found is None:
        return None
    holder, key = found
    text = holder[key].encode("utf-8", "surrogatepass")
    start = data.find(b'"%b"' % text) + 1
    around = {} if holder is payload else {name: value for name, value in payload.items() if value is not holder}
    skipped = envelope.PADDING | {key}
    rest = {name: value for name, value in (around | holder).items() if name not in skipped and is_filled(value)}
    return _decoded(text, start, rest) if start else None


def _decoded(text: bytes, start: int, rest: dict[str, Any]) -> Inside | None:
    """What base64 stands for, where that is an object."""
    try:
        inside = a2b_base64(text, strict_mode=True)
    except Error:
        return None
    return Inside(inside, start, rest) if inside.lstrip()[:1] == b"{" else None


def opened(framer: Framer, envelopes: tuple[ModuleType, ...], reading: Reading) -> Framer:
    """The framing, or one that opens its payloads where there are envelopes that come in it."""
    reading.envelopes = envelopes
    return Opened(framer, reading) if envelopes else framer


class Opened:
    """A framing whose payloads may be envelopes: gives out what is inside, and says so with a flag of the event."""

    def __init__(self, framer: Framer, reading: Reading) -> None:
        self._framer = framer
        self._reading = reading
        self._next = 0
        """The number of the next event."""
        self.counts: Counter[int] = framer.counts
        self.stopped: str | None = None
        self.notes: deque[Note] = framer.notes
        self.marker: tuple[str, int] | None = None

    def feed(self, data: bytes) -> list[bytes | Frame]:
        """The events that a read completed."""
        return self._told(self._framer.feed(data))

    def close(self) -> list[bytes | Frame]:
        """What the end of the data leaves."""
        return self._told(self._framer.close())

    def _told(self, frames: list[bytes | Frame]) -> list[bytes | Frame]:
        self.stopped, self.marker = self._framer.stopped, self._framer.marker
        return [self._opened(frame) for frame in frames]

    def _opened(self, frame: bytes | Frame) -> bytes | Frame:
        n, self._next = self._next, self._next + 1
        flags, name, data, _, stray = (0, None, frame, None, ()) if isinstance(frame, bytes) else frame
        if data is None or flags or stray:
            return frame
        found = open_payload(self._reading.envelopes, data, name)
        if found is None:
            return frame
        envelope, inside = found
        events = self._reading.events
        events.flags[n] |= F.WRAPPED
        self._reading.opened[envelope.NAME] += 1
        if inside.rest:
            stray = (orjson.dumps(inside.rest),)
            events.taken[n] = inside.data, stray
        return Frame(0, name, inside.data, None, stray) if stray or name is not None else inside.data


def names_of(envelopes: Mapping[str, ModuleType], dialects: Mapping[str, ModuleType]) -> dict[str, ModuleType]:
    """The dialects by every name that a stream of theirs may have; a name of its own is the dialect's."""
    found = dict(dialects)
    for envelope in envelopes.values():
        for name, last in envelope.INNER.items():
            found.setdefault(f"{envelope.NAME}/{last}", dialects[name])
    return found


def name_dialect(reading: Reading, name: str | None, modules: Mapping[str, ModuleType]) -> None:
    """Name the dialect of a reading: the one its payloads voted for, `unknown` where they say what none knows."""
    if name is not None:
        reading.dialect = stream_name(reading, name)
    elif any(row[0] == "unknown" or reading.framing != "json" for one in reading.layouts.all for row in one.rows):
        reading.dialect = "unknown"
    reading.dialect_module = modules.get(reading.dialect if name is None else name)


def stream_name(reading: Reading, name: str) -> str:
    """The name of a stream whose payloads speak the dialect of this name; most of them may come in an envelope."""
    for envelope in reading.envelopes:
        if 2 * reading.opened[envelope.NAME] > len(reading.events) and not name.startswith(envelope.NAME + "/"):
            return f"{envelope.NAME}/{envelope.INNER.get(name, name)}"
    return name
