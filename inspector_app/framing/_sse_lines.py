"""What the lines of one SSE event say, taken by themselves."""

from __future__ import annotations

import orjson

LARGE = 65_536
"""Bytes a line may have before buffered line readers give up (rule sse-large-line)."""


def stray_line(line: bytes) -> bytes | None:
    """What a line outside any field says all the same: an end marker, JSON, or an `error:` line."""
    text = line.strip()
    if text == b"[DONE]" or (text[:1] in (b"{", b"[") and _is_json(text)):
        return text
    return line if line[:6] == b"error:" and line[6:].strip() else None


def stray_of(lines: list[bytes]) -> tuple[bytes, ...]:
    """The lines of an event that carry an error or the end marker outside any field."""
    return tuple(found for line in lines if (found := stray_line(line)) is not None)


def _is_json(text: bytes) -> bool:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def retry_of(lines: list[bytes]) -> int | None:
    """The reconnection time in ms that an event's lines set, None if none is valid."""
    found = None
    for line in lines:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"retry" and value.isdigit() and value.isascii():
            found = int(value[:18])
    return found


def data_of(lines: list[bytes]) -> bytes | None:
    """The data of an event, joined with LF, None if it has no data line."""
    data = []
    for line in lines:
        name, _, value = line.partition(b":")
        if name == b"data":
            data.append(value.removeprefix(b" "))
    return b"\n".join(data) if data else None


def half_end(data: bytes, unicode_lines: bool) -> bytes:
    """The end of a read that may be half a line end, for readers that look ahead before they end a line."""
    tails = (b"\r", b"\xe2\x80", b"\xe2", b"\xc2") if unicode_lines else (b"\r",)
    return next((tail for tail in tails if data.endswith(tail)), b"")
