"""Who may ask a server of ours, and how a request must be written."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inspector_app.live.base_urls import settings
from inspector_app.live.loopback import Refusal, Request, RequestReader

PORT = 8123
HOST = b"Host: 127.0.0.1:8123\r\n"
CHUNKED = b"Transfer-Encoding: chunked"
PIECES = (
    b"POST / HTTP/1.1\r\n", b"GET /a HTTP/1.1\r\n", HOST, b"Content-Length: 3\r\n", b"\r\n", b"abc", b"\n", b"\r",
    b"Transfer-Encoding: chunked\r\n", b"3\r\nabc\r\n", b"0\r\n\r\n", b"Connection: close\r\n", b" folded\r\n",
)  # fmt: skip


def post(*fields: bytes, body: bytes = b"{}", start: bytes = b"POST /v1/chat/completions HTTP/1.1") -> bytes:
    length = [] if any(b"ength" in field or b"ncoding" in field for field in fields) else [b"Content-Length: 2"]
    return b"\r\n".join([start, *fields, *length, b"", b""]) + body


def read(data: bytes, size: int) -> list[Request | Refusal]:
    reader = RequestReader(PORT)
    found: list[Request | Refusal] = []
    for at in range(0, len(data), size):
        reader.feed(data[at : at + size])
        found.extend(reader.requests())
    return found


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_requests_are_read_however_they_are_cut(size: int) -> None:
    host = b"Host: localhost:8123"
    chunked = post(host, b"Transfer-Encoding: chunked", body=b"1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")
    found = read(post(host) + b"\r\n" + chunked + post(host, b"Connection: close"), size)
    assert [(one.method, one.target, one.body, one.keeps) for one in found if isinstance(one, Request)] == [
        ("POST", "/v1/chat/completions", b"{}", True),
        ("POST", "/v1/chat/completions", b"{}", True),
        ("POST", "/v1/chat/completions", b"{}", False),
    ]
    assert len(found) == 3


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_lines_in_chunks_may_end_as_they_like(size: int) -> None:
    chunked = post(HOST[:-2], CHUNKED, body=b"4;a=b\r\n{\n}\n\r\n0a\r\n\n\r\n0\r\n\r\nxx\r\n0\r\nA: b\r\n\r\n")
    found = read(chunked + post(HOST[:-2]), size)
    assert [one.body for one in found if isinstance(one, Request)] == [b"{\n}\n" + b"\n\r\n0\r\n\r\nxx", b"{}"]


REFUSED: list[tuple[str, bytes, int]] = [
    ("another host", post(b"Host: evil.example:8123"), 403),
    ("our address without the port", post(b"Host: 127.0.0.1"), 403),
    ("another port", post(b"Host: 127.0.0.1:8124"), 403),
    ("a name that begins like ours", post(b"Host: 127.0.0.1:8123.evil.example"), 403),
    ("a user before the host", post(b"Host: x@127.0.0.1:8123"), 403),
    ("no host", post(start=b"POST / HTTP/1.0"), 403),
    ("two hosts", post(b"Host: 127.0.0.1:8123", b"Host: 127.0.0.1:8123"), 400),
    ("another origin", post(b"Host: 127.0.0.1:8123", b"Origin: https://evil.example"), 403),
    ("no origin", post(b"Host: 127.0.0.1:8123", b"Origin: null"), 403),
    ("another port as origin", post(b"Host: 127.0.0.1:8123", b"Origin: http://127.0.0.1:9000"), 403),
    ("an image on a page", post(b"Host: 127.0.0.1:8123", b"Sec-Fetch-Site: cross-site"), 403),
    ("CONNECT", post(b"Host: 127.0.0.1:8123", start=b"CONNECT evil.example:443 HTTP/1.1"), 400),
    ("the absolute form", post(b"Host: 127.0.0.1:8123", start=b"GET http://evil.example/ HTTP/1.1"), 400),
    ("two lengths", post(b"Host: 127.0.0.1:8123", b"Content-Length: 2", b"Content-Length: 3"), 400),
    ("a length and chunks", post(b"Host: 127.0.0.1:8123", b"Content-Length: 2", b"Transfer-Encoding: chunked"), 400),
    ("LF alone", b"POST / HTTP/1.1\nHost: 127.0.0.1:8123\n\n\r\n\r\n", 400),
    ("LF alone in the middle", b"POST / HTTP/1.1\r\nHost: 127.0.0.1:8123\nA: b\r\n\r\n", 400),
    ("a chunk's size with LF alone", post(HOST[:-2], CHUNKED, body=b"2\n{}\n0\n\n"), 400),
    ("a chunk's end with LF alone", post(HOST[:-2], CHUNKED, body=b"2\r\n{}\n0\r\n\r\n"), 400),
    ("the last chunk with LF alone", post(HOST[:-2], CHUNKED, body=b"2\r\n{}\r\n0\n\r\n"), 400),
    ("the end of chunks with LF alone", post(HOST[:-2], CHUNKED, body=b"2\r\n{}\r\n0\r\n\n"), 400),
    ("a trailer with LF alone", post(HOST[:-2], CHUNKED, body=b"2\r\n{}\r\n0\r\nA: b\n\r\n"), 400),
    ("one length twice", b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\nContent-Length: 1\r\n\r\na", 400),
    ("a list of lengths", b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 1, 1\r\n\r\na", 400),
    ("a folded field", b"POST / HTTP/1.1\r\nHost: 127.0.0.1:8123\r\nA: b\r\n c\r\n\r\n", 400),
    ("no HTTP", b"\x16\x03\x01\x02\x00\r\n\r\n", 400),
    ("a body too long", post(HOST[:-2], b"Content-Length: 67108865", body=b""), 413),
    (
        "a body too long to go on with",
        post(HOST[:-2], b"Expect: 100-continue", b"Content-Length: 99999999", body=b""),
        413,
    ),
    ("a length too long", post(HOST[:-2], b"Content-Length: " + b"9" * 30, body=b""), 400),
    ("TLS", b"\x16\x03\x01\x02\x00\x01\x00", 400),
    ("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    ("an endless head", b"GET / HTTP/1.1\r\n" + HOST + b"A: " + b"a" * 70_000, 431),
]


@pytest.mark.parametrize("name, data, status", REFUSED, ids=[name for name, _, _ in REFUSED])
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_what_is_refused(name: str, data: bytes, status: int, size: int) -> None:
    [found] = read(data, size)
    assert isinstance(found, Refusal), name
    assert found.status == status, found


WORDS: list[tuple[bytes, str]] = [
    (b"\x15\x03\x01\x02\x00\r\n\r\n", "its first line is not like POST /path HTTP/1.1"),
    (b"GET /a b HTTP/1.1\r\n\r\n", "its first line is not like POST /path HTTP/1.1"),
    (b"GET / HTTP/1.1\r\n\r\n", "it names no Host"),
    (b"GET / HTTP/1.1\r\n" + HOST + HOST + b"\r\n", "it names more than one Host"),
    (b"GET / HTTP/1.1\r\n" + HOST + b"Authorization Bearer secret\r\n\r\n", '"Authorization …" is no header field'),
    (b"GET / HTTP/1.1\r\n" + HOST + b"x-api-key=secret\r\n\r\n", '"x-api-key …" is no header field'),
    (b"GET / HTTP/1.1\r\n" + HOST + b"secret\r\n\r\n", '" …" is no header field'),
    (b"GET / HTTP/1.1\r\n" + HOST + b"Content-Length: x\r\n\r\n", "its Content-Length is no number"),
    (b"GET / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: gzip\r\n\r\n", "another one than chunked"),
    (
        b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        'the chunked coding of the request is broken: "zz …" stands where the size',
    ),
]


@pytest.mark.parametrize("data, words", WORDS, ids=[words for _, words in WORDS])
def test_what_is_no_http_is_told_in_words(data: bytes, words: str) -> None:
    [found] = read(data, 1 << 20)
    assert isinstance(found, Refusal)
    assert found.why.startswith("the request is no HTTP: ")
    assert words in found.why
    assert not any(inside in found.why for inside in ("bytearray", "b'", "secret"))


@pytest.mark.parametrize(
    "fields",
    [
        (b"Host: LOCALHOST:8123",),
        (b"Host: [::1]:8123",),
        (b"Host: 127.0.0.1:8123", b"Origin: http://127.0.0.1:8123"),
        (b"Host: 127.0.0.1:8123", b"Sec-Fetch-Site: none"),
    ],
)
def test_what_is_answered(fields: tuple[bytes, ...]) -> None:
    [found] = read(post(*fields), 1 << 20)
    assert isinstance(found, Request), found


def test_a_client_that_waits_is_told_to_go_on() -> None:
    reader = RequestReader(PORT)
    reader.feed(post(b"Host: 127.0.0.1:8123", b"Expect: 100-continue", body=b""))
    assert reader.next() is None
    assert reader.waits
    reader.feed(b"{}")
    assert isinstance(reader.next(), Request)
    assert not reader.waits


def test_settings_name_the_address_and_the_clients_of_a_dialect() -> None:
    every = settings("http://127.0.0.1:8123/one-byte")
    assert all("http://127.0.0.1:8123/one-byte" in one.line for one in every)
    assert not any("{{" in one.line or "}}" in one.line for one in every)
    clients = {one.client for one in settings("http://127.0.0.1:1", frozenset({"gemini"}))}
    assert clients == {"google-genai (Python)", "@google/genai", "AI SDK, @ai-sdk/google", "curl"}


def test_settings_leave_keys_and_models_alone_where_the_clients_own_are_needed() -> None:
    lines = [one.line for one in settings("http://127.0.0.1:1", version="v4", with_key=False)]
    assert 'OpenAI(base_url="http://127.0.0.1:1/v4")' in lines
    assert not any("any" in line or "{" + "key" in line for line in lines)


@given(st.lists(st.one_of(st.binary(max_size=40), st.sampled_from(PIECES)), max_size=12))
@example([b"GET / HTTP/1.1\r\nHost: 127.0.0.1:8123\r\nContent-Length: -1\r\n\r\n"])
@example([b"POST / HTTP/1.1\r\n", HOST, b"Transfer-Encoding: chunked\r\n\r\n", b"ffffffffffffffffffff\r\n"])
@example([b"GET / HTTP/9.9\r\n", HOST, b"\r\n"])
@example([b"\r\n\r\n\r\n\r\n"])
@example([b"\r", b"\r\n"])
@example([b"GET / HTTP/1.1\r\r\n\r\n"])
def test_whatever_comes_is_a_request_or_refused(pieces: list[bytes]) -> None:
    reader = RequestReader(PORT)
    refused = False
    for piece in pieces:
        reader.feed(piece)
        for found in reader.requests():
            assert not refused
            refused = isinstance(found, Refusal)
    whole = read(b"".join(pieces), 1 << 20)
    again = read(b"".join(pieces), 1)
    assert [type(one) for one in whole] == [type(one) for one in again]
