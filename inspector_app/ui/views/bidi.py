"""Where the characters of one line stand when scripts of both directions share it, and when several make one picture.

Positions are characters of the line's text, distances are pixels from its left edge.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from enum import IntEnum
from functools import lru_cache
from itertools import accumulate

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPainter, QTextLayout, QTextLine, QTextOption

from inspector_app.core.joiners import picture_at
from inspector_app.ui.fonts import text_width
from inspector_app.ui.labels import draw_text

SEARCHED = 400
"""Characters in which the first one with a direction is looked for."""
_PIECE = re.compile('[^"]*"|[^"]+')
_DIRECTIONS = (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight)
"""By the number of the way."""
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


class Way(IntEnum):
    """How a line is written. WIRE is from left to right in the order of the bytes, each string in quotes by itself: in
    `"a":"b"` the key stays at the left whatever the script of both.
    """

    LEFT_TO_RIGHT = 0
    RIGHT_TO_LEFT = 1
    WIRE = 2


def way_of(text: str) -> Way:
    """The direction of a text that is a paragraph by itself."""
    return Way.RIGHT_TO_LEFT if is_right_to_left(text) else Way.LEFT_TO_RIGHT


def pieces(text: str) -> list[str]:
    """Wire text in pieces that are each laid out by themselves: up to and with each quote."""
    return _PIECE.findall(text) if has_right_to_left(text) else [text]


def draw_line(painter: QPainter, x: float, base: float, text: str, font: QFont, color: QColor, way: Way) -> float:
    """`draw_text` for a line that is written in this way; x is its left edge in any way."""
    if way == Way.WIRE:
        return sum(draw_text(painter, x + at, base, piece, font, color) for at, piece in _placed(font, text))
    before = painter.layoutDirection()
    painter.setLayoutDirection(_DIRECTIONS[way])
    width = draw_text(painter, x, base, text, font, color)
    painter.setLayoutDirection(before)
    return width


def _placed(font: QFont, text: str) -> list[tuple[float, str]]:
    """The pieces of wire text with their left edges."""
    shown = pieces(text)
    return list(zip(accumulate((text_width(font, piece) for piece in shown), initial=0.0), shown, strict=False))


class LinePlaces:
    """The places of the characters of a line as Qt draws it."""

    def __init__(self, font: QFont, text: str, way: Way) -> None:
        self._text = text
        self._parts: list[tuple[int, float, _Part]] = []
        at, x = 0, 0.0
        for piece in pieces(text) if way == Way.WIRE else [text]:
            part = _Part(font, piece, way)
            self._parts.append((at, x, part))
            at, x = at + len(piece), x + part.width
        self.width = x
        self._cells: dict[int, tuple[float, float]] = {}

    def cell(self, position: int) -> tuple[float, float]:
        """The stretch [left, right) of what is drawn for a character, together with others where they are one."""
        start, end = picture_at(self._text, position)
        if start not in self._cells:
            at, x, part = next(found for found in reversed(self._parts) if found[0] <= start)
            found = part.stretch(start - at, end - at)
            # The second letter of a ligature has no glyph of its own.
            self._cells[start] = (
                (x + found[0], x + found[1]) if found else self.cell(start - 1) if start > at else (x, x)
            )
        return self._cells[start]

    def x_of(self, position: int) -> float:
        """Where the character begins: at its right edge if it is written from right to left."""
        if not 0 <= position < len(self._text):
            return self.width if position else 0.0
        return self.cell(position)[1 if unicodedata.bidirectional(self._text[position]) in ("R", "AL") else 0]

    def position_at(self, x: float) -> int:
        """The character that is drawn at a distance; of several that make one picture the first."""
        best, least = 0, float("inf")
        position = 0
        while position < len(self._text):
            left, right = self.cell(position)
            away = max(left - x, x - right, 0.0)
            # An edge belongs to what is at the right of it.
            if away < least or (away == least and left <= x < right):
                best, least = position, away
            position = picture_at(self._text, position)[1]
        return best

    def boxes(self, start: int, end: int) -> list[tuple[float, float]]:
        """The stretches [left, right) that characters [start, end) fill, from left to right."""
        cells = []
        position = start
        while position < min(end, len(self._text)):
            cells.append(self.cell(position))
            position = picture_at(self._text, position)[1]
        out: list[tuple[float, float]] = []
        for left, right in sorted(cells):
            if out and left <= out[-1][1] + 0.5:
                out[-1] = (out[-1][0], max(out[-1][1], right))
            else:
                out.append((left, right))
        return out


class _Part:
    """A text that Qt lays out as one line."""

    def __init__(self, font: QFont, text: str, way: Way) -> None:
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        option.setTextDirection(_DIRECTIONS[way])
        self._layout = QTextLayout(text, font)  # the line lives as long as its layout
        self._layout.setTextOption(option)
        self._layout.setCacheEnabled(True)
        self._layout.beginLayout()
        self._line: QTextLine = self._layout.createLine()
        self._layout.endLayout()
        self.width = text_width(font, text)
        self._units = array("I", accumulate((2 if sign > "\uffff" else 1 for sign in text), initial=0))
        """Where each character begins as Qt counts, in UTF-16."""

    def stretch(self, start: int, end: int) -> tuple[float, float] | None:
        """From the left edge of the first to the right edge of the last glyph of some characters; None without any."""
        first, last = self._units[start], self._units[end]
        edges = [
            (at.x(), at.x() + wide.x())
            for run in self._line.glyphRuns(first, last - first)
            for at, wide in zip(run.positions(), run.rawFont().advancesForGlyphIndexes(run.glyphIndexes()), strict=True)
        ]
        return (min(left for left, _ in edges), max(right for _, right in edges)) if edges else None


@lru_cache(maxsize=512)
def places(font: QFont, text: str, way: Way) -> LinePlaces:
    """The places of a line; those of some screens are kept."""
    return LinePlaces(font, text, way)


def stretches(font: QFont, text: str, start: int, end: int, way: Way) -> list[tuple[float, float]]:
    """The stretches [left, right) of a line that characters [start, end) fill; in plain text there is one."""
    if not text.isascii():
        return places(font, text, way).boxes(start, end)
    return [(text_width(font, text[:start]), text_width(font, text[:end]))] if start < end else []
