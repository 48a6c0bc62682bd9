"""What the lines and blocks of an SSE body are to the standard (dialects.md section 2.1)."""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from inspector_app.core import flags as F
from inspector_app.core.reading import Reading
from inspector_app.core.store import CR, CRLF, LF
from inspector_app.findings._places import content, field, flagged

FIELDS = (b"data", b"event", b"id", b"retry")
LARGE = 65_536
"""Bytes that buffered line readers commonly take."""


def without_space(line: bytes) -> tuple[int, int] | None:
    """The range of a field line whose value follows the colon directly."""
    name, _, value = line.partition(b":")
    return (0, len(line)) if name in FIELDS and value and value[:1] != b" " else None


def comment(line: bytes) -> tuple[int, int] | None:
    """The range of a comment line."""
    return (0, len(line)) if line[:1] == b":" else None


def marker(line: bytes) -> tuple[int, int] | None:
    """The range of a line that is an end marker, bare or as data."""
    name, value = field(line)
    return (0, len(line)) if b"[DONE]" in (line.strip(), value.strip() if name == b"data" else b"") else None


def unframed_json(line: bytes) -> tuple[int, int] | None:
    """The range of a line that is a whole JSON object or array."""
    text = line.strip()
    if text[:1] not in (b"{", b"["):
        return None
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    start = line.index(text)
    return start, start + len(text)


def is_ignored(line: bytes) -> bool:
    """Whether the standard ignores a complete line, and no other rule names it."""
    name, value = field(line)
    if not line or line[:1] == b":" or name in (b"data", b"event"):
        return False
    if name == b"id":
        return b"\0" in value
    if name == b"retry":
        return not (value.isdigit() and value.isascii())
    html = line.lstrip()[:9].lower().startswith((b"<!doctype", b"<html"))
    return not html and marker(line) is None and unframed_json(line) is None


def ignored_lines(reading: Reading) -> Iterator[int]:
    """The complete lines that `is_ignored` names."""
    for n in flagged(reading, F.UNKNOWN_FIELD | F.UNFRAMED_JSON | F.NUL_ID | F.BAD_RETRY):
        for number in range(*reading.lines_of(n)):
            if reading.lines.eols[number] and is_ignored(content(reading, number)):
                yield number


def large_lines(reading: Reading) -> Iterator[int]:
    """The lines that are longer than LARGE."""
    for n in flagged(reading, F.LARGE_LINE):
        for number in range(*reading.lines_of(n)):
            start, end, _ = reading.lines[number]
            if end - start > LARGE:
                yield number


def blocks_without_data(reading: Reading) -> Iterator[tuple[int, int, int]]:
    """Event and byte range of each block that a blank line closes and the standard does not dispatch.

    A block of event, id or retry lines; after the first id line also one that is empty or holds only comments.
    """
    lines = reading.lines
    for n in flagged(reading, F.NO_DATA | F.EMPTY_AFTER_ID, F.DANGLING):
        bits = reading.events.flags[n]
        first, last = reading.lines_of(n)
        closing = last - 1
        while closing > first and not _size(reading, closing - 1):
            closing -= 1
        if bits & F.NO_DATA:
            counts = any(field(content(reading, at, 16))[0] in FIELDS for at in range(first, closing))
        else:
            counts = bool(bits & F.COMMENT_ONLY)
        if counts:
            yield n, lines.starts[first], lines.starts[closing] + len(lines[closing].eol)
        if bits & F.EMPTY_AFTER_ID:
            for at in range(closing + 1, last):
                yield n, lines.starts[at], lines.starts[at] + len(lines[at].eol)


def _size(reading: Reading, number: int) -> int:
    start, end, _ = reading.lines[number]
    return end - start


def line_ends(reading: Reading) -> dict[int, int]:
    """How many lines have each terminator; a last line without one does not count."""
    eols = reading.lines.eols
    return {code: count for code in (LF, CR, CRLF) if (count := eols.count(code))}


def odd_ends(reading: Reading, usual: int) -> Iterator[tuple[int, int]]:
    """Byte ranges of the terminators that are not the usual one."""
    for number, code in enumerate(reading.lines.eols):
        if code not in (0, usual):
            _, end, eol = reading.lines[number]
            yield end, end + len(eol)
