"""The drawer itself: counts the range, or what is in sight, in small steps, and shows table, histogram and list."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector_app.core.buffering import conclusion
from inspector_app.core.ranges import Happenings, Numbers, Part, happenings_in_steps, numbers_in_steps
from inspector_app.core.reading import Reading
from inspector_app.core.text import encodable, number
from inspector_app.core.timing import BINS, ladder, unmeasured
from inspector_app.core.timing import Waits as BetweenReads
from inspector_app.ui import fonts
from inspector_app.ui.controls import Button
from inspector_app.ui.drawer.paint import (
    FIGURES,
    LOW_FIGURES,
    ROW,
    Figures,
    KindHead,
    TallHistogram,
    paint_item,
    paint_line,
)
from inspector_app.ui.drawer.rows import (
    EVERYTHING,
    FEW_READS,
    HAPPENS,
    RANGE,
    SHARES,
    SIGHT,
    WAITS,
    Item,
    Line,
    as_text,
    figures_of,
    items_in_steps,
    lines_of,
    note_items,
    place_words,
    remark_of,
    told_waits,
    wait_items,
    waits_of,
)
from inspector_app.ui.labels import ElidedLabel, label
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Timeline
from inspector_app.ui.timeline.flags import NOTES
from inspector_app.ui.timeline.marked import Marked
from inspector_app.ui.timeline.waits import WAITS as WAITS_LANE
from inspector_app.ui.timeline_link import TimelineLink
from inspector_app.ui.views.block_names import BlockNames
from inspector_app.ui.views.row_states import LINKED, PLAIN, SELECTED
from inspector_app.ui.views.timing_parts import Column, JumpTable, Title
from inspector_app.ui.views.timing_rows import percentile_words

STEP_NS = 8_000_000
STALE_MS = 300
"""After so long a count that is not done yet lets the old numbers step back."""
LEAST_REST_NS, REST = 500_000_000, 10
"""Between two counts of a live stream: at least so long, and so often what one took."""
MOST = 500
"""Rows of the list."""
LEAST, STRETCH = (430, 270, 210), (48, 24, 28)
HEAD, COMFORT = 30, 290
"""Height of the head, and of a drawer that shows all of its table and figures."""
REMARK, ROOMY_TITLE = 28, 300
NOTHING_HAPPENS = Item(-1, "nothing begins or ends here", "", "")


class Drawer(QWidget):
    """`finding_picked(rule, event)` is a finding or a note of the list; everything else is selected here."""

    finding_picked = Signal(str, int)

    def __init__(self, session: Session, look: Look, link: TimelineLink, timeline: Timeline) -> None:
        super().__init__()
        self._session, self._look, self._link, self._timeline = session, look, link, timeline
        self._asked: tuple[object, ...] = ()
        self._work: Iterator[None] = iter(())
        self._whole: Numbers | None = None
        self._whole_of: tuple[object, ...] = ()
        self._names: BlockNames | None = None
        self._names_of: Reading | None = None
        self._begun = self._rest_until = 0
        self._place = self._concluded = ""
        self._stale = False
        self._counts: list[int] = [0] * len(BINS)
        self._items: list[Item] = []
        self._timer, self._late, self._again = QTimer(self), QTimer(self), QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self.ask)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._step)
        self._late.setSingleShot(True)
        self._late.setInterval(STALE_MS)
        self._late.timeout.connect(lambda: self._grow_stale(True))
        self.setAccessibleName("Numbers of the range")
        self.kinds = JumpTable(look, "Kinds in the range", self._paint_line, self._state_of, self)
        self.happens = JumpTable(look, "What begins and ends in the range", self._paint_item, self._state_of, self)
        for table in (self.kinds, self.happens):
            table.verticalHeader().setDefaultSectionSize(ROW)
            table.picked.connect(lambda at, table=table: self._pick(table.rows.rows[at]))
        self.figures, self.histogram = Figures(look), TallHistogram(look)
        self.remark = ElidedLabel("", "ink.3")
        self.remark.setFont(fonts.ui_font(fonts.BODY, italic=True))
        self.title, self.place = label("", "ink.1", fonts.BODY, 600), ElidedLabel("", "ink.2")
        self.copy = Button(look, "Copy as table", "", "link")
        self.copy.clicked.connect(self.copy_table)
        self._kind_head = KindHead(look)
        self._waits_title, self._list_title = Title(look, WAITS[RANGE]), Title(look, HAPPENS[RANGE])
        self._arrange()
        for signal in (session.grown, session.read, session.compared, session.mutes.changed, link.shown):
            signal.connect(self.ask)
        session.selection.changed.connect(lambda *_: self._repaint())
        timeline.range_changed.connect(lambda *_: self.ask())
        look.changed.connect(self._repaint)

    def _arrange(self) -> None:
        head = QWidget()
        head.setProperty("layer", "head")
        head.setFixedHeight(HEAD)
        row = QHBoxLayout(head)
        row.setContentsMargins(16, 0, 8, 0)
        row.setSpacing(10)
        row.addWidget(self.title)
        row.addWidget(self.place, 1)
        row.addWidget(self.copy)
        remark = QWidget()
        remark.setFixedHeight(REMARK)
        beside = QHBoxLayout(remark)
        beside.setContentsMargins(16, 0, 16, 0)
        beside.addWidget(self.remark)
        self._remark = remark
        columns = QHBoxLayout()
        columns.setSpacing(0)
        parts = (
            (self._kind_head, self.kinds, remark, self.figures), (self._waits_title, self.histogram),
            (self._list_title, self.happens),
        )  # fmt: skip
        for place, widgets in enumerate(parts):
            column = Column(self._look, place > 0)
            column.setMinimumWidth(LEAST[place])
            inner = QVBoxLayout(column)
            inner.setContentsMargins(1 if place else 0, 0, 0, 4)
            inner.setSpacing(0)
            for widget in widgets:
                inner.addWidget(widget, int(widget in (self.histogram, self.happens)))
            if not place:
                inner.addStretch(1)
            columns.addWidget(column, STRETCH[place])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(head)
        whole.addLayout(columns, 1)

    # what is counted

    def ask(self) -> None:
        """Count what is marked or in sight now, unless that has been done; while somebody looks."""
        reading, clock = self._session.reference, self._link.clock
        if not self.isVisible() or reading is None or clock is None:
            return
        part, title = self._wanted()
        if part is None:
            return
        growing = not reading.ended
        rest = self._rest_until - time.perf_counter_ns() if growing else 0
        if rest > 0:
            self._again.start(rest // 1_000_000 + 1)
            return
        end = ladder(reading)["end"]
        if growing and part.ns is not None and end is not None:
            # What is still to come has no rate: the range ends where the stream has come to.
            part = part._replace(ns=max(0, min(part.ns, end - part.start)))
        version = (self._timeline.sight.version, len(reading.findings))
        asked = (reading, part, title, version, len(reading.events))
        if asked == self._asked:
            return
        self._asked = asked
        self._begun = time.perf_counter_ns()
        # In playback another clock may have taken its place before the count is done.
        self._work = self._counting(reading, clock.positions, part, title)
        self._late.start()
        self._timer.start()

    def _wanted(self) -> tuple[Part | None, str]:
        """The part whose numbers are shown, and what it is called."""
        part = self._link.part_of(self._timeline.points)
        if part is not None:
            return part, RANGE
        sight = self._timeline.sight
        axis, view = sight.axis, sight.view
        low, high = axis.span
        high = high if axis.end is None else axis.end
        seen = Marked(min(max(view.start, low), high), max(min(view.end, high), low))
        return self._link.part_of(seen), SIGHT if view.per_pixel < sight.whole.per_pixel else EVERYTHING

    def _step(self) -> None:
        until = time.perf_counter_ns() + STEP_NS
        for _ in self._work:
            if time.perf_counter_ns() >= until:
                return
        self._timer.stop()
        self._late.stop()
        took = time.perf_counter_ns() - self._begun
        self._rest_until = time.perf_counter_ns() + max(LEAST_REST_NS, REST * took)

    def _counting(self, reading: Reading, positions: Sequence[int], part: Part, title: str) -> Iterator[None]:
        """Count the part and show it, then the whole beside it where that is not known yet."""
        numbers = Numbers(part)
        for counted in numbers_in_steps(reading, part):
            numbers = counted or numbers
            yield
        found = Happenings()
        for happened in happenings_in_steps(reading, part, MOST):
            found = happened or found
            yield
        if self._names is None or self._names_of is not reading:
            self._names, self._names_of = BlockNames(reading), reading
        items: list[Item] = []
        for made in items_in_steps(reading, self._names, found.all, positions, part.ns is not None):
            items = made or items
            yield
        waits, notes = waits_of(self._link.lane(WAITS_LANE)), self._link.lane(NOTES)
        noted = note_items(notes.marks if notes is not None else [], part)
        total = found.total + len(told_waits(waits, part)) + len(noted)
        items = sorted([*items, *wait_items(waits, part, MOST), *noted], key=lambda item: item.event)[:MOST]
        yield
        known = (reading, len(reading.events))
        whole = self._whole if self._whole_of == known or not reading.ended else None
        self._show(reading, numbers, whole, title, lines_of(numbers, positions, waits), items, total)
        yield
        if self._whole_of != known and len(reading.events):
            for counted in numbers_in_steps(reading, Part(0, len(reading.events), 0, ladder(reading)["end"])):
                whole = counted or whole
                yield
            waiting = BetweenReads(reading)
            for _ in waiting.in_steps():
                yield
            self._concluded = conclusion(waiting).words
            self._whole, self._whole_of = whole, known
            self._show_whole(reading, numbers, whole, title)

    # what is shown

    def _show(
        self, reading: Reading, numbers: Numbers, whole: Numbers | None, title: str, lines: Sequence[Any],
        items: list[Any], total: int,
    ) -> None:  # fmt: skip
        self._late.stop()
        self._stale = False
        self.title.setText(title)
        self._place = place_words(numbers.part, ladder(reading)["end"] if reading.ended else None)
        self.kinds.rows.show(lines)
        self._kind_head.show_titles(SHARES[title], lines[0].titles[6:])
        self.remark.show_text(remark_of(reading, numbers, self._link.tokens))
        self.remark.setFont(fonts.ui_font(fonts.BODY, italic=True))
        self._items = items
        self.happens.rows.show(items or [NOTHING_HAPPENS])
        shown = number(total) if total == len(items) else f"{number(len(items))} of {number(total)}"
        self._list_title.show_note(shown, HAPPENS[title])
        self.happens.setAccessibleName(f"{HAPPENS[title]}: what begins and ends")
        self.kinds.setAccessibleName(f"{title}: kinds")
        self._show_whole(reading, numbers, whole, title)
        self._fit()
        self._repaint()

    def _show_whole(self, reading: Reading, numbers: Numbers, whole: Numbers | None, title: str) -> None:
        concluded = self._concluded if title == EVERYTHING and whole is not None else ""
        self.place.show_text(f"{concluded} · {self._place}" if concluded else self._place)
        self.figures.show_figures(figures_of(reading, numbers, whole))
        waits = numbers.waits if numbers.part.ns is not None else None
        self._counts = list(waits.counts) if waits is not None else [0] * len(BINS)
        words = percentile_words(waits) if waits is not None else unmeasured(reading) or FEW_READS
        compared = title != EVERYTHING and waits is not None and whole is not None and whole.waits is not None
        outline = whole.waits.counts if compared and whole is not None and whole.waits is not None else ()
        self.histogram.show_counts(self._counts, [0] * len(BINS), words, outline)
        said = "whole recording" if self._waits_title.width() >= ROOMY_TITLE else "whole"
        beside = f"outline: {said if reading.ended else 'all so far'}"
        self._waits_title.show_note(beside if any(outline) else "", WAITS[title])
        self.histogram.setAccessibleName(WAITS[title])

    def _grow_stale(self, stale: bool) -> None:
        self._stale = stale
        self._repaint()

    def _fit(self) -> None:
        """The table as high as its rows. Where the drawer is low the remark goes first, then a line of the figures,
        then all of them; then the table scrolls.
        """
        rows = len(self.kinds.rows.rows) * ROW
        room = self.height() - HEAD - self._kind_head.height() - 4
        self._remark.setVisible(room >= rows + FIGURES + REMARK)
        self.figures.be_low(room < rows + FIGURES)
        self.figures.setVisible(room >= rows + LOW_FIGURES)
        self.kinds.setFixedHeight(max(2 * ROW, min(rows, room)))

    def _paint_line(self, painter, theme, rect, row) -> None:
        paint_line(painter, theme, rect, row, self._stale)

    def _paint_item(self, painter, theme, rect, row) -> None:
        paint_item(painter, theme, rect, row, self._stale)

    def _repaint(self) -> None:
        for table in (self.kinds, self.happens):
            table.viewport().update()

    # places and words

    def _state_of(self, row: Any, selected: bool) -> str:
        current = self._session.selection.current
        if isinstance(row, Line) and not selected:
            return PLAIN  # A kind is no place: it only leads to where the first of it came.
        event = row.leads.event if row.leads is not None else row.event if isinstance(row, Item) and row.rule else None
        if current is None or event != current.event:
            return PLAIN
        if row.leads is not None and row.leads.block is not None and row.leads.block != current.block:
            return PLAIN
        return SELECTED if selected else LINKED

    def _pick(self, row: Any) -> None:
        if isinstance(row, Item) and row.rule:
            self.finding_picked.emit(row.rule, row.event)
        elif row.leads is not None:
            self._session.selection.select(row.leads, self)
        self._repaint()

    def copy_table(self) -> None:
        """All that is told, to the clipboard."""
        QGuiApplication.clipboard().setText(encodable(self.text()))
        self.copy.setText("Copied")
        QTimer.singleShot(1500, self.copy, lambda: self.copy.setText("Copy as table"))

    def text(self) -> str:
        """All that is told, columns set off by tabs."""
        title = f"{self.title.text()} {self.place.text()}"
        lines: Sequence[Any] = self.kinds.rows.rows
        return as_text(title, lines, self.figures.figures, self._counts, self._items)

    # what Qt asks

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.ask()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()
        self._late.stop()
        self._again.stop()
        self._asked = ()

    @property
    def settled(self) -> bool:
        """Whether all that is asked for is counted and shown."""
        return not self._timer.isActive()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
