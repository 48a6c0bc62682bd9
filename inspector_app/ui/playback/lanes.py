"""The lanes of a whole recording with what had come at a place of the axis: what is cut there, and counts so far."""

from __future__ import annotations

import copy
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from inspector_app.core.text import duration, number
from inspector_app.ui.timeline import Axis, Bar, Lane, LaneIndex, Span
from inspector_app.ui.timeline.flags import NOTES
from inspector_app.ui.timeline.view import View
from inspector_app.ui.views.words import plural

MOST = 500
"""Bars of a lane that are cut where the head is; with more of them none is wide enough to tell."""
FINDINGS, EVENTS = "findings", "events"


class PastIndex(LaneIndex):
    """Some bars of a lane, drawn in the manner of all of them."""

    def __init__(self, lane: Lane, axis: Axis, whole: LaneIndex) -> None:
        super().__init__(lane, axis)
        self._of = whole

    def detail(self, view: View) -> str:
        return self._of.detail(view)


def past_lanes(whole: Sequence[LaneIndex], axis: Axis, position: float, events: int, findings: Lane) -> list[LaneIndex]:
    """`whole` up to `position`, where `events` had come and `findings` were known."""
    return [_past(index, axis, position, events, findings) for index in whole]


def _past(index: LaneIndex, axis: Axis, position: float, events: int, findings: Lane) -> LaneIndex:
    lane = index.lane
    if lane.key == FINDINGS:
        return LaneIndex(findings, axis)
    if lane.key == NOTES:
        return index
    if lane.ticks is not None:
        count = events if lane.key == EVENTS else bisect_right(lane.ticks, position)
        spans = [_span(span, position) if span.end > position else span for span in lane.spans]
        return _with(index, replace(lane, note=number(count), spans=spans))
    count = bisect_right(index.starts, position)
    short = replace(lane, badge=number(count))
    if len(index.bars) > MOST:
        return _with(index, short)
    short.bars = [_cut(bar, position) if bar.end > position else bar for bar in index.bars[:count]]
    return PastIndex(short, axis, index)


def _with(index: LaneIndex, lane: Lane) -> LaneIndex:
    made = copy.copy(index)
    made.lane = lane
    return made


def _span(span: Span, position: float) -> Span:
    """A wait that goes on after the head, as long as it had lasted; a burst is none before its end."""
    end = max(span.start, int(position))
    waited = duration(end - span.start)
    words = {"wait": f"waiting {waited}", "silence": waited}.get(span.kind, "")
    return replace(span, end=end, words=words)


def _cut(bar: Bar, position: float) -> Bar:
    """A block that goes on after the head, as far as it had come."""
    count = bisect_right(bar.fragments, position)
    name = bar.title.partition(" · ")[0]
    return replace(
        bar,
        end=max(bar.start, int(position)),
        title=f"{name} · {plural(count, 'delta')}",
        fragments=bar.fragments[:count],
        events=bar.events[:count],
        state="closed",
        closed_early=False,
    )
