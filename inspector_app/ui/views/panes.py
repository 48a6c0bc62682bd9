"""Raw lines, deltas and blocks side by side: three tables over the same rows that scroll as one."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollBar, QSizePolicy, QVBoxLayout, QWidget

from inspector_app.core.text import number
from inspector_app.ui import fonts
from inspector_app.ui.frames import SPLITTER, PaneHead, Splitter
from inspector_app.ui.labels import draw_text
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views import deltas as delta_view
from inspector_app.ui.views import raw as raw_view
from inspector_app.ui.views.block_rows import BlockRows, columns_of
from inspector_app.ui.views.deltas import Deltas, is_timed
from inspector_app.ui.views.evidence import Evidences
from inspector_app.ui.views.raw import RawLines
from inspector_app.ui.views.row_view import RowView
from inspector_app.ui.views.words import plural

COLUMN_HEAD = 22
RAW, DELTAS, BLOCKS = 640, 336, 616
LEAST_RAW, LEAST_DELTAS, LEAST_BLOCKS = 320, 240, 300


class ColumnHead(QWidget):
    """The names of the columns of a pane: (words, x, right-aligned, role, weight) each, redrawn when they change."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._words: list[tuple[str, int, bool, str, int]] = []
        self._lines: list[int] = []
        self.setFixedHeight(COLUMN_HEAD)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def show_words(self, words: list[tuple[str, int, bool, str, int]], lines: list[int] | None = None) -> None:
        """Replaces the names. A negative x counts from the right edge; `lines` are where columns are divided."""
        self._words, self._lines = words, lines or []
        self.setAccessibleName(", ".join(word for word, *_ in words))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._look.theme
        painter.fillRect(self.rect(), theme.color("bg.pane"))
        painter.fillRect(QRect(0, COLUMN_HEAD - 1, self.width(), 1), theme.color("line.soft"))
        for x in self._lines:
            painter.fillRect(QRect(x, 0, 1, COLUMN_HEAD), theme.color("line"))
        for words, x, right, ink, weight in self._words:
            font = fonts.ui_font_for(words, fonts.SECONDARY, weight)
            at = x if x >= 0 else self.width() + x
            at -= round(fonts.text_width(font, words)) if right else 0
            draw_text(painter, at, fonts.baseline(0, COLUMN_HEAD), words, font, theme.color(ink))
        painter.end()


class Pane(QWidget):
    """Head, column head, and what stands below."""

    def __init__(self, head: PaneHead, columns: ColumnHead, body: QWidget, bar: QScrollBar | None = None) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(columns)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(body)
        if bar is not None:
            row.addWidget(bar)
        column.addLayout(row)


class Panes(QWidget):
    """The three panes. `reading_view_changed` tells when the blocks pane shows cards instead of rows, or again rows."""

    def __init__(self, session: Session, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._look = session, look
        self.evidences = Evidences(session)
        self.raw = RawLines(session, look, self.evidences)
        self.deltas = Deltas(session, look, self.evidences)
        self.blocks = BlockRows(session, look, self.evidences)
        self._views: tuple[RowView, ...] = (self.raw, self.deltas, self.blocks)
        self._raw_head, self._delta_head, self._block_head = (
            PaneHead("Raw lines"), PaneHead("Deltas"), PaneHead("Blocks")
        )  # fmt: skip
        self._raw_columns, self._delta_columns, self._block_columns = (ColumnHead(look) for _ in range(3))
        self._raw_columns.show_words(
            [("line", raw_view.NUMBER, True, "ink.2", 400), ("bytes as they came", raw_view.WORDS, False, "ink.2", 400)]
        )
        self._bar = QScrollBar(Qt.Orientation.Vertical)
        self._bar.setAccessibleName("Rows")
        self._splitter = Splitter(look, Qt.Orientation.Horizontal)
        for head, columns, view, least in (
            (self._raw_head, self._raw_columns, self.raw, LEAST_RAW),
            (self._delta_head, self._delta_columns, self.deltas, LEAST_DELTAS),
            (self._block_head, self._block_columns, self.blocks, LEAST_BLOCKS),
        ):
            pane = Pane(head, columns, view, self._bar if view is self.blocks else None)
            pane.setMinimumWidth(least)
            self._splitter.addWidget(pane)
        self._moved = False
        self._splitter.splitterMoved.connect(self._note_moved)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self._splitter)
        self._join_scrolling()
        for place, view in enumerate(self._views):
            view.aside.connect(lambda step, place=place: self._move_focus(place + step))
        session.grown.connect(self._grow)
        session.read.connect(self._change)
        session.compared.connect(self._change)
        self._change()

    def _join_scrolling(self) -> None:
        leader = self.raw.verticalScrollBar()
        bars = [view.verticalScrollBar() for view in self._views] + [self._bar]
        leader.rangeChanged.connect(self._follow_range)
        for bar in bars:
            for other in bars:
                if other is not bar:
                    bar.valueChanged.connect(other.setValue)

    def _follow_range(self, least: int, most: int) -> None:
        leader = self.raw.verticalScrollBar()
        self._bar.setRange(least, most)
        self._bar.setPageStep(leader.pageStep())
        self._bar.setSingleStep(leader.singleStep())

    def _move_focus(self, place: int) -> None:
        if 0 <= place < len(self._views):
            self._views[place].setFocus(Qt.FocusReason.ShortcutFocusReason)

    # following the session

    def _grow(self) -> None:
        self.evidences.forget()
        self.raw.forget()
        for view in self._views:
            view.show_growth()
        self._name()

    def _change(self) -> None:
        self._grow()

    def _name(self) -> None:
        reference = self._session.reference
        if reference is None:
            return
        self._raw_head.remark.setText(number(len(reference.lines)))
        self._delta_head.remark.setText(number(reference.delta_count))
        time = "+ms" if is_timed(reference) else "order"
        self._delta_columns.show_words([
            ("event", delta_view.EVENT, True, "ink.2", 400), ("kind", delta_view.KIND, False, "ink.2", 400),
            ("value", delta_view.VALUE, False, "ink.2", 400), (time, -delta_view.TIME, True, "ink.2", 400),
        ])  # fmt: skip
        sides = self.evidences.sides
        self._block_head.remark.setText("two readings" if len(sides) > 1 else number(len(reference.blocks)))
        self._name_readings()

    def _name_readings(self) -> None:
        columns = columns_of(self.evidences.sides, self.blocks.viewport().width())
        words: list[tuple[str, int, bool, str, int]] = []
        counts = [len(column.side.reading.blocks) for column in columns]
        for place, column in enumerate(columns):
            reading = column.side.reading
            differs = len(set(counts)) > 1 and (reading is not self._session.reference)
            words.append((self._session.short_title_of(reading.reader), column.left + 16, False, "ink.1", 600))
            words.append((
                plural(counts[place], "block"), column.left + column.width - 16, True,
                "error.text" if differs else "ink.2", 600 if differs else 400,
            ))  # fmt: skip
        self._block_columns.show_words(words, [column.left for column in columns if column.left])

    def _note_moved(self) -> None:
        self._moved = True
        self._name_readings()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._moved:
            self._splitter.setSizes(widths(self.width()))
        self._name_readings()


def widths(total: int) -> list[int]:
    """Raw lines, deltas and blocks in a window of this width: deltas give way first, then the raw lines."""
    spare = total - 2 * SPLITTER - RAW - DELTAS - BLOCKS
    if spare >= 0:
        return [RAW + spare // 2, DELTAS, BLOCKS + spare - spare // 2]
    deltas = max(LEAST_DELTAS, DELTAS + spare)
    raw = max(LEAST_RAW, RAW + spare + DELTAS - deltas)
    return [raw, deltas, max(LEAST_BLOCKS, total - 2 * SPLITTER - raw - deltas)]
