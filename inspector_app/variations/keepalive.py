"""Comments say that the server is still there; a client that takes each line for an event stumbles over them."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from dataclasses import replace

from inspector_app.core.reading import Reading
from inspector_app.core.types import NO_TIME, Exchange, MemoryBody
from inspector_app.variations._change import TROUBLE, Argument, Edit, changed, seconds_of
from inspector_app.variations._payloads import SSE, line_end

NAME = "keepalive"
TITLE = "Send a comment after each silence, and between events"
SORT = TROUBLE
KEEPS_MEANING = True
FRAMINGS = frozenset({SSE})
ARGUMENT = Argument("SECONDS", "how long a silence lasts until a comment is sent", "15", "one before each event")
CASES = {NAME: ("", "Send a comment before each event")}

COMMENT = b": keep-alive"


def apply(reading: Reading, argument: str = "") -> Exchange:
    words = COMMENT + line_end(reading) * 2
    if not argument:
        starts = [reading.bytes_of(n)[0] for n in range(len(reading.events))]
        # A BOM stands at the very start or is none.
        return changed(reading.exchange, [Edit(at, at, words) for at in starts if at])
    return _in_silence(reading, round(seconds_of(NAME, ARGUMENT, argument) * 1e9), words)


def _in_silence(reading: Reading, most: int, words: bytes) -> Exchange:
    """Comments as reads of their own where nothing came for so many ns, and an event has just ended."""
    exchange = reading.exchange
    ends, times = exchange.read_ends, exchange.read_times
    if ends is None or times is None:
        return exchange
    between = [0, *(reading.bytes_of(n)[1] for n in range(len(reading.events)))]
    pieces: list[tuple[int, bytes]] = []
    start, last = 0, exchange.head_time or 0
    for end, time in zip(ends, times, strict=True):
        whole = between[bisect_left(between, start) % len(between)] == start
        while whole and time != NO_TIME and time - last > most:
            last += most
            pieces.append((last, words))
        pieces.append((time, exchange.body.slice(start, end)))
        start, last = end, last if time == NO_TIME else time
    if len(pieces) == len(ends):
        return exchange
    pieces.append((NO_TIME, exchange.body.slice(start, len(exchange.body))))
    kept = [piece for piece in pieces if piece[1]]
    made_ends: array[int] = array("q")
    for _, data in kept:
        made_ends.append(len(data) + (made_ends[-1] if made_ends else 0))
    body = MemoryBody(b"".join(data for _, data in kept))
    made_times = array("q", [time for time, _ in kept])
    return replace(exchange, body=body, coded=None, read_ends=made_ends, read_times=made_times, faults=[], notes=[])
