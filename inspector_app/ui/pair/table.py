"""The list of differences: one row each, grouped by layer."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inspector_app.core.text import number, visible
from inspector_app.report.differences import Difference
from inspector_app.ui import fonts
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import LONGEST_DRAWN, draw_text, tip
from inspector_app.ui.models.table import Index, TableModel
from inspector_app.ui.pair.marks import LAYER_MARKS
from inspector_app.ui.pair.outcome import CONTENT, SHAPE
from inspector_app.ui.theme import Look
from inspector_app.ui.views.pane_parts import ColumnHead, Word
from inspector_app.ui.views.row_states import PLAIN, SELECTED, paint_focus, paint_state
from inspector_app.ui.views.row_table import RowTable

ROW, EDGE, PAD = 22, 16, 8
LAYER, WHAT, A, B, WHERE = range(5)
HEADS = ("layer", "what differs", "A", "B", "first event")
NARROW = 1100
LEAST = 6
"""At least one in so many parts of the room for both values is left for each of them."""
MEASURED = 200
"""Rows that are looked at for how wide values are."""


class Model(TableModel):
    """The rows as they were found."""

    heads = HEADS
    rows: list[Difference]

    def begins(self, row: int) -> bool:
        """Whether a row is the first one of its layer."""
        return row == 0 or self.rows[row - 1].layer != self.rows[row].layer

    def cell(self, row: Difference, at: int, column: int, spoken: bool) -> str:
        return where(row) if column == WHERE else visible(str((row.layer, row.what, row.a, row.b)[column]))


def where(row: Difference) -> str:
    """The events where it shows first: "A 12 · B 14"."""
    return " · ".join(f"{name} {number(n)}" for name, n in zip("AB", row.events) if n is not None)


def room_of_a(both: int, needs_a: int, needs_b: int) -> int:
    """How much of the room for the values of A and B is A's: half of it, unless only one of them needs more."""
    half, least = both // 2, both // LEAST
    if needs_a <= half < needs_b:
        return max(needs_a, least, both - needs_b)
    if needs_b <= half < needs_a:
        return min(needs_a, both - max(needs_b, least))
    return half


class _Delegate(QStyledItemDelegate):
    def __init__(self, look: Look, model: Model, table: RowTable) -> None:
        super().__init__(table)
        self._look, self._model, self._ring = look, model, table.ring

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect, column = self._look.theme, option.rect, index.column()
        row, begins = self._model.rows[index.row()], self._model.begins(index.row())
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected and column:
            painter.fillRect(rect, theme.color("sel.fill"))
        else:
            paint_state(painter, theme, rect, SELECTED if selected else PLAIN)
        if begins and index.row():
            painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), 1), theme.color("line"))
        base = fonts.baseline(rect.top(), ROW)
        left = rect.left() + (EDGE if column == LAYER else PAD)
        room = rect.right() - PAD - left
        if column == LAYER:
            icon, meaning = LAYER_MARKS[row.layer]
            top = rect.top() + (ROW - SMALL) // 2
            draw_icon(painter, left, top, icon, theme.meaning(meaning).line, SMALL)
            if begins:
                font = fonts.ui_font(fonts.BODY, 600)
                draw_text(painter, left + SMALL + 6, base, row.layer, font, theme.color("ink.1"))
        else:
            words = str(index.data())[:LONGEST_DRAWN]
            path = column == WHAT and row.layer == SHAPE
            wire = path or column == WHERE
            wire |= row.layer == CONTENT and column in (A, B)
            font = fonts.wire_font(fonts.BODY) if wire else fonts.ui_font_for(words, fonts.BODY)
            quiet = words in ("none", "not there") or column == WHERE
            ink = theme.color("ink.2" if quiet else "ink.1")
            # The end of a path is the field's own name.
            elide = Qt.TextElideMode.ElideLeft if path else Qt.TextElideMode.ElideRight
            draw_text(painter, left, base, QFontMetricsF(font).elidedText(words, elide, room), font, ink)
        if self._ring.shown and option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, theme, rect)


class DifferenceTable(RowTable):
    """The rows. `columns` is their head, to be put above them."""

    def __init__(self, look: Look) -> None:
        self.differences = Model()
        super().__init__(look, "Differences", self.differences, ROW)
        self.differences.setParent(self)
        self.setItemDelegate(_Delegate(look, self.differences, self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.columns = ColumnHead(look)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().hide()
        self._needs = 0, 0, 0
        """How wide the values of A, of B and the events have to be to be read whole."""
        self.entered.connect(self._tell)
        for signal in (self.differences.modelReset, self.differences.rowsInserted):
            signal.connect(self._measure)

    def _measure(self) -> None:
        rows = self.differences.rows[:MEASURED]
        font = fonts.wire_font(fonts.BODY)
        columns = zip((HEADS[A], HEADS[B], HEADS[WHERE]), *((row.a, row.b, where(row)) for row in rows))
        words = [[visible(one)[:LONGEST_DRAWN] for one in column] for column in columns]
        a, b, events = (round(max(fonts.text_width(font, one) for one in column)) for column in words)
        self._needs = a + 2 * PAD + 1, b + 2 * PAD + 1, events + PAD + EDGE
        self._arrange()

    def _tell(self, index: QModelIndex) -> None:
        """What is too long for its column."""
        words = str(index.data() or "")
        room = self.columnWidth(index.column()) - 2 * PAD
        wide = fonts.text_width(fonts.wire_font(fonts.BODY), words[:LONGEST_DRAWN])
        tip(self.viewport(), words if wide > room else "")

    @property
    def chosen(self) -> int:
        """The number of the row that is selected, -1 for none."""
        return self.currentIndex().row()

    def choose(self, row: int, amid: bool = False) -> None:
        """Select a row; `amid` those around it, whole ones, rather than at the edge."""
        self.setCurrentIndex(self.differences.index(row, WHAT))
        if amid:
            top = max(0, row - self.viewport().height() // ROW // 2)
            self.scrollTo(self.differences.index(top, WHAT), QAbstractItemView.ScrollHint.PositionAtTop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Gives A and B the same room, or one of them more where the other does not need its half."""
        width = self.viewport().width()
        needs_a, needs_b, events = self._needs
        layer, events = 104, min(events, 152 if width < NARROW else 184)
        what = round(width * 0.24)
        rest = width - layer - events - what
        a = room_of_a(rest, needs_a, needs_b)
        words, left = [], 0
        for column, size in enumerate((layer, what, a, rest - a, events)):
            self.setColumnWidth(column, size)
            words.append(Word(HEADS[column], left + (PAD if column else EDGE)))
            left += size
        self.columns.show_words(words)
