"""Two timelines, one above the other, that look at the same place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from inspector_app.core.pairing import Pairing, place
from inspector_app.ui import fonts
from inspector_app.ui.labels import draw_text
from inspector_app.ui.pair.side import SideSession
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Axis, Lane, LaneIndex, Timeline
from inspector_app.ui.timeline.layout import lanes_of
from inspector_app.ui.timeline.overlay import Detail
from inspector_app.ui.timeline.view import LANE, TOP, View
from inspector_app.ui.timeline_link import TimelineLink

LETTER, BETWEEN = 28, 4
LEFT_OUT = ("reads", "rate")
LETTERS = ("A", "B")


class Letter(QWidget):
    """The letter of a recording, at the left of what belongs to it."""

    def __init__(self, look: Look, letter: str) -> None:
        super().__init__()
        self._look, self._letter = look, letter
        self.setFixedWidth(LETTER)
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, font = self._look.theme, fonts.ui_font(14, 600)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.chrome"))
            painter.fillRect(QRect(self.width() - 1, 0, 1, self.height()), theme.color("line"))
            x = (self.width() - fonts.text_width(font, self._letter)) / 2
            base = fonts.baseline(self.height() // 2 - 10, 20)
            draw_text(painter, x, base, self._letter, font, theme.color("ink.1"))


def _key(lane: Lane | LaneIndex) -> str:
    return lane.lane.key if isinstance(lane, LaneIndex) else lane.key


class SideTimeline(Timeline):
    """A timeline that says where it looks, and whose whole is as long as that of the one beside it."""

    looked = Signal()

    def __init__(self, look: Look) -> None:
        self._own = 1.0
        super().__init__(look)
        self.order = ""
        """What is said of an order that was chosen though times are known; empty where none are."""
        self.least = 0.0
        """Positions that a pixel stands for at least while all is in sight, so that both have one scale."""

    @property
    def whole(self) -> View:
        """All of the recording."""
        return self._whole

    @property
    def closest(self) -> float:
        """Positions that a pixel stands for when nothing is closer."""
        return self._closest()

    @property
    def own_scale(self) -> float:
        """Positions that a pixel would stand for if it stood alone."""
        return self._own

    def scale_to(self, least: float) -> None:
        """Show the whole at this scale, as far as it has room."""
        if least != self.least:
            self.least = least
            self._refit(self.view == self._whole)

    def look_at(self, view: View) -> None:
        """Look there, without a word."""
        before = self.blockSignals(True)
        self._look_at(view.laid_out_like(self._whole).within(self._whole))
        self.blockSignals(before)

    def set_data(self, axis: Axis, lanes: Sequence[Lane | LaneIndex], detail: Detail | None = None) -> None:
        # Two of them have no room for how fast an answer came, and each event tells when it did.
        shown = [lane for lane in lanes if _key(lane) not in LEFT_OUT]
        if self.order and not axis.measured:
            axis.order = self.order
            for lane in shown:
                # Hollow is what has no time.
                (lane.lane if isinstance(lane, LaneIndex) else lane).hollow = False
        super().set_data(axis, shown, detail)

    def _refit(self, whole: bool) -> None:
        super()._refit(whole)
        self._own = self._whole.per_pixel
        if getattr(self, "least", 0.0) > self._own:
            self._whole = replace(self._whole, per_pixel=self.least)
            self._look_at(self._whole if whole else self.view.laid_out_like(self._whole).within(self._whole))

    def _bring_lane(self) -> None:
        # The lanes of both stay in step, unless one has a block of what is selected: a finding is no reason to scroll.
        event = self._event
        held = lanes_of(self.lanes, self.axis, event) if event is not None else []
        if self._bar is not None or any(self.lanes[number].bars for number in held):
            super()._bring_lane()

    def _look_at(self, view: View) -> None:
        super()._look_at(view)
        self.looked.emit()

    def _glided(self, part: float) -> None:
        super()._glided(part)
        self.looked.emit()


class Timelines(QWidget):
    """Zoom and scroll in step: both show the same time, or the events that stand beside each other."""

    def __init__(self, look: Look, sides: tuple[SideSession, SideSession]) -> None:
        super().__init__()
        self._pairing: Pairing | None = None
        self._busy = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.timelines = SideTimeline(look), SideTimeline(look)
        self.links = TimelineLink(sides[0], self.timelines[0]), TimelineLink(sides[1], self.timelines[1])
        self._sides = sides
        for number, timeline in enumerate(self.timelines):
            timeline.can_turn = lambda: False
            timeline.setAccessibleName(f"Timeline {LETTERS[number]}")
            timeline.looked.connect(lambda number=number: self._follow(number))
            self.links[number].shown.connect(self._scale)
            row = QHBoxLayout()
            row.setSpacing(0)
            row.addWidget(Letter(look, LETTERS[number]))
            row.addWidget(timeline, 1)
            column.addLayout(row, 1)
            if not number:
                line = QWidget()
                line.setFixedHeight(BETWEEN)
                line.setProperty("layer", "chrome")
                line.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
                column.addWidget(line)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    @property
    def settled(self) -> bool:
        """Whether both show what there is to show."""
        return all(link.settled for link in self.links)

    def height_of(self, lanes: int) -> int:
        """How high both are with so many lanes in sight, or with all that there are."""
        most = max(len(timeline.lanes) for timeline in self.timelines)
        return 2 * (TOP + max(1, min(lanes, most)) * LANE) + BETWEEN

    def align(self, pairing: Pairing | None, by: str = "") -> None:
        """Look at the same events from now on, aligned `by` block or event; None looks at the same time."""
        self._pairing = pairing
        for link, timeline in zip(self.links, self.timelines, strict=True):
            timed = link.clock is not None and link.clock.measured
            timeline.order = f"aligned by {by.lower()}" if timed and by else ""
            if link.in_order and pairing is not None:
                link.refresh()
            link.show_in_order(pairing is not None)
        self._scale()

    def _scale(self) -> None:
        least = max(timeline.own_scale for timeline in self.timelines)
        one_axis = len({timeline.axis.measured for timeline in self.timelines}) == 1
        for timeline in self.timelines:
            timeline.scale_to(least if one_axis else 0.0)
        self._follow(0)

    def _follow(self, leader: int) -> None:
        if self._busy or not all(timeline.lanes for timeline in self.timelines):
            return
        self._busy = True
        led, other = self.timelines[leader], self.timelines[1 - leader]
        other.look_at(other.whole if led.view == led.whole else self._beside(leader, led.view, other.whole))
        self._busy = False

    def _beside(self, leader: int, view: View, whole: View) -> View:
        measured = {timeline.axis.measured for timeline in self.timelines}
        if self._pairing is None or measured != {False}:
            return replace(whole, start=view.start, per_pixel=min(view.per_pixel, whole.per_pixel), near=view.near)
        beside = (self._pairing.b_of, self._pairing.a_of)[leader]
        total = len(self._sides[leader].rows.counts)
        # Events stand in the middle of their places, which begin half a place before.
        start, end = (place(beside, edge + 0.5, total) - 0.5 for edge in (view.start, view.end))
        least = min(self.timelines[1 - leader].closest, whole.per_pixel)
        per_pixel = min(max((end - start) / whole.width, least), whole.per_pixel)
        return replace(whole, start=start, per_pixel=per_pixel, near=view.near)
