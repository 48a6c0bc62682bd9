"""A log of payloads, one JSON object a line, of a dialect that streams in an envelope: the envelope is lost."""

from __future__ import annotations

from inspector_app.core.types import Exchange
from inspector_app.files._content import is_chunk, lines_are_a_log, named_like, object_lines
from inspector_app.files._source import Source

NAME = "jsonl-chunks"
TITLE = "Log of chunk payloads, one a line"
EXTENSIONS = (".jsonl", ".ndjson", ".chunks.txt")


def sniff(head: bytes, name: str) -> int:
    payloads = object_lines(head)
    if payloads is None:
        return 0
    if b"\n" not in head.strip():
        return 50 if payloads and is_chunk(payloads[0]) and named_like(name, EXTENSIONS) else 0
    return 50 if lines_are_a_log(payloads) else 0


def read(source: Source) -> list[Exchange]:
    return [source.exchange(NAME, framing="ndjson", synthetic=True)]
