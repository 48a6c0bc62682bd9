"""Draws one line of words in which what stands between ticks is the wire's, in its font."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPainter

from inspector_app.core.text import visible
from inspector_app.ui import fonts
from inspector_app.ui.labels import draw_text


def draw_coded(
    painter: QPainter, at: float, base: int, text: str, right: float, ink: QColor, size: int = fonts.BODY
) -> None:
    """One line that ends before `right`, elided where it is longer."""
    for number, part in enumerate(visible(text).split("`")):
        font = fonts.wire_font(size) if number % 2 else fonts.ui_font(size)
        words = fonts.elided(font, part, max(0, round(right - at)))
        at += draw_text(painter, at, base, words, font, ink)
        if words != part:
            return
