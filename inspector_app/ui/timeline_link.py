"""Keeps a timeline at what a session has read, and carries what is picked from one to the other."""

from __future__ import annotations

import gc
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from inspector_app.core.ranges import Part
from inspector_app.core.rates import Tokens
from inspector_app.core.text import number
from inspector_app.ui.lanes import Clock, timeline_in_steps
from inspector_app.ui.leaving import leaving
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.timeline import Axis, Bar, LaneIndex, Timeline
from inspector_app.ui.timeline.marked import Marked, events_between
from inspector_app.ui.timeline_lanes import LaneChoice
from inspector_app.ui.timeline_menu import TimelineMenu
from inspector_app.ui.views.sides import Side

STEP_NS = 8_000_000
"""How long one step of putting lanes together may hold the interface thread."""


LEAST_REST_NS, REST = 200_000_000, 10
"""Between two times that lanes of what grows are made: at least so long, and so often what it took."""

Growing = Callable[[Clock], Iterator[tuple[Axis, list[LaneIndex]] | None]]


class TimelineLink(QObject):
    """`finding_picked(rule, event)` is a mark of the findings lane; everything else is selected here. `shown` says
    that the timeline has new lanes.
    """

    finding_picked = Signal(str, int)
    shown = Signal()
    range_changed = Signal(object, object)
    """The `Part` of the recording between the points of the timeline, and the `Tokens` of its characters; or None."""

    def __init__(self, session: Session, timeline: Timeline) -> None:
        super().__init__(timeline)
        self._session, self._timeline = session, timeline
        self.clock: Clock | None = None
        self._order: Clock | None = None
        """The clock of the axis while that is asked to be an order, though times are known."""
        self._found: list[int] = []
        self.growing: Growing | None = None
        """Makes the lanes of a stream that is live; it is asked by `follow`, not at each growth."""
        self._rest_until = self._grown_until = 0
        self._behind = False
        """Whether lanes are to be made once more after those that are being made."""
        self._took = 0
        """Nanoseconds that the making of lanes has taken so far."""
        self._work: Iterator[tuple[Axis, list[LaneIndex]] | None] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._step)
        session.grown.connect(self._grown)
        session.read.connect(self.refresh)
        session.compared.connect(self.refresh)
        session.mutes.changed.connect(self.refresh)
        session.notes.changed.connect(self.refresh)
        session.selection.changed.connect(self._selected)
        self.choice = LaneChoice(self)
        self.choice.changed.connect(self._arrange)
        self._made: tuple[Axis, list[LaneIndex]] | None = None
        """All lanes, also those that are hidden."""
        self._leaving: list[Bar] = []
        """Bars that are shown no more: they go while nothing is to be made."""
        timeline.lane_asked.connect(self._lane_asked)
        TimelineMenu(session, timeline, self.choice, lambda: self._made[1] if self._made is not None else [])
        timeline.can_turn = lambda: self._can_turn
        timeline.axis_turned.connect(lambda: self.show_in_order(not self.in_order))
        timeline.event_picked.connect(self._event_picked)
        timeline.block_picked.connect(self._block_picked)
        timeline.finding_picked.connect(self.finding_picked)
        timeline.mended_picked.connect(session.show_literal)
        timeline.range_changed.connect(self._range_changed)

    # lanes

    def _grown(self) -> None:
        reading = self._session.reference
        if reading is None or self._session.held:
            return
        if self.clock is None or self.clock.reading is not reading:
            self.clock = Clock(reading)
            self.clock.rates.in_characters = self.choice.characters
            self._timeline.mark(None)
        self.clock.extend()
        if self._order is not None and self._order.reading is not reading:
            self._order = Clock(reading, in_order=True)  # It is brought up to the reading with the lanes.
        rested = time.perf_counter_ns() >= self._grown_until
        if not self._session.complete and self._work is None and self.growing is None and rested:
            self._begin(whole=False)

    def follow(self, now: int) -> None:
        """Show what has come of a live stream, at the clock's `now` in ns: as often as it costs little."""
        if self.growing is not None and self._work is None and self.clock is not None and now >= self._rest_until:
            before = time.perf_counter_ns()
            self._begin(whole=False)
            self._rest_until = now + max(LEAST_REST_NS, REST * (time.perf_counter_ns() - before))

    def catch_up(self) -> None:
        """Show all that has come of a live stream, however lately its lanes were made."""
        self._behind = self._work is not None
        if self.growing is not None and self.clock is not None and not self._behind:
            self._begin(whole=False)

    @property
    def settled(self) -> bool:
        """Whether the timeline shows what there is to show."""
        return self._work is None

    @property
    def in_order(self) -> bool:
        """Whether the axis is the order of events, though times may be known."""
        return self._order is not None

    @property
    def _can_turn(self) -> bool:
        session = self._session
        known = self.clock is not None and self.clock.measured and self.clock.reading is session.reference
        return known and session.complete and not session.held and self.growing is None

    def show_in_order(self, on: bool) -> None:
        """Give every event the same room, in order alone, so that those that came at once are told apart; or times."""
        if on == self.in_order or (on and not self._can_turn):
            return
        assert self.clock is not None
        self._order = Clock(self.clock.reading, in_order=True) if on else None
        self.refresh()

    def refresh(self) -> None:
        """Show all of a complete recording, with the readings that are chosen now."""
        if self._session.complete:
            self._grown()
            self._begin(whole=True)

    def _begin(self, whole: bool) -> None:
        assert self.clock is not None
        if self.growing is not None and not whole:
            self._work = self.growing(self.clock)
        else:
            self._work = timeline_in_steps(self._session, self._order or self.clock, whole)
        self._step()
        if self._work is not None or self._leaving:
            self._timer.start()

    def _step(self) -> None:
        before = time.perf_counter_ns()
        until = before + STEP_NS
        if self._work is None:
            self._let_go(until)
            return
        for found in self._work:
            if found is not None:
                self._work = None
                self._show(*found)
                if self._behind:
                    self.catch_up()
                break
            if time.perf_counter_ns() >= until:
                gc.freeze()  # As in the session: there may be a bar for each of a million deltas.
                self._took += time.perf_counter_ns() - before
                return
        if not self._leaving:
            self._timer.stop()
        # Made anew at each growth, the lanes of a long recording would cost more than its reading.
        now = time.perf_counter_ns()
        self._grown_until, self._took = now + REST * (self._took + now - before), 0

    def _let_go(self, until: int) -> None:
        for _ in leaving(self._leaving):
            if time.perf_counter_ns() >= until:
                return
        self._timer.stop()

    def _show(self, axis: Axis, lanes: list[LaneIndex]) -> None:
        if self._made is not None and self._made[1] is not lanes:
            for index in self._made[1]:
                self._leaving += index.bars
        self._made = axis, lanes
        shown = self.choice.arranged(lanes)
        self._timeline.set_data(axis, shown, self._origin)
        self._timeline.show_hidden(len(lanes) - len(shown))
        self._selected(self._session.selection.current, None)
        self.show_found(self._found)
        self.shown.emit()

    def _arrange(self) -> None:
        """Other lanes are pinned or hidden, or the rate is to be told in another unit."""
        clock = self.clock
        if clock is not None and clock.rates.in_characters is not self.choice.characters:
            clock.rates.in_characters = self.choice.characters
            self.refresh()
        elif self._made is not None:
            self._show(*self._made)

    def _lane_asked(self, key: str, what: str) -> None:
        if what == "pin":
            lane = next((index.lane for index in self._timeline.lanes if index.lane.key == key), None)
            self.choice.pin(key, lane is not None and not lane.pinned)
        elif what == "hide":
            self.choice.hide(key)
        else:
            self.choice.show_all()

    def show_found(self, events: list[int]) -> None:
        """Marks in the overview where something that is looked for was found, by sorted events."""
        self._found, clock = events, self._order or self.clock
        positions = clock.positions if clock is not None else ()
        self._timeline.show_found([positions[event] for event in events if event < len(positions)])

    def _origin(self, event: int) -> tuple[str, str]:
        reading = self._session.reference
        if reading is None or event >= len(reading.events):
            return "", ""
        start, end = reading.bytes_of(event)
        rows = reading.layouts[reading.events.layouts[event]].rows
        return (rows[0][2] if rows else ""), f"bytes {number(start)}–{number(end)}"

    def part_of(self, found: Marked | None) -> Part | None:
        """The part of the recording between two points of the axis; None without both, or while nothing is read."""
        reading, clock, axis = self._session.reference, self.clock, self._timeline.axis
        if found is None or found.b is None or reading is None or clock is None:
            return None
        first, last = events_between(axis, found)
        last = min(last, len(reading.events), len(clock.positions))
        if axis.measured:
            return Part(first, last, round(found.a), round(found.b - found.a))
        if clock.measured and first < last:
            start = clock.positions[first]
            return Part(first, last, start, clock.positions[last - 1] - start)
        return Part(first, last)

    def lane(self, key: str) -> LaneIndex | None:
        """A lane by its key, also one that is hidden."""
        lanes = self._made[1] if self._made is not None else []
        return next((index for index in lanes if index.lane.key == key), None)

    @property
    def tokens(self) -> Tokens | None:
        """What a character counts for; None where none came or no times were measured."""
        return self.clock.rates.tokens if self.clock is not None and len(self.clock.rates) else None

    def _range_changed(self, found: Marked | None) -> None:
        part = self.part_of(found)
        self.range_changed.emit(part, self.tokens if part is not None else None)

    # selection

    def _selected(self, selection: Selection | None, origin: Any) -> None:
        reading = self._session.reference
        if selection is None or reading is None or selection.event >= len(reading.events):
            self._timeline.set_selection(None)
        elif origin is not self._timeline:
            self._timeline.set_selection(selection.event, self._bar_of(selection))

    def _bar_of(self, selection: Selection) -> int | None:
        """The timeline's number of the selected block (see block_lanes.py)."""
        if selection.block is None:
            return None
        right = self._session.right
        side = 1 if right is not None and selection.reader == right.reader != self._session.primary else 0
        return selection.block * 2 + side

    def _event_picked(self, event: int) -> None:
        reading = self._session.reference
        if reading is not None and event < len(reading.events):
            self._session.selection.select(Selection(event), self._timeline)
            self._timeline.set_selection(event)

    def _block_picked(self, bar: int, event: int) -> None:
        """A block, or (below 0) the place of one that this reading lacks: then the other reading's is meant."""
        place = bar if bar >= 0 else -1 - bar
        reading = self._session.right if place % 2 else self._session.left
        if reading is None or place // 2 >= len(reading.blocks):
            return
        reference = self._session.reference
        assert reference is not None
        chosen = _chosen(Side(reading, reference), place // 2, event)
        self._session.selection.select(chosen, self._timeline)
        self._timeline.set_selection(chosen.event, place)


def _chosen(side: Side, n: int, event: int) -> Selection:
    """Block n of a reading at an event of the reference (its first one if below 0), with the value it got there."""
    reading, block = side.reading, side.reading.blocks[n]
    own = side.own_event(event) if event >= 0 else block.first_event
    event = side.shown_event(block.first_event) if event < 0 else event
    first, last = reading.deltas_of(own) if own is not None else (0, 0)
    at = bisect_left(block.deltas, first)
    if own is not None and at < len(block.deltas) and block.deltas[at] < last:
        delta = block.deltas[at]
        pointer = reading.deltas(own)[delta - first].pointer
        start, end = reading.place(own, pointer)
        return Selection(event, None, delta, pointer, n, reading.reader, start, end)
    return Selection(event, block=n, reader=reading.reader)
