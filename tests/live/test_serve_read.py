"""Whether a client of the replay server has read what it was sent, as far as that can be known."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from inspector_app.live.serve import Serving
from inspector_app.live.serve_item import How, Item
from inspector_app.live.serve_suite import score_page
from tests.live.replay import ANSWER, EVENTS, exchange, item, read_answer

MAX = How(speed=None)


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


def test_a_client_that_throws_away_what_it_was_sent_is_told_of(serve: Any) -> None:
    serving = serve(item(exchange(EVENTS * 50), MAX))
    for reads_all in (False, True):
        with closing(socket.create_connection(("127.0.0.1", port(serving)), timeout=20)) as connection:
            connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port(serving)}\r\n\r\n".encode())
            if reads_all:
                assert read_answer(connection).end == "clean"
            else:
                while not serving.visits or serving.visits[0].state == "waiting":
                    assert connection.recv(1)
    until = time.monotonic() + 10
    while not serving.visits[0].unread and time.monotonic() < until:
        time.sleep(0.01)
    wait_for("left a rest unread", serving)
    assert serving.visits[1].words() == "read to the end"


def asked_of(serving: Serving, *fields: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port(serving)), timeout=20)
    lines = ["GET / HTTP/1.1", f"Host: 127.0.0.1:{port(serving)}", *fields, "", ""]
    connection.sendall("\r\n".join(lines).encode())
    return connection


def wait_for(words: str, serving: Serving) -> None:
    """Until the first client did this."""
    until = time.monotonic() + 10
    while (not (held := serving.visits) or held[0].words() != words) and time.monotonic() < until:
        time.sleep(0.01)
    assert serving.visits[0].words() == words


def did(serving: Serving) -> list[tuple[str, bool]]:
    held = score_page(serving.server)[1]["answers"]
    return [(one["did"], one["unread"]) for answer in held for one in answer["requests"]]


@pytest.mark.parametrize("fields", [(), ("Connection: close",)], ids=["keep", "close"])
@pytest.mark.parametrize("end", ["clean", "no-terminator"])
def test_what_a_client_has_read_is_told_where_it_is_known(fields: tuple[str, ...], end: str, serve: Any) -> None:
    for reads, words, told in (
        (False, "left a rest unread", ("sent_whole", True)),
        (True, "read to the end", ("drained", False)),
    ):
        serving = serve(item(exchange(), How(speed=None, end=end)))
        with closing(asked_of(serving, *fields)) as connection:
            wait_for("sent whole", serving)
            assert did(serving) == [("sent_whole", False)]
            if reads:
                assert read_answer(connection).body == ANSWER
        wait_for(words, serving)
        assert did(serving) == [told]


def test_who_asks_for_more_has_read_the_answer_before(serve: Any) -> None:
    serving = serve(item(exchange(), MAX))
    with closing(asked_of(serving)) as connection:
        assert read_answer(connection).end == "clean"
        connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port(serving)}\r\n\r\n".encode())
        assert read_answer(connection).end == "clean"
        wait_for("read to the end", serving)
        assert serving.visits[1].words() == "sent whole"


def test_who_asks_for_two_at_once_need_not_have_read_one(serve: Any) -> None:
    serving = serve(item(exchange(), MAX))
    asks = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port(serving)}\r\n\r\n".encode()
    with closing(socket.create_connection(("127.0.0.1", port(serving)), timeout=20)) as connection:
        connection.sendall(asks * 2)
        until = time.monotonic() + 10
        while len(serving.visits) < 2 and time.monotonic() < until:
            time.sleep(0.01)
        wait_for("sent whole", serving)


def test_a_connection_that_is_not_kept_is_not_kept_for_ever(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector_app.live.serve_http.UNTIL_CLOSED_S", 0.01)
    serving = serve(item(exchange(), MAX))
    with closing(asked_of(serving, "Connection: close")):
        until = time.monotonic() + 10
        while (not serving.visits or serving.server.connections) and time.monotonic() < until:
            time.sleep(0.01)
        assert not serving.server.connections
        assert serving.visits[0].words() == "sent whole"
