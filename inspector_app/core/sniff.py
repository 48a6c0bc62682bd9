"""Which framing a body has, from its bytes alone (dialects.md section 3).

The decision falls at the first line that tells, or at the end of the data; never at the end of a read or after a
number of bytes, so that no cut of the body can change it.
"""

from __future__ import annotations

import re
import zlib

import orjson

SSE_LINE = re.compile(rb"(?:data|event|id|retry)(?::|$)|:")
LOOK_AHEAD = 100
"""Lines that may stand before the first SSE line of a body (banners, log lines, stray text)."""
BOM = b"\xef\xbb\xbf"
_ENDS = re.compile(rb"[\r\n]")


class Sniffer:
    """Feed it the body until it answers. `close` answers in any case."""

    def __init__(self) -> None:
        self._open: list[bytes] = []
        """The pieces of the line that has not ended."""
        self._first: bytes | None = None
        self._lines = 0

    def feed(self, data: bytes) -> str | None:
        """The framing name once a line has decided it, else None. Takes each byte once."""
        # A CR at the end may be half of CR LF, which makes no difference here: the empty line between says nothing.
        *ended, rest = _ENDS.split(data)
        for line in ended:
            if not line and not self._open:
                continue
            found = self._line(b"".join([*self._open, line]))
            if found is not None:
                return found
            self._open = []
        if rest:
            self._open.append(rest)
        return None

    def close(self) -> str:
        """The framing of a body that has ended."""
        found = self._line(b"".join(self._open))
        if found is not None:
            return found
        if self._first is None:
            return "none"
        return "json" if self._first[:1] in (b"{", b"[") else "text"

    def _line(self, line: bytes) -> str | None:
        text = line.removeprefix(BOM).strip() if self._first is None else line.strip()
        if not text:
            return None
        if self._first is None:
            self._first = text
            if text[:1] in (b"{", b"["):
                return None
            if text[:9].lower().startswith((b"<!doctype", b"<html")):
                return "html"
            return "sse" if SSE_LINE.match(line.removeprefix(BOM)) else None
        if self._first[:1] == b"{":
            if SSE_LINE.match(line):
                return "sse"
            return "ndjson" if _is_object(self._first) or self._first == b"{}" else "json"
        if self._first[:1] == b"[":
            return "json"
        self._lines += 1
        if SSE_LINE.match(line):
            return "sse"
        if text[:9].lower().startswith((b"<!doctype", b"<html")):
            return "html"
        return "text" if self._lines >= LOOK_AHEAD else None


def sniff(body: bytes) -> str:
    """The framing of a whole body."""
    sniffer = Sniffer()
    return sniffer.feed(body) or sniffer.close()


def is_aws_frame(head: bytes) -> bool:
    """True when the body starts with an AWS event stream prelude whose CRC-32 fits (section 2.5)."""
    if len(head) < 12:
        return False
    size = int.from_bytes(head[:4], "big")
    return 16 <= size <= 1 << 24 and int.from_bytes(head[8:12], "big") == zlib.crc32(head[:8])


def _is_object(text: bytes) -> bool:
    try:
        return isinstance(orjson.loads(text), dict)
    except orjson.JSONDecodeError:
        return False
