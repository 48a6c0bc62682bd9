"""The exchange of a live stream, growing: what a reader of the finished recording would get, as far as it has come."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from inspector_app.core.store import SegmentBody
from inspector_app.core.types import Exchange, Fault
from inspector_app.files._coding import (
    ANNOUNCED,
    DEFAULT_LIMITS,
    MAGIC,
    PROBE,
    WITHOUT_MAGIC,
    Decoder,
    is_text,
    magic_coding,
    maker,
    undo_coding,
)
from inspector_app.files.recording import NAME, faults_of_end
from inspector_app.live.capture import End, Head, Read
from inspector_app.live.request import Outgoing
from inspector_app.live.running import Item, Stopped

MAGIC_SIZE = 4
"""Bytes that tell whether a body is compressed."""


class Growth:
    """Takes the items of a `Running`; `exchange` holds all of them, decoded, with their reads and times."""

    def __init__(self, name: str, request: Outgoing) -> None:
        self.body = SegmentBody()
        self._ends: array[int] = array("q")
        self._times: array[int] = array("q")
        self.exchange = Exchange(
            name,
            NAME,
            self.body,
            timing="measured",
            read_ends=self._ends,
            read_times=self._times,
            request=request.record(),
            created=datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"),
            source="live",
        )
        self.ended = False
        self.stopped: str | None = None
        """Why the recording stopped while the stream went on."""
        self.last_time = 0
        """When the last read, or the head, arrived: ns since the request was sent."""
        self._coding: _Coding | None = None

    def add(self, items: Iterable[Item]) -> Iterator[bytes]:
        """Take items; gives the new pieces of the body, each one in the exchange already when it is given."""
        exchange = self.exchange
        for item in items:
            if isinstance(item, Read):
                if self._coding is None:
                    self._coding = _Coding(exchange.http.header("content-encoding") if exchange.http else None)
                piece = self._coding.feed(item.data)
                self.body.append(piece)
                self._ends.append(len(self.body))
                self._times.append(item.t)
                self.last_time = item.t
                if piece:
                    yield piece
            elif isinstance(item, Head):
                exchange.http, exchange.head_time = item.http, item.t
                self.last_time = item.t
            elif isinstance(item, Stopped):
                self.stopped = item.why
            elif isinstance(item, End):
                if self._coding is not None and (piece := self._coding.rest()):
                    self.body.append(piece)
                    self._ends[-1] = len(self.body)
                    yield piece
                self._end(item)

    def _end(self, end: End) -> None:
        exchange = self.exchange
        exchange.end = {
            "how": end.how,
            "terminator": end.terminator,
            "closed_by": end.closed_by,
            "trailers": [list(pair) for pair in end.trailers],
            "detail": end.detail,
            **({"masked": [list(place) for place in end.masked]} if end.masked else {}),
        }
        exchange.end_time = end.t
        faults: list[Fault] = []
        if self._coding is not None:
            faults = self._coding.faults(self.body.slice(0, PROBE))
            exchange.coding = self._coding.name
        size, headed = len(self.body), exchange.http is not None
        exchange.faults = faults_of_end(faults, exchange.end, size, headed=headed)
        self.ended = True


class _Coding:
    """Undoes the content coding of a body as it comes, bounded as for a file. A body without one passes."""

    def __init__(self, announced: str | None) -> None:
        self.name: str | None = None
        self._announced = announced
        self._decoder: Decoder | None = None
        self._raw = bytearray()
        """What came, where it is needed again: while nothing is decided, and for a compressed body."""
        self._decided = False
        self._given = 0

    def feed(self, data: bytes) -> bytes:
        """The decoded bytes that `data` gives."""
        if self._decided and self.name is None:
            return data
        self._raw += data
        if not self._decided:
            may_be = self._announced or any(magic.startswith(self._raw) for magic, _ in MAGIC)
            if may_be and len(self._raw) < MAGIC_SIZE:
                return b""
            self._decide()
            data = bytes(self._raw)
        return data if self._decoder is None and self.name is None else self._decode(data)

    def rest(self) -> bytes:
        """What a body gives that ended before it could be told whether it is compressed."""
        return b"" if self._decided else bytes(self._raw)

    def faults(self, start: bytes) -> list[Fault]:
        """What is to be said once the body has ended; `start` is how it began, decoded."""
        if self.name is None and self._announced is None:
            return []
        return undo_coding(memoryview(start if self.name is None else self._raw), self._announced).faults

    def _decide(self) -> None:
        self._decided = True
        start = bytes(self._raw)
        said = ANNOUNCED.get((self._announced or "").strip().lower())
        coding = magic_coding(start) or (said if said in WITHOUT_MAGIC and not is_text(start) else None)
        make = maker(coding, start) if coding else None
        if make is not None:
            self.name, self._decoder = coding, make()

    def _decode(self, data: bytes) -> bytes:
        decoder, out = self._decoder, bytearray()
        if decoder is None:
            return b""
        limits = DEFAULT_LIMITS
        allowed = min(limits.total, max(limits.free, limits.ratio * len(self._raw))) - self._given
        try:
            for piece in decoder.feed(data):
                out += piece
                if len(out) > allowed:
                    del out[allowed:]
                    self._decoder = None
                    break
        except decoder.error:
            self._decoder = None
        self._given += len(out)
        return bytes(out)
