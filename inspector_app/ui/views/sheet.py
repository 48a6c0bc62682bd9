"""A list of facts: a label, what it says, and a note at the right. Only rows in sight are painted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from inspector_app.core.text import clip, encodable, visible
from inspector_app.ui import fonts
from inspector_app.ui.labels import draw_text
from inspector_app.ui.selection import Selection
from inspector_app.ui.theme import Look
from inspector_app.ui.views.empty import paint_empty
from inspector_app.ui.views.row_states import PLAIN, SELECTED, paint_focus, paint_state
from inspector_app.ui.views.row_table import RowTable

ROW = 20
LEFT, VALUES, RIGHT = 16, 160, 16
SHOWN = 300

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()


class Fact(NamedTuple):
    """`style` is "head", "words" (what the program says) or "wire". `copied` gives the whole value for the clipboard
    where `value` is only its beginning; `leads` is what a click selects.
    """

    label: str
    value: str = ""
    note: str = ""
    style: str = "words"
    leads: Selection | None = None
    copied: Callable[[], str] | None = None


class SheetModel(QAbstractTableModel):
    """Facts in one column."""

    def __init__(self) -> None:
        super().__init__()
        self.facts: Sequence[Fact] = ()

    def show(self, facts: Sequence[Fact]) -> None:
        """Replace all facts."""
        self.beginResetModel()
        self.facts = facts
        self.endResetModel()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.facts)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        fact = self.facts[index.row()]
        return ", ".join(part for part in (fact.label, shown(fact.value), fact.note) if part)


def shown(text: str) -> str:
    """A value in one line, safe to look at."""
    return clip(visible(text[: 2 * SHOWN]), SHOWN) if len(text) <= 2 * SHOWN else visible(text[:SHOWN]) + " …"


class _Delegate(QStyledItemDelegate):
    def __init__(self, look: Look, sheet: Sheet) -> None:
        super().__init__(sheet)
        self._look = look
        self._sheet = sheet

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        fact: Fact = self._sheet.sheet.facts[index.row()]
        theme, rect = self._look.theme, option.rect
        hover = bool(option.state & QStyle.StateFlag.State_MouseOver) and fact.style != "head"
        state = SELECTED if option.state & QStyle.StateFlag.State_Selected else PLAIN
        paint_state(painter, theme, rect, state, hover)
        base, right = fonts.baseline(rect.top(), ROW), rect.width() - RIGHT
        if fact.note:
            font = fonts.ui_font(fonts.SECONDARY)
            note = fonts.elided(font, fact.note, max(40, right - VALUES - 80))
            width = round(fonts.text_width(font, note))
            draw_text(painter, right - width, base, note, font, theme.color("ink.3"))
            right -= width + 12
        if fact.style == "head":
            font = fonts.ui_font(fonts.BODY, 600)
            words = fonts.elided(font, shown(fact.label), right - LEFT)
            draw_text(painter, LEFT, base, words, font, theme.color("ink.1"))
        else:
            label_end = VALUES - 12 if fact.value else right
            font = fonts.ui_font_for(fact.label, fonts.BODY)
            words = fonts.elided(font, shown(fact.label), label_end - LEFT)
            draw_text(painter, LEFT, base, words, font, theme.color("ink.2"))
            at = VALUES if fact.label else LEFT
            font = fonts.wire_font(fonts.BODY) if fact.style == "wire" else fonts.ui_font_for(fact.value, fonts.BODY)
            words = fonts.elided(font, shown(fact.value), max(20, right - at))
            draw_text(painter, at, base, words, font, theme.color("ink.1"))
        if self._sheet.ring.shown and option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, theme, rect)


class Sheet(RowTable):
    """A view of facts. `led` carries the selection that a chosen fact leads to."""

    led = Signal(object)

    def __init__(self, look: Look, name: str) -> None:
        model = SheetModel()
        super().__init__(look, name, model, ROW)
        model.setParent(self)
        self.sheet = model
        self._empty = ("", "", "")
        self.show_one_column()
        self.setItemDelegate(_Delegate(look, self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.clicked.connect(self._lead)
        self.activated.connect(self._lead)

    def show_facts(self, facts: Sequence[Fact], empty: tuple[str, str, str] = ("", "", "")) -> None:
        """Replace the facts. `empty` is what stands there when there are none: a glyph, a bold line, a line why."""
        self._empty = empty
        if list(facts) != list(self.sheet.facts):
            self.sheet.show(facts)
        self.setAccessibleDescription("" if facts else " ".join(empty[1:]))
        self.viewport().update()

    def _lead(self, index: QModelIndex) -> None:
        leads = self.sheet.facts[index.row()].leads
        if leads is not None:
            self.led.emit(leads)

    def copied(self) -> str:
        """The chosen values, whole, one a line."""
        rows = sorted({index.row() for index in self.selectionModel().selectedIndexes()})
        return "\n".join(_whole(self.sheet.facts[row]) for row in rows)

    def copy(self) -> None:
        """Put the chosen values on the clipboard."""
        QGuiApplication.clipboard().setText(encodable(self.copied()))

    def menu(self) -> QMenu:
        """The actions that copy."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        one = menu.addAction("Copy value")
        one.setEnabled(self.selectionModel().hasSelection())
        one.triggered.connect(self.copy)
        every = menu.addAction("Copy all")
        every.setEnabled(bool(self.sheet.facts))
        every.triggered.connect(self._copy_all)
        return menu

    def _copy_all(self) -> None:
        lines = ("\t".join(filter(None, (fact.label, _whole(fact), fact.note))) for fact in self.sheet.facts)
        QGuiApplication.clipboard().setText(encodable("\n".join(lines)))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu().popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.sheet.facts and self._empty[1]:
            with QPainter(self.viewport()) as painter:
                paint_empty(painter, self._look, self.viewport().rect(), *self._empty)


def _whole(fact: Fact) -> str:
    return fact.copied() if fact.copied is not None else fact.value or fact.label
