"""How a row shows that it is selected, linked, under the pointer or has the keyboard: the table of look.md, States."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView

from inspector_app.ui.labels import rounded
from inspector_app.ui.theme import Theme

SELECTED, LINKED, LEFT_BEHIND, PLAIN = "selected", "linked", "left behind", "plain"
"""What this view selected and all views show · selected elsewhere · selected here before · neither."""

BAR = 3
HOVER = 0.05
BY_KEYS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


def paint_state(painter: QPainter, theme: Theme, rect: QRect, state: str, hover: bool = False) -> None:
    """The ground of a row."""
    if state in (SELECTED, LINKED):
        painter.fillRect(rect, theme.color("sel.fill"))
    elif state == LEFT_BEHIND:
        painter.fillRect(rect, theme.color("sel.soft"))
    if hover and state == PLAIN:
        painter.fillRect(rect, theme.veil("ink.1", HOVER))
    if state in (SELECTED, LEFT_BEHIND):
        bar = theme.color("accent" if state == SELECTED else "line.strong")
        painter.fillRect(QRect(rect.left(), rect.top(), BAR, rect.height()), bar)


def paint_focus(painter: QPainter, theme: Theme, rect: QRect) -> None:
    """The ring inside the row that the keyboard is at."""
    rounded(painter, rect.adjusted(1, 1, -1, -1), None, theme.color("focus"), 3, 2)


class KeyboardRing:
    """Knows whether the ring is to be drawn: the view has the focus, and it came or is used by keys."""

    def __init__(self) -> None:
        self.shown = False

    def see(self, view: QAbstractItemView, event: QEvent) -> None:
        """Called with every event of the view."""
        before = self.shown
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            self.shown = True
        elif isinstance(event, QMouseEvent) or event.type() == QEvent.Type.FocusOut:
            self.shown = False
        elif isinstance(event, QFocusEvent) and event.type() == QEvent.Type.FocusIn:
            self.shown = event.reason() in BY_KEYS
        if before != self.shown:
            view.viewport().update()
