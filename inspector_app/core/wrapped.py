"""Payloads that carry another payload as base64: what is inside, and where its bytes stand in the body.

Which payloads do so, and how a stream of them is called, an envelope says: a module with `NAME`, `TITLE`, `FRAMINGS`
(those it comes in), `INNER` (the NAME of a dialect -> the last part of the name of a stream of it), `PADDING`,
`holder(payload, name)` (the object whose string holds the base64, and the key of that string), `SIGN` (bytes that each
has), `PLAIN`: the name of an event and the pattern of its payload, group 1 the base64, by which most are known
without being parsed, and `NEVER_BESIDE`: names of events in whose streams there is no envelope.

A stream in which the first base64 holds something else than an object, or with such an event, has none either: what
looks like one there is text.

What is inside takes the place of the data before anybody reads it, so neither plans nor dialects know of an envelope.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from inspector_app.core import flags as F
from inspector_app.core.errors import is_filled
from inspector_app.core.frame import Frame, Framer, Note
from inspector_app.core.json_text import plain
from inspector_app.core.json_tokens import STRING, tokens, unquote

if TYPE_CHECKING:
    from inspector_app.core.reading import Reading

_ESCAPE = re.compile(rb"\\(?:u....|.)", re.DOTALL)


class Stretch(NamedTuple):
    """Bytes that stand in the body from `start` on, as they are or as base64.

    `escapes`: before which character of the base64 the body has a further byte, once for each such byte.
    """

    data: bytes
    start: int
    base64: bool = False
    escapes: tuple[int, ...] = ()

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The bytes of the body that hold bytes [first, last) of the data; in base64, those that hold a bit of them."""
        if self.base64:
            first, last = 4 * first // 3, -(-4 * last // 3)
            first, last = first + bisect_left(self.escapes, first), last + bisect_left(self.escapes, last)
        return self.start + first, self.start + last

    def within(self, start: int, end: int) -> tuple[int, int]:
        """The bytes of the data that bytes [start, end) of the body hold whole."""
        first, last = start - self.start, end - self.start
        if self.base64:
            places = [at + before for before, at in enumerate(self.escapes)]
            first, last = first - bisect_left(places, first), last - bisect_left(places, last)
            first, last = -(-3 * first // 4), 3 * last // 4
        size = len(self.data)
        return min(max(first, 0), size), min(max(last, 0), size)


class Inside(NamedTuple):
    """What base64 stands for that begins at `start` of the data, and the members beside it."""

    data: bytes
    start: int
    rest: dict[str, Any]
    escapes: tuple[int, ...] = ()

    @property
    def is_object(self) -> bool:
        """Whether it may be a JSON object, which may be cut."""
        return self.data.lstrip()[:1] == b"{"


def open_payload(envelopes: Iterable[ModuleType], data: bytes, name: str | None) -> tuple[ModuleType, Inside] | None:
    """What is inside of a payload that looks like an envelope, and whose; None where it does not."""
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
    start, escapes = _place(data, holder[key])
    around = {} if holder is payload else {name: value for name, value in payload.items() if value is not holder}
    skipped = envelope.PADDING | {key}
    rest = {name: value for name, value in (around | holder).items() if name not in skipped and is_filled(value)}
    return _decoded(holder[key].encode("utf-8", "surrogatepass"), start, rest, escapes) if start else None


def _place(data: bytes, text: str) -> tuple[int, tuple[int, ...]]:
    """Where the inside of a string begins in JSON, 0 for nowhere, and which of its characters stand there escaped."""
    start = data.find(b'"%b"' % text.encode("utf-8", "surrogatepass")) + 1
    if start or b"\\" not in data:
        return start, ()
    for kind, first, last in tokens(data):
        if kind == STRING and unquote(data[first:last]) == text:
            escapes: list[int] = []
            for found in _ESCAPE.finditer(data, first + 1, last - 1):
                escapes += [found.start() - first - 1 - len(escapes)] * (len(found[0]) - 1)
            return first + 1, tuple(escapes)
    return 0, ()


def _decoded(text: bytes, start: int, rest: dict[str, Any], escapes: tuple[int, ...] = ()) -> Inside | None:
    try:
        return Inside(a2b_base64(text, strict_mode=True), start, rest, escapes)
    except Error:
        return None


def _usual_inside(pattern: re.Pattern[bytes], data: bytes | None) -> bytes:
    """What a payload as most are holds, empty for any other."""
    held = pattern.fullmatch(data) if data is not None else None
    try:
        return a2b_base64(held[1], strict_mode=True) if held is not None else b""
    except Error:
        return b""


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
        self._envelopes = list(reading.envelopes)
        """Those that payloads may still be."""
        self._usual: tuple[ModuleType, str, re.Pattern[bytes]] | None = None
        """The envelope of the last payload that was one, and the name and the pattern of those it has mostly."""
        self._strangers = frozenset[str]().union(*(envelope.NEVER_BESIDE for envelope in reading.envelopes))
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
        if not self._envelopes:
            return frames
        out: list[bytes | Frame] = []
        flags, opened = self._reading.events.flags, self._reading.opened
        for n, frame in enumerate(frames, self._next):
            usual = self._usual
            if usual is not None and type(frame) is Frame and frame[1] == usual[1] and not frame[0] and not frame[4]:
                inside = _usual_inside(usual[2], frame[2])
                if inside[:1] == b"{":
                    flags[n] |= F.WRAPPED
                    opened[usual[0].NAME] += 1
                    out.append(tuple.__new__(Frame, (0, usual[1], inside, None, ())))
                    continue
            out.append(self._opened(n, frame))
        self._next += len(frames)
        return out

    def _opened(self, n: int, frame: bytes | Frame) -> bytes | Frame:
        flags, name, data, _, stray = (0, None, frame, None, ()) if isinstance(frame, bytes) else frame
        if name in self._strangers:
            self._envelopes = [one for one in self._envelopes if name not in one.NEVER_BESIDE or self._has(one)]
        if data is None or flags or stray:
            return frame
        found = open_payload(self._envelopes, data, name)
        if found is None:
            return frame
        envelope, inside = found
        if not self._has(envelope):
            if inside.data and not inside.is_object:
                self._envelopes.remove(envelope)
            if not inside.is_object or not inside.data.rstrip().endswith(b"}"):
                return frame  # A piece of an object is a piece of text.
        elif not inside.is_object:
            return frame
        events = self._reading.events
        events.flags[n] |= F.WRAPPED
        self._reading.opened[envelope.NAME] += 1
        self._usual = (envelope, *envelope.PLAIN)
        if inside.rest:
            stray = (orjson.dumps(inside.rest),)
            events.taken[n] = inside.data, stray
        return Frame(0, name, inside.data, None, stray) if stray or name is not None else inside.data

    def _has(self, envelope: ModuleType) -> bool:
        """Whether a payload of the stream was one."""
        return bool(self._reading.opened[envelope.NAME])


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
