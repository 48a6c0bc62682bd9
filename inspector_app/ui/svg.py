"""Writes what is painted as SVG: shapes as shapes, letters as outlines, so that it looks the same wherever it is seen.

Clips are worked out here, because not every reader of SVG knows them; a file needs no font and no other file.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QImage,
    QPaintDevice,
    QPaintEngine,
    QPaintEngineState,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QTextItem,
    QTransform,
)  # fmt: skip

from inspector_app.ui.svg_letters import Bitmap, Letters
from inspector_app.ui.svg_path import Clip, coordinate, is_box, outline_of, shape

DOTS = 2
"""Bitmaps that a style draws come with so many dots a pixel."""
INCH = 96

_CAPS = {
    Qt.PenCapStyle.FlatCap: "",
    Qt.PenCapStyle.SquareCap: ' stroke-linecap="square"',
    Qt.PenCapStyle.RoundCap: ' stroke-linecap="round"',
}
_JOINS = {Qt.PenJoinStyle.RoundJoin: ' stroke-linejoin="round"', Qt.PenJoinStyle.BevelJoin: ' stroke-linejoin="bevel"'}


class SvgCanvas(QPaintDevice):
    """Something to paint on that becomes an SVG file, `size` pixels large."""

    def __init__(self, size: QSize) -> None:
        super().__init__()
        self._size = size
        self._engine = _Engine()
        metric = QPaintDevice.PaintDeviceMetric
        self._metrics = {
            metric.PdmWidth: size.width() * DOTS,
            metric.PdmHeight: size.height() * DOTS,
            metric.PdmWidthMM: round(size.width() * 25.4 / INCH),
            metric.PdmHeightMM: round(size.height() * 25.4 / INCH),
            metric.PdmNumColors: 1 << 24,
            metric.PdmDepth: 32,
            metric.PdmDpiX: INCH,
            metric.PdmDpiY: INCH,
            metric.PdmPhysicalDpiX: INCH,
            metric.PdmPhysicalDpiY: INCH,
            metric.PdmDevicePixelRatio: DOTS,
            metric.PdmDevicePixelRatioScaled: round(DOTS * QPaintDevice.devicePixelRatioFScale()),
        }

    def paintEngine(self) -> QPaintEngine:
        return self._engine

    def metric(self, metric: QPaintDevice.PaintDeviceMetric) -> int:
        return self._metrics.get(metric, 0)

    def markup(self, title: str) -> str:
        """The file, once the painter has ended; `title` says what it shows."""
        width, height = self._size.width(), self._size.height()
        head = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg"'
            f' xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}">\n<title>{escape(_printable(title))}</title>\n'
        )
        if self._engine.fault is not None:
            raise self._engine.fault
        letters = self._engine.letters.items()
        defined = "".join(f'<path id="{name}" d="{outline}"/>\n' for outline, name in letters)
        return f"{head}<defs>\n{defined}</defs>\n{''.join(self._engine.out)}</svg>\n"


def _kept(draw: Callable[..., None]) -> Callable[..., None]:
    """Keeps what a method raises: the painter that calls it is not Python, and would end the process."""

    def guarded(engine: _Engine, *given: Any) -> None:
        try:
            draw(engine, *given)
        except Exception as error:
            engine.fault = engine.fault or error

    return guarded


class _Engine(QPaintEngine):
    """Everything that a painter does, as elements in the order in which it was done."""

    def __init__(self) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)
        self.out: list[str] = []
        self.fault: Exception | None = None
        self.letters: dict[str, str] = {}
        """Outline -> its name in the file."""
        self._texts = Letters()

    def begin(self, device: QPaintDevice) -> bool:
        self.setActive(True)
        return True

    def end(self) -> bool:
        self.setActive(False)
        return True

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.User

    def updateState(self, state: QPaintEngineState) -> None:
        """Nothing is kept: what is needed is asked of the painter when something is drawn."""

    # what the painter draws

    @_kept
    def drawRects(self, rects: Sequence[QRectF]) -> None:
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)  # equal boxes are painted over each other
        for rect in rects:
            path.addRect(QRectF(rect))
        self._draw(path)

    @_kept
    def drawLines(self, lines: Sequence[QLineF]) -> None:
        path = QPainterPath()
        for line in lines:
            path.moveTo(QPointF(line.p1()))
            path.lineTo(QPointF(line.p2()))
        self._draw(path, fill=False)

    @_kept
    def drawPolygon(self, points: Sequence[QPointF], mode: QPaintEngine.PolygonDrawMode) -> None:
        path = QPainterPath(QPointF(points[0]))
        for point in points[1:]:
            path.lineTo(QPointF(point))
        filled = mode != QPaintEngine.PolygonDrawMode.PolylineMode
        if filled:
            path.closeSubpath()
        if mode == QPaintEngine.PolygonDrawMode.WindingMode:
            path.setFillRule(Qt.FillRule.WindingFill)
        self._draw(path, filled)

    @_kept
    def drawPath(self, path: QPainterPath) -> None:
        self._draw(path)

    @_kept
    def drawPixmap(self, rect: QRectF, pixmap: QPixmap, source: QRectF) -> None:
        self._image(self._matrix().mapRect(rect), pixmap.toImage(), source)

    @_kept
    def drawImage(self, rect: QRectF, image: QImage, source: QRectF, flags: Qt.ImageConversionFlag) -> None:
        self._image(self._matrix().mapRect(rect), image, source)

    @_kept
    def drawTextItem(self, start: QPointF, item: QTextItem) -> None:
        matrix, clip = self._matrix(), self._clip()
        color = self.painter().pen().color()
        for letter in self._texts.of(item.font(), item.text()):
            if isinstance(letter, Bitmap):
                box = matrix.mapRect(letter.box.translated(start))
                self._image(box, letter.image, QRectF(letter.image.rect()))
                continue
            outline = letter.outline
            place = QTransform.fromTranslate(start.x() + letter.at.x(), start.y() + letter.at.y()) * matrix
            bounds = place.mapRect(outline.bounds)
            if clip.holds(bounds):
                name = self.letters.setdefault(outline.shape, f"g{len(self.letters)}")
                self._write(f'<use xlink:href="#{name}"{_where(place)}{self._paint("fill", color)}/>')
            elif clip.touches(bounds):
                self._fill(clip.cut(place.map(outline.path)), color)

    # how it is written

    def _matrix(self) -> QTransform:
        return self.painter().deviceTransform() * QTransform.fromScale(1 / DOTS, 1 / DOTS)

    def _clip(self) -> Clip:
        painter = self.painter()
        outer = self.systemClip()
        box = QRectF(outer.boundingRect()) if not outer.isEmpty() else QRectF(-1e6, -1e6, 2e6, 2e6)
        box = QRectF(box.x() / DOTS, box.y() / DOTS, box.width() / DOTS, box.height() / DOTS)
        if not painter.hasClipping():
            return Clip(box, None)
        path = self._matrix().map(painter.clipPath())
        return Clip(box & path.boundingRect(), None if is_box(path) else path)

    def _draw(self, path: QPainterPath, fill: bool = True) -> None:
        painter, matrix = self.painter(), self._matrix()
        clip, pen, brush = self._clip(), painter.pen(), painter.brush()
        mapped = matrix.map(path)
        if fill and brush.style() != Qt.BrushStyle.NoBrush and clip.touches(mapped.boundingRect()):
            self._fill(clip.cut(mapped), brush.color())
        if pen.style() == Qt.PenStyle.NoPen or pen.brush().style() == Qt.BrushStyle.NoBrush:
            return
        width = (pen.widthF() or 1) * matrix.m11()
        if not painter.testRenderHint(QPainter.RenderHint.Antialiasing):
            # Without smoothing a line of one pixel fills the pixel right of and below its points.
            mapped.translate(0.5, 0.5)
        half = width / 2 + (width if pen.joinStyle() == Qt.PenJoinStyle.MiterJoin else 0)
        bounds = mapped.boundingRect().adjusted(-half, -half, half, half)
        if clip.holds(bounds):
            line = self._paint("stroke", pen.color()) + _stroke(pen, width)
            self._write(f'<path d="{shape(mapped)}" fill="none"{line}/>')
        elif clip.touches(bounds):
            self._fill(clip.cut(outline_of(mapped, pen, width)), pen.color())

    def _fill(self, path: QPainterPath, color: QColor) -> None:
        if path.isEmpty() or color.alpha() == 0:
            return
        rule = ' fill-rule="evenodd"' if path.fillRule() == Qt.FillRule.OddEvenFill and not is_box(path) else ""
        self._write(f'<path d="{shape(path)}"{rule}{self._paint("fill", color)}/>')

    def _image(self, box: QRectF, image: QImage, source: QRectF) -> None:
        shown = box & self._clip().box
        if shown.isEmpty() or box.isEmpty():
            return
        across, down = source.width() / box.width(), source.height() / box.height()
        left, top = source.x() + (shown.x() - box.x()) * across, source.y() + (shown.y() - box.y()) * down
        piece = QRectF(left, top, shown.width() * across, shown.height() * down).toAlignedRect()
        corner, extent = (shown.x(), shown.y()), (shown.width(), shown.height())
        place = "".join(f' {key}="{coordinate(at)}"' for key, at in zip(("x", "y", "width", "height"), corner + extent))
        data = base64.b64encode(png(image.copy(piece))).decode()
        self._write(f'<image{place} preserveAspectRatio="none" xlink:href="data:image/png;base64,{data}"/>')

    def _paint(self, what: str, color: QColor) -> str:
        opacity = color.alphaF() * self.painter().opacity()
        seen = f' {what}-opacity="{coordinate(opacity)}"' if opacity < 1 else ""
        return f' {what}="{color.name()}"{seen}'

    def _write(self, element: str) -> None:
        self.out.append(element + "\n")


def png(image: QImage) -> bytes:
    """A picture as the bytes of a PNG file."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs want bytes, the binding refuses them
    return bytes(data.data())


def _stroke(pen: QPen, width: float) -> str:
    words = f' stroke-width="{coordinate(width)}"' if width != 1 else ""
    words += _CAPS.get(pen.capStyle(), "") + _JOINS.get(pen.joinStyle(), "")
    if pen.style() != Qt.PenStyle.SolidLine:
        dashes = " ".join(coordinate(part * width) for part in pen.dashPattern())
        words += f' stroke-dasharray="{dashes}" stroke-dashoffset="{coordinate(pen.dashOffset() * width)}"'
    return words


def _where(place: QTransform) -> str:
    if (place.m11(), place.m12(), place.m21(), place.m22()) == (1, 0, 0, 1):
        return f' x="{coordinate(place.dx())}" y="{coordinate(place.dy())}"'
    turn = " ".join(f"{part:.5g}" for part in (place.m11(), place.m12(), place.m21(), place.m22()))
    return f' transform="matrix({turn} {coordinate(place.dx())} {coordinate(place.dy())})"'


def _printable(text: str) -> str:
    return "".join(letter if letter >= " " and not "\ud800" <= letter <= "\udfff" else "\ufffd" for letter in text)
