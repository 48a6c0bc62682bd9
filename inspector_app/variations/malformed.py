"""One event is no JSON: a client that leaves it out in silence shows a text with a hole."""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import TROUBLE, changed
from inspector_app.variations._middle import NOTHING_SAID, content_events
from inspector_app.variations._payloads import BY_LINES, Payload, payload_of

NAME = "malformed-json"
TITLE = "Lose the last half of the JSON of an event in the middle of the answer"
SORT = TROUBLE
KEEPS_MEANING = False
FRAMINGS = BY_LINES


def unfit(reading: Reading) -> str:
    return "" if _payload(reading) is not None else NOTHING_SAID


def apply(reading: Reading) -> Exchange:
    payload = _payload(reading)
    if payload is None or payload.root is None:
        return reading.exchange
    half = (payload.root.start + payload.root.end) // 2
    return changed(reading.exchange, [payload.edit(half, len(payload.data), b"")])


def _payload(reading: Reading) -> Payload | None:
    """The one nearest to the middle that can be changed in its place."""
    events = content_events(reading)
    for n in sorted(events, key=lambda n: abs(n - events[len(events) // 2])):
        payload = payload_of(reading, n)
        if payload is not None and payload.root is not None:
            return payload
    return None
