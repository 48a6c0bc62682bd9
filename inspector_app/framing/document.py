"""Bodies that are no stream: a JSON document, a web page, plain text. Shown by lines; JSON is one event."""

from __future__ import annotations

import re
from collections import Counter

from inspector_app.core import flags as F
from inspector_app.core.frame import Frame
from inspector_app.core.rules import ReadingRules
from inspector_app.core.store import CR, CRLF, LF, Events, Lines

NAMES = ("json", "html", "text", "none")

_ENDS = re.compile(rb"\r\n|\n|\r")
_CODES = {b"\n": LF, b"\r": CR, b"\r\n": CRLF}


class Document:
    """Tables the lines; at the end a JSON document becomes one event over all of them."""

    def __init__(self, lines: Lines, events: Events, name: str) -> None:
        self.lines = lines
        self.events = events
        self.counts: Counter[int] = Counter()
        self.stopped: str | None = None
        self.json = name == "json"
        self._pieces: list[bytes] = []
        self._partial: list[bytes] = []

    def feed(self, data: bytes) -> list[bytes | Frame]:
        """Take one read. Nothing is an event before the end."""
        if self.json:
            self._pieces.append(data)
        if self._partial and self._partial[-1].endswith(b"\r"):
            data = self._partial.pop() + data
        start = 0
        held = data.endswith(b"\r")
        for match in _ENDS.finditer(data, 0, len(data) - held):
            self._line(b"".join([*self._partial, data[start : match.start()]]), _CODES[match.group()])
            self._partial = []
            start = match.end()
        if start < len(data):
            self._partial.append(data[start:])
        return []

    def close(self) -> list[bytes | Frame]:
        """The data has ended: the one event of a JSON document."""
        rest = b"".join(self._partial)
        if rest.endswith(b"\r"):
            self._line(rest[:-1], CR)
        elif rest:
            self._line(rest, 0)
        if not self.json or not len(self.lines):
            return []
        self.events.first_lines.append(0)
        self.events.flags.append(0)
        payload = b"".join(self._pieces)
        flags = F.PARTIAL_LINE | (F.BOM if payload.startswith(b"\xef\xbb\xbf") else 0)
        self.events.flags[0] = flags
        return [Frame(flags, None, payload.removeprefix(b"\xef\xbb\xbf"))]

    def _line(self, content: bytes, eol: int) -> None:
        lines = self.lines
        if content[:9].lower().startswith((b"<!doctype", b"<html")):
            self.counts[F.HTML] += 1
        lines.add(lines.size, len(content), eol)


def create(rules: ReadingRules, lines: Lines, events: Events, name: str = NAMES[0]) -> Document:
    """A reader for one body."""
    return Document(lines, events, name)


def data_of(lines: list[bytes]) -> bytes | None:
    """The document without its byte-order mark, its lines joined with LF (white space in JSON)."""
    return b"\n".join(lines)
