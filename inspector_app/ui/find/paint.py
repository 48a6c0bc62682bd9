"""How a match is drawn: one quiet ground under its characters, and a box around the one that was gone to."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QPainter

from inspector_app.ui import fonts
from inspector_app.ui.find.marks import Found
from inspector_app.ui.labels import rounded
from inspector_app.ui.theme import Theme
from inspector_app.ui.views.bidi import Way, draw_line, stretches


def paint_found(
    painter: QPainter,
    theme: Theme,
    x: float,
    y: int,
    height: int,
    text: str,
    font: QFont,
    found: list[Found],
    way: Way = Way.LEFT_TO_RIGHT,
) -> None:
    """Writes the matches in `text` once more, over the text that was written from `x` on in a row of `height` at `y`.

    `found` counts in characters of `text`; what lies beyond it is shown on its last character.
    """
    last = max(0, len(text) - 1)
    for start, end, current in found:
        first, after = min(start, last), min(max(end, start + 1), len(text))
        for left, right in stretches(font, text, first, after, way):
            area = QRect(round(x + left) - 1, y + 3, max(3, round(right - left)) + 2, height - 5)
            rounded(painter, area, theme.color("find.fill"), None, 2)
            painter.save()
            painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
            draw_line(painter, x, fonts.baseline(y, height), text, font, theme.color("ink.1"), way)
            painter.restore()
            if current:
                rounded(painter, area.adjusted(-1, -1, 1, 1), None, theme.color("accent"), 3, 2)
