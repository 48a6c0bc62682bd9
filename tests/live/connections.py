"""Servers and proxies to which no request gets, or not as it should, each at a port of its own."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import h2.config
import h2.connection
import trustme

from tests.live.server import EVENTS, Server, head
from tests.live.streams import PATIENCE_S


@dataclass(frozen=True)
class Route:
    """Where to ask, and how: what a provider's entry says of the connection."""

    base_url: str
    ca_file: str = ""
    proxy: str = ""
    idle_s: float = PATIENCE_S


Make = Callable[[Path], AbstractContextManager[Route]]
AUTHORITY = trustme.CA(organization_name="Example Authority")
LONG_AGO = datetime(2020, 1, 2, tzinfo=UTC)


@contextmanager
def raw(answer: Callable[[socket.socket], object]) -> Iterator[int]:
    """A port at which one connection after another is handed to `answer`; it is closed after that."""
    listener = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def serve() -> None:
        while not over.is_set():
            with contextlib.suppress(OSError):
                connection, _ = listener.accept()
                with connection:
                    connection.settimeout(PATIENCE_S)
                    answer(connection)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        over.set()
        with contextlib.suppress(OSError):
            socket.create_connection(listener.getsockname(), 1).close()
        listener.close()
        thread.join(PATIENCE_S)


def until_it_leaves(connection: socket.socket) -> None:
    while connection.recv(1 << 16):
        pass


def certified(*names: str, until: datetime | None = None, itself: bool = False) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if itself:
        lone = trustme.CA(organization_name="Example Authority")
        with lone.private_key_pem.tempfile() as key, lone.cert_pem.tempfile() as chain:
            context.load_cert_chain(chain, key)
        return context
    since = until and datetime(2019, 12, 1, tzinfo=UTC)
    AUTHORITY.issue_cert(*names, not_before=since, not_after=until).configure_cert(context)
    return context


def ca_file(folder: Path) -> str:
    path = folder / "ca.pem"
    AUTHORITY.cert_pem.write_to_path(str(path))
    return str(path)


@contextmanager
def refused(folder: Path) -> Iterator[Route]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield Route(f"http://127.0.0.1:{taken.getsockname()[1]}")


@contextmanager
def no_such_name(folder: Path) -> Iterator[Route]:
    yield Route("https://canary.invalid/v1")


@contextmanager
def silent_tls(folder: Path) -> Iterator[Route]:
    with raw(until_it_leaves) as port:
        yield Route(f"https://127.0.0.1:{port}", idle_s=0.3)


@contextmanager
def hangs_up_at_tls(folder: Path) -> Iterator[Route]:
    with raw(lambda connection: connection.recv(1)) as port:
        yield Route(f"https://127.0.0.1:{port}")


@contextmanager
def plain_behind_https(folder: Path) -> Iterator[Route]:
    with Server() as server:
        yield Route(f"https://127.0.0.1:{server.port}")


@contextmanager
def tls_behind_http(folder: Path) -> Iterator[Route]:
    with Server(certified("127.0.0.1")) as server:
        yield Route(f"http://127.0.0.1:{server.port}")


def certificate(context: Callable[[], ssl.SSLContext], known: bool = True) -> Make:
    @contextmanager
    def make(folder: Path) -> Iterator[Route]:
        with Server(context()) as server:
            yield Route(f"https://127.0.0.1:{server.port}", ca_file(folder) if known else "")

    return make


@contextmanager
def no_ca_file(folder: Path) -> Iterator[Route]:
    with Server(certified("127.0.0.1")) as server:
        yield Route(f"https://127.0.0.1:{server.port}", str(folder / "nowhere.pem"))


@contextmanager
def no_proxy(folder: Path) -> Iterator[Route]:
    with refused(folder) as away:
        yield Route("https://llm.example.com/v1", proxy=away.base_url)


def proxy(status: str, *fields: str, base_url: str = "https://llm.example.com/v1") -> Make:
    @contextmanager
    def make(folder: Path) -> Iterator[Route]:
        with Server(scripts=lambda path: [head(status, "Content-Length: 0", *fields)]) as server:
            yield Route(base_url, proxy=server.url)

    return make


@contextmanager
def silent_proxy(folder: Path) -> Iterator[Route]:
    with raw(until_it_leaves) as port:
        yield Route("https://llm.example.com/v1", proxy=f"http://127.0.0.1:{port}", idle_s=0.3)


def http2(*, events: int, code: int = 2, goes_away: bool = False) -> Make:
    """A server that speaks HTTP/2, sends so many events, then resets the stream or ends the connection."""

    def answer(plain: socket.socket) -> None:
        context = certified("127.0.0.1")
        context.set_alpn_protocols(["h2"])
        with context.wrap_socket(plain, server_side=True) as connection:
            state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
            state.initiate_connection()
            connection.sendall(state.data_to_send())
            asked = False
            while not asked:
                asked = any(type(one).__name__ == "StreamEnded" for one in state.receive_data(connection.recv(65536)))
            if events:
                state.send_headers(1, [(":status", "200"), ("content-type", "text/event-stream")])
            for piece in EVENTS[:events]:
                state.send_data(1, piece)
                connection.sendall(state.data_to_send())
            if goes_away:
                state.close_connection(error_code=code)
            else:
                state.reset_stream(1, error_code=code)
            connection.sendall(state.data_to_send())
            until_it_leaves(connection)

    @contextmanager
    def make(folder: Path) -> Iterator[Route]:
        with raw(answer) as port:
            yield Route(f"https://127.0.0.1:{port}", ca_file(folder))

    return make
