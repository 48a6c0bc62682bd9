"""Words on the screen. The only module that makes labels and tips: text of a recording is never read as HTML."""

from __future__ import annotations

import html

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from inspector_app.ui import fonts
from inspector_app.ui.icons import SMALL, draw_icon, has_dots
from inspector_app.ui.theme import Look, Theme

CHIP_HEIGHT = 18
CHIP_PAD = 6
LONGEST_TIP = 2000
LONGEST_DRAWN = 400
"""Characters; longer text freezes Qt when it is measured or laid out."""


def label(text: str = "", ink: str = "ink.1", px: int = fonts.BODY, weight: int = 400, wire: bool = False) -> QLabel:
    """A label that shows `text` as it is. `ink` is a role that `chrome.qss` lists, `wire` the fixed-pitch font."""
    made = QLabel()
    _dress(made, text, ink, px, weight, wire)
    made.setText(text)
    return made


def _dress(made: QLabel, text: str, ink: str, px: int, weight: int, wire: bool) -> None:
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
    made.setProperty("ink", ink)
    made.setFont(fonts.wire_font(px, weight) if wire else fonts.ui_font_for(text, px, weight))


def set_ink(shown: QLabel, ink: str) -> None:
    """Changes the role that a label is written in."""
    shown.setProperty("ink", ink)
    shown.style().unpolish(shown)
    shown.style().polish(shown)


def tip(widget: QWidget, text: str, keys: str = "") -> None:
    """Gives `widget` a tip, with the keys that do the same; shown as it is, whatever is in it."""
    words = f"{text} ({keys})" if keys else text
    escaped = html.escape(words[:LONGEST_TIP]).replace("\n", "<br>")
    widget.setToolTip(f"<qt>{escaped}</qt>" if words else "")


class ElidedLabel(QLabel):
    """A label that gives way: cut at the right with an ellipsis, the whole text in its tip."""

    def __init__(self, text: str = "", ink: str = "ink.1", px: int = fonts.BODY, weight: int = 400) -> None:
        super().__init__()
        self._px, self._weight = px, weight
        _dress(self, text, ink, px, weight, False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.show_text(text)

    def show_text(self, text: str) -> None:
        """Replaces the text, and the tip with it."""
        self.setFont(fonts.ui_font_for(text, self._px, self._weight))
        self.setText(text)
        tip(self, text)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            text = fonts.elided(self.font(), self.text()[:LONGEST_DRAWN], self.width())
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(QPointF(0, fonts.baseline(0, self.height())), text)


def draw_text(painter: QPainter, x: float, base: float, text: str, font: QFont, color: QColor) -> float:
    """Writes `text` from `x` on the line `base` and gives its width in pixels."""
    text = text[:LONGEST_DRAWN]
    painter.setPen(color)
    if text.isascii() and has_dots(painter):
        # What was shaped before is only blotted: a frame has some hundred words, and most of them again and again.
        ascent, width, runs = fonts.shaped(font, text)
        for run in runs:
            painter.drawGlyphRun(QPointF(x, base - ascent), run)
        return width
    painter.setFont(font)
    painter.drawText(QPointF(x, base), text)
    return fonts.text_width(font, text)


def chip_width(text: str, icon: str = "", px: int = fonts.SECONDARY, weight: int = 500) -> int:
    """How wide `draw_chip` draws these words."""
    words = round(fonts.text_width(fonts.ui_font(px, weight), text)) if text else 0
    mark = (px + 1) if icon else 0
    return 2 * CHIP_PAD + mark + words + (4 if mark and words else 0)


def draw_chip(
    painter: QPainter,
    theme: Theme,
    x: int,
    y: int,
    text: str,
    meaning: str = "info",
    icon: str = "",
    *,
    height: int = CHIP_HEIGHT,
    solid: bool = False,
    px: int = fonts.SECONDARY,
    weight: int = 500,
) -> int:
    """A chip of a meaning with its top left corner at (x, y); gives its width. `solid` is the verdict's chip."""
    colors = theme.meaning(meaning)
    width = chip_width(text, icon, px, weight)
    ink = theme.color("bg.pane") if solid else colors.text
    rounded(painter, QRect(x, y, width, height), colors.line if solid else colors.fill, colors.edge, 4)
    at = x + CHIP_PAD
    if icon:
        size = min(px + 1, SMALL)
        draw_icon(painter, at, y + (height - size) // 2, icon, ink if solid else colors.text, size)
        at += size + (4 if text else 0)
    draw_text(painter, at, chip_baseline(y, height), text, fonts.ui_font(px, weight), ink)
    return width


def chip_baseline(y: int, height: int) -> int:
    """Where the words of a chip stand: its smaller letters sit a little higher than a row's."""
    return y + round(height / 2 + 3.8)


def rounded(
    painter: QPainter,
    rect: QRect,
    fill: QColor | None,
    edge: QColor | None = None,
    radius: float = 3,
    width: float = 1,
    dashes: tuple[float, ...] = (),
) -> None:
    """A box with round corners whose edge lies on whole pixels inside `rect`; `dashes` are in pixels."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
    if edge is None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(rect, radius, radius)
    else:
        pen = QPen(edge, width)
        if dashes:
            pen.setDashPattern([length / width for length in dashes])
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        half = width / 2
        painter.drawRoundedRect(rect.toRectF().adjusted(half, half, -half, -half), radius, radius)
    painter.restore()


class Chip(QWidget):
    """A chip as a widget: a verdict's word, a lock, a count."""

    def __init__(self, look: Look, text: str, meaning: str = "info", icon: str = "", solid: bool = False) -> None:
        super().__init__()
        self._look = look
        self._shown = (text, meaning, icon, solid)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_text(text, meaning, icon, solid)
        look.changed.connect(self.update)

    def show_text(self, text: str, meaning: str = "info", icon: str = "", solid: bool = False) -> None:
        """Replaces what the chip says."""
        self._shown = (text, meaning, icon, solid)
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        text, _, icon, _ = self._shown
        return QSize(chip_width(text, icon, weight=600), CHIP_HEIGHT + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        text, meaning, icon, solid = self._shown
        with QPainter(self) as painter:
            theme, height = self._look.theme, self.height()
            draw_chip(painter, theme, 0, 0, text, meaning, icon, height=height, solid=solid, weight=600)
