"""Text as outlines: what a font draws for it, as paths that need no font any more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QGlyphRun, QImage, QPainter, QPainterPath, QRawFont, QTextLayout

from inspector_app.ui.svg_path import shape

LETTER_DOTS = 4
"""Letters without outlines, such as colour emoji, become bitmaps of so many dots a pixel."""
OUTLINE_TABLES = ("glyf", "CFF ", "CFF2")
"""Where an OpenType font keeps its outlines."""


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
        self._fonts: list[QRawFont] = []
        self._bitmaps: list[bool] = []
        """Whether the font at that place has no outlines."""
        self._outlines: dict[tuple[int, int], Outline] = {}
        """By the place of the font in `_fonts`, and the number of the letter in it."""
        self._texts: dict[tuple[QFont, str], list[Letter | Bitmap]] = {}

    def of(self, font: QFont, text: str) -> list[Letter | Bitmap]:
        """The letters of a text in a font, from the start of its base line."""
        found = self._texts.get((font, text))
        if found is None:
            layout = QTextLayout(text, font)
            layout.beginLayout()
            line = layout.createLine()
            layout.endLayout()
            found = [letter for run in layout.glyphRuns() for letter in self._of_run(run, line.ascent())]
            self._texts[font, text] = found
        return found

    def _of_run(self, run: QGlyphRun, rise: float) -> Iterator[Letter | Bitmap]:
        raw = run.rawFont()
        if raw not in self._fonts:
            self._fonts.append(raw)
            self._bitmaps.append(raw.pixelSize() > 0 and not any(raw.fontTable(name) for name in OUTLINE_TABLES))
        font = self._fonts.index(raw)
        for index, at in zip(run.glyphIndexes(), run.positions()):
            place = QPointF(at.x(), at.y() - rise)
            outline = self._outlines.get((font, index))
            if outline is None:
                # Asking a font of bitmaps for an outline spoils its sizes from then on (Qt 6.11).
                path = QPainterPath() if self._bitmaps[font] else _path(raw, index)
                outline = self._outlines[font, index] = Outline(shape(path), path, path.boundingRect())
            if outline.shape:
                yield Letter(outline, place)
            elif not (bounds := raw.boundingRect(index)).isEmpty():
                yield _bitmap(run, index, bounds, place)


def _path(raw: QRawFont, index: int) -> QPainterPath:
    path = raw.pathForGlyph(index)
    path.setFillRule(Qt.FillRule.WindingFill)  # the parts of a variable font's letters overlap
    if raw.pixelSize() > 0:
        return path
    # No font of the machine has the letter: an empty box, as on the screen.
    box = path.boundingRect()
    inner = QPainterPath()
    inner.addRect(box.adjusted(1, 1, -1, -1))
    path = QPainterPath()
    path.addRect(box)
    path.addPath(inner.toReversed())
    path.setFillRule(Qt.FillRule.WindingFill)
    return path


def _bitmap(run: QGlyphRun, index: int, bounds: QRectF, place: QPointF) -> Bitmap:
    box = bounds.toAlignedRect()
    image = QImage(box.size() * LETTER_DOTS, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        painter.scale(LETTER_DOTS, LETTER_DOTS)
        single = QGlyphRun(run)
        single.setGlyphIndexes([index])
        single.setPositions([QPointF(-box.x(), -box.y())])
        painter.drawGlyphRun(QPointF(), single)
    return Bitmap(image, QRectF(box).translated(place))
