"""Bodies that are no stream: a JSON document, a web page, plain text. Shown by lines; JSON is one event."""

from __future__ import annotations

import re
from collections import Counter, deque
from itertools import islice

from inspector_app.core import flags as F
from inspector_app.core.frame import Frame, Note
from inspector_app.core.rules import ReadingRules
from inspector_app.core.store import CR, CRLF, LF, Body, Events, Lines

NAMES = ("json", "html", "text", "none")

BOM = b"\xef\xbb\xbf"

_ENDS = re.compile(rb"\r\n|\n|\r")
# The bracket first: a search for one byte is fast.
_HTML = re.compile(rb"<(?:(?<=\A<)|(?<=[\r\n]<))(?:!doctype|html)", re.IGNORECASE)
_CODES = {b"\n": LF, b"\r": CR, b"\r\n": CRLF}


BATCH = 1 << 14
"""Lines that are tabled together."""


class Document:
    """Tables the lines; at the end a JSON document becomes one event over all of them."""

    def __init__(self, lines: Lines, events: Events, name: str) -> None:
        self.lines = lines
        self.events = events
        self.counts: Counter[int] = Counter()
        self.stopped: str | None = None
        self.notes: deque[Note] = deque()
        self.marker: tuple[str, int] | None = None
        self.json = name == "json"
        self._pieces: list[bytes] = []
        self._partial: list[bytes] = []

    def feed(self, data: bytes) -> list[bytes | Frame]:
        """Take one read. Nothing is an event before the end."""
        if self.json:
            self._pieces.append(data)
        waits = bool(self._partial) and self._partial[-1].endswith(b"\r")
        self._partial.append(data)
        if waits or b"\n" in data or b"\r" in data:
            text = b"".join(self._partial)
            # A CR at the end may be half of CR LF.
            rest = self._table(text, len(text) - text.endswith(b"\r"))
            self._partial = [text[rest:]]
        return []

    def close(self) -> list[bytes | Frame]:
        """The data has ended: the one event of a JSON document."""
        text = b"".join(self._partial)
        self._partial = []
        # Lines that ended are tabled, but for a CR that might have been half of CR LF.
        rest = self._table(text, len(text)) if text.endswith(b"\r") else 0
        if rest < len(text):
            self.counts[F.HTML] += len(_HTML.findall(text, rest))
            self.lines.add(self.lines.size, len(text) - rest, 0)
        if not self.json or not len(self.lines):
            return []
        payload = b"".join(self._pieces)
        flags = F.BOM if payload.startswith(BOM) else 0
        self.events.first_lines.append(0)
        self.events.flags.append(flags)
        return [Frame(flags, None, payload.removeprefix(BOM))]

    def _table(self, text: bytes, end: int) -> int:
        """Table the lines that end before `end`; returns where the last of them does."""
        lines = self.lines
        base, rest = lines.size, 0
        found = _ENDS.finditer(text, 0, end)
        while ends := [(mark.end(), _CODES[mark.group()]) for mark in islice(found, BATCH)]:
            lines.starts.append(base + rest)
            lines.starts.extend([base + at for at, _ in ends[:-1]])
            lines.eols.extend([code for _, code in ends])
            rest = ends[-1][0]
        lines.size += rest
        if b"<" in text:
            self.counts[F.HTML] += len(_HTML.findall(text, 0, rest))
        return rest


def create(rules: ReadingRules, lines: Lines, events: Events, name: str = NAMES[0]) -> Document:
    """A reader for one body."""
    return Document(lines, events, name)


def data_at(body: Body, start: int, end: int) -> bytes | None:
    """The document, without its byte-order mark."""
    return body.slice(start, end).removeprefix(BOM)
