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
    parts = visible(text).split("`")
    dots = fonts.text_width(fonts.ui_font(size), "…")
    for number, part in enumerate(parts):
        font = fonts.wire_font(size) if number % 2 else fonts.ui_font(size)
        last = number == len(parts) - 1 or (number == len(parts) - 2 and not parts[-1])
        if fonts.text_width(font, part) > right - at - (0 if last else dots):
            draw_text(painter, at, base, fonts.elided(font, f"{part}…", max(0, round(right - at))), font, ink)
            return
        at += draw_text(painter, at, base, part, font, ink)
