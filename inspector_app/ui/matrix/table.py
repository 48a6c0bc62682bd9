"""The matrix as a table, the reference and the count of verdicts above it; the same in the window and a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from inspector_app.core.reading import Reading
from inspector_app.core.text import number, visible
from inspector_app.lenses.compare import Difference
from inspector_app.lenses.matrix import MATRIX_VERDICTS, Row
from inspector_app.ui import fonts
from inspector_app.ui.coded import draw_coded
from inspector_app.ui.labels import draw_text, tip
from inspector_app.ui.matrix.model import (
    BLOCKS,
    CHARS,
    CLIENT,
    EVENT,
    KNOWN,
    NUMBERS,
    VERDICT,
    WHAT,
    MatrixModel,
    cell,
    client_of,
    headline_of,
)
from inspector_app.ui.models.table import Index
from inspector_app.ui.theme import Look
from inspector_app.ui.verdict_marks import draw_verdict, verdict_width
from inspector_app.ui.views.row_states import PLAIN, SELECTED, paint_focus, paint_state
from inspector_app.ui.views.row_table import RowTable

ROW, COLUMN_HEAD, HEAD = 30, 24, 40
LOWEST, TALLEST = 21, 44
"""Pixels of a row of a picture that has little room, or room to spare."""
PAD, EDGE = 8, 16
FIXED = {VERDICT: 116, BLOCKS: 66, CHARS: 88, EVENT: 88, KNOWN: 92}
CLIENT_SHARE, LEAST_CLIENT, WIDEST_CLIENT = 0.26, 150, 420
ROOMY, MORE = 1100, 0.4
"""From this width on the client has so much more of what is above it."""
SPARE = (KNOWN, CHARS, EVENT)
"""Columns that give way where there is little room, in this order."""
LEAST_WHAT = 280
ENOUGH_WHAT = 560
"""Where what differs is longer than that, no other column gives way for the rest of it."""
LEAST_NAME = 40
"""Of a lens's name that is cut shorter nothing is shown."""


class _Delegate(QStyledItemDelegate):
    def __init__(self, look: Look, model: MatrixModel, table: RowTable) -> None:
        super().__init__(table)
        self._look, self._model, self._ring = look, model, table.ring

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect, column = self._look.theme, option.rect, index.column()
        row = self._model.rows[index.row()]
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected and column:
            painter.fillRect(rect, theme.color("sel.fill"))
        else:
            paint_state(painter, theme, rect, SELECTED if selected else PLAIN)
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.color("line.soft"))
        left, base = rect.left() + (EDGE if column == CLIENT else PAD), fonts.baseline(rect.top(), rect.height())
        right = rect.left() + rect.width() - PAD
        quiet = row.verdict in ("n/a", "right")
        if column == VERDICT:
            draw_verdict(painter, theme, left, rect.top(), rect.height(), row.verdict)
        elif column == WHAT:
            self._paint_what(painter, row, left, right, base)
        elif column == CLIENT:
            font = fonts.ui_font_for(client_of(row)[0], fonts.BODY, 400 if row.verdict == "n/a" else 500)
            ink = theme.color("ink.3" if row.verdict == "n/a" else "ink.1")
            title, name = client_of(row)
            left += round(draw_text(painter, left, base, fonts.elided(font, title, right - left), font, ink)) + PAD
            wire = fonts.wire_font(fonts.SECONDARY)
            if name and right - left >= LEAST_NAME:
                draw_text(painter, left, base, fonts.elided(wire, name, right - left), wire, theme.color("ink.3"))
        else:
            words = cell(row, column)
            font = fonts.wire_font(fonts.BODY) if column in NUMBERS else fonts.ui_font(fonts.BODY)
            at = right - round(fonts.text_width(font, words)) if column in NUMBERS else left
            odd = row.difference is not None and len(set(_pair(row.difference, column))) > 1
            ink = theme.color("ink.1" if odd else "ink.3" if quiet else "ink.2")
            draw_text(painter, at, base, words, font, ink)
        if self._ring.shown and option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, theme, rect)

    def _paint_what(self, painter: QPainter, row: Row, left: int, right: int, base: int) -> None:
        theme = self._look.theme
        headline, cause = headline_of(row)
        if headline:
            font = fonts.ui_font(fonts.BODY, 500)
            words = fonts.elided(font, visible(headline), right - left)
            left += round(draw_text(painter, left, base, words, font, theme.color("ink.1"))) + 8
        if cause and right - left > 48:
            ink = theme.color("ink.2" if headline else "ink.3")
            draw_coded(painter, left, base, f"— {cause}" if headline else cause, right, ink)


def _pair(found: Difference, column: int) -> tuple[int, ...]:
    """The numbers of the reference and of the client that stand in a column."""
    return found.blocks if column == BLOCKS else found.chars if column == CHARS else ()


def what_width(row: Row) -> int:
    """How wide what differs is when it is painted whole."""
    headline, cause = headline_of(row)
    width = fonts.text_width(fonts.ui_font(fonts.BODY, 500), visible(headline)) + 8 if headline else 0.0
    for place, part in enumerate(visible(f"— {cause}" if headline else cause).split("`")):
        width += fonts.text_width((fonts.wire_font if place % 2 else fonts.ui_font)(fonts.BODY), part)
    return round(width) + 1


class MatrixTable(RowTable):
    """`opened(name)`: a lens was asked for, by a double click or Enter."""

    opened = Signal(str)

    def __init__(self, look: Look) -> None:
        self.matrix = MatrixModel(None)  # type: ignore[arg-type]
        super().__init__(look, "This recording under every lens", self.matrix, ROW)
        self.matrix.setParent(self)
        self._delegate = _Delegate(look, self.matrix, self)
        self.setItemDelegate(self._delegate)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setHighlightSections(False)
        head.setFixedHeight(COLUMN_HEAD)
        head.setFont(fonts.ui_font(fonts.SECONDARY))
        head.setSectionsClickable(True)
        # The words of a column begin where those of its cells do.
        head.setStyleSheet(f"QHeaderView::section:first {{ padding-left: {EDGE}px; }}")
        self.setSortingEnabled(True)
        self.sortByColumn(VERDICT, Qt.SortOrder.AscendingOrder)
        self.doubleClicked.connect(self._open)

    @property
    def chosen(self) -> Row | None:
        """The row that is selected."""
        rows = self.selectionModel().selectedRows()
        return self.matrix.rows[rows[0].row()] if rows else None

    def _open(self, index: Index) -> None:
        self.opened.emit(self.matrix.rows[index.row()].lens.name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.chosen
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row is not None:
            self.opened.emit(row.lens.name)
        else:
            super().keyPressEvent(event)

    def fit(self) -> None:
        """Shares the width out; what is spare goes where what differs had no room."""
        width = self.viewport().width()
        client = round(max(LEAST_CLIENT, width * CLIENT_SHARE) + MORE * max(0, width - ROOMY))
        client = min(client, WIDEST_CLIENT)
        shown = dict(FIXED)
        for column in SPARE:
            if width - client - sum(shown.values()) < self._wanted():
                shown.pop(column)
        for column in FIXED:
            self.setColumnHidden(column, column not in shown)
            self.setColumnWidth(column, FIXED[column])
        self.setColumnWidth(CLIENT, client)
        self.setColumnWidth(WHAT, max(80, width - client - sum(shown.values())))

    def _wanted(self) -> int:
        """The width at which what differs can be read."""
        widths = (what_width(row) for row in self.matrix.rows if row.difference is not None)
        return max(LEAST_WHAT, min(ENOUGH_WHAT, 2 * PAD + max(widths, default=0)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self.indexAt(event.pos())
            tip(self.viewport(), index.data() if index.isValid() else "")
        return super().viewportEvent(event)


class MatrixHead(QWidget):
    """What the recording is for the reference, and how many clients read it how."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._left = ""
        self._counts: list[tuple[str, int]] = []
        self.setFixedHeight(HEAD)
        look.changed.connect(self.update)

    @property
    def words(self) -> str:
        """All that is said."""
        return self.accessibleName()

    def show_counts(self, reference: Reading | None, rows: Sequence[Row]) -> None:
        """Replaces what is told."""
        counted = Counter(row.verdict for row in rows)
        self._counts = [(verdict, counted[verdict]) for verdict in MATRIX_VERDICTS if counted[verdict]]
        self._left = ""
        if reference is not None:
            blocks = len(reference.blocks)
            self._left = f"Reference: {number(blocks)} block{'' if blocks == 1 else 's'}"
            chars = next((row.difference.chars[0] for row in rows if row.difference is not None), None)
            self._left += f", {number(chars)} characters" if chars is not None else ""
        said = ", ".join(f"{count} {verdict}" for verdict, count in self._counts)
        self.setAccessibleName(f"{self._left}. {said}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.panel"))
            painter.fillRect(0, HEAD - 1, self.width(), 1, theme.color("line"))
            base, font = fonts.baseline(0, HEAD), fonts.ui_font(fonts.BODY, 600)
            draw_text(painter, EDGE, base, self._left, font, theme.color("ink.1"))
            bold = fonts.ui_font(fonts.BODY, 600)
            x = self.width() - EDGE
            for verdict, count in reversed(self._counts):
                words = number(count)
                x -= verdict_width(verdict)
                draw_verdict(painter, theme, x, 0, HEAD, verdict)
                x -= 6 + round(fonts.text_width(bold, words))
                draw_text(painter, x, base, words, bold, theme.color("ink.3" if verdict == "n/a" else "ink.1"))
                x -= 18


class MatrixView(QWidget):
    """Head and table."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setProperty("layer", "pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.head, self.table = MatrixHead(look), MatrixTable(look)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.table, 1)

    def show_rows(self, reference: Reading | None, rows: Sequence[Row]) -> None:
        """Replaces everything."""
        self.table.matrix.show(rows)
        self.table.fit()
        self.head.show_counts(reference, rows)

    def add(self, reference: Reading, row: Row) -> None:
        """One more row."""
        self.table.matrix.add(row)
        self.table.fit()
        self.head.show_counts(reference, self.table.matrix.rows)

    def fill(self) -> None:
        """For a picture: rows as high as there is room for, nothing that can be scrolled or is selected."""
        rows = max(1, len(self.table.matrix.rows))
        room = self.height() - HEAD - COLUMN_HEAD - 1
        self.table.verticalHeader().setMinimumSectionSize(LOWEST)
        self.table.verticalHeader().setDefaultSectionSize(max(LOWEST, min(TALLEST, room // rows)))
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.clearSelection()
        self.table.fit()

    @property
    def least_height(self) -> int:
        """How high it must be at least so that nothing is scrolled away."""
        return height_of(len(self.table.matrix.rows), LOWEST)


def height_of(rows: int, row: int = ROW) -> int:
    """How high the matrix of so many clients is."""
    return HEAD + COLUMN_HEAD + 1 + row * rows
