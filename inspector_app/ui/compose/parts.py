"""What the forms are put together from: lines that say a fault, fields in rows, choices that a wheel leaves alone."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLayout, QLineEdit, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from inspector_app.core.text import clip, visible
from inspector_app.ui import fonts
from inspector_app.ui.controls import Choice
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import label, set_ink
from inspector_app.ui.theme import Look

LABEL = 96
"""Pixels for the words before a field."""
LONGEST = 600


class Said(QWidget):
    """A line with a mark that says how something went; nothing is shown while there is nothing to say."""

    def __init__(self, look: Look, meaning: str = "error") -> None:
        super().__init__()
        self._look, self._meaning = look, meaning
        self.words = label("", f"{meaning}.text" if meaning != "plain" else "ink.2", fonts.BODY)
        self.words.setWordWrap(True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(SMALL + 6, 0, 0, 0)
        self.row.setSpacing(8)
        self.row.addWidget(self.words, 1)
        look.changed.connect(self.update)
        self.hide()

    def say(self, words: str, meaning: str = "") -> None:
        """Replaces the words; "" takes the line away. `meaning` is error, warning, info, or plain for what is fine."""
        if meaning:
            self._meaning = meaning
            set_ink(self.words, "ink.2" if meaning == "plain" else f"{meaning}.text")
        shown = visible(clip(words, LONGEST))
        self.words.setText(shown)
        self.words.setFont(fonts.ui_font_for(shown, fonts.BODY))
        self.words.setAccessibleName(shown)
        self.setVisible(bool(words))
        self.update()

    @property
    def text(self) -> str:
        """What is said now."""
        return self.words.text()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            glyph, ink = ("check", "ink.2") if self._meaning == "plain" else (self._meaning, f"{self._meaning}.line")
            draw_icon(painter, self.words.x() - SMALL - 6, self.words.y() + 1, glyph, theme.color(ink), SMALL)


class FormChoice(Choice):
    """A choice on a page that scrolls: the wheel scrolls the page. It gives way where there is little room."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def minimumSizeHint(self) -> QSize:
        return QSize(72, super().minimumSizeHint().height())


def entry(name: str, hint: str = "") -> QLineEdit:
    """A field for one line."""
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setPlaceholderText(hint)
    made.setFont(fonts.ui_font(fonts.BODY, tabular=False))
    return made


def heading(words: str, *beside: QWidget, remark: str = "") -> QWidget:
    """The head of a part of a form, with what belongs to it at the right."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    row.addWidget(label(words, "ink.1", fonts.BODY, 600))
    if remark:
        row.addWidget(label(remark, "ink.3", fonts.SECONDARY))
    row.addStretch(1)
    for widget in beside:
        row.addWidget(widget)
    made.setFixedHeight(28)
    return made


def part(head: QWidget, *below: QWidget | QLayout) -> QVBoxLayout:
    """A head and what belongs to it, close together."""
    made = QVBoxLayout()
    made.setSpacing(4)
    made.addWidget(head)
    for one in below:
        if isinstance(one, QLayout):
            made.addLayout(one)
        else:
            made.addWidget(one)
    return made


def row_of(words: str, field: QWidget, said: Said | None = None, width: int = LABEL) -> QWidget:
    """A field with words before it, and a fault below it."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(4)
    line = QHBoxLayout()
    line.setSpacing(8)
    before = label(words, "ink.2", fonts.BODY)
    before.setFixedWidth(width)
    before.setMinimumHeight(28)
    line.addWidget(before, 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(field, 1)
    column.addLayout(line)
    if said is not None:
        said.row.setContentsMargins(width + 8 + SMALL + 6, 0, 0, 0)
        column.addWidget(said)
    return made


def scrolled(content: QWidget, layer: str) -> QScrollArea:
    """What is in it can be scrolled from top to bottom."""
    area = QScrollArea()
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    for widget in (area, content):
        widget.setProperty("layer", layer)
        widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    return area


def emptied(layout: QVBoxLayout) -> None:
    """Takes everything out of a layout."""
    while layout.count():
        widget = layout.takeAt(0).widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
