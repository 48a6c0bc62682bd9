"""The end marker, without which some clients wait or raise an error."""

from __future__ import annotations

from inspector_app.core import flags as F
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR, Edit, changed
from inspector_app.variations._payloads import SSE, line_end

NAME = "add-done"
TITLE = "Send the missing end marker after the last event"
SORT = REPAIR
KEEPS_MEANING = True
FRAMINGS = frozenset({SSE})


def unfit(reading: Reading) -> str:
    """Only dialects whose end marker is plain data can lack it in this way."""
    return "" if _marker(reading) else "the streams of this API have no end marker such as [DONE]"


def apply(reading: Reading) -> Exchange:
    if reading.marker is not None:
        return reading.exchange
    size, end = len(reading.body), line_end(reading)
    last = reading.events.flags[reading.last_event] if len(reading.events) else 0
    before = b""
    if last & F.DANGLING:
        # An event that is cut ends here, too: the marker must be an event of its own.
        before = end if reading.lines[len(reading.lines) - 1].eol else end + end
    return changed(reading.exchange, [Edit(size, size, before + b"data: " + _marker(reading) + end + end)])


def _marker(reading: Reading) -> bytes:
    found: tuple[bytes, ...] = getattr(reading.dialect_module, "MARKERS", ())
    return found[0] if found else b""
