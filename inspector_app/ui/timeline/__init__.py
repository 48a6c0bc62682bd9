"""The timeline: what arrived when, and which block it became."""

from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.model import Axis, Bar, Lane, Mark, Span
from inspector_app.ui.timeline.widget import Timeline

__all__ = ["Axis", "Bar", "Lane", "LaneIndex", "Mark", "Span", "Timeline"]
