"""What a capture hands over and records, against a server that misbehaves."""

from __future__ import annotations

import socket
import ssl
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter_ns

import h2.config
import h2.connection
import pytest
import trustme

from inspector_app.core.analysis import Analysis
from inspector_app.core.transfer import ENDS
from inspector_app.core.types import Exchange
from inspector_app.live.capture import Conditions, End, Head, Read, Sent
from inspector_app.live.growth import Growth
from inspector_app.live.running import SWITCH_S, Running
from tests.live.server import ANSWER, CUT, EVENTS, GATE, SCRIPTS, WAITING, Script, Server, chunk, chunked, head
from tests.live.streams import PATIENCE_S, kit, request, start, stream, until


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


def facts(exchange: Exchange) -> dict[str, object]:
    """What a live exchange and its recording must agree in."""
    names = ("read_ends", "http", "head_time", "request", "coding", "end", "end_time", "timing", "faults")
    found = {name: getattr(exchange, name) for name in (*names, "format", "source", "name", "notes")}
    found["times"] = list(exchange.read_times or ())
    return found | {"body": exchange.body.slice(0, len(exchange.body))}


@pytest.mark.parametrize("name", SCRIPTS)
def test_recorded_bytes_are_the_sent_bytes(name: str, server: Server, tmp_path: Path) -> None:
    script = SCRIPTS[name]
    ran = stream(server, name, tmp_path, enough=len(script.body or b""))
    assert ran.body == script.body
    assert ran.end[1:5] == (script.how, script.terminator, "server", script.trailers)
    assert [type(item) for item in ran.items[:1]] == [Sent]
    assert all(read.data for read in ran.reads)
    times = [item.t for item in ran.items if isinstance(item, Head | Read | End)]
    assert times == sorted(times)
    assert facts(ran.recorded()) == facts(ran.growth.exchange) | {"name": str(ran.path)}
    assert b"".join(ran.pieces) == ran.growth.body.slice(0, len(ran.growth.body))
    if script.events is not None:
        assert ran.growth.body.slice(0, 1 << 20).count(b"data: ") == script.events


@pytest.mark.parametrize(
    "name, status, version, field",
    [
        ("plain", 200, "HTTP/1.1", ("Transfer-Encoding", "chunked")),
        ("http-1.0", 200, "HTTP/1.0", ("Content-Type", "text/event-stream")),
        ("429", 429, "HTTP/1.1", ("Retry-After", "20")),
        ("500", 500, "HTTP/1.1", ("Content-Type", "text/html")),
        ("redirect", 307, "HTTP/1.1", ("Location", "/plain")),
    ],
)
def test_the_head_is_kept_as_sent(
    name: str, status: int, version: str, field: tuple[str, str], server: Server, tmp_path: Path
) -> None:
    http = stream(server, name, tmp_path).recorded().http
    assert http is not None
    assert (http.status, http.version) == (status, version)
    assert field in http.headers


DETAILS = {
    "short-content-length": "the connection ended after 994 of 1156 bytes",
    "no-last-chunk": "the connection ended before the last chunk",
    "bad-chunk-size": 'the chunked coding of the answer is broken: "zz" stands where the size of a chunk should',
    "closed-at-once": "the server closed the connection without an answer",
    "401": "HTTP 401",
    "error-cut": "HTTP 502; the connection ended after 30 of 75 bytes",
    "reset": "the connection was reset",
    "plain": None,
}


@pytest.mark.parametrize("name", DETAILS)
def test_the_end_is_told_in_words(name: str, server: Server, tmp_path: Path) -> None:
    ran = stream(server, name, tmp_path, enough=len(SCRIPTS[name].body or b""))
    assert ran.end.detail == DETAILS[name]
    assert ran.end.how in ENDS


def test_redirects_are_followed_only_when_wanted(server: Server, tmp_path: Path) -> None:
    ran = stream(server, "redirect", tmp_path, Conditions(idle_s=PATIENCE_S, redirects=True))
    assert (ran.body, ran.end.how, ran.end.detail) == (ANSWER, "done", f"redirected to {server.url}/plain")
    assert [line for line, _, _ in server.requests] == ["POST /redirect HTTP/1.1", "POST /plain HTTP/1.1"]


def test_redirects_without_end_are_an_end(server: Server, tmp_path: Path) -> None:
    ran = stream(server, "endless-redirect", tmp_path, Conditions(idle_s=PATIENCE_S, redirects=True))
    assert (ran.end.how, ran.end.detail) == ("http_error", "it redirects without end")


def test_a_redirect_elsewhere_takes_no_key_along(server: Server, tmp_path: Path) -> None:
    there = f"http://localhost:{server.port}/plain"
    steps = (head("307 Temporary Redirect", f"Location: {there}", "Content-Length: 0"),)
    with Server(scripts=lambda path: steps) as first:
        ran = stream(first, "x", tmp_path, Conditions(idle_s=PATIENCE_S, redirects=True))
    assert ran.body == ANSWER
    assert "authorization" in first.requests[0][1]
    assert "authorization" not in server.requests[0][1]


@pytest.mark.parametrize("name", WAITING)
def test_silence_is_an_end(name: str, server: Server, tmp_path: Path) -> None:
    ran = stream(server, name, tmp_path, Conditions(idle_s=0.2), enough=1 << 62)
    assert ran.body == WAITING[name].body
    assert ran.end[1:4] == ("timeout", None, "client")
    assert ran.end.detail == "no byte came for 0.2 s"
    assert ran.recorded().end == ran.growth.exchange.end


@pytest.mark.parametrize("name", WAITING)
def test_a_cancel_ends_it_at_once(name: str, server: Server, tmp_path: Path) -> None:
    path = tmp_path / "x.rec.jsonl"
    running = start(f"{server.url}/{name}", path)
    body = WAITING[name].body or b""
    items = until(running, [], len(body)) if body else []
    for _ in range(3):
        running.cancel()
    assert running.join(PATIENCE_S)
    items = until(running, items, 1 << 62)
    end = items[-1]
    assert isinstance(end, End)
    assert (end.how, end.closed_by, end.detail) == ("cancelled", "client", None)
    assert b"".join(item.data for item in items if isinstance(item, Read)) == body
    running.cancel()
    assert path.read_bytes().count(b'"end"') == 1


def test_a_cancel_before_the_start_is_an_end_too(server: Server) -> None:
    running = Running(request(f"{server.url}/plain"), kit(), Conditions())
    running.cancel()
    running.start()
    assert running.join(PATIENCE_S)
    assert [item[1] for item in running.take()] == ["cancelled"]
    assert server.requests == []


def test_a_name_server_that_does_not_answer_holds_up_no_cancel(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, answer = threading.Event(), threading.Event()

    def never(*_: object, **__: object) -> None:
        asked.set()
        answer.wait(PATIENCE_S)
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", never)
    running = start("http://far.example/", None)
    assert asked.wait(PATIENCE_S)
    running.cancel()
    assert running.join(PATIENCE_S)
    answer.set()
    assert isinstance(running.take()[-1], End)


def test_an_unknown_name_and_a_closed_port_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/"
        refused = until(start(url, tmp_path / "refused.rec.jsonl"), [], 1)[-1]
    assert refused[1:6] == ("connect_error", None, "server", (), "nothing listens there")

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    unknown_end = until(start("http://far.example/", None), [], 1)[-1]
    assert unknown_end[1:6] == ("connect_error", None, "server", (), "there is no server of that name")


@pytest.mark.parametrize("conditions, words", [
    (Conditions(ca_file="/nowhere/ca.pem"), "/nowhere/ca.pem"),
    (Conditions(proxy="socks4://127.0.0.1:1"), "http://, https:// or socks5://"),
    (Conditions(proxy="not a proxy"), "http://, https:// or socks5://"),
])  # fmt: skip
def test_conditions_that_cannot_be_met_are_told(conditions: Conditions, words: str, server: Server) -> None:
    end = until(start(f"{server.url}/plain", None, conditions), [], 1)[-1]
    assert isinstance(end, End)
    assert end.how == "connect_error"
    assert words in (end.detail or "")


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def tls_server(authority: trustme.CA, name: str = "127.0.0.1", *protocols: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    if protocols:
        context.set_alpn_protocols(list(protocols))
    return context


@pytest.mark.parametrize("name, known, how, words", [
    ("127.0.0.1", True, "done", ""),
    ("127.0.0.1", False, "tls_error", "unable to get local issuer certificate"),
    ("other.example", True, "tls_error", "IP address mismatch"),
])  # fmt: skip
def test_a_certificate_is_believed_by_authority_and_name(
    name: str, known: bool, how: str, words: str, authority: trustme.CA, tmp_path: Path
) -> None:
    ca_file = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(ca_file)
    with Server(tls_server(authority, name)) as server:
        ran = stream(server, "plain", tmp_path, Conditions(ca_file=str(ca_file) if known else ""))
    assert (ran.end.how, ran.body) == (how, ANSWER if how == "done" else b"")
    assert words.lower() in (ran.end.detail or "").lower()


def test_plain_http_behind_https_is_told(server: Server, tmp_path: Path) -> None:
    running = start(f"https://127.0.0.1:{server.port}/plain", tmp_path / "x.rec.jsonl")
    end = until(running, [], 1)[-1]
    assert end[1] == "tls_error"


class Http2Server:
    """Answers one request by HTTP/2: chunks of the answer as data frames, then `last`."""

    def __init__(self, context: ssl.SSLContext, last: str) -> None:
        self._context = context
        self._last = last
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"https://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Http2Server:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self._thread.join(PATIENCE_S)

    def _serve(self) -> None:
        plain, _ = self._listener.accept()
        with self._context.wrap_socket(plain, server_side=True) as connection:
            state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
            state.initiate_connection()
            connection.sendall(state.data_to_send())
            asked = False
            while not asked:
                asked = any(type(one).__name__ == "StreamEnded" for one in state.receive_data(connection.recv(65536)))
            state.send_headers(1, [(":status", "200"), ("content-type", "text/event-stream")])
            for piece in EVENTS:
                state.send_data(1, piece)
                connection.sendall(state.data_to_send())
            if self._last == "end":
                state.end_stream(1)
            elif self._last == "reset":
                state.reset_stream(1, error_code=2)
            connection.sendall(state.data_to_send())
            if self._last == "cut":
                # With bytes of the client unread a close would be a reset.
                connection.shutdown(socket.SHUT_WR)
            while connection.recv(65536):
                pass


@pytest.mark.parametrize("last, how, terminator", [
    ("end", "done", True), ("reset", "reset", False), ("cut", "truncated", False),
])  # fmt: skip
def test_http_2_is_spoken_where_it_is_offered(
    last: str, how: str, terminator: bool, authority: trustme.CA, tmp_path: Path
) -> None:
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    conditions = Conditions(ca_file=str(tmp_path / "ca.pem"))
    with Http2Server(tls_server(authority, "127.0.0.1", "h2"), last) as server:
        running = start(f"{server.url}/", None, conditions)
        items = until(running, [], 1 << 62)
    end = items[-1]
    assert isinstance(end, End)
    assert (end.how, end.terminator) == (how, terminator)
    assert b"".join(item.data for item in items if isinstance(item, Read)) == ANSWER
    assert next(item for item in items if isinstance(item, Head)).http.version == "HTTP/2"


def test_a_proxy_is_gone_through(server: Server, tmp_path: Path) -> None:
    with Server(scripts=lambda path: chunked(*EVENTS)) as proxy:
        conditions = Conditions(proxy=f"http://user:pass@127.0.0.1:{proxy.port}")
        ran = stream(server, "plain", tmp_path, conditions)
    assert ran.body == ANSWER
    assert server.requests == []
    assert proxy.requests[0][0] == f"POST {server.url}/plain HTTP/1.1"
    assert proxy.requests[0][1]["proxy-authorization"].startswith("basic ")


def test_a_proxy_that_refuses_is_told(server: Server, tmp_path: Path) -> None:
    with Server(scripts=lambda path: [head("407 Proxy Authentication Required", "Content-Length: 0")]) as proxy:
        running = start(f"https://127.0.0.1:{server.port}/", None, Conditions(proxy=proxy.url))
        end = until(running, [], 1)[-1]
    assert end[1] == "connect_error"
    assert "407" in (end[5] or "")


@pytest.mark.parametrize("host, used", [("far.example", True), ("127.0.0.1", False), ("localhost", False)])
def test_a_proxy_of_the_environment_never_stands_before_loopback(
    host: str, used: bool, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with Server(scripts=lambda path: chunked(ANSWER)) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        until(start(f"http://{host}:{server.port}/plain", None), [], 1 << 62)
        assert [len(proxy.requests), len(server.requests)] == ([1, 0] if used else [0, 1])


def test_times_count_from_the_request_and_are_taken_at_the_read(tmp_path: Path) -> None:
    """The server sends when the gate opens; whoever takes the items only later sees the time of the read."""
    with Server(scripts=lambda path: [head("200 OK", "Transfer-Encoding: chunked"), GATE, *chunked(*EVENTS)[1:]]) as server:  # fmt: skip # noqa: E501
        running = start(f"{server.url}/", tmp_path / "x.rec.jsonl")
        items = []
        while not any(isinstance(item, Head) for item in items):
            running.wait(PATIENCE_S)
            items += running.take()
        opened = perf_counter_ns() - running.zero
        server.gate.set()
        assert running.join(PATIENCE_S)
        ended = perf_counter_ns() - running.zero
        items += running.take()
    reads = [item.t for item in items if isinstance(item, Read)]
    assert opened <= reads[0] <= reads[-1] <= ended
    assert next(item.t for item in items if isinstance(item, Head)) <= opened


def test_a_consumer_that_does_not_take_holds_nothing_up(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "x.rec.jsonl"
    running = start(f"{server.url}/bytewise", path)
    assert running.join(PATIENCE_S)
    assert path.read_bytes().count(b'"crc"') == len(ANSWER)
    few = running.take(5)
    assert len(few) == 5
    assert running.wait(0)
    body = b"".join(item.data for item in few + running.take() if isinstance(item, Read))
    assert body == ANSWER
    assert not running.wait(0)


def test_a_fast_stream_arrives_whole(tmp_path: Path) -> None:
    block = b"".join(EVENTS[:3]) * 64
    with Server(scripts=lambda path: chunked(*[block] * 300, ANSWER)) as server:
        ran = stream(server, "", tmp_path)
    assert ran.body == block * 300 + ANSWER
    assert ran.end.how == "done"
    assert facts(ran.recorded())["body"] == ran.body


def test_comments_without_end_can_be_cancelled(tmp_path: Path) -> None:
    def endless(path: str) -> Iterator[bytes]:
        yield head("200 OK", "Transfer-Encoding: chunked")
        while True:
            yield chunk(b": OPENROUTER PROCESSING\n\n")

    with Server(scripts=endless) as server:
        running = start(f"{server.url}/", tmp_path / "x.rec.jsonl")
        items = until(running, [], 10_000)
        running.cancel()
        until(running, items, 1 << 62)
        assert items[-1][1] == "cancelled"
        assert server.left.wait(PATIENCE_S)
        assert running.join(PATIENCE_S)


def test_a_reading_that_grows_is_the_reading_of_the_recording(server: Server, tmp_path: Path) -> None:
    running = start(f"{server.url}/plain", tmp_path / "x.rec.jsonl")
    growth = Growth("x", request(f"{server.url}/plain"))
    analysis = Analysis(growth.exchange, kit())
    while not growth.ended:
        running.wait(PATIENCE_S)
        for piece in growth.add(running.take()):
            analysis.feed(piece)
    reading = analysis.finish()
    assert [block.text for block in reading.blocks] == ["Grüner Tee, 日本語 und 🙂👍🏽."]
    assert (reading.marker, reading.exchange.end_time is not None) == ("[DONE]", True)
    assert reading.time_of(0) == growth.exchange.read_times[0]  # type: ignore[index]


def test_threads_are_switched_often_while_a_capture_runs(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    before = sys.getswitchinterval()
    try:
        sys.setswitchinterval(0.005)
        until(start(f"{server.url}/plain", None), [], 1 << 62)
        assert sys.getswitchinterval() == pytest.approx(SWITCH_S)
    finally:
        sys.setswitchinterval(before)


@pytest.mark.parametrize("name, http", [("plain", True), ("clean-cut", False)])
def test_the_end_marker_is_found_behind_megabytes(name: str, http: bool, tmp_path: Path) -> None:
    script: Script = SCRIPTS[name]
    filler = EVENTS[0] * 8000
    steps = (script.steps[0], chunk(filler), *script.steps[1:])
    with Server(scripts=lambda path: steps) as server:
        ran = stream(server, "", tmp_path)
    assert ran.end.how == script.how
    assert len(ran.body) == len(filler) + len(script.body or b"") > 1 << 20


def test_the_server_of_these_tests_sends_what_its_scripts_say() -> None:
    for name, script in {**SCRIPTS, **WAITING}.items():
        sent = b"".join(step for step in script.steps if isinstance(step, bytes))
        assert script.body is not None, name
        assert set(script.body) <= set(sent), name
    assert ANSWER.startswith(CUT)
