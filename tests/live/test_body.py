"""The bytes of a body are the same however the head before it ends, and wherever the writes of the server cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector_app.live.body import after_head
from tests.live.server import Server
from tests.live.streams import stream

BODY = b'data: {"x":"one"}\n\ndata: two\r\n\r\ndata: [DONE]\n\n'
CODED = b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY)
BODIES = {
    "to the close": ((), BODY),
    "of a length": ((b"Content-Length: %d" % len(BODY),), BODY),
    "chunked": ((b"Transfer-Encoding: chunked",), CODED),
    "chunked, then a bare LF": ((b"Transfer-Encoding: chunked",), CODED[:-2] + b"\n"),
}
ENDS = {
    "CRLF": (b"\r\n", b"\r\n"),
    "LF": (b"\n", b"\n"),
    "LF, then CRLF": (b"\n", b"\r\n"),
    "CRLF, then LF": (b"\r\n", b"\n"),
}
"""What ends each line of a head, and what ends the head behind them."""
INTERIM = {"": b"", "100 ": b"HTTP/1.1 100 Continue\n\n", "103 ": b"HTTP/1.1 103\r\nLink: </x>\r\n\r\n"}


def answer(end: str, fields: tuple[bytes, ...]) -> bytes:
    line, last = ENDS[end]
    return line.join([b"HTTP/1.1 200 OK", b"Content-Type: text/event-stream", *fields, b""]) + last


WRITES = {
    "one write": lambda head, body: (head + body,),
    "two writes": lambda head, body: (head, body),
    "byte by byte": lambda head, body: tuple(bytes([one]) for one in head + body),
}


@pytest.mark.parametrize("writes", WRITES)
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("end", ENDS)
def test_no_byte_of_a_body_is_lost_behind_its_head(end: str, body: str, writes: str, tmp_path: Path) -> None:
    fields, wire = BODIES[body]
    steps = WRITES[writes](answer(end, fields), wire)
    with Server(scripts=lambda path: steps) as server:
        ran = stream(server, "x", tmp_path, enough=len(BODY))
    assert ran.body == BODY
    assert ran.end.how == "done"
    assert ran.recorded().body.slice(0, 1 << 20) == BODY


@pytest.mark.parametrize("before", INTERIM.values(), ids=INTERIM)
@pytest.mark.parametrize("end", ENDS)
def test_what_follows_the_head_is_told_apart_from_it(end: str, before: bytes) -> None:
    wire = before + answer(end, ()) + BODY
    assert after_head(wire) == BODY
    assert [after_head(wire[:at]) for at in range(len(before), len(wire) - len(BODY))] == [b""] * (
        len(wire) - len(BODY) - len(before)
    )
