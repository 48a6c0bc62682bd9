"""The ruler above the lanes, and the flag of the play head that lies on it."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from inspector_app.core.text import number
from inspector_app.ui import fonts
from inspector_app.ui.labels import chip_baseline, draw_text, rounded
from inspector_app.ui.theme import Theme
from inspector_app.ui.timeline import clock
from inspector_app.ui.timeline.model import Axis
from inspector_app.ui.timeline.view import LABELS, OVERVIEW, RIGHT_MARGIN, RULER, TOP, View

LEAST_STEP = 112
"""Pixels between two labels."""

LABEL_GAP = 5
UNTIMED = "no time"
FLAG_HEIGHT = 17


def steps(view: View) -> tuple[int, int]:
    """The distance of the labelled ticks and of the small ones, in positions."""
    major = clock.step(LEAST_STEP * view.per_pixel)
    return major, clock.minor(major)


def scale(axis: Axis, view: View) -> Iterator[tuple[int, str]]:
    """The labelled ticks in view: position and words. Without measured times they are event numbers."""
    major, _ = steps(view)
    for position in _positions(axis, view, major):
        yield position, clock.tick(position, major) if axis.measured else number(position)


def _positions(axis: Axis, view: View, step: int) -> range:
    """The multiples of a step in view; without times only those where an event stands."""
    first = ceil(max(view.start, axis.span[0]) / step) * step
    return range(first, int(view.end) + 1 if axis.measured else min(int(view.end) + 1, axis.span[1]), step)


def paint_scale(painter: QPainter, theme: Theme, axis: Axis, view: View, width: int) -> None:
    """The ruler without its labels."""
    painter.fillRect(QRect(0, OVERVIEW, width, RULER), theme.color("bg.panel"))
    bottom = TOP - 1
    major, small = steps(view)
    for position in _positions(axis, view, small):
        tall, role = (4, "line") if position % major else (8, "line.strong")
        painter.fillRect(QRect(view.x(position), bottom - tall, 1, tall), theme.color(role))
    painter.fillRect(QRect(0, bottom, width, 1), theme.color("line"))


def paint_labels(painter: QPainter, theme: Theme, axis: Axis, view: View, width: int, *flags: QRect) -> None:
    """The words of the ruler, without those that one of `flags` would cover."""
    font, ink = fonts.ui_font(fonts.SECONDARY), theme.color("ink.2")
    for position, words in scale(axis, view):
        left, size = view.x(position) + LABEL_GAP, fonts.text_width(font, words)
        behind = any(
            left < flag.left() + flag.width() + 4 and left + size > flag.left() - 4
            for flag in flags
            if not flag.isEmpty()
        )
        if left + size <= width - 4 and not behind:
            draw_text(painter, left, OVERVIEW + 14, words, font, ink)


def paint_remarks(painter: QPainter, theme: Theme, axis: Axis, hidden: int) -> None:
    """Left of the ruler: that positions are an order, and that lanes are hidden."""
    remarks = [] if axis.measured or axis.empty else [axis.order]
    remarks += [f"{hidden} lane{'' if hidden == 1 else 's'} hidden"] if hidden else []
    if remarks:
        italic = fonts.ui_font(fonts.SECONDARY, italic=True)
        draw_text(painter, 38, OVERVIEW + 16, " · ".join(remarks), italic, theme.color("ink.3"))


def flag_words(axis: Axis, event: int) -> str:
    """What the flag says: the event, and its time where one was measured."""
    if not axis.measured:
        return number(event)
    return f"{number(event)} · {clock.moment(axis.position(event)) if axis.timed(event) else UNTIMED}"


def flag_rect(words: str, x: int, width: int) -> QRect:
    """Where the flag of a play head at `x` lies."""
    size = round(fonts.text_width(fonts.ui_font(fonts.SECONDARY, 600), words)) + 12
    left = min(max(x - size // 2, LABELS), width - RIGHT_MARGIN - size)
    return QRect(left, OVERVIEW + 3, size, FLAG_HEIGHT)


def flag_of(axis: Axis, event: int | None, view: View, width: int) -> tuple[QRect, str]:
    """The flag of a play head at an event, and its words; nowhere while it is out of sight."""
    x = view.x(axis.position(event)) if event is not None else -1
    if event is None or not LABELS <= x <= LABELS + view.width:
        return QRect(), ""
    words = flag_words(axis, event)
    return flag_rect(words, x, width), words


def paint_flag(painter: QPainter, theme: Theme, words: str, box: QRect) -> None:
    """The flag itself."""
    rounded(painter, box, theme.color("accent"), None, 4)
    font = fonts.ui_font(fonts.SECONDARY, 600)
    draw_text(painter, box.left() + 6, chip_baseline(box.top(), FLAG_HEIGHT), words, font, theme.color("accent.ink"))
