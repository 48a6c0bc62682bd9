"""One recording in the window: strips, timeline, the three panes, findings and detail, and the line below."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from inspector_app.core.text import number, size
from inspector_app.lenses import REFERENCE
from inspector_app.report.comparison import as_markdown
from inspector_app.ui import fonts
from inspector_app.ui.controls import Button, Choice, icon_button
from inspector_app.ui.frames import EmptyPane, Splitter
from inspector_app.ui.labels import draw_text, label
from inspector_app.ui.lanes import Clock, axis_of, lanes_of
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.summary import Summary, VerdictStrip
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Timeline
from inspector_app.ui.views.detail import DetailView
from inspector_app.ui.views.findings import FindingsView
from inspector_app.ui.views.panes import Panes

TOOLBAR = 44
STATUS = 24
EDGE = 16


class Status(QWidget):
    """The line at the bottom: what is selected, and what is known of the recording."""

    def __init__(self, session: Session, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.look = session, look
        self.setFixedHeight(STATUS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        session.selection.changed.connect(self.update)
        session.grown.connect(self.update)
        session.read.connect(self.update)
        look.changed.connect(self.update)

    def left_words(self) -> list[tuple[str, bool]]:
        """What is selected; the second of each pair says that it is wire data."""
        reading, selection = self.session.reference, self.session.selection.current
        if reading is None:
            return [("Loading", False)]
        if selection is None or selection.event >= len(reading.events):
            return [(f"{number(len(reading.events))} events", False)]
        n = selection.event
        start, end = reading.bytes_of(n)
        if selection.start is not None and selection.end is not None:
            start, end = selection.start, selection.end
        line = selection.line if selection.line is not None else reading.lines_of(n)[0]
        words = [(f"Event {number(n)} of {number(len(reading.events))}", False), (f"line {number(line)}", False)]
        words.append((f"bytes {number(start)}–{number(end)} ({number(end - start)})", False))
        if selection.pointer:
            words.append((selection.pointer, True))
        return words

    def right_words(self) -> str:
        """What is known of the recording as a whole."""
        reading, exchange = self.session.reference, self.session.exchange
        if reading is None or exchange is None:
            return ""
        state = "read complete" if self.session.complete else "reading"
        timing = {"measured": "timing measured", "per-line": "timing per line"}.get(exchange.timing, "order only")
        return f"{state} · {size(len(exchange.body))}   {timing}   {exchange.format}   {reading.framing}"

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self.look.theme, QPainter(self)
        painter.fillRect(self.rect(), theme.color("bg.chrome"))
        base = fonts.baseline(0, STATUS)
        plain, wire = fonts.ui_font(fonts.SECONDARY), fonts.wire_font(fonts.SECONDARY)
        right = self.right_words()
        limit = self.width() - EDGE - fonts.text_width(plain, right)
        draw_text(painter, limit, base, right, plain, theme.color("ink.2"))
        x = float(EDGE)
        for i, (words, is_wire) in enumerate(self.left_words()):
            font = wire if is_wire else plain
            if i:
                painter.fillRect(round(x) + 8, 6, 1, STATUS - 12, theme.color("line.strong"))
                x += 17
            room = int(limit - 24 - x)
            if room < 40:
                break
            ink = theme.color("ink.1" if i == 0 else "ink.2")
            x += draw_text(painter, x, base, fonts.elided(font, words, room), font, ink)
        painter.end()


class Notice(QWidget):
    """A strip under the toolbar: a fault of the file or the program in one line, or how far a long reading is."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.part = 0.0
        self.words = label("", "ink.2", fonts.SECONDARY)
        self.cancel = Button(look, "Cancel", "", "flat")
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE, 2, EDGE, 0)
        row.addWidget(self.words)
        row.addStretch(1)
        row.addWidget(self.cancel)
        self.setFixedHeight(32)
        look.changed.connect(self.update)
        self.hide()

    def show_progress(self, done: int, total: int) -> None:
        """How far the reading is; hides when it is done."""
        self.part = done / total if total else 1.0
        self.setVisible(done < total)
        self.words.setText(f"{size(done)} of {size(total)} read")
        self.update()

    def say(self, words: str) -> None:
        """A fault in one line, until the user dismisses it."""
        self.part = 0.0
        self.words.setText(words)
        self.cancel.setText("Dismiss")
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self.look.theme, QPainter(self)
        painter.fillRect(self.rect(), theme.color("bg.panel"))
        painter.fillRect(0, 0, round(self.width() * self.part), 2, theme.color("accent"))
        painter.end()


class RecordingPage(QWidget):
    """Everything about one recording. `titled(words, mark)`: what its tab should say."""

    titled = Signal(str, str)
    open_asked = Signal()
    picture_asked = Signal()

    def __init__(self, session: Session, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.look = session, look
        self.clock: Clock | None = None
        self.timeline = Timeline(look)
        self.summary = Summary(session, look)
        self.verdict = VerdictStrip(session, look)
        self.notice = Notice(look)
        self.panes = Panes(session, look)
        self.findings = FindingsView(session, look)
        self.detail = DetailView(session, look)
        self.status = Status(session, look)
        self.toolbar = self._toolbar()
        self.fault = QWidget()
        self._body = self._arranged()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.toolbar, self.notice, self.summary, self.verdict):
            column.addWidget(widget)
        column.addWidget(self._body, 1)
        column.addWidget(self.status)
        self._connect()

    # building

    def _toolbar(self) -> QWidget:
        bar = QWidget()
        bar.setProperty("layer", "panel")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        bar.setFixedHeight(TOOLBAR)
        row = QHBoxLayout(bar)
        row.setContentsMargins(EDGE - 8, 0, EDGE, 0)
        row.setSpacing(8)
        look = self.look
        self.open_button = Button(look, "Open", "open", "flat")
        self.picture_button = Button(look, "Save picture", "picture", "flat")
        self.read_as = Choice(look, "Read as")
        self.compare_with = Choice(look, "Compare with")
        self.swap = icon_button(look, "swap", "Swap the two readings")
        self.response = Choice(look, "Response in this file")
        self.response.hide()
        self.previous_finding = icon_button(look, "chevron-up", "Previous place of a finding", "Shift+F8")
        self.next_finding = Button(look, "Next finding", "chevron-down", "flat", keys="F8")
        for widget in (self.open_button, self.picture_button):
            row.addWidget(widget)
        row.addSpacing(8)
        row.addWidget(self.response)
        row.addWidget(label("Read as", "ink.2"))
        row.addWidget(self.read_as)
        row.addWidget(self.swap)
        row.addWidget(label("compare with", "ink.2"))
        row.addWidget(self.compare_with)
        row.addStretch(1)
        row.addWidget(self.previous_finding)
        row.addWidget(self.next_finding)
        return bar

    def _arranged(self) -> Splitter:
        below = Splitter(self.look, Qt.Orientation.Horizontal)
        below.addWidget(self.findings)
        below.addWidget(self.detail)
        below.setSizes([640, 960])
        whole = Splitter(self.look, Qt.Orientation.Vertical)
        for part in (self.timeline, self.panes, below):
            whole.addWidget(part)
        whole.setStretchFactor(0, 0)
        whole.setStretchFactor(1, 3)
        whole.setStretchFactor(2, 2)
        whole.setSizes([200, 350, 272])
        return whole

    def _connect(self) -> None:
        session, timeline = self.session, self.timeline
        session.grown.connect(self._grown)
        session.read.connect(self._read)
        session.compared.connect(self._compared)
        session.failed.connect(self._failed)
        session.progress.connect(self.notice.show_progress)
        session.selection.changed.connect(self._selected)
        timeline.event_picked.connect(self._event_picked)
        timeline.block_picked.connect(self._block_picked)
        timeline.finding_picked.connect(self._finding_picked)
        self.notice.cancel.clicked.connect(self._dismiss)
        self.verdict.first_difference.connect(self.show_first_difference)
        self.verdict.copy_report.connect(self.copy_report)
        self.summary.severity_picked.connect(self._severity_picked)
        self.open_button.clicked.connect(self.open_asked)
        self.picture_button.clicked.connect(self.picture_asked)
        self.next_finding.clicked.connect(self.findings.next_place)
        self.previous_finding.clicked.connect(self.findings.previous_place)
        self.read_as.activated.connect(self._choose)
        self.compare_with.activated.connect(self._choose)
        self.swap.clicked.connect(self._swap)
        self.response.activated.connect(self._choose_response)

    # what the session says

    def _grown(self) -> None:
        reading = self.session.reference
        if reading is None:
            return
        if self.clock is None or self.clock.reading is not reading:
            self.clock = Clock(reading)
        self.clock.extend()
        if not self.session.complete:
            self._show_lanes(whole=False)

    def _read(self) -> None:
        self._show_responses()
        self._show_readers()
        self._show_lanes(whole=True)
        reading = self.session.reference
        worst = reading.findings[0].severity if reading is not None and reading.findings else "document"
        self.titled.emit(self.title, worst)
        if self.session.selection.current is None and reading is not None and len(reading.events):
            self.session.selection.select(Selection(0), self)

    def _compared(self) -> None:
        self._show_readers()
        if self.session.complete:
            self._show_lanes(whole=True)
            if self._untouched():
                self.show_first_difference()

    def _untouched(self) -> bool:
        current = self.session.selection.current
        return self.session.difference is not None and (current is None or current == Selection(0))

    def _show_lanes(self, whole: bool) -> None:
        reading = self.session.reference
        if reading is None or self.clock is None:
            return
        self.timeline.set_data(axis_of(reading, self.clock), lanes_of(self.session, self.clock, whole), self._origin)
        current = self.session.selection.current
        if current is not None:
            self.timeline.set_selection(current.event, self._bar_of(current))

    def _origin(self, event: int) -> tuple[str, str]:
        reading = self.session.reference
        if reading is None or event >= len(reading.events):
            return "", ""
        start, end = reading.bytes_of(event)
        rows = reading.layouts[reading.events.layouts[event]].rows
        return (rows[0][2] if rows else ""), f"bytes {number(start)}–{number(end)}"

    def _failed(self, words: str) -> None:
        self.notice.hide()
        self.titled.emit(self.title, "error")
        empty = EmptyPane(self.look, "error", "This file cannot be shown", words, "Open another file…")
        if empty.action is not None:
            empty.action.clicked.connect(self.open_asked)
        self.summary.hide()
        layout = self.layout()
        assert layout is not None
        layout.replaceWidget(self._body, empty)
        self._body.hide()
        empty.show()
        self.fault = empty

    @property
    def title(self) -> str:
        """The recording's name, without its folder and the ends that say nothing."""
        name = self.session.path.replace("\\", "/").rpartition("/")[2] or self.session.path
        return "standard input" if name == "-" else name.removesuffix(".rec.jsonl")

    # readers

    def _show_readers(self) -> None:
        session = self.session
        names = [REFERENCE, *(lens.name for lens in session.usable_lenses())]
        for choice, first, current in (
            (self.read_as, [], session.primary),
            (self.compare_with, [None], session.secondary),
        ):
            choice.blockSignals(True)
            choice.clear()
            for name in [*first, *names]:
                choice.addItem("none" if name is None else session.short_title_of(name), name)
            choice.setCurrentIndex(max(0, choice.findData(current)))
            choice.blockSignals(False)
            choice.updateGeometry()

    def _choose(self) -> None:
        self.session.choose(self.read_as.currentData(), self.compare_with.currentData())

    def _swap(self) -> None:
        session = self.session
        if session.secondary is not None:
            session.choose(session.secondary, session.primary)

    def _show_responses(self) -> None:
        count = len(self.session.exchanges)
        if self.response.count() != count:
            self.response.clear()
            for n in range(count):
                self.response.addItem(f"Response {n + 1} of {count}", n)
        self.response.setVisible(count > 1)

    def _choose_response(self, index: int) -> None:
        self.session.selection.select(None, self)
        self.session.choose_exchange(index)

    # selection

    def _selected(self, selection: Selection | None, origin: Any) -> None:
        if selection is None:
            self.timeline.set_selection(None)
        elif origin is not self.timeline:
            self.timeline.set_selection(selection.event, self._bar_of(selection))

    def _bar_of(self, selection: Selection) -> int | None:
        """The timeline's number of the selected block (see lanes.py)."""
        if selection.block is None:
            return None
        right = self.session.right
        side = 1 if right is not None and selection.reader == right.reader != self.session.primary else 0
        return selection.block * 2 + side

    def _event_picked(self, event: int) -> None:
        self.session.selection.select(Selection(event), self.timeline)
        self.timeline.set_selection(event)

    def _block_picked(self, bar: int, event: int) -> None:
        reading = self.session.right if bar % 2 else self.session.left
        if reading is None or bar // 2 >= len(reading.blocks):
            return
        block = reading.blocks[bar // 2]
        chosen = Selection(block.first_event if event < 0 else event, block=block.n, reader=reading.reader)
        self.session.selection.select(chosen, self.timeline)
        self.timeline.set_selection(chosen.event, bar)

    def _dismiss(self) -> None:
        if not self.session.complete:
            self.session.cancel()
        self.notice.hide()

    def _finding_picked(self, rule: str, event: int) -> None:
        """A mark of the timeline: the comparison, or the place of a rule in that event."""
        reading = self.session.reference
        finding = next((f for f in reading.findings if f.rule == rule), None) if reading is not None else None
        if finding is None:
            self.show_first_difference()
            return
        place = next((place for place in finding.places if place.event == event), None)
        start, end = (None, None) if place is None else (place.start, place.end)
        chosen = Selection(event, pointer=finding.pointer, start=start, end=end, finding=rule)
        self.session.selection.select(chosen, self.timeline)
        self.timeline.set_selection(event)

    def _severity_picked(self, severity: str) -> None:
        reading = self.session.reference
        finding = next((f for f in reading.findings if f.severity == severity), None) if reading is not None else None
        if finding is not None and len(finding.events):
            self._finding_picked(finding.rule, finding.events[0])

    def show_first_difference(self) -> None:
        """Select the event where the two readings part."""
        difference, reading = self.session.difference, self.session.reference
        if difference is None or difference.first_difference is None or reading is None or not len(reading.events):
            return
        event = min(difference.first_difference.event, reading.last_event)
        self.session.selection.select(Selection(event), self)

    def copy_report(self) -> None:
        """The comparison as Markdown, to the clipboard."""
        difference = self.session.difference
        if difference is not None and self.session.exchange is not None:
            QApplication.clipboard().setText(as_markdown(difference, self.session.exchange.name))
            self.verdict.copy.setText("Copied")
            QTimer.singleShot(1500, self.verdict.copy, lambda: self.verdict.copy.setText("Copy report"))
