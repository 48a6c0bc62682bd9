"""A SOCKS 5 proxy is gone through, and one that fails is told, without a key or a password."""

from __future__ import annotations

import importlib.util
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from inspector_app.live import wire
from inspector_app.live.capture import Conditions
from inspector_app.live.running import End
from tests.live.server import ANSWER, Server
from tests.live.streams import start, until

GREETED, ASKS_PASSWORD, LET_IN = b"\x05\x00", b"\x05\x02", b"\x01\x00"
CONNECTED = b"\x05\x00\x00\x01" + bytes(6)
PASSWORD = "canary-0123456789abcdef"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


class Proxy:
    """Answers each thing it is told with the next of `answers`, then joins the client to the server that it asked for.
    An answer that is None is silence.
    """

    def __init__(self, *answers: bytes | None) -> None:
        self.told: list[bytes] = []
        self._answers = answers
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Proxy:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._listening.close()
        self._thread.join(20)

    def _serve(self) -> None:
        client, _ = self._listening.accept()
        with client:
            for answer in self._answers:
                self.told.append(client.recv(4096))
                if answer is None:
                    self._over.wait(20)
                    return
                client.sendall(answer)
            asked = self.told[-1]
            if self._answers[-1] != CONNECTED:
                return
            with socket.create_connection(("127.0.0.1", int.from_bytes(asked[8:10], "big"))) as far:
                back = threading.Thread(target=pump, args=(far, client), daemon=True)
                back.start()
                pump(client, far)
                back.join(20)


def pump(source: socket.socket, target: socket.socket) -> None:
    """Hands over all that comes, and the end."""
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # One side went first.


def asked_through(proxy: Proxy, url: str, user: str = "", scheme: str = "socks5") -> list[Any]:
    return until(start(url, None, Conditions(proxy=f"{scheme}://{user}127.0.0.1:{proxy.port}")), [], 1 << 62)


@pytest.mark.parametrize("scheme", ["socks5", "socks5h"])
@pytest.mark.parametrize("user, answers", [
    ("", (GREETED, CONNECTED)), (f"me:{PASSWORD}@", (ASKS_PASSWORD, LET_IN, CONNECTED)),
])  # fmt: skip
def test_it_is_gone_through(server: Server, scheme: str, user: str, answers: tuple[bytes, ...]) -> None:
    with Proxy(*answers) as proxy:
        items = asked_through(proxy, f"{server.url}/plain", user, scheme)
    assert items[-1].how == "done"
    assert b"".join(item.data for item in items if hasattr(item, "data")) == ANSWER
    assert proxy.told[-1][-2:] == server.port.to_bytes(2, "big")
    assert bool(user) is any(PASSWORD.encode() in told for told in proxy.told)
    assert server.requests[0][0] == "POST /plain HTTP/1.1"


@pytest.mark.parametrize("answers, words", [
    ((GREETED, b"\x05\x05" + CONNECTED[2:]), "the proxy refused: Proxy Server could not connect: Connection refused."),
    ((b"\x05\xff",), "the proxy refused: Requested NO AUTHENTICATION REQUIRED from proxy server"),
    ((b"HTTP/1.1 400 Bad Request\r\n\r\n",), "the proxy refused: it does not speak SOCKS 5"),
    ((b"",), "the proxy refused: it does not speak SOCKS 5"),
    ((None,), "the proxy refused: it does not answer"),
])  # fmt: skip
def test_one_that_fails_is_told(
    server: Server, answers: tuple[bytes | None, ...], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "GREETING_S", 0.05)
    with Proxy(*answers) as proxy:
        end = asked_through(proxy, f"{server.url}/plain")[-1]
    assert isinstance(end, End)
    assert (end.how, server.requests) == ("connect_error", [])
    assert (end.detail or "").startswith(words)


def test_without_its_package_a_line_says_what_to_install(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == "socksio" else usual(name))
    end = until(start(f"{server.url}/plain", None, Conditions(proxy="socks5://127.0.0.1:1")), [], 1)[-1]
    assert end[5].endswith(": a SOCKS proxy needs one more package: pip install 'stream-inspector[socks]'")
    assert server.requests == []
