"""The payload of one event for the detail pane: its values, what is wrong with it, and where its parts lie.

`core.reading.Reading.place` knows payloads of one line and one value. Here a payload may stand on several data lines,
hold several values, or be framed twice.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

from inspector_app.core import flags as F
from inspector_app.core.json_text import parse
from inspector_app.core.json_tokens import ARRAY, ARRAY_END, KEY, OBJECT, OBJECT_END, tokens, unquote
from inspector_app.core.pointer import Span, escape, spans
from inspector_app.core.reading import Reading

BOM = b"\xef\xbb\xbf"
_WRAPPED = re.compile(rb"(?:data|event|id|retry)?:")
_FIELD = re.compile(rb"data(?:: ?)?")


class Payload:
    """Event `n` of a reading. `values` are its JSON values; `fault` says in words why it is not one plain value."""

    def __init__(self, reading: Reading, n: int) -> None:
        self.reading = reading
        self.event = n
        self.start, self.end = reading.bytes_of(n)
        self.data = reading.data(n)
        self.values: list[Any] = []
        self.fault = ""
        self._shift = 0
        """Where in the data the JSON begins: behind the field names of an event that was framed twice."""
        self._inside = reading.inside(n)
        data = self.data if self._inside is None else self._inside.data
        if data and data.strip() and not reading.events.flags[n] & F.PLAIN_TEXT:
            parsed = parse(data)
            at = data.find(b"{")
            if not parsed.values and at > 0 and _WRAPPED.match(data):
                inner = parse(data[at:])
                if inner.values:
                    parsed, self._shift = inner._replace(detail="framed twice: read from inside"), at
            self.values = parsed.values
            self.fault = reading.payload_faults.get(n, parsed.detail)
            if self._inside is not None:
                self.fault = self.fault or "base64: read from inside"
        self.text = (data or b"")[self._shift :]
        """The JSON text."""
        self._map: tuple[list[int], list[int]] | None = None

    # from data to body and back

    def _lines(self) -> tuple[list[int], list[int]]:
        """Where each data line begins: in the data, and in the body."""
        if self._map is None and len(self.reading.events.data_ends):
            self._map = ([0], [self.reading.data_range(self.event)[0]])
        if self._map is None:
            self._map = ([], [])
            pieces = (self.data or b"").split(b"\n")
            at = number = 0
            for line_number in range(*self.reading.lines_of(self.event)):
                if number == len(pieces):
                    break
                line, piece = self.reading.lines[line_number], pieces[number]
                content = self.reading.body.slice(line.start, line.end)
                if content.endswith(piece) and self._is_prefix(content[: len(content) - len(piece)]):
                    self._map[0].append(at)
                    self._map[1].append(line.end - len(piece))
                    at += len(piece) + 1
                    number += 1
            if number < len(pieces):
                self._map = ([], [])
        return self._map

    def _is_prefix(self, prefix: bytes) -> bool:
        prefix = prefix.removeprefix(BOM)
        return bool(_FIELD.fullmatch(prefix)) if self.reading.framing == "sse" else not prefix

    def _offset(self, at: int) -> int | None:
        """The body offset of byte `at` of the JSON."""
        data, body = self._lines()
        found = bisect_right(data, at + self._shift) - 1
        return None if found < 0 else body[found] + at + self._shift - data[found]

    def spans(self, root: int, pointers: Iterable[str]) -> dict[str, Span]:
        """Body offsets of key and value for pointers into value number `root`; what has no place is missing."""
        found: dict[str, Span] = {}
        for pointer, span in spans(self.text, pointers, root).items():
            if self._inside is not None:
                named = self._inside.span(span.key_start, span.key_end) if span.key_start >= 0 else (-1, -1)
                found[pointer] = Span(*named, *self._inside.span(span.start, span.end))
                continue
            start, end = self._offset(span.start), self._offset(span.end - 1)
            key = self._offset(span.key_start) if span.key_start >= 0 else -1
            key_end = self._offset(span.key_end - 1) if span.key_start >= 0 else -2
            if start is not None and end is not None and key is not None and key_end is not None:
                found[pointer] = Span(key, key_end + 1, start, end + 1)
        return found

    def place(self, root: int, pointer: str) -> tuple[int, int]:
        """Body range of key and value at a pointer, the whole event where that is not known."""
        if not pointer and len(self.values) < 2:
            return self.start, self.end
        span = self.spans(root, (pointer,)).get(pointer)
        if span is None:
            return self.reading.place(self.event, pointer) if root == 0 else (self.start, self.end)
        return (span.start if span.key_start < 0 else span.key_start), span.end

    def pointer_at(self, offset: int) -> tuple[int, str] | None:
        """The value whose bytes, key included, lie at an offset of the body: (number of the root, pointer)."""
        if self._inside is not None:
            at = self._inside.within(offset, offset)[0]
            inside = self._inside.start <= offset < self._inside.span(0, len(self.text))[1]
            return pointer_at(self.text, at) if inside and self.values else None
        data, body = self._lines()
        found = bisect_right(body, offset) - 1
        if found < 0 or not self.values:
            return None
        at = data[found] + offset - body[found] - self._shift
        return None if at < 0 else pointer_at(self.text, at)

    def whole(self) -> list[tuple[int, int]]:
        """Where the data stands in the body: a range for each of its lines that has characters."""
        starts, places = self._lines()
        ends = [*(start - 1 for start in starts[1:]), len(self.data or b"")]
        pairs = zip(starts, ends, places, strict=False)
        return [(place, place + end - start) for start, end, place in pairs if end > start]

    # for the clipboard

    def value(self, root: int, pointer: str) -> Any:
        """The value at a pointer. Raises LookupError where there is none."""
        value = self.values[root]
        for part in pointer.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            value = value[int(key)] if isinstance(value, list) else value[key]
        return value

    def json(self, root: int, pointer: str) -> bytes:
        """The bytes of the value as they came, without the key."""
        span = spans(self.text, (pointer,), root).get(pointer)
        return self.text if span is None else self.text[span.start : span.end]


def pointer_at(data: bytes, at: int) -> tuple[int, str] | None:
    """Root and pointer of the innermost value that byte `at` of JSON text belongs to; a key belongs to its value."""
    root = -1
    opened: list[tuple[bool, str]] = []
    indexes: list[int] = []
    key = ""
    for kind, start, end in tokens(data):
        if kind in (OBJECT_END, ARRAY_END):
            if at < end:
                return root, _joined(opened)
            if opened:
                opened.pop()
                indexes.pop()
            continue
        if kind == KEY:
            key = escape(unquote(data[start:end]))
            if at < end:
                return root, _joined(opened) + "/" + key
            continue
        part = ""
        if not opened:
            root += 1
        elif opened[-1][0]:
            indexes[-1] += 1
            part = f"/{indexes[-1]}"
        else:
            part = f"/{key}"
        if at < end:
            return root, _joined(opened) + part
        if kind in (OBJECT, ARRAY):
            opened.append((kind == ARRAY, part))
            indexes.append(-1)
    return None


def _joined(opened: list[tuple[bool, str]]) -> str:
    return "".join(part for _, part in opened)
