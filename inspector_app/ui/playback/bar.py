"""The controls of playback in the toolbar: to the start, steps, play, the pace, and a quiet clock."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from inspector_app.core.text import THIN_SPACE, number
from inspector_app.ui import fonts
from inspector_app.ui.controls import HEIGHT, Choice, icon_button
from inspector_app.ui.labels import draw_text, tip
from inspector_app.ui.playback.player import Player
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline.clock import running

UNITS = ("event", "read")
FASTEST = "fastest"


def pace_words(pace: float, measured: bool) -> str:
    """A pace as it is chosen: times the recording's own, or a rhythm of events."""
    if pace == inf:
        return FASTEST
    return f"{pace:g}×" if measured else f"{number(round(pace))} event{'' if pace == 1 else 's'}/s"


def clock_words(player: Player, short: bool = False) -> str:
    """Where the head stands; no time where none was measured, but that the rhythm is none of the recording's."""
    course = player.course
    if course is None:
        return ""
    if player.seeking is not None:
        return f"seeking · {round(player.seeking * 100)}{THIN_SPACE}%"
    event = number(player.event) if player.event >= 0 else "none"
    if course.measured:
        if short:
            return f"{running(player.moment)} · {event}"
        return f"{running(player.moment)} of {running(course.length)} · event {event} of {number(course.events)}"
    if short:
        return f"event {event} · rhythm invented"
    pace = player.pace
    rhythm = "read as fast as possible" if pace == inf else f"rhythm invented: {pace_words(pace, False)}"
    return f"event {event} of {number(course.events)} · {rhythm}"


class ClockLabel(QWidget):
    """The clock: it keeps its width while it runs."""

    def __init__(self, look: Look, player: Player) -> None:
        super().__init__()
        self._look, self._player = look, player
        self.short = False
        self._words, self._width = "", 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def refresh(self) -> None:
        """Say where the head stands now."""
        self._words = clock_words(self._player, self.short)
        self.setAccessibleName(self._words.replace(THIN_SPACE, " "))
        width = self._room()
        if width != self._width:
            self._width = width
            self.updateGeometry()
        self.update()

    def _room(self) -> int:
        """As wide as the longest that it may say of this recording."""
        course = self._player.course
        if course is None:
            return 0
        last, font = number(max(course.events - 1, 0)), fonts.ui_font(fonts.BODY)
        end = running(course.length)
        longest = {
            (True, False): f"{end} of {end} · event {last} of {number(course.events)}",
            (True, True): f"{end} · {last}",
            (False, True): f"event {last} · rhythm invented",
        }.get((course.measured, self.short), clock_words(self._player))
        return round(max(fonts.text_width(font, words) for words in (longest, "seeking · 100 %"))) + 4

    def sizeHint(self) -> QSize:
        return QSize(self._width, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            font, base = fonts.ui_font(fonts.BODY), fonts.baseline(0, self.height())
            draw_text(painter, 0, base, self._words, font, self._look.theme.color("ink.2"))


class PlayBar(QWidget):
    """The controls, for the page to connect."""

    def __init__(self, look: Look, player: Player) -> None:
        super().__init__()
        self._player = player
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.start = icon_button(look, "step-back", "Play head to the start", "Ctrl+Home")
        self.back = icon_button(look, "chevron-left", "Step back", "[")
        self.play = icon_button(look, "play", "Play", "Space")
        self.forward = icon_button(look, "chevron-right", "Step forward", "]")
        self.unit = Choice(look, "Step by")
        self.pace = Choice(look, "Pace")
        self.clock = ClockLabel(look, player)
        self.leave = icon_button(look, "close", "Leave playback: show the whole recording", "Esc")
        for name in UNITS:
            self.unit.addItem(f"by {name}", name)
        tip(self.unit, "What a step goes by")
        tip(self.pace, "How fast it is played", "< and >")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for widget in (self.start, self.back, self.play, self.forward):
            row.addWidget(widget)
        for other in (self.unit, self.pace, self.clock, self.leave):
            row.addSpacing(4)
            row.addWidget(other)
        self._room = dict.fromkeys(("unit", "steps", "pace", "clock"), True)
        self._shown: tuple[object, ...] = ()
        self._fill()
        self.refresh()

    def steps(self) -> list[Callable[[bool], None]]:
        """What gives way where there is no room, first what is missed least."""
        return [self._short_clock, *(partial(self._allow, what) for what in self._room)]

    def _short_clock(self, roomy: bool) -> None:
        self.clock.short = not roomy
        self.clock.refresh()

    def _allow(self, what: str, roomy: bool) -> None:
        self._room[what] = roomy
        self._place()

    def _place(self) -> None:
        active, room = self._player.active, self._room
        for widget in (self.start, self.back, self.forward):
            widget.setVisible(room["steps"])
        course = self._player.course
        self.unit.setVisible(course is not None and len(course.ends) > 0 and room["unit"])
        self.pace.setVisible(room["pace"])
        self.clock.setVisible(active and room["clock"])
        self.leave.setVisible(active)
        layout = self.layout()
        assert layout is not None
        layout.invalidate()
        self.updateGeometry()

    def _fill(self) -> None:
        """The paces that there are for this recording."""
        player = self._player
        with QSignalBlocker(self.pace):
            self.pace.clear()
            for pace in player.paces:
                self.pace.addItem(pace_words(pace, player.measured), pace)
        self.pace.updateGeometry()

    def refresh(self) -> bool:
        """Show the player as it is now; whether other controls are there than before."""
        player = self._player
        if self.pace.count() == 0 or self.pace.itemData(0) != player.paces[0]:
            self._fill()
        with QSignalBlocker(self.pace):
            self.pace.setCurrentIndex(player.paces.index(player.pace))
        self.pace.update()
        self.play.show_icon("pause" if player.playing else "play")
        self.play.setAccessibleName("Pause" if player.playing else "Play")
        self.clock.refresh()
        shown = (player.can_play, player.active, player.measured, not player.measured and player.pace)
        if shown == self._shown:
            return False
        self._shown = shown
        self.setVisible(player.can_play)
        self._place()
        return True

    def chosen_unit(self) -> str:
        """What a step goes by."""
        return str(self.unit.currentData(Qt.ItemDataRole.UserRole))
