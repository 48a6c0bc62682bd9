"""The lanes of a stream that is live. What stands in them already is kept: each call costs what has come since."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from inspector_app.core.reading import Reading
from inspector_app.core.text import clip, duration, number, visible
from inspector_app.core.types import Block
from inspector_app.ui.block_lanes import CALL_LANES, WORD, choice_of, lane_order, name_of
from inspector_app.ui.lanes import STALL_NS, Clock, events_note, findings_lane
from inspector_app.ui.notes.lane import notes_lane
from inspector_app.ui.rate_lane import rate_lane
from inspector_app.ui.session import Session
from inspector_app.ui.timeline import Axis, Bar, Lane, LaneIndex, Span
from inspector_app.ui.views.block_names import kind_of_block

STEPS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""Where the axis may end, times a power of ten: it stands still for a while, then it makes room."""
LEAST_NS = 1_000_000_000
ROOM = 1.02
"""The axis goes on behind the line of now by at least this factor."""
STEP = 2000
"""Blocks or reads after which the caller may rest."""

DELTAS = 500
"""The same of deltas that a bar is given: a few milliseconds."""

Key = tuple[str, int]


def axis_end(now: int) -> int:
    """Where the axis of a stream ends that is live since `now` ns."""
    wanted = max(LEAST_NS, round(now * ROOM))
    power = 10 ** (len(str(wanted)) - 1)
    return next(end for step in STEPS if (end := round(step * power)) >= wanted)


class LiveLanes:
    """Makes the lanes of one session again and again, until its stream has ended."""

    def __init__(self, session: Session, reading: Reading) -> None:
        self._session, self._reading = session, reading
        # Columns of one lane grow together: what is painted between two steps must be whole.
        self._ends, self._sizes = array("I"), array("Q")
        """Of each read the event it ends in, and its bytes."""
        self._reads = Lane("reads", "Reads", ticks=array("q"), events=self._ends, weights=self._sizes, heaviest=0)
        self._gaps: list[Span] = []
        self._lanes: dict[Key, Lane] = {}
        self._open: list[tuple[Block, Bar, int]] = []
        """Blocks that may still grow, their bars, and how many characters of the deltas in the bar are counted."""
        self._seen = self._calls = 0
        self._flags: Counter[int] = Counter()
        """How many events there are by flag bits, as far as they have a place on the axis."""

    def in_steps(self, clock: Clock, now: int) -> Iterator[tuple[Axis, list[LaneIndex]] | None]:
        """The axis and all lanes as the last of what is given; each None before is a rest."""
        axis = Axis(clock.measured, (0, axis_end(now)), clock.positions)
        yield from self._extend_reads()
        yield from self._extend_blocks(clock)
        yield from clock.rates.in_steps()
        done, known = self._flags.total(), len(clock.positions)
        self._flags.update(self._reading.events.flags[done:known])
        events = Lane("events", "Events", events_note(self._flags), ticks=clock.positions)
        blocks = [lane for _, lane in sorted(self._lanes.items(), key=lambda item: lane_order(item[0]))]
        findings = findings_lane(self._session, self._reading, clock)
        notes = notes_lane(self._session, clock.positions)
        found = []
        for lane in (self._reads, *rate_lane(clock.rates, now), events, *blocks, findings, *notes):
            found.append(LaneIndex(lane, axis, settle=False))
            yield from found[-1].in_steps(axis)
        yield axis, found

    def _extend_reads(self) -> Iterator[None]:
        reading, lane, exchange = self._reading, self._reads, self._reading.exchange
        ends, times = exchange.read_ends, exchange.read_times
        assert ends is not None
        assert times is not None
        done, known = len(lane.weights), len(times)
        for n in range(done, known):
            size = ends[n] - (ends[n - 1] if n else 0)
            lane.ticks.append(times[n])
            self._sizes.append(size)
            self._ends.append(reading.event_at(max(0, ends[n] - 1)) or 0)
            lane.heaviest = max(lane.heaviest or 0, size)
            if (n - done) % STEP == STEP - 1:
                yield
        if known and not lane.spans and times[0] > 0:
            lane.spans.append(Span(0, times[0], "wait", f"waiting {duration(times[0])}"))
        for before, after in pairwise(times[max(0, done - 1) : known]):
            if after - before >= STALL_NS:
                lane.spans.append(Span(before, after, "silence", duration(after - before)))
        lane.note = number(known)

    def _extend_blocks(self, clock: Clock) -> Iterator[None]:
        reading, last = self._reading, len(clock.positions) - 1
        if last < 0:
            return
        waiting, self._open = self._open, []
        for count, block in enumerate(reading.blocks[self._seen :], 1):
            waiting.append((block, self._bar(block), 0))
            if count % STEP == 0:
                yield
        self._seen = len(reading.blocks)
        for block, bar, chars in waiting:
            counted = len(bar.fragments)
            yield from self._extend_bar(bar, block, clock)
            bar.start = clock.positions[min(block.first_event, last)]
            bar.end = clock.positions[min(block.last_event, last)]
            chars += sum(map(len, block.fragments[counted : len(bar.fragments)]))
            named, deltas = name_of(block), len(block.deltas)
            bar.title = f"{named} · {number(deltas)} delta{'' if deltas == 1 else 's'} · {number(chars)} chars"
            bar.state = "growing" if block.state == "open" else "closed"
            if block.state == "open" or block.last_event > last:
                self._open.append((block, bar, chars))

    def _extend_bar(self, bar: Bar, block: Block, clock: Clock) -> Iterator[None]:
        """Give a bar the deltas that have come since, as far as the clock goes: their words stand in it at once."""
        positions, events, moments = clock.positions, bar.events, bar.fragments
        assert isinstance(events, array)
        assert isinstance(moments, array)
        for count, delta in enumerate(block.deltas[len(moments) :], 1):
            event = self._reading.event_of_delta(delta)
            if event >= len(positions):
                break
            events.append(event)
            moments.append(positions[event])
            if count % DELTAS == 0:
                yield

    def _bar(self, block: Block) -> Bar:
        place = max(0, min(block.choice, CALL_LANES - 1))
        if block.kind == "tool_call":
            place, self._calls = min(self._calls, CALL_LANES - 1), self._calls + 1
        word, meaning, icon = kind_of_block(block.kind)
        lane = self._lanes.get((block.kind, place))
        if lane is None:
            title = f"Tool {place}" if block.kind == "tool_call" else word
            lane = self._lanes[block.kind, place] = Lane(f"{block.kind}-{place}-0", title, icon=icon, badge="0")
            if block.kind != "tool_call" and place:
                for key in ((block.kind, 0), (block.kind, place)):
                    if key in self._lanes:
                        self._lanes[key].note = choice_of(key)
        said = block.fragments
        bar = Bar(0, 0, "", meaning, block.n * 2, fragments=array("q"), events=array("I"), icon=icon)
        bar.words = lambda delta: visible(clip(said[delta], WORD)) if delta < len(said) else ""
        lane.bars.append(bar)
        lane.badge = number(len(lane.bars))
        return bar
