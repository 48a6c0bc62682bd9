"""Paths as SVG writes them, and what a clip leaves of them."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainterPath, QPainterPathStroker, QPen


class Clip(NamedTuple):
    """Where something may be painted: a box, and a shape inside of it if that is no box."""

    box: QRectF
    shape: QPainterPath | None

    def holds(self, bounds: QRectF) -> bool:
        """Whether all of it may be painted."""
        inside = self.box.adjusted(-0.01, -0.01, 0.01, 0.01).contains(bounds)
        return inside and (self.shape is None or self.shape.contains(bounds))

    def touches(self, bounds: QRectF) -> bool:
        """Whether any of it may be."""
        left, top = max(bounds.left(), self.box.left()), max(bounds.top(), self.box.top())
        return left <= min(bounds.right(), self.box.right()) and top <= min(bounds.bottom(), self.box.bottom())

    def cut(self, path: QPainterPath) -> QPainterPath:
        """What may be painted of a filled path."""
        if self.holds(path.boundingRect()):
            return path
        if self.shape is None and is_box(path):
            made = QPainterPath()
            made.addRect(path.boundingRect() & self.box)
            return made
        box = QPainterPath()
        box.addRect(self.box)
        return path.intersected(box if self.shape is None else box.intersected(self.shape))


def outline_of(path: QPainterPath, pen: QPen, width: float) -> QPainterPath:
    """What a pen of `width` covers along a path."""
    stroker = QPainterPathStroker()
    stroker.setWidth(width)
    stroker.setCapStyle(pen.capStyle())
    stroker.setJoinStyle(pen.joinStyle())
    if pen.style() != Qt.PenStyle.SolidLine:
        stroker.setDashPattern(pen.dashPattern())
        stroker.setDashOffset(pen.dashOffset())
    return stroker.createStroke(path)


def is_box(path: QPainterPath) -> bool:
    """Whether a path is an upright rectangle."""
    if path.elementCount() != 5:
        return False
    corners = [path.elementAt(number) for number in range(5)]
    return all(not corner.isCurveTo() for corner in corners) and all(
        a.x == b.x or a.y == b.y for a, b in pairwise(corners)
    )


def shape(path: QPainterPath) -> str:
    """The path as SVG writes it. A part that ends where it began is closed."""
    parts: list[str] = []
    start = before = ""
    ahead = 0
    for element in map(path.elementAt, range(path.elementCount())):
        last = f"{coordinate(element.x)} {coordinate(element.y)}"
        if ahead:
            ahead -= 1
            parts.append(f" {last}")
        elif element.isLineTo():
            parts.append(f"L{last}")
        elif element.isCurveTo():
            ahead = 2
            parts.append(f"C{last}")
        else:
            if before == start and parts:
                parts.append("Z")
            start = last
            parts.append(f"M{last}")
        before = last
    if parts and before == start:
        parts.append("Z")
    return "".join(parts)


def coordinate(value: float) -> str:
    """A coordinate, to the hundredth of a pixel."""
    return f"{round(value, 2):g}" if -1000 < value < 1000 else f"{round(value, 2):.9g}"
