"""Pictures of the window: rendered from the widgets at any scale, with a caption, written as PNG."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget

from inspector_app import __version__
from inspector_app.ui import fonts
from inspector_app.ui.labels import draw_text
from inspector_app.ui.theme import Look

CAPTION = 28
EDGE = 16


def picture(widget: QWidget, look: Look, caption: str, scale: int = 1) -> QImage:
    """The widget as an image of its size times `scale`, with a line below that says what it shows."""
    size = widget.size()
    image = QImage(QSize(size.width(), size.height() + CAPTION) * scale, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(look.theme.color("bg.panel"))
    painter = QPainter(image)
    widget.render(painter, QPoint(0, 0))
    font = fonts.ui_font(fonts.SECONDARY)
    base = size.height() + fonts.baseline(0, CAPTION)
    right = f"Stream Inspector {__version__}"
    limit = size.width() - EDGE - fonts.text_width(font, right)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    draw_text(painter, limit, base, right, font, look.theme.color("ink.3"))
    draw_text(painter, EDGE, base, fonts.elided(font, caption, int(limit - 2 * EDGE)), font, look.theme.color("ink.2"))
    painter.end()
    return image


def save_picture(widget: QWidget, look: Look, caption: str, path: str, scale: int = 1) -> None:
    """Write the picture. Raises OSError where the file cannot be written."""
    image = picture(widget, look, caption, scale)
    if not image.save(path, "PNG"):  # type: ignore[call-overload]  # the stubs want bytes, the binding refuses them
        raise OSError(f"{path}: the picture could not be written; is the folder there and writable?")
