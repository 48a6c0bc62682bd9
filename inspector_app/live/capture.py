"""One exchange over the network, as it happens: the head, every read with its time, and how it ended.

Knows nothing of threads, files or Qt: `put` gets each item the moment it is there, what one read of the socket brought
as one list. `running.py` runs it in a thread
of its own, since a busy interface thread would falsify the times.
"""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import perf_counter_ns
from typing import NamedTuple

import httpcore
import httpx

from inspector_app.core.redact import redact_text
from inspector_app.core.types import Http
from inspector_app.live.body import after_head, pieces_of
from inspector_app.live.ends import end_of, instead_of_head, is_head_too_long
from inspector_app.live.providers import IDLE_S, Provider
from inspector_app.live.request import Outgoing
from inspector_app.live.sockets import Connections
from inspector_app.live.wire import HANDSHAKE_S, CaptureRefused, Tap, Wire, proxy_for

CONNECT_S = 10.0
"""Seconds that a server, or a proxy, may take to accept a connection."""

_TRANSPORT = (
    CaptureRefused,
    httpx.TransportError,
    httpx.TooManyRedirects,
    httpx.InvalidURL,
    httpcore.NetworkError,
    httpcore.TimeoutException,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
    OSError,
)
"""What the layers below raise of their own."""

HTTP2 = importlib.util.find_spec("h2") is not None


@dataclass(frozen=True, slots=True)
class Conditions:
    """How to connect. `idle_s`: seconds without a byte after which the stream counts as dead; `proxy` is a URL."""

    idle_s: float = IDLE_S
    ca_file: str = ""
    proxy: str = ""
    http2: bool = HTTP2
    redirects: bool = False
    many: bool = False
    """Whether it is one of many at once, in one thread (sockets.py)."""


def conditions_of(provider: Provider, *, redirects: bool = False) -> Conditions:
    """What a provider's entry says about the connection."""
    return Conditions(provider.timeout_idle_s, provider.ca_file, provider.proxy, redirects=redirects)


class Sent(NamedTuple):
    """The request goes out. `at` is time zero of everything that follows, on the clock of `perf_counter_ns`."""

    at: int


class Head(NamedTuple):
    """The response head. `t` here and below: ns since the request was sent, taken when the socket was read."""

    t: int
    http: Http
    reason: bytes = b""
    """The words after the status."""
    whole: bool = True
    """Whether it had its end; else it is what came of it."""


class Read(NamedTuple):
    """Bytes of the body, after transfer coding and before content coding. Never empty.

    Pieces of one HTTP chunk each; several that one read of the socket brought have the same time.
    """

    t: int
    data: bytes


class End(NamedTuple):
    """How it ended, in the words of the recording format (contract.md section 4). Always the last item."""

    t: int
    how: str
    terminator: bool | None = None
    closed_by: str = "server"
    trailers: tuple[tuple[str, str], ...] = ()
    detail: str | None = None
    masked: tuple[tuple[int, int], ...] = ()
    """Where a secret of the request stood in the body: [start, end), before content coding is undone."""


async def capture(
    request: Outgoing,
    put: Callable[[Sent | Head | list[Read]], None],
    conditions: Conditions,
    read_clock: Callable[[], int] = perf_counter_ns,
    room: Callable[[], Awaitable[object] | None] = lambda: None,
) -> End:
    """Send a request and hand over what comes back; the end comes back as the result, whatever happens.

    A body that ended is `eof` here: whether its last bytes were the dialect's end is for a reader to say. Cancel the
    task once, and await it: that is an end too. Raises only what `put` raises. `read_clock` is for a loop that knows
    better than the clock when the bytes of a read were there. `room` says what to wait for
    while whoever gets the reads can take no more.
    """
    return await _Capture(request, put, conditions, read_clock, room).run()


class _Capture:
    def __init__(
        self,
        request: Outgoing,
        put: Callable[[Sent | Head | list[Read]], None],
        conditions: Conditions,
        read_clock: Callable[[], int],
        room: Callable[[], Awaitable[object] | None],
    ) -> None:
        self._request = request
        self._put = put
        self._conditions = conditions
        self._room = room
        self._tap = Tap(lambda at: put(Sent(at)), read_clock, self._hand_over)
        self._reads: list[Read] = []
        """What has come and is not handed over."""
        self._http: Http | None = None
        self._over = 0
        self._redirected = ""

    async def run(self) -> End:
        started = perf_counter_ns()
        terminator: bool | None = None
        closed_by = "server"
        try:
            await self._talk()
        except asyncio.CancelledError:
            how, detail, closed_by = "cancelled", "", "client"
        except _TRANSPORT as error:
            headed = self._http is not None
            connected = bool(self._tap.sent_at)
            how, detail = end_of(error, connected=connected, idle_s=self._conditions.idle_s, headed=headed)
            refused = isinstance(error, CaptureRefused)
            if not connected and not refused and (proxy := proxy_for(self._request.url, self._conditions.proxy)):
                detail += f" (through the proxy {redact_text(proxy)})"
            if not headed and is_head_too_long(error) and (head := self._tap.unfinished_head()):
                self._http = Http(*head)
                self._put(Head(self._since(), self._http, whole=False))
            elif connected and not headed and how in ("truncated", "reset", "timeout"):
                detail = instead_of_head(bytes(self._tap.head or b""), detail, self._request.secrets)
            closed_by = "client" if how == "timeout" else "server"
            terminator = False if how in ("truncated", "reset") and self._http is not None else None
        else:
            how, detail, terminator = "eof", "", self._terminator()
        if self._http is not None and how != "cancelled" and not 200 <= self._http.status < 300:
            how, detail = "http_error", "; ".join(filter(None, [f"HTTP {self._http.status}", detail]))
        t = (self._over or perf_counter_ns()) - (self._tap.sent_at or started)
        trailers = tuple(self._tap.trailers()) if terminator else ()
        return End(t, how, terminator, closed_by, trailers, "; ".join(filter(None, [detail, self._redirected])) or None)

    async def _talk(self) -> None:
        conditions, asked = self._conditions, self._request
        timeout = httpx.Timeout(conditions.idle_s, connect=CONNECT_S)
        request = httpx.Request(
            asked.method,
            asked.url,
            headers=[(name.encode("latin-1"), value.encode("latin-1")) for name, value in asked.headers],
            content=asked.body,
            extensions={"timeout": timeout.as_dict()},
        )
        proxy = proxy_for(asked.url, conditions.proxy)
        # A redirect may lead from http to https.
        secure = request.url.scheme == "https" or conditions.redirects or bool(conditions.ca_file)
        wire = Wire(
            self._tap,
            secure=secure,
            ca_file=conditions.ca_file,
            proxy=proxy,
            http2=conditions.http2,
            handshake_s=min(conditions.idle_s, HANDSHAKE_S),
            inner=Connections() if conditions.many else None,
        )
        async with httpx.AsyncClient(transport=wire, trust_env=False) as client:
            answer = await client.send(request, stream=True, follow_redirects=conditions.redirects)
            try:
                start = after_head(bytes(self._tap.head or b""))
                self._take_head(answer)
                old = answer.extensions.get("http_version") in (b"HTTP/1.1", b"HTTP/1.0")
                async for piece in pieces_of(answer, start) if old else answer.aiter_raw():
                    self._reads.append(Read(self._since(), piece))
                    if (wait := self._room()) is not None:
                        self._hand_over()
                        await wait
            finally:
                self._over = perf_counter_ns()
                try:
                    self._hand_over()
                finally:
                    await answer.aclose()

    def _hand_over(self) -> None:
        """Before the socket is read again, and at the end: each hand-over costs a busy window's process its turn."""
        if self._reads:
            reads, self._reads = self._reads, []
            self._put(reads)

    def _since(self) -> int:
        return self._tap.read_at - self._tap.sent_at

    def _take_head(self, answer: httpx.Response) -> None:
        self._tap.head = None
        version = answer.extensions.get("http_version", b"HTTP/1.1").decode("ascii", "replace")
        fields = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in answer.headers.raw]
        self._http = Http(answer.status_code, fields, version)
        if answer.history:
            self._redirected = f"redirected to {answer.url}"
        self._put(Head(self._since(), self._http, answer.extensions.get("reason_phrase", b"")))

    def _terminator(self) -> bool | None:
        """Whether the end of a body that ended could be told from a connection that broke."""
        assert self._http is not None
        framed = self._http.header("transfer-encoding") or self._http.header("content-length")
        return True if framed or self._http.version.startswith("HTTP/2") else None
