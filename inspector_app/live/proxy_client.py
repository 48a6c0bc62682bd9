"""One connection of a client to the proxy: its requests as they come, the answers, and whether it is still there."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, cast

from inspector_app.live.loopback import Refusal, Request, RequestReader
from inspector_app.live.proxy_rules import Fields, end_to_end

READ_AHEAD = 1 << 18
"""Bytes of a request that wait to be taken, at most about."""
UNSENT = 1 << 18
"""Bytes of an answer that wait for a slow client, before the upstream has to wait too."""
LINGER_S = 2.0
"""Seconds that a refused client may go on sending, before its connection is closed: it should read why."""

_RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class Client(asyncio.Protocol):
    """A connection. `talk` is run for it as a task; `on_gone` is called once when the client has left."""

    def __init__(self, port: int, talk: Callable[[Client], Coroutine[Any, Any, None]]) -> None:
        self.gone = False
        self.on_gone: Callable[[], object] = lambda: None
        self._talk = talk
        self._transport: asyncio.Transport | None = None
        self._task: asyncio.Future[None] | None = None
        self._buffer = bytearray()
        self._reader = RequestReader(port)
        self._method, self._version = "", "1.1"
        self.keeps = True
        """Whether another request may follow on this connection."""
        self._filled = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._drops = False
        """Whether what still comes is of no interest."""

    # what asyncio tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=UNSENT)
        self._task = asyncio.ensure_future(self._talk(self))

    def data_received(self, data: bytes) -> None:
        if self._drops:
            return
        self._buffer += data
        if len(self._buffer) > READ_AHEAD and self._transport is not None:
            self._transport.pause_reading()
        self._filled.set()

    def eof_received(self) -> None:
        """A client that sends no more is taken for one that has left, as most servers do."""
        self._leave()

    def connection_lost(self, error: Exception | None) -> None:
        self._leave()

    def _leave(self) -> None:
        self._filled.set()
        self._writable.set()
        if not self.gone:
            self.gone = True
            self.on_gone()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    # requests

    async def request(self) -> Request | Refusal | None:
        """The next request, or why there is none that may be answered; None when the client has left."""
        while (found := self._reader.next()) is None:
            if self._reader.waits:
                self.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            while not self._buffer:
                if self.gone:
                    return None
                await self._more()
            self._reader.feed(bytes(self._buffer))
            self._buffer.clear()
            if self._transport is not None:
                self._transport.resume_reading()
        if isinstance(found, Request):
            self._method, self._version, self.keeps = found.method, found.version, found.keeps
        return found

    async def _more(self) -> None:
        self._filled.clear()
        await self._filled.wait()

    # answers

    def write(self, data: bytes) -> None:
        """Send, as far as the client takes it at once; the rest waits in memory (see `room`)."""
        if not self.gone and self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def room(self) -> Awaitable[object] | None:
        """What to wait for while the client takes no more."""
        return None if self._writable.is_set() else self._writable.wait()

    def answer(self, status: int, reason: bytes, fields: Fields) -> Framing:
        """Send the head of an answer; gives how its body is to be framed."""
        framing = Framing(self._method, self._version, status, fields)
        passed = end_to_end(fields, framing.left_out)
        if framing.kind == "chunked":
            passed.append(("Transfer-Encoding", "chunked"))
        if framing.kind == "close" or not self.keeps:
            self.keeps = False
            passed.append(("Connection", "close"))
        self.write(head_bytes(status, reason, passed))
        return framing

    def refuse(self, status: int, words: str) -> None:
        """Answer with words of our own."""
        error = {"type": "proxy_error", "code": status, "message": words}
        body = json.dumps({"type": "error", "error": error}).encode()
        fields = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        if not self.keeps:
            fields.append(("Connection", "close"))
        self.write(head_bytes(status, _reason(status), fields) + (b"" if self._method == "HEAD" else body))

    async def dismiss(self, status: int, words: str) -> None:
        """Answer with words of our own and close, when the client has had the time to read them."""
        self.keeps = False
        self.refuse(status, words)
        if self._transport is None or self.gone:
            return
        self._drops = True
        self._transport.resume_reading()
        if self._transport.can_write_eof():
            self._transport.write_eof()
        try:
            await asyncio.wait_for(self._until_gone(), LINGER_S)
        except TimeoutError:
            pass
        self.close()

    async def _until_gone(self) -> None:
        while not self.gone:
            await self._more()

    def close(self) -> None:
        """Close the connection when all is sent."""
        if self._transport is not None:
            self._transport.close()

    async def reset(self) -> None:
        """Tear the connection down with a RST, when all is sent."""
        transport = self._transport
        if transport is None or self.gone:
            return
        transport.set_write_buffer_limits(high=0)
        await self._writable.wait()
        connection = transport.get_extra_info("socket")
        if connection is not None and not transport.is_closing():
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        transport.abort()


class Framing:
    """How the end of a body is told to the client: as the upstream tells it, as far as the client's HTTP can."""

    def __init__(self, method: str, version: str, status: int, fields: Fields) -> None:
        names = {name.lower() for name, _ in fields}
        chunked = "transfer-encoding" in names
        if method == "HEAD" or status in (204, 304):
            self.kind = "none"
        elif "content-length" in names and not chunked:
            self.kind = "length"
        else:
            self.kind = "chunked" if chunked and version >= "1.1" else "close"
        self.left_out = ("content-length",) if chunked else ()

    def pieces(self, pieces: Sequence[bytes]) -> bytes:
        """Pieces of a body as they go out, each one a chunk where there are chunks."""
        if self.kind == "chunked":
            return b"".join([b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces])
        return b"" if self.kind == "none" else b"".join(pieces)

    def end(self, trailers: Fields) -> bytes:
        """What follows on the last piece of a body that is whole."""
        if self.kind != "chunked":
            return b""
        lines = [f"{name}: {value}\r\n" for name, value in end_to_end(trailers)]
        return f"0\r\n{''.join(lines)}\r\n".encode("latin-1")


def head_bytes(status: int, reason: bytes, fields: Fields) -> bytes:
    """A response head."""
    lines = [f"{name}: {value}\r\n".encode("latin-1") for name, value in fields]
    return b"HTTP/1.1 %d %b\r\n%b\r\n" % (status, reason, b"".join(lines))


_REASONS = {
    400: b"Bad Request",
    403: b"Forbidden",
    404: b"Not Found",
    405: b"Method Not Allowed",
    413: b"Content Too Large",
    431: b"Request Header Fields Too Large",
    501: b"Not Implemented",
    502: b"Bad Gateway",
    503: b"Service Unavailable",
    504: b"Gateway Timeout",
    505: b"HTTP Version Not Supported",
    508: b"Loop Detected",
}


def _reason(status: int) -> bytes:
    """The words after a status of ours."""
    return _REASONS.get(status, b"Refused")
