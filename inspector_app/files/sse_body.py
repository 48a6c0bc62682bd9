"""The body of an SSE answer, saved without its head: `curl -N` to a file."""

from __future__ import annotations

from inspector_app.core.sniff import may_be_rest_of_object
from inspector_app.core.types import Exchange
from inspector_app.files._content import SSE_LINE, first_line, named_like, object_lines, text_lines
from inspector_app.files._source import Source

NAME = "sse-body"
TITLE = "Body of an event stream"
EXTENSIONS = (".sse", ".txt")


def sniff(head: bytes, name: str) -> int:
    first = first_line(head)
    if SSE_LINE.match(first):
        return 0 if may_be_rest_of_object(first.strip()) and object_lines(head) else 80
    # What stands before the stream (an error, a stray line) does not make it something else.
    if any(SSE_LINE.match(line) for line in text_lines(head)):
        return 60
    return 2 if not head and named_like(name, (".sse",)) else 0


def read(source: Source) -> list[Exchange]:
    return [source.exchange(NAME)]
