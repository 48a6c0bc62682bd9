"""Playback on the page of a recording: controls and keys, the head on the timeline, the panes at the end of what came.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector_app.core.text import number
from inspector_app.ui.commands import Command
from inspector_app.ui.lanes import findings_lane
from inspector_app.ui.playback.bar import UNITS, PlayBar, pace_words
from inspector_app.ui.playback.lanes import past_lanes
from inspector_app.ui.playback.player import Player
from inspector_app.ui.selection import Selection
from inspector_app.ui.timeline.clock import running
from inspector_app.ui.timeline.head import Head

if TYPE_CHECKING:
    from inspector_app.ui.page import RecordingPage

NOTHING = "needs a complete recording with times or events"
NO_MORE = "nothing more was found that way"


class Playback(QObject):
    """What a page has of playback. `player` does it, `bar` stands in the toolbar."""

    def __init__(self, page: RecordingPage) -> None:
        super().__init__(page)
        self._page, self._session = page, page.session
        self.player = player = Player(page.session, page.link, parent=self)
        self.bar = bar = PlayBar(page.look, player)
        self._pinned = self._moving = self._was_active = False
        self._wanted: str | None = None
        """The rule that the head goes to."""
        page.toolbar.add_controls(bar)
        page.toolbar.giving_way += bar.steps()
        player.changed.connect(self._changed)
        player.shown.connect(self._shown)
        player.left.connect(self._left)
        page.timeline.sought.connect(self._sought)
        for signal in (page.session.grown, page.session.read):
            signal.connect(self._follow_session)
        bar.start.clicked.connect(self.to_start)
        bar.back.clicked.connect(lambda: self.step(bar.chosen_unit(), -1))
        bar.forward.clicked.connect(lambda: self.step(bar.chosen_unit(), 1))
        bar.play.clicked.connect(player.turn)
        bar.leave.clicked.connect(player.leave)
        bar.pace.activated.connect(lambda n: player.set_pace(player.paces[n]))
        self._bar = page.panes.raw.verticalScrollBar()
        self._bar.valueChanged.connect(self._scrolled)
        self._bar.rangeChanged.connect(self._ranged)
        page.panes.cards.verticalScrollBar().rangeChanged.connect(self._ranged)

    # what a person asks for

    def commands(self) -> list[Command]:
        """What can be done here from anywhere in the window."""
        group, player = "Playback", self.player
        can, active = lambda: player.can_play, lambda: player.active

        def command(words: str, does: object, *keys: str, late: bool = False) -> Command:
            return Command(words, group, does, keys, can, NOTHING, late=late)  # type: ignore[arg-type]

        leave = [Command("Leave playback", group, player.leave, ("Esc",), active, late=True)] if player.active else []
        return [
            *leave,
            # Space first presses the button that has the keyboard.
            command("Play or pause", player.turn, "Space", late=True),
            command("Play head: to the selected event", self.to_selection, "Shift+Space", late=True),
            command("Play head: to the start", self.to_start, "Ctrl+Home"),
            command("Step: event before", partial(self.step, "event", -1), "["),
            command("Step: next event", partial(self.step, "event", 1), "]"),
            command("Step: read before", partial(self.step, "read", -1), "{"),
            command("Step: next read", partial(self.step, "read", 1), "}"),
            command("Pace: slower", partial(player.change_pace, -1), "<"),
            command("Pace: faster", partial(player.change_pace, 1), ">"),
            *(
                command(f"Pace: {pace_words(pace, player.measured)}", partial(player.set_pace, pace))
                for pace in player.paces
            ),
            *(
                command(f"Step by: {name}", partial(self.bar.unit.setCurrentIndex, n))
                for n, name in enumerate(UNITS)
            ),
        ]

    def to_start(self) -> None:
        """Nothing has come yet."""
        self.player.enter(0)

    def to_selection(self) -> None:
        """What had come with the selected event, and nothing after it."""
        current = self._session.selection.current
        event = current.event if current is not None else 0
        if self.player.active or self.player.enter():
            self.player.seek_event(event)

    def step(self, by: str, step: int) -> None:
        """A step by an "event" or a "read"; where the whole is shown, from the selected event."""
        if not self.player.active:
            self.to_selection()
            if by == "event" and step > 0:
                return
        self.player.step(by, step)

    def next_finding(self, step: int) -> None:
        """Go to where the next finding begins (1) or the one before (-1), in the order of time."""
        course = self.player.course
        if course is None:
            return
        heard = self._session.mutes.heard(course.reading.findings)
        places = [(finding.events[0], finding.rule) for finding in heard if len(finding.events)]
        here = self.player.event
        beside = [place for place in places if (place[0] > here if step > 0 else place[0] < here)]
        self._page.notice.withdraw()
        if not beside:
            self._page.notice.tell(f"No finding begins {'after' if step > 0 else 'before'} the play head.")
        else:
            event, rule = min(beside) if step > 0 else max(beside)
            self._wanted = rule
            self.player.play(False)
            self.player.seek_event(event)

    def _sought(self, position: float, final: bool) -> None:
        course = self.player.course
        if course is None:
            return
        moment = course.moment_at(position)
        if final and moment >= course.length:
            self.player.leave()
        else:
            self.player.seek(moment)

    # what the player says

    def _follow_session(self) -> None:
        if self.bar.refresh():
            self._page.toolbar.fit()

    def _changed(self) -> None:
        player, page = self.player, self._page
        if self.bar.refresh():
            page.toolbar.fit()
        page.allow_findings()
        if self._was_active and not player.active:
            self._was_active = False
            page.panes.show_marks()
            page.detail.refresh()
            page.verdict.refresh()
            if page.session.complete:
                page.history.open()
        elif player.active:
            self._was_active = True
            self._show_head()

    def _left(self) -> None:
        self._page.notice.withdraw()
        self._page.timeline.show_head(None)

    def _show_head(self) -> None:
        player, page, course = self.player, self._page, self.player.course
        clock, reading = page.link.clock, page.session.reference
        if course is None or clock is None or reading is None or not page.session.held:
            return
        event = player.event
        name = number(event) if event >= 0 else "start"
        words = f"{name} · {running(player.moment)}" if course.measured else name
        position = course.position_of(player.moment)
        findings = findings_lane(page.session, reading, clock)
        lanes = past_lanes(page.timeline.lanes, page.timeline.axis, position, event + 1, findings)
        page.timeline.show_head(Head(position, words, event), lanes)

    def _shown(self, jumped: bool, found: bool) -> None:
        page, player = self._page, self.player
        if jumped:
            page.history.hold()
            self._pinned = True
        if found:
            page.panes.show_marks()
            page.verdict.refresh()
        self._select(jumped)
        if jumped:
            page.detail.refresh()
        if self._pinned:
            self._to_end()
        if not player.playing:
            self._wanted = None

    def _select(self, jumped: bool) -> None:
        """Where the head stands still its event is selected; what has not come cannot be."""
        selection, reading, player = self._session.selection, self._session.reference, self.player
        current = selection.current
        if reading is None:
            return
        last = self._session.rows.events - 1
        if jumped and not player.playing:
            rule, self._wanted = self._wanted, None
            if rule is None or not self._page.findings.show_finding(rule, player.event):
                selection.select(Selection(last) if last >= 0 else None, self)
        elif current is not None and (current.event > last or not self._holds(current)):
            selection.select(Selection(min(current.event, last)) if last >= 0 else None, self)

    def _holds(self, selection: Selection) -> bool:
        """Whether the block that is selected has begun."""
        reading = self._session.readings.get(selection.reader or "")
        return selection.block is None or reading is None or selection.block < len(reading.blocks)

    # the panes follow what comes, until somebody looks elsewhere

    def _scrolled(self, value: int) -> None:
        if not self._moving and value < self._bar.maximum():
            self._pinned = False

    def _ranged(self) -> None:
        if self._pinned and self._session.held:
            self._to_end()

    def _to_end(self) -> None:
        self._moving = True
        panes = self._page.panes
        for view in (panes.raw, panes.deltas, panes.blocks):
            # The table takes its new height only when it is painted next.
            view.updateGeometries()
        for bar in (self._bar, panes.cards.verticalScrollBar()):
            bar.setValue(bar.maximum())
        self._moving = False
