"""What the three panes have in common: rows of fixed height that scroll together, one selection, the keyboard.

A pane is a QTableView for its rows, its scrolling and what a screen reader asks. It paints itself in one go instead of
cell by cell: bars of blocks and runs of text reach over cells, and nothing is asked for twice.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from inspector_app.ui.labels import tip
from inspector_app.ui.models.rows import RowsModel
from inspector_app.ui.rows import RowMap, Tail
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.copies import Entry, copies
from inspector_app.ui.views.copy_menu import by_keyboard, copy_first, is_menu_key, pop_up
from inspector_app.ui.views.empty import paint_empty
from inspector_app.ui.views.evidence import Evidences
from inspector_app.ui.views.row_range import RowRange, paint_range
from inspector_app.ui.views.row_states import LINKED, PLAIN, SELECTED, KeyboardRing, paint_focus, paint_state

ROW = 22
SIDEWAYS = 120
"""Pixels that Shift with an arrow moves whole lines by."""
CONTEXT = 3
"""Rows kept in view before and after a selection that was scrolled to."""


class RowView(QTableView):
    """Base of the panes. `aside` asks for the pane to the left (-1) or right (1), `tail_asked` for the end of a stream
    that is live, and for what comes after it.
    """

    aside = Signal(int)
    tail_asked = Signal()
    lead = False
    """Whether this pane shows the bar of the selection when none of the panes has the focus."""

    name = ""
    heads: tuple[str, ...] = ()
    """What a screen reader says of the pane and of its columns."""

    copied_first: tuple[str, ...] = ()
    """What the copy key copies here, from the most wanted on, in the words of copies.py."""

    empty = ("", "", "")
    """A glyph, a bold line and a line why, for a pane without rows."""

    def __init__(self, session: Session, look: Look, evidences: Evidences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._look, self._evidences = session, look, evidences
        self._ring = KeyboardRing()
        self._hovered = -1
        self._seen = False
        self._range = RowRange()
        self.setAccessibleName(self.name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(RowsModel(self.rows, self.heads, self.cell, self, self.tail_cell))
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.setAutoScroll(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.horizontalHeader().setMinimumSectionSize(0)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(ROW)
        rows.setDefaultSectionSize(ROW)
        self.verticalScrollBar().setSingleStep(ROW)
        self.setMouseTracking(True)
        self.viewport().installEventFilter(self)
        session.selection.changed.connect(self._selected)
        look.changed.connect(self.viewport().update)

    # what panes say themselves

    def rows(self) -> RowMap:
        """Which event stands in which row."""
        return self._session.rows

    def paint_rows(self, painter: QPainter, first: int, last: int, top: int) -> None:
        """Paints display rows [first, last); `top` is the scroll position, so row r stands at r * ROW - top."""
        raise NotImplementedError

    def pick(self, row: int, x: int, alone: bool) -> Selection | None:
        """What a click at x in a row selects; `alone` when Alt was held."""
        event, _ = self._session.rows.at(row)
        return Selection(event)

    def cell(self, event: int, place: int, column: int) -> str:
        """The text of a cell for screen readers: row number `place` of an event."""
        raise NotImplementedError

    def paint_tail(self, painter: QPainter, tail: Tail, y: int) -> None:
        """Paints what stands below the last event of a live stream, from y on."""

    def tail_cell(self, place: int, column: int) -> str:
        """The text of a cell below the last event for screen readers."""
        return ""

    def words_at(self, row: int, x: int) -> str:
        """What is to be said about the mark at x in a row, for a tip; all of it stands elsewhere too."""
        return ""

    def copies_of_rows(self, rows: range) -> list[Entry]:
        """What can be copied of several rows."""
        raise NotImplementedError

    def column_widths(self, width: int) -> list[int]:
        """The columns of the model in a pane of this width."""
        return [width]

    # following the session

    def say_empty(self, icon: str = "", head: str = "", line: str = "") -> None:
        """What stands here while there are no rows; nothing says nothing."""
        self.empty = (icon, head, line)
        self.setAccessibleDescription(f"{head}. {line}" if head and not self.model().rowCount() else "")
        self.viewport().update()

    def show_growth(self) -> None:
        """More rows came."""
        model = self.model()
        assert isinstance(model, RowsModel)
        model.grow()
        self.viewport().update()

    def selected_event(self) -> int | None:
        """The event that is selected and has rows."""
        current = self._session.selection.current
        if current is None or current.event >= self._session.rows.events:
            return None
        return current.event

    def _selected(self, selection: Selection | None, origin: object) -> None:
        self.viewport().update()
        event = self.selected_event()
        if event is None:
            return
        row = self._session.rows.rows_of(event)[0]
        if row < self.model().rowCount():
            index = self.model().index(row, 0)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        if origin is not self:
            self._range.begin(row)
        if not isinstance(origin, RowView):  # what was clicked in one of the panes is in view already
            self.reveal(event)

    def reveal(self, event: int) -> None:
        """Scrolls the rows of an event into view, if they are not."""
        first, last = self._session.rows.rows_of(event)
        bar, height = self.verticalScrollBar(), self.viewport().height()
        top, bottom = first * ROW, last * ROW
        tall = bottom - top > height
        if top >= bar.value() and (top if tall else bottom) <= bar.value() + (height // 2 if tall else height):
            return
        near = -height <= top - bar.value() <= 2 * height
        if tall:
            target = top - CONTEXT * ROW
        elif top < bar.value():
            target = top - (CONTEXT * ROW if near else height // 3)
        else:
            target = min(top, bottom + CONTEXT * ROW - height) if near else top - height // 3
        bar.setValue((target + ROW - 1) // ROW * ROW)

    def chosen_events(self) -> tuple[int, int] | None:
        """The first and the last event of the rows that are chosen together; None where there are not several rows."""
        rows, chosen = self.rows(), self._range.rows
        if not chosen or chosen.stop > len(rows):
            return None
        return rows.at(chosen.start)[0], rows.at(chosen.stop - 1)[0]

    def place_of(self, event: int) -> QRect:
        """The rows of an event in the viewport; empty where they are out of sight."""
        if event >= self.rows().events:
            return QRect()
        rect = self._rect_of(event, self.verticalScrollBar().value())
        return rect & self.viewport().rect()

    def show_row(self, row: int) -> None:
        """Scrolls a single row into view, if it is not."""
        bar, height, top = self.verticalScrollBar(), self.viewport().height(), row * ROW
        if top < bar.value() or top + ROW > bar.value() + height:
            bar.setValue((top - height // 3 + ROW - 1) // ROW * ROW)

    def select_event(self, event: int) -> None:
        """Selects an event from the keyboard."""
        count = self._session.rows.events
        if count:
            event = min(max(event, 0), count - 1)
            self._session.selection.select(Selection(event), self)
            self._range.begin(self._session.rows.rows_of(event)[0])
            self.reveal(event)

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        # A painter that a fault leaves open ends the process, so it is closed in any case.
        with QPainter(self.viewport()) as painter:
            self._paint(painter, event.rect())

    def _paint(self, painter: QPainter, area: QRect) -> None:
        theme = self._look.theme
        painter.fillRect(area, theme.color("bg.pane"))
        top = self.verticalScrollBar().value()
        first = max(0, (top + area.top()) // ROW)
        rows = self.rows()
        last = min(self.model().rowCount(), len(rows), (top + area.bottom()) // ROW + 1)
        if first < last:
            for number, rect in self._events(first, last, top):
                self._paint_ground(painter, number, rect)
            paint_range(painter, theme, self._range.rows, top, self.viewport().width(), ROW)
            self.paint_rows(painter, first, last, top)
            chosen = self.selected_event()
            if chosen is not None and self._ring.shown and self.hasFocus():
                paint_focus(painter, theme, self._rect_of(chosen, top))
        if rows.tail is not None and len(rows) * ROW - top <= area.bottom():
            self.paint_tail(painter, rows.tail, len(rows) * ROW - top)
        if not self.model().rowCount() and self.empty[1]:
            paint_empty(painter, self._look, self.viewport().rect(), *self.empty)

    def _events(self, first: int, last: int, top: int) -> list[tuple[int, QRect]]:
        """The events in rows [first, last) with their places in the viewport."""
        rows = self.rows()
        return [(event, self._rect_of(event, top)) for event in range(rows.at(first)[0], rows.at(last - 1)[0] + 1)]

    def _rect_of(self, event: int, top: int) -> QRect:
        first, last = self.rows().rows_of(event)
        return QRect(0, first * ROW - top, self.viewport().width(), (last - first) * ROW)

    def _paint_ground(self, painter: QPainter, event: int, rect: QRect) -> None:
        theme = self._look.theme
        if event % 2:
            painter.fillRect(rect, theme.color("bg.alt"))
        paint_state(painter, theme, rect, self.state_of(event), event == self._hovered)
        if self.lines_between:
            painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.color("line.soft"))

    lines_between = True

    def state_of(self, event: int) -> str:
        """How an event is selected, as row_states names it."""
        if event != self.selected_event():
            return PLAIN
        focus = self.window().focusWidget() if self.window() is not None else None
        leads = self.lead and (self._look.pictured or not isinstance(focus, RowView))
        return SELECTED if leads or (self.hasFocus() and not self._look.pictured) else LINKED

    # mouse and keyboard

    def _row_at(self, y: int) -> int | None:
        row = (y + self.verticalScrollBar().value()) // ROW
        return row if 0 <= row < min(self.model().rowCount(), len(self.rows())) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._ring.see(self, event)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        at = event.position().toPoint()
        row = self._row_at(at.y())
        if row is None:
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._extend(row)
            return
        self._range.begin(row)
        self._pick(row, at, event)

    def _pick(self, row: int, at: QPoint, event: QMouseEvent) -> None:
        picked = self.pick(row, at.x(), bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))
        if picked is not None:
            self._session.selection.select(picked, self)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        row = self._row_at(at.y())
        self._hover(-1 if row is None else self.rows().at(row)[0])
        if event.buttons() & Qt.MouseButton.LeftButton and row is not None:
            self._extend(row)
            return
        tip(self.viewport(), "" if row is None else self.words_at(row, at.x()))

    def _hover(self, event: int) -> None:
        if event != self._hovered:
            self._hovered = event
            self.viewport().update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # A filter, so that painting does not run inside of a Python override of viewportEvent.
        if watched is self.viewport() and event.type() == QEvent.Type.Leave:
            self._hover(-1)
        return False

    def event(self, event: QEvent) -> bool:
        self._ring.see(self, event)
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.viewport().update()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, current = event.key(), self.selected_event()
        rows = self._session.rows
        if event.matches(QKeySequence.StandardKey.Copy):
            copy_first(self.viewport(), self.copies(), self._menu_place())
        elif is_menu_key(event):
            pop_up(self.viewport(), self.copies(), self._menu_place())
        elif event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier):
            event.ignore()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            sideways = self.horizontalScrollBar()
            sideways.setValue(sideways.value() + (-SIDEWAYS if key == Qt.Key.Key_Left else SIDEWAYS))
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.aside.emit(-1 if key == Qt.Key.Key_Left else 1)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            step = -1 if key == Qt.Key.Key_Up else 1
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._range.last >= 0:
                self._extend(min(max(self._range.last + step, 0), len(self.rows()) - 1))
                return
            self.select_event(self._event_in_view() if current is None else current + step)
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown) and rows.events:
            page = max(1, self.viewport().height() // ROW - 1) * (-1 if key == Qt.Key.Key_PageUp else 1)
            row = rows.rows_of(self._event_in_view() if current is None else current)[0] + page
            self.select_event(rows.at(min(max(row, 0), len(rows) - 1))[0])
        elif key == Qt.Key.Key_Home:
            self.select_event(0)
        elif key == Qt.Key.Key_End and rows.tail is not None:
            self.tail_asked.emit()
        elif key == Qt.Key.Key_End:
            self.select_event(rows.events - 1)
        else:
            event.ignore()

    # copying

    def _extend(self, row: int) -> None:
        if self._range.extend(row):
            self.viewport().update()

    def copies(self) -> list[Entry]:
        """What can be copied: of the chosen rows where there are several, else of the selection."""
        rows = self._range.rows
        if rows and rows.stop <= self.model().rowCount():
            return self.copies_of_rows(rows)
        return copies(self._session, self._session.selection.current, self.copied_first)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at = self._menu_place() if by_keyboard(event) else event.pos()
        row = self._row_at(at.y())
        if not by_keyboard(event) and row is not None and row not in self._range.rows:
            self._range.begin(row)
            picked = self.pick(row, at.x(), False)
            if picked is not None:
                self._session.selection.select(picked, self)
        pop_up(self.viewport(), self.copies(), at)

    def _menu_place(self) -> QPoint:
        """Where the menu of the selection opens: below its first row, as far as that is in view."""
        chosen = self.selected_event()
        view = self.viewport().rect()
        row = self._range.last if self._range.rows else self.rows().rows_of(chosen)[0] if chosen is not None else 0
        below = (row + 1) * ROW - self.verticalScrollBar().value()
        return QPoint(min(80, view.width() // 2), min(max(below, 0), view.height()))

    def keyboardSearch(self, search: str) -> None:
        """Does nothing: the usual search reads every row."""

    def _event_in_view(self) -> int:
        row = self._row_at(0)
        return 0 if row is None else self._session.rows.at(row)[0]

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        chosen = self.selected_event() if self.lead and not self._seen else None
        self._seen = True
        if chosen is not None:  # selected while the pane was hidden and of no size yet
            self.reveal(chosen)

    def resizeEvent(self, event: QResizeEvent) -> None:
        for column, width in enumerate(self.column_widths(self.viewport().width())):
            self.setColumnWidth(column, width)
        super().resizeEvent(event)
        chosen = self.selected_event() if self.lead else None
        if chosen is not None and chosen < self.rows().events:
            first, last = self.rows().rows_of(chosen)
            top = self.verticalScrollBar().value()
            if first * ROW < top + event.oldSize().height() and last * ROW > top:
                self.reveal(chosen)
