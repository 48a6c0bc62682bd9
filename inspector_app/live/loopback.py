"""What a server of ours on this machine takes for a request: read strictly, and from no web page (see security.md).

A page in a browser can reach 127.0.0.1 too, under its own name (DNS rebinding) or across origins: so Host is exactly
ours, and an Origin that is not ours is refused. Requests that two readers may read in two ways are refused as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import h11

from inspector_app.core.redact import redact_text
from inspector_app.core.text import clip, visible
from inspector_app.live.http_words import in_words

ADDRESS = "127.0.0.1"
HEAD_LIMIT = 1 << 16
"""Bytes of the head of a request."""
BODY_LIMIT = 64 << 20
"""Bytes of the body of a request: prompts with pictures are long."""


class Request(NamedTuple):
    """One request as it came. `target` is path and query; names of header fields are in lower case, as h11 gives them.

    `keeps` is True where the client may send another one on the same connection; `sent` are the header fields with
    their names as they were sent.
    """

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    version: str = "1.1"
    keeps: bool = True
    sent: tuple[tuple[str, str], ...] = ()

    def header(self, name: str) -> str | None:
        """The first value of a header field, by its name in lower case."""
        return next((value for key, value in self.headers if key == name), None)


class Refusal(NamedTuple):
    """A request that is not answered: the status to say, and why in one line."""

    status: int
    why: str


TWO_LENGTHS = Refusal(400, "the request says in two ways how long it is")
TOO_LONG = Refusal(413, f"the body of the request is longer than {BODY_LIMIT} bytes")
BARE_LF = Refusal(400, "a line of the request does not end with CR LF")
TLS = b"\x16"
"""How a handshake of TLS begins, and no request."""
SHOWN = 40
"""Characters of the name of a header field that are shown."""


def hosts_of(port: int) -> tuple[str, ...]:
    """The values of Host under which a server of ours on a port may be asked."""
    names = (ADDRESS, "localhost", "[::1]")
    bare = names if port == 80 else ()
    return (*(f"{name}:{port}" for name in names), *bare)


def refusal_of(method: str, target: str, headers: tuple[tuple[str, str], ...], port: int) -> Refusal | None:
    """Why a request to a server of ours on `port` is not answered; None where it may be. Names are in lower case."""
    hosts = hosts_of(port)
    named = [value for name, value in headers if name == "host"]
    if method == "PRI":
        return Refusal(505, "the client speaks HTTP/2 at once, which is not spoken here: set it to HTTP/1.1")
    if method == "CONNECT" or not target.startswith("/"):
        return Refusal(400, "this server is no proxy: ask for a path, not for another server")
    if len(named) != 1 or named[0].lower() not in hosts:
        return Refusal(403, f"the Host of the request must be one of {', '.join(hosts)}")
    pages = {f"http://{host}" for host in hosts}
    for name, value in headers:
        if name == "origin" and value.lower() not in pages:
            return Refusal(403, "pages of other origins are not answered")
        if name == "sec-fetch-site" and value.lower() not in ("none", "same-origin"):
            return Refusal(403, "pages of other origins are not answered")
    lengths = [value for name, value in headers if name == "content-length"]
    if len(lengths) > 1 or (lengths and any(name == "transfer-encoding" for name, _ in headers)):
        return TWO_LENGTHS
    return None


class RequestReader:
    """Reads the requests of one connection one after another: feed it bytes, take what `requests` gives."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._bytes = bytearray()
        self._size = 0
        self._parser: h11.Connection | None = None
        self._head: h11.Request | None = None
        self._body: list[bytes] = []
        self._chunks: ChunkLines | None = None
        self._over = False

    @property
    def waits(self) -> bool:
        """True where the client wants to be told (100 Continue) before it sends the body."""
        return self._parser is not None and self._parser.they_are_waiting_for_100_continue

    def feed(self, data: bytes) -> None:
        """Bytes of the connection, cut anywhere."""
        self._bytes += data

    def next(self) -> Request | Refusal | None:
        """The next whole request, or why there will be none; None until more bytes are there, and after a refusal."""
        if self._over:
            return None
        found = self._next()
        self._over = isinstance(found, Refusal)
        return found

    def requests(self) -> Iterator[Request | Refusal]:
        """All that are whole by now."""
        while (found := self.next()) is not None:
            yield found

    def _next(self) -> Request | Refusal | None:
        if self._parser is None:
            refusal = self._begin()
            if refusal is not None or self._parser is None:
                return refusal
        elif self._bytes:
            self._parser.receive_data(bytes(self._bytes))
            if self._chunks is not None:
                self._chunks.feed(self._bytes)
            self._bytes.clear()
        if self._chunks is not None and self._chunks.bare:
            return BARE_LF
        try:
            return self._read(self._parser)
        except h11.RemoteProtocolError as error:
            why = in_words(str(error), "request", _shown)
            return Refusal(error.error_status_hint, f"the request is no HTTP: {why}")

    def _begin(self) -> Refusal | None:
        """Hand a head that is whole to the parser, which is more lenient about its lines than it should be."""
        if self._bytes[:1] == TLS:
            return Refusal(400, "the client speaks TLS here: its base URL must begin with http://")
        while self._bytes.startswith(b"\r\n"):
            del self._bytes[:2]
        end = self._bytes.find(b"\r\n\r\n", 0, HEAD_LIMIT)
        lines = bytes(self._bytes[: end if end >= 0 else HEAD_LIMIT]).split(b"\r\n")
        # The last line may still wait for the LF of its end.
        open_line = lines[-1].removesuffix(b"\r") if end < 0 else lines[-1]
        if any(b"\n" in line or b"\r" in line for line in (*lines[:-1], open_line)):
            return BARE_LF
        if any(line[:1] in (b" ", b"\t") for line in lines):
            return Refusal(400, "a header field of the request goes on in the next line")
        # The parser makes one length of two that are equal.
        lengths = [line.partition(b":")[2] for line in lines if line[:15].lower() == b"content-length:"]
        if len(lengths) > 1 or any(b"," in length for length in lengths):
            return TWO_LENGTHS
        if end < 0:
            return Refusal(431, f"the head of the request is longer than {HEAD_LIMIT} bytes") if (
                len(self._bytes) >= HEAD_LIMIT
            ) else None  # fmt: skip
        self._parser = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_LIMIT + 4)
        self._parser.receive_data(bytes(self._bytes))
        self._chunks = None
        if any(line[:18].lower() == b"transfer-encoding:" for line in lines):
            self._chunks = ChunkLines()
            self._chunks.feed(self._bytes[end + 4 :])
        self._bytes.clear()
        self._body, self._size = [], 0
        return None

    def _read(self, parser: h11.Connection) -> Request | Refusal | None:
        while True:
            event = parser.next_event()
            if isinstance(event, h11.Request):
                self._head = event
                if (refusal := refusal_of(*_start(event), self._port)) is not None:
                    return refusal
                # Before the body comes: who announces too much need not send it.
                if any(name == b"content-length" and int(value) > BODY_LIMIT for name, value in event.headers):
                    return TOO_LONG
            elif isinstance(event, h11.Data):
                self._body.append(bytes(event.data))
                self._size += len(event.data)
                if self._size > BODY_LIMIT:
                    return TOO_LONG
            elif isinstance(event, h11.EndOfMessage):
                return self._whole(parser)
            else:
                return None

    def _whole(self, parser: h11.Connection) -> Request:
        assert self._head is not None
        version = self._head.http_version.decode()
        self._bytes[:0] = parser.trailing_data[0]
        self._parser = None
        method, target, headers = _start(self._head)
        words = {word.strip().lower() for name, value in headers if name == "connection" for word in value.split(",")}
        keeps = "close" not in words and version >= "1.1"
        sent = _text(self._head.headers.raw_items())
        return Request(method, target, headers, b"".join(self._body), version, keeps, sent)


class ChunkLines:
    """Whether a line of a chunked body ends with LF alone (`bare`): the parser waits for more, or takes it."""

    def __init__(self) -> None:
        self.bare = False
        self._line = bytearray()
        self._left = 0
        """Bytes of a chunk that are still to come, the CR LF behind it not counted."""
        self._sizes = self._goes_on = True

    def feed(self, data: bytes | bytearray) -> None:
        """Bytes of the body, cut anywhere; what follows on it is left alone."""
        at = 0
        while at < len(data) and self._goes_on:
            if self._left:
                taken = min(self._left, len(data) - at)
                self._left -= taken
                at += taken
                continue
            end = data.find(b"\n", at) + 1
            self._line += data[at : end or len(data)]
            at = end or len(data)
            if end or len(self._line) > HEAD_LIMIT:
                self._take(bytes(self._line))
                self._line.clear()

    def _take(self, line: bytes) -> None:
        self.bare = self.bare or not line.endswith(b"\r\n")
        size = line.partition(b";")[0].strip()
        if self._sizes and size:
            # What is no size the parser refuses.
            self._left = int(size, 16) if re.fullmatch(rb"[0-9A-Fa-f]{1,20}", size) else 0
            self._sizes = self._left > 0
        elif not self._sizes and not size:
            self._goes_on = False
        self._goes_on = self._goes_on and not self.bare


def _start(head: h11.Request) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    return head.method.decode("latin-1"), head.target.decode("latin-1"), _text(head.headers)


def _text(fields: Iterable[tuple[bytes, bytes]]) -> tuple[tuple[str, str], ...]:
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in fields)


def _shown(line: bytes) -> str:
    """What may be shown of a line of a request: the name that it begins with, as what follows may be a key, and so may
    a line of one word.
    """
    found = re.match(rb"([^:=\s]*)[:=\s]", line)
    name = found[1].decode("latin-1") if found else ""
    return f'"{visible(redact_text(clip(name, SHOWN)))} …"'
