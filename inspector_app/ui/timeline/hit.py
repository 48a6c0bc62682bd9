"""What lies under the pointer, and what comes next in a lane."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from inspector_app.ui.icons import SMALL
from inspector_app.ui.timeline.boxes import piece_at
from inspector_app.ui.timeline.flags import NOTES, tag_at
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.ticks import groups, tick_at
from inspector_app.ui.timeline.view import LABELS, TOP, View
from inspector_app.ui.timeline.waits import WAITS, wait_at

OVERLAPPING = 8
"""Bars of a lane that may lie over one another at a place, one lane being shared by some calls."""


class Hit(NamedTuple):
    """Something in lane number `lane`: a "bar" (with its fragment, -1 for what is missing before the first one),
    a "tick" or a "mark", by its number there.
    """

    lane: int
    kind: str
    number: int
    fragment: int = 0


def lane_at(view: View, y: int, down: int, count: int) -> int | None:
    """The lane at a height of the widget."""
    number = view.row_at(y - TOP, down)
    return number if y >= TOP and 0 <= number < count else None


def hit(lanes: Sequence[LaneIndex], view: View, x: int, y: int, down: int) -> Hit | None:
    """What is painted at a pixel of the widget."""
    number = lane_at(view, y, down, len(lanes))
    if number is None or not LABELS <= x < LABELS + view.width:
        return None
    index = lanes[number]
    if index.lane.key == NOTES:
        note = tag_at(index, view, x)
        return Hit(number, "mark", index.marks.index(note)) if note is not None else None
    for center, group in groups(index, view):
        if abs(center - x) <= SMALL // 2 + 1:
            return Hit(number, "mark", index.marks.index(group[0]))
    bar = _bar_at(index, view, x)
    if bar is not None:
        found = index.bars[bar]
        least = -1 if found.missing else 0
        fragment = max(least, bisect_right(found.fragments, view.position(x)) - 1) if len(found.fragments) else least
        return Hit(number, "bar", bar, fragment)
    tick = wait_at(index, view, x) if index.lane.key == WAITS else tick_at(index, view, x)
    return Hit(number, "tick", tick) if tick is not None else None


def _bar_at(index: LaneIndex, view: View, x: int) -> int | None:
    """The bar drawn at a pixel; where bars overlap, the last that began."""
    at = bisect_right(index.starts, view.position(x + 1)) - 1
    if index.detail(view) == "far":
        return index.bar_at(view.position(x))
    for _ in range(OVERLAPPING):
        if at < 0 or view.x(index.ends[at]) < x - 2:
            return None
        found = piece_at(index, at, view, x)
        if found is not None:
            return found
        at = index.shared(at)[0] - 1
    return None


def position_of(index: LaneIndex, found: Hit) -> int:
    """Where an item stands."""
    if found.kind == "mark":
        return index.marks[found.number].position
    if found.kind == "tick":
        return index.ticks[found.number]
    bar = index.bars[found.number]
    return bar.fragments[found.fragment] if 0 <= found.fragment < len(bar.fragments) else bar.start


def event_of(index: LaneIndex, found: Hit) -> int | None:
    """The event of an item; None where a bar was given without its events."""
    if found.kind == "mark":
        return index.marks[found.number].event
    if found.kind == "tick":
        return index.lane.event_of(found.number)
    bar = index.bars[found.number]
    if found.fragment < 0:
        return bar.gap_event if bar.gap_event >= 0 else None
    return bar.events[found.fragment] if found.fragment < len(bar.events) else None


def beside(lanes: Sequence[LaneIndex], lane: int, after: float, current: Hit | None, step: int) -> Hit | None:
    """The item that follows (`step` 1) or precedes (-1) in a lane: that of `current`, else of the position `after`."""
    index = lanes[lane]
    if current is not None and current.lane == lane:
        return _neighbour(index, current, step)
    kind, positions = _items(index)
    at = bisect_right(positions, after) if step > 0 else bisect_left(positions, after) - 1
    return Hit(lane, kind, at) if 0 <= at < len(positions) else None


def _items(index: LaneIndex) -> tuple[str, Sequence[int]]:
    if index.bars:
        return "bar", index.starts
    return ("mark", index.mark_positions) if index.lane.key != WAITS and index.marks else ("tick", index.ticks)


def _neighbour(index: LaneIndex, current: Hit, step: int) -> Hit | None:
    if current.kind == "bar":
        fragments = len(index.bars[current.number].fragments)
        if 0 <= current.fragment + step < fragments:
            return current._replace(fragment=current.fragment + step)
        number = current.number + step
        if 0 <= number < len(index.bars):
            last = max(len(index.bars[number].fragments) - 1, 0)
            return Hit(current.lane, "bar", number, 0 if step > 0 else last)
        return None
    count = len(index.marks) if current.kind == "mark" else len(index.ticks)
    number = current.number + step
    return current._replace(number=number) if 0 <= number < count else None
