"""Where the characters of one line stand when scripts of both directions share it, and when several make one picture.

Positions are characters of the line's text, distances are pixels from its left edge.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from functools import lru_cache

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QTextLayout, QTextLine, QTextOption

from inspector_app.core.joiners import starts_picture
from inspector_app.ui.fonts import text_width
from inspector_app.ui.labels import draw_text

SEARCHED = 400
"""Characters in which the first one with a direction is looked for."""
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")


def has_right_to_left(text: str) -> bool:
    """Whether any character of the text is written from right to left."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def is_right_to_left(text: str) -> bool:
    """The direction of a paragraph: that of its first character that has one (UAX 9, P2)."""
    if not has_right_to_left(text[:SEARCHED]):
        return False
    kinds = (unicodedata.bidirectional(sign) for sign in text[:SEARCHED])
    return next((kind != "L" for kind in kinds if kind in ("L", "R", "AL")), False)


def draw_line(
    painter: QPainter, x: float, base: float, text: str, font: QFont, color: QColor, right_to_left: bool
) -> float:
    """`draw_text` for a line of a paragraph that is written in this direction; x is its left edge either way."""
    if not right_to_left:
        return draw_text(painter, x, base, text, font, color)
    before = painter.layoutDirection()
    painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    width = draw_text(painter, x, base, text, font, color)
    painter.setLayoutDirection(before)
    return width


class LinePlaces:
    """The places of the characters of a line as Qt draws it."""

    def __init__(self, font: QFont, text: str, right_to_left: bool) -> None:
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        option.setTextDirection(Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight)
        self._text = text
        self._layout = QTextLayout(text, font)  # the line lives as long as its layout
        self._layout.setTextOption(option)
        self._layout.setCacheEnabled(True)
        self._layout.beginLayout()
        self._line: QTextLine = self._layout.createLine()
        self._line.setPosition(QPointF(0, 0))
        self._layout.endLayout()
        self.width = self._line.naturalTextWidth()
        self._units: array[int] | None = None
        if not text.isascii() and max(text) > "\uffff":
            self._units = array("I", [0])
            for sign in text:
                self._units.append(self._units[-1] + (2 if sign > "\uffff" else 1))

    def _unit(self, position: int) -> int:
        """Qt counts UTF-16."""
        return position if self._units is None else self._units[position]

    def x_of(self, position: int) -> float:
        """Where the character begins, at its right edge if it is written from right to left."""
        return self._edge(position, QTextLine.Edge.Leading)

    def _edge(self, position: int, edge: QTextLine.Edge) -> float:
        found = self._line.cursorToX(self._unit(min(position, len(self._text))), edge)
        return found[0] if isinstance(found, tuple) else found

    def position_at(self, x: float) -> int:
        """The character that is drawn at a distance; of several that make one picture the first."""
        unit = self._line.xToCursor(x, QTextLine.CursorPosition.CursorOnCharacter)
        position = unit if self._units is None else bisect_right(self._units, unit) - 1
        position = min(max(position, 0), max(len(self._text) - 1, 0))
        while not starts_picture(self._text, position):
            position -= 1
        return position

    def boxes(self, start: int, end: int) -> list[tuple[float, float]]:
        """The stretches [left, right) that characters [start, end) fill, from left to right."""
        edges = []
        while start > 0 and not starts_picture(self._text, start):
            start -= 1
        for position in range(start, min(end, len(self._text))):
            if starts_picture(self._text, position):
                after = position + 1
                while after < len(self._text) and not starts_picture(self._text, after):
                    after += 1
                one, two = self._edge(position, QTextLine.Edge.Leading), self._edge(after - 1, QTextLine.Edge.Trailing)
                edges.append((min(one, two), max(one, two)))
        out: list[tuple[float, float]] = []
        for left, right in sorted(edges):
            if out and left <= out[-1][1] + 0.5:
                out[-1] = (out[-1][0], max(out[-1][1], right))
            else:
                out.append((left, right))
        return out


@lru_cache(maxsize=512)
def places(font: QFont, text: str, right_to_left: bool) -> LinePlaces:
    """The places of a line; those of some screens are kept."""
    return LinePlaces(font, text, right_to_left)


def stretches(font: QFont, text: str, start: int, end: int, right_to_left: bool) -> list[tuple[float, float]]:
    """The stretches [left, right) of a line that characters [start, end) fill; in plain text there is one."""
    if not text.isascii():
        return places(font, text, right_to_left).boxes(start, end)
    return [(text_width(font, text[:start]), text_width(font, text[:end]))] if start < end else []
