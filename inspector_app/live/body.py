"""The body of an HTTP/1.1 answer, read from its connection at once.

httpx and the layers below it pass each piece through half a dozen generators and a state machine, which costs more than
all that is done with it: with fifty fast streams at once that was the whole processor. They still connect, speak TLS,
go through proxies, send the request and read the head; errors are theirs, in their words.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpcore
import httpx

READ = 1 << 16
LONGEST_LINE = httpcore.AsyncHTTP11Connection.MAX_INCOMPLETE_EVENT_SIZE
"""Bytes that the line before a chunk, and all the trailers, may have."""

_SIZE = re.compile(rb"([0-9A-Fa-f]{1,20})[ \t]*(?:;[^\r\n]*)?\r\n")
_HEAD_END = re.compile(rb"\n\r?\n")
"""What h11 takes for the end of a head: either line end may be a bare LF."""
_INTERIM = re.compile(rb"HTTP/\d\.\d 1(?!01)\d\d(?![^ \r\n])")
_CUT = "peer closed connection without sending complete message body"


def after_head(wire: bytes) -> bytes:
    """What was read behind the head of an answer, interim ones such as 100 Continue before it left out."""
    wire = from_head(wire)
    end = _HEAD_END.search(wire)
    return wire[end.end() :] if end else b""


def from_head(wire: bytes) -> bytes:
    """What was read of an answer from its own head on, interim ones such as 100 Continue left out."""
    while _INTERIM.match(wire) and (end := _HEAD_END.search(wire)):
        wire = wire[end.end() :]
    return wire


async def pieces_of(answer: httpx.Response, start: bytes) -> AsyncIterator[bytes]:
    """The pieces of a body after transfer coding, each as soon as it was read; `start` came with the head.

    Raises what httpcore raises, for a body that is cut as well.
    """
    stream: Any = answer.extensions["network_stream"]
    seconds = answer.request.extensions["timeout"]["read"]
    decoder = _decoder_of(answer)
    data = start
    while True:
        for piece in decoder.feed(data):
            yield piece
        if decoder.done:
            return
        data = await stream.read(READ, seconds)
        if not data:
            decoder.end()
            return


class _Chunks:
    """Undoes the chunked transfer coding."""

    def __init__(self) -> None:
        self.done = False
        self._line = b""
        """The beginning of a line that is not whole."""
        self._left = self._trailed = 0
        """Bytes of the chunk that are to come, and of the trailers that were there."""
        self._take = self._take_size

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The pieces of chunks that some bytes of the connection hold."""
        at, size = 0, len(data)
        while at < size and not self.done:
            if self._left:
                piece = data[at : at + self._left]
                at += len(piece)
                self._left -= len(piece)
                yield piece
                continue
            end = data.find(b"\n", at) + 1 or size
            self._line += data[at:end]
            at = end
            if len(self._line) + self._trailed > LONGEST_LINE:
                raise httpcore.RemoteProtocolError("Receive buffer too long")
            if self._line.endswith(b"\n"):
                line, self._line = self._line, b""
                self._take(line)

    def _take_size(self, line: bytes) -> None:
        found = _SIZE.fullmatch(line)
        if found is None:
            raise httpcore.RemoteProtocolError(f"illegal chunk header: {bytearray(line)!r}")
        self._left = int(found[1], 16)
        self._take = self._take_end if self._left else self._take_trailer

    def _take_end(self, line: bytes) -> None:
        if line != b"\r\n":
            raise httpcore.RemoteProtocolError(f"malformed chunk footer: {bytearray(line[:40])!r}")
        self._take = self._take_size

    def _take_trailer(self, line: bytes) -> None:
        self._trailed += len(line)
        self.done = line in (b"\r\n", b"\n")

    def end(self) -> None:
        """The connection has ended."""
        raise httpcore.RemoteProtocolError(f"{_CUT} (incomplete chunked read)")


class _Length:
    """A body of a length that was said."""

    def __init__(self, length: int) -> None:
        self._length = self._left = length

    @property
    def done(self) -> bool:
        """Whether all of it was there."""
        return not self._left

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The next bytes, without what follows on the body."""
        piece = data[: self._left]
        self._left -= len(piece)
        if piece:
            yield piece

    def end(self) -> None:
        """The connection has ended."""
        got = self._length - self._left
        raise httpcore.RemoteProtocolError(f"{_CUT} (received {got} bytes, expected {self._length})")


class _ToTheEnd:
    """A body that ends with its connection."""

    done = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The next bytes."""
        if data:
            yield data

    def end(self) -> None:
        """The connection has ended, and so has the body."""


def _decoder_of(answer: httpx.Response) -> _Chunks | _Length | _ToTheEnd:
    """As RFC 9112 says in section 6.3; what contradicts itself was refused with the head."""
    if answer.request.method == "HEAD" or answer.status_code in (204, 304):
        return _Length(0)
    if answer.headers.get("transfer-encoding", "").lower() == "chunked":
        return _Chunks()
    length = answer.headers.get("content-length", "")
    return _Length(int(length)) if length else _ToTheEnd()
