"""A switch: on or off, told by where its knob stands and not by colour alone."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from inspector_app.ui.controls import HOVER, KEYBOARD, Ring
from inspector_app.ui.icons import draw_icon
from inspector_app.ui.labels import rounded
from inspector_app.ui.theme import Look

WIDTH, HEIGHT, KNOB, TICK = 32, 18, 14, 10


class Toggle(QAbstractButton):
    """A switch; `name` is what a screen reader says."""

    def __init__(self, look: Look, name: str) -> None:
        super().__init__()
        self._look = look
        self.setCheckable(True)
        self.setText(name)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        look.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, on = self._look.theme, self.isChecked()
        with QPainter(self) as painter:
            if not self.isEnabled():
                painter.setOpacity(0.45)
            track = theme.color("accent") if on else theme.color("bg.sunken")
            edge = theme.color("accent" if on else "line.strong")
            rounded(painter, self.rect(), track, edge, HEIGHT / 2)
            if self.underMouse() and self.isEnabled():
                rounded(painter, self.rect(), theme.veil("ink.1", HOVER), None, HEIGHT / 2)
            left = WIDTH - KNOB - 2 if on else 2
            knob = QRect(left, 2, KNOB, KNOB)
            edge_of_knob = None if on else theme.color("line.strong")
            rounded(painter, knob, theme.color("accent.ink" if on else "bg.raised"), edge_of_knob, KNOB / 2)
            if on:
                draw_icon(painter, left + 2, 4, "check", theme.color("accent"), TICK)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in KEYBOARD and self.parentWidget() is not None:
            Ring(self._look, self)
