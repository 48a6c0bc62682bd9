"""A byte order mark at the start of a stream is left out by readers; for some clients it hides the first event."""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import TROUBLE, Edit, changed
from inspector_app.variations._payloads import BOM, SSE

NAME = "bom"
TITLE = "Begin with a byte order mark"
SORT = TROUBLE
KEEPS_MEANING = True
FRAMINGS = frozenset({SSE})


def unfit(reading: Reading) -> str:
    return "begins with one" if reading.body.slice(0, len(BOM)) == BOM else ""


def apply(reading: Reading) -> Exchange:
    return changed(reading.exchange, [Edit(0, 0, BOM)])
