"""Says that notes are in this window alone, and offers what keeps them: a copy that is a recording. So it does again,
and waits for an answer, where the notes would go with the tab.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inspector_app.core.text import number
from inspector_app.ui import fonts
from inspector_app.ui.controls import Button
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import ElidedLabel, tip
from inspector_app.ui.theme import Look

HEIGHT, EDGE = 32, 16
NAME_SHOWN = 260
"""Pixels of a name."""


SAVE, DROP, STAY = "save", "drop", "stay"


class NotesStrip(QWidget):
    """A strip of the page. `answered(SAVE, DROP or STAY)`: what is to become of notes whose tab was to be closed."""

    answered = Signal(str)
    save_asked = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.words = ElidedLabel("", "ink.1", fonts.BODY)
        self.save = Button(look, "Save a copy", "", "raised")
        self.drop = Button(look, "Close without them", "", "flat")
        self.later = Button(look, "Not now", "", "flat")
        self.leaving = False
        """Whether it asks before the tab is closed."""
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE + SMALL + 8, 2, EDGE, 2)
        row.addWidget(self.words, 1)
        row.addWidget(self.save)
        row.addWidget(self.drop)
        row.addWidget(self.later)
        self.setFixedHeight(HEIGHT)
        self.save.clicked.connect(lambda: self.answered.emit(SAVE) if self.leaving else self.save_asked.emit())
        self.drop.clicked.connect(lambda: self.answered.emit(DROP))
        self.later.clicked.connect(self._put_off)
        look.changed.connect(self.update)
        self.hide()

    def ask(self, why: str, name: str) -> None:
        """`why` notes are not kept, and the name of the recording that would hold them."""
        self._dress(f"{why} Until then they are in this window alone.", name, False)

    def ask_to_leave(self, count: int, names: Sequence[str]) -> None:
        """The tab is to be closed, and so many notes are nowhere else; `names`: the recordings that would hold them."""
        them = "1 note is" if count == 1 else f"{number(count)} notes are"
        more = f" and {number(len(names) - 1)} more" if len(names) > 1 else ""
        self._dress(f"{them} in this window alone and would be lost with the tab.", f"{names[0]}{more}", True)
        self.save.setFocus(Qt.FocusReason.OtherFocusReason)

    def _dress(self, words: str, name: str, leaving: bool) -> None:
        self.leaving = leaving
        self.words.show_text(words)
        shown, close = fonts.elided(self.save.font(), name, NAME_SHOWN), " and close" if leaving else ""
        self.save.setText(f"Save as {shown}{close}".replace("&", "&&"))
        self.save.setAccessibleName(f"Save a copy with the notes as {name}{close}")
        tip(self.save, f"Writes {name}, a recording with the notes in it{close or ', and opens it'}")
        self.drop.setVisible(leaving)
        self.later.setText("Stay" if leaving else "Not now")
        for button in (self.save, self.later):
            button.updateGeometry()
        self.show()

    def _put_off(self) -> None:
        self.hide()
        if self.leaving:
            self.leaving = False
            self.answered.emit(STAY)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._put_off()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.panel"))
            painter.fillRect(0, HEIGHT - 1, self.width(), 1, theme.color("line.soft"))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw_icon(painter, EDGE, (HEIGHT - SMALL) // 2, "note", theme.color("warning.line"), SMALL)
