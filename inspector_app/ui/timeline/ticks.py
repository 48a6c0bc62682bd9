"""Paints what is not a block: reads and events as ticks or columns, findings as marks, stretches without anything."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import floor

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter

from inspector_app.ui import fonts, marks
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import CHIP_HEIGHT, draw_text, rounded
from inspector_app.ui.theme import Theme
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.lod import columns, nearest
from inspector_app.ui.timeline.model import Mark
from inspector_app.ui.timeline.view import FAR, LABELS, NEAR, View

RANK = {"error": 0, "warning": 1, "info": 2}
TALLEST, RING = 16, 9
CIRCLES = 9.0
"""Pixels an event from which hollow circles are told apart."""

FEW_MOMENTS = 24
"""Moments in sight up to which each says how much came in it, though ticks are columns."""

READS = ("line.strong", 2, 14)
OTHERS = ("ink.3", 3, TALLEST)
"""Colour, width and height of a tick: reads are thin and pale, events strong."""


def paint_ticks(painter: QPainter, theme: Theme, index: LaneIndex, view: View, top: int, height: int) -> None:
    """The ticks of a lane that begins at `top`: one each, or columns as high as their count."""
    lane = index.lane
    times = index.ticks
    first, last = bisect_left(times, floor(view.start)), bisect_right(times, view.end)
    if first == last:
        return
    extent = (times[last - 1] - times[first]) / view.per_pixel
    apart = extent / max(last - first - 1, 1)
    role, width, tall = READS if lane.key == "reads" else OTHERS
    if lane.hollow and apart >= CIRCLES:
        skipped = set(lane.unread[bisect_left(lane.unread, first) : bisect_left(lane.unread, last)])
        centers = [view.x(times[at]) for at in range(first, last) if at not in skipped]
        marks.circles(painter, theme, centers, top + height // 2)
    elif apart < FAR or (lane.key != "reads" and apart < 2 * NEAR and last - first > 64):
        pitch = 3 if apart < FAR else 4
        _paint_columns(painter, theme, index, view, top + height - 4, pitch, role)
        if lane.key == "events" and _moments(times, first, last) <= FEW_MOMENTS:
            _paint_crowds(painter, theme, index, view, top + height // 2 + 4, (first, last))
        return
    else:
        _paint_each(painter, theme, index, view, top, height, (first, last), (role, width, tall), apart >= NEAR)
    _paint_unread(painter, theme, index, view, top, height, (first, last))


def _paint_each(
    painter: QPainter,
    theme: Theme,
    index: LaneIndex,
    view: View,
    top: int,
    height: int,
    span: tuple[int, int],
    style: tuple[str, int, int],
    near: bool,
) -> None:
    role, width, tall = style
    lane, rects = index.lane, []
    skipped = set(lane.unread[bisect_left(lane.unread, span[0]) : bisect_left(lane.unread, span[1])])
    by_weight = near and len(lane.weights) > 0 and index.heaviest > 0
    for at in range(*span):
        if at in skipped:
            continue
        size = 5 + round((tall - 5) * lane.weights[at] / index.heaviest) if by_weight else tall
        y = top + 5 + tall - size if by_weight else top + (height - tall) // 2
        rects.append(QRect(view.x(index.ticks[at]) - width // 2, y, width, size))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(role))
    painter.drawRects(rects)
    if lane.key == "events":
        _paint_crowds(painter, theme, index, view, top + height // 2 + 4, span)


def _moments(times: Sequence[int], first: int, last: int) -> int:
    """At how many times ticks came, counted up to one more than a few."""
    count = 0
    while first < last and count <= FEW_MOMENTS:
        first, count = bisect_right(times, times[first], first), count + 1
    return count


def _paint_crowds(
    painter: QPainter, theme: Theme, index: LaneIndex, view: View, base: int, span: tuple[int, int]
) -> None:
    """How many events are one tick, because they came at one time or almost, where there is room behind it."""
    times, font = index.ticks, fonts.ui_font(fonts.SMALL)
    at, last = span
    while at < last:
        after = bisect_right(times, times[at], at)
        while after < last and view.x(times[after]) - view.x(times[at]) < FAR:
            after = bisect_right(times, times[after], after)
        if after - at > 1:
            words, left = f"×{after - at}", view.x(times[after - 1]) + 5
            limit = view.x(times[after]) if after < len(times) else LABELS + view.width
            if left + fonts.text_width(font, words) + 4 <= limit:
                draw_text(painter, left, base, words, font, theme.color("ink.3"))
        at = after


def _paint_unread(
    painter: QPainter, theme: Theme, index: LaneIndex, view: View, top: int, height: int, span: tuple[int, int]
) -> None:
    unread = index.lane.unread
    for at in unread[bisect_left(unread, span[0]) : bisect_left(unread, span[1])]:
        marks.unread_tick(painter, theme, view.x(index.ticks[at]), top + (height - TALLEST) // 2, TALLEST)


def _paint_columns(
    painter: QPainter, theme: Theme, index: LaneIndex, view: View, bottom: int, pitch: int, role: str
) -> None:
    # Columns begin at a multiple of their own width, so that they keep their heights while the view is moved.
    size = view.per_pixel * pitch
    origin = floor(view.start / size)
    start = floor(origin * size)
    counts = columns(index.ticks, start, size, view.width // pitch + 2)
    highest = max(2, *counts)
    left = LABELS + round((start - view.start) / view.per_pixel)
    skipped = columns(index.unread, start, size, len(counts)) if len(index.unread) else [0] * len(counts)
    read: list[QRect] = []
    unread: list[QRect] = []
    for at, (count, without) in enumerate(zip(counts, skipped)):
        if count:
            tall = max(3, round(TALLEST * count / highest))
            rect = QRect(left + at * pitch, bottom - tall, pitch - 1, tall)
            (unread if without == count else read).append(rect)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(role))
    painter.drawRects(read)
    painter.setBrush(theme.color("unread.line"))
    painter.drawRects(unread)
    for rect in unread:
        painter.fillRect(QRect(rect.left(), rect.top() + rect.height() // 2, rect.width(), 1), theme.color("bg.pane"))


def paint_spans(painter: QPainter, theme: Theme, index: LaneIndex, view: View, top: int, height: int) -> None:
    """Waits and silences of a lane."""
    behind = theme.color("bg.pane")
    for span in index.lane.spans:
        left, right = max(view.x(span.start), LABELS), min(view.x(span.end), LABELS + view.width)
        if span.kind == "burst" and left <= right:
            marks.burst(painter, theme, left, right, top + (height - CHIP_HEIGHT) // 2, span.words, LABELS)
        if span.kind == "burst" or right - left < 2:
            continue
        if span.kind == "silence":
            rect = QRect(left + 2, top + 4, right - left - 4, height - 8)
            marks.silence(painter, theme, rect, span.words, behind)
        else:
            marks.wait(painter, theme, left, right - 3, top + height // 2, span.words)


def paint_marks(painter: QPainter, theme: Theme, index: LaneIndex, view: View, top: int, height: int) -> None:
    """The findings of a lane; those that would overlap become one mark of the most severe, with a count. Muted ones
    are rings.
    """
    for mark in sorted(index.marks, key=_rank, reverse=True):
        if mark.end is not None:
            left, right = max(view.x(mark.position), LABELS), min(view.x(mark.end), LABELS + view.width)
            if right - left > SMALL and mark.position <= view.end:
                line = theme.color("line") if mark.muted else theme.mixed("bg.pane", f"{mark.severity}.line", 0.45)
                painter.fillRect(QRect(left, top + height - 9, right - left, 3), line)
    for x, group in groups(index, view):
        worst = group[0]
        if worst.muted:
            ring = QRect(x - RING // 2, top + (height - RING) // 2 - 1, RING, RING)
            rounded(painter, ring, theme.color("bg.pane"), theme.color("ink.3"), RING / 2, 1.4)
            continue
        color = theme.meaning(worst.severity).line
        icon = worst.icon or marks.SEVERITY_ICONS[worst.severity]
        draw_icon(painter, x - SMALL // 2, top + (height - SMALL) // 2 - 1, icon, color, SMALL)
        heard = sum(not mark.muted for mark in group)
        if heard > 1:
            font = fonts.ui_font(fonts.SMALL, 600)
            ink = theme.meaning(worst.severity).text
            draw_text(painter, x + SMALL // 2 + 2, top + height // 2 + 4, f"{heard}", font, ink)


def groups(index: LaneIndex, view: View) -> list[tuple[int, list[Mark]]]:
    """The marks in view, joined where they would overlap: (centre, marks with the most severe first)."""
    low = bisect_left(index.mark_positions, view.start - SMALL * view.per_pixel)
    high = bisect_right(index.mark_positions, view.end)
    found: list[tuple[int, list[Mark]]] = []
    for mark in index.marks[low:high]:
        # A mark at the very beginning is moved in, not cut by the edge.
        x = max(view.x(mark.position), LABELS + SMALL // 2) if mark.position >= view.start else view.x(mark.position)
        if found and x - found[-1][0] < SMALL + (2 if len(found[-1][1]) < 2 else 12):
            found[-1][1].append(mark)
        else:
            found.append((x, [mark]))
    for _, group in found:
        group.sort(key=_rank)
    return found


def tick_at(index: LaneIndex, view: View, x: float) -> int | None:
    """The tick under a pixel, or the nearest within 6 pixels."""
    times = index.ticks
    at = nearest(times, view.position(x))
    return at if at is not None and abs(view.x(times[at]) - x) <= 6 else None


def _rank(mark: Mark) -> int:
    return len(RANK) if mark.muted else RANK.get(mark.severity, len(RANK))
