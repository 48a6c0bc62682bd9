"""The filter of the findings: which rows words stand for, and the quiet field they are typed into."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from inspector_app.ui import fonts
from inspector_app.ui.controls import HOVER
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import rounded, tip
from inspector_app.ui.theme import Look
from inspector_app.ui.views.finding_rows import Row

KEYS = "Ctrl+Shift+F"
HEIGHT = 22
LEAST, WIDEST = 80, 176
PAD = 6
LONGEST = 200


def matches(row: Row, words: str) -> bool:
    """Whether each of the words stands somewhere in a row: its rule, its sentences, its severity, "muted"."""
    text = " ".join(filter(None, (*row.remarks, row.severity, row.title, row.message, row.advice, row.breaks)))
    text = text.casefold()
    return all(word in text for word in words.casefold().split())


class FilterField(QLineEdit):
    """No more than an icon and a word until it is used. `left`: done with it, back to the rows."""

    left = Signal()

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._hovered = False
        self.setMaxLength(LONGEST)
        self.setPlaceholderText("Filter")
        self.setAccessibleName("Filter the findings")
        tip(self, "Filter by rule, words or severity. Esc shows all", KEYS)
        self.setFont(fonts.ui_font(fonts.SECONDARY, tabular=False))
        self.setStyleSheet(
            "QLineEdit, QLineEdit:focus { background: transparent; border: 0; padding: 0;"
            f" min-height: {HEIGHT}px; max-height: {HEIGHT}px; }}"
        )
        self.setTextMargins(PAD + SMALL + 4, 0, PAD + SMALL, 0)
        look.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(WIDEST, HEIGHT)

    @property
    def words(self) -> str:
        """What is filtered by; empty while all is shown."""
        return self.text().strip()

    def ask(self) -> None:
        """Take the keys."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def _cross(self) -> QRect:
        return QRect(self.width() - PAD - SMALL, (self.height() - SMALL) // 2, SMALL, SMALL)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            if self._look.focused(self):
                rounded(painter, self.rect(), theme.color("bg.raised"), theme.color("focus"), 4, 2)
            elif self.text():
                rounded(painter, self.rect(), theme.color("bg.raised"), theme.color("line"), 4)
            elif self._hovered:
                rounded(painter, self.rect(), theme.veil("ink.1", HOVER), None, 4)
        super().paintEvent(event)
        with QPainter(self) as painter:
            middle = (self.height() - SMALL) // 2
            draw_icon(painter, PAD, middle, "filter", theme.color("accent" if self.words else "ink.3"), SMALL)
            if self.text():
                draw_icon(painter, self._cross().x(), middle, "close", theme.color("ink.2"), SMALL)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.text() and event.position().x() >= self._cross().x() - 3:
            self.clear()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self.text() and event.position().x() >= self._cross().x() - 3
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor)
        super().mouseMoveEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hovered = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = False
        self.update()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if not self.text():
                self.left.emit()
            self.clear()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()
