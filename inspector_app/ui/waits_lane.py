"""The lane of the waits that stand out, and of the reads that brought a crowd of events at once."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator

from inspector_app.core.buffering import BURST_DELTAS
from inspector_app.core.reading import Reading
from inspector_app.core.text import duration, number
from inspector_app.core.timing import MS, last_silence
from inspector_app.core.types import NO_TIME
from inspector_app.ui.timeline import Lane, Mark, Span
from inspector_app.ui.timeline.waits import WAITS

LEAST = (*(ms * MS for ms in (100, 200, 500)), *(s * 1000 * MS for s in (1, 2, 5, 10, 20, 60, 300, 3600)))
"""From which length on waits are told one by one: the least of these with which not too many stand out."""
USUAL, MOST, CROWD = 4, 2000, 5
"""How many times the usual wait, how many at most, and how many times the usual number of events in a read."""
STEP = 4000
"""Reads after which the caller may rest."""


def waits_lane(reading: Reading, positions: array[int]) -> Iterator[Lane | None]:
    """The lane, or none where nothing stands out; each None before is a rest. `positions` are the events' times."""
    times, ends = reading.exchange.read_times, reading.exchange.read_ends
    last = last_silence(reading.exchange)
    if times is None or ends is None or (len(times) < 2 and last is None):
        return
    gaps = array("q")
    for start in range(1, len(times), STEP):
        stop = min(start + STEP, len(times))
        gaps.extend(
            after - before if before != NO_TIME != after else -1
            for before, after in zip(times[start - 1 : stop - 1], times[start:stop], strict=True)
        )
        yield None
    usual = sorted(gap for gap in gaps[:: max(1, len(gaps) // STEP)] if gap >= 0)
    if not usual and last is None:
        return
    wanted = USUAL * usual[len(usual) // 2] if usual else 0
    lengths = [least for least in LEAST if least >= wanted]
    found = array("I")
    for start in range(0, len(gaps) if lengths else 0, STEP):
        some = enumerate(gaps[start : start + STEP], start + 1)
        found.extend(array("I", [read for read, gap in some if gap >= lengths[0]]))
        yield None
    for least in lengths:
        found = array("I", [read for read in found if gaps[read - 1] >= least])
        if len(found) <= MOST:
            break
        yield None
    else:
        return
    crowds: list[tuple[int, int]] = []
    for crowd in crowds_of(positions):
        if crowd is None:
            yield None
        else:
            crowds.append(crowd)
    waits = [(times[read - 1], times[read]) for read in found]
    if last is not None and last[1] - last[0] >= least:
        waits.append(last)
    lane = _lane(reading, positions, least, waits, crowds)
    if lane.spans or lane.marks:
        yield lane


def crowds_of(positions: array[int]) -> Iterator[tuple[int, int] | None]:
    """The first event and the number of those that came at one time, where they are many; each None is a rest."""
    found, moments, first = [], 0, 0
    for n, position in enumerate(positions):
        if position != positions[first]:
            moments += 1
            if n - first >= BURST_DELTAS:
                found.append((first, n - first))
            first = n
        if n % (STEP * 4) == 0:
            yield None
    if len(positions) - first >= BURST_DELTAS:
        found.append((first, len(positions) - first))
    usual = len(positions) / (moments + 1)
    found = [crowd for crowd in found if crowd[1] >= CROWD * usual or len(positions) == crowd[1]]
    yield from sorted(sorted(found, key=lambda crowd: -crowd[1])[:MOST])


def _lane(
    reading: Reading, positions: array[int], least: int, waits: list[tuple[int, int]], crowds: list[tuple[int, int]]
) -> Lane:
    first = next((time for time in reading.exchange.read_times or () if time != NO_TIME), 0)
    if first >= least:
        waits = [(0, first), *waits]
    last = max(0, len(positions) - 1)
    ticks = array("q", (end for _, end in waits))
    events = array("I", (min(bisect_left(positions, end), last) for end in ticks))
    # Short, so that the mark has room and the label stands in line with the others.
    note = f"from {duration(least)}".replace(".00", "")
    if crowds:
        note = f"{note}, {number(len(crowds))} burst{'' if len(crowds) == 1 else 's'}"
    lane = Lane(WAITS, "Waits", note, icon="clock", ticks=ticks, events=events)
    lane.spans = [Span(start, end, "wait", duration(end - start)) for start, end in waits]
    lane.marks = [
        Mark(positions[event], "info", "burst", event=event, icon="rays", words=f"{number(count)} events at once")
        for event, count in crowds
    ]
    return lane
