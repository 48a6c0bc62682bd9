"""The connection under a capture: httpx above, sockets below, and a tap between them that notes what each read was.

httpx says neither when the bytes of a piece came in, nor which trailers closed them: the tap does.
"""

from __future__ import annotations

import importlib.util
import logging
import re
import ssl
import threading
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter_ns
from typing import Any

import certifi
import httpcore
import httpx

from inspector_app.live.provider_checks import PROXIES

for _name in ("httpx", "httpcore", "hpack", "h2"):
    # At the level of debugging these write header fields and URLs, keys included, to whoever listens.
    logging.getLogger(_name).setLevel(logging.CRITICAL + 1)

TAIL = 1 << 14
"""Bytes of the connection that are kept to look for trailers in: more header fields than that no reader takes."""

_TRAILERS = re.compile(rb"(?:\A|\r\n)0+[ \t]*(?:;[^\r\n]*)?\r\n((?:[!-9;-~]+:[^\r\n]*\r?\n)*)\r?\n\Z")
GREETING_S = 10.0
"""Seconds that a read may take for which httpcore sets no limit: those of the greeting of a SOCKS proxy."""
HANDSHAKE_S = 30.0
"""Seconds that a TLS handshake may take at most, also where an answer may take as long as it likes."""
HEAD = 1 << 17
"""Bytes that are kept of an answer until its head is whole."""
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})(?: [^\r\n]*)?")
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class CaptureRefused(Exception):
    """A connection that cannot be tried as it was asked for: one line, what and why."""


class Tap:
    """What went over the connection, in `perf_counter_ns`.

    `on_sent` is told when the request begins to be sent; `read_clock` says, when a read has returned, since when its
    bytes were there; `on_wait` is told before more is read, when all that was read has been passed on.
    """

    def __init__(
        self,
        on_sent: Callable[[int], None],
        read_clock: Callable[[], int] = perf_counter_ns,
        on_wait: Callable[[], None] = lambda: None,
    ) -> None:
        self._on_sent = on_sent
        self._read_clock = read_clock
        self.on_wait = on_wait
        self.sent_at = 0
        """When the first request began to be sent, 0 before that."""
        self.read_at = 0
        """When the bytes of the last read were there."""
        self.tail = b""
        """The last bytes read, transfer coding and all."""
        self.head: bytearray | None = None
        """The first bytes of the answer, until somebody says with None that its head is there."""

    async def trace(self, name: str, info: dict[str, Any]) -> None:
        """What httpcore tells of its steps (its `trace` extension)."""
        # A CONNECT through a proxy is not yet the request.
        if not name.endswith(".send_request_headers.started"):
            return
        # Frames of HTTP/2 are no head that anybody can read here.
        self.head = None if name.startswith("http2") else bytearray()
        if not self.sent_at and info["request"].method != b"CONNECT":
            self.sent_at = perf_counter_ns()
            self._on_sent(self.sent_at)

    def took(self, data: bytes) -> None:
        """One read returned."""
        if data:
            self.read_at = self._read_clock()
            self.tail = data[-TAIL:] if len(data) >= TAIL else (self.tail + data)[-TAIL:]
            if self.head is not None and len(self.head) < HEAD:
                self.head += data

    def unfinished_head(self) -> tuple[int, list[tuple[str, str]]] | None:
        """Status and fields of a head that has no end, as far as it came; None where no status line did."""
        status, *lines = re.split(rb"\r?\n", bytes(self.head or b""))
        found = _STATUS.fullmatch(status)
        pairs = (line.decode("latin-1").partition(":") for line in lines if b":" in line)
        return (int(found[1]), [(name, value.strip()) for name, _, value in pairs]) if found else None

    def trailers(self) -> list[tuple[str, str]]:
        """The header fields after the last chunk of a chunked body that has ended."""
        found = _TRAILERS.search(self.tail)
        lines = found[1].splitlines() if found else []
        pairs = (line.decode("latin-1").partition(":") for line in lines)
        return [(name, value.strip()) for name, _, value in pairs]


class _Stream(httpcore.AsyncNetworkStream):
    def __init__(self, inner: httpcore.AsyncNetworkStream, tap: Tap, handshake_s: float) -> None:
        self._inner = inner
        self._tap = tap
        self._handshake_s = handshake_s

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self._tap.on_wait()
        data = await self._inner.read(max_bytes, GREETING_S if timeout is None else timeout)
        self._tap.took(data)
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        # httpcore would give it the time of the TCP connection; a server that says nothing is one that is silent.
        made = await self._inner.start_tls(ssl_context, server_hostname, self._handshake_s)
        return _Stream(made, self._tap, self._handshake_s)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Backend(httpcore.AsyncNetworkBackend):
    def __init__(self, tap: Tap, handshake_s: float, inner: httpcore.AsyncNetworkBackend) -> None:
        self._inner = inner
        self._tap = tap
        self._handshake_s = handshake_s
        self.opened: list[httpcore.AsyncNetworkStream] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        plain = await self._inner.connect_tcp(host, port, timeout, local_address, socket_options)
        made = _Stream(plain, self._tap, self._handshake_s)
        self.opened.append(made)
        return made

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


class _Body(httpx.AsyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


class Wire(httpx.AsyncBaseTransport):
    """A transport of httpx with one connection, tapped. Errors are those of httpcore.

    `secure`: there may be TLS; to load whom to believe takes a while. `proxy` is a URL (`PROXIES`), empty for
    none; `http2` offers HTTP/2 to a server with TLS; a TLS handshake may take `handshake_s` seconds.
    `inner` makes the connections, by default those of anyio.
    """

    def __init__(
        self,
        tap: Tap,
        *,
        secure: bool = True,
        ca_file: str = "",
        proxy: str = "",
        http2: bool = True,
        handshake_s: float = GREETING_S,
        inner: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        """Raises CaptureRefused for a CA file that cannot be read, or a proxy of another kind."""
        self._tap = tap
        self._socks = proxy.startswith("socks")
        self._backend = _Backend(tap, handshake_s, inner or httpcore.AnyIOBackend())
        self._pool = httpcore.AsyncConnectionPool(
            trust(ca_file) if secure else None,
            proxy=_proxy(proxy, ca_file) if proxy else None,
            max_connections=1,
            max_keepalive_connections=0,
            http2=http2,
            network_backend=self._backend,
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        asked = httpcore.Request(
            request.method,
            target,
            headers=request.headers.raw,
            content=request.stream,
            extensions={**request.extensions, "trace": self._tap.trace},
        )
        try:
            answer = await self._pool.handle_async_request(asked)
        except Exception as error:
            if self._socks and not self._tap.sent_at and (why := _no_socks(error)):
                raise httpcore.ProxyError(why) from error
            raise
        return httpx.Response(
            answer.status, headers=answer.headers, stream=_Body(answer.stream), extensions=answer.extensions
        )

    async def aclose(self) -> None:
        await self._pool.aclose()
        if self._socks and not self._tap.sent_at:
            # Where its greeting fails, nobody else closes the connection to a SOCKS proxy.
            for stream in self._backend.opened:
                await stream.aclose()


def _proxy(url: str, ca_file: str) -> httpcore.Proxy:
    try:
        given = httpx.Proxy(url)
    except (ValueError, httpx.InvalidURL):
        given = None
    if given is None or given.url.scheme not in PROXIES:
        raise CaptureRefused("the proxy must be a URL that begins with http://, https:// or socks5://")
    if given.url.scheme.startswith("socks") and importlib.util.find_spec("socksio") is None:
        raise CaptureRefused("a SOCKS proxy needs one more package: pip install 'stream-inspector[socks]'")
    parts = given.url
    target = httpcore.URL(scheme=parts.raw_scheme, host=parts.raw_host, port=parts.port, target=parts.raw_path)
    context = trust(ca_file) if parts.scheme == "https" else None
    return httpcore.Proxy(target, auth=given.raw_auth, headers=given.headers.raw, ssl_context=context)


def _no_socks(error: Exception) -> str:
    """What is wrong where the greeting of a SOCKS proxy failed; empty where the error says it by itself."""
    if isinstance(error, httpcore.ReadTimeout):
        return "it does not answer"
    own = isinstance(error, httpcore.NetworkError | httpcore.ProxyError | httpcore.TimeoutException | OSError)
    return "" if own or type(error).__module__.startswith(("httpcore", "ssl")) else "it does not speak SOCKS 5"


def trust(ca_file: str = "") -> ssl.SSLContext:
    """Whom to believe: the authorities of this system (where it has none, those of Mozilla) and those in `ca_file`.

    Raises CaptureRefused when that file is not there or holds no certificate.
    """
    context = ssl.create_default_context()
    if not context.cert_store_stats()["x509_ca"]:
        context.load_verify_locations(certifi.where())
    if ca_file:
        try:
            context.load_verify_locations(ca_file)
        except ssl.SSLError:
            raise CaptureRefused(f"the CA file {ca_file} holds no certificate in PEM form") from None
        except OSError as error:
            raise CaptureRefused(f"the CA file {ca_file} cannot be read: {error.strerror or error}") from None
    return context


def proxy_for(url: str, configured: str) -> str:
    """The proxy to go through: the provider's own, else that of the environment, which never stands before loopback."""
    if configured:
        return configured
    parts = httpx.URL(url)
    if parts.host in LOOPBACK or urllib.request.proxy_bypass(parts.host):
        return ""
    known = urllib.request.getproxies()
    return known.get(parts.scheme) or known.get("all") or ""


class DaemonThreads(ThreadPoolExecutor):
    """Runs each call in a daemon thread: a name server that does not answer holds up neither a cancel nor the exit."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:
                future.set_exception(error)

        threading.Thread(target=work, name="name lookup", daemon=True).start()
        return future
