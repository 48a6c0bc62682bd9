"""The course of a recording: which bytes were there when, and where the next event or read begins.

A moment is in nanoseconds since the request. Where no times were measured an event takes `TURN` of them, which says
nothing but the order; how many of them pass in a second is the rhythm of whoever plays it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from itertools import accumulate, islice

from inspector_app.core.reading import Reading

TURN = 1_000_000_000


class Course:
    """Arithmetic over a complete reading. Offsets are bytes of the body, event counts are of those that had come."""

    def __init__(self, reading: Reading, measured: bool) -> None:
        exchange = reading.exchange
        self.reading, self.measured = reading, measured
        self.size = len(exchange.body)
        self.events = len(reading.events)
        self.ends: array[int] = array("q", exchange.read_ends or ())
        # A read without a time came with the one before it; a clock that went back does not turn the order round.
        moments = accumulate(exchange.read_times or (), max, initial=0) if measured else ()
        self.times: array[int] = array("q", islice(moments, 1, None))
        last = self.times[-1] if self.times else 0
        self.length = max(last, exchange.end_time or 0) if measured else self.events * TURN
        """The moment of the end."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to play: no byte, or neither times nor events."""
        return not self.size or not (self.measured or self.events)

    def offset_at(self, moment: int) -> int:
        """How many bytes had come at a moment."""
        if moment >= self.length:
            return self.size
        if not self.measured:
            return self.end_of(moment // TURN)
        reads = bisect_right(self.times, moment)
        return self.ends[reads - 1] if reads else 0

    def moment_of(self, offset: int) -> int:
        """When so many bytes had come; 0 for none."""
        if offset >= self.size and not self.measured:
            return self.length
        if not self.measured:
            return self.events_at(offset) * TURN
        if offset <= 0:
            return 0
        return max(0, self.times[min(bisect_left(self.ends, offset), len(self.times) - 1)])

    def events_at(self, offset: int) -> int:
        """How many events were complete when so many bytes had come."""
        if offset >= self.reading.lines.size:
            return self.events
        return (self.reading.event_at(offset) or 0) if offset > 0 else 0

    def end_of(self, count: int) -> int:
        """Where the first `count` events end: all of their bytes."""
        if count <= 0:
            return 0
        return self.reading.bytes_of(count - 1)[1] if count <= self.events else self.size

    def event_beside(self, offset: int, step: int) -> int:
        """The end of the next event (1), or of the one before what is there (-1)."""
        count = self.events_at(offset)
        if step > 0:
            return self.end_of(count + 1)
        return self.end_of(count if offset > self.end_of(count) else count - 1)

    def read_beside(self, offset: int, step: int) -> int:
        """The end of the next read (1), or of the one before (-1); that of an event where reads are unknown."""
        if not self.ends:
            return self.event_beside(offset, step)
        if step > 0:
            after = bisect_right(self.ends, offset)
            return self.ends[after] if after < len(self.ends) else self.size
        before = bisect_left(self.ends, offset)
        return self.ends[before - 1] if before else 0

    # the axis of the timeline: ns, or event numbers

    def position_of(self, moment: int) -> float:
        """Where a moment stands on the axis; without times behind the last event that had come."""
        return float(moment) if self.measured else moment / TURN - 0.5

    def moment_at(self, position: float) -> int:
        """The moment at a place of the axis; without times that just after the event there."""
        if self.measured:
            return min(max(round(position), 0), self.length)
        return min(max(int(position + 1.5), 0), self.events) * TURN
