"""Answers that the proxy cannot pass on: the client is told in words, and the recording says what came."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path

import orjson
import pytest

from inspector_app.core.types import Exchange
from inspector_app.files import read_input
from inspector_app.live.proxy import Proxy
from inspector_app.live.proxy_rules import Route
from inspector_app.live.proxy_watch import Watch
from tests.live.server import ANSWER, CHUNKED, CUT, GATE, RESET, Server, Step, chunk, head, length
from tests.live.test_proxy import KIT, STUCK_S, Through, asked, body_of, read_until, status_of, talk

LONG = "x" * (300 << 10)

UNREADABLE: dict[str, tuple[tuple[Step, ...], str, str]] = {
    "no status": ((b"HTTP/1.1 abc\r\n\r\n",), "truncated", '"HTTP/1.1 abc" is no status line'),
    "a status below all": ((b"HTTP/1.1 042 x\r\n\r\n",), "truncated", "42 is no status of HTTP"),
    "no field": ((b"HTTP/1.1 200 OK\r\nContent-Type text/x\r\n\r\n",), "truncated", "is no header field"),
    "two lengths": (
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",), "truncated", "how long it is",
    ),
    "a coding that nobody knows": ((head("200 OK", "Transfer-Encoding: gzip, chunked"),), "truncated", "than chunked"),
    "a head too long": (
        (head("200 OK", CHUNKED, f"X-Long: {LONG}"), chunk(b"a")), "truncated", "headers are longer than 100 kB",
    ),
    "an error's head too long": ((head("500 No", f"X-Long: {LONG}"),), "http_error", "headers are longer than 100 kB"),
    "another protocol": ((b"SSH-2.0-OpenSSH\r\n",), "truncated", 'no HTTP: "SSH-2.0-OpenSSH"'),
    "TLS": ((b"\x15\x03\x01\x00\x02\x02\x46",), "truncated", "the server speaks TLS there, and was asked without"),
    "half a head": ((b"HTTP/1.1 200 OK\r\nContent-Ty",), "truncated", "the answer ended within its head"),
    "another protocol wanted": (
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n\x81\x05hello", GATE),
        "truncated",
        "it goes over to another protocol (HTTP 101)",
    ),
    "only an interim head": ((b"HTTP/1.1 103 Early Hints\r\n\r\n",), "truncated", "only HTTP 103 came before"),
}  # fmt: skip
NOTHING: dict[str, tuple[tuple[Step, ...], str]] = {"closed": ((), "end"), "reset": ((GATE, RESET), "reset")}


def through(steps: tuple[Step, ...], folder: Path, method: str = "POST") -> tuple[bytes, str, Exchange, Watch]:
    with Server(scripts=lambda path: steps) as server:
        made = Through(server, folder)
        if steps[:2] == (GATE, RESET):
            server.gate.set()
        wire, end = talk(made.proxy.port, asked("/", made.proxy.port, "Connection: close", method=method))
        exchange = made.next()
        assert exchange.over.wait(STUCK_S)
        watch = Watch(exchange, KIT)
        watch.step()
        made.proxy.stop()
        assert made.proxy.join(STUCK_S)
    (recorded,) = read_input(str(exchange.path))
    return wire, end, recorded, watch


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_answer_that_cannot_be_read_is_a_502_with_words(name: str, tmp_path: Path) -> None:
    steps, how, words = UNREADABLE[name]
    wire, end, recorded, watch = through(steps, tmp_path)
    assert (status_of(wire), end) == (b"502 Bad Gateway", "end")
    said = orjson.loads(body_of(wire))["error"]["message"]
    assert words in said
    assert "\n" not in said
    assert not any(inside in said for inside in ("bytearray", "Error", "b'", 'b"'))
    assert recorded.end is not None
    assert recorded.end["how"] == watch.how == how
    if how == "truncated":
        assert words in recorded.end["detail"]
        assert recorded.http is None or recorded.http.status == 200
    else:
        assert recorded.http is not None
        assert recorded.end["detail"].startswith(f"HTTP {recorded.http.status}")


@pytest.mark.parametrize("name", NOTHING)
def test_where_nothing_came_the_client_sees_the_same_end(name: str, tmp_path: Path) -> None:
    steps, expected = NOTHING[name]
    wire, end, recorded, _ = through(steps, tmp_path)
    assert (wire, end) == (b"", expected)
    assert recorded.http is None


def test_after_a_502_the_connection_goes_on(tmp_path: Path) -> None:
    with Server(scripts=lambda path: (b"SSH-2.0\r\n",)) as server:
        made = Through(server, tmp_path)
        with socket.create_connection(("127.0.0.1", made.proxy.port), STUCK_S) as connection:
            for _ in range(2):
                connection.sendall(asked("/", made.proxy.port))
                assert read_until(connection, lambda wire: wire.endswith(b"}}")).startswith(b"HTTP/1.1 502 ")
        made.proxy.stop()
        assert made.proxy.join(STUCK_S)


def test_no_body_follows_on_the_head_of_a_502_to_head(tmp_path: Path) -> None:
    wire, *_ = through((b"SSH-2.0\r\n",), tmp_path, "HEAD")
    assert wire.startswith(b"HTTP/1.1 502 ")
    assert wire.endswith(b"\r\n\r\n")


@pytest.mark.parametrize(
    "status, fields, words",
    [
        ("304 Not Modified", (), "nothing has changed since it was last asked, so no body comes"),
        ("302 Found", ("Location: /login",), "it redirects to /login, which is not followed"),
        ("302 Found", (), "it redirects, and does not say where"),
    ],
)
def test_what_redirects_or_has_not_changed_is_passed_on_and_told(
    status: str, fields: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    wire, _, _, watch = through((head(status, "Content-Length: 0", *fields),), tmp_path)
    assert status_of(wire) == status.encode()
    assert watch.state == words


@pytest.mark.parametrize(
    "method, answer, state",
    [
        ("POST", length(b'{"object":"chat.completion","choices":[]}', kind="application/json"), "complete"),
        ("HEAD", head("200 OK", "Content-Length: 7"), "complete"),
        ("POST", length(b""), "ended without an end marker"),
        ("POST", length(CUT), "ended without an end marker"),
    ],
)
def test_an_answer_in_one_piece_lacks_no_end_marker(method: str, answer: bytes, state: str, tmp_path: Path) -> None:
    _, _, recorded, watch = through((answer,), tmp_path, method)
    assert recorded.end is not None
    assert (recorded.end["how"], watch.state) == ("eof", state)


def test_a_disk_that_is_full_from_the_start_leaves_no_empty_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("inspector_app.live.recorder.RecordingWriter", full)
    with Server() as server:
        made = Through(server, tmp_path)
        wire, _ = talk(made.proxy.port, asked("/plain", made.proxy.port, "Connection: close"))
        assert body_of(wire) == ANSWER
        assert made.next().over.wait(STUCK_S)
        made.proxy.stop()
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_does_not_answer_the_handshake_is_a_504(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("capture", "ends"):
        monkeypatch.setattr(f"inspector_app.live.{module}.HANDSHAKE_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        proxy = Proxy([Route(f"https://127.0.0.1:{silent.getsockname()[1]}")], tmp_path, KIT)
        proxy.start()
        wire, _ = talk(proxy.port, asked("/", proxy.port, "Connection: close"))
        assert status_of(wire) == b"504 Gateway Timeout"
        assert orjson.loads(body_of(wire))["error"]["message"].endswith(
            "/: the server did not answer the TLS handshake within 0.2 s"
        )
        proxy.stop()
        assert proxy.join(STUCK_S)
