"""What can be done with the timeline from anywhere in the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector_app.ui.commands import Command

if TYPE_CHECKING:
    from inspector_app.ui.timeline.widget import Timeline

KEY_ZOOM, KEY_PAN = 1.6, 0.2
TURN_AXIS = "Axis in order of events, or in time"
NO_TURN = "needs a complete recording with times, not in playback"
ALL_SEEN, NO_RANGE, NONE = "all is in sight", "needs a range", "needs a selection"
HELD, NONE_HIDDEN = "needs a recording that is not in playback", "no lane is hidden"


def commands_of(timeline: Timeline) -> list[Command]:
    """Zoom, motion, the points of the range, lanes; each acts on what the timeline shows by then."""
    group = "Timeline"
    return [
        Command("Zoom in", group, lambda: timeline.zoom_by(KEY_ZOOM), ("W",)),
        Command("Zoom out", group, lambda: timeline.zoom_by(1 / KEY_ZOOM), ("S",)),
        Command("Move left", group, lambda: timeline.pan_by(-KEY_PAN), ("A",)),
        Command("Move right", group, lambda: timeline.pan_by(KEY_PAN), ("D",)),
        Command("Whole recording, or back to the selection", group, timeline.fit_or_focus, ("F",)),
        Command(TURN_AXIS, group, timeline.axis_turned.emit, ("T",), lambda: timeline.can_turn(), NO_TURN),
        Command("Point A, then B, then anew", group, timeline.set_point, ("R",)),
        Command(
            "Back to the wider view", group, timeline.step_back, ("Backspace",), lambda: bool(timeline.trail), ALL_SEEN
        ),
        Command(
            "Range over the selected block",
            group,
            timeline.mark_selected,
            (),
            lambda: timeline.selected is not None,
            NONE,
        ),
        Command("Zoom to the range", group, timeline.show_range, (), timeline.has_range, NO_RANGE),
        Command("Take the range away", group, lambda: timeline.mark(None), (), timeline.has_range, NO_RANGE),
        Command(
            "Pin the lane to the top, or let it go",
            group,
            lambda: timeline.ask_of_lane("pin"),
            (),
            lambda: timeline.free,
            HELD,
        ),
        Command("Hide the lane", group, lambda: timeline.ask_of_lane("hide"), (), lambda: timeline.free, HELD),
        Command(
            "Show all lanes", group, lambda: timeline.ask_of_lane("all"), (), lambda: timeline.hidden > 0, NONE_HIDDEN
        ),
        Command("Next in the lane", group, lambda: timeline.step_item(1), (".",)),
        Command("Previous in the lane", group, lambda: timeline.step_item(-1), (",",)),
    ]
