"""A body of JSON: an error, an answer that was not streamed, or a JSON array that arrives piece by piece."""

from __future__ import annotations

import re

from inspector_app.core.types import Exchange
from inspector_app.files._content import BOM, named_like
from inspector_app.files._source import Source

NAME = "json-body"
TITLE = "Body of one JSON document"
EXTENSIONS = (".json",)

OPENING = re.compile(rb"\s*(?:\{|\[\s*(?:[\[\]{\"]|\Z))")
"""How a document opens; a bracket before a number or a word is rather a line of a log."""


def sniff(head: bytes, name: str) -> int:
    if OPENING.match(head.removeprefix(BOM)):
        return 40
    return 2 if not head and named_like(name, EXTENSIONS) else 0


def read(source: Source) -> list[Exchange]:
    return [source.exchange(NAME)]
