"""The framing of a body, from its bytes alone and whatever the reads."""

from __future__ import annotations

import tracemalloc
import zlib

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import load_kit
from inspector_app.core.sniff import Sniffer, is_aws_frame, sniff
from inspector_app.core.types import Exchange, MemoryBody
from tests.framing.aws_frames import event

BODIES: list[tuple[bytes, str]] = [
    (b"data: {}\n\n", "sse"),
    (b"data:{}\n\n", "sse"),
    (b"\xef\xbb\xbfdata: {}\n\n", "sse"),
    (b": OPENROUTER PROCESSING\n\n", "sse"),
    (b"event: message\ndata: x\n\n", "sse"),
    (b"\n\r\ndata: x\n\n", "sse"),
    (b"data", "sse"),
    (b"connected\ndata: x\n\n", "sse"),
    (b'{"error":"no"}\ndata: x\n\n', "sse"),
    (b'{"a":1}\n{"a":2}\n', "ndjson"),
    (b'{"a":1}\r\n\r\n{"a":2}\r\n', "ndjson"),
    (b'{"a":1}\n', "json"),
    (b'{\n  "a": 1\n}\n', "json"),
    (b'[{"error":{"message":"no"}}]', "json-array"),
    (b'\xef\xbb\xbf\r\n [\n\n  {"a":1}\n,\n{"a":2}]', "json-array"),
    (b"[{", "json-array"),
    (b"[[1],2]", "json"),
    (b'["a",\n{}]', "json"),
    (b"[", "json"),
    (b"[12:30] ready\n[12:31] done\n", "json"),
    (event("messageStart", {"role": "assistant"}), "aws-eventstream"),
    (event("chunk", {"bytes": "e30="})[:12], "aws-eventstream"),
    (event("chunk", {"bytes": "e30="})[:11], "text"),
    (event("chunk", {"bytes": "e30="}).decode("utf-8", "replace").encode(), "aws-eventstream"),
    (b"\0\0\0data: x\n" + b"data: {}\n\n" * 9, "sse"),
    (b'{"a":"cut\n{"a":2}\n', "ndjson"),
    (b'{"a":[\n{"a":2}\n]}', "json"),
    (b'{"a":tru}\n{"a":2}\n', "ndjson"),
    (b'lama","done":false}\n{"a":1}\n{"a":2}\n', "ndjson"),
    (b'lama","done":false}\n{"a":1}\n', "text"),
    (b'2026-11-30 10:00:00 INFO starting\n\n{"a":1}\n\n{"a":2}\n{"a":3}\n{"a":', "ndjson"),
    (b'[10:00] INFO starting\n{"a":1}\n{"a":2}\n', "ndjson"),
    (b'["b"],"c":1}\n{"a":1}\n{"a":2}\n', "ndjson"),
    (b'[10:00] INFO starting\n{"a":1}\ndone\n', "json"),
    (b':"llama3","done":false}\n{"a":1}\n{"a":2}\n', "ndjson"),
    (b': {"ping":1}\n\n', "sse"),
    (b': {"ping":1}\n{"error":"no"}\n', "sse"),
    (b': {"ping":1}\ndata: x\n\n', "sse"),
    (b': ping\n{"error":1}\n{"error":2}\n{"error":3}\n', "sse"),
    (b'starting\n{"a":1}\ndata: x\n\n', "sse"),
    (b'The lines are:\n```json\n{"a":1}\n{"a":2}\n```\nIs that all?\n', "text"),
    (b'A stray line:\n{"a":1}\nand no more of them.\n', "text"),
    (b"a line\n" * 50 + b'{"a":1}\n' * 50 + b"a line\n" * 9, "text"),
    (b"<!DOCTYPE html><html></html>", "html"),
    (b"  <HTML>\n", "html"),
    (b"upstream connect error\n", "text"),
    (b"upstream connect error\n<html>\n", "html"),
    (b"database: x\n", "text"),
    (b"line\n" * 200 + b"data: x\n\n", "text"),
    (b"\xff\x00\x12" * 30, "text"),
    (b"", "none"),
    (b"\n\n  \r\n", "none"),
]


@pytest.mark.parametrize(("body", "framing"), BODIES)
def test_a_body_is_recognised_in_any_reads(body: bytes, framing: str) -> None:
    for size in (1, 2, 3, 7, len(body) or 1):
        sniffer = Sniffer()
        found = None
        for start in range(0, len(body), size):
            found = found or sniffer.feed(body[start : start + size])
        assert (found or sniffer.close()) == framing
    assert sniff(body) == framing


def test_a_stream_is_recognised_at_its_first_line() -> None:
    sniffer = Sniffer()
    assert sniffer.feed(b"data: {") is None
    assert sniffer.feed(b"}\n") == "sse"


def test_an_array_is_recognised_before_its_first_line_ends() -> None:
    sniffer = Sniffer()
    assert sniffer.feed(b"[\n") is None
    assert sniffer.feed(b"{") == "json-array"


def test_an_aws_frame_proves_itself_by_its_checksum() -> None:
    prelude = (64).to_bytes(4, "big") + (8).to_bytes(4, "big")
    assert is_aws_frame(prelude + zlib.crc32(prelude).to_bytes(4, "big"))
    assert not is_aws_frame(prelude + b"\0\0\0\0")
    assert not is_aws_frame(b"data: {}")


def test_nothing_of_a_long_line_is_held_once_it_is_read() -> None:
    # What waited for the framing was kept twice, for as long as the recording was open.
    body = b'data: "' + b"b" * (1 << 22) + b'"\n\n'
    analysis = Analysis(Exchange("x", "sse-body", MemoryBody(body)), load_kit())
    tracemalloc.start()
    try:
        for start in range(0, len(body), 1 << 18):
            analysis.feed(body[start : start + (1 << 18)])
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert analysis.reading.framing == "sse"
    assert held < len(body) // 4
