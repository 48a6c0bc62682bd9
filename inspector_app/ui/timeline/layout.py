"""How the lanes share the height of the timeline, and which of them have something of an event."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from inspector_app.ui.timeline.flags import NOTES
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.model import Axis
from inspector_app.ui.timeline.rate import height_of_rate, tall_lane
from inspector_app.ui.timeline.view import LANE, View, fitted

FOOT = ("findings", NOTES)
"""Keys of the lanes that stay at the bottom where lanes scroll: the way from fault to fault leads along them."""
LEAST_SCROLLING = 3
"""Lanes that must have room between those that stay."""
OVERLAPPING = 8
"""Bars of a lane that may lie over one another at a place, one lane being shared by some calls."""


def laid_out(axis: Axis, lanes: Sequence[LaneIndex], width: int, room: int, tallest: int) -> View:
    """The whole recording in a plot `width` pixels wide, its lanes in a `room` of so many pixels and up to `tallest`
    of them high.
    """
    lane, tall = LANE, tall_lane(lanes)
    if tallest > LANE and lanes:
        lane = min(max(room // (len(lanes) + (tall >= 0)), LANE), tallest)
    view = fitted(axis, width, lane)
    if tall >= 0:
        view = replace(view, tall=tall, extra=height_of_rate(lane, room - (len(lanes) - 1) * lane) - lane)
    view = replace(view, pinned=sum(index.lane.pinned for index in lanes))
    staying = sum(1 for _ in takewhile(lambda index: index.lane.key in FOOT, reversed(lanes[view.pinned :])))
    foot, hidden = len(lanes) - staying, view.top(len(lanes)) - room
    if staying and hidden > 0 and view.top(foot) - hidden - view.ceiling >= LEAST_SCROLLING * lane:
        view = replace(view, foot=foot, lift=hidden)
    return view


def lanes_of(lanes: Sequence[LaneIndex], axis: Axis, event: int) -> list[int]:
    """The lanes of blocks that an event brought something to; without any, those with a mark of it."""
    position = axis.position(event)
    found = [n for n, index in enumerate(lanes) if _speaks_of(index, event, position)]
    return found or [n for n, index in enumerate(lanes) if any(mark.event == event for mark in index.marks)]


def _speaks_of(index: LaneIndex, event: int, position: int) -> bool:
    at = bisect_right(index.starts, position) - 1
    for bar in index.bars[max(0, at + 1 - OVERLAPPING) : at + 1]:
        if _has(bar.events, event) if len(bar.events) else bar.start <= position <= bar.end:
            return True
    return False


def _has(events: Sequence[int], event: int) -> bool:
    """Whether an event is among those of a bar, which come in order: a block may have a million."""
    at = bisect_left(events, event)
    return at < len(events) and events[at] == event
