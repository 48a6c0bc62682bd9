"""Says that notes are in this window alone, and offers what keeps them: a copy that is a recording."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inspector_app.ui import fonts
from inspector_app.ui.controls import Button
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import ElidedLabel, tip
from inspector_app.ui.theme import Look

HEIGHT, EDGE = 32, 16
NAME_SHOWN = 260
"""Pixels of a name."""


class NotesStrip(QWidget):
    """A strip of the page; nothing waits for its answer."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.words = ElidedLabel("", "ink.1", fonts.BODY)
        self.save = Button(look, "Save a copy", "", "raised")
        self.later = Button(look, "Not now", "", "flat")
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE + SMALL + 8, 2, EDGE, 2)
        row.addWidget(self.words, 1)
        row.addWidget(self.save)
        row.addWidget(self.later)
        self.setFixedHeight(HEIGHT)
        self.later.clicked.connect(self.hide)
        look.changed.connect(self.update)
        self.hide()

    def ask(self, why: str, name: str) -> None:
        """`why` notes are not kept, and the name of the recording that would hold them."""
        self.words.show_text(f"{why} Until then they are in this window alone.")
        shown = fonts.elided(self.save.font(), name, NAME_SHOWN)
        self.save.setText(f"Save as {shown}".replace("&", "&&"))
        self.save.setAccessibleName(f"Save a copy with the notes as {name}")
        tip(self.save, f"Writes {name}, a recording with the notes in it, and opens it")
        self.save.updateGeometry()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.panel"))
            painter.fillRect(0, HEIGHT - 1, self.width(), 1, theme.color("line.soft"))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw_icon(painter, EDGE, (HEIGHT - SMALL) // 2, "note", theme.color("warning.line"), SMALL)
