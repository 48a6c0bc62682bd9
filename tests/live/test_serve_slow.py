"""A client of the replay server that reads more slowly than it is written to."""

from __future__ import annotations

import socket

import pytest

from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.live.serve import Serving
from inspector_app.live.serve_item import How
from tests.live.replay import item

EVENT = b"data: " + b"a" * 1000 + b"\n\n"
ASKED = "GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n"


def test_an_answer_that_ends_while_a_client_catches_up_ends_once(caplog: pytest.LogCaptureFixture) -> None:
    body = MemoryBody(EVENT * 8000)
    with Serving([item(Exchange("body", "sse-body", body), How(speed=None))]) as serving:
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", serving.server.port), 20) as connection:
                connection.sendall(ASKED.format(serving.server.port).encode())
                got = b""
                while piece := connection.recv(1 << 16):
                    got += piece
            assert got.endswith(b"\r\n0\r\n\r\n")
        assert [visit.state for visit in serving.visits] == ["drained"] * 20
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []
