"""The replay server over real sockets: bytes, head, times, ends, which recording, and who may ask."""

from __future__ import annotations

import gzip
import hashlib
import json
import socket
import time
from array import array
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inspector_app.core.types import Exchange, Http, MemoryBody
from inspector_app.files import read_input
from inspector_app.live.serve import Serving
from inspector_app.live.serve_item import How, Item
from inspector_app.live.serve_suite import score_page, suite_of
from tests.live.replay import ANSWER, EVENTS, KIT, ask, exchange, item, read_answer

ROOT = Path(__file__).parents[2]
RECORDINGS = sorted([*(ROOT / "recordings").glob("*"), *(ROOT / "tests" / "dialects" / "recordings").glob("*")])
MAX = How(speed=None)
STREAM = {"stream": True}


@pytest.fixture
def serve() -> Iterator[Any]:
    running: list[Serving] = []

    def start(*items: Item) -> Serving:
        serving = Serving(list(items))
        running.append(serving)
        serving.start()
        return serving

    yield start
    for serving in running:
        serving.close()


def port(serving: Serving) -> int:
    return serving.server.port


def wire_of(made: Exchange) -> bytes:
    body = made.coded.body if made.coded else made.body
    return body.slice(0, len(body))


def test_every_recording_goes_out_byte_for_byte(serve: Any) -> None:
    made = [read_input(str(path))[0] for path in RECORDINGS]
    serving = serve(*(item(one, MAX) for one in made))
    for path, one in zip(RECORDINGS, made, strict=True):
        got = ask(port(serving), f"/{path.name}", STREAM)
        assert hashlib.sha256(got.body).digest() == hashlib.sha256(wire_of(one)).digest(), path
        ends = [len(b"".join(got.chunks[: n + 1])) for n in range(len(got.chunks))]
        assert one.read_ends is None or ends == sorted({end for end in one.read_ends if end}), path
        assert got.status == (one.http.status if one.http else 200)


def test_a_hundred_of_the_corpus_go_out_byte_for_byte(serve: Any, shared: Path) -> None:
    lines = (shared / "corpus" / "index.jsonl").read_text("utf-8").splitlines()
    files = [shared / "corpus" / json.loads(line)["file"] for line in lines[:: len(lines) // 100][:100]]
    made = [read_input(str(path)) for path in files]
    serving = serve(*(item(part, MAX) for parts in made for part in parts))
    for path in files:
        # A file of several answers gives them in turn.
        same = [one for other, more in zip(files, made, strict=True) if other.name == path.name for one in more]
        got = [ask(port(serving), f"/{path.name.rpartition('.')[0]}", STREAM).body for _ in same]
        assert sorted(got) == sorted(map(wire_of, same)), path


def test_the_head_is_the_recordings_without_what_speaks_of_its_connection(serve: Any) -> None:
    headers = (
        ("Content-Type", "text/event-stream"), ("X-RateLimit-Remaining", "7"), ("Content-Length", "9"),
        ("Connection", "keep-alive"), ("Keep-Alive", "timeout=5"),
        ("X-Split", "a\r\nX-Evil: 1"), ("Retry-After", "20"),
        ("Transfer-Encoding", "chunked"), ("Upgrade", "h2c"),
        ("Set-Cookie", "<redacted: sha256:0a1b2c3d, 9 chars>"),
    )  # fmt: skip
    serving = serve(item(exchange(headers=headers, status=429)))
    got = ask(port(serving))
    assert got.status == 429
    assert got.headers == {
        "content-type": "text/event-stream", "x-ratelimit-remaining": "7", "retry-after": "20",
        "transfer-encoding": "chunked",
    }  # fmt: skip
    assert got.body == ANSWER


@pytest.mark.parametrize(
    "end, expected",
    [
        ({}, "clean"),
        ({"how": "eof", "terminator": None}, "clean"),
        ({"how": "done", "terminator": False, "closed_by": "client"}, "clean"),
        ({"how": "truncated", "terminator": False}, "cut"),
        ({"how": "http_error", "terminator": False}, "cut"),
        ({"how": "reset", "terminator": False}, "reset"),
    ],
)
def test_the_recorded_end_comes_back(serve: Any, end: dict[str, Any], expected: str) -> None:
    got = ask(port(serve(item(exchange(end=end)))))
    assert (got.body, got.end) == (ANSWER, expected)
    # A client may take the end of a connection that was to be closed for the end of the body.
    assert "connection" not in got.headers


@pytest.mark.parametrize("end, expected", [("clean", "clean"), ("no-terminator", "cut"), ("reset", "reset")])
@pytest.mark.parametrize("size", [1, 400])
def test_an_end_can_be_asked_for_and_cuts_no_byte(serve: Any, end: str, expected: str, size: int) -> None:
    pieces = EVENTS * size
    made = exchange(pieces, end={"how": "truncated", "terminator": False})
    got = ask(port(serve(item(made, How(speed=None, end=end)))))
    assert (len(got.body), got.body == b"".join(pieces), got.end) == (len(b"".join(pieces)), True, expected)


def test_a_stall_lasts_until_the_client_leaves(serve: Any) -> None:
    serving = serve(item(exchange(end={"how": "timeout", "terminator": None, "closed_by": "client"})))
    with closing(socket.create_connection(("127.0.0.1", port(serving)), timeout=20)) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port(serving)}\r\n\r\n".encode())
        got = b""
        while b"[DONE]" not in got:
            got += connection.recv(1 << 16)
        connection.settimeout(0.2)
        with pytest.raises(TimeoutError):
            connection.recv(1)
        assert [visit.state for visit in serving.visits] == ["waiting"]
    for _ in range(200):
        if serving.visits[0].state != "waiting":
            break
        time.sleep(0.01)
    assert serving.visits[0].words().startswith("waited, and left after")


def test_without_an_answer_in_the_recording_there_is_none(serve: Any) -> None:
    for how, expected in (("connect_error", "reset"), ("truncated", "cut")):
        silent = replace(exchange((), end={"how": how, "terminator": None}), http=None)
        got = ask(port(serve(item(silent))))
        assert (got.status, got.end) == (0, expected)


def test_compressed_bytes_go_out_as_they_were_and_decoded_ones_without_their_header(serve: Any, tmp_path: Path) -> None:
    coded = gzip.compress(ANSWER, mtime=0)
    raw = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n" + coded
    (tmp_path / "a.http").write_bytes(raw)
    [made] = read_input(str(tmp_path / "a.http"))
    assert made.body.slice(0, 1 << 20) == ANSWER
    got = ask(port(serve(item(made))))
    assert (got.body, got.headers["content-encoding"]) == (coded, "gzip")
    got = ask(port(serve(item(replace(made, coded=None)))))
    assert (got.body, got.headers.get("content-encoding")) == (ANSWER, None)
    got = ask(port(serve(item(made, How(wishes=(("eol", "crlf"),))))))
    assert (got.body, got.headers.get("content-encoding")) == (ANSWER.replace(b"\n", b"\r\n"), None)


def test_nothing_comes_before_its_time(serve: Any) -> None:
    made = exchange(EVENTS[:4], step_ms=40)
    for how, least in ((How(), 0.16), (How(speed=2), 0.08), (MAX, 0.0)):
        serving = serve(item(made, how))
        start = time.monotonic()
        assert ask(port(serving)).body == b"".join(EVENTS[:4])
        assert time.monotonic() - start >= least


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_old_clients_get_no_chunks_and_head_no_body(serve: Any, version: str) -> None:
    serving = serve(item(exchange()))
    with closing(socket.create_connection(("127.0.0.1", port(serving)), timeout=20)) as connection:
        method = "GET" if version == "1.0" else "HEAD"
        fields = f"Host: 127.0.0.1:{port(serving)}\r\nConnection: close\r\n\r\n"
        connection.sendall(f"{method} / HTTP/{version}\r\n{fields}".encode())
        got = b""
        while data := connection.recv(1 << 16):
            got += data
    head, _, body = got.partition(b"\r\n\r\n")
    assert body == (ANSWER if version == "1.0" else b"")
    assert (b"chunked" in head) is (version == "1.1")


def test_requests_on_one_connection_are_answered_in_their_order(serve: Any) -> None:
    serving = serve(item(exchange((b"data: 1\n\n",), name="a")), item(exchange((b"data: 2\n\n",), name="b")))
    one = f"GET /NAME HTTP/1.1\r\nHost: 127.0.0.1:{port(serving)}\r\n\r\n"
    with closing(socket.create_connection(("127.0.0.1", port(serving)), timeout=20)) as connection:
        for names in (("a",), ("b",), ("a", "b", "b")):
            connection.sendall("".join(one.replace("NAME", name) for name in names).encode())
        got = b""
        while got.count(b"0\r\n\r\n") < 5:
            got += connection.recv(1 << 16)
    assert [part[:1] for part in got.split(b"data: ")[1:]] == [b"1", b"2", b"1", b"2", b"2"]


def chosen(serving: Serving, path: str, body: Any = None) -> str:
    ask(port(serving), path, body)
    return serving.visits[-1].item.recording


def test_the_recording_is_chosen_by_path_then_model_then_in_turn(serve: Any) -> None:
    asked = {"method": "POST", "url": "https://x.example/v1/chat/completions", "body": {"model": "glm"}}
    serving = serve(
        item(exchange(name="dir/one.sse")),
        item(exchange(name="two.rec.jsonl", request=asked)),
        item(exchange(name="chat.sse")),
    )
    assert [chosen(serving, "/v1/chat/completions", {**STREAM, "model": "?"}) for _ in range(4)] == [
        "one", "two", "chat", "one",
    ]  # fmt: skip
    assert chosen(serving, "/two") == "two"
    assert chosen(serving, "/any/chat.sse?x=two") == "chat"
    assert chosen(serving, "/one/v1/chat/completions") == "one"
    assert chosen(serving, "/api/chat") == "chat"
    assert chosen(serving, "/v1beta/models/two:streamGenerateContent") == "two"
    assert chosen(serving, "/v1/chat/completions", {**STREAM, "model": "glm"}) == "two"
    assert chosen(serving, "/v1/chat/completions", {**STREAM, "model": "one"}) == "one"
    assert chosen(serving, "/v1beta/models/glm:streamGenerateContent") == "two"


def test_a_path_that_names_no_variation_is_told_and_stands_in_the_score(serve: Any) -> None:
    serving = serve(*suite_of([exchange(name="one.sse"), exchange(name="two.sse")], KIT, speed=None))
    for path in ("/crlff/v1/chat/completions", "/one/crlff/v1/chat/completions", "/v1/chat/completions", "/crlff", "/"):
        got = ask(port(serving), path, STREAM)
        assert got.status == 404, path
        assert f"there is no variation at {path}; / names the paths of all" in json.loads(got.body)["error"]["message"]
    ask(port(serving), "/favicon.ico", None, "GET")
    ask(port(serving), "/crlff?again", STREAM)
    assert serving.visits == []
    score, held = score_page(serving.server)
    assert "asked for unknown paths: /crlff/v1/chat/completions, /one/crlff/v1/chat/completions" in score
    assert "/crlff (2x)" in score
    assert held["unknown"]["/crlff"] == 2
    assert "/favicon.ico" not in score
    for path in ("/one/v1/chat/completions", "/two", "/one/messages", "/crlf/any/thing", "/one/cr/x"):
        assert ask(port(serving), path, STREAM).status == 200, path
    # A recording without a variation is that recording, however often it is asked for.
    for _ in range(3):
        assert ask(port(serving), "/one/v1/chat/completions", STREAM).body == ANSWER


def test_a_request_that_is_refused_early_can_read_why(serve: Any) -> None:
    serving = serve(item(exchange()))
    with closing(socket.create_connection(("127.0.0.1", port(serving)), timeout=20)) as connection:
        fields = f"Host: 127.0.0.1:{port(serving)}\r\nContent-Length: {100 << 20}"
        connection.sendall(f"POST / HTTP/1.1\r\n{fields}\r\n\r\n".encode())
        connection.sendall(bytes(1 << 20))
        got = read_answer(connection)
        assert (got.status, got.body) == (413, b"the body of the request is longer than 67108864 bytes\n")


def test_a_variation_is_asked_for_by_its_path_with_or_without_its_recording(serve: Any) -> None:
    suite = suite_of([exchange(name="one.sse"), exchange(name="two.sse")], KIT, speed=None)
    serving = serve(*suite)
    for path, recording, variation in (
        ("/two/crlf/v1/chat/completions", "two", "crlf"),
        ("/crlf/v1/chat/completions", "one", "crlf"),
        ("/crlf/v1/chat/completions", "two", "crlf"),
        ("/one/v1/chat/completions", "one", "as-recorded"),
        ("/two/no-done", "two", "no-done"),
    ):
        ask(port(serving), path, STREAM)
        assert (serving.visits[-1].item.recording, serving.visits[-1].item.variation) == (recording, variation), path
    assert serving.server.score.path(suite[0]) == "/one/as-recorded"
    odd = serve(item(exchange(name="my tea?.sse")), item(exchange()))
    path = odd.server.score.path(odd.server.items[0])
    ask(port(odd), path)
    assert (path, odd.visits[-1].item.recording) == ("/my%20tea%3F", "my tea?")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_any_method_and_path_is_answered(serve: Any, method: str) -> None:
    assert ask(port(serve(item(exchange()))), "/x/y?z=1", None, method).body == ANSWER


def test_pages_of_other_origins_and_other_hosts_get_nothing(serve: Any) -> None:
    serving = serve(item(exchange()))
    assert ask(port(serving), "/", None, "GET", "Origin: https://evil.example").status == 403
    with closing(socket.create_connection(("127.0.0.1", port(serving)), timeout=20)) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        assert read_answer(connection).status == 403
    assert serving.visits == []
    assert "access-control-allow-origin" not in ask(port(serving)).headers


def test_a_client_that_leaves_early_is_told_of(serve: Any) -> None:
    serving = serve(item(exchange((*EVENTS[:3], b"", *EVENTS[3:]), step_ms=100)))
    with closing(socket.create_connection(("127.0.0.1", port(serving)), timeout=20)) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port(serving)}\r\n\r\n".encode())
        assert connection.recv(1)
    for _ in range(500):
        if serving.visits and serving.visits[0].state != "waiting":
            break
        time.sleep(0.01)
    assert serving.visits[0].state == "left early"


def test_two_hundred_clients_get_every_byte(serve: Any) -> None:
    pieces = tuple(EVENTS[n % 6] for n in range(60))
    serving = serve(item(exchange(pieces, step_ms=5)))
    connections = [socket.create_connection(("127.0.0.1", port(serving)), timeout=30) for _ in range(200)]
    for connection in connections:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port(serving)}\r\n\r\n".encode())
    for connection in connections:
        got = read_answer(connection)
        assert (got.chunks, got.end) == (list(pieces), "clean")
        connection.close()


def test_a_body_without_reads_goes_out_whole(serve: Any) -> None:
    body = ANSWER * 500
    got = ask(port(serve(item(Exchange("a.sse", "sse-body", MemoryBody(body))))), "/", STREAM)
    assert (got.body, got.headers["content-type"], got.end) == (body, "text/event-stream", "clean")


def test_reads_that_end_before_the_body_lose_nothing(serve: Any) -> None:
    made = exchange()
    made.read_ends, made.read_times = array("q", made.read_ends[:2]), array("q", made.read_times[:2])
    assert ask(port(serve(item(made)))).body == ANSWER


def test_nothing_to_serve_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to serve"):
        Serving([])


def test_a_taken_port_is_said() -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        serving = Serving([item(exchange())], port=taken.getsockname()[1])
        with pytest.raises(OSError, match=r"[Aa]ddress"):
            serving.start()
        serving.close()


def test_who_leaves_behind_the_end_marker_has_read_the_answer(serve: Any) -> None:
    made = exchange()
    made.end_time = 60_000_000_000
    serving = serve(item(made))
    with closing(socket.create_connection(("127.0.0.1", port(serving)), timeout=20)) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port(serving)}\r\n\r\n".encode())
        got = b""
        while b"[DONE]\n\n\r\n" not in got:
            got += connection.recv(1 << 16)
    until = time.monotonic() + 10
    while serving.visits[0].state == "waiting" and time.monotonic() < until:
        time.sleep(0.01)
    assert (serving.visits[0].state, serving.visits[0].words()) == ("drained", "read to the end marker")


def test_a_file_cannot_claim_a_head_that_no_server_sends() -> None:
    odd = [("X B", "1"), ("X(", "1"), ("\u017d", "1"), ("X-C", "a\x0bb"), ("X-D", "a\x7f"), ("X-Fit", "a\tb \xe4")]
    for status, sent in ((200, 200), (999, 999), (101, 502), (100, 502), (-1, 502), (1000, 502)):
        made = replace(exchange(), http=Http(status, [list(pair) for pair in odd]))
        plan = item(made, MAX).plan
        assert (plan.status, plan.headers) == (sent, (("X-Fit", "a\tb \xe4"),))
