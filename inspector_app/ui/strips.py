"""The strips of a page that speak of all of it: what is selected, how far the reading is, what went wrong."""

from __future__ import annotations

import time

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from inspector_app.core.reading import Reading
from inspector_app.core.text import number, size
from inspector_app.ui import fonts
from inspector_app.ui.controls import Button
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import ElidedLabel, draw_text
from inspector_app.ui.rows import Tail
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.words import plural

STATUS = 24
NOTICE = 32
EDGE = 16
PATIENCE = 0.3
"""Seconds of reading before anything is said of it."""
TIMING = {"measured": "timing measured", "per-line": "timing per line"}


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
        session.failed.connect(self.update)
        look.changed.connect(self.update)

    def left_words(self) -> list[tuple[str, bool]]:
        """What is selected; the second of each pair says that it is wire data."""
        reading, selection = self.session.reference, self.session.selection.current
        if reading is None:
            return [("Not read" if self.session.error else "Loading", False)]
        if not len(reading.events) and reading.ended:
            return [(f"No events, {plural(len(reading.lines), 'line')}", False), *_bytes_words(reading, selection)]
        tail = self.session.rows.tail
        if selection is None and tail is not None:
            return _tail_words(reading, tail)
        if selection is None or selection.event >= len(reading.events):
            return [(plural(len(reading.events), "event"), False)]
        words = [(f"Event {number(selection.event)} of {number(len(reading.events))}", False)]
        words += _bytes_words(reading, selection)
        if selection.pointer:
            words.append((selection.pointer, True))
        return words

    def right_words(self) -> str:
        """What is known of the recording as a whole."""
        reading, exchange = self.session.reference, self.session.exchange
        if reading is None or exchange is None:
            return ""
        state = "read complete" if self.session.complete else "reading stopped" if self.session.idle else "reading"
        state = "live" if self.session.rows.tail is not None else state
        state = "in playback" if self.session.held else state
        framing = "no framing" if reading.framing == "none" else reading.framing
        timing = TIMING.get(exchange.timing, "order only")
        return f"{state} · {size(len(exchange.body))}   {timing}   {exchange.format}   {framing}"

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self.look.theme
        with QPainter(self) as painter:
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


def _tail_words(reading: Reading, tail: Tail) -> list[tuple[str, bool]]:
    """The end of a stream that is live."""
    words = [("Tail", False), (f"event {number(reading.last_event)}" if len(reading.events) else "no event yet", False)]
    if tail.end > tail.start:
        words.append((f"line {number(tail.lines[1])} incomplete", False))
        words.append((f"bytes {number(tail.start)}–{number(tail.end)}", False))
    return words


def _bytes_words(reading: Reading, selection: Selection | None) -> list[tuple[str, bool]]:
    """The line and the bytes that are selected."""
    if selection is None or not len(reading.lines):
        return []
    some = selection.event < len(reading.events)
    start, end = reading.bytes_of(selection.event) if some else (0, len(reading.body))
    what = "event" if some else "body"
    if selection.start is not None and selection.end is not None:
        start, end = selection.start, selection.end
        what = "finding" if selection.finding else "value" if selection.pointer else what
        what = "line" if what == "event" and selection.line is not None else what
    elif some and selection.pointer and (span := reading.spans(selection.event, selection.pointer)) is not None:
        (start, end), what = span, "value"
    line = selection.line if selection.line is not None else reading.lines.at(start)
    if start == end:
        return [(f"line {number(line)}", False), (f"at byte {number(start)}", False)]
    words = f"{number(end - start)} byte{'' if end - start == 1 else 's'} of the {what}, {number(start)}–{number(end)}"
    return [(f"line {number(line)}", False), (words, False)]


class Notice(QWidget):
    """A strip under the toolbar: a fault of the file or the program in one line, or how far a long reading is."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.part = 0.0
        self._mark = ""
        self._since: float | None = None
        self.words = ElidedLabel("", "ink.1", fonts.BODY)
        self.cancel = Button(look, "Cancel", "", "flat")
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE + SMALL + 8, 2, EDGE, 2)
        row.addWidget(self.words, 1)
        row.addWidget(self.cancel)
        self.setFixedHeight(NOTICE)
        look.changed.connect(self.update)
        self.hide()

    def show_progress(self, done: int, total: int) -> None:
        """How far the reading is; hides when it is done, and says nothing of one that is done at once."""
        now = time.monotonic()
        self._since = self._since or now
        self.part = done / total if total else 1.0
        self._tell(f"{size(done)} of {size(total)} read", "clock", "Cancel")
        self.setVisible(done < total and now - self._since >= PATIENCE)

    def say(self, words: str) -> None:
        """A fault in one line, until the user dismisses it."""
        self.part = 0.0
        self._tell(words, "error", "Dismiss")
        self.show()

    def tell(self, words: str) -> None:
        """What has been done, in one line, until the user dismisses it."""
        self.part = 0.0
        self._tell(words, "check", "Dismiss")
        self.show()

    def withdraw(self) -> None:
        """Takes away what was told of something done; a fault stays."""
        if self._mark == "check":
            self.hide()

    def _tell(self, words: str, mark: str, action: str) -> None:
        self._mark = mark
        self.words.show_text(words)
        self.cancel.setText(action)
        self.cancel.setAccessibleName(action)
        self.cancel.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self.look.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.panel"))
            painter.fillRect(0, NOTICE - 1, self.width(), 1, theme.color("line.soft"))
            painter.fillRect(0, 0, round(self.width() * self.part), 2, theme.color("accent"))
            ink = theme.color("error.line" if self._mark == "error" else "ink.3")
            draw_icon(painter, EDGE, (NOTICE - SMALL) // 2, self._mark, ink, SMALL)
