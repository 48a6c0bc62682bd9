"""Which part of the recording is in sight, and how large: arithmetic between positions and pixels."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace

from inspector_app.ui.timeline.model import Axis

LABELS = 212
RIGHT_MARGIN = 16
OVERVIEW = 32
RULER = 24
TOP = OVERVIEW + RULER
LANE = 24
FAR, NEAR, NEAR_IN_WHOLE = 3.0, 24.0, 160.0
"""Pixels a delta: under `FAR` only columns and solid bars, from `NEAR` on words; later while all is in sight, when a
title says more than the words."""

END_ROOM, TRUNCATED_ROOM = 51, 84
"""Pixels that a fitted view leaves beyond the end of the stream, for [DONE] or the word "truncated"."""
LETTER, LONGEST_END = 6, 24
"""Pixels of one letter more in a marker, and the letters of it that are shown."""

AROUND = 0.05
"""The part of what is to be in view that is shown beside it."""

CLOSEST = {True: 10_000.0, False: 1 / 200}
"""The most that can be zoomed in, by whether times are measured: 10 us a pixel, or 200 pixels an event."""

NO_FOOT = 1 << 30
"""No lane stays at the bottom."""
LAYOUT = ("lane", "tall", "extra", "pinned", "foot", "lift")
"""What a view says of the lanes, not of the time."""


@dataclass(frozen=True, slots=True)
class View:
    """The plot from its left edge: `start` is the position there, `per_pixel` positions make a pixel, `width` pixels.

    `near` is the size of a delta from which its words are shown, `lane` the height of a lane, but lane number `tall`
    is higher by `extra` (lower below 0, and not there where nothing is left).
    """

    start: float
    per_pixel: float
    width: int
    near: float = NEAR
    lane: int = LANE
    tall: int = -1
    extra: int = 0
    pinned: int = 0
    """Lanes at the top that stay while the others scroll."""
    foot: int = NO_FOOT
    """The first of the lanes at the bottom that stay while the others scroll, and by how many pixels these are lifted
    out of where they would be."""
    lift: int = 0

    @property
    def end(self) -> float:
        """The position at the right edge."""
        return self.start + self.width * self.per_pixel

    def x(self, position: float) -> int:
        """The pixel of a position, counted from the left edge of the widget."""
        return LABELS + round((position - self.start) / self.per_pixel)

    def position(self, x: float) -> float:
        """The position under a pixel of the widget."""
        return self.start + (x - LABELS) * self.per_pixel

    def top(self, number: int) -> int:
        """Where a lane begins, counted from the first one; that of the lane after the last is their height."""
        return number * self.lane + (self.extra if 0 <= self.tall < number else 0)

    def height(self, number: int) -> int:
        """How high a lane is."""
        return self.lane + (self.extra if number == self.tall else 0)

    @property
    def ceiling(self) -> int:
        """Where the pinned lanes end, below the beginning of the first one: nothing that scrolls is seen above."""
        return self.top(self.pinned)

    @property
    def floor(self) -> int:
        """Where the lanes at the bottom begin that stay: nothing that scrolls is seen below."""
        return self.top(self.foot) - self.lift if self.foot < NO_FOOT else NO_FOOT

    def seen(self, number: int) -> tuple[int, int]:
        """Between which heights a lane is seen, whatever is scrolled."""
        if number < self.pinned:
            return 0, self.ceiling
        return (self.ceiling, self.floor) if number < self.foot else (self.floor, NO_FOOT)

    def row(self, number: int, down: int) -> int:
        """Where a lane begins when lanes are scrolled `down` pixels."""
        return self.top(number) - (0 if number < self.pinned else down if number < self.foot else self.lift)

    def row_at(self, y: int, down: int) -> int:
        """The lane seen at a height when lanes are scrolled `down` pixels."""
        return self.lane_at(y if y < self.ceiling else y + down if y < self.floor else y + self.lift)

    def scrolled_to(self, number: int, down: int, room: int) -> int:
        """How far lanes are scrolled when a lane has just come into sight, between pixels 0 and `room`."""
        if not self.pinned <= number < self.foot:
            return down
        top = self.top(number)
        return min(max(down, top + self.height(number) - min(room, self.floor)), top - self.ceiling)

    def lane_at(self, y: int) -> int:
        """The lane at a height below the beginning of the first one."""
        if self.tall < 0 or y < self.top(self.tall + 1):
            return y // self.lane if self.tall < 0 else min(y // self.lane, self.tall)
        return (y - self.extra) // self.lane

    def laid_out_like(self, other: View) -> View:
        """The same part of the recording on a plot and in lanes of another view's size."""
        layout = {name: getattr(other, name) for name in LAYOUT}
        return replace(self, width=other.width, **layout)

    def zoomed(self, x: float, factor: float, whole: View, closest: float) -> View:
        """Closer by `factor` with what lies under `x` staying there; never beyond the whole recording."""
        per_pixel = min(max(self.per_pixel / factor, closest), whole.per_pixel)
        start = self.position(x) - (x - LABELS) * per_pixel
        return replace(self, start=start, per_pixel=per_pixel).within(whole)

    def moved(self, pixels: float, whole: View) -> View:
        """The same size, further right by `pixels`."""
        return replace(self, start=self.start + pixels * self.per_pixel).within(whole)

    def showing(self, position: float, whole: View) -> View:
        """The nearest view of this size in which `position` is well in sight; itself when it already is."""
        room = self.width * self.per_pixel * 0.1
        if self.start <= position <= self.end:
            return self
        start = position - room if position < self.start else position - self.width * self.per_pixel + room
        return replace(self, start=start).within(whole)

    def within(self, whole: View) -> View:
        """Pushed back into the whole recording."""
        start = min(max(self.start, whole.start), max(whole.start, whole.end - self.width * self.per_pixel))
        near = NEAR_IN_WHOLE if self.per_pixel >= whole.per_pixel else NEAR
        return replace(self, start=start, near=near)

    def between(self, other: View, part: float) -> View:
        """On the way to another view, `part` of it done."""
        return replace(
            other,
            start=self.start + (other.start - self.start) * part,
            per_pixel=self.per_pixel + (other.per_pixel - self.per_pixel) * part,
            near=NEAR,
        )


def fitted(axis: Axis, width: int, lane: int = LANE) -> View:
    """The whole recording in a plot of `width` pixels, with room for the marker of its end."""
    width = max(width, 1)
    words = LETTER * max(0, min(len(axis.end_words), LONGEST_END) - len("[DONE]"))
    room = RIGHT_MARGIN if axis.end is None else TRUNCATED_ROOM if axis.truncated else END_ROOM + words
    # Without times events stand in order, each in the middle of its own place.
    start = axis.span[0] if axis.measured else axis.span[0] - 0.5
    last = axis.end if axis.end is not None else axis.span[1]
    return View(start, max(last - start, 1) / max(width - room, width / 2), width, NEAR_IN_WHOLE, lane)


def events_in(axis: Axis, view: View) -> tuple[int, int] | None:
    """The first and the last event in sight."""
    first, last = bisect_left(axis.events, view.start), bisect_right(axis.events, view.end) - 1
    return (first, last) if first <= last else None


def around(axis: Axis, events: tuple[int, int], whole: View, closest: float) -> View:
    """The view that holds two events and what lies between them."""
    last = max(len(axis.events) - 1, 0)
    start, end = axis.position(min(events[0], last)), axis.position(min(events[1], last))
    half = max((end - start) * AROUND, closest * whole.width * AROUND) if axis.measured else 0.5
    per_pixel = min(max((end - start + 2 * half) / whole.width, closest), whole.per_pixel)
    return replace(whole, start=start - half, per_pixel=per_pixel).within(whole)
