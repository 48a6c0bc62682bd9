"""The range between two points: what lies between them is told above the lanes, and as numbers by whoever wants."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from inspector_app.core.text import duration, number
from inspector_app.ui import fonts
from inspector_app.ui.labels import chip_baseline, draw_text, rounded
from inspector_app.ui.theme import Theme
from inspector_app.ui.timeline import ruler
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.lod import nearest
from inspector_app.ui.timeline.model import Axis
from inspector_app.ui.timeline.view import LABELS, OVERVIEW, RULER, TOP, View

TINT = 0.09
FLAG, FLAG_HEIGHT = 16, 17
REACH = 6
"""Pixels beside a line in which the ruler takes hold of it, or in which a point is drawn to an event."""
ARROW = 4
FAR = 1 << 20
"""Pixels from the edge beyond which it does not matter where a point is."""
POINTS = ("A", "B")


class Marked(NamedTuple):
    """Two positions of the axis, the first the lower one; `b` is None while only one point is set."""

    a: float
    b: float | None = None

    @property
    def ends(self) -> tuple[float, ...]:
        """The points that are set."""
        return (self.a,) if self.b is None else (self.a, self.b)


def marked(one: float, other: float) -> Marked:
    """The range between two positions in whatever order."""
    return Marked(min(one, other), max(one, other))


def snapped(axis: Axis, view: View, x: float) -> float:
    """The position at a pixel, or of the event that is near enough: times are those of events where one is meant."""
    position = min(max(view.position(x), axis.span[0]), axis.span[1] if axis.end is None else axis.end)
    if not axis.measured:
        return float(min(max(round(position), axis.span[0]), max(axis.span[1] - 1, axis.span[0])))
    near = nearest(axis.events, position)
    if near is not None and abs(axis.events[near] - position) <= REACH * view.per_pixel:
        return float(axis.events[near])
    return position


def events_between(axis: Axis, found: Marked) -> tuple[int, int]:
    """The first event of the range, and the one after its last."""
    if found.b is None:
        return 0, 0
    if not axis.events and not axis.measured:
        return round(found.a), round(found.b) + 1
    return bisect_left(axis.events, found.a), bisect_right(axis.events, found.b)


def words_of(axis: Axis, lanes: Sequence[LaneIndex], found: Marked) -> list[str]:
    """How long the range is and what came in it, as parts of which the first ones are shown where room is short."""
    if found.b is None:
        return []
    first, last = events_between(axis, found)
    events = f"{number(last - first)} event{'' if last - first == 1 else 's'}"
    if not axis.measured:
        return [events]
    words = [duration(round(found.b - found.a)), events]
    curve = next((index.lane.curve for index in lanes if index.lane.curve is not None), None)
    if curve is not None:
        words.append(f"{number(curve.counted(found.a - 1, found.b))} chars")
    return words


def spoken(axis: Axis, lanes: Sequence[LaneIndex], event: int | None, block: str, found: Marked | None) -> list[str]:
    """What a screen reader says of a timeline: what it holds, the selected event and block, the range."""
    parts = ["no events"]
    if not axis.empty:
        parts = [f"{len(lanes)} lanes", *([] if axis.measured else [axis.order])]
    if event is not None:
        parts.append(f"event {ruler.flag_words(axis, event)}")
    parts += [block] if block else []
    if found is not None and found.b is not None:
        parts.append("range " + ", ".join(words_of(axis, lanes, found)))
    return parts


def _x(view: View, position: float) -> int:
    """The pixel of a point; one that is out of all sight stays within what can be drawn."""
    return min(max(view.x(position), -FAR), FAR)


def point_at(found: Marked | None, view: View, x: int) -> int | None:
    """Which of the two points a press in the ruler takes hold of."""
    ends = found.ends if found is not None else ()
    near = [(abs(_x(view, end) - x), place) for place, end in enumerate(ends) if abs(_x(view, end) - x) <= REACH + 2]
    return min(near)[1] if near else None


def flags(found: Marked | None, view: View) -> list[QRect]:
    """The flags in sight, A before B."""
    boxes = []
    for end in found.ends if found is not None else ():
        x = _x(view, end)
        seen = LABELS <= x <= LABELS + view.width
        boxes.append(QRect(x - FLAG // 2, OVERVIEW + 3, FLAG, FLAG_HEIGHT) if seen else QRect())
    return boxes


def told(axis: Axis, lanes: Sequence[LaneIndex], found: Marked | None, view: View) -> tuple[QRect, str]:
    """Where the words of the range stand between the flags, as many as there is room for; they keep in sight."""
    if found is None or found.b is None:
        return QRect(), ""
    left = max(_x(view, found.a) + FLAG // 2, LABELS) + 4
    right = min(_x(view, found.b) - FLAG // 2, LABELS + view.width) - 4
    font, parts = fonts.ui_font(fonts.SECONDARY, 600), words_of(axis, lanes, found)
    for count in range(len(parts), 0, -1):
        words = " · ".join(parts[:count])
        width = round(fonts.text_width(font, words)) + 8
        if width <= right - left:
            return QRect((left + right - width) // 2, OVERVIEW + 3, width, FLAG_HEIGHT), words
    return QRect(), ""


def covered(found: Marked | None, view: View) -> QRect:
    """The part of the ruler in which the length stands instead of times."""
    if found is None or found.b is None:
        return QRect()
    left, right = max(_x(view, found.a), LABELS), min(_x(view, found.b), LABELS + view.width)
    return QRect(left, OVERVIEW, right - left, RULER - 8) if right - left > 2 * FLAG else QRect()


def paint_tint(painter: QPainter, theme: Theme, found: Marked, view: View, height: int) -> None:
    """The range over the lanes, and the lines at its ends."""
    right = LABELS + view.width
    if found.b is not None:
        low, high = min(max(_x(view, found.a), LABELS), right), max(min(_x(view, found.b), right), LABELS)
        painter.fillRect(QRect(low, TOP, high - low, height - TOP), theme.veil("accent", TINT))
    for end in found.ends:
        if LABELS <= _x(view, end) <= right:
            painter.fillRect(QRect(_x(view, end), TOP - 4, 1, height - TOP + 4), theme.color("accent"))


def paint_strip(painter: QPainter, theme: Theme, found: Marked, whole: View) -> None:
    """The range in the overview: a line below the strip."""
    if found.b is not None:
        left, right = _x(whole, found.a), _x(whole, found.b)
        painter.fillRect(QRect(left, OVERVIEW - 4, max(right - left, 2), 3), theme.color("accent"))


def paint_flags(
    painter: QPainter, theme: Theme, axis: Axis, lanes: Sequence[LaneIndex], found: Marked, view: View
) -> None:
    """The flags in the ruler, and between arrows how much lies between them."""
    boxes, (place, words) = flags(found, view), told(axis, lanes, found, view)
    accent, middle = theme.color("accent"), OVERVIEW + 3 + FLAG_HEIGHT // 2
    if found.b is not None:
        patch = covered(found, view)
        if not patch.isEmpty():
            painter.fillRect(patch, theme.color("bg.panel"))
            painter.fillRect(QRect(patch.left(), middle, patch.width(), 1), accent)
            for step in range(ARROW):
                for tip, way in ((boxes[0].right() + 1, 1), (boxes[1].left() - 1, -1)):
                    if tip > LABELS:
                        painter.fillRect(QRect(tip + way * step, middle - step, 1, 2 * step + 1), accent)
        if words:
            painter.fillRect(place, theme.color("bg.panel"))
            font = fonts.ui_font(fonts.SECONDARY, 600)
            line = chip_baseline(place.top(), FLAG_HEIGHT)
            draw_text(painter, place.left() + 4, line, words, font, theme.color("ink.1"))
    font = fonts.ui_font(fonts.SECONDARY, 600)
    for letter, box in zip(POINTS, boxes):
        if not box.isEmpty():
            rounded(painter, box, accent, None, 4)
            at = box.left() + (FLAG - fonts.text_width(font, letter)) / 2
            draw_text(painter, at, chip_baseline(box.top(), FLAG_HEIGHT), letter, font, theme.color("accent.ink"))
