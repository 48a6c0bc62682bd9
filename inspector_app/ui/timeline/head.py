"""The play head of a recording in playback: what had come lies left of it as ever, what is to come fades.

The lanes of the whole stay where they are, so that one can see where to go next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter

from inspector_app.ui.theme import Theme
from inspector_app.ui.timeline import ruler
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.page import paint_label, paint_plot
from inspector_app.ui.timeline.view import LABELS, LANE, OVERVIEW, TOP, View

FADED = 0.7
REACH = 6
"""Pixels beside the line in which the overview takes hold of it."""


class Head(NamedTuple):
    """Where it stands on the axis, what its flag says, and the last event that had come, -1 for none."""

    position: float
    words: str
    event: int


def edge(head: Head, view: View) -> int:
    """Its pixel in a view, at most one beside what is in sight."""
    return min(max(view.x(head.position), LABELS - 1), LABELS + view.width)


def paint_lanes(
    painter: QPainter, theme: Theme, whole: Sequence[LaneIndex], lanes: Sequence[LaneIndex], view: View,
    size: tuple[int, int], down: int, head: Head,
) -> None:  # fmt: skip
    """Over the lanes of the `whole`: what is to come fades, and what `lanes` say otherwise of what had come."""
    x, (width, height) = max(edge(head, view), LABELS), size
    painter.save()
    painter.setClipRect(QRect(0, TOP, width, height - TOP))
    painter.fillRect(QRect(x, TOP, width - x, height - TOP), theme.veil("bg.pane", FADED))
    for number, (before, index) in enumerate(zip(whole, lanes, strict=True)):
        top, tall = TOP + view.row(number, down), view.height(number)
        ceiling, floor = (min(TOP + edge, height) for edge in view.seen(number))
        painter.setClipRect(QRect(0, ceiling, width, floor - ceiling))
        if tall > 0 and ceiling - tall < top < floor:
            painter.fillRect(QRect(0, top, LABELS - 1, tall - 1), theme.color("bg.panel"))
            paint_label(painter, theme, index.lane, top + (tall - LANE) // 2)
            if not _alike(before, index):
                plot = QRect(LABELS, top, x - LABELS, tall - 1)
                painter.save()
                painter.setClipRect(plot, Qt.ClipOperation.IntersectClip)
                painter.fillRect(plot, theme.color("bg.pane"))
                paint_plot(painter, theme, index, view, top, tall)
                painter.restore()
    painter.restore()


def _alike(one: LaneIndex, other: LaneIndex) -> bool:
    """Whether both lanes hold the same, whatever is said of them."""
    return one.bars is other.bars and one.marks is other.marks and one.lane.spans == other.lane.spans


def paint_strip(painter: QPainter, theme: Theme, whole: View, head: Head) -> None:
    """In the overview: the rest fades."""
    x = max(edge(head, whole), LABELS)
    painter.fillRect(QRect(x, 0, LABELS + whole.width - x, OVERVIEW - 1), theme.veil("bg.panel", FADED))


def paint_line(painter: QPainter, theme: Theme, head: Head, view: View, whole: View, height: int) -> None:
    """The line itself, in the overview and in the lanes where it is in sight."""
    painter.fillRect(QRect(edge(head, whole), 3, 1, OVERVIEW - 6), theme.color("accent"))
    x = view.x(head.position)
    if LABELS <= x <= LABELS + view.width:
        painter.fillRect(QRect(x, TOP - 4, 1, height - TOP + 4), theme.color("accent"))


def flag_of(head: Head | None, view: View, width: int) -> QRect:
    """Where its flag lies; nowhere while it is out of sight."""
    x = view.x(head.position) if head is not None else 0
    if head is None or not LABELS <= x <= LABELS + view.width:
        return QRect()
    return ruler.flag_rect(head.words, x, width)
