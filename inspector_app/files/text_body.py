"""A body of text that is no event stream and no JSON: a plain text answer, an HTML error page."""

from __future__ import annotations

from inspector_app.core.types import Exchange
from inspector_app.files._content import HTML, first_line
from inspector_app.files._source import Source

NAME = "text-body"
TITLE = "Body of plain text or HTML"
EXTENSIONS = (".txt", ".html", ".htm")


def sniff(head: bytes, name: str) -> int:
    return 75 if HTML.match(first_line(head).lstrip()) else 1


def read(source: Source) -> list[Exchange]:
    return [source.exchange(NAME)]
