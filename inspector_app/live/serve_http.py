"""The connections of a replay server: a request comes in, the plan of an answer goes out in its rhythm.

One loop plays all of them, without a task for each: what is due is written, and the loop is asked for the next time.
Times are counted from the moment the request was whole, so that a write that came late delays none after it.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import sys
from collections.abc import Callable
from typing import Protocol

from inspector_app.live.loopback import Refusal, Request, RequestReader
from inspector_app.live.serve_plan import BODILESS, Ending, Plan

WAITING_LIMIT = 1 << 20
"""Bytes of further requests that are taken in while an answer goes out."""
LOOK_S = 0.005
"""Seconds between two looks whether the client has taken all that was sent, before a RST."""
AT_ONCE = 64
"""Writes of one answer before the others have their turn: the reads of a recording may be single bytes."""
LINGER_S = 2.0
"""Seconds that a refused client may go on sending, before its connection is closed: it should read why."""
UNTIL_CLOSED_S = 30.0
"""Seconds in which a client may close a connection that is not kept, so that it is seen whether it had read all."""
BUFFERED = 1 << 18
"""Bytes that may wait for a client that reads slowly."""


class Track(Protocol):
    """Whom a playback tells what became of it: `sent` bytes of the body were handed over so far."""

    def over(self, sent: int, *, left: bool) -> None:
        """The answer ended as planned, or the client `left` before. Called once."""
        ...

    def unread(self) -> None:
        """The client closed the connection behind the end, and threw away something it had not read."""
        ...

    def read(self) -> None:
        """The client has read the answer to its end: it closed the connection in order, or asked for more."""
        ...


class Playback:
    """One answer on its way out."""

    def __init__(self, plan: Plan, request: Request, transport: asyncio.Transport, track: Track) -> None:
        self.sent = 0
        self._plan = plan
        self._transport = transport
        self._track = track
        self._loop = asyncio.get_running_loop()
        self._zero = self._loop.time()
        self._chunked = request.version >= "1.1"
        self._bodiless = request.method == "HEAD" or plan.status in BODILESS
        # That the connection will not be kept is not told beforehand: some clients take its end for that of the body.
        self._asked_to_keep = request.keeps
        self.keeps = request.keeps and plan.ending is Ending.CLEAN and (self._chunked or self._bodiless)
        self._headed = False
        self._next = 0
        self._paused = False
        self._finished = False
        self._told = False
        self._timer: asyncio.TimerHandle | None = None
        self._done: Callable[[], None] = lambda: None

    def start(self, done: Callable[[], None]) -> None:
        """Begin; `done` is called once, when the answer has ended and the connection may take the next request."""
        self._done = done
        self.step()

    def step(self) -> None:
        """Write what is due, then wait for what comes next."""
        self._cancel()
        plan, loop = self._plan, self._loop
        for _ in range(AT_ONCE):
            # A connection that broke takes bytes without a word until it is told to be lost.
            if self._paused or self._finished or self._transport.is_closing():
                return
            due = self._due()
            if due > loop.time() - self._zero:
                self._timer = loop.call_at(self._zero + due, self.step)
                return
            self._write(plan)
        self._timer = loop.call_later(0, self.step)

    def pause(self) -> None:
        """The client reads more slowly than it is written to."""
        self._paused = True

    def resume(self) -> None:
        """It has caught up."""
        self._paused = False
        self._cancel()
        # Not at once: closed while it tells this, a transport tells twice that the connection is lost.
        self._timer = self._loop.call_later(0, self.step)

    def lost(self) -> None:
        """The connection is gone."""
        self._cancel()
        self._tell(left=not self._finished)
        self._finished = True

    def _tell(self, *, left: bool) -> None:
        if not self._told:
            self._told = True
            self._track.over(self.sent, left=left)

    def _due(self) -> float:
        plan = self._plan
        if not self._headed:
            return plan.head_at
        if self._next < len(plan.ends) and not self._bodiless:
            return plan.times[self._next]
        return plan.end_at

    def _write(self, plan: Plan) -> None:
        if not self._headed:
            self._headed = True
            if plan.status is not None:
                self._transport.write(plan.head(self._chunked, self._asked_to_keep))
        elif self._next < len(plan.ends) and not self._bodiless:
            piece = plan.body.slice(self.sent, plan.ends[self._next])
            self._next += 1
            self.sent += len(piece)
            if piece:  # An empty chunk would be the last one.
                self._transport.write(b"%x\r\n%b\r\n" % (len(piece), piece) if self._chunked else piece)
        else:
            self._end(plan)

    def _end(self, plan: Plan) -> None:
        if plan.ending is Ending.STALL:
            # The client has to leave by itself; it is not `finished` until then.
            self._paused = True
            return
        self._finished = True
        if plan.ending is Ending.RESET:
            self._reset()
            return
        if plan.ending is Ending.CLEAN and self._chunked and not self._bodiless:
            trailers = "".join(f"{name}: {value}\r\n" for name, value in plan.trailers)
            self._transport.write(b"0\r\n" + trailers.encode("latin-1", "replace") + b"\r\n")
        self._tell(left=False)
        if not self.keeps:
            self._say_the_end()
        self._done()

    def _say_the_end(self) -> None:
        """Closed at once, the connection would not tell any more whether the client has read all."""
        if not self._transport.can_write_eof():
            self._transport.close()
        elif not self._transport.is_closing():
            self._transport.write_eof()

    def _reset(self) -> None:
        """A RST throws away what the other side has not taken: so it has to wait for that."""
        if self._transport.is_closing():
            self._tell(left=False)
        elif self._transport.get_write_buffer_size() or _unsent(self._transport):
            self._timer = self._loop.call_later(LOOK_S, self._reset)
        else:
            self._tell(left=False)
            with contextlib.suppress(OSError):
                linger = struct.pack("ii" if sys.platform != "win32" else "hh", 1, 0)
                self._transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self._transport.abort()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


if sys.platform == "linux":
    import fcntl
    import termios

    def _unsent(transport: asyncio.Transport) -> int:
        """Bytes that the kernel holds for the other side."""
        try:
            held = fcntl.ioctl(transport.get_extra_info("socket").fileno(), termios.TIOCOUTQ, bytes(4))
        except OSError:
            return 0
        return int.from_bytes(held, sys.byteorder)
else:

    def _unsent(transport: asyncio.Transport) -> int:
        """Bytes that the kernel holds for the other side: not known here."""
        return 0


class Answering(Protocol):
    """What connections ask of their server."""

    port: int
    connections: set[Connection]

    def answer(self, request: Request) -> tuple[Plan, Track]:
        """The plan for a request, and whom to tell how it went."""
        ...

    def refused(self, refusal: Refusal) -> None:
        """A request got no answer."""
        ...


class Connection(asyncio.Protocol):
    """One connection of a client."""

    def __init__(self, server: Answering) -> None:
        self._server = server
        self._reader = RequestReader(server.port)
        self._transport: asyncio.Transport | None = None
        self._playing: Playback | None = None
        self._last: Track | None = None
        """Whom to tell whether the client has read the answer that went out last."""
        self._timer: asyncio.TimerHandle | None = None
        self._closed_by_client = False
        self._told_to_go_on = False
        self._waiting = 0
        self._drops = False
        """Whether what still comes is of no interest."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.set_write_buffer_limits(high=BUFFERED)
        self._server.connections.add(self)

    def data_received(self, data: bytes) -> None:
        if self._drops:
            return
        self._reader.feed(data)
        if self._playing is None:
            if self._transport is not None and not self._transport.get_write_buffer_size():
                self._tell_read()
            self._go_on()
            return
        self._waiting += len(data)
        if self._waiting > WAITING_LIMIT and self._transport is not None:
            self._transport.pause_reading()

    def pause_writing(self) -> None:
        if self._playing is not None:
            self._playing.pause()

    def resume_writing(self) -> None:
        if self._playing is not None:
            self._playing.resume()

    def eof_received(self) -> None:
        self._closed_by_client = True

    def connection_lost(self, error: Exception | None) -> None:
        self._server.connections.discard(self)
        self._transport = None
        if self._timer is not None:
            self._timer.cancel()
        if self._playing is not None:
            self._playing.lost()
        elif self._last is not None and isinstance(error, ConnectionError):
            # Closed by who has read all, a connection ends without a reset.
            self._last.unread()
        elif self._closed_by_client:
            self._tell_read()

    def _tell_read(self) -> None:
        if self._last is not None:
            self._last.read()
            self._last = None

    def close(self) -> None:
        """The server stops: what was said goes out yet, what would have been said does not."""
        if self._transport is None:
            return
        if self._playing is None:
            self._transport.close()
        else:
            self._transport.abort()

    def _go_on(self) -> None:
        transport = self._transport
        if transport is None or transport.is_closing() or self._playing is not None:
            return
        found = self._reader.next()
        if isinstance(found, Refusal):
            self._server.refused(found)
            self._refuse(found, transport)
        elif found is not None:
            self._told_to_go_on = False
            plan, track = self._server.answer(found)
            self._last = track
            self._playing = Playback(plan, found, transport, track)
            self._playing.start(self._over)
        elif self._reader.waits and not self._told_to_go_on:
            self._told_to_go_on = True
            transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def _refuse(self, refusal: Refusal, transport: asyncio.Transport) -> None:
        words = f"{refusal.why}\n".encode("utf-8", "replace")
        fields = ["Content-Type: text/plain; charset=utf-8", f"Content-Length: {len(words)}", "Connection: close"]
        head = "\r\n".join([f"HTTP/1.1 {refusal.status} Refused", *fields, "", ""])
        transport.write(head.encode() + words)
        # Closed with something unread, the connection would be reset, and what was said lost with it.
        self._drops = True
        if transport.can_write_eof():
            transport.write_eof()
        asyncio.get_running_loop().call_later(LINGER_S, transport.close)

    def _over(self) -> None:
        playing, self._playing = self._playing, None
        if playing is not None and not playing.keeps and self._transport is not None:
            self._drops = True
            self._transport.resume_reading()
            self._timer = asyncio.get_running_loop().call_later(UNTIL_CLOSED_S, self._transport.close)
            return
        if self._waiting and self._transport is not None and not self._transport.is_closing():
            self._waiting = 0
            self._transport.resume_reading()
        # What came meanwhile is answered from a fresh stack: a client may send a thousand requests at once.
        asyncio.get_running_loop().call_soon(self._go_on)
