"""A recording as lanes of the timeline: reads, events, one lane per kind or call, findings (look.md, Timeline).

With two readings a lane splits in two where they differ, the chosen reader above; equal lanes stay one, marked "both".
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from inspector_app.core.in_order import AT_ONCE, mark, marked
from inspector_app.core.rates import Rates
from inspector_app.core.reading import Reading
from inspector_app.core.store import SegmentBody
from inspector_app.core.text import duration, number
from inspector_app.core.timing import last_silence
from inspector_app.core.transfer import stopped_words
from inspector_app.core.types import NO_TIME
from inspector_app.lenses import LITERAL
from inspector_app.report.event_words import counted_events
from inspector_app.ui.block_lanes import block_lanes
from inspector_app.ui.notes.lane import notes_lane
from inspector_app.ui.rate_lane import rate_lane
from inspector_app.ui.session import Session
from inspector_app.ui.timeline import Axis, Lane, LaneIndex, Mark, Span
from inspector_app.ui.views.finding_rows import VERDICT_ICONS
from inspector_app.ui.waits_lane import waits_lane

STALL_NS = 30_000_000_000
"""A gap between two reads from which silence is drawn (rule time-stall)."""
SILENT_NS = 1_000_000_000
"""A silence before the end from which on it is drawn beside the reads: nothing else stands there."""
TOLD_READS, STEP = 50_000, 2000
"""Below so many reads each knows its event; reads after which the caller may rest."""
BURST = "time-burst"
UNENDED = re.compile("without (its|their) blank line")
"""What a label has no room for."""
TORN = {"end-truncated", "frame-cut"}
"""Rules that say of a stream that its end is not there."""


class Clock:
    """Where every event stands on the axis; grows with its reading. Positions are ns, or numbers without times or
    where `in_order` asks for no more.
    """

    def __init__(self, reading: Reading, in_order: bool = False) -> None:
        self.reading = reading
        exchange = reading.exchange
        times = exchange.read_times
        live = isinstance(exchange.body, SegmentBody)
        timed = times is not None and (live or any(time != NO_TIME for time in times))
        self.measured = exchange.timing != "none" and timed and not in_order
        self.positions: array[int] = array("q")
        self.rates = Rates(reading, self.positions)
        """How fast the answer came; whoever shows it extends it."""
        self._read = 0
        self._flags: Counter[int] = Counter()
        self._counted = 0

    def flags(self) -> Counter[int]:
        """The events that have a place so far by their flag bits; those that were counted are not counted again."""
        known = min(len(self.positions), len(self.reading.events.flags))
        self._flags.update(self.reading.events.flags[self._counted : known])
        self._counted = known
        return self._flags

    def extend(self) -> None:
        """Take in the events that are complete."""
        for _ in self.in_steps():
            pass

    def in_steps(self) -> Iterator[None]:
        """The same with rests where they stand in order alone: that is asked for at once."""
        reading = self.reading
        done, known = len(self.positions), len(reading.events)
        if not self.measured:
            for start in range(done, known, AT_ONCE):
                self.positions.extend(range(start, min(start + AT_ONCE, known)))
                yield
            return
        ends, times = reading.exchange.read_ends, reading.exchange.read_times
        assert ends is not None
        assert times is not None
        firsts, starts = reading.events.first_lines, reading.lines.starts
        read, last = self._read, len(ends) - 1
        size = reading.lines.size
        lines = len(starts) if reading.open_line is None else reading.open_line
        before = self.positions[-1] if done else 0
        for n in range(done, known):
            line = firsts[n]
            after = firsts[n + 1] if n + 1 < known else lines
            at = (starts[after] if after < len(starts) else size) if after - line <= 2 else reading.complete_at(n)
            while read < last and ends[read] < at:
                read += 1
            # A read without a time stands where the one before it stood; nothing else is known of it.
            before = times[read] if times[read] != NO_TIME else before
            self.positions.append(before)
        self._read = read


def axis_of(reading: Reading, clock: Clock) -> Axis:
    """The axis of a recording: times where measured, else the order of events."""
    positions = clock.positions
    last = positions[-1] if len(positions) else 0
    exchange = reading.exchange
    torn = reading.marker is None and any(finding.rule in TORN for finding in reading.findings)
    words = reading.marker or ("truncated" if torn else stopped_words(exchange.end) if reading.cancelled else "")
    if not clock.measured:
        return Axis(False, (0, len(positions)), positions, len(positions) or None, words, torn)
    came = next((time for time in reversed(exchange.read_times or ()) if time != NO_TIME), 0)
    end = max(exchange.end_time or 0, came, last)
    axis = Axis(True, (0, max(1, end)), positions, end, words, torn)
    axis.timed = lambda event: event >= len(reading.events) or reading.time_of(event) is not None
    return axis


def timeline_in_steps(session: Session, clock: Clock, whole: bool) -> Iterator[tuple[Axis, list[LaneIndex]] | None]:
    """The axis and all lanes, top down, as the last of what is given; each None before is a rest.

    `whole` is False while the reference is still being read: bars without their deltas, and no findings.
    """
    reference = session.reference
    assert reference is not None
    for _ in clock.in_steps():
        yield None
    axis = axis_of(reference, clock)
    found: list[LaneIndex] = []
    for lane in _lanes(session, reference, clock, axis, whole):
        if lane is not None:
            found.append(LaneIndex(lane, axis, settle=False))
            yield from found[-1].in_steps(axis)
        yield None
    yield axis, found


def _lanes(session: Session, reference: Reading, clock: Clock, axis: Axis, whole: bool) -> Iterator[Lane | None]:
    yield from _reads(reference, clock)
    if clock.measured:
        for _ in clock.rates.in_steps():
            yield None
        yield from rate_lane(clock.rates, axis.span[1])
    chosen = [reading for reading in (session.left, session.right) if reading is not None]
    yield from _events(reference, chosen, clock, whole)
    yield from block_lanes(session, clock.positions, whole)
    if whole and clock.measured:
        yield from waits_lane(reference, clock.positions)
    if whole:
        yield findings_lane(session, reference, clock)
    yield from notes_lane(session, clock.positions)


def _reads(reading: Reading, clock: Clock) -> Iterator[Lane | None]:
    exchange = reading.exchange
    ends, times = exchange.read_ends, exchange.read_times
    if ends is None or not clock.measured or times is None:
        return
    ticks, sizes, events = array("q"), array("Q"), array("I")
    lane = Lane("reads", "Reads", number(len(ends)), ticks=ticks, weights=sizes, heaviest=0)
    pick = len(ends) < TOLD_READS
    for n, time in enumerate(times):
        if time != NO_TIME:
            size = ends[n] - (ends[n - 1] if n else 0)
            ticks.append(time)
            sizes.append(size)
            lane.heaviest = max(lane.heaviest or 0, size)
            if pick:
                events.append(reading.event_at(max(0, ends[n] - 1)) or 0)
        if n % STEP == STEP - 1:
            yield None
    lane.events = events
    if ticks and ticks[0] > 0:
        lane.spans.append(Span(0, ticks[0], "wait", f"waiting {duration(ticks[0])}"))
    for n, (before, after) in enumerate(pairwise(ticks), 1):
        if after - before >= STALL_NS:
            lane.spans.append(Span(before, after, "silence", duration(after - before)))
        if n % (STEP * 10) == 0:
            yield None
    began, end = last_silence(exchange) or (0, 0)
    if end - began >= SILENT_NS:
        kind, words = ("silence", "") if end - began >= STALL_NS else ("wait", "no byte for ")
        lane.spans.append(Span(began, end, kind, f"{words}{duration(end - began)}"))
    lane.spans += _bursts(reading, clock)
    yield lane


def _bursts(reading: Reading, clock: Clock) -> Iterable[Span]:
    """Events that came all at once, as the finding has them."""
    for finding in reading.findings:
        place = finding.places[0] if finding.rule == BURST and finding.places else None
        if place is None:
            continue
        first, last = place.event, min(reading.event_at(max(place.start, place.end - 1)) or 0, reading.last_event)
        reads = (reading.read_of(last) or 0) - (reading.read_of(first) or 0) + 1
        words = f"{number(last - first + 1)} in {number(reads)} read{'' if reads == 1 else 's'}"
        yield Span(clock.positions[first], clock.positions[last], "burst", words)


def _events(reference: Reading, chosen: Iterable[Reading], clock: Clock, whole: bool) -> Iterator[Lane | None]:
    known = len(clock.positions)
    skipped = bytearray()
    rest = known  # From here on a client read nothing.
    for reading in chosen:
        for count, n in enumerate(reading.unread, 1):
            event = _in_reference(reference, reading, n)
            mark(skipped, () if event is None else (event,))
            if count % (STEP * 10) == 0:
                yield None
        if reading.stopped_at is not None and reading.stopped_at < len(reading.events):
            stop = _in_reference(reference, reading, reading.stopped_at)
            rest = rest if stop is None else min(rest, stop + 1)
    unread = array("I")
    for start in range(0, min(rest, len(skipped)), AT_ONCE):
        unread.extend(marked(skipped, start, min(start + AT_ONCE, rest)))
        yield None
    for start in range(rest, known, AT_ONCE):
        unread.extend(array("I", range(start, min(start + AT_ONCE, known))))
        yield None
    flags: Counter[int] = Counter()
    if not (whole and reference.ended):
        flags = clock.flags()
    else:
        # The end may have said something else of an event than was counted.
        for start in range(0, known, STEP * 50):
            flags.update(reference.events.flags[start : min(start + STEP * 50, known)])
            yield None
    yield Lane(
        "events",
        "Events",
        events_note(flags),
        ticks=clock.positions,
        unread=unread,
        hollow=not clock.measured,
    )


def events_note(flags: Counter[int]) -> str:
    """How many events were dispatched, and what came besides: "50 + 3 comments". `flags` counts events by flag bits."""
    dispatched, besides = counted_events(flags)
    return UNENDED.sub("not ended", " + ".join([number(dispatched), *besides]))


def _in_reference(reference: Reading, other: Reading, n: int) -> int | None:
    """The reference's number of another reading's event: framings number differently, bytes do not."""
    if other is reference or (
        n < len(reference.events) and other.events.first_lines[n] == reference.events.first_lines[n]
    ):
        return n
    return reference.event_at(other.bytes_of(n)[0])


def findings_lane(session: Session, reading: Reading, clock: Clock) -> Lane:
    """The findings of a reading where they begin, and the first difference of two readings, which is told apart in the
    count; `clock` may know more events than the reading has.
    """
    positions = clock.positions
    heard = len(session.mutes.heard(reading.findings))
    muted = f", {number(len(reading.findings) - heard)} muted" if heard < len(reading.findings) else ""
    lane = Lane("findings", "Findings", f"{number(heard)}{muted}", icon="filter")
    last = min(len(positions), len(reading.events)) - 1
    if last < 0:
        return lane
    story = session.story
    if story is not None and story.first_difference is not None:
        lane.note += ", and 1 comparison"
        event = min(story.first_difference.event, last)
        literally = LITERAL in (session.primary, session.secondary)
        icon = "wand" if literally else VERDICT_ICONS.get(story.verdict, "swap")
        severity = "info" if literally else "error"
        lane.marks.append(Mark(positions[event], severity, "comparison", 1, event, icon=icon))
    for finding in reading.findings:
        if not len(finding.events):
            continue
        first, final = min(finding.events[0], last), min(finding.events[-1], last)
        end = positions[final] if finding.count > 1 and final > first else None
        mark = Mark(positions[first], finding.severity, finding.rule, finding.count, first, end)
        mark.muted = finding.rule in session.mutes
        lane.marks.append(mark)
    lane.marks.sort(key=lambda mark: mark.position)
    return lane
