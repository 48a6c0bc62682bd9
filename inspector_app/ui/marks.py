"""How each fact is drawn, the same in the timeline, the panes and the blocks: the table of look.md.

All coordinates are whole logical pixels; straight edges are not smoothed, slanted and round ones are.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from inspector_app.ui import fonts
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import chip_baseline, chip_width, draw_chip, draw_text, rounded
from inspector_app.ui.theme import Theme, known

HATCH_PITCH = 6
SEVERITY_ICONS = {"error": "error", "warning": "warning", "info": "info"}
BADGE_HEIGHT = 22
BURST_GAP = 6
BAR_ICON = 12
BAR_WORDS = 26
"""From the left edge of a bar to its words, when there is a mark between."""


def hatch(painter: QPainter, rect: QRect, color: QColor, pitch: int = HATCH_PITCH, width: float = 1.2) -> None:
    """Slanted lines over `rect`; they hang on the page, so that neighbours join."""
    if rect.isEmpty():
        return
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, width))
    left, bottom, height = rect.left(), rect.top() + rect.height(), rect.height()
    first = left - height - (left - height + bottom) % pitch
    painter.drawLines(
        [QLineF(x, bottom, x + height, bottom - height) for x in range(first, left + rect.width() + 1, pitch)]
    )
    painter.restore()


def plain_bar(
    painter: QPainter,
    theme: Theme,
    rect: QRect,
    meaning: str,
    *,
    tint: float = 1.0,
    from_before: bool = False,
    goes_on: bool = False,
    repaired: bool = False,
) -> None:
    """The body of a block: fill, thin edge, thick left edge; `from_before` and `goes_on` where the view cuts it."""
    colors = theme.meaning(meaning)
    fill = colors.fill if tint == 1.0 else theme.mixed("bg.pane", f"{known(meaning)}.fill", tint)
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    whole = rect.adjusted(-8 if from_before else 0, 0, 8 if goes_on else 0, 0)
    if repaired:
        rounded(painter, whole, fill, colors.line, 3, 1, (1.5, 2.5))
    else:
        rounded(painter, whole, fill, colors.edge)
    if meaning == "unread":
        hatch(painter, rect.adjusted(1, 1, -1, -1), _veiled(colors.line, 0.45))
    if from_before:
        _dashed_side(painter, rect.left(), rect, colors.line)
    elif not repaired:
        edge = QPainterPath()
        edge.addRoundedRect(QRectF(whole), 3, 3)
        painter.setClipRect(QRect(rect.left(), rect.top(), 3, rect.height()), Qt.ClipOperation.IntersectClip)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillPath(edge, colors.line)
    painter.restore()
    if goes_on:
        _dashed_side(painter, rect.left() + rect.width() - 3, rect, colors.line)


def solid_bar(
    painter: QPainter, theme: Theme, rect: QRect, meaning: str, behind: str = "bg.pane", paler: float = 0.0
) -> None:
    """A block seen from far: no words, no edge; `paler` by that part of the layer `behind` it."""
    colors = theme.meaning(meaning)
    if meaning == "unread":
        painter.fillRect(rect, colors.fill)
        hatch(painter, rect, colors.line, 4)
    else:
        color = theme.mixed(f"{known(meaning)}.line", behind, paler)
        rounded(painter, rect, color, None, 1.5 if rect.width() > 3 else 0)


def _dashed_side(painter: QPainter, x: int, rect: QRect, color: QColor) -> None:
    for y in range(rect.top(), rect.top() + rect.height(), 6):
        painter.fillRect(QRect(x, y, 2, min(3, rect.top() + rect.height() - y)), color)


def confetti(painter: QPainter, theme: Theme, meaning: str, x: int, width: int, top: int, odd: bool) -> None:
    """One fragment of a block that was closed too early: every second one lies 3 px lower and is paler."""
    colors = theme.meaning(meaning)
    color = theme.mixed("bg.pane", f"{known(meaning)}.text", 0.62) if odd else colors.line
    rect = QRect(x, top + (3 if odd else 0), width, 12)
    if width < 3:
        painter.fillRect(rect, color)
    else:
        rounded(painter, rect, color, None, 1.5)
    if meaning == "unread":
        hatch(painter, rect, theme.color("bg.pane"), 4)


def cut_tick(painter: QPainter, theme: Theme, x: int, y: int) -> None:
    """The small mark under a place where a block was closed too early."""
    painter.fillRect(QRect(x, y, 1, 3), theme.color("error.line"))


def missing_box(painter: QPainter, theme: Theme, rect: QRect, words: str) -> None:
    """What should be there and is not, as large as it would be: never a blank. The words stand on a plain patch."""
    colors = theme.meaning("error")
    rounded(painter, rect, colors.fill, None)
    inside = rect.adjusted(2, 2, -2, -2)
    hatch(painter, inside, _veiled(colors.line, 0.35))
    rounded(painter, rect, None, colors.line, 3, 1.2, (4.5, 2.5))
    font = fonts.ui_font(fonts.SECONDARY, 600)
    shown = fonts.elided(font, words, rect.width() - BAR_WORDS - 8)
    if rect.width() < BAR_ICON + 8:
        return
    has_words = rect.width() >= BAR_WORDS + 20
    patch = BAR_WORDS - 4 + round(fonts.text_width(font, shown)) if has_words else BAR_ICON + 4
    left = rect.left() + (8 if has_words else (rect.width() - BAR_ICON) // 2 - 2)
    painter.fillRect(QRect(left, rect.top() + 2, patch, rect.height() - 4), colors.fill)
    draw_icon(painter, left + 2, rect.top() + (rect.height() - BAR_ICON) // 2, "brackets", colors.line, BAR_ICON)
    if has_words:
        draw_text(painter, left + 19, chip_baseline(rect.top(), rect.height()), shown, font, colors.text)


def missing_width(words: str) -> int:
    """The least width at which `missing_box` shows all of `words`."""
    return BAR_WORDS + 12 + round(fonts.text_width(fonts.ui_font(fonts.SECONDARY, 600), words))


def unread_underline(painter: QPainter, theme: Theme, left: int, right: int, y: int) -> None:
    """Under a key or a line that the chosen reader does not read: 3 px of hatch."""
    hatch(painter, QRect(left, y, right - left, 3), theme.color("unread.line"), 4, 1.1)


def underline(painter: QPainter, theme: Theme, left: int, right: int, y: int, meaning: str) -> None:
    """2 px under what is present but empty (`warning`), or under what closed a block (`error`)."""
    painter.fillRect(QRect(left, y, right - left, 2), theme.meaning(meaning).line)


def cut_box(painter: QPainter, theme: Theme, rect: QRect) -> None:
    """Around the very characters that closed the selected block."""
    rounded(painter, rect, theme.color("error.fill"), theme.color("error.line"), 3, 1.2)


def struck(painter: QPainter, theme: Theme, left: int, right: int, middle: int) -> None:
    """Through a value that was lost or overwritten."""
    painter.fillRect(QRect(left, middle, right - left, 1), theme.color("error.line"))


def torn_edge(
    painter: QPainter, theme: Theme, x: int, top: int, height: int, behind: QColor, meaning: str = "error"
) -> None:
    """The end of a bar whose stream was cut: what lies right of the tear is `behind`."""
    steps = max(2, round(height / 5))
    tear = [QPointF(x - 6 * (index % 2), top + height * index / steps) for index in range(steps + 1)]
    beyond = QPolygonF([*tear, QPointF(x + 2, top + height), QPointF(x + 2, top)])
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(behind)
    painter.drawPolygon(beyond)
    painter.setPen(QPen(theme.meaning(meaning).line, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawPolyline(QPolygonF(tear))
    painter.restore()


def open_tail(painter: QPainter, theme: Theme, rect: QRect, meaning: str) -> None:
    """Behind a block that is still open: hatch between dashed edges."""
    colors = theme.meaning(meaning)
    hatch(painter, rect, _veiled(colors.line, 0.45))
    for y in (rect.top(), rect.top() + rect.height() - 1):
        dashes(painter, rect.left(), rect.left() + rect.width(), y, colors.line)


def dashes(painter: QPainter, left: int, right: int, y: int, color: QColor, on: int = 3, off: int = 3) -> None:
    """A level dashed line of 1 px from `left` to `right`."""
    for x in range(left, right, on + off):
        painter.fillRect(QRect(x, y, min(on, right - x), 1), color)


def redacted(painter: QPainter, theme: Theme, rect: QRect, meaning: str) -> None:
    """Inside a bar whose content is encrypted or withheld: a lock and two strokes, no guess at words."""
    colors = theme.meaning(meaning)
    draw_icon(painter, rect.left() + 9, rect.top() + (rect.height() - BAR_ICON) // 2, "lock", colors.text, BAR_ICON)
    room = rect.width() - BAR_WORDS - 8
    if room >= 12:
        middle, stroke = rect.top() + rect.height() // 2, _veiled(colors.line, 0.6)
        for y, part in ((middle - 4, 1.0), (middle + 1, 0.7)):
            length = min(70, room) * part
            rounded(painter, QRect(rect.left() + BAR_WORDS, y, round(length), 3), stroke, None, 1.5)


def wait(painter: QPainter, theme: Theme, left: int, right: int, middle: int, words: str) -> None:
    """A wait that nobody is to blame for: grey dashes with its length in the middle, where there is room."""
    color, font = theme.color("line.strong"), fonts.ui_font(fonts.SMALL)
    width = round(fonts.text_width(font, words))
    if width + 6 > right - left:
        dashes(painter, left, right, middle, color)
        return
    at = (left + right - width) // 2
    for start, end in ((left, at - 4), (at + width + 4, right)):
        if end - start >= 3:
            dashes(painter, start, end, middle, color)
    draw_text(painter, at, middle + 4, words, font, theme.color("ink.2"))


def silence(painter: QPainter, theme: Theme, rect: QRect, words: str, behind: QColor) -> None:
    """A stream that stood still: hatch, and the length beside an hourglass on a plain patch."""
    colors = theme.meaning("warning")
    hatch(painter, rect, colors.line, 8, 1.3)
    font = fonts.ui_font(fonts.SECONDARY, 600)
    width = BAR_ICON + 4 + round(fonts.text_width(font, words))
    if width + 12 <= rect.width():
        at = rect.left() + (rect.width() - width) // 2
        painter.fillRect(QRect(at - 4, rect.top(), width + 8, rect.height()), behind)
        middle = rect.top() + (rect.height() - BAR_ICON) // 2
        draw_icon(painter, at, middle, "hourglass", colors.line, BAR_ICON)
        draw_text(painter, at + BAR_ICON + 4, chip_baseline(rect.top(), rect.height()), words, font, colors.text)


def circles(painter: QPainter, theme: Theme, centers: Sequence[int], middle: int) -> None:
    """Events without a time: hollow, one beside the other in order."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("ink.3"), 1.3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for x in centers:
        painter.drawEllipse(QPointF(x + 0.5, middle), 2.9, 2.9)
    painter.restore()


def unread_tick(painter: QPainter, theme: Theme, x: int, top: int, height: int) -> None:
    """An event none of whose lines is read: hollow and hatched, 6 px wide about `x`."""
    colors = theme.meaning("unread")
    rect = QRect(x - 3, top, 7, height)
    rounded(painter, rect, colors.fill, None, 1.5)
    hatch(painter, rect.adjusted(1, 1, -1, -1), colors.line, 3, 1.0)
    rounded(painter, rect, None, colors.line, 1.5, 1.2)


def fold_chip(painter: QPainter, theme: Theme, x: int, y: int, height: int, count: int) -> int:
    """Stands for `count` bytes that the line before has too, in a row of `height` at `y`; gives its width."""
    font = fonts.wire_font(fonts.SMALL)
    words = f"{count}"
    width = fold_width(count)
    box = QRect(x, y + (height - 12) // 2, width, 12)
    rounded(painter, box, theme.color("bg.pane"), theme.color("line"), 6)
    for index in range(3):
        painter.fillRect(QRect(x + 6 + 3 * index, box.top() + 6, 1, 1), theme.color("ink.3"))
    draw_text(painter, x + 16, fonts.baseline(y, height) - 1, words, font, theme.color("ink.3"))
    return width


def fold_width(count: int) -> int:
    """How wide `fold_chip` is."""
    return 22 + round(fonts.text_width(fonts.wire_font(fonts.SMALL), f"{count}"))


def severity_badge(painter: QPainter, theme: Theme, x: int, y: int, severity: str, count: int) -> int:
    """How many findings of a severity there are; grey when there are none. Gives its width."""
    words, font = f"{count}", fonts.ui_font(fonts.BODY, 600)
    width = severity_badge_width(count)
    colors = theme.meaning(severity)
    fill, edge, mark, ink = (
        (colors.fill, colors.edge, colors.line, colors.text)
        if count
        else (theme.color("bg.pane"), theme.color("line"), theme.color("ink.off"), theme.color("ink.3"))
    )
    rounded(painter, QRect(x, y, width, BADGE_HEIGHT), fill, edge, 4)
    draw_icon(painter, x + 6, y + (BADGE_HEIGHT - SMALL) // 2, SEVERITY_ICONS[severity], mark, SMALL)
    draw_text(painter, x + 6 + SMALL + 4, fonts.baseline(y, BADGE_HEIGHT), words, font, ink)
    return width


def severity_badge_width(count: int) -> int:
    """How wide `severity_badge` is."""
    return 6 + SMALL + 4 + round(fonts.text_width(fonts.ui_font(fonts.BODY, 600), f"{count}")) + 7


def burst(painter: QPainter, theme: Theme, left: int, right: int, y: int, words: str, least: int = 0) -> None:
    """The chip of what came all at once, "14 in 1 read": before its ticks, or behind them where it would begin before
    `least`.
    """
    before = left - BURST_GAP - chip_width(words, "rays")
    draw_chip(painter, theme, before if before >= least else right + BURST_GAP, y, words, "info", "rays")


def _veiled(color: QColor, part: float) -> QColor:
    veiled = QColor(color)
    veiled.setAlphaF(part)
    return veiled
