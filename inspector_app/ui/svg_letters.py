"""Text as outlines: what a font draws for it, as paths that need no font any more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QGlyphRun, QImage, QPainter, QPainterPath, QTextLayout

from inspector_app.ui.svg_path import shape

LETTER_DOTS = 4
"""Letters without outlines, such as colour emoji, become bitmaps of so many dots a pixel."""


class Outline(NamedTuple):
    """A letter around its own origin."""

    shape: str
    path: QPainterPath
    bounds: QRectF


class Letter(NamedTuple):
    """A letter of a text, and where its origin lies from the start of the base line."""

    outline: Outline
    at: QPointF


class Bitmap(NamedTuple):
    """A letter that is no outline, and the box it fills."""

    image: QImage
    box: QRectF


class Letters:
    """Keeps what it has worked out: the same words and letters come again and again."""

    def __init__(self) -> None:
        self._outlines: dict[tuple[QFont, str, int], Outline] = {}
        self._texts: dict[tuple[QFont, str], list[Letter | Bitmap]] = {}

    def of(self, font: QFont, text: str) -> list[Letter | Bitmap]:
        """The letters of a text in a font, from the start of its base line."""
        found = self._texts.get((font, text))
        if found is None:
            layout = QTextLayout(text, font)
            layout.beginLayout()
            line = layout.createLine()
            layout.endLayout()
            found = [letter for run in layout.glyphRuns() for letter in self._of_run(font, run, line.ascent())]
            self._texts[font, text] = found
        return found

    def _of_run(self, font: QFont, run: QGlyphRun, rise: float) -> Iterator[Letter | Bitmap]:
        raw = run.rawFont()
        for index, at in zip(run.glyphIndexes(), run.positions()):
            place = QPointF(at.x(), at.y() - rise)
            key = (font, raw.familyName(), index)
            outline = self._outlines.get(key)
            if outline is None:
                path = raw.pathForGlyph(index)
                path.setFillRule(Qt.FillRule.WindingFill)  # the parts of a variable font's letters overlap
                outline = self._outlines[key] = Outline(shape(path), path, path.boundingRect())
            if outline.shape:
                yield Letter(outline, place)
            elif not (bounds := raw.boundingRect(index)).isEmpty():
                yield _bitmap(run, index, bounds, place)


def _bitmap(run: QGlyphRun, index: int, bounds: QRectF, place: QPointF) -> Bitmap:
    box = bounds.toAlignedRect()
    image = QImage(box.size() * LETTER_DOTS, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.scale(LETTER_DOTS, LETTER_DOTS)
    single = QGlyphRun(run)
    single.setGlyphIndexes([index])
    single.setPositions([QPointF(-box.x(), -box.y())])
    painter.drawGlyphRun(QPointF(), single)
    painter.end()
    return Bitmap(image, QRectF(box).translated(place))
