"""Connections for many fast streams at once: asyncio's own transports below httpcore, in place of those of anyio.

Those stop and start to listen at the socket around each read, which at two hundred events a second and fifty streams
costs more than all else that is done with them. Errors are those of httpcore, with the same causes.
"""

from __future__ import annotations

import asyncio
import errno
import ssl
from collections import deque
from collections.abc import Iterable
from typing import Any, cast

import anyio
import httpcore

AHEAD = 1 << 18
"""Bytes that may wait to be read, at most about: then the socket is left alone."""
IN_HANDSHAKE = "in the TLS handshake"
"""Says of a timeout where it was; with anyio's connections its cause does."""
NEXT_ADDRESS_S = 0.25
"""Seconds after which the next address of a name is tried beside the first."""


class _Wire(asyncio.Protocol):
    """What comes in, until it is read."""

    def __init__(self) -> None:
        self.pieces: deque[bytes] = deque()
        self.size = 0
        self.over = False
        self.error: Exception | None = None
        self.transport: asyncio.Transport | None = None
        self.reader: asyncio.Future[None] | None = None
        self.writable = asyncio.Event()
        self.writable.set()
        self.closed = asyncio.Event()
        self._held = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self.pieces.append(data)
        self.size += len(data)
        if self.size > AHEAD and not self._held and self.transport is not None:
            self._held = True
            self.transport.pause_reading()
        self._wake()

    def take(self) -> bytes:
        """All that is there, in one."""
        data = self.pieces[0] if len(self.pieces) == 1 else b"".join(self.pieces)
        self.pieces.clear()
        self.size = 0
        if self._held and self.transport is not None:
            self._held = False
            self.transport.resume_reading()
        return data

    def eof_received(self) -> bool:
        self.over = True
        self._wake()
        return False

    def connection_lost(self, error: Exception | None) -> None:
        self.over, self.error = True, error
        self.writable.set()
        self.closed.set()
        self._wake()

    def pause_writing(self) -> None:
        self.writable.clear()

    def resume_writing(self) -> None:
        self.writable.set()

    def _wake(self) -> None:
        if self.reader is not None and not self.reader.done():
            self.reader.set_result(None)


class Connection(httpcore.AsyncNetworkStream):
    """One connection."""

    def __init__(self, wire: _Wire) -> None:
        self._wire = wire

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """What has come, also more than `max_bytes`: it is there. Nothing at the end."""
        wire = self._wire
        if not wire.pieces and not wire.over:
            wire.reader = asyncio.get_running_loop().create_future()
            try:
                if timeout is None or timeout == float("inf"):
                    await wire.reader
                else:
                    with anyio.fail_after(timeout):
                        await wire.reader
            except TimeoutError as error:
                raise httpcore.ReadTimeout from error
            finally:
                wire.reader = None
        if wire.pieces:
            return wire.take()
        if wire.error is not None:
            raise httpcore.ReadError from wire.error
        return b""

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send, and wait while the other side takes no more."""
        wire = self._wire
        if wire.error is not None or wire.transport is None:
            raise httpcore.WriteError from wire.error
        wire.transport.write(buffer)
        try:
            with anyio.fail_after(timeout):
                await wire.writable.wait()
        except TimeoutError as error:
            raise httpcore.WriteTimeout from error

    async def aclose(self) -> None:
        """Close at once: nobody waits for an answer any more."""
        if self._wire.transport is not None:
            self._wire.transport.abort()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        """Speak TLS from here on."""
        plain, wire = self._wire, _Wire()
        assert plain.transport is not None
        try:
            with anyio.fail_after(timeout):
                made = await asyncio.get_running_loop().start_tls(
                    plain.transport, wire, ssl_context, server_hostname=server_hostname, ssl_handshake_timeout=3600.0
                )
        except TimeoutError as error:
            await self.aclose()
            raise httpcore.ConnectTimeout(IN_HANDSHAKE) from error
        except (OSError, ssl.SSLError) as error:
            await self.aclose()
            raise httpcore.ConnectError(str(error)) from error
        wire.transport = cast(asyncio.Transport, made)
        return Connection(wire)

    def get_extra_info(self, info: str) -> Any:
        names = {"ssl_object": "ssl_object", "client_addr": "sockname", "server_addr": "peername", "socket": "socket"}
        transport = self._wire.transport
        if info == "is_readable":
            return bool(self._wire.pieces) or self._wire.over
        return transport.get_extra_info(names[info]) if transport is not None and info in names else None


class Connections(httpcore.AsyncNetworkBackend):
    """Makes connections."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        loop = asyncio.get_running_loop()
        try:
            with anyio.fail_after(timeout):
                _, wire = await loop.create_connection(_Wire, host, port, happy_eyeballs_delay=NEXT_ADDRESS_S)
        except TimeoutError as error:
            raise httpcore.ConnectTimeout from error
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from _one(error)
        return Connection(wire)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def _one(error: OSError) -> OSError:
    """Of the errors of several addresses, which asyncio tells in words alone, the one that says most."""
    if error.errno is None and f"[Errno {errno.ECONNREFUSED}]" in str(error):
        return ConnectionRefusedError(errno.ECONNREFUSED, str(error))
    return error
