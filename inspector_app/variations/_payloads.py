"""The JSON payloads of a stream's events, and edits in them as edits of the body."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from inspector_app.core import flags as F
from inspector_app.core.json_text import parse
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, Line
from inspector_app.variations._change import Edit, changed
from inspector_app.variations._json import Node, roots

SSE, NDJSON = "sse", "ndjson"
BY_LINES = frozenset({SSE, NDJSON})
"""The framings whose payloads stand as they are in lines of the body."""

_READABLE = (None, "surrogate", "utf8", "roots", "nonstandard")
BOM = b"\xef\xbb\xbf"
_FIELDS = (b"data", b"event", b"id", b"retry")


@dataclass
class Payload:
    """What stands in the data of event `n`. `places`: where each of its lines begins, in `data` and in the body."""

    n: int
    data: bytes
    places: list[tuple[int, int]]

    @cached_property
    def roots(self) -> list[Node]:
        """Its JSON values; none where it is no JSON."""
        return roots(self.data) if parse(self.data).fault in _READABLE else []

    @property
    def root(self) -> Node | None:
        """Its only value, None where it has none or several."""
        return self.roots[0] if len(self.roots) == 1 else None

    def edit(self, start: int, end: int, new: bytes) -> Edit:
        """Bytes [start, end) of the data become `new`."""
        return Edit(self._place(start), self._place(end), new)

    def _place(self, at: int) -> int:
        number = max(0, bisect_right(self.places, (at, 1 << 62)) - 1)
        return self.places[number][1] + at - self.places[number][0]


def payloads(reading: Reading) -> Iterator[Payload]:
    """The payloads of all events that have one, as the reference takes them.

    What an envelope holds as base64 and what is framed apart by other lines is left out: it cannot be changed in its
    place.
    """
    for n in range(len(reading.events)):
        found = payload_of(reading, n)
        if found is not None:
            yield found


def payload_of(reading: Reading, n: int) -> Payload | None:
    """The payload of one event."""
    bits = reading.events.flags[n]
    if bits & (F.WRAPPED | F.PLAIN_TEXT | F.NO_DATA | F.COMMENT_ONLY):
        return None
    pieces: list[bytes] = []
    places: list[tuple[int, int]] = []
    size, last = 0, -1
    for number, at, content in data_lines(reading, n):
        if last >= 0 and number != last + 1:
            return None
        places.append((size, at))
        pieces.append(content)
        size, last = size + len(content) + 1, number
    if not pieces:
        return None
    data = b"\n".join(pieces)
    if bits & F.DOUBLE_WRAPPED:
        # What is framed twice has its JSON behind the second head.
        inner = data.find(b"{")
        if inner < 0 or len(places) > 1:
            return None
        data, places = data[inner:], [(0, places[0][1] + inner)]
    return Payload(n, data, places)


def data_lines(reading: Reading, n: int) -> Iterator[tuple[int, int, bytes]]:
    """The data of each line of an event that has some: number of the line, offset in the body, content."""
    for number in range(*reading.lines_of(n)):
        at, content = _content(reading, number)
        if reading.framing == NDJSON:
            if content.strip():
                yield number, at, content
        elif content == b"data" or content.startswith(b"data:"):
            value = content[5:]
            head = 5 + value.startswith(b" ") if len(content) > 4 else 4
            yield number, at + head, content[head:]


def fields(reading: Reading) -> Iterator[tuple[int, bytes]]:
    """The fields of a stream of events that have a colon: where each value begins behind it, and the value."""
    for number in range(len(reading.lines)):
        start, content = _content(reading, number)
        name, colon, value = content.partition(b":")
        if colon and name in _FIELDS:
            yield start + len(name) + 1, value


def _content(reading: Reading, number: int) -> tuple[int, bytes]:
    """Where a line begins, and the line without its end; a BOM before the first one is none of it."""
    line = reading.lines[number]
    content = reading.body.slice(line.start, line.end)
    bom = len(BOM) if number == 0 and content.startswith(BOM) else 0
    return line.start + bom, content[bom:]


def edited(reading: Reading, edits: Callable[[Payload], Iterable[Edit]]) -> Exchange:
    """The exchange with what a function changes in each payload."""
    return changed(reading.exchange, (edit for payload in payloads(reading) for edit in edits(payload)))


def line_end(reading: Reading) -> bytes:
    """How lines of this body end: as its first line does."""
    return next((line.eol for line in _lines(reading) if line.eol), b"\n")


def _lines(reading: Reading) -> Iterator[Line]:
    return (reading.lines[number] for number in range(len(reading.lines)))
