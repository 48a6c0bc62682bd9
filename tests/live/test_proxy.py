"""The recording proxy against servers that behave and misbehave: what the client gets, and what is recorded."""

from __future__ import annotations

import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
import trustme

from inspector_app.core.kit import load_kit
from inspector_app.core.types import Exchange
from inspector_app.files import read_input
from inspector_app.live.capture import End, Read
from inspector_app.live.proxy import Proxy, Refused
from inspector_app.live.proxy_exchange import LEFT, STOPPED, ProxyExchange
from inspector_app.live.proxy_rules import PATIENT, Route
from inspector_app.live.proxy_watch import Watch
from tests.live.server import ANSWER, CUT, EVENTS, GATE, GZIP, SCRIPTS, Server, chunked, head, length

KIT = load_kit()
KEY = "sk-canary-0123456789abcdef"
BODY = orjson.dumps({"model": "some/model", "stream": True, "messages": [{"role": "user", "content": f"it is {KEY}"}]})
STUCK_S = 20


class Through:
    """A server, and a proxy before it."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server, self.folder = server, folder
        self.proxy = Proxy([Route(server.url)], folder, KIT)
        self.proxy.start()

    def next(self) -> ProxyExchange:
        """The exchange that began next."""
        assert self.proxy.wait(STUCK_S)
        [exchange] = self.proxy.take()
        assert isinstance(exchange, ProxyExchange), exchange
        return exchange

    def recorded(self) -> Exchange:
        exchange = self.next()
        assert exchange.over.wait(STUCK_S)
        (found,) = read_input(str(exchange.path))
        return found


@pytest.fixture
def through(tmp_path: Path) -> Iterator[Through]:
    with Server() as server:
        made = Through(server, tmp_path)
        yield made
        made.proxy.stop()
        assert made.proxy.join(STUCK_S)


def asked(path: str, port: int, *fields: str, method: str = "POST", body: bytes = BODY) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Authorization: Bearer {KEY}", *fields]
    lines += [f"Content-Length: {len(body)}"] if body else []
    return "\r\n".join([*lines, "", ""]).encode() + body


def talk(port: int, wire: bytes) -> tuple[bytes, str]:
    """Send, and read until the end: what came, and whether the connection ended with a RST."""
    with socket.create_connection(("127.0.0.1", port), STUCK_S) as connection:
        connection.sendall(wire)
        got = b""
        try:
            while data := connection.recv(1 << 16):
                got += data
        except ConnectionResetError:
            return got, "reset"
        return got, "end"


def read_until(connection: socket.socket, done: Callable[[bytes], bool], wire: bytes = b"") -> bytes:
    """What came, once that is enough; fails where the connection ends before."""
    while not done(wire):
        data = connection.recv(1 << 16)
        assert data, wire
        wire += data
    return wire


def body_of(wire: bytes) -> bytes:
    """The body of an answer, as far as it came."""
    fields, _, rest = wire.partition(b"\r\n\r\n")
    if b"transfer-encoding: chunked" not in fields.lower():
        return rest
    body = b""
    while found := re.match(rb"([0-9a-f]+)(?:;[^\r\n]*)?\r\n", rest, re.IGNORECASE):
        size = int(found[1], 16)
        body += rest[found.end() : found.end() + size]
        rest = rest[found.end() + size + 2 :]
        if not size:
            break
    return body


def status_of(wire: bytes) -> bytes:
    return wire.partition(b"\r\n")[0].partition(b" ")[2]


OTHERWISE = ("no-http", "100-continue", "bytes-after-the-end")
"""What is not passed on: what is no HTTP, interim answers, and what follows on the end of an answer."""


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_client_sees_what_a_direct_connection_shows_and_all_of_it_is_recorded(name: str, through: Through) -> None:
    through.server.gate.set()
    direct, ended = talk(through.server.port, asked(f"/{name}", through.server.port, "Connection: close"))
    wire, end = talk(through.proxy.port, asked(f"/{name}", through.proxy.port, "Connection: close"))
    recorded, script = through.recorded(), SCRIPTS[name]
    if name not in OTHERWISE:
        assert (status_of(wire), body_of(wire), end) == (status_of(direct), body_of(direct), ended)
        assert wire.endswith(b"\r\n0\r\n\r\n") == direct.endswith(b"\r\n0\r\n\r\n")
    assert recorded.end is not None
    assert (recorded.end["how"], recorded.end["terminator"]) == (script.how, script.terminator)
    assert recorded.end["trailers"] == [list(pair) for pair in script.trailers]
    if not name.startswith("gzip"):
        assert recorded.body.slice(0, 1 << 30) == script.body
    assert recorded.source == "proxy"


def test_chunks_and_trailers_are_passed_on_as_they_came(through: Through) -> None:
    wire, _ = talk(through.proxy.port, asked("/trailers", through.proxy.port, "Connection: close"))
    sizes = [int(size, 16) for size in re.findall(rb"(?:^|\r\n)([0-9a-f]+)\r\n(?=data: )", wire)]
    assert sizes == [len(event) for event in EVENTS]
    assert wire.endswith(b"0\r\nX-Checksum: abc\r\nServer-Timing: total;dur=5\r\n\r\n")


def test_each_read_is_there_before_the_next_was_sent(tmp_path: Path) -> None:
    steps = (head("200 OK", "Transfer-Encoding: chunked"), b"5\r\nfirst\r\n", GATE, b"6\r\nsecond\r\n0\r\n\r\n")
    with Server(scripts=lambda path: steps) as server:
        through = Through(server, tmp_path)
        with socket.create_connection(("127.0.0.1", through.proxy.port), STUCK_S) as connection:
            connection.sendall(asked("/", through.proxy.port))
            got = read_until(connection, lambda wire: b"first\r\n" in wire)
            assert not server.gate.is_set()
            exchange = through.next()
            watch = Watch(exchange, KIT)
            # The client has it before anybody else.
            while not watch.bytes:
                watch.step()
            assert (watch.state, watch.bytes) == ("streaming", 5)
            server.gate.set()
            read_until(connection, lambda wire: wire.endswith(b"0\r\n\r\n"), got)
        through.proxy.stop()


def test_the_request_goes_on_as_it_came_and_is_recorded_masked(through: Through) -> None:
    fields = ("X-Stainless-Lang: python", "Accept-Encoding: gzip, br", "Connection: close, X-Hop", "X-Hop: 1",
              "Keep-Alive: 5", "Proxy-Authorization: Basic abc", "Upgrade: h2c", "X-Name: Grün")  # fmt: skip
    talk(through.proxy.port, asked("/gzip?key=AIza-canary-key&alt=sse", through.proxy.port, *fields))
    line, sent, body = through.server.requests[-1]
    assert line == "POST /gzip?key=AIza-canary-key&alt=sse HTTP/1.1"
    assert body == BODY
    assert sent["authorization"] == f"bearer {KEY}".lower()
    assert (sent["accept-encoding"], sent["x-stainless-lang"]) == ("gzip, br", "python")
    assert sent["host"] == f"127.0.0.1:{through.server.port}"
    assert not {"x-hop", "connection", "keep-alive", "proxy-authorization", "upgrade"} & set(sent)
    exchange = through.next()
    assert exchange.over.wait(STUCK_S)
    assert exchange.path is not None
    text = exchange.path.read_text()
    assert KEY not in text
    assert "AIza-canary-key" not in text
    assert re.fullmatch(r"\d{8}-\d{6}-127\.0\.0\.1-\d+-some-model\.rec\.jsonl", exchange.path.name)
    header = orjson.loads(text.splitlines()[0])
    assert header["request"]["body"]["model"] == "some/model"
    assert header["request"]["url"].startswith(f"{through.server.url}/gzip?key=<redacted")
    raw = b"".join(item.data for item in exchange.own.take() if isinstance(item, Read))
    assert raw == GZIP


def test_a_connection_is_used_again(through: Through) -> None:
    with socket.create_connection(("127.0.0.1", through.proxy.port), STUCK_S) as connection:
        for name in ("plain", "content-length", "401", "no-content", "plain"):
            connection.sendall(asked(f"/{name}", through.proxy.port))
            ends = (b"\r\n\r\n",) if name == "no-content" else (b"\r\n0\r\n\r\n", ANSWER, b"}")
            got = read_until(connection, lambda wire, ends=ends: wire.endswith(ends))  # type: ignore[misc]
            assert b"connection: close" not in got.lower()
            assert through.recorded().http is not None


@pytest.mark.parametrize("name, status", [("plain", b"200 OK"), ("content-length", b"200 OK")])
def test_no_body_follows_on_head_and_http_1_0_gets_no_chunks(name: str, status: bytes, through: Through) -> None:
    wire, _ = talk(through.proxy.port, asked(f"/{name}", through.proxy.port, "Connection: close", method="HEAD"))
    assert status_of(wire) == status
    assert wire.endswith(b"\r\n\r\n")
    old = asked(f"/{name}", through.proxy.port).replace(b"HTTP/1.1", b"HTTP/1.0")
    wire, _ = talk(through.proxy.port, old)
    assert b"chunked" not in wire
    assert wire.partition(b"\r\n\r\n")[2] == ANSWER


def test_a_client_that_waits_to_be_told_is_told_to_go_on(through: Through) -> None:
    with socket.create_connection(("127.0.0.1", through.proxy.port), STUCK_S) as connection:
        connection.sendall(asked("/content-length", through.proxy.port, "Expect: 100-continue")[: -len(BODY)])
        assert connection.recv(1 << 16) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(BODY)
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 200 OK")
    assert "expect" not in through.server.requests[-1][1]


def test_a_client_that_leaves_ends_the_upstream_and_is_recorded_so(through: Through) -> None:
    with socket.create_connection(("127.0.0.1", through.proxy.port), STUCK_S) as connection:
        connection.sendall(asked("/stall", through.proxy.port))
        read_until(connection, lambda wire: body_of(wire) == CUT)
        exchange = through.next()
    assert through.server.left.wait(STUCK_S)
    assert exchange.over.wait(STUCK_S)
    (recorded,) = read_input(str(exchange.path))
    assert recorded.end is not None
    assert (recorded.end["how"], recorded.end["closed_by"], recorded.end["detail"]) == ("cancelled", "client", LEFT)
    assert recorded.body.slice(0, 1 << 20) == CUT


def test_an_exchange_can_be_ended_by_hand(through: Through) -> None:
    with socket.create_connection(("127.0.0.1", through.proxy.port), STUCK_S) as connection:
        connection.sendall(asked("/stall", through.proxy.port))
        read_until(connection, lambda wire: body_of(wire) == CUT)
        exchange = through.next()
        following = exchange.follow()
        assert following is not None
        following.cancel()
        assert connection.recv(1 << 16) == b""
    assert following.join(STUCK_S)
    items = following.take()
    assert b"".join(item.data for item in items if isinstance(item, Read)) == CUT
    assert isinstance(items[-1], End)
    assert (items[-1].how, items[-1].detail) == ("cancelled", STOPPED)


def test_to_stop_ends_and_closes_everything(tmp_path: Path) -> None:
    with Server() as server:
        through = Through(server, tmp_path)
        with socket.create_connection(("127.0.0.1", through.proxy.port), STUCK_S) as connection:
            connection.sendall(asked("/stall", through.proxy.port))
            read_until(connection, lambda wire: body_of(wire) == CUT)
            exchange = through.next()
            through.proxy.stop()
            assert through.proxy.join(STUCK_S)
            assert connection.recv(1 << 16) == b""
        assert exchange.over.is_set()
        (recorded,) = read_input(str(exchange.path))
        assert recorded.end is not None
        assert recorded.end["detail"] == "the proxy was stopped"
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", through.proxy.port), STUCK_S)


def test_where_no_server_is_the_client_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    proxy = Proxy([Route(f"http://127.0.0.1:{port}/v1")], tmp_path, KIT)
    proxy.start()
    wire, _ = talk(proxy.port, asked("/v1/chat/completions", proxy.port, "Connection: close"))
    assert status_of(wire) == b"502 Bad Gateway"
    error = orjson.loads(body_of(wire))["error"]
    assert error["message"].endswith(f"http://127.0.0.1:{port}/v1/chat/completions: nothing listens there")
    [exchange] = proxy.take()
    assert isinstance(exchange, ProxyExchange)
    assert exchange.over.wait(STUCK_S)
    watch = Watch(exchange, KIT)
    watch.step()
    assert (watch.over, watch.state, watch.http) == (True, "no connection", None)
    (recorded,) = read_input(str(exchange.path))
    assert recorded.http is None
    proxy.stop()
    assert proxy.join(STUCK_S)


def test_without_a_recording_the_client_gets_its_answer_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Server() as server:
        through = Through(server, tmp_path / "file")
        wire, _ = talk(through.proxy.port, asked("/plain", through.proxy.port, "Connection: close"))
        assert body_of(wire) == ANSWER
        exchange = through.next()
        assert exchange.over.wait(STUCK_S)
        watch = Watch(exchange, KIT)
        watch.step()
        assert watch.stopped is not None
        assert watch.stopped.startswith("no recording can be made in")
        assert (watch.events, watch.how) == (len(EVENTS), "done")
        through.proxy.stop()


def test_several_upstreams_each_under_its_name(tmp_path: Path) -> None:
    answer = (length(b"{}"),)
    with Server(scripts=lambda path: answer) as one, Server(scripts=lambda path: answer) as other:
        proxy = Proxy([Route(one.url + "/v1", "one"), Route(other.url, "other")], tmp_path, KIT)
        proxy.start()
        for path in ("/one/plain", "/one/v1/plain", "/other/plain?a=b", "/other/other/plain"):
            talk(proxy.port, asked(path, proxy.port, "Connection: close"))
        wire, _ = talk(proxy.port, asked("/neither/plain", proxy.port))
        assert status_of(wire) == b"404 Not Found"
        proxy.stop()
        assert proxy.join(STUCK_S)
        assert [line for line, _, _ in one.requests] == ["POST /v1/plain HTTP/1.1"] * 2
        assert [line for line, _, _ in other.requests] == [
            "POST /plain?a=b HTTP/1.1",
            "POST /other/plain HTTP/1.1",
        ]


@pytest.mark.parametrize("name", ["plain", "content-length", "close-delimited", "no-last-chunk"])
def test_an_upstream_with_tls_is_asked_when_its_certificate_is_trusted(name: str, tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with Server(context) as server:
        routes = [
            Route(server.url, "known", replace(PATIENT, ca_file=str(tmp_path / "ca.pem"))),
            Route(server.url, "not"),
        ]
        proxy = Proxy(routes, tmp_path / "kept", KIT)
        proxy.start()
        wire, _ = talk(proxy.port, asked(f"/known/{name}", proxy.port, "Connection: close"))
        [exchange] = proxy.take()
        assert isinstance(exchange, ProxyExchange)
        assert exchange.over.wait(STUCK_S)
        end = exchange.own.take()[-1]
        assert isinstance(end, End)
        assert (end.how, body_of(wire)) == (SCRIPTS[name].how, SCRIPTS[name].body)
        wire, _ = talk(proxy.port, asked(f"/not/{name}", proxy.port, "Connection: close"))
        assert status_of(wire) == b"502 Bad Gateway"
        assert b"certificate" in wire
        proxy.stop()
        assert proxy.join(STUCK_S)


REFUSED = [
    ("CONNECT", b"CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n", 400),
    ("another Host", b"GET /plain HTTP/1.1\r\nHost: evil.example:%d\r\n\r\n", 403),
    ("another port", b"GET /plain HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", 403),
    ("0.0.0.0", b"GET /plain HTTP/1.1\r\nHost: 0.0.0.0:%d\r\n\r\n", 403),
    ("a whole URL", b"GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", 400),
    ("a page", b"GET /plain HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: https://evil.example\r\n\r\n", 403),
    ("a WebSocket", b"GET /plain HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n\r\n", 501),
    ("another server's path", b"GET //evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", 400),
    ("a way out", b"GET /a/../../admin HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", 400),
    ("a coded way out", b"GET /a/%%2e%%2E/b HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", 400),
    ("one coded twice", b"GET /a/%%252e./b HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", 400),
    ("a fragment", b"GET /plain#a HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", 400),
    ("two lengths", b"POST / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na", 400),
    ("a folded field", b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nA: b\r\n c\r\n\r\n", 400),
    ("TLS", b"\x16\x03\x01\x00\xa5\x01", 400),
]


@pytest.mark.parametrize("wire, status", [one[1:] for one in REFUSED], ids=[one[0] for one in REFUSED])
def test_what_is_refused_reaches_no_server(wire: bytes, status: int, through: Through) -> None:
    port = b"%d" % through.proxy.port
    got, _ = talk(through.proxy.port, wire.replace(b"%d", port).replace(b"%%", b"%"))
    assert got.startswith(b"HTTP/1.1 %d " % status), got
    assert orjson.loads(body_of(got))["error"]["message"].startswith("Stream Inspector: ")
    [refused] = through.proxy.take()
    assert isinstance(refused, Refused)
    assert refused.status == status
    assert through.server.requests == []
    assert list(through.folder.iterdir()) == []


def test_a_way_back_to_the_proxy_is_noticed(tmp_path: Path) -> None:
    with Server(scripts=lambda path: (length(b"{}"),)) as server:
        last = Proxy([Route(server.url)], tmp_path, KIT)
        last.start()
        first = Proxy([Route(last.url)], tmp_path, KIT)
        first.start()
        wire, _ = talk(first.port, asked("/a", first.port, "Connection: close"))
        assert status_of(wire) == b"200 OK"  # Two of them in a row are fine.
        last.routes = (Route(first.url),)
        wire, _ = talk(first.port, asked("/a", first.port, "Connection: close"))
        assert status_of(wire) == b"508 Loop Detected"
        for one in (first, last):
            one.stop()
            assert one.join(STUCK_S)


def test_fifty_at_once_and_nothing_is_mixed_up(tmp_path: Path) -> None:
    def script(path: str) -> tuple[object, ...]:
        pieces = [b"data: %s %d\n\n" % (path.encode(), number) for number in range(40)]
        return (*chunked(*pieces[:20])[:-1], GATE, *chunked(*pieces[20:])[1:])

    got: dict[int, bytes] = {}
    with Server(scripts=script) as server:
        through = Through(server, tmp_path)
        halves = threading.Barrier(51)

        def one(number: int) -> None:
            with socket.create_connection(("127.0.0.1", through.proxy.port), STUCK_S) as connection:
                connection.sendall(asked(f"/{number}", through.proxy.port))
                wire = read_until(connection, lambda wire: wire.count(b"data: ") >= 20)
                halves.wait(STUCK_S)
                wire = read_until(connection, lambda wire: wire.endswith(b"0\r\n\r\n"), wire)
                got[number] = body_of(wire)

        threads = [threading.Thread(target=one, args=(number,)) for number in range(50)]
        for thread in threads:
            thread.start()
        halves.wait(STUCK_S)  # All fifty are in the middle of their answers.
        server.gate.set()
        for thread in threads:
            thread.join(STUCK_S)
        exchanges = [one for one in through.proxy.take() if isinstance(one, ProxyExchange)]
        assert all(exchange.over.wait(STUCK_S) for exchange in exchanges)
        through.proxy.stop()
    for number, body in got.items():
        assert body == b"".join(b"data: %d %d\n\n" % (number, event) for event in range(40))
    bodies = {read_input(str(path))[0].body.slice(0, 1 << 20) for path in tmp_path.glob("*.rec.jsonl")}
    assert len(got) == len(exchanges) == 50
    assert bodies == set(got.values())


def test_what_is_read_for_a_list_can_be_left_for_later(through: Through) -> None:
    talk(through.proxy.port, asked("/plain", through.proxy.port, "Connection: close"))
    exchange = through.next()
    assert exchange.over.wait(STUCK_S)
    watch, steps = Watch(exchange, KIT), 0
    end = exchange.own.items.pop()
    exchange.own.items.extend([*(Read(end.t, b": a\n\n") for _ in range(1000)), end])
    while not watch.over:
        watch.step(lambda: True)
        steps += 1
    assert steps > 30
