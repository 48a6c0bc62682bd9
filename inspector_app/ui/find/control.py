"""Finds in the recording in view: runs the search in short steps, goes from match to match, and has all of it shown."""

from __future__ import annotations

import gc
import time
from bisect import bisect_left
from collections.abc import Iterator

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from inspector_app.core.field_search import FIELDS, FieldSearch, fields_of
from inspector_app.core.pattern import PatternFault, Query
from inspector_app.core.search import Key, Match, Search
from inspector_app.ui.commands import Command
from inspector_app.ui.find.bar import FindBar
from inspector_app.ui.find.scroll_marks import ScrollMarks
from inspector_app.ui.find.words import offers, said
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline_link import TimelineLink
from inspector_app.ui.views.panes import Panes

STEP_NS = 8_000_000
"""How long one step of searching may hold the interface thread."""
SHOWN_EACH_S = 0.2
"""How often what was found so far is shown while the search goes on."""
PLACES = 800
"""Marks that a scroll bar or the overview has at most."""
AGAIN_EACH_S, REST = 0.5, 3
"""How often at most a recording that is still being read is searched anew: not before so many times the last search."""


class Find(QObject):
    """Put its `bar` under the toolbar; `start`, `next`, `previous` and `close` are what keys do."""

    def __init__(self, session: Session, look: Look, panes: Panes, link: TimelineLink) -> None:
        super().__init__(panes)
        self._session, self._panes, self._link = session, panes, link
        self.bar = FindBar(look)
        self.marks = panes.found
        self._scroll_marks = [ScrollMarks(bar, look) for bar in panes.row_bars]
        self._card_marks = ScrollMarks(panes.cards.verticalScrollBar(), look)
        self._search: Search | FieldSearch | None = None
        """The search whose matches are shown."""
        self._running: Search | FieldSearch | None = None
        """The one that goes on; until it ends not shown if it only repeats the other."""
        self._fault = ""
        self._work: Iterator[None] | None = None
        self._fresh = True
        """Whether this is another query, and not the same in a recording that has grown or is read otherwise."""
        self._readings: tuple[int, ...] = ()
        self._pending: int | None = None
        """The step to take as soon as there is a match for it: 0 for the first one from the anchor on."""
        self._anchor = 0
        self._made: Selection | None = None
        self._remark = ""
        self._marked: tuple[Search | FieldSearch | None, int, int] = (None, 0, 0)
        """What the marks on the scroll bars were made of."""
        self._shown_at = self._begun_at = self._took = 0.0
        self._before: QWidget | None = None
        self._known_fields: tuple[tuple[int | None, int], list[str]] = (None, 0), []
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._step)
        self.bar.asked.connect(self._ask)
        self.bar.went.connect(self._went)
        self.bar.closed.connect(self.close)
        self.bar.fields = self.fields
        panes.cards.verticalScrollBar().rangeChanged.connect(self._mark_cards)
        panes.reading_view_changed.connect(self._mark_cards)
        for signal in (session.grown, session.read, session.compared):
            signal.connect(self._follow)

    @property
    def is_open(self) -> bool:
        """Whether the bar is there."""
        return not self.bar.isHidden()

    @property
    def is_searching(self) -> bool:
        """Whether the search still goes on."""
        return self._timer.isActive()

    # what keys do

    def start(self) -> None:
        """Opens the bar to find a text, or goes back to it."""
        if not self.is_open:
            self._before = QApplication.focusWidget()
            self._anchor = self._place()
        self._begin_with(False)

    def filter_by(self, text: str = "") -> None:
        """Opens the bar with a field filter; without one with that of before, ready to be replaced."""
        if not self.is_open:
            self._before = QApplication.focusWidget()
            self._anchor = 0
        if text:
            self.bar.filter_by(text)
        else:
            self._begin_with(True)

    def _begin_with(self, fields: bool) -> None:
        turned = self.bar.turn_to(fields)
        self.bar.begin()
        if turned or (self._search is None and self.bar.field.text()):
            self._ask()

    def look_for(self, query: Query, at: int = 0) -> None:
        """Opens the bar with a query, and goes to its first match from a byte of the body on."""
        if not self.is_open:
            self._before = QApplication.focusWidget()
        self._anchor = at
        self.bar.ask(query)
        self.bar.show()
        self._ask()

    def fields(self) -> list[str]:
        """The fields that a filter can speak of."""
        reference = self._session.reference
        known = (None if reference is None else id(reference), 0 if reference is None else len(reference.events))
        if known != self._known_fields[0]:
            self._known_fields = known, [] if reference is None else fields_of(reference)
        return self._known_fields[1]

    def next(self) -> None:
        """Goes to the next match; after the last one to the first."""
        self._go_on(1)

    def previous(self) -> None:
        """Goes to the match before; before the first one to the last."""
        self._go_on(-1)

    def close(self) -> None:
        """Takes the bar and all marks away. What is selected stays so."""
        if not self.is_open:
            return
        self.bar.remember()
        self.bar.hide()
        self._stop()
        self._search = self._pending = None
        self._show()
        before, self._before = self._before, None
        shown = before is not None and before.isVisible()
        (before if shown and before is not None else self._panes.raw).setFocus(Qt.FocusReason.OtherFocusReason)

    def commands(self) -> list[Command]:
        """What the window offers of it."""
        found = [
            Command("Find in this recording", "Find", self.start, ("/", "Ctrl+F"), menu=True),
            Command("Filter events by their fields", "Find", self.filter_by, ("Ctrl+Alt+F",)),
            Command("Next match", "Find", self.next, ("F3",)),
            Command("Previous match", "Find", self.previous, ("Shift+F3",)),
        ]
        return [Command("Close find", "Find", self.close, ("Esc",), late=True), *found] if self.is_open else found

    # searching

    def _ask(self) -> None:
        """Another query."""
        self._stop()
        self._fresh, self._fault, self._remark = True, "", ""
        self._search = None
        self._pending = 0
        self._begin()
        self._show()

    def _begin(self) -> None:
        session, query = self._session, self.bar.query
        reference = session.reference
        self._readings = self._signature()
        if reference is None or not query.text:
            return
        readings = [reading for reading in (session.left, session.right) if reading is not None]
        try:
            fields = query.scope == FIELDS
            running = self._running = FieldSearch(query, reference) if fields else Search(query, reference, readings)
        except PatternFault as fault:
            self._fault = str(fault)
            return
        if self._fresh:
            self._search = running
        self._work = running.steps()
        self._begun_at = self._shown_at = time.monotonic()
        gc.freeze()
        self._timer.start()

    def _stop(self) -> None:
        self._timer.stop()
        self._work = None

    def _signature(self) -> tuple[int, ...]:
        session = self._session
        known = (session.reference, session.left, session.right)
        return (*(id(reading) for reading in known), session.complete)

    def _follow(self) -> None:
        """The recording has grown, or other readings were chosen."""
        if not self.is_open or self._fault or not self.bar.field.text():
            return
        other = self._signature() != self._readings
        waits = self.is_searching or time.monotonic() - self._begun_at < max(AGAIN_EACH_S, REST * self._took)
        if other or (not self._session.complete and not waits):
            self._stop()
            # What was found in a reading that is gone is not shown any more.
            self._fresh = self._search is None or self._readings[:1] != self._signature()[:1]
            self._begin()
            if self._fresh:
                self._show()

    def _step(self) -> None:
        # To show what was found takes as long as a step: it is one of its own.
        now = time.monotonic()
        if self._work is None:
            self._stop()
            self._took = now - self._begun_at
            self._search = self._running
            self._show()
            return
        if self._fresh and now - self._shown_at >= SHOWN_EACH_S:
            self._shown_at = now
            # As in the session: what was found stays, and to search it for garbage would hold the window.
            gc.freeze()
            self._show()
            return
        until = time.perf_counter_ns() + STEP_NS
        for _ in self._work:
            if time.perf_counter_ns() >= until:
                return
        self._work = None

    # going

    def _went(self, step: int) -> None:
        self.bar.remember()
        self._go_on(step)

    def _go_on(self, step: int) -> None:
        if not self.bar.field.text():
            self.start()
            return
        if not self.is_open:
            self._before = QApplication.focusWidget()
            self.bar.show()
            self._ask()
        self._pending = step
        self._show()

    def _place(self) -> int:
        """Where in the body the selection begins."""
        current, reference = self._session.selection.current, self._session.reference
        if current is None or reference is None:
            return 0
        if current.start is not None:
            return current.start
        return reference.bytes_of(current.event)[0] if current.event < len(reference.events) else 0

    def _target(self, order: list[Key], step: int) -> int:
        """The place among the matches that a step leads to, maybe before the first or behind the last one."""
        current = self.marks.current
        elsewhere = self._session.selection.current != self._made
        if step == 0:
            return bisect_left(order, (self._anchor,))
        if current is None or elsewhere:
            place = self._place()
            if step < 0:
                return bisect_left(order, (place,)) - 1
            # What was gone to before the marks were taken away is behind us.
            return bisect_left(order, (place + (not elsewhere and self._made is not None),))
        at = bisect_left(order, current)
        exact = at < len(order) and order[at] == current
        return at + step if exact or step < 0 else at

    def _take_step(self) -> None:
        """Takes the step that is pending, if its match is there."""
        step, search = self._pending, self._search
        if step is None or search is None:
            return
        order = search.order
        at = self._target(order, step)
        if not 0 <= at < len(order):
            if self._work is not None or not (order or self._session.complete):
                return
            self._remark = "" if not order or step == 0 else "went on from the last one" if at < 0 else "from the start"
            at = len(order) - 1 if at < 0 else 0
        else:
            self._remark = ""
        self._pending = None
        if order:
            key = order[at]
            if step:
                self._anchor = key[0]
            self.marks.show(search, key)
            self._select(search.matches[key])

    def _select(self, match: Match) -> None:
        """Makes a match the selection, and brings it into view in every pane."""
        reference = self._session.reference
        if reference is None or (match.delta >= 0 and match.event >= len(reference.events)):
            return  # In playback it has not come yet.
        event, start, end = match.event, match.start, match.end
        if event < len(reference.events):
            parts = [found for found in self.marks.in_bytes(*reference.bytes_of(event)) if found.current]
            start, end = (parts[0].start, parts[0].end) if parts else (start, min(end, reference.bytes_of(event)[1]))
        line = reference.lines.at(start)
        picked = Selection(event, line, reader=reference.reader, start=start, end=end)
        if match.delta >= 0:
            place = match.delta - reference.deltas_of(event)[0]
            pointer = reference.deltas(event)[place].pointer
            picked = Selection(event, line, match.delta, pointer, None, reference.reader, start, end)
            if match.block >= 0 and match.own >= 0:
                picked = Selection(event, line, match.own, pointer, match.block, match.reader, start, end)
        elif match.block >= 0:
            picked = Selection(event, line, None, None, match.block, match.reader, start, end)
        self._made = picked
        self._panes.raw.forget()
        self._session.selection.select(picked, self)
        self._panes.raw.show_bytes(start, end)
        rows = self._session.rows
        if match.delta >= 0 and event < rows.events:
            first, last = rows.rows_of(event)
            if last - first > 1:
                self._panes.deltas.show_row(first + place)

    # showing

    def _show(self) -> None:
        """Has what is found so far shown everywhere."""
        search, current = self._search, self.marks.current
        self.marks.show(search, current if search is not None and current in search.matches else None)
        self._take_step()
        for view in (self._panes.raw, self._panes.deltas, self._panes.blocks, self._panes.cards):
            view.viewport().update()
        self._panes.raw.forget()
        self._mark_bars()
        at = -1
        if search is not None and self.marks.current is not None:
            at = bisect_left(search.order, self.marks.current)
        query = self.bar.query
        nothing = self._fault or (search is not None and self._work is None and not search.matches)
        meant = search.meant if isinstance(search, FieldSearch) else {}
        offered = offers(query, meant, self._fault, self.fields()) if nothing and query.scope == FIELDS else []
        self.bar.say(*said(query, search, self._fault, self._work is not None, at, self._remark, offered))
        self.bar.offer(offered)

    def _mark_cards(self) -> None:
        """The marks on the scroll bar of the reading view."""
        search, cards = self._search, self._panes.cards
        places = [] if search is None or not cards.isVisible() else cards.places_of(search.fragments)
        self._card_marks.show_places(places)

    def _events(self, search: Search | FieldSearch) -> list[int]:
        """The events with matches, one for all that lie too close to be told apart on a scroll bar."""
        order, reading = search.order, self._session.reference
        if reading is None or not len(reading.events):
            return [0] * bool(order)
        apart = max(1, len(reading.events) // PLACES)
        events: list[int] = []
        at = 0
        while at < len(order):
            event = search.matches[order[at]].event
            if not events or event > events[-1]:
                events.append(event)
            after = min(event + apart, max(event + 1, len(reading.events) - 1))
            if after >= len(reading.events):
                break
            at = max(at + 1, bisect_left(order, (reading.bytes_of(after)[0],)))
        return events

    def _mark_bars(self) -> None:
        """The marks on the scroll bars of the rows, and in the overview of the timeline."""
        search, rows = self._search, self._session.rows
        marked = (search, 0 if search is None else len(search.matches), len(rows))
        if marked == self._marked:
            return
        self._marked = marked
        events = [] if search is None else self._events(search)
        starts, known = rows.counts.starts, rows.events
        places = [starts[event] / max(1, len(rows)) for event in events if event < known]
        for marks in self._scroll_marks:
            marks.show_places(places)
        self._mark_cards()
        self._link.show_found(events)
