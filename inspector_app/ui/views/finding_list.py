"""The parts of the findings pane: its model, its head with the order, and the list that shows the rows."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from inspector_app.ui import fonts
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import draw_text, tip
from inspector_app.ui.theme import Look
from inspector_app.ui.views.empty import paint_empty
from inspector_app.ui.views.finding_paint import HEIGHT
from inspector_app.ui.views.finding_rows import ORDERS, Row
from inspector_app.ui.views.row_table import RowTable

HEAD = 28
Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()


class FindingModel(QAbstractTableModel):
    """The rows of the pane in one column."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []

    def show(self, rows: list[Row]) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.spoken()
        return None


class FindingHead(QWidget):
    """The line above the rows: title, how many, and the order."""

    ordered = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._words = ""
        self.setFixedHeight(HEAD)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._button = _OrderButton(look, self)
        self._menu = QMenu(self)
        for order, words in ORDERS.items():
            action = self._menu.addAction(words[0].upper() + words[1:])
            action.triggered.connect(lambda _=False, order=order: self.ordered.emit(order))
        self._button.clicked.connect(lambda: self._menu.popup(self._button.mapToGlobal(QPoint(0, HEAD - 2))))
        look.changed.connect(self.update)

    def show_words(self, words: str, order: str) -> None:
        """What stands beside the title, and the order of the rows."""
        self._words = words
        self._button.show_words(ORDERS[order])
        self.setAccessibleName(f"Findings: {words}")
        self._place()
        self.update()

    def _place(self) -> None:
        width = self._button.sizeHint().width()
        self._button.setGeometry(self.width() - width - 8, 2, width, HEAD - 5)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("bg.panel"))
        painter.fillRect(QRect(0, HEAD - 1, self.width(), 1), theme.color("line"))
        base = fonts.baseline(0, HEAD)
        at = 16 + draw_text(painter, 16, base, "Findings", fonts.ui_font(fonts.BODY, 600), theme.color("ink.1"))
        draw_text(painter, round(at) + 8, base, self._words, fonts.ui_font(fonts.BODY), theme.color("ink.3"))
        painter.end()


class _OrderButton(QToolButton):
    """A flat button: a chevron and the order in words."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName("Order of the findings")
        tip(self, "Order of the findings")

    def show_words(self, words: str) -> None:
        """The order in words."""
        self.setText(words)
        self.setAccessibleDescription(words)

    def sizeHint(self) -> QSize:
        words = fonts.text_width(fonts.ui_font(fonts.SECONDARY), self.text())
        return QSize(8 + SMALL + 6 + round(words) + 8, HEAD - 5)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = QPainter(self)
        if self.underMouse() or self.hasFocus():
            painter.fillRect(self.rect(), theme.veil("ink.1", 0.06))
        draw_icon(painter, 8, (self.height() - SMALL) // 2, "chevron-down", theme.color("ink.3"), SMALL)
        font, base = fonts.ui_font(fonts.SECONDARY), fonts.baseline(0, self.height()) - 1
        draw_text(painter, 8 + SMALL + 6, base, self.text(), font, theme.color("ink.2"))
        painter.end()


class FindingList(RowTable):
    """The rows. `picked` tells that the user chose one; `empty` are the two lines shown where there is none."""

    picked = Signal(int)

    def __init__(self, look: Look, model: FindingModel) -> None:
        super().__init__(look, "Findings", model, HEIGHT)
        self.empty = ("", "", "")
        self.show_one_column()
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.clicked.connect(lambda index: self.picked.emit(index.row()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex().row()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_message()
            return
        super().keyPressEvent(event)
        after = self.currentIndex().row()
        if after >= 0 and (after != before or event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)):
            self.picked.emit(after)

    def copy_message(self) -> None:
        """Put the current row's words on the clipboard."""
        row = self.currentIndex().data(Qt.ItemDataRole.UserRole)
        if row is not None:
            QGuiApplication.clipboard().setText(row.spoken())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if not index.isValid():
            return
        self.setCurrentIndex(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        row: Row = index.data(Qt.ItemDataRole.UserRole)
        menu.addAction("Copy finding").triggered.connect(self.copy_message)
        if row.rule is not None:
            menu.addAction("Copy rule name").triggered.connect(lambda: QGuiApplication.clipboard().setText(row.title))
        menu.popup(event.globalPos())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.model().rowCount():
            return
        painter = QPainter(self.viewport())
        paint_empty(painter, self._look, self.viewport().rect(), *self.empty)
        painter.end()
