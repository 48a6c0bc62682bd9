"""An event comes twice, as it does from a proxy that asked again and joined both answers."""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import TROUBLE, Edit, changed
from inspector_app.variations._middle import middle, unfit
from inspector_app.variations._payloads import BY_LINES

__all__ = ["FRAMINGS", "KEEPS_MEANING", "NAME", "SORT", "TITLE", "apply", "unfit"]

NAME = "repeat-event"
TITLE = "Send an event in the middle of the answer twice"
SORT = TROUBLE
KEEPS_MEANING = False
FRAMINGS = BY_LINES | {"aws-eventstream"}


def apply(reading: Reading) -> Exchange:
    n = middle(reading)
    if n is None:
        return reading.exchange
    start, end = reading.bytes_of(n)
    return changed(reading.exchange, [Edit(end, end, reading.body.slice(start, end))])
