"""The findings pane: what is wrong or worth knowing, how often and where, and what to do about it."""

from __future__ import annotations

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
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QSizePolicy,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from inspector_app.core.text import number
from inspector_app.ui import fonts
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import draw_text, tip
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.finding_paint import HEIGHT, FindingDelegate
from inspector_app.ui.views.finding_rows import ORDERS, Row, edges, rows_of, stop, stops
from inspector_app.ui.views.row_states import LEFT_BEHIND, LINKED, PLAIN, SELECTED, KeyboardRing

HEAD = 28
Index = QModelIndex | QPersistentModelIndex


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

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
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


class _Head(QWidget):
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


class _Rows(QTableView):
    """The rows. `picked` tells that the user chose one; `empty` are the two lines shown where there is none."""

    picked = Signal(int)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.ring = KeyboardRing()
        self.empty = ("", "", "")
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(HEIGHT)
        self.verticalHeader().setDefaultSectionSize(HEIGHT)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setAccessibleName("Findings")
        self.clicked.connect(lambda index: self.picked.emit(index.row()))

    def event(self, event: QEvent) -> bool:
        self.ring.see(self, event)
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        self.ring.see(self, event)
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex().row()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_message()
            return
        super().keyPressEvent(event)
        after = self.currentIndex().row()
        if after >= 0 and (after != before or event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)):
            self.picked.emit(after)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of the window here."""

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
        if self.model() is None or self.model().rowCount():
            return
        icon, head, line = self.empty
        painter = QPainter(self.viewport())
        theme, middle, top = self._look.theme, self.viewport().width() / 2, max(16, self.viewport().height() // 2 - 36)
        if icon:
            draw_icon(painter, middle - 8, top, icon, theme.color("ink.2"))
        for words, font, ink, base in (
            (head, fonts.ui_font(fonts.BODY, 600), "ink.1", top + 36),
            (line, fonts.ui_font(fonts.BODY), "ink.2", top + 56),
        ):
            draw_text(painter, middle - fonts.text_width(font, words) / 2, base, words, font, theme.color(ink))
        painter.end()


class FindingsView(QWidget):
    """The pane. `next_place` and `previous_place` walk through all places of all findings in the order of the rows."""

    def __init__(self, session: Session, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._look = look
        self._order = "severity"
        self._picked: int | None = None
        self._at: tuple[int, int] | None = None
        self._exact = False
        self._event: int | None = None
        self.head = _Head(look)
        self.head.ordered.connect(self.set_order)
        self.model = FindingModel(self)
        self.rows = _Rows(look)
        self._delegate = FindingDelegate(look, self._state_of, self.rows)
        self.rows.setItemDelegate(self._delegate)
        self.rows.setModel(self.model)
        self.rows.picked.connect(self._pick)
        self.rows.verticalHeader().geometriesChanged.connect(self._fit)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self.rows)
        self.setFocusProxy(self.rows)
        look.changed.connect(self.rows.viewport().update)
        for signal in (session.grown, session.read, session.compared):
            signal.connect(self.refresh)
        session.selection.changed.connect(self._selected)
        self.refresh()

    # rows

    def set_order(self, order: str) -> None:
        """Order the rows "severity" or "place"."""
        self._order = order
        self.refresh()

    def refresh(self) -> None:
        """Take the rows from the session again; the chosen one stays chosen."""
        session = self._session
        rows = rows_of(session, self._order)
        self._delegate.edges = edges(session.reference) if session.reference is not None else [0]
        self._delegate.ring = False
        if rows != self.model.rows:
            chosen = self.model.rows[self._picked] if self._picked is not None else None
            self._picked = self._at = None
            self._open(-1)
            self.model.show(rows)
            kept = next((n for n, row in enumerate(rows) if chosen is not None and _same(row, chosen)), None)
            if kept is not None:
                self._picked = kept
                self._make_current(kept)
        self._say_empty()
        compared = any(row.rule is None for row in rows)
        found = number(len(rows) - compared)
        self.head.show_words(f"{found}, and 1 comparison" if compared else found, self._order)
        self.rows.viewport().update()

    def _say_empty(self) -> None:
        reference = self._session.reference
        if self._session.complete and reference is not None:
            events = len(reference.events)
            line = f"No rule fired on {number(events)} event{'' if events == 1 else 's'}."
            self.rows.empty = ("check", "Nothing to report", line)
        else:
            self.rows.empty = ("", "", "")
        self.rows.setAccessibleDescription(" ".join(self.rows.empty[1:]) if not self.model.rows else "")

    def _state_of(self, number: int) -> str:
        self._delegate.ring = self.rows.ring.shown
        if number == self._picked:
            return SELECTED if self._exact else LEFT_BEHIND
        return LINKED if self._event is not None and self.model.rows[number].holds(self._event) else PLAIN

    def _open(self, row: int) -> None:
        """Show the advice of one row, and hide that of the row before."""
        before, self._delegate.opened = self._delegate.opened, row
        if 0 <= before < len(self.model.rows) and before != row:
            self.rows.setRowHeight(before, HEIGHT)
        self._fit()

    def _fit(self) -> None:
        row = self._delegate.opened
        if 0 <= row < len(self.model.rows):
            height = self._delegate.height_of(self.model.rows[row], self.rows.viewport().width(), True)
            if self.rows.rowHeight(row) != height:
                self.rows.setRowHeight(row, height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _make_current(self, row: int) -> None:
        self.rows.setCurrentIndex(self.model.index(row, 0))
        self._open(row)
        self.rows.scrollTo(self.model.index(row, 0))

    # selection

    def _pick(self, row: int) -> None:
        self._go(row, 0)

    def _go(self, row: int, index: int) -> None:
        if not stops(self.model.rows[row]):
            return
        self._picked, self._at, self._exact = row, (row, index), True
        self._make_current(row)
        selection = stop(self._session, self.model.rows[row], index)
        self._event = selection.event
        self._session.selection.select(selection, self)
        self.rows.viewport().update()

    def _selected(self, selection: Selection | None, origin: object) -> None:
        if origin is self:
            return
        self._exact = False
        self._event = None if selection is None else selection.event
        rule = None if selection is None else selection.finding
        if selection is not None and rule is not None:
            found = [n for n, row in enumerate(self.model.rows) if row.rule == rule]
            held = next((n for n in found if self.model.rows[n].holds(selection.event)), found[0] if found else None)
            if held is not None:
                self._picked, self._exact = held, True
                self._at = held, self._stop_of(held, selection)
                self._make_current(held)
        self.rows.viewport().update()

    def _stop_of(self, row: int, selection: Selection) -> int:
        places = self.model.rows[row].places
        inside = [n for n, place in enumerate(places) if place.event == selection.event]
        return next((n for n in inside if places[n].start == selection.start), next(iter(inside), 0))

    def next_place(self) -> None:
        """Select the next place of the findings; after the last one the first."""
        self._walk(1)

    def previous_place(self) -> None:
        """Select the place before; before the first one the last."""
        self._walk(-1)

    def _walk(self, step: int) -> None:
        rows = [n for n, row in enumerate(self.model.rows) if stops(row)]
        if not rows:
            return
        if self._at is None:
            row = self._picked if self._picked in rows else rows[0 if step > 0 else -1]
            self._go(row, 0 if step > 0 else stops(self.model.rows[row]) - 1)
            return
        row, index = self._at
        index += step
        if not 0 <= index < stops(self.model.rows[row]):
            row = rows[(rows.index(row) + step) % len(rows)]
            index = 0 if step > 0 else stops(self.model.rows[row]) - 1
        self._go(row, index)


def _same(one: Row, other: Row) -> bool:
    return (one.rule, one.block, one.rule or one.title) == (other.rule, other.block, other.rule or other.title)
