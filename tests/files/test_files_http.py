"""Raw HTTP responses as people save them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector_app.core.types import Exchange
from inspector_app.files import read_input
from inspector_app.files.http_response import HEAD_LIMIT

SSE = b'data: {"a":1}\n\ndata: [DONE]\n\n'
CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
PLAIN = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
WHOLE = b"f\r\n" + SSE[:15] + b"\r\nE\r\n" + SSE[15:] + b"\r\n0\r\n\r\n"
CUT = "the response ends before its last chunk"


def sized(length: int, body: bytes, *fields: bytes) -> bytes:
    return b"\r\n".join([b"HTTP/1.1 200 OK", b"Content-Length: %d" % length, *fields, b"", body])


TRANSFERS = [
    # what it is, file, body, terminator, how it is cut
    ("chunks", CHUNKED + WHOLE, SSE, True, None),
    ("chunks of lower-case fields", CHUNKED.lower().replace(b"http", b"HTTP") + WHOLE, SSE, True, None),
    ("one chunk in capitals", CHUNKED + b"1D\r\n" + SSE + b"\r\n0\r\n\r\n", SSE, True, None),
    ("chunk extensions", CHUNKED + b'1d;name="a;b"\r\n' + SSE + b"\r\n0;last\r\n\r\n", SSE, True, None),
    ("leading zeros and blanks in a size", CHUNKED + b"0001d  \r\n" + SSE + b"\r\n000\r\n\r\n", SSE, True, None),
    ("trailers", CHUNKED + WHOLE[:-2] + b"X-Checksum: 1\r\nX-Usage: 2\r\n\r\n", SSE, True, None),
    ("no blank line after the last chunk", CHUNKED + WHOLE[:-2], SSE, True, None),
    ("an empty body in chunks", CHUNKED + b"0\r\n\r\n", b"", True, None),
    ("chunks in a file with line feeds only", (CHUNKED + WHOLE).replace(b"\r\n", b"\n"), SSE, True, None),
    ("chunk framing removed by curl", CHUNKED + SSE, SSE, None, None),
    ("chunk framing removed, text like a size", CHUNKED + b"add\nup", b"add\nup", None, None),
    ("no last chunk", CHUNKED + WHOLE[:-5], SSE, False, CUT),
    ("half a last chunk", CHUNKED + WHOLE[:-4], SSE, False, CUT),
    ("no line end after a chunk", CHUNKED + WHOLE[:-7], SSE, False, CUT),
    ("half a line end after a chunk", CHUNKED + WHOLE[:-6], SSE, False, CUT),
    ("a size cut short", CHUNKED + WHOLE[:21], SSE[:15], False, CUT),
    ("half a chunk", CHUNKED + WHOLE[:12], SSE[:9], False, "the response ends 6 bytes before its chunk does"),
    ("half a first size", CHUNKED + b"1", b"", False, CUT),
    ("no chunk at all", CHUNKED, b"", False, "the response ends before its first chunk"),
    ("an edited chunk", CHUNKED + b"3\r\nabc\r\n3\r\nabXXXc\r\n0\r\n\r\n", b"abcabXXXc\r\n0\r\n\r\n", False,
     "the chunk framing breaks at byte 94 of the file; what follows is shown as it stands"),
    ("a size that is none", CHUNKED + b"3\r\nabc\r\nhello\r\n", b"abchello\r\n", False,
     "the chunk framing breaks at byte 88 of the file; what follows is shown as it stands"),
    ("a size beyond all memory", CHUNKED + b"ffffffffffffffff\r\nabc", b"abc", False,
     "the response ends 18446744073709551612 bytes before its chunk does"),
    ("bytes after the last chunk", CHUNKED + WHOLE + b"rubbish", SSE, True, None),
    ("a length", sized(len(SSE), SSE), SSE, True, None),
    ("a length of nothing", sized(0, b""), b"", True, None),
    ("a length that is too long", sized(99, SSE), SSE, False,
     "the response ends after 29 of the 99 bytes that Content-Length announces"),
    ("a length that is too short", sized(3, SSE), SSE, True, None),
    ("a length that is none", b"HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\n" + SSE, SSE, None, None),
    ("the length of what was compressed", sized(9999, SSE, b"Content-Encoding: gzip"), SSE, None, None),
    ("a length beside chunks", CHUNKED[:-2] + b"Content-Length: 3\r\n\r\n" + WHOLE, SSE, True, None),
    ("an end of the connection", PLAIN + SSE, SSE, None, None),
    ("line feeds only", b"HTTP/1.1 200 OK\nContent-Type: text/event-stream\n\n" + SSE, SSE, None, None),
    ("a body of line ends alone", PLAIN + b"\r\n\r\n", b"\r\n\r\n", None, None),
    ("a body that opens with blank lines", PLAIN + b"\n\n" + SSE, b"\n\n" + SSE, None, None),
    ("no body by its status", b"HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n", b"", True, None),
    ("HTTP/2", b"HTTP/2 200 \r\ncontent-type: text/event-stream\r\n\r\n" + SSE, SSE, None, None),
    ("HTTP/3", b"HTTP/3 200\r\n\r\n" + SSE, SSE, None, None),
    ("an error", b'HTTP/1.1 429 Too Many\r\nContent-Length: 13\r\n\r\n{"error":"x"}', b'{"error":"x"}', True, None),
    ("a head that is cut", b"HTTP/1.1 200 OK\r\nContent-Ty", b"", False, "the response ends inside its head"),
    ("a status line that is cut", b"HTTP/1.1 200 O", b"", False, "the response ends inside its head"),
]  # fmt: skip


@pytest.mark.parametrize("what, data, body, terminator, cut", TRANSFERS, ids=[row[0] for row in TRANSFERS])
def test_the_transfer_is_undone(
    what: str, data: bytes, body: bytes, terminator: bool | None, cut: str | None, read_one: Callable[..., Exchange]
) -> None:
    exchange = read_one(data, "answer.txt")
    assert exchange.format == "http-response"
    assert exchange.body.slice(0, len(data)) == body
    assert exchange.end is not None
    assert exchange.end["terminator"] is terminator
    assert exchange.end["how"] == ("truncated" if cut else "eof")
    assert [tuple(fault) for fault in exchange.faults if fault.rule == "frame-cut"] == (
        [("frame-cut", len(body), len(body), cut)] if cut else []
    )
    assert (exchange.read_ends, exchange.timing) == (None, "none")


def test_the_head_keeps_what_was_sent(read_one: Callable[..., Exchange]) -> None:
    fields = [b"X-A:1", b"x-a:  two words ", b"NoColon", b"X-Empty:", b"X-Fold: a", b"  b", b"X-Latin: \xe9"]
    head = b"\r\n".join([b"HTTP/1.1 200 OK", *fields, b"", b""])
    exchange = read_one(head + SSE)
    assert exchange.http is not None
    assert exchange.http.headers == [
        ("X-A", "1"), ("x-a", "two words"), ("NoColon", ""), ("X-Empty", ""), ("X-Fold", "a b"), ("X-Latin", "é"),
    ]  # fmt: skip
    assert (exchange.http.status, exchange.http.version) == (200, "HTTP/1.1")


@pytest.mark.parametrize("version", ["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/2.0", "HTTP/3"])
def test_the_version_is_the_one_of_the_status_line(version: str, read_one: Callable[..., Exchange]) -> None:
    exchange = read_one(b"\xef\xbb\xbf\r\n" + version.encode() + b" 503\r\n\r\n")
    assert exchange.http is not None
    assert (exchange.http.status, exchange.http.version, exchange.format) == (503, version, "http-response")


def test_trailers_are_kept_with_the_end(read_one: Callable[..., Exchange]) -> None:
    exchange = read_one(CHUNKED + WHOLE[:-2] + b"X-Checksum: 1\r\n\r\n")
    assert exchange.end == {
        "how": "eof", "terminator": True, "closed_by": None, "trailers": [["X-Checksum", "1"]], "detail": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    "data, detail",
    [
        (CHUNKED + WHOLE + b"rubbish", "7 bytes follow the last chunk and belong to no response"),
        (sized(3, SSE), "26 bytes more than Content-Length announces"),
        (sized(len(SSE), SSE), None),
    ],
)
def test_bytes_that_the_transfer_does_not_explain_are_named(
    data: bytes, detail: str | None, read_one: Callable[..., Exchange]
) -> None:
    exchange = read_one(data)
    assert exchange.end is not None
    assert exchange.end["detail"] == detail


INTERIM = [
    ("100 Continue", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ("103 Early Hints", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    ("the answer of a proxy", b"HTTP/1.1 200 Connection established\r\n\r\n"),
    ("a proxy that asks for a login", b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"),
    ("a redirect", b"HTTP/1.1 301 Moved\r\nLocation: /v2\r\nContent-Length: 99\r\n\r\n"),
    ("a redirect with its body", b"HTTP/1.1 307 Moved\r\nContent-Length: 5\r\n\r\n<a/>\n"),
    ("several", b"HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 302 Found\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"),
]


@pytest.mark.parametrize("what, heads", INTERIM, ids=[row[0] for row in INTERIM])
def test_heads_before_the_answer_are_not_the_answer(
    what: str, heads: bytes, read_one: Callable[..., Exchange]
) -> None:
    exchange = read_one(heads + b"HTTP/2 201\r\nx-last: yes\r\n\r\n" + SSE)
    assert exchange.http is not None
    assert (exchange.http.status, exchange.http.headers) == (201, [("x-last", "yes")])
    assert exchange.body.slice(0, 99) == SSE


@pytest.mark.parametrize("first", [CHUNKED + WHOLE, sized(len(SSE), SSE), PLAIN + SSE])
def test_several_answers_in_one_file_are_several_exchanges(
    first: bytes, read_all: Callable[..., list[Exchange]]
) -> None:
    answers = read_all(first + b"HTTP/1.1 500 Oops\r\nX-N: 2\r\n\r\n" + b'{"error":"x"}')
    assert [(answer.number, answer.count) for answer in answers] == [(0, 2), (1, 2)]
    assert [answer.http.status for answer in answers if answer.http] == [200, 500]
    assert [answer.body.slice(0, 99) for answer in answers] == [SSE, b'{"error":"x"}']


def test_a_head_that_a_text_quotes_is_part_of_the_text(read_one: Callable[..., Exchange]) -> None:
    text = b"A response looks so:\nHTTP/1.1 200 OK\nX-A: 1\n\nand so on"
    assert read_one(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + text).body.slice(0, 999) == text


def test_a_content_coding_inside_chunks_is_undone(read_one: Callable[..., Exchange]) -> None:
    coded = gzip.compress(SSE)
    head = CHUNKED[:-2] + b"Content-Encoding: gzip\r\n\r\n"
    exchange = read_one(head + b"%x\r\n%s\r\n0\r\n\r\n" % (len(coded), coded))
    assert (exchange.body.slice(0, 99), exchange.coding) == (SSE, "gzip")
    assert [(fault.rule, fault.detail) for fault in exchange.faults] == [
        ("http-compressed", "gzip, announced by Content-Encoding")
    ]


def test_a_cut_transfer_of_compressed_bytes_is_one_cut(read_one: Callable[..., Exchange]) -> None:
    coded = gzip.compress(SSE)
    exchange = read_one(sized(len(coded), coded[:-9], b"Content-Encoding: gzip"))
    assert exchange.body.slice(0, 10) == SSE[:10]
    assert [fault.rule for fault in exchange.faults] == ["http-compressed", "frame-cut"]
    assert "Content-Length" in exchange.faults[1].detail


def test_a_compressed_file_says_nothing_of_the_response_in_it(read_one: Callable[..., Exchange]) -> None:
    exchange = read_one(gzip.compress(PLAIN + SSE), "answer.http.gz")
    assert (exchange.format, exchange.coding, exchange.faults) == ("http-response", None, [])
    assert exchange.body.slice(0, 99) == SSE


def test_a_head_without_end_becomes_body_at_the_limit(read_one: Callable[..., Exchange]) -> None:
    data = b"HTTP/1.1 200 OK\r\n" + b"x" * HEAD_LIMIT + b"\r\n\r\n"
    exchange = read_one(data)
    assert len(exchange.body) == HEAD_LIMIT + 4
    assert [(fault.rule, fault.at) for fault in exchange.faults] == [("meta-limit-reached", 0)]


def test_captures_have_the_bodies_that_were_saved_beside_them(shared: Path) -> None:
    wrong = []
    captures = sorted((shared / "captures").glob("*.http"))
    assert captures
    for path in captures:
        (exchange,) = read_input(str(path))
        twin = next(twin for end in (".sse", ".body", ".ndjson") if (twin := path.with_suffix(end)).exists())
        timing = json.loads(path.with_suffix(".timing.json").read_bytes())
        whole = exchange.end is not None and exchange.end["terminator"] is True
        # What was not sent in chunks had a length, and all of it came.
        expected = timing["chunked_terminated"] if timing["chunked"] else True
        if exchange.body.slice(0, 1 << 30) != twin.read_bytes() or whole != expected:
            wrong.append((path.name, exchange.end))
    assert not wrong
