"""The glyphs of look.md, drawn from `resources/icons/` in whatever colour the theme asks for. Never bitmaps."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPaintEngine, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from inspector_app.core.resources import resource

SIZE = 16
SMALL = 14
"""At this size and below (chips, bars) the stroke is 1.7 of the 16 px box, else 1.4."""

MEANING_ICONS = {
    "reasoning": "reasoning",
    "text": "text",
    "tool": "tool",
    "tool-result": "tool-result",
    "refusal": "refusal",
    "error": "error",
    "warning": "warning",
    "info": "info",
    "unread": "unread",
}
"""Meaning -> its mark."""


@cache
def names() -> tuple[str, ...]:
    """Every glyph there is."""
    return tuple(
        sorted(path.stem for path in resource("resources", "icons").glob("*.svg") if not path.stem.startswith("app"))
    )


@cache
def _source(name: str) -> str:
    return resource("resources", "icons", f"{name}.svg").read_text("utf-8")


def icon(name: str, color: QColor, size: int = SIZE, dpr: float = 1.0) -> QPixmap:
    """The glyph `name` in `color`, `size` logical pixels wide, for a screen of `dpr` dots a pixel; kept by Qt."""
    key = f"{name} {color.rgba():x} {size} {dpr}"
    pixmap = QPixmap()
    if not QPixmapCache.find(key, pixmap):
        pixmap = _drawn(_coloured(name, color, size), size, dpr, color.alphaF())
        QPixmapCache.insert(key, pixmap)
    return pixmap


def _coloured(name: str, color: QColor, size: int) -> str:
    source = _source(name).replace("currentColor", color.name())
    return source.replace('stroke-width="1.4"', 'stroke-width="1.7"') if size <= SMALL else source


def draw_icon(painter: QPainter, x: float, y: float, name: str, color: QColor, size: int = SIZE) -> None:
    """Paints a glyph with its box at (x, y)."""
    if has_dots(painter):
        painter.drawPixmap(round(x), round(y), icon(name, color, size, dots(painter)))
    else:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(color.alphaF())
        QSvgRenderer(QByteArray(_coloured(name, color, size).encode())).render(
            painter, QRectF(round(x), round(y), size, size)
        )
        painter.restore()


def has_dots(painter: QPainter) -> bool:
    """Whether it paints dots, as on a screen; a picture of shapes wants shapes."""
    return painter.paintEngine().type() == QPaintEngine.Type.Raster


def dots(painter: QPainter) -> float:
    """How many dots of what is painted on make a pixel; also right for a widget that is rendered into a picture."""
    return painter.deviceTransform().m11()


def app_icon() -> QIcon:
    """The icon of the program, with its simpler drawing up to 24 px."""
    made = QIcon()
    for size in (16, 20, 24, 32, 48, 64, 128, 256):
        made.addPixmap(_drawn(_source("app-small" if size <= 24 else "app"), size, 1.0, 1.0))
    return made


def app_pixmap(size: int, dpr: float = 1.0) -> QPixmap:
    """The same at one size."""
    return _drawn(_source("app-small" if size <= 24 else "app"), size, dpr, 1.0)


def _drawn(source: str, size: int, dpr: float, opacity: float) -> QPixmap:
    pixmap = QPixmap(round(size * dpr), round(size * dpr))
    pixmap.setDevicePixelRatio(dpr)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(opacity)
        QSvgRenderer(QByteArray(source.encode())).render(painter, QRectF(0, 0, size, size))
    return pixmap
