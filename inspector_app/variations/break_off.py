"""The connection goes away in the middle of the answer, as it does when a server or a proxy is restarted."""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import TROUBLE, Argument, one_of
from inspector_app.variations._middle import middle, unfit
from inspector_app.variations._shorten import shortened

__all__ = ["ARGUMENT", "CASES", "CHANGES_END", "KEEPS_MEANING", "NAME", "SORT", "TITLE", "apply", "unfit"]

NAME = "break-off"
TITLE = "Close the connection in the middle of the answer, without the last chunk"
SORT = TROUBLE
KEEPS_MEANING = False
CHANGES_END = True
ARGUMENT = Argument("truncated|reset", "how it goes away: closed, or torn down with a reset", "truncated", "truncated")
CASES = {
    NAME: ("truncated", "Close the connection in the middle, without the last chunk"),
    "reset": ("reset", "Reset the connection in the middle"),
}


def apply(reading: Reading, argument: str = "") -> Exchange:
    how = one_of(NAME, ARGUMENT, argument, ("truncated", "reset"))
    n = middle(reading)
    return reading.exchange if n is None else shortened(reading.exchange, reading.bytes_of(n)[1], how, False)
