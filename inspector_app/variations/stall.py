"""Nothing more comes, and the connection stays open: a client without a time limit of its own waits forever."""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import TROUBLE
from inspector_app.variations._middle import middle, unfit
from inspector_app.variations._shorten import shortened

__all__ = ["CHANGES_END", "KEEPS_MEANING", "NAME", "SORT", "TITLE", "apply", "unfit"]

NAME = "stall"
TITLE = "Fall silent in the middle of the answer, and leave the connection open"
SORT = TROUBLE
KEEPS_MEANING = False
CHANGES_END = True


def apply(reading: Reading) -> Exchange:
    n = middle(reading)
    if n is None:
        return reading.exchange
    return shortened(reading.exchange, reading.bytes_of(n)[1], "timeout", None, "client")
