"""Some clients read only lines that begin with `data: `, though the space is optional."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR, Edit, changed
from inspector_app.variations._payloads import SSE, fields

NAME = "space-data"
TITLE = "Write exactly one space behind the colon of each field"
SORT = REPAIR
KEEPS_MEANING = True
FRAMINGS = frozenset({SSE})


def apply(reading: Reading) -> Exchange:
    return changed(reading.exchange, _edits(reading))


def _edits(reading: Reading) -> Iterator[Edit]:
    for at, value in fields(reading):
        if value and value[:1] != b" ":
            yield Edit(at, at, b" ")
        elif value[1:2] in (b" ", b"\t") and value.lstrip(b" \t")[:1] in (b"{", b"["):
            # More white space says nothing in front of JSON alone.
            yield Edit(at, at + len(value) - len(value.lstrip(b" \t")), b" ")
