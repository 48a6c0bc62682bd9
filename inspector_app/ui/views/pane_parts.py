"""What the three panes are put together from: the names of columns, the shared scroll bar, the pane itself."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea, QHBoxLayout, QScrollBar, QSizePolicy, QVBoxLayout, QWidget

from inspector_app.ui import fonts
from inspector_app.ui.controls import FLAT_PAD, Button, paint_ground
from inspector_app.ui.frames import PaneHead
from inspector_app.ui.labels import draw_text
from inspector_app.ui.theme import Look

COLUMN_HEAD = 22
APART = 10
"""Between two names in a head."""


class Word(NamedTuple):
    """The name of a column at `x`, which counts from the right edge when negative; `right` if it ends there."""

    text: str
    x: int
    right: bool = False
    ink: str = "ink.2"
    weight: int = 400


class ColumnHead(QWidget):
    """The names of the columns of a pane."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._words: list[Word] = []
        self._lines: list[int] = []
        self.setFixedHeight(COLUMN_HEAD)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def show_words(self, words: list[Word], lines: list[int] | None = None) -> None:
        """Replaces the names; `lines` are where columns are divided."""
        self._words, self._lines = words, lines or []
        self.setAccessibleName(", ".join(word.text for word in words))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.pane"))
            painter.fillRect(QRect(0, COLUMN_HEAD - 1, self.width(), 1), theme.color("line.soft"))
            for x in self._lines:
                painter.fillRect(QRect(x, 0, 1, COLUMN_HEAD), theme.color("line"))
            for word, (at, text) in zip(self._words, self.placed(), strict=True):
                font = fonts.ui_font_for(word.text, fonts.SECONDARY, word.weight)
                draw_text(painter, at, fonts.baseline(0, COLUMN_HEAD), text, font, theme.color(word.ink))

    def placed(self) -> list[tuple[int, str]]:
        """Where each name begins, and as much of it as has room before one that ends at its right."""
        found: list[tuple[int, str]] = []
        limit: int | None = None
        for word in reversed(self._words):
            font = fonts.ui_font_for(word.text, fonts.SECONDARY, word.weight)
            at, text = word.x if word.x >= 0 else self.width() + word.x, word.text
            if word.right:
                at = limit = at - round(fonts.text_width(font, text))
            elif limit is not None:
                text = fonts.elided(font, text, max(0, limit - APART - at))
            found.append((at, text))
        return found[::-1]


class Remark(Button):
    """A remark in the head of a pane that a click changes: as quiet as a remark, a control for the keyboard."""

    def __init__(self, look: Look, words: str) -> None:
        super().__init__(look, words, "", "flat")
        self._look = look
        self.setCheckable(True)
        self.setFont(fonts.ui_font(fonts.BODY))
        self.setFixedHeight(22)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            paint_ground(painter, theme, self.rect(), "flat", self, self.isDown())
            base = fonts.baseline(0, self.height())
            draw_text(painter, FLAT_PAD, base, self.text(), self.font(), theme.color("ink.2"))


def row_bar() -> QScrollBar:
    """A scroll bar over the rows that all panes share."""
    made = QScrollBar(Qt.Orientation.Vertical)
    made.setRange(0, 0)
    made.setAccessibleName("Rows")
    return made


THIN = 10
"""The height of a level scroll bar."""


class SideBar(QScrollBar):
    """The level scroll bar of a view, below its rows and only while the pointer is in their pane. Its room is kept as
    long as there is anything to scroll; `needed` tells whether there is.
    """

    needed = Signal(bool)

    def __init__(self, view: QAbstractScrollArea) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, 0)  # not the 99 that a bar begins with
        self._wanted = False
        self.setAccessibleName("Sideways")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedHeight(THIN)
        self._leader = leader = view.horizontalScrollBar()
        leader.rangeChanged.connect(self._follow)
        leader.valueChanged.connect(self.setValue)
        self.valueChanged.connect(leader.setValue)
        self.hide()

    def hover(self, inside: bool) -> None:
        """Whether the pointer is in the pane."""
        self._wanted = inside
        self._follow()

    def _follow(self) -> None:
        before = self.maximum() > 0
        self.setPageStep(self._leader.pageStep())
        self.setSingleStep(self._leader.singleStep())
        self.setRange(self._leader.minimum(), self._leader.maximum())
        some = self.maximum() > 0
        if some != before:
            policy = self.sizePolicy()
            policy.setRetainSizeWhenHidden(some)
            self.setSizePolicy(policy)
            self.needed.emit(some)
        self.setVisible(self._wanted and some)


def foot() -> QWidget:
    """What keeps the rows of a pane as high as those beside a pane with a level scroll bar."""
    made = QWidget()
    made.setFixedHeight(THIN)
    made.hide()
    return made


class Pane(QWidget):
    """Head, column head, and what stands below, with a scroll bar beside it and something below it if they are given.

    `hovered` tells whether the pointer is in it.
    """

    hovered = Signal(bool)

    def __init__(
        self,
        head: PaneHead,
        columns: ColumnHead,
        body: QWidget,
        least: int,
        bar: QScrollBar | None = None,
        below: QWidget | None = None,
    ) -> None:
        super().__init__()
        self.setMinimumWidth(least)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(columns)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(body)
        if bar is not None:
            row.addWidget(bar)
        column.addLayout(row)
        if below is not None:
            column.addWidget(below)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.hovered.emit(True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered.emit(False)
