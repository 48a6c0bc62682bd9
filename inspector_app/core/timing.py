"""When things came: first times, the waits between reads and what they lie in, and whether something held the
stream back. Nothing is computed that was not measured.

A read is what the transport gave at once; times are ns since the request was sent.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from heapq import heappush, heapreplace
from math import ceil
from typing import NamedTuple

from inspector_app.core.flags import UNDISPATCHED
from inspector_app.core.reading import Reading
from inspector_app.core.types import NO_TIME, Exchange

MS = 1_000_000
ORDER_ONLY = "order only: this recording has no times"
"""Why there are no numbers."""

RUNGS = ("headers", "first_byte", "first_event", "first_reasoning", "first_text", "first_tool", "end")
"""First times and the end, by the names of contract.md without the unit."""

FIRSTS = {"reasoning": "first_reasoning", "text": "first_text", "tool_call": "first_tool"}
"""Kind of block -> the rung that its first one is."""

EDGES = tuple(ms * MS for ms in (1, 5, 20, 50, 100, 200, 500, 1000, 2000))
BINS = ("1 ms", "5", "20", "50", "100", "200", "500", "1 s", "2 s", "more")
"""The bins of waits: each up to and with its edge, the last one everything above."""

PERCENTS = (50, 95, 99)
LONGEST = 12
"""Waits that are told one by one."""
STEP = 4000
"""Reads after which the caller may rest."""

MEANINGS = {"reasoning": "reasoning", "text": "text", "refusal": "refusal", "tool": "tool call", "error": "error"}
"""First part of a delta's kind -> what it is called where a wait lies between two kinds."""

FIRST_CHUNK = "gen_ai.client.operation.time_to_first_chunk"
PER_CHUNK = "gen_ai.client.operation.time_per_output_chunk"
DURATION = "gen_ai.client.operation.duration"
"""Names of the OpenTelemetry semantic conventions for generative AI, client metrics, all in seconds."""


class Wait(NamedTuple):
    """A time without a byte. `words` say what it lies in; `event` is what came after it, or what was open at `byte`."""

    ns: int
    words: str
    event: int | None
    byte: int
    open: bool = False
    """Whether it goes on: its length is that of the moment at which it was asked for."""
    end: int | None = None
    """When it ended, in ns since the request, where two reads stand around it."""


def unmeasured(reading: Reading) -> str:
    """Why a recording has no times; nothing where it has some, or may yet get them."""
    exchange = reading.exchange
    times = exchange.read_times
    if exchange.timing == "none" or times is None:
        return ORDER_ONLY
    return ORDER_ONLY if reading.ended and all(time == NO_TIME for time in times) else ""


def rung_events(reading: Reading) -> dict[str, int]:
    """The event that a rung of the ladder stands at, where it has one."""
    out = {"first_event": 0} if len(reading.events) else {}
    for kind, name in FIRSTS.items():
        first = next((block for block in reading.blocks if block.kind == kind), None)
        if first is not None:
            out[name] = first.first_event
    return out


def ladder(reading: Reading) -> dict[str, int | None]:
    """First times by the names in `RUNGS`, None where nothing was measured."""
    exchange = reading.exchange
    out: dict[str, int | None] = dict.fromkeys(RUNGS)
    times = exchange.read_times
    if exchange.timing == "none" or times is None:
        return out
    out["headers"] = exchange.head_time
    out["first_byte"] = next((time for time in times if time != NO_TIME), None)
    if out["first_byte"] is not None:
        last = next(time for time in reversed(times) if time != NO_TIME)
        out["end"] = exchange.end_time if exchange.end_time is not None else last
    for name, event in rung_events(reading).items():
        out[name] = reading.time_of(event)
    return out


def last_silence(exchange: Exchange) -> tuple[int, int] | None:
    """From the last byte to the end, in ns since the request; None where one of the two was not measured."""
    times, ends, end = exchange.read_times, exchange.read_ends, exchange.end_time
    if exchange.timing == "none" or not times or not ends or end is None:
        return None
    last = next((n for n in range(min(len(times), len(ends)) - 1, -1, -1) if ends[n] > (ends[n - 1] if n else 0)), None)
    if last is None or times[last] == NO_TIME or times[last] >= end:
        return None
    return times[last], end


def first_chunk(reading: Reading) -> int | None:
    """The first event that a client gets: no comment, and not the end marker."""
    marker = reading.marker_event
    return next((n for n, bits in enumerate(reading.events.flags) if not bits & UNDISPATCHED and n != marker), None)


def metrics(reading: Reading) -> dict[str, float]:
    """What OpenTelemetry would have recorded of this call, in seconds; only what was measured.

    A chunk is an event like the `first_chunk`. The time per chunk is the mean.
    """
    out: dict[str, float] = {}
    chunk = first_chunk(reading)
    if unmeasured(reading):
        return out
    first = None if chunk is None else reading.time_of(chunk)
    if first is not None:
        out[FIRST_CHUNK] = first / 1e9
        flags, marker = reading.events.flags, reading.marker_event
        chunks = [n for n, bits in enumerate(flags) if not bits & UNDISPATCHED and n != marker]
        last = reading.time_of(chunks[-1])
        if last is not None and len(chunks) > 1:
            out[PER_CHUNK] = (last - first) / 1e9 / (len(chunks) - 1)
    until = ladder(reading)["end"]
    if reading.ended and until is not None:
        out[DURATION] = until / 1e9
    return out


class Waits:
    """The waits between reads, growing with the exchange. A wait is only where two reads that follow each other have
    times; `events_read` and `reads_filled` count the events that lie before the last known one, and the reads with any.

    Of a `part`, from one read to another, only the waits between its reads are taken.
    """

    def __init__(self, reading: Reading, part: tuple[int, int] | None = None) -> None:
        self.reading = reading
        self._part = part
        self.counts = [0] * len(BINS)
        self.total = 0
        self.first: int | None = None
        """When the first read with a time came."""
        self.last: int | None = None
        self.events_read = 0
        self.reads_filled = 0
        self.fullest = 0
        """The most events that began in one read."""
        self._read = 0 if part is None else part[0]
        self._filled = 0
        self._before = NO_TIME
        self._sorted: list[int] = []
        self._fresh: list[int] = []
        self._longest: list[tuple[int, int]] = []

    def extend(self) -> None:
        """Take in what has come."""
        for _ in self.in_steps():
            pass

    def in_steps(self) -> Iterator[None]:
        """Take in what has come, with a rest now and then."""
        exchange = self.reading.exchange
        times, ends = exchange.read_times, exchange.read_ends
        if exchange.timing == "none" or times is None or ends is None:
            return
        known = len(times) if self._part is None else min(len(times), self._part[1] + 1)
        while self._read < known:
            start, self._read = self._read, min(self._read + STEP, known)
            self._take(times[start : self._read], start)
            yield
        if self._part is not None:
            return
        while self._filled < (known := self._known_reads()):
            start, self._filled = self._filled, min(self._filled + STEP, known)
            self._fill(ends[start : self._filled])
            yield

    def _take(self, times: Sequence[int], first: int) -> None:
        before = self._before
        for number, time in enumerate(times, first):
            if time != NO_TIME:
                self.first = time if self.first is None else self.first
                self.last = time
            if time != NO_TIME and before != NO_TIME and time >= before:
                self._add(time - before, number)
            before = time
        self._before = before

    def _add(self, gap: int, number: int) -> None:
        self.counts[bisect_left(EDGES, gap)] += 1
        self.total += 1
        self._fresh.append(gap)
        # Of equally long ones the earliest is kept.
        entry = (gap, -number)
        if len(self._longest) < LONGEST:
            heappush(self._longest, entry)
        elif entry > self._longest[0]:
            heapreplace(self._longest, entry)

    def _known_reads(self) -> int:
        """Reads whose events are all known: those that end before the last known event begins."""
        reading, ends = self.reading, self.reading.exchange.read_ends
        assert ends is not None
        if reading.ended:
            return len(ends)
        if not len(reading.events):
            return 0
        begin = reading.lines.starts[reading.events.first_lines[len(reading.events) - 1]]
        return max(self._filled, bisect_left(ends, begin + 1))

    def _fill(self, ends: Sequence[int]) -> None:
        starts, firsts = self.reading.lines.starts, self.reading.events.first_lines
        for end in ends:
            events = bisect_left(firsts, bisect_left(starts, end))
            here, self.events_read = events - self.events_read, events
            self.reads_filled += here > 0
            self.fullest = max(self.fullest, here)

    def settling(self) -> Iterator[None]:
        """Put the waits in order for `percentiles`, with a rest now and then: at once it takes long for a million."""
        fresh, count = self._fresh, len(self._fresh)
        runs = [self._sorted] if self._sorted else []
        for start in range(0, count, STEP):
            runs.append(sorted(fresh[start : min(start + STEP, count)]))
            yield
        while len(runs) > 1:
            pairs = [runs[at : at + 2] for at in range(0, len(runs), 2)]
            runs = []
            for pair in pairs:
                run = [wait for part in pair for wait in part] if len(pair) > 1 else pair[0]
                # Two sorted runs cost one pass.
                run.sort()
                runs.append(run)
                yield
        if runs and fresh is self._fresh:
            self._sorted = runs[0]
            del fresh[:count]

    def percentiles(self) -> dict[int, int] | None:
        """Percent -> the wait that so many of all are not longer than (nearest rank); None without any wait."""
        if self._fresh:
            # Two sorted runs cost one pass; the waits that are known already are one of them.
            self._sorted += sorted(self._fresh)
            self._sorted.sort()
            self._fresh = []
        waits = self._sorted
        if not waits:
            return None
        return {percent: waits[ceil(len(waits) * percent / 100) - 1] for percent in PERCENTS}

    def longest(self, now: int | None = None) -> list[Wait]:
        """The longest waits, the longest first, with those before the first byte and after the last.

        `now` is the moment of a live stream; what it waits for at present comes first whatever its length.
        """
        reading = self.reading
        times = reading.exchange.read_times or ()
        known = sorted(self._longest, key=_order)
        found = [self._between(-number, gap)._replace(end=times[-number]) for gap, number in known]
        if self._part is not None:
            return sorted(found, key=lambda wait: -wait.ns)
        if self.first is not None and self.first > 0:
            found.append(Wait(self.first, "before the first byte", 0 if len(reading.events) else None, 0))
        until = reading.exchange.end_time
        if until is not None and self.last is not None and until > self.last:
            last = reading.last_event if len(reading.events) else None
            found.append(Wait(until - self.last, "last byte to the end", last, len(reading.body)))
        found.sort(key=lambda wait: -wait.ns)
        open_wait = None if now is None else self.open_wait(now)
        return ([open_wait] if open_wait is not None else []) + found[:LONGEST]

    def open_wait(self, now: int) -> Wait | None:
        """What a live stream waits for at a moment; None once it has ended."""
        reading = self.reading
        if reading.ended or reading.exchange.end is not None:
            return None
        if self.last is None:
            return Wait(now, "now, before the first byte", None, 0, True)
        inside, event = len(reading.body) > reading.lines.size, reading.last_event if len(reading.events) else None
        words = f"now, inside line {len(reading.lines)}" if inside else f"now, after event {event or 0}"
        return Wait(max(0, now - self.last), words, event, len(reading.body), True)

    def _between(self, read: int, gap: int) -> Wait:
        """The wait before a read, by what stood before it and what came after."""
        reading, ends = self.reading, self.reading.exchange.read_ends
        assert ends is not None
        byte = ends[read - 1]
        if not len(reading.events) or byte >= reading.lines.size:
            return Wait(gap, f"read {read - 1} to {read}", None, byte)
        after = reading.event_at(byte) or 0
        start, end = reading.bytes_of(after)
        if start < byte:
            if byte < reading.complete_at(after):
                return Wait(gap, f"inside event {after}", after, byte)
            after, byte = after + 1, end
        if after >= len(reading.events):
            return Wait(gap, f"after event {after - 1}", after - 1, byte)
        if after == 0:
            return Wait(gap, "before event 0", 0, byte)
        before_kind, after_kind = self._meaning(after - 1), self._meaning(after)
        differ = before_kind and after_kind and before_kind != after_kind
        words = f"{before_kind} to {after_kind}" if differ else f"event {after - 1} to {after}"
        return Wait(gap, words, after, byte)

    def _meaning(self, event: int) -> str:
        layout = self.reading.layouts[self.reading.events.layouts[event]]
        found = (MEANINGS.get(row[0].partition(".")[0]) for row in layout.rows)
        return next((meaning for meaning in found if meaning is not None), "")


def _order(entry: tuple[int, int]) -> tuple[int, int]:
    gap, number = entry
    return -gap, -number
