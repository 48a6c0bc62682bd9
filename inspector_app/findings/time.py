"""Rules about timing: silent where no arrival times were measured."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from inspector_app.core.buffering import BURST_DELTAS, BURST_NS, BURST_WAIT_NS
from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.reading import Reading
from inspector_app.core.text import duration
from inspector_app.core.types import NO_TIME
from inspector_app.findings._places import TEXT_KINDS, first_position, last_position, layouts_where

STALL = 30_000_000_000
"""Nanoseconds without a byte from which on a stream stalls."""
TOGETHER = 20_000
"""Reads that are looked at between two rests."""


def _reads(reading: Reading) -> Iterator[tuple[int, int, int]]:
    """Time, first byte and end of every read that has a time and bytes; none where times were not measured."""
    exchange = reading.exchange
    if exchange.read_times is None or exchange.read_ends is None or exchange.timing == "none":
        return
    start = 0
    for time, end in zip(exchange.read_times, exchange.read_ends, strict=False):
        if end > start and time != NO_TIME:
            yield time, start, end
        start = end


def _stall(reading: Reading, report: Report) -> Iterator[None]:
    times = reading.exchange.read_times
    if times is None or len(times) < 2:
        return
    first = last = times[0]
    for at in range(0, len(times), TOGETHER):
        some = times[at : at + TOGETHER]
        first, last = min(first, min(some)), max(last, max(some))
        yield
    if last - first < STALL:
        return
    marker = reading.marker_event
    until = len(reading.body) if marker is None else reading.complete_at(marker)
    stalls: list[tuple[int, int, int]] = []
    for number, ((before, _, _), (after, start, end)) in enumerate(pairwise(_reads(reading)), 1):
        if after - before >= STALL and start < until:
            stalls.append((after - before, start, end))
        if number % TOGETHER == 0:
            yield
    longest = max(stalls)[0] if stalls else 0
    for _, start, end in stalls:
        report(reading.event_at(start) or 0, start=start, end=end, detail=duration(longest))


def _burst(reading: Reading, report: Report) -> None:
    first_byte = next(_reads(reading), None)
    if first_byte is None or first_byte[0] < BURST_WAIT_NS:
        return
    layouts = layouts_where(reading, lambda row: row[0] in TEXT_KINDS)
    first, last = first_position(reading, layouts), last_position(reading, layouts)
    if first is None or last is None:
        return
    begin, end = reading.time_of(first), reading.time_of(last)
    if begin is None or end is None or (end - begin > BURST_NS and reading.read_of(first) != reading.read_of(last)):
        return
    each = {number: sum(row[0] in TEXT_KINDS for row in reading.layouts[number].rows) for number in layouts}
    groups = reading.events_by_layout()
    deltas = sum(len(groups.get(number, ())) * rows for number, rows in each.items())
    if deltas >= BURST_DELTAS:
        said = f"{deltas} deltas within {duration(end - begin)}, after {duration(first_byte[0])} of waiting"
        report(first, start=reading.bytes_of(first)[0], end=reading.bytes_of(last)[1], detail=said)


RULES = (
    Rule(
        "time-stall",
        "warning",
        "read",
        # The figure first: a narrow list cuts the end.
        "No byte for {detail} at the longest; {count} pause{s} of 30 seconds or longer.",
        "Send a comment or a ping every 15 seconds at the latest.",
        why="Clients and proxies give up on a silent connection, many of them after 60 seconds.",
        breaks=("Codex CLI: idle timeout", "reverse proxies with a limit on silence: close the connection"),
        end=_stall,
    ),
    Rule(
        "time-burst",
        "info",
        "stream",
        "The answer came all at once: {detail}.",
        "Turn proxy buffering and compression off, and flush after every event.",
        why="Something on the way holds the stream back, and people see nothing until all of it is there.",
        breaks=("no client breaks: people wait longer for the first word",),
        heuristic=True,
        end=_burst,
    ),
)
