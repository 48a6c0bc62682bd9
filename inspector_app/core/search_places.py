"""Where in the body the characters stand that were found in a delta or in a block."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import NamedTuple

from inspector_app.core import flags as F
from inspector_app.core.json_tokens import unquote
from inspector_app.core.pattern import Spans
from inspector_app.core.pointer import spans, text_bytes
from inspector_app.core.reading import Reading
from inspector_app.core.types import Block, Delta
from inspector_app.core.wrapped import Stretch


class Place(NamedTuple):
    """Where a part of a block's text came from: a delta of its reading, characters of that, bytes of the body."""

    delta: int
    pointer: str
    from_char: int
    to_char: int
    start: int
    end: int


class Literal(NamedTuple):
    """A string of a payload: the text it stands in, and the string in it with quotes. `coded` is what its delta says
    where that is no copy of the string.
    """

    text: Stretch
    start: int
    end: int
    coded: str | None = None

    def bytes_of(self, from_char: int, to_char: int) -> tuple[int, int]:
        """The bytes of the body that characters of its delta stand in: in the string itself, or in the base64 it is."""
        if self.coded is None:
            return self.text.span(*text_bytes(self.text.data, self.start, self.end, from_char, to_char))
        data = _utf8(self.coded)
        if b64encode(data) != self.text.data[self.start + 1 : self.end - 1]:
            return self.text.span(self.start, self.end)
        first = len(_utf8(self.coded[:from_char]))
        last = first + len(_utf8(self.coded[from_char:to_char]))
        return self.text.span(*Stretch(data, self.start + 1, True).span(first, last))


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def text_of(delta: Delta) -> str:
    """What of a delta is searched: its text; numbers and objects are found in the lines."""
    return delta.value if isinstance(delta.value, str) else ""


def literals_of(reading: Reading, n: int, said: dict[str, str]) -> dict[str, Literal]:
    """The strings at pointers into the payload of an event, as far as it stands in one piece.

    `said`: pointer -> the text that a delta read there.
    """
    for text in reading.json_texts(n):
        found = spans(text.data, said)
        if found:
            return {
                pointer: Literal(text, span.start, span.end, _other(text.data[span.start : span.end], said[pointer]))
                for pointer, span in found.items()
                if text.data[span.start] == 0x22
            }
    return {}


def _other(literal: bytes, said: str) -> str | None:
    """What a delta says where it is not what the string says."""
    try:
        return None if unquote(literal) == said else said
    except ValueError:
        return None


class RawText(NamedTuple):
    """A payload that is no JSON, as the text that its delta holds, and where each line of it begins in the body."""

    text: str
    shifts: tuple[int, ...]

    def bytes_of(self, from_char: int, to_char: int) -> tuple[int, int]:
        """The bytes of the body that some of its characters stand in, and what stands between its lines."""
        return self._byte(from_char), self._byte(to_char)

    def _byte(self, char: int) -> int:
        if len(self.shifts) == 1:
            return self.shifts[0] + len(self.text[:char].encode())
        before = self.text[:char].split("\n")
        return self.shifts[len(before) - 1] + len(before[-1].encode())


def raw_text(reading: Reading, n: int, text: str) -> RawText | None:
    """Where a payload that is no JSON stands in its event as it came; None where that cannot be told."""
    data = text.encode("utf-8", "surrogatepass")
    pieces, shifts = data.split(b"\n"), list[int]()
    for number in range(*reading.lines_of(n)):
        start, end, _ = reading.lines[number]
        content = reading.body.slice(start, end)
        piece = pieces[len(shifts)]
        if content.endswith(piece) and content[: len(content) - len(piece)] in (b"", b"data:", b"data: "):
            shifts.append(end - len(piece))
        if len(shifts) == len(pieces):
            return RawText(text, tuple(shifts))
    start, end = reading.bytes_of(n)
    at = reading.body.slice(start, end).find(data)
    return RawText(text, (start + at,)) if at >= 0 and len(pieces) == 1 else None


def place_of(reading: Reading, block: Block, n: int, fragment: str, start: int, end: int) -> Place | None:
    """Where characters of fragment n of a block came from; None where the block does not hold them as they came."""
    if n >= len(block.deltas):
        return None
    number = block.deltas[n]
    event = reading.event_of_delta(number)
    delta = reading.deltas(event)[number - reading.deltas_of(event)[0]]
    shift, to = block.spans.get(n, (0, len(fragment)))
    if text_of(delta)[shift:to] != fragment:
        return None
    literal: Literal | RawText | None = literals_of(reading, event, {delta.pointer: text_of(delta)}).get(delta.pointer)
    if literal is None and reading.events.flags[event] & F.PLAIN_TEXT:
        literal = raw_text(reading, event, text_of(delta))
    if literal is None:
        return None
    return Place(number, delta.pointer, shift + start, shift + end, *literal.bytes_of(shift + start, shift + end))


def byte_spans(text: str, found: Spans) -> Iterator[tuple[int, int]]:
    """Characters of a decoded text as bytes."""
    at = byte = 0
    for start, end in found:
        byte += len(text[at:start].encode("utf-8", "surrogateescape"))
        size = len(text[start:end].encode("utf-8", "surrogateescape"))
        yield byte, byte + size
        at, byte = end, byte + size


def character_before(before: bytes, at: int) -> int:
    """`at`, moved back to where a character begins that the bytes `before` it may have begun."""
    for back in range(1, len(before) + 1):
        byte = before[-back]
        if byte & 0xC0 != 0x80:
            return at - back if byte >= 0xC0 else at
    return at
