"""A body of one JSON object a line, of a dialect that streams so by itself: Ollama, Cohere v1, JSON-RPC over stdio."""

from __future__ import annotations

from inspector_app.core.types import Exchange
from inspector_app.files._content import is_native, lines_are_a_log, named_like, object_lines
from inspector_app.files._source import Source

NAME = "ndjson-body"
TITLE = "Body of JSON lines"
EXTENSIONS = (".ndjson", ".jsonl")


def sniff(head: bytes, name: str) -> int:
    payloads = object_lines(head)
    if payloads is None:
        return 2 if not head and named_like(name, EXTENSIONS) else 0
    if b"\n" not in head.strip():
        # One object is a document, unless both what it says and its name say that it is one of many.
        return 50 if payloads and is_native(payloads[0]) and named_like(name, EXTENSIONS) else 0
    return 0 if lines_are_a_log(payloads) else 50


def read(source: Source) -> list[Exchange]:
    # A single line would be taken for one document by anyone who does not know the file's name.
    return [source.exchange(NAME, framing=None if b"\n" in source.head.strip() else "ndjson")]
