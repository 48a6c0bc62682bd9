"""How many items of a lane are in sight."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace

from inspector_app.core.text import number
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.model import Lane
from inspector_app.ui.timeline.view import View

COUNTED = ("reads", "events")
"""Keys of the lanes whose ticks are counted."""


def labelled(index: LaneIndex, view: View) -> Lane:
    """The lane as its label tells it: while a part of it is in sight, with the count of that part."""
    lane = index.lane
    if lane.key not in COUNTED:
        return lane
    here = bisect_right(index.ticks, view.end) - bisect_left(index.ticks, view.start)
    return lane if here == len(index.ticks) else replace(lane, note=f"{number(here)} here")
