"""The table of exchanges, painted as the rows of all lists are."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QCursor, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inspector_app.ui import fonts
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import draw_text
from inspector_app.ui.proxy.rows import NAMES, NUMBERS, ExchangeRows, Index, mark_of
from inspector_app.ui.theme import Look
from inspector_app.ui.views.empty import paint_empty
from inspector_app.ui.views.row_states import LEFT_BEHIND, PLAIN, SELECTED, paint_focus, paint_state
from inspector_app.ui.views.row_table import RowTable

ROW, PAD, EDGE = 26, 8, 16
"""EDGE is that of the page: the first column stands below the words of the form."""
WIDTHS = {"Time": 84, "Model": 184, "Status": 58, "Events": 66, "State": 264}
LEAST_REQUEST = 180
NARROW = {"Model": 120, "State": 190}
"""Where there is less room."""
SHARES, MOST_MORE = {"Model": 0.3, "State": 0.4}, 220
"""Of the room that is left, when each column has its own, and how many pixels of it at most."""
WIRE = ("Request", "Model", "Status", "Time", "Events")


class ExchangeTable(RowTable):
    """`opened(row)`: a person wants to see an exchange."""

    opened = Signal(int)

    def __init__(self, look: Look, rows: ExchangeRows) -> None:
        super().__init__(look, "Exchanges", rows, ROW)
        self.listening = False
        """Whether exchanges may come: what an empty table says depends on it."""
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setItemDelegate(_Delegate(look, self))
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionsClickable(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setFont(fonts.ui_font(fonts.SECONDARY))
        head.setStyleSheet(f"QHeaderView::section:first {{ padding-left: {EDGE}px; }}")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.doubleClicked.connect(lambda index: self.opened.emit(index.row()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.viewport().width()
        widths = dict(WIDTHS)
        if room - sum(widths.values()) < LEAST_REQUEST + 60:
            widths |= NARROW
        left = max(0, room - sum(widths.values()) - LEAST_REQUEST - 60)
        for name, share in SHARES.items():
            widths[name] += min(MOST_MORE, round(left * share))
        widths["Request"] = max(LEAST_REQUEST, room - sum(widths.values()))
        for column, name in enumerate(NAMES):
            self.setColumnWidth(column, widths[name])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.model().rowCount():
            return
        head = "No exchange yet" if self.listening else "Not listening"
        line = (
            "Each request of a client appears here as it begins; double-click one to follow it."
            if self.listening
            else "Start, then point a client at the address that is shown: what passes is recorded."
        )
        with QPainter(self.viewport()) as painter:
            paint_empty(painter, self._look, self.viewport().rect(), "proxy", head, line)


class _Delegate(QStyledItemDelegate):
    def __init__(self, look: Look, table: ExchangeTable) -> None:
        super().__init__(table)
        self._look, self._table = look, table

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect, table = self._look.theme, option.rect, self._table
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        state = (SELECTED if table.hasFocus() else LEFT_BEHIND) if chosen else PLAIN
        hovered = table.indexAt(table.viewport().mapFromGlobal(QCursor.pos())).row() == index.row()
        paint_state(painter, theme, rect, state, hovered)
        if state != PLAIN and index.column():
            # The bar stands at the left edge of the row alone.
            painter.fillRect(rect, theme.color("sel.fill" if state == SELECTED else "sel.soft"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.color("line.soft"))
        watch = table.model().at(index.row())  # type: ignore[attr-defined]
        name, words = NAMES[index.column()], str(index.data() or "")
        font = fonts.wire_font(fonts.BODY) if name in WIRE else fonts.ui_font(fonts.BODY)
        ink, base = "ink.1" if name in ("Request", "State") else "ink.2", fonts.baseline(rect.top(), ROW)
        before = PAD if index.column() else EDGE
        x, room = rect.left() + before, rect.width() - before - PAD
        if name == "State" and watch is not None:
            icon, meaning = mark_of(watch)
            color = theme.meaning(meaning).line if meaning else theme.color("ink.2")
            draw_icon(painter, x, rect.top() + (ROW - SMALL) // 2, icon, color, SMALL)
            x, room = x + SMALL + 6, room - SMALL - 6
            ink = f"{meaning}.text" if meaning == "warning" or (meaning == "error" and watch.over) else ink
        if name == "Status" and watch is not None and watch.http is not None and watch.http.status >= 400:
            ink = "error.text"
        shown = (
            fonts.elided_inside(font, words, room) if name in ("Request", "Model") else fonts.elided(font, words, room)
        )
        if name in NUMBERS:
            x = rect.right() - PAD - round(fonts.text_width(font, shown))
        draw_text(painter, x, base, shown, font, theme.color(ink))
        if table.ring.shown and index.row() == table.currentIndex().row() and index.column() == len(NAMES) - 1:
            last = table.visualRect(table.model().index(index.row(), 0))
            whole = QRect(QPoint(last.left(), rect.top()), rect.bottomRight())
            painter.save()
            painter.setClipping(False)
            paint_focus(painter, theme, whole)
            painter.restore()
