"""Two sentences on the client that is selected: one for its author, one for whoever sends the stream."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector_app.ui import fonts
from inspector_app.ui.coded import draw_coded
from inspector_app.ui.labels import draw_text, tip
from inspector_app.ui.theme import Look

EDGE, LINE, PAD, WORDS = 16, 22, 7, 108
HEADS = ("For the client", "For the gateway")


class AdviceLines(QWidget):
    """Shows nothing while there is nothing to advise."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._said: tuple[str, str] = ("", "")
        self.setFixedHeight(2 * LINE + 2 * PAD)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)
        self.hide()

    @property
    def said(self) -> tuple[str, str]:
        """The two sentences, empty where there are none."""
        return self._said

    def say(self, client: str, gateway: str) -> None:
        """Replaces them."""
        self._said = client, gateway
        words = [f"{head}: {said}" for head, said in zip(HEADS, self._said, strict=True) if said]
        self.setAccessibleName(" ".join(words).replace("`", ""))
        tip(self, "\n".join(words).replace("`", ""))
        self.setVisible(bool(words))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, 2 * LINE + 2 * PAD)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.panel"))
            painter.fillRect(0, 0, self.width(), 1, theme.color("line"))
            for number, (head, said) in enumerate(zip(HEADS, self._said, strict=True)):
                base = fonts.baseline(PAD + number * LINE, LINE)
                draw_text(painter, EDGE, base, head, fonts.ui_font(fonts.BODY, 600), theme.color("ink.1"))
                draw_coded(painter, EDGE + WORDS, base, said, self.width() - EDGE, theme.color("ink.2"))
