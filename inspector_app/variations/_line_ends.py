"""All line ends of a body as one and the same."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import Edit, changed

NAMES = {"lf": b"\n", "crlf": b"\r\n", "cr": b"\r"}


def with_line_ends(reading: Reading, end: bytes) -> Exchange:
    """The exchange whose lines end with `end`; the exchange itself where they do."""
    return changed(reading.exchange, _edits(reading, end))


def _edits(reading: Reading, end: bytes) -> Iterator[Edit]:
    for number in range(len(reading.lines)):
        line = reading.lines[number]
        if line.eol and line.eol != end:
            yield Edit(line.end, line.end + len(line.eol), end)
