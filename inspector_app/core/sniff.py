"""Which framing a body has, from its bytes alone (dialects.md section 3).

The decision falls at the first line or frame that tells, or at the end of the data; never at the end of a read, so
that no cut of the body can change it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping

import orjson

from inspector_app.core.json_text import is_prefix

SSE_LINE = re.compile(rb"(?:data|event|id|retry)(?::|$)|:")
LOOK_AHEAD = 100
"""Lines that may stand before the first one that tells (banners, log lines, stray text)."""
BOM = b"\xef\xbb\xbf"
AWS_LARGEST = 1 << 24
"""Bytes of the longest AWS frame that is taken for one."""
AWS_HEADER = re.compile(rb":(?:message-type|event-type|exception-type|content-type|error-code|date)")
AWS_START = 64
"""Bytes in which a header of the first frame stands, even where a relay made text of its prelude."""
_BLANKS = b" \t\r\n"
_ENDS = re.compile(rb"[\r\n]")


class Sniffer:
    """Feed it the body until it answers. `close` answers in any case."""

    def __init__(self, beginnings: Mapping[str, Callable[[bytes], bool]] | None = None) -> None:
        self._beginnings = beginnings or {}
        """Framings of lines of their own: whether the first line of a body that is not blank is one of theirs."""
        self._open: list[bytes] = []
        """The pieces of the line that has not ended."""
        self._first: bytes | None = None
        self._objects = 0
        """Lines that are one JSON object each, behind a first line that is none."""
        self._others = 1
        """Lines that are something else, the first one included."""
        self._head = b""
        """The first five bytes that are not blank: a byte-order mark, and whether an array of objects begins."""
        self._frame: bytes | None = b""
        """The start of a body that may be of AWS frames, None where it is not."""

    def feed(self, data: bytes) -> str | None:
        """The framing name once a line or a frame has decided it, else None. Takes each byte once."""
        if self._frame is not None and data:
            self._frame += data
            if self._frame[0] > 1:
                data, self._frame = self._frame, None
            elif is_aws_frame(self._frame) or is_relayed_frame(self._frame):
                return "aws-eventstream"
            elif len(self._frame) < AWS_START:
                return None
            else:
                data, self._frame = self._frame, None
        if len(self._head) < 5:
            self._head = (self._head + data.translate(None, _BLANKS))[:5]
            if self._head.removeprefix(BOM).startswith(b"[{"):
                return "json-array"
        # A CR at the end may be half of CR LF, which makes no difference here: the empty line between says nothing.
        *ended, rest = _ENDS.split(data) if b"\n" in data or b"\r" in data else (data,)
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
        held, self._frame = self._frame, None
        if held and (found := self.feed(held)) is not None:
            return found
        found = self._line(b"".join(self._open))
        if found is not None:
            return found
        return "none" if self._first is None else self._undecided(self._first)

    def _undecided(self, first: bytes) -> str:
        """The framing of a body of which no line has told by itself."""
        if self._objects > max(1, self._others):
            return "ndjson"
        return {b"{": "json", b"[": "json", b":": "sse"}.get(first[:1], "text")

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
            if SSE_LINE.match(line.removeprefix(BOM)):
                return None if may_be_rest_of_object(text) else "sse"
            return next((name for name, begins in self._beginnings.items() if begins(text)), None)
        if self._first[:1] == b"{":
            if SSE_LINE.match(line):
                return "sse"
            if _is_object(self._first):
                return "ndjson"
        if self._first[:1] in (b"{", b"[") and not self._objects:
            # A first line that is broken or cut: no document goes on like this.
            broken = _is_object(text) and not is_prefix(self._first + b"\n" + text)
            if not broken or self._first[:1] == b"{":
                return "ndjson" if broken else "json"
        if SSE_LINE.match(line):
            return "sse"
        if text[:9].lower().startswith((b"<!doctype", b"<html")):
            return "html"
        if _is_object(text):
            self._objects += 1
        else:
            self._others += 1
        # A log may begin within a line, or with words of the program that wrote it; text may quote a few objects.
        if self._objects > 2 * self._others:
            return "ndjson"
        return self._undecided(self._first) if self._objects + self._others > LOOK_AHEAD else None


def sniff(body: bytes) -> str:
    """The framing of a whole body."""
    sniffer = Sniffer()
    return sniffer.feed(body) or sniffer.close()


def may_be_rest_of_object(line: bytes) -> bool:
    """True for a line that opens as an SSE comment, but may be a line of JSON whose start is lost."""
    return line.startswith(b":") and line.endswith(b"}")


def is_aws_frame(head: bytes) -> bool:
    """True when the body starts with an AWS event stream prelude whose CRC-32 fits (section 2.5)."""
    if len(head) < 12:
        return False
    size = int.from_bytes(head[:4], "big")
    return 16 <= size <= AWS_LARGEST and int.from_bytes(head[8:12], "big") == zlib.crc32(head[:8])


def is_relayed_frame(head: bytes) -> bool:
    """True when a body starts as AWS frames do, but a relay made text of the bytes above 0x7F."""
    return head[:2] == b"\0\0" and b"\xef\xbf\xbd" in head[:AWS_START] and bool(AWS_HEADER.search(head[:AWS_START]))


def _is_object(text: bytes) -> bool:
    try:
        return text.startswith(b"{") and isinstance(orjson.loads(text), dict)
    except orjson.JSONDecodeError:
        return False
