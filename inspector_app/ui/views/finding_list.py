"""The parts of the findings pane: its model, its head with the order, and the list that shows the rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
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
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
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
from inspector_app.ui.controls import Button
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import draw_text, tip
from inspector_app.ui.theme import Look
from inspector_app.ui.views.empty import paint_empty
from inspector_app.ui.views.finding_filter import HEIGHT as FILTER
from inspector_app.ui.views.finding_filter import LEAST, WIDEST, FilterField
from inspector_app.ui.views.finding_paint import HEIGHT, FindingDelegate, offers_literal
from inspector_app.ui.views.finding_rows import ORDERS, Row
from inspector_app.ui.views.row_table import RowTable

HEAD, EDGE = 28, 16
TITLE = "Findings"
TIPS = {"literal": "Show the literal reading, without what the reference mends (L)", "unmute": "Unmute this rule (M)"}
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
    """The line above the rows: title, how many, the filter, and the order. `filtered`: other words are to be found."""

    ordered = Signal(str)
    filtered = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._words = self.muted = ""
        self.undo = Button(look, "Undo", "", "link")
        self.undo.setParent(self)
        self.undo.hide()
        tip(self.undo, "Unmute this rule again, in every recording")
        self.setFixedHeight(HEAD)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.filter = FilterField(look, self)
        self.filter.textChanged.connect(lambda _: self.filtered.emit())
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
        self._say()

    def tell_muted(self, rule: str) -> None:
        """Say that a rule has just been muted, and offer to undo that; the empty string says nothing of it."""
        if rule != self.muted:
            self.muted = rule
            self._say()

    def _say(self) -> None:
        told = f", {self.muted} muted everywhere" if self.muted else ""
        self.setAccessibleName(f"Findings: {self._words}{told}")
        self._place()
        self.update()

    def _shown(self, room: int) -> str:
        """The words beside the title, as many as there is room for."""
        if not self.muted:
            return self._words
        ways = (f"{self._words} · {self.muted} muted everywhere", f"{self.muted} muted everywhere", "muted everywhere")
        font = fonts.ui_font(fonts.BODY)
        return next((words for words in ways if fonts.text_width(font, words) <= room), ways[-1])

    def _place(self) -> None:
        order = self._button.sizeHint().width()
        left = self.width() - order - 8
        self._button.setGeometry(left, 2, order, HEAD - 5)
        font = fonts.ui_font(fonts.BODY)
        title = EDGE + round(fonts.text_width(fonts.ui_font(fonts.BODY, 600), TITLE)) + 8
        undo = self.undo.sizeHint().width() if self.muted else 0
        said = self._shown(left - 4 - LEAST - title - undo - 12)
        after = title + round(fonts.text_width(font, said))
        width = min(max(left - 4 - after - undo - 12, LEAST), WIDEST)
        self.filter.setGeometry(left - 4 - width, (HEAD - 1 - FILTER) // 2, width, FILTER)
        self.undo.setVisible(bool(self.muted))
        self.undo.setGeometry(min(after, self.filter.x() - undo), 0, undo, HEAD - 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.panel"))
            painter.fillRect(QRect(0, HEAD - 1, self.width(), 1), theme.color("line"))
            base = fonts.baseline(0, HEAD)
            at = EDGE + draw_text(painter, EDGE, base, TITLE, fonts.ui_font(fonts.BODY, 600), theme.color("ink.1")) + 8
            font = fonts.ui_font(fonts.BODY)
            room = (self.undo.x() if self.muted else self.filter.x() - 8) - round(at)
            words = fonts.elided(font, self._shown(room + 1), max(0, room + 1))
            draw_text(painter, round(at), base, words, font, theme.color("ink.3"))


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
        with QPainter(self) as painter:
            if self.underMouse() or self._look.focused(self):
                painter.fillRect(self.rect(), theme.veil("ink.1", 0.06))
            draw_icon(painter, 8, (self.height() - SMALL) // 2, "chevron-down", theme.color("ink.3"), SMALL)
            font, base = fonts.ui_font(fonts.SECONDARY), fonts.baseline(0, self.height()) - 1
            draw_text(painter, 8 + SMALL + 6, base, self.text(), font, theme.color("ink.2"))


class FindingList(RowTable):
    """The rows. `picked` tells that the user chose one, `acted` that a chip or a link of one was clicked ("literal",
    "unmute") or its menu used ("mute" besides); `empty` are the two lines shown where there is none.
    """

    picked = Signal(int)
    acted = Signal(int, str)

    def __init__(self, look: Look, model: FindingModel, state_of: Callable[[int], str]) -> None:
        super().__init__(look, TITLE, model, HEIGHT)
        self.empty = ("", "", "")
        self.delegate = FindingDelegate(look, state_of, self)
        self.setItemDelegate(self.delegate)
        self.all_again = Button(look, "Clear the filter", "", "link")
        self.all_again.setParent(self.viewport())
        self.all_again.hide()
        self._pressed = ""
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

    # chips and links

    def _action_at(self, at: QPoint) -> str:
        index = self.indexAt(at)
        return self.delegate.action_at(index.row(), self.visualRect(index), at) if index.isValid() else ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        self._pressed = self._action_at(at) if event.button() == Qt.MouseButton.LeftButton else ""
        if not self._pressed:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at, pressed = event.position().toPoint(), self._pressed
        self._pressed = ""
        if not pressed:
            super().mouseReleaseEvent(event)
        elif self._action_at(at) == pressed:
            self.acted.emit(self.indexAt(at).row(), pressed)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self._action_at(event.position().toPoint())
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
        super().mouseMoveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            words = TIPS.get(self._action_at(event.pos()), "")
            tip(self.viewport(), words)
        return super().viewportEvent(event)

    # words

    def copy_message(self) -> None:
        """Put the current row's words on the clipboard."""
        row = self.currentIndex().data(Qt.ItemDataRole.UserRole)
        if row is not None:
            QGuiApplication.clipboard().setText(row.spoken())

    def menu_of(self, number: int) -> QMenu:
        """What can be done with a row."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        index = self.model().index(number, 0)
        row: Row = index.data(Qt.ItemDataRole.UserRole)
        menu.addAction("Copy finding").triggered.connect(self.copy_message)
        if row.rule is not None:
            menu.addAction("Copy rule name").triggered.connect(lambda: QGuiApplication.clipboard().setText(row.title))
            menu.addSeparator()
            mute = ("Unmute this rule", "unmute") if row.muted else ("Mute this rule", "mute")
            menu.addAction(f"{mute[0]}\tM").triggered.connect(lambda: self.acted.emit(number, mute[1]))
        if offers_literal(row):
            words = "Close the literal reading" if self.delegate.literal else "Show the literal reading"
            menu.addAction(f"{words}\tL").triggered.connect(lambda: self.acted.emit(number, "literal"))
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if index.isValid():
            self.setCurrentIndex(index)
            self.menu_of(index.row()).popup(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place_action()

    def place_action(self) -> None:
        """Put the action of an empty pane below its two lines."""
        self.all_again.adjustSize()
        top = max(16, self.viewport().height() // 2 - 36) + 64
        self.all_again.move((self.viewport().width() - self.all_again.width()) // 2, top)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.model().rowCount():
            return
        with QPainter(self.viewport()) as painter:
            paint_empty(painter, self._look, self.viewport().rect(), *self.empty)
