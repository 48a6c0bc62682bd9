"""What was asked before, as a list: one click brings a request back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from inspector_app.core.text import clip, visible
from inspector_app.live.asking import dialect_of
from inspector_app.live.asking import model_of as path_model
from inspector_app.live.history import Past
from inspector_app.ui import fonts
from inspector_app.ui.compose.places import NOTHING, look
from inspector_app.ui.compose.shapes import SHAPES, text_path
from inspector_app.ui.labels import draw_text
from inspector_app.ui.start.recent import when
from inspector_app.ui.theme import Look

ROW = 44
EDGE = 16
EXCERPT = 200
Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()


def asked_of(past: Past) -> str:
    """What was asked, as far as one line can say it: the last message."""
    url = past.request.get("url")
    shape = SHAPES[dialect_of(url.partition("?")[0]) or "openai-chat"] if isinstance(url, str) else None
    held = look(past.request.get("body"), shape.messages) if shape is not None else NOTHING
    last = held[-1] if isinstance(held, list) and held else held
    path = text_path(shape, last) if shape is not None and isinstance(last, dict | str) else None
    text = look(last, path) if path is not None else ""
    return visible(clip(" ".join(text[: 4 * EXCERPT].split()), EXCERPT)) if isinstance(text, str) else ""


def model_of(past: Past) -> str:
    """The model that was asked, empty where neither body nor address say."""
    model, url = look(past.request.get("body"), ("model",)), past.request.get("url")
    if isinstance(model, str):
        return model
    return path_model(url.partition("?")[0]) if isinstance(url, str) else ""


class PastModel(QAbstractListModel):
    """The requests as rows, the newest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.requests: list[Past] = []
        self._words: list[tuple[str, str, str]] = []

    def show(self, requests: Sequence[Past], now: datetime) -> None:
        """Replaces all rows."""
        self.beginResetModel()
        self.requests = list(requests)
        self._words = [_words(past, now) for past in self.requests]
        self.endResetModel()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.requests)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        words = self._words[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return words[1] or words[0]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, words))
        return words if role == Qt.ItemDataRole.UserRole else None


def _words(past: Past, now: datetime) -> tuple[str, str, str]:
    """Who was asked, what, and when."""
    try:
        at = when(datetime.fromisoformat(past.at).astimezone().replace(tzinfo=None), now)
    except (ValueError, OverflowError, OSError):
        at = ""
    return visible(clip(model_of(past) or past.provider, 80)), asked_of(past) or "no text", at


class _Delegate(QStyledItemDelegate):
    def __init__(self, look_of: Look, parent: QObject) -> None:
        super().__init__(parent)
        self._look = look_of

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        who, what, at = index.data(Qt.ItemDataRole.UserRole)
        theme, rect = self._look.theme, option.rect
        current = bool(option.state & QStyle.StateFlag.State_Selected)
        if current and option.state & QStyle.StateFlag.State_Active and option.widget.hasFocus():
            painter.fillRect(rect, theme.color("sel.fill"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.veil("ink.1", 0.05))
        painter.fillRect(QRect(rect.left() + EDGE, rect.bottom(), rect.width() - EDGE, 1), theme.color("line.soft"))
        small, names = fonts.ui_font(fonts.SECONDARY), fonts.ui_font(fonts.BODY, 500, tabular=False)
        body = fonts.ui_font(fonts.BODY, tabular=False)
        right = rect.right() - 12
        width = fonts.text_width(small, at)
        draw_text(painter, right - width, rect.top() + 17, at, small, theme.color("ink.3"))
        room = round(right - width - 8 - EDGE - rect.left())
        shown = fonts.elided(names, who, room)
        draw_text(painter, rect.left() + EDGE, rect.top() + 17, shown, names, theme.color("ink.1"))
        shown = fonts.elided(body, what, right - EDGE - rect.left())
        draw_text(painter, rect.left() + EDGE, rect.top() + 35, shown, body, theme.color("ink.2"))


class PastList(QListView):
    """The list. `chosen(past)`: a request is to be brought back."""

    chosen = Signal(object)

    def __init__(self, look_of: Look) -> None:
        super().__init__()
        self.rows = PastModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(_Delegate(look_of, self))
        self.setAccessibleName("Requests of before")
        self.setProperty("layer", "panel")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.clicked.connect(self._choose)
        look_of.changed.connect(self.viewport().update)

    def _choose(self, index: QModelIndex) -> None:
        self.chosen.emit(self.rows.requests[index.row()])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._choose(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Nothing: letters are keys of the window."""
