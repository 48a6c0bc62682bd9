"""Whether a body ended with what its dialect ends with: judged once, at its end, from its first and last bytes.

A reading of the whole would answer too, but costs as much again as the stream itself, and its memory.
"""

from __future__ import annotations

import re
from collections import deque

from inspector_app.core.analysis import Analysis
from inspector_app.core.json_tokens import blank_end, scan
from inspector_app.core.kit import Kit
from inspector_app.core.sniff import Sniffer, is_aws_frame
from inspector_app.core.types import Exchange, Http, MemoryBody
from inspector_app.files._coding import undo_coding

TAIL = 1 << 20
"""Bytes at the end of a body that are looked at: more than any last event that is known."""
CODED = 1 << 24
"""Bytes of a compressed body that are kept, for it can be read from its start only."""

_EVENT_ENDS = {"sse": (b"\n\n", b"\r\n\r\n", b"\r\r"), "ndjson": (b"\n",), "text": (b"\n",)}
"""Framing -> what stands between two events: where reading may begin."""


_BETWEEN_ELEMENTS = re.compile(rb"\}\s*,\s*(?=\{)")
"""What stands between two elements of an array, and between objects inside of one."""


class Ending:
    """Takes the reads of one body, keeps few of them, and is asked once."""

    def __init__(self, http: Http | None) -> None:
        self._http = http
        self._coded = (http.header("content-encoding") if http else None) or None
        self._sniffer = Sniffer()
        self._framing: str | None = None
        self._pieces: deque[bytes] = deque()
        self._kept = 0
        self._whole = True

    def feed(self, data: bytes) -> None:
        """The next bytes, as they are on the wire."""
        if self._framing is None and self._coded is None:
            self._framing = self._sniffer.feed(data)
        self._pieces.append(data)
        self._kept += len(data)
        while self._kept - len(self._pieces[0]) >= (CODED if self._coded else TAIL):
            self._kept -= len(self._pieces.popleft())
            self._whole = False

    def is_complete(self, kit: Kit) -> bool:
        """True when the dialect's end was there: its marker, or where it has none a finish reason."""
        body = b"".join(self._pieces)
        if self._coded is not None:
            if not self._whole:
                return False
            decoded = undo_coding(memoryview(body), self._coded)
            body = body if decoded.data is None else bytes(decoded.data)
        elif not self._whole:
            body = _from_an_event_on(body, self._framing or "")
        exchange = Exchange("", "recording", MemoryBody(body), http=self._http)
        # What looks like text may be lines of a framing that only the kit knows.
        framing = self._framing if self._framing != "text" else None
        analysis = Analysis(exchange, kit, framing=framing, diagnose=False)
        analysis.feed(body)
        reading = analysis.finish()
        if reading.marker is not None:
            return True
        marker = getattr(reading.dialect_module, "END_MARKER", None)
        return reading.dialect_module is not None and marker is None and bool(reading.finishes)


def _from_an_event_on(body: bytes, framing: str) -> bytes:
    if framing == "json-array":
        places = (found.end() for found in _BETWEEN_ELEMENTS.finditer(body))
        return b"[" + body[next((at for at in places if _are_elements(body, at)), len(body)) :]
    if framing == "aws-eventstream":
        return body[next((at for at in range(len(body)) if is_aws_frame(body[at : at + 12])), len(body)) :]
    starts = [at + len(end) for end in _EVENT_ENDS.get(framing, ()) if (at := body.find(end)) >= 0]
    return body[min(starts, default=0) :]


def _are_elements(body: bytes, at: int) -> bool:
    """Whether the values from a place on are those of the array that is the body: nothing follows its bracket."""
    while True:
        value = scan(body, at)
        if not value.done:
            return value.end == len(body)
        at = blank_end(body, value.end)
        following = body[at : at + 1]
        at = blank_end(body, at + 1)
        if following != b",":
            return not following or (following == b"]" and at == len(body))
