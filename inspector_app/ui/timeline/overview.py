"""The strip on top: always the whole recording, with a window over the part that is in view."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from inspector_app.ui import fonts, marks
from inspector_app.ui.labels import draw_text, rounded
from inspector_app.ui.theme import Theme
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.lod import merged, spaced
from inspector_app.ui.timeline.view import LABELS, OVERVIEW, View

STRIP_TOP, STRIP_HEIGHT = 4, 24
ROW_TOP, ROW_HEIGHT = 13, 6
PALER = 0.15
FAULT_TOP, FAULTS_APART = 22, 20
HANDLE_WIDTH, HANDLE_HEIGHT, HANDLE_REACH = 6, 14, 6
LEAST_WINDOW = 8
FOUND_TOP, FOUND_HEIGHT, FOUND_APART = 7, 4, 3


def paint_strip(painter: QPainter, theme: Theme, lanes: Sequence[LaneIndex], whole: View, width: int) -> None:
    """What the window is drawn over: all blocks in one row, and a tick where a block was cut or lacks a field."""
    painter.fillRect(QRect(0, 0, width, OVERVIEW), theme.color("bg.panel"))
    painter.fillRect(QRect(0, OVERVIEW - 1, width, 1), theme.color("line"))
    strip = QRect(LABELS, STRIP_TOP, whole.width, STRIP_HEIGHT)
    rounded(painter, strip.adjusted(0, 2, 0, -2), theme.color("bg.sunken"), None, 4)
    font = fonts.ui_font(fonts.SECONDARY)
    draw_text(painter, 16, fonts.baseline(0, OVERVIEW), "Overview", font, theme.color("ink.3"))
    for index in lanes:
        for start, end, first, _ in merged(index.starts, index.reaches, 0, len(index.starts), 2 * whole.per_pixel):
            left, right = whole.x(start), min(whole.x(end), LABELS + whole.width)
            bar = index.bars[first]
            if bar.missing and not len(bar.fragments):
                continue  # it has its tick below; the reader that has it fills the row
            row = QRect(left, ROW_TOP, max(right - left, 2), ROW_HEIGHT)
            marks.solid_bar(painter, theme, row, bar.meaning, "bg.sunken", PALER)
        for span in index.lane.spans:
            if span.kind == "silence":
                left, right = whole.x(span.start), whole.x(span.end)
                marks.hatch(painter, QRect(left, ROW_TOP - 1, right - left, 8), theme.color("warning.line"), 4)
    apart = FAULTS_APART * whole.per_pixel
    for index in lanes:
        for times in (index.cuts, index.flaws):
            for position in spaced(times, whole.start, whole.end, apart):
                painter.fillRect(QRect(whole.x(position), FAULT_TOP, 2, 3), theme.color("error.line"))


def paint_found(painter: QPainter, theme: Theme, positions: Sequence[int], whole: View) -> None:
    """A tick above the strip where something that is looked for was found."""
    for position in spaced(positions, whole.start, whole.end, FOUND_APART * whole.per_pixel):
        painter.fillRect(QRect(whole.x(position), FOUND_TOP, 2, FOUND_HEIGHT), theme.color("find.line"))


def window_rect(view: View, whole: View) -> QRect:
    """The window over the part that is in view."""
    left, right = whole.x(view.start), whole.x(view.end)
    if right - left < LEAST_WINDOW:
        left = min(max((left + right - LEAST_WINDOW) // 2, LABELS), LABELS + whole.width - LEAST_WINDOW)
        right = left + LEAST_WINDOW
    return QRect(left, STRIP_TOP, right - left, STRIP_HEIGHT)


def paint_window(painter: QPainter, theme: Theme, view: View, whole: View) -> None:
    """The window and its handles; what lies outside of it fades."""
    window = window_rect(view, whole)
    part = view.per_pixel < whole.per_pixel
    if part:
        faded = theme.veil("bg.panel", 0.55)
        left, right = window.left(), window.left() + window.width()
        painter.fillRect(QRect(LABELS, 0, left - LABELS, OVERVIEW - 1), faded)
        painter.fillRect(QRect(right, 0, LABELS + whole.width - right, OVERVIEW - 1), faded)
        rounded(painter, window, theme.veil("accent", 0.12), theme.color("accent"), 4, 1.5)
    else:
        rounded(painter, window, None, theme.color("line.strong"), 4)
    for box in handles(view, whole):
        if part:
            rounded(painter, box, theme.color("accent"), None, 2.5)
        else:
            rounded(painter, box, theme.color("bg.raised"), theme.color("line.strong"), 2.5)


def handles(view: View, whole: View) -> tuple[QRect, QRect]:
    """The two grips of the window."""
    window = window_rect(view, whole)
    top = STRIP_TOP + (STRIP_HEIGHT - HANDLE_HEIGHT) // 2
    sides = (window.left() - HANDLE_WIDTH // 2, window.left() + window.width() - HANDLE_WIDTH // 2)
    left, right = (QRect(x, top, HANDLE_WIDTH, HANDLE_HEIGHT) for x in sides)
    return left, right


def grip(x: int, view: View, whole: View) -> str:
    """What a press at `x` takes hold of: "left", "right", "window", or "" beside it."""
    window = window_rect(view, whole)
    reach = HANDLE_REACH if view.per_pixel < whole.per_pixel or window.width() > 4 * HANDLE_REACH else 2
    if abs(x - window.left()) <= reach:
        return "left"
    if abs(x - window.left() - window.width()) <= reach:
        return "right"
    return "window" if window.contains(x, STRIP_TOP + 1) else ""
