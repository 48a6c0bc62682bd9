"""The page Fields of the detail pane: every JSON path of the stream, how often it came, and who does not read it."""

from __future__ import annotations

import time
from collections.abc import Iterator

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFont, QGuiApplication, QHelpEvent, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from inspector_app.core.field_words import filter_path
from inspector_app.core.text import encodable, number
from inspector_app.lenses import REFERENCE
from inspector_app.ui import fonts
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import draw_text, label, tip
from inspector_app.ui.marks import unread_underline
from inspector_app.ui.models.table import Index
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.field_ledger import MOST, FieldLedger, pointer_of
from inspector_app.ui.views.field_model import (
    COLUMNS,
    COUNT,
    FILTER,
    FILTER_WORDS,
    FIRST,
    LAST,
    NUMBERS,
    PATH,
    READ,
    SAMPLE,
    TYPES,
    WHERE,
    FieldModel,
    Worked,
)
from inspector_app.ui.views.row_states import PLAIN, SELECTED, paint_focus, paint_state
from inspector_app.ui.views.row_table import RowTable

ROW, HEAD, STRIP = 20, 22, 6
STEP_NS = 8_000_000
PAD = 8
LEAST = {PATH: 160, COUNT: 52, FIRST: 44, LAST: 44, TYPES: 60, SAMPLE: 96, READ: 80}
"""Columns whose width follows what stands in them, and the least of each."""
WIDEST = {COUNT: 90, FIRST: 90, LAST: 90, TYPES: 140, READ: 280}
MEASURED = 400
"""Rows that are measured for that."""


class _Delegate(QStyledItemDelegate):
    def __init__(self, look: Look, model: FieldModel, table: RowTable) -> None:
        super().__init__(table)
        self._look = look
        self._model = model
        self._ring = table.ring
        self.cut: set[tuple[int, int]] = set()
        """Row and column of the cells that have no room for all of their words."""

    def width_of(self, index: Index) -> int:
        """How wide a column must be to show all of a cell."""
        column = index.column()
        words = fonts.text_width(_font_of(column), index.data())
        return round(words) + 2 * PAD + (SMALL + 6 if column == READ else 0) + 2

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect, column = self._look.theme, option.rect, index.column()
        unread = bool(self._model.unread[index.row()])
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected and column:
            painter.fillRect(rect, theme.color("sel.fill"))
        else:
            paint_state(painter, theme, rect, SELECTED if selected else PLAIN)
        if column in (WHERE, FILTER):
            self._paint_where(painter, rect, index.row()) if column == WHERE else draw_icon(
                painter, rect.left() + PAD, rect.top() + (ROW - SMALL) // 2, "filter", theme.color("ink.2"), SMALL
            )
            return
        font = _font_of(column)
        left, ink = rect.left() + PAD, "ink.1" if column == SAMPLE else "ink.2"
        if column == READ:
            name, tint = ("unread", "unread.line") if unread else ("check", "ink.2")
            draw_icon(painter, left, rect.top() + (ROW - SMALL) // 2, name, theme.color(tint), SMALL)
            left += SMALL + 6
        room = max(8, rect.left() + rect.width() - PAD - left)
        # The end of a path tells more than its middle.
        words = (fonts.elided_inside if column == PATH else fonts.elided)(font, index.data(), room)
        (self.cut.discard if words == index.data() else self.cut.add)((index.row(), column))
        width, base = round(fonts.text_width(font, words)), fonts.baseline(rect.top(), ROW)
        if column in NUMBERS:
            left = rect.left() + rect.width() - PAD - width
        if unread and column == PATH:
            ink = "unread.text"
            unread_underline(painter, theme, left, left + width, base + 2)
        draw_text(painter, left, base, words, font, theme.color(ink))
        if self._ring.shown and option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, theme, rect)

    def _paint_where(self, painter: QPainter, rect: QRect, row: int) -> None:
        """The stream from left to right, and on it where the field is."""
        theme, room = self._look.theme, rect.width() - 2 * PAD
        track = QRect(rect.left() + PAD, rect.top() + (ROW - STRIP) // 2, room, STRIP)
        painter.fillRect(track, theme.color("line.soft"))
        color = theme.color("unread.line" if self._model.unread[row] else "accent")
        for start, end in self._model.where[row]:
            left = track.left() + min(round(start * room), room - 1)
            painter.fillRect(left, track.top(), max(1, round((end - start) * room)), STRIP, color)


def _font_of(column: int) -> QFont:
    if column == READ:
        return fonts.ui_font(fonts.SECONDARY)
    wire = column in (PATH, SAMPLE, *NUMBERS)
    return fonts.wire_font(fonts.BODY) if wire else fonts.ui_font(fonts.BODY)


class FieldsPage(QWidget):
    """Looks through the events in short steps while it is in view; a row leads to the first event with that field.

    `filter_asked(condition)`: the events with a field are to be shown.
    """

    filter_asked = Signal(str)

    def __init__(self, session: Session, look: Look, origin: QWidget) -> None:
        super().__init__()
        self._session = session
        self._origin = origin
        self._ledger: FieldLedger | None = None
        self._work: Iterator[int] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._step)
        self.model = FieldModel(self)
        self.table = _Table(self.model, look)
        self.table.clicked.connect(lambda index: (self._filter if index.column() == FILTER else self._lead)(index))
        self.table.filter_asked.connect(self._filter)
        self.table.activated.connect(self._lead)
        self.status = label("", "ink.3", fonts.SECONDARY)
        self.status.setContentsMargins(16, 2, 16, 4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.table)
        layout.addWidget(self.status)

    def forget(self) -> None:
        """The stream went on, another part of it or other readers were chosen: look again at the next
        `show_selection`.
        """
        ledger, reference = self._ledger, self._session.reference
        if ledger is None:
            return
        if ledger.reading is not reference:
            self._ledger = self._work = None
            self._timer.stop()
            self.model.show([])
        elif self._work is None:
            self._fill()

    def show_selection(self, selection: Selection | None) -> None:
        """Look through the events that have not been looked through yet; in playback those that have come."""
        session = self._session
        reference = session.reference
        if reference is None or not (session.complete or session.held):
            self.status.setText("" if reference is None else "The fields are counted when all has been read.")
            return
        if self._ledger is None:
            self._ledger = FieldLedger(reference)
            self._work = self._ledger.steps()
            self._timer.start()
            self._fill()
        elif self._work is None and self._ledger.done < self._ledger.total:
            self._work = self._ledger.steps()
            self._timer.start()

    def hideEvent(self, event: object) -> None:
        self._timer.stop()

    def showEvent(self, event: object) -> None:
        if self._work is not None:
            self._timer.start()

    def _step(self) -> None:
        until = time.perf_counter_ns() + STEP_NS
        for done in self._work or ():
            if time.perf_counter_ns() >= until:
                self._say(done)
                return
        self._work = None
        self._timer.stop()
        self._fill()

    def _say(self, done: int | None) -> None:
        ledger = self._ledger
        if ledger is None:
            self.status.setText("")
            return
        words = f"{'the first ' if len(ledger.rows) >= MOST else ''}{number(len(ledger.rows))} fields"
        if done is not None:
            words = f"looking through event {number(done)} of {number(ledger.total)}"
        elif ledger.left_out:
            words += f" in the first {number(ledger.total)} of {number(ledger.total + ledger.left_out)} events"
        else:
            words += f" in {number(ledger.total)} event{'' if ledger.total == 1 else 's'}"
        self.status.setText(words)

    def _fill(self) -> None:
        session, ledger = self._session, self._ledger
        rows = [*ledger.rows.values()] if ledger is not None and self._work is None else []
        sides = [side for side in (session.left, session.right) if side is not None]
        clients = [side for side in sides if side.reader != REFERENCE] or sides
        module = session.reference.dialect_module if session.reference is not None else None
        named = [(session.short_title_of(side.reader), side.rules) for side in clients]

        def unread(path: str) -> list[str]:
            return [] if module is None else [name for name, rules in named if not module.reads(path, rules)]

        self.model.show(rows, Worked(rows, unread), Worked(rows, ledger.stretches if ledger is not None else None))
        self._say(0 if self._work is not None else None)

    def _lead(self, index: QModelIndex) -> None:
        reference = self._session.reference
        row = self.model.rows[index.row()]
        event = row["first_event"]
        if reference is None or event >= len(reference.events):
            return  # It is about to be looked through again.
        pointer = pointer_of(reference.payload(event), row["path"])
        start, end = reference.place(event, pointer)
        selection = Selection(event, pointer=pointer, start=start, end=end)
        self._session.selection.select(selection, self._origin)

    def _filter(self, index: QModelIndex) -> None:
        path = self.model.rows[index.row()]["path"]
        if path:
            self.filter_asked.emit(f"{filter_path(path)} exists")

    def menu(self) -> QMenu:
        """The actions that copy."""
        return self.table.menu()


class _Table(RowTable):
    filter_asked = Signal(QModelIndex)

    def __init__(self, model: FieldModel, look: Look) -> None:
        super().__init__(look, "Fields", model, ROW)
        self._model = model
        self._delegate = _Delegate(look, model, self)
        self._dragged = False
        self.setItemDelegate(self._delegate)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        head.setSectionResizeMode(SAMPLE, QHeaderView.ResizeMode.Stretch)
        head.setHighlightSections(False)
        head.setFixedHeight(HEAD)
        head.setFont(fonts.ui_font(fonts.SECONDARY))
        for column, (_, width) in enumerate(COLUMNS):
            self.setColumnWidth(column, width)
        head.sectionHandleDoubleClicked.connect(lambda _: self._drag())
        head.sectionPressed.connect(lambda _: self._drag())
        model.modelReset.connect(self.fit)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda at: self.menu().popup(self.viewport().mapToGlobal(at)))

    def _drag(self) -> None:
        """The user arranges the columns: they stay so."""
        self._dragged = True

    def fit(self) -> None:
        """Shares the width out: names of clients and types first, then paths; the samples have the rest. Where that is
        too little, the picture of where a field stands is left out.
        """
        if self._dragged or not self._model.rows:
            return
        rows = range(min(len(self._model.rows), MEASURED))
        wanted = {
            column: max(self._delegate.width_of(self._model.index(row, column)) for row in rows)
            for column in (PATH, *NUMBERS, TYPES, READ)
        }
        widths = {column: max(LEAST[column], min(wanted[column], WIDEST[column])) for column in WIDEST}
        room = self.viewport().width() - self.columnWidth(FILTER) - sum(widths.values()) - LEAST[SAMPLE]
        self.setColumnHidden(WHERE, room < LEAST[PATH] + COLUMNS[WHERE][1])
        room -= self.columnWidth(WHERE)
        widths[PATH] = max(LEAST[PATH], min(wanted[PATH], room))
        for column, width in widths.items():
            self.setColumnWidth(column, width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self.indexAt(event.pos())
            cut = (index.row(), index.column()) in self._delegate.cut
            spoken = index.data(Qt.ItemDataRole.AccessibleTextRole) if index.column() in (WHERE, FILTER) else ""
            tip(self.viewport(), index.data() if cut else spoken)
        return super().viewportEvent(event)

    def copied(self, rows: list[int]) -> str:
        """Paths and samples of rows as text, columns set off by tabs."""
        found = []
        for number_ in rows:
            row = self._model.rows[number_]
            values = [row["path"], row["count"], row["first_event"], row["last_event"], ", ".join(row["types"])]
            found.append("\t".join(map(str, [*values, row["sample"], "; ".join(self._model.unread[number_])])))
        return "\n".join(found)

    def _copy(self, rows: list[int]) -> None:
        QGuiApplication.clipboard().setText(encodable(self.copied(rows)))

    def menu(self) -> QMenu:
        """The actions that copy."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        chosen = menu.addAction("Copy row")
        chosen.setEnabled(bool(rows))
        chosen.triggered.connect(lambda: self._copy(rows))
        only = menu.addAction(FILTER_WORDS)
        only.setEnabled(len(rows) == 1)
        only.triggered.connect(lambda: self.filter_asked.emit(self._model.index(rows[0], PATH)))
        menu.addAction("Copy table").triggered.connect(lambda: self._copy(list(range(len(self._model.rows)))))
        return menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy(sorted({index.row() for index in self.selectionModel().selectedRows()}))
            return
        super().keyPressEvent(event)
