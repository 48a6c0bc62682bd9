"""The edge of a stream that is live: the line of now, what is open up to it, and the wait before it.

All of it moves with time alone, so it is painted over the page and not into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from inspector_app.ui import marks
from inspector_app.ui.theme import Theme
from inspector_app.ui.timeline import clock, ruler
from inspector_app.ui.timeline.bars import bar_rect, middle_of
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.overview import ROW_HEIGHT, ROW_TOP
from inspector_app.ui.timeline.view import LABELS, LANE, OVERVIEW, TOP, View

READS = "reads"


class Now(NamedTuple):
    """The moment, and since when nothing came; `kind` of that wait is "wait", "silence", or "" for none to speak of."""

    position: int
    since: int = 0
    kind: str = ""
    words: str = ""
    held: bool = False
    """Whether the view is paused: then this is when it was, and the stream goes on."""

    @property
    def flag(self) -> str:
        """What the flag says: to hundredths of a second, so that it can be read while it runs."""
        return f"{'paused at' if self.held else 'now ·'} {clock.running(self.position)}"


def flag_of(now: Now | None, view: View, width: int) -> QRect:
    """Where its flag lies; nowhere while it is out of sight."""
    x = view.x(now.position) if now is not None else 0
    if now is None or not LABELS <= x <= LABELS + view.width:
        return QRect()
    return ruler.flag_rect(now.flag, x, width)


def paint_overview(painter: QPainter, theme: Theme, lanes: Sequence[LaneIndex], now: Now, whole: View) -> None:
    """The same in the strip on top: the wait as hatch, else what is open, and the line."""
    right = min(whole.x(now.position), LABELS + whole.width)
    if now.kind == "silence":
        left = whole.x(now.since)
        marks.hatch(painter, QRect(left, ROW_TOP - 1, right - left, 8), theme.color("warning.line"), 4)
    else:
        for index in lanes:
            for number in index.growing:
                left = whole.x(index.ends[number])
                color = theme.meaning(index.bars[number].meaning).line
                marks.hatch(painter, QRect(left, ROW_TOP, right - left, ROW_HEIGHT), color, 4)
    painter.fillRect(QRect(right, 4, 1, OVERVIEW - 8), theme.color("accent"))


def paint_now(
    painter: QPainter, theme: Theme, lanes: Sequence[LaneIndex], now: Now, view: View, height: int, down: int
) -> None:
    """In the lanes: bars that are open go on in dashes up to the line, and the wait lies in the lane of the reads."""
    x = view.x(now.position)
    edge = min(x, LABELS + view.width)
    for row, index in enumerate(lanes):
        top, tall = TOP + view.row(row, down), view.height(row)
        ceiling = TOP + (0 if row < view.pinned else view.ceiling)
        if not ceiling - tall < top < height:
            continue
        painter.save()
        painter.setClipRect(QRect(LABELS, max(top, ceiling), view.width, tall))
        for number in index.growing:
            rect = bar_rect(index, number, view, top, view.lane)
            left = max(rect.left() + rect.width(), LABELS)
            if left < edge and index.ends[number] <= view.end:
                tail = QRect(left, rect.top(), edge - left, rect.height())
                marks.open_tail(painter, theme, tail, index.bars[number].meaning)
        if index.lane.key == READS and now.kind:
            _paint_wait(painter, theme, now, view, middle_of(view, top), edge)
        painter.restore()
    if LABELS <= x <= LABELS + view.width:
        painter.fillRect(QRect(x, TOP - 4, 1, height - TOP + 4), theme.color("accent"))


def _paint_wait(painter: QPainter, theme: Theme, now: Now, view: View, top: int, edge: int) -> None:
    left = max(view.x(now.since), LABELS)
    if edge - left < 2:
        return
    if now.kind == "silence":
        rect = QRect(left + 2, top + 4, edge - left - 4, LANE - 8)
        marks.silence(painter, theme, rect, now.words, theme.color("bg.pane"))
    else:
        marks.wait(painter, theme, left, edge - 3, top + LANE // 2, now.words)
