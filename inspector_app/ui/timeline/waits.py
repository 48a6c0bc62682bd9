"""Paints the waits that stand out, each from end to end with its length, and finds them again under the pointer."""

from __future__ import annotations

from bisect import bisect_left

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from inspector_app.core.text import duration
from inspector_app.ui import marks
from inspector_app.ui.theme import Theme
from inspector_app.ui.timeline import clock
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.view import LABELS, View

WAITS = "waits"
"""The key of their lane. Its ticks are the ends of its spans, one each, and neither overlaps the next."""
NARROW, END = 4, 7


def paint_waits(painter: QPainter, theme: Theme, index: LaneIndex, view: View, top: int, height: int) -> None:
    """The waits in view; where they are too short to be told apart, a tick for all of them."""
    color, middle, drawn = theme.color("line.strong"), top + height // 2, -1
    for at in range(bisect_left(index.ticks, view.start), len(index.ticks)):
        span = index.lane.spans[at]
        if span.start > view.end:
            break
        left, right = max(view.x(span.start), LABELS - 1), min(view.x(span.end), LABELS + view.width)
        if right - left < NARROW:
            if left > drawn:
                painter.fillRect(QRect(left, middle - 2, 2, 5), color)
                drawn = left + 1
            continue
        for x in (left, right):
            painter.fillRect(QRect(x, middle - END // 2, 1, END), color)
        marks.wait(painter, theme, left + 3, right - 2, middle, span.words)
        drawn = right


def wait_at(index: LaneIndex, view: View, x: int) -> int | None:
    """The wait at a pixel, or the longest of those that share it."""
    low, high = view.position(x - 2), view.position(x + 2)
    found: int | None = None
    for at in range(bisect_left(index.ticks, low), len(index.ticks)):
        span = index.lane.spans[at]
        if span.start > high:
            break
        best = index.lane.spans[found] if found is not None else None
        if best is None or span.end - span.start > best.end - best.start:
            found = at
    return found


def wait_words(index: LaneIndex, number: int) -> tuple[str, str]:
    """A wait in words: how long, and from when to when."""
    span = index.lane.spans[number]
    return f"wait of {duration(span.end - span.start)}", f"{clock.moment(span.start)} to {clock.moment(span.end)}"
