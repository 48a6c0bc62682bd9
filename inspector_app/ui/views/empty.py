"""What stands in a view that has nothing to show (look.md, Nothing to show)."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from inspector_app.ui import fonts
from inspector_app.ui.icons import draw_icon
from inspector_app.ui.labels import draw_text
from inspector_app.ui.theme import Look


def paint_empty(painter: QPainter, look: Look, rect: QRect, icon: str, head: str, line: str) -> None:
    """A mark, a bold line, a line why, in the middle of `rect`."""
    theme, middle, top = look.theme, rect.left() + rect.width() / 2, rect.top() + max(16, rect.height() // 2 - 36)
    if icon:
        draw_icon(painter, round(middle) - 8, top, icon, theme.color("ink.3"))
    for words, font, ink, base in (
        (head, fonts.ui_font(fonts.BODY, 600), "ink.1", top + 36),
        (line, fonts.ui_font(fonts.BODY), "ink.2", top + 56),
    ):
        words = fonts.elided(font, words, rect.width() - 32)
        draw_text(painter, middle - fonts.text_width(font, words) / 2, base, words, font, theme.color(ink))
