"""The end marker does not come, though the transfer ends cleanly: was that all, or is the rest lost?"""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import TROUBLE, Edit, changed
from inspector_app.variations._payloads import BY_LINES

NAME = "no-done"
TITLE = "Leave out the end marker"
SORT = TROUBLE
KEEPS_MEANING = False
FRAMINGS = BY_LINES | {"aws-eventstream"}


def unfit(reading: Reading) -> str:
    return "" if reading.marker_event is not None else "needs a stream with an end marker"


def apply(reading: Reading) -> Exchange:
    if reading.marker_event is None:
        return reading.exchange
    return changed(reading.exchange, [Edit(*reading.bytes_of(reading.marker_event), b"")])
