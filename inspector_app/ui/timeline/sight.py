"""What decides how the parts above the lanes look, for whoever draws them larger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from inspector_app.ui.timeline.head import Head
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.marked import Marked
from inspector_app.ui.timeline.model import Axis
from inspector_app.ui.timeline.now import Now
from inspector_app.ui.timeline.view import View


class Sight(NamedTuple):
    """A timeline at a moment. `version` grows with its data, `trail` leads to the view in sight."""

    version: int
    axis: Axis
    lanes: Sequence[LaneIndex]
    whole: View
    view: View
    trail: tuple[View, ...]
    event: int | None
    marked: Marked | None
    found: Sequence[int]
    now: Now | None
    head: Head | None
    hidden: int

    @property
    def key(self) -> tuple[object, ...]:
        """The same for two that look alike; what may be long is told by who it is."""
        return (self.version, id(self.found), self.view, *self[3:4], *self[5:8], *self[9:])
