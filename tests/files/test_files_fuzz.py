"""Whatever the bytes are, an input gives exchanges that hold together, or one clear complaint."""

from __future__ import annotations

import gzip
import io
import json
import zlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inspector_app.core.types import NO_TIME, Exchange, InputFault
from inspector_app.files import formats, read_input

SSE = b'event: a\ndata: {"object":"chat.completion.chunk","choices":[]}\n\ndata: [DONE]\n\n'
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
PACKED = gzip.compress(SSE, mtime=0)
HTTP = CHUNKED + b"%x;e=1\r\n%s\r\n0\r\nX-T: 1\r\n\r\n" % (len(PACKED), PACKED)
RECORDING = b"\n".join(
    [
        b'{"format": "stream-inspector/recording", "version": 1, "request": null, "timing": "measured"}',
        b'{"t": 1, "head": {"status": 200, "headers": [["content-encoding", "gzip"]]}}',
        b'{"t": 2, "b64": "H4sIAAAAAAAC/0tJLEm0UjDkAgBzQxHkCAAAAA==", "crc": "00000000"}',
        b'{"t": 3, "text": "data: 1\\n\\n", "crc": "%08x"}' % zlib.crc32(b"data: 1\n\n"),
        b'{"t": 4, "note": {"id": "n1"}}',
        b'{"t": 5, "end": {"how": "eof", "terminator": false, "trailers": [["a", "b"]]}}\n',
    ]
)
GOOD = [
    SSE,
    HTTP,
    RECORDING,
    PACKED,
    gzip.compress(RECORDING, mtime=0),
    b"HTTP/1.1 302 Found\r\n\r\nHTTP/2 200\r\ncontent-length: 70\r\n\r\n" + SSE + HTTP,
    b'{"model":"m","message":{},"done":false}\n{"model":"m","message":{},"done":true}\n',
    b'{"choices":[{"delta":{}}]}\n' * 3,
    b'[{"candidates":[]},\n{"candidates":[]}]',
]
NAMES = {row.name for row in formats()}


def holds_together(exchange: Exchange) -> None:
    assert exchange.format in NAMES
    size = len(exchange.body)
    body = exchange.body.slice(0, size)
    assert type(body) is bytes
    assert b"".join(exchange.chunks()) == body
    if exchange.read_ends is not None:
        assert list(exchange.read_ends) == sorted(exchange.read_ends)
        assert not exchange.read_ends or exchange.read_ends[-1] == size
    if exchange.read_times is not None:
        assert len(exchange.read_times) == len(exchange.read_ends or ())
        assert any(time != NO_TIME for time in exchange.read_times)
    assert all(0 <= fault.at <= fault.end <= size for fault in exchange.faults)
    assert all("\n" not in fault.detail for fault in exchange.faults)
    json.dumps([exchange.end, exchange.request, exchange.notes, exchange.http and exchange.http.headers])


def check(data: bytes) -> None:
    exchanges: list[Exchange] = []
    complaint = "all is well"
    try:
        exchanges = read_input("-", io.BytesIO(data))
    except InputFault as fault:
        complaint = str(fault)
    assert len(complaint.splitlines()) == 1
    assert [exchange.number for exchange in exchanges] == list(range(len(exchanges)))
    assert all(exchange.count == len(exchanges) for exchange in exchanges)
    for exchange in exchanges:
        holds_together(exchange)


@given(st.binary(max_size=300))
@example(b"\x1f\x8b")
@example(b"\x78\x9c")
@example(b"\x28\xb5\x2f\xfd\x24\x00")
@example(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r")
@example(b'{"format":"stream-inspector/recording","version":{}}\n{"t":1,"end":{"how":"x","trailers":[[]]}}')
@example(b'{"format":"stream-inspector/recording"}\n{"t":1e400,"text":"x"}\n{"t":NaN,"b64":""}\n')
@example(b"[" * 100_000)
@example(b'{"a":' * 100_000)
@example(bytes(100))
def test_junk_is_read(data: bytes) -> None:
    check(data)


@pytest.mark.parametrize(
    "start", [b"HTTP/1.1 200 OK\r\n", CHUNKED, RECORDING[:96], b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd"]
)
@given(st.binary(max_size=200))
def test_junk_after_a_good_start_is_read(start: bytes, data: bytes) -> None:
    check(start + data)


@given(st.sampled_from(GOOD), st.data())
def test_good_files_with_flipped_bytes_are_read(good: bytes, draw: st.DataObject) -> None:
    data = bytearray(good)
    places = st.lists(st.tuples(st.integers(0, len(data) - 1), st.integers(0, 255)), min_size=1, max_size=8)
    for place, value in draw.draw(places):
        data[place] = value
    check(bytes(data))


@pytest.mark.parametrize("good", GOOD)
def test_good_files_cut_anywhere_are_read(good: bytes) -> None:
    for size in range(len(good)):
        check(good[:size])


@given(st.sampled_from(GOOD), st.sampled_from(GOOD), st.data())
def test_good_files_spliced_into_each_other_are_read(one: bytes, other: bytes, draw: st.DataObject) -> None:
    at, to = draw.draw(st.integers(0, len(one))), draw.draw(st.integers(0, len(other)))
    check(one[:at] + other[to:])
