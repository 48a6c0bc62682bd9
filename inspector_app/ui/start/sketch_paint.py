"""Draws a sketch: large in a card of the gallery, small in a row of recent recordings."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPen

from inspector_app.ui import marks
from inspector_app.ui.icons import draw_icon
from inspector_app.ui.labels import rounded
from inspector_app.ui.start.sketch import SPAN, Sketch, Stroke
from inspector_app.ui.theme import Theme, known


class Measures(NamedTuple):
    """Where things lie in a thumbnail, in pixels from its top."""

    pad: int
    rows: tuple[int, int, int, int]
    """Tops of the rows 0 to 3."""
    tick: int
    bar: int
    below: int
    glyph: int


LARGE = Measures(9, (7, 23, 39, 54), 13, 13, 3, 12)
SMALL = Measures(7, (3, 11, 19, 25), 6, 6, 2, 8)


def paint_sketch(
    painter: QPainter, theme: Theme, rect: QRect, sketch: Sketch | None, measures: Measures, ground: str = "bg.panel"
) -> None:
    """The thumbnail in its frame; the frame alone while nothing is known."""
    rounded(painter, rect, theme.color(ground), theme.color("line.soft"), 4)
    if sketch is None:
        return
    inside = _Inside(rect, measures)
    _paint_ticks(painter, theme, inside, sketch)
    for stroke in sketch.strokes:
        _PAINT.get(stroke.shape, _paint_glyph)(painter, theme, inside, stroke, ground)


class _Inside:
    def __init__(self, rect: QRect, measures: Measures) -> None:
        self.rect, self.measures = rect, measures
        self.left, self.width = rect.left() + measures.pad, rect.width() - 2 * measures.pad

    def x(self, place: int) -> int:
        return self.left + place * self.width // SPAN

    def box(self, stroke: Stroke) -> QRect:
        left, right = self.x(stroke.start), self.x(stroke.end)
        height = self.measures.bar if stroke.row < 3 else self.measures.below
        return QRect(left, self.top(stroke.row), max(right - left, 2), height)

    def top(self, row: int) -> int:
        return self.rect.top() + self.measures.rows[row]


def _paint_ticks(painter: QPainter, theme: Theme, inside: _Inside, sketch: Sketch) -> None:
    top, tall = inside.top(0), inside.measures.tick
    if sketch.hollow:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("line.strong"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        radius = min(2.0, tall / 4)
        apart = inside.width / max(1, len(sketch.ticks))
        step = max(1, round(2 * radius + 1.5) // max(1, int(apart)))
        for place in sketch.ticks[::step]:
            painter.drawEllipse(QPointF(inside.x(place) + 0.5, top + tall / 2), radius, radius)
        painter.restore()
        return
    before = -2
    for place in sketch.ticks:
        x = inside.x(place)
        if x - before >= 3:
            painter.fillRect(QRect(x, top, 2, tall), theme.color("line.strong"))
            before = x


def _paint_bar(painter: QPainter, theme: Theme, inside: _Inside, stroke: Stroke, ground: str) -> None:
    rounded(painter, inside.box(stroke), theme.mixed(f"{known(stroke.meaning)}.line", ground, 0.08), None, 2)


def _paint_pieces(painter: QPainter, theme: Theme, inside: _Inside, stroke: Stroke, ground: str) -> None:
    box, line = inside.box(stroke), f"{known(stroke.meaning)}.line"
    odd = stroke.start * 2 // 16 % 2 == 1
    color = theme.mixed(line, ground, 0.3) if odd else theme.mixed(line, ground, 0.08)
    lower = inside.measures.bar // 4
    rounded(painter, box.adjusted(0, lower, 0, 0) if odd else box.adjusted(0, 0, 0, -lower), color, None, 1)


def _paint_missing(painter: QPainter, theme: Theme, inside: _Inside, stroke: Stroke, ground: str) -> None:
    box, colors = inside.box(stroke), theme.meaning("error")
    rounded(painter, box, colors.fill, colors.line, 2, 1.2, (3.5, 2))


def _paint_unread(painter: QPainter, theme: Theme, inside: _Inside, stroke: Stroke, ground: str) -> None:
    box, colors = inside.box(stroke), theme.meaning("unread")
    rounded(painter, box, colors.fill, None, 2)
    marks.hatch(painter, box.adjusted(1, 1, -1, -1), colors.line, 4, 1.1)
    rounded(painter, box, None, colors.line, 2)


def _paint_torn(painter: QPainter, theme: Theme, inside: _Inside, stroke: Stroke, ground: str) -> None:
    _paint_bar(painter, theme, inside, stroke, ground)
    box = inside.box(stroke)
    behind = theme.color(ground)
    marks.torn_edge(painter, theme, box.left() + box.width(), box.top(), box.height(), behind)


def _paint_silence(painter: QPainter, theme: Theme, inside: _Inside, stroke: Stroke, ground: str) -> None:
    box = inside.box(stroke)
    painter.fillRect(box, theme.color(ground))
    marks.hatch(painter, box, theme.color("warning.line"), 5, 1.2)


def _paint_fault(painter: QPainter, theme: Theme, inside: _Inside, stroke: Stroke, ground: str) -> None:
    marks.hatch(painter, inside.box(stroke), theme.color("error.line"), 5, 1.3)


def _paint_wait(painter: QPainter, theme: Theme, inside: _Inside, stroke: Stroke, ground: str) -> None:
    middle = inside.top(stroke.row) + inside.measures.tick // 2
    marks.dashes(painter, inside.x(stroke.start), inside.x(stroke.end) - 3, middle, theme.color("line.strong"))


def _paint_line(painter: QPainter, theme: Theme, inside: _Inside, stroke: Stroke, ground: str) -> None:
    box = inside.box(stroke)
    middle = box.top() + box.height() // 2
    for y in (middle, middle + 1) if stroke.row < 3 else (middle,):
        marks.dashes(painter, box.left(), box.right(), y, theme.meaning(stroke.meaning).line, 5, 3)


def _paint_tick(painter: QPainter, theme: Theme, inside: _Inside, stroke: Stroke, ground: str) -> None:
    top = inside.top(stroke.row)
    color = theme.meaning(stroke.meaning).line
    painter.fillRect(QRect(inside.x(stroke.start) - 1, top, 3, inside.measures.below), color)


def _paint_glyph(painter: QPainter, theme: Theme, inside: _Inside, stroke: Stroke, ground: str) -> None:
    size = inside.measures.glyph
    x = min(max(inside.x(stroke.start) - size // 2, inside.left), inside.left + inside.width - size)
    y = inside.top(stroke.row) + (inside.measures.bar - size) // 2
    draw_icon(painter, x, y, stroke.shape, theme.meaning(stroke.meaning).line, size)


_PAINT = {
    "bar": _paint_bar,
    "pieces": _paint_pieces,
    "missing": _paint_missing,
    "unread": _paint_unread,
    "torn": _paint_torn,
    "silence": _paint_silence,
    "fault": _paint_fault,
    "wait": _paint_wait,
    "line": _paint_line,
    "tick": _paint_tick,
}
"""Shape of a stroke -> how it is drawn; any other shape is a glyph."""
