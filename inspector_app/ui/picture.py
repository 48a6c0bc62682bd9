"""Pictures: a widget and a line below that says what it shows, at any scale, as PNG or as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFocusEvent, QImage, QPainter
from PySide6.QtWidgets import QAbstractItemView, QWidget

from inspector_app import __version__
from inspector_app.core.redact import redact_text
from inspector_app.core.text import visible
from inspector_app.ui import fonts
from inspector_app.ui.controls import rings_in
from inspector_app.ui.labels import draw_text
from inspector_app.ui.session import Session
from inspector_app.ui.svg import SvgCanvas, png
from inspector_app.ui.theme import Look

CAPTION = 28
EDGE = 16


def caption(session: Session, masked: bool = False, shows: str = "") -> str:
    """What a picture shows: file, reader, comparison, and whether keys in the body were masked.

    `shows` stands in place of the readers, where it is of others than the window's.
    """
    name = "standard input" if session.path == "-" else Path(session.path).name
    words = [name, shows or f"read as {session.title_of(session.primary)}"]
    if session.secondary is not None and not shows:
        words.append(f"compared with {session.title_of(session.secondary)}")
    if masked:
        words.append("keys masked")
    return visible(redact_text(" · ".join(words)))


def picture(widget: QWidget, look: Look, words: str, scale: int = 1, size: QSize | None = None) -> QImage:
    """The widget as an image of `size` times `scale` dots; without a size it is as large as it is.

    The caption lies inside the size.
    """
    size = size or whole_size(widget)
    image = QImage(size * scale, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    with QPainter(image) as painter:
        _paint(painter, widget, look, words, size)
    return image


def vector(widget: QWidget, look: Look, words: str, size: QSize | None = None) -> str:
    """The same as SVG."""
    size = size or whole_size(widget)
    canvas = SvgCanvas(size)
    with QPainter(canvas) as painter:
        _paint(painter, widget, look, words, size)
    return canvas.markup(f"{words} · {program()}")


def save_picture(widget: QWidget, look: Look, words: str, path: str, scale: int = 1, size: QSize | None = None) -> None:
    """Write the picture: as SVG where the path ends in .svg, else as PNG. Raises OSError with one line."""
    if path.lower().endswith(".svg"):
        data = vector(widget, look, words, size).encode()
    else:
        data = png(picture(widget, look, words, scale, size))
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OSError(f"{path}: the picture could not be written: {reason}") from error


def whole_size(widget: QWidget) -> QSize:
    """How large the picture of a widget is at its own size."""
    return QSize(widget.width(), widget.height() + CAPTION)


def program() -> str:
    """The program and its version."""
    return f"Stream Inspector {__version__}"


def without_pointer(widget: QWidget) -> None:
    """Tells all parts that the pointer has left them: what it hangs over is of no interest to who sees a picture."""
    for part in (widget, *widget.findChildren(QWidget)):
        if part.underMouse() or part.hasMouseTracking():
            QCoreApplication.sendEvent(part, QEvent(QEvent.Type.Leave))


@contextmanager
def without_keyboard(widget: QWidget, look: Look) -> Iterator[None]:
    """Nothing in the widget shows for a while that it has the keyboard; it keeps it."""
    look.pictured = True
    rings = rings_in(widget)
    for ring in rings:
        ring.hide()
    held = widget.window().focusWidget()
    if isinstance(held, QAbstractItemView):
        # The ring of a row comes back with the next key.
        for kind in (QEvent.Type.FocusOut, QEvent.Type.FocusIn):
            QCoreApplication.sendEvent(held, QFocusEvent(kind, Qt.FocusReason.PopupFocusReason))
    try:
        yield
    finally:
        look.pictured = False
        for ring in rings:
            ring.show()


def _paint(painter: QPainter, widget: QWidget, look: Look, words: str, size: QSize) -> None:
    without_pointer(widget)
    theme, top = look.theme, size.height() - CAPTION
    painter.fillRect(QRect(0, 0, size.width(), top), theme.color("bg.pane"))
    painter.save()
    # What needs more room than there is becomes smaller as a whole.
    painter.scale(size.width() / widget.width(), size.width() / widget.width())
    with without_keyboard(widget, look):
        widget.render(painter, QPoint(0, 0))
    painter.restore()
    painter.fillRect(QRect(0, top, size.width(), CAPTION), theme.color("bg.panel"))
    painter.fillRect(QRect(0, top, size.width(), 1), theme.color("line"))
    font, right = fonts.ui_font(fonts.SECONDARY), program()
    base = top + fonts.baseline(0, CAPTION)
    limit = size.width() - EDGE - fonts.text_width(font, right)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    draw_text(painter, limit, base, right, font, theme.color("ink.3"))
    draw_text(painter, EDGE, base, fonts.elided(font, words, int(limit - 2 * EDGE)), font, theme.color("ink.2"))
