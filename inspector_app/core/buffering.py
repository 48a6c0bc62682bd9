"""Whether something on the way held the stream back: reads against events, and what the headers say of it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import NamedTuple

from inspector_app.core.reading import Reading
from inspector_app.core.text import clip, duration, number, visible
from inspector_app.core.timing import MS, Waits, unmeasured

BURST_NS = 50 * MS
"""Within which a burst arrives."""
BURST_DELTAS = 10
BURST_WAIT_NS = 500 * MS
"""The wait for the first byte from which on something may have held the stream back."""

CLUMP_EVENTS = 4.0
"""Events a read from which on reads are clumps."""
CLUMP_READS = 3
CLUMP_WAIT_NS = 100 * MS
"""The usual wait between clumps: events that come together because they are made fast do not wait so long."""

SPOKEN = ("reasoning", "text", "refusal")
LONGEST_VALUE = 40
PAUSE_NS = 5000 * MS
"""A wait from which on it is told what it may come from."""
ONE_BY_ONE = 2.5
"""Events a read up to which reads are said to come one by one."""


class Buffering(NamedTuple):
    """`verdict` is "held back", "in clumps", "no sign of it" or "not known"; `reason` what was measured, `hints` what
    the headers of the answer say.
    """

    verdict: str
    reason: str
    hints: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The verdict with its reason, in one line."""
        return f"buffering: {self.verdict}" + (f", {self.reason}" if self.reason else "")


class Conclusion(NamedTuple):
    """What it looks like from here, in a sentence with its reason; `calm` where nothing was held back."""

    words: str
    calm: bool


HINTS: tuple[tuple[str, Callable[[str], str]], ...] = (
    (
        "x-accel-buffering",
        lambda value: "proxies are asked to pass it on" if value.lower() == "no" else "proxies may wait",
    ),
    ("content-encoding", lambda value: "" if value.lower() == "identity" else "a compressor may hold bytes back"),
    ("content-length", lambda _: "the whole body was known before it was sent"),
    ("via", lambda _: "a proxy stands on the way"),
)
"""Header of the answer -> what its value means for buffering, nothing where it means nothing."""


def hints(reading: Reading) -> tuple[str, ...]:
    """What the headers say: "content-encoding gzip: a compressor may hold bytes back"."""
    http = reading.exchange.http
    if http is None:
        return ()
    found = ((name, http.header(name), means) for name, means in HINTS)
    said = ((name, value.strip(), means(value.strip())) for name, value, means in found if value is not None)
    return tuple(f"{name} {visible(clip(value, LONGEST_VALUE))}: {words}" for name, value, words in said if words)


def buffering(waits: Waits) -> Buffering:
    """The verdict on what has come so far."""
    reading = waits.reading
    if waits.first is None:
        return Buffering("not known", unmeasured(reading) or "no byte has come yet")
    return _held_back(waits) or _in_clumps(waits) or Buffering("no sign of it", _each(waits), hints(reading))


def conclusion(waits: Waits) -> Conclusion:
    """Whether the sender or something between let the stream wait, as far as times and reads can tell: what came
    before the sender wrote it nobody can see from here. No words where nothing was measured.
    """
    found, first = buffering(waits), waits.first
    if first is None:
        return Conclusion("", True)
    if found.verdict == "held back":
        by = "something between buffered it, or the sender wrote it all at once"
        return Conclusion(f"Looks held back: {found.reason}; {by} ({_signs(waits.reading, found)})", False)
    if found.verdict == "in clumps":
        signs = _signs(waits.reading, found)
        return Conclusion(f"Looks passed on in clumps: {found.reason}; something between gathers it ({signs})", False)
    if not waits.total:
        return Conclusion(f"All in one read after {duration(first)}: too little to tell whether it was held back", True)
    usual = waits.events_read / waits.reads_filled if waits.reads_filled else 0.0
    pause = next((wait for wait in waits.longest() if wait.ns >= PAUSE_NS and wait.byte), None)
    after = "one by one" if usual <= ONE_BY_ONE else f"bring {_each(waits)}"
    if pause is not None and not (pause.event is None or pause.byte >= len(waits.reading.body)):
        where = "inside" if pause.words.startswith("inside") else "before"
        silence = f"A silence of {duration(pause.ns)} {where} event {number(pause.event)}"
        crowd = _came_at(waits.reading, pause.byte)
        if crowd >= BURST_DELTAS and crowd > CLUMP_EVENTS * usual:
            return Conclusion(f"{silence}, and then {number(crowd)} events in one read: looks held back", False)
        paused = "looks like a pause of the sender, nothing held back"
        return Conclusion(f"{silence}, the reads around it {after}: {paused}", True)
    if first >= PAUSE_NS:
        took = f"The first byte took {duration(first)}, then the reads {after}"
        return Conclusion(f"{took}: looks like the sender took so long, nothing held back", True)
    each = _each(waits) or "no events yet"
    return Conclusion(f"Nothing looks held back: {each}, first byte after {duration(first)}", True)


def _signs(reading: Reading, found: Buffering) -> str:
    if reading.exchange.http is None:
        return "no headers were recorded"
    return f"headers: {'; '.join(found.hints)}" if found.hints else "no sign in the headers"


def _came_at(reading: Reading, byte: int) -> int:
    """How many events began in the read that begins at a byte."""
    ends, starts, firsts = reading.exchange.read_ends, reading.lines.starts, reading.events.first_lines
    at = bisect_right(ends, byte) if ends is not None else 0
    if ends is None or at >= len(ends):
        return 0
    low, high = (bisect_left(firsts, bisect_left(starts, edge)) for edge in (byte, ends[at]))
    return high - low


def _held_back(waits: Waits) -> Buffering | None:
    """The rule time-burst, as far as the stream has come."""
    reading, wait = waits.reading, waits.first or 0
    spoken = [block for block in reading.blocks if block.kind in SPOKEN and len(block.deltas)]
    deltas = sum(len(block.deltas) for block in spoken)
    if wait < BURST_WAIT_NS or deltas < BURST_DELTAS:
        return None
    first, last = min(block.first_event for block in spoken), max(block.last_event for block in spoken)
    begin, end = reading.time_of(first), reading.time_of(last)
    reads = (reading.read_of(last) or 0) - (reading.read_of(first) or 0) + 1
    if begin is None or end is None or (end - begin > BURST_NS and reads > 1):
        return None
    within = f"{number(reads)} read{'' if reads == 1 else 's'}"
    return Buffering("held back", f"{number(deltas)} deltas in {within} after {duration(wait)}", hints(reading))


def _in_clumps(waits: Waits) -> Buffering | None:
    filled, middle = waits.reads_filled, waits.percentiles()
    if filled < CLUMP_READS or middle is None or middle[50] < CLUMP_WAIT_NS:
        return None
    if waits.events_read / filled < CLUMP_EVENTS:
        return None
    return Buffering("in clumps", f"{_each(waits)}, one every {duration(middle[50])}", hints(waits.reading))


def _each(waits: Waits) -> str:
    if not waits.reads_filled:
        return ""
    return f"{waits.events_read / waits.reads_filled:.1f} events a read"
