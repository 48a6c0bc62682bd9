"""A server that misbehaves on purpose: raw sockets, so that what goes over the wire is what stands here.

A behaviour is a script: the steps by which it answers one request. What the body is, after transfer coding and before
content coding, stands in it too, so that a test can ask whether all of it was recorded.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

RESET = object()
"""A step: the connection is torn down with a RST."""
GATE = object()
"""A step: wait until the test opens the gate."""

Step = bytes | object


@dataclass(frozen=True)
class Script:
    """How one request is answered: pieces of bytes, each sent on its own, and other steps; then the connection closes.

    `body` is what a client can have received at the most, None where the test does not ask.
    """

    steps: tuple[Step, ...]
    body: bytes | None = None
    how: str = "done"
    terminator: bool | None = True
    trailers: tuple[tuple[str, str], ...] = ()
    events: int | None = None


def event(text: str, **more: Any) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None} | more
    chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return b"data: " + json.dumps(chunk, ensure_ascii=False).encode() + b"\n\n"


WORDS = ("Grün", "er Tee, ", "日本", "語 und ", "🙂👍🏽", ".")
EVENTS = (*map(event, WORDS), event("", delta={}, finish_reason="stop"), b"data: [DONE]\n\n")
ANSWER = b"".join(EVENTS)
CRLF_ANSWER = ANSWER.replace(b"\n", b"\r\n")
CUT = b"".join(EVENTS[:-2])
ERROR = b'{"error":{"message":"Invalid key","type":"invalid_request_error","code":"invalid_api_key"}}'
HTML = b"<!DOCTYPE html><html><body><h1>500 Internal Server Error</h1></body></html>"


def head(status: str = "200 OK", *fields: str, version: str = "HTTP/1.1", kind: str = "text/event-stream") -> bytes:
    lines = [f"{version} {status}", f"Content-Type: {kind}", *fields]
    return "\r\n".join([*lines, "", ""]).encode()


CHUNKED = "Transfer-Encoding: chunked"


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


LAST = b"0\r\n\r\n"


def chunked(*pieces: bytes, fields: tuple[str, ...] = ()) -> tuple[bytes, ...]:
    return (head("200 OK", CHUNKED, *fields), *map(chunk, pieces), LAST)


def bytewise(data: bytes) -> Iterator[bytes]:
    return (data[at : at + 1] for at in range(len(data)))


def within_crlf(data: bytes) -> list[bytes]:
    return [piece + b"\r" for piece in data.split(b"\r")[:-1]][:1] + [
        b"\n" + piece.removeprefix(b"\n") + b"\r" for piece in data.split(b"\r")[1:-1]
    ] + [b"\n"]  # fmt: skip


def length(data: bytes, said: int | None = None, status: str = "200 OK", *fields: str, **more: str) -> bytes:
    return head(status, f"Content-Length: {len(data) if said is None else said}", *fields, **more) + data


GZIP = gzip.compress(ANSWER, mtime=0)

SCRIPTS: dict[str, Script] = {
    "plain": Script(chunked(*EVENTS), ANSWER, events=len(EVENTS)),
    "one-piece": Script((b"".join(chunked(*EVENTS)),), ANSWER, events=len(EVENTS)),
    "bytewise": Script(chunked(*bytewise(ANSWER)), ANSWER, events=len(EVENTS)),
    "split-in-chunk-head": Script(tuple(bytewise(b"".join(chunked(*EVENTS)))), ANSWER, events=len(EVENTS)),
    "split-in-crlf": Script(chunked(*within_crlf(CRLF_ANSWER)), CRLF_ANSWER, events=len(EVENTS)),
    "content-length": Script((length(ANSWER),), ANSWER),
    "short-content-length": Script((length(CUT, len(ANSWER)),), CUT, "truncated", False),
    "no-last-chunk": Script((head("200 OK", CHUNKED), *map(chunk, EVENTS[:-2])), CUT, "truncated", False),
    "cut-in-a-chunk": Script((head("200 OK", CHUNKED), b"400\r\n" + CUT[:500]), CUT[:500], "truncated", False),
    "no-chunk-after-done": Script((head("200 OK", CHUNKED), chunk(ANSWER)), ANSWER, "truncated", False),
    "bad-chunk-size": Script((head("200 OK", CHUNKED), chunk(CUT), b"zz\r\n"), CUT, "truncated", False),
    "reset": Script((head("200 OK", CHUNKED), chunk(CUT), GATE, RESET), CUT, "reset", False),
    "reset-at-once": Script((GATE, RESET), b"", "reset", None),
    "closed-at-once": Script((), b"", "truncated", None),
    "no-http": Script((b"SSH-2.0-OpenSSH_9.6\r\n",), b"", "truncated", None),
    "clean-cut": Script(chunked(*EVENTS[:-2]), CUT, "eof"),
    "gzip": Script(chunked(*bytewise(GZIP), fields=("Content-Encoding: gzip",)), GZIP, events=len(EVENTS)),
    "gzip-cut": Script(
        (head("200 OK", CHUNKED, "Content-Encoding: gzip"), chunk(GZIP[:200])), GZIP[:200], "truncated", False
    ),
    "gzip-only-said": Script(chunked(*EVENTS, fields=("Content-Encoding: gzip",)), ANSWER, events=len(EVENTS)),
    "redirect": Script((length(b"moved", None, "307 Temporary Redirect", "Location: /plain"),), b"moved", "http_error"),
    "endless-redirect": Script(
        (length(b"", None, "307 Temporary Redirect", "Location: /endless-redirect"),), b"", "http_error"
    ),
    "401": Script((length(ERROR, None, "401 Unauthorized", kind="application/json"),), ERROR, "http_error"),
    "429": Script((length(ERROR, None, "429 Too Many Requests", "Retry-After: 20"),), ERROR, "http_error"),
    "500": Script((length(HTML, None, "500 Internal Server Error", kind="text/html"),), HTML, "http_error"),
    "error-cut": Script(
        (length(HTML[:30], len(HTML), "502 Bad Gateway", kind="text/html"),), HTML[:30], "http_error", False
    ),
    "http-1.0": Script((head(version="HTTP/1.0"), *EVENTS), ANSWER, terminator=None, events=len(EVENTS)),
    "close-delimited": Script((head("200 OK", "Connection: close"), *EVENTS), ANSWER, terminator=None),
    "close-delimited-cut": Script((head("200 OK", "Connection: close"), CUT), CUT, "eof", None),
    "trailers": Script(
        (*chunked(*EVENTS)[:-1], b"0\r\nX-Checksum: abc\r\nServer-Timing: total;dur=5\r\n\r\n"),
        ANSWER,
        trailers=(("X-Checksum", "abc"), ("Server-Timing", "total;dur=5")),
    ),
    "trailers-bytewise": Script(
        (*chunked(*EVENTS)[:-1], *bytewise(b"0;last\r\nX-Checksum: abc\r\n\r\n")),
        ANSWER,
        trailers=(("X-Checksum", "abc"),),
    ),
    "like-trailers": Script(
        chunked(b": 0\r\n", b"\r\n0\r\nX-Not: a trailer\r\n", b"0\r\n", ANSWER),
        b": 0\r\n\r\n0\r\nX-Not: a trailer\r\n0\r\n" + ANSWER,
    ),
    "100-continue": Script(
        (b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\n\r\n", *chunked(ANSWER)), ANSWER
    ),
    "slow-head": Script((*bytewise(head("200 OK", CHUNKED)), chunk(ANSWER), LAST), ANSWER),
    "chunk-extensions": Script((head("200 OK", CHUNKED), b"%x;a=b\r\n%s\r\n" % (len(ANSWER), ANSWER), LAST), ANSWER),
    "not-utf-8": Script(chunked(b"data: \xff\xfe\n\n", ANSWER), b"data: \xff\xfe\n\n" + ANSWER),
    "nul-and-controls": Script(chunked(b": \x00\x1b[31m\n\n", ANSWER), b": \x00\x1b[31m\n\n" + ANSWER),
    "after-done": Script(chunked(ANSWER, b"data: {}\n\n", b": late\n\n"), ANSWER + b"data: {}\n\n: late\n\n"),
    "empty": Script((length(b""),), b"", "eof"),
    "no-content": Script((head("204 No Content"),), b"", "eof", None),
    "bytes-after-the-end": Script((length(ANSWER), b"HTTP/1.1 500 smuggled\r\n\r\n"), ANSWER),
}
"""Behaviours that end of their own accord, by name: the path that asks for one."""

WAITING: dict[str, Script] = {
    "stall": Script((head("200 OK", CHUNKED), chunk(CUT), GATE), CUT),
    "stall-in-a-line": Script((head("200 OK", CHUNKED), chunk(CUT + EVENTS[-2][:40]), GATE), CUT + EVENTS[-2][:40]),
    "no-head": Script((GATE,), b""),
    "open-after-done": Script((head("200 OK", CHUNKED), chunk(ANSWER), GATE), ANSWER),
}
"""Behaviours that wait for the gate, or for the client to leave."""


class Server:
    """Answers on 127.0.0.1 in a thread of its own; `requests` is what it was asked, `left` tells that a client went."""

    def __init__(
        self, tls: ssl.SSLContext | None = None, scripts: Callable[[str], Iterable[Step]] | None = None
    ) -> None:
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.gate = threading.Event()
        self.left = threading.Event()
        self.port = 0
        self._tls = tls
        self._scripts = scripts or (lambda path: (SCRIPTS.get(path) or WAITING[path]).steps)
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._over: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),), daemon=True)

    @property
    def url(self) -> str:
        return f"http{'s' if self._tls else ''}://127.0.0.1:{self.port}"

    def __enter__(self) -> Server:
        self._thread.start()
        assert self._ready.wait(30)
        return self

    def __exit__(self, *_: object) -> None:
        self.gate.set()
        assert self._over is not None
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(30)
        self._loop.close()

    async def _serve(self) -> None:
        self._over = asyncio.Event()
        server = await asyncio.start_server(self._guard, "127.0.0.1", 0, ssl=self._tls)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._over.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _guard(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._answer(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            self.left.set()
        finally:
            writer.close()
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.readexactly(1)
        if first == b"\x16":  # TLS, where none is spoken
            writer.write(head("400 Bad Request", "Content-Length: 0"))
            await writer.drain()
            return
        lines = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:-2])
        body = await reader.readexactly(int(fields.get("content-length", 0)))
        path = lines[0].split(" ")[1]
        self.requests.append((lines[0], fields, body))
        connection = writer.get_extra_info("socket")
        if connection is not None and not self._tls:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for step in self._scripts(path.split("?")[0].strip("/")):
            if step is GATE:
                await self._wait(reader)
            elif step is RESET:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()
                return
            else:
                assert isinstance(step, bytes)
                writer.write(step)
                await writer.drain()
                # Lets the other side read before the next piece is there, as a rule.
                await asyncio.sleep(0)

    async def _wait(self, reader: asyncio.StreamReader) -> None:
        """Until the gate opens, or the client leaves."""
        opened = asyncio.ensure_future(asyncio.get_running_loop().run_in_executor(None, self.gate.wait))
        gone = asyncio.ensure_future(reader.read(1))
        done, _ = await asyncio.wait({opened, gone}, return_when=asyncio.FIRST_COMPLETED)
        if gone in done:
            self.left.set()
            raise ConnectionResetError
        gone.cancel()
