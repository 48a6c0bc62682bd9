"""The page Timing of the detail pane: the ladder of first times, the waits between reads, the longest of them."""

from __future__ import annotations

import time
from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHBoxLayout, QMenu, QScrollArea, QVBoxLayout, QWidget

from inspector_app.core.buffering import buffering, conclusion
from inspector_app.core.ranges import Numbers, Part, numbers_in_steps
from inspector_app.core.rates import Tokens
from inspector_app.core.reading import Reading
from inspector_app.core.text import duration, encodable, number
from inspector_app.core.timing import BINS, EDGES, Waits, ladder, unmeasured
from inspector_app.ui.live.session import LiveSession
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.empty import paint_empty
from inspector_app.ui.views.row_states import LINKED, PLAIN, SELECTED
from inspector_app.ui.views.timing_parts import (
    ROW,
    Column,
    Histogram,
    JumpTable,
    Title,
    Verdict,
    paint_rung,
    paint_wait,
)
from inspector_app.ui.views.timing_range import (
    NO_WAITS,
    TITLE,
    counted_tokens,
    paint_figure,
    place_words,
    range_rows,
    range_text,
)
from inspector_app.ui.views.timing_rows import (
    RUNGS,
    TITLES,
    Row,
    as_metrics,
    as_text,
    ladder_rows,
    percentile_words,
    wait_row,
    wait_rows,
)

STEP_NS = 8_000_000
CALM_NS = 250_000_000
LEAST = (216, 236, 200)
"""The width below which a column is no longer legible; then the page scrolls."""
BOTTOM = 4
LEAST_HEIGHT = Title.HEIGHT + len(RUNGS) * ROW + BOTTOM
SHARES = (12, 11, 10)
ROOMY = 240
"""The height from which on the conclusion has all of its lines."""


class TimingPage(QScrollArea):
    """Numbers of the reference as far as they were measured; an order-only recording says that it has none."""

    def __init__(self, session: Session, look: Look, origin: QWidget) -> None:
        super().__init__()
        self._session, self._look, self._origin = session, look, origin
        self._waits: Waits | None = None
        self._work: Iterator[None] | None = None
        self._part: tuple[Part, Tokens | None] | None = None
        """The range of the timeline whose numbers are shown in the place of those of the whole recording."""
        self._numbers: Numbers | None = None
        self._counting: Iterator[Numbers | None] = iter(())
        self._empty = ("", "", "")
        self._followed = 0
        """The moment of a live stream at which its numbers were shown last."""
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._step)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setAccessibleName("Timing")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.ladder = JumpTable(look, TITLES["ladder"], paint_rung, self._state_of, self)
        self.histogram = Histogram(look)
        self.longest = JumpTable(look, TITLES["longest"], paint_wait, self._state_of, self)
        self.verdict = Verdict(look)
        self._titles = {key: Title(look, title) for key, title in TITLES.items()}
        self._columns = self._arranged()
        self.setWidget(self._columns)
        for table in (self.ladder, self.longest):
            table.picked.connect(lambda number, table=table: self._pick(table.rows.rows[number]))
        session.grown.connect(self._follow)
        session.selection.changed.connect(lambda *_: self._repaint())
        if isinstance(session, LiveSession):
            session.ticked.connect(self._follow)
        look.changed.connect(self._repaint)

    def _arranged(self) -> QWidget:
        body = QWidget()
        body.setMinimumSize(sum(LEAST), LEAST_HEIGHT)
        whole = QVBoxLayout(body)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.verdict)
        row = QHBoxLayout()
        whole.addLayout(row, 1)
        row.setSpacing(0)
        parts: tuple[tuple[str, QWidget], ...] = (
            ("ladder", self.ladder), ("waits", self.histogram), ("longest", self.longest)
        )  # fmt: skip
        for place, ((key, part), least, share) in enumerate(zip(parts, LEAST, SHARES, strict=True)):
            column = Column(self._look, place > 0)
            column.setMinimumWidth(least)
            inner = QVBoxLayout(column)
            inner.setContentsMargins(1 if place else 0, 0, 0, BOTTOM)
            inner.setSpacing(0)
            inner.addWidget(self._titles[key])
            inner.addWidget(part, int(key != "longest"))
            if key == "longest":
                inner.addStretch(1)
            row.addWidget(column, share)
        return body

    # what is shown

    @property
    def _now(self) -> int | None:
        session = self._session
        return session.now if isinstance(session, LiveSession) and session.live else None

    def forget(self) -> None:
        """Another exchange may be shown."""
        if self._waits is not None and self._waits.reading is not self._session.reference:
            self._waits = self._work = None
            self._timer.stop()
            self.show_range(None)

    def show_range(self, part: Part | None, tokens: Tokens | None = None) -> None:
        """Tell the numbers of a part of the recording; None tells those of the whole again."""
        if part is None and self._part is None:
            return
        before, self._part = self._part, None if part is None else (part, tokens)
        self._numbers, self._counting = None, iter(())
        if (before is None) is not (part is None):
            ranged = part is not None
            self.ladder.paint_by(paint_figure if ranged else paint_rung, TITLE if ranged else TITLES["ladder"])
            self._titles["ladder"].show_note("", TITLE if ranged else TITLES["ladder"])
            self.ladder.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
            self.ladder.rows.show([])
        reading = self._session.reference
        if part is not None and reading is not None:
            self._counting = numbers_in_steps(reading, part)
        if self._waits is not None or part is not None:
            self._grown()

    def show_selection(self, selection: Selection | None) -> None:
        """The numbers are the same for every event."""
        self._follow()

    def _follow(self) -> None:
        """The same while a stream is live, at a rate at which numbers can be read."""
        now = self._now
        if now is None or self._waits is None or not 0 <= now - self._followed < CALM_NS:
            self._followed = now or 0
            self._grown()

    def _grown(self) -> None:
        """Take in what has come, while somebody looks."""
        reading = self._session.reference
        if not self.isVisible() or reading is None:
            return
        self.forget()
        if self._waits is None:
            self._waits = Waits(reading)
        if self._work is None:
            self._work = self._waits.in_steps()
        self._step()

    def _step(self) -> None:
        until = time.perf_counter_ns() + STEP_NS
        for _ in self._work or ():
            if time.perf_counter_ns() >= until:
                self._timer.start()
                break
        else:
            self._work = None
            self._count(until)
        self._fill()

    def _count(self, until: int) -> None:
        """Go on with the numbers of a range, after those of the whole."""
        for found in self._counting:
            self._numbers = found or self._numbers
            if time.perf_counter_ns() >= until:
                self._timer.start()
                return
        self._timer.stop()

    def _fill(self) -> None:
        waits = self._waits
        assert waits is not None
        reading = waits.reading
        why = unmeasured(reading)
        unknown = why and self._part is None
        self._empty = ("clock", "No times were measured", f"{why[0].upper()}{why[1:]}.") if unknown else ("", "", "")
        self._columns.setVisible(not unknown)
        self.setAccessibleDescription(why)
        self.viewport().update()
        if self._part is not None:
            self._fill_range(waits)
            return
        if why:
            return
        self.ladder.rows.show(ladder_rows(reading))
        end = ladder(reading)["end"]
        self._titles["ladder"].show_note(f"end {duration(end)}" if reading.ended and end is not None else "")
        rows = wait_rows(waits, self._now)
        self.longest.rows.show(rows)
        self._show_histogram(waits, rows)
        self._show_verdict(waits)
        self._fit()

    def _show_histogram(self, waits: Waits, rows: list[Row]) -> None:
        counts, alarms = list(waits.counts), [0] * len(BINS)
        now = self._now
        open_wait = None if now is None else waits.open_wait(now)
        if open_wait is not None:
            place = sum(open_wait.ns > edge for edge in EDGES)
            counts[place] += 1
        for row in rows:
            if row.alarm and row.ns is not None:
                place = sum(row.ns > edge for edge in EDGES)
                alarms[place] = min(alarms[place] + 1, counts[place])
        self.histogram.show_counts(counts, alarms, percentile_words(waits))
        self._titles["waits"].show_note(f"{number(waits.total)}")
        self._titles["longest"].show_note("")

    def _fill_range(self, whole: Waits) -> None:
        found, reading = self._numbers, whole.reading
        assert self._part is not None
        if found is None:
            return
        counted = counted_tokens(reading, found)
        self.ladder.rows.show(range_rows(found, self._part[1], self._length(reading), counted))
        self._titles["ladder"].show_note(place_words(found))
        waits = found.waits
        rows = [wait_row(reading, wait, found.inside(wait)) for wait in found.longest()]
        self.longest.rows.show(rows)
        counts = waits.counts if waits is not None else [0] * len(BINS)
        words = percentile_words(waits) if waits is not None else unmeasured(reading) or NO_WAITS
        self.histogram.show_counts(counts, [0] * len(BINS), words, whole.counts)
        self._titles["waits"].show_note("outline: whole recording" if any(whole.counts) else "")
        self._titles["longest"].show_note("in the range")
        self.verdict.hide()
        self._fit()

    def _length(self, reading: Reading) -> int | None:
        return ladder(reading)["end"]

    def _show_verdict(self, waits: Waits) -> None:
        found = conclusion(waits)
        self.verdict.setVisible(bool(found.words))
        # What was held back tells of the headers itself.
        self.verdict.show_words(found.words, found.calm, buffering(waits).hints if found.calm else ())

    # places

    def _state_of(self, row: Row, selected: bool) -> str:
        current = self._session.selection.current
        if row.leads is None or current is None or row.leads.event != current.event:
            return PLAIN
        return SELECTED if selected else LINKED

    def _pick(self, row: Row) -> None:
        if row.leads is not None:
            self._session.selection.select(row.leads, self._origin)
            self._repaint()

    def _repaint(self) -> None:
        for table in (self.ladder, self.longest):
            table.viewport().update()

    def _fit(self) -> None:
        self.verdict.fit_into(self.viewport().width(), self.viewport().height() < ROOMY)
        told = 0 if self.verdict.isHidden() else self.verdict.height()
        room = max(self.viewport().height(), LEAST_HEIGHT) - Title.HEIGHT - BOTTOM - told
        for table in (self.ladder, self.longest):
            size = table.fit_rows(room, len(RUNGS))
        shown = min(len(self.longest.rows.rows), max(2, room // size))
        self.longest.setFixedHeight(shown * size)

    # words

    def menu(self) -> QMenu:
        """The actions that copy."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        waits = self._waits
        known = waits is not None and not unmeasured(waits.reading)
        numbers, named = menu.addAction("Copy numbers"), menu.addAction("Copy as OpenTelemetry metrics")
        for action in (numbers, named):
            action.setEnabled(known)
        if waits is not None:
            numbers.triggered.connect(lambda: _copy(self._text(waits)))
            named.triggered.connect(lambda: _copy(as_metrics(waits.reading)))
        return menu

    def _text(self, waits: Waits) -> str:
        """The numbers that are shown."""
        if self._part is not None and self._numbers is not None:
            counted = counted_tokens(waits.reading, self._numbers)
            return range_text(self._numbers, self._part[1], self._length(waits.reading), counted)
        return as_text(waits.reading, waits, buffering(waits), conclusion(waits).words)

    # what Qt asks

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._grown()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._empty[1]:
            with QPainter(self.viewport()) as painter:
                painter.fillRect(self.viewport().rect(), self._look.theme.color("bg.pane"))
                paint_empty(painter, self._look, self.viewport().rect(), *self._empty)


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(encodable(text))
