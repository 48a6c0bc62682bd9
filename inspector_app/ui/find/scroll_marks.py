"""Marks on a scroll bar: where along it something was found."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollBar, QWidget

from inspector_app.ui.theme import Look

TICK = 2


class ScrollMarks(QWidget):
    """Lies over a scroll bar and lets the mouse through."""

    def __init__(self, bar: QScrollBar, look: Look) -> None:
        super().__init__(bar)
        self._look = look
        self._places: Sequence[float] = ()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        bar.installEventFilter(self)
        look.changed.connect(self.update)
        self.hide()

    def show_places(self, places: Sequence[float]) -> None:
        """Sorted places along the bar, 0 to 1; none takes the marks away."""
        self._places = places
        self._fit()
        self.setVisible(bool(places))
        self.update()

    def ticks(self) -> list[int]:
        """The y of each tick; places that would touch share one."""
        found: list[int] = []
        room = max(1, self.height() - TICK)
        at = 0
        while at < len(self._places):
            y = int(self._places[at] * room)
            found.append(y)
            at = max(at + 1, bisect_left(self._places, (y + TICK + 1) / room, at))
        return found

    def _fit(self) -> None:
        bar = self.parentWidget()
        if bar is not None:
            self.setGeometry(bar.rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        color = self._look.theme.color("find.line")
        with QPainter(self) as painter:
            for y in self.ticks():
                painter.fillRect(QRect(2, y, max(4, self.width() - 4), TICK), color)
