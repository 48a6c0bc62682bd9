"""Facts about the bytes themselves, gathered read by read without looking at lines: invalid UTF-8, odd line breaks,
the characters of the end marker. `isascii` and `in` come first, so plain streams cost next to nothing.
"""

from __future__ import annotations

import codecs
import re

from inspector_app.core.reading import Reading

_BREAKS = re.compile(rb"[\x0b\x0c\x1c-\x1e]|\xc2\x85|\xe2\x80[\xa8\xa9]")
_CONTROLS = (b"\x0b", b"\x0c", b"\x1c", b"\x1d", b"\x1e")
_MARKER = b"[DONE]"
KEPT = 100
"""Byte ranges kept of invalid UTF-8; the count goes on."""
STEP = 1 << 12
_MARK = "\ufffd"


class Census:
    """Feed it the body; it fills `breaks`, `marker_texts`, `invalid` and `invalid_count` of the reading."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._at = 0
        self._tail = b""
        self._rest = b""
        self._rest_at = 0

    def feed(self, data: bytes) -> None:
        """Take one read."""
        window = self._tail + data
        base = self._at - len(self._tail)
        plain = window.isascii()
        if self._may_break(window, plain):
            known = self.reading.breaks[-1] if self.reading.breaks else -1
            self.reading.breaks += [at for m in _BREAKS.finditer(window) if (at := base + m.start()) > known]
        if _MARKER in window:
            known = self.reading.marker_texts[-1] if self.reading.marker_texts else -1
            found = [base + m.start() for m in re.finditer(re.escape(_MARKER), window)]
            self.reading.marker_texts += [at for at in found if at > known]
        if not plain or self._rest:
            self._utf8(data)
        self._at += len(data)
        self._tail = window[-5:]

    def withdraw(self) -> None:
        """The body is no text: what was found in its first reads says nothing."""
        reading = self.reading
        for found in (reading.breaks, reading.marker_texts, reading.invalid):
            found.clear()
        reading.invalid_count = 0

    @staticmethod
    def _may_break(window: bytes, plain: bool) -> bool:
        """Whether a line break that is none of SSE's is in there; single bytes first, they are found at once."""
        if any(control in window for control in _CONTROLS):
            return True
        if plain:
            return False
        if b"\xe2" in window and (b"\xe2\x80\xa8" in window or b"\xe2\x80\xa9" in window):
            return True
        return b"\xc2" in window and b"\xc2\x85" in window

    def close(self) -> None:
        """The data has ended: a character that is still incomplete was cut."""
        if self._rest:
            self._wrong(self._rest_at, self._rest_at + len(self._rest))
            self._rest = b""

    def _utf8(self, data: bytes) -> None:
        if not self._rest:
            self._rest_at = self._at
        text = self._rest + data
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            decoder.decode(text)
        except UnicodeDecodeError:
            self._pieces(text)
            return
        kept: bytes = decoder.getstate()[0]
        self._rest_at += len(text) - len(kept)
        self._rest = kept

    def _pieces(self, text: bytes) -> None:
        """Walk over text with invalid bytes in steps, each maximal invalid piece one place; past KEPT only count."""
        at, base = 0, self._rest_at
        while at < len(text):
            if len(self.reading.invalid) == KEPT:
                self._count(text[at:], base + at)
                return
            step = text[at : at + STEP]
            decoder = codecs.getincrementaldecoder("utf-8")()
            try:
                decoder.decode(step)
                kept: bytes = decoder.getstate()[0]
                if at + STEP >= len(text):
                    self._rest, self._rest_at = kept, base + len(text) - len(kept)
                    return
                at += len(step) - len(kept)
            except UnicodeDecodeError as error:
                self._wrong(base + at + error.start, base + at + error.end)
                at += error.end
        self._rest, self._rest_at = b"", base + len(text)

    def _count(self, text: bytes, start: int) -> None:
        """The number of invalid pieces is that of the marks that a lenient decoder puts there."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.reading.invalid_count += decoder.decode(text).count(_MARK) - text.count(_MARK.encode())
        self._rest = decoder.getstate()[0]
        self._rest_at = start + len(text) - len(self._rest)

    def _wrong(self, start: int, end: int) -> None:
        self.reading.invalid_count += 1
        if len(self.reading.invalid) < KEPT:
            self.reading.invalid.append((start, end))
