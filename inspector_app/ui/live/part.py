"""What a page has in addition while its stream is live: Stop and Pause, the strip, the line of now, its end in view."""

from __future__ import annotations

from time import perf_counter_ns

from PySide6.QtCore import QObject, Qt

from inspector_app.core.text import duration
from inspector_app.ui.commands import Command
from inspector_app.ui.controls import Button
from inspector_app.ui.labels import tip
from inspector_app.ui.live.follow import KEY, Follow
from inspector_app.ui.live.lanes import LiveLanes
from inspector_app.ui.live.session import LiveSession
from inspector_app.ui.live.strip import LiveStrip
from inspector_app.ui.live.words import SILENT_NS, wait_words
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.timeline.now import Now

STOP_KEY, PAUSE_KEY = "Ctrl+.", "P"
PAUSE, GO_ON, CATCH_UP = "Pause view", "Go on", "Catch up"
"""What the button says; how much waits stands in the strip, where it moves nothing."""
OVER = "the stream has ended"


class LivePart(QObject):
    """Put on the page of a live session; when the stream has ended, the page is like any other."""

    def __init__(self, page: RecordingPage, session: LiveSession) -> None:
        super().__init__(page)
        self.page, self.session = page, session
        look = page.look
        self.stop = Button(look, "Stop", "stop", "raised", meaning="error")
        self.pause = Button(look, PAUSE, "pause", "flat")
        self.pause.keep_room(PAUSE, GO_ON, CATCH_UP)
        self.stop.clicked.connect(session.stop)
        self.pause.clicked.connect(self.turn_pause)
        tip(self.stop, "End the stream now; the recording keeps what has come", STOP_KEY)
        tip(self.pause, "Hold the view still; the recording goes on", PAUSE_KEY)
        page.toolbar.add_controls(self.stop, self.pause)
        self.strip = LiveStrip(session, look, lambda: page.clock)
        page.add_strip(self.strip)
        self.follow = Follow(session, page.panes, look)
        self._lanes: LiveLanes | None = None
        page.link.growing = lambda clock: self._live_lanes().in_steps(clock, session.now)
        page.own_commands = self.commands
        page.commands_changed.emit()
        session.notes.wait_for(session.capture.join, lambda: session.capture.mark)
        session.ticked.connect(self._tick)
        session.paused_changed.connect(self._show_pause)
        session.paused_changed.connect(self._hold_lanes)
        session.judged.connect(self._judged)
        session.ended.connect(self._end)
        session.read.connect(self._read)
        page.titled.emit(page.title, "record")

    def commands(self) -> list[Command]:
        """What can be done while the stream is live."""
        group, live = "Live", lambda: self.session.live
        if not live():
            return []
        return [
            Command("Stop the stream", group, self.session.stop, (STOP_KEY,), live, OVER),
            Command("Pause the view, or catch up", group, self.turn_pause, (PAUSE_KEY,), live, OVER),
            Command("Follow the tail", group, self.follow.pin, (KEY,), live, OVER),
        ]

    def turn_pause(self) -> None:
        """Hold the view still, or show what has come since."""
        self.session.pause(not self.session.paused)

    def _live_lanes(self) -> LiveLanes:
        reading = self.session.reference
        assert reading is not None
        if self._lanes is None:
            self._lanes = LiveLanes(self.session, reading)
        return self._lanes

    def _tick(self) -> None:
        session = self.session
        if not session.live:
            return
        if session.paused:
            self._show_pause()
            return
        self.page.link.follow(perf_counter_ns())
        self.page.timeline.show_now(self._now())

    def _now(self) -> Now:
        session, growth = self.session, self.session.growth
        reads = growth.exchange.read_times
        held = session.paused
        if not reads:
            return Now(session.now, 0, "wait", f"waiting {duration(session.now)}", held)
        if session.waited < SILENT_NS:
            return Now(session.now, reads[-1], held=held)
        return Now(session.now, reads[-1], "silence", f"no byte for {wait_words(session)}", held)

    def _judged(self) -> None:
        page = self.page
        page.panes.show_marks()
        page.findings.refresh()
        page.summary.refresh()

    def _show_pause(self) -> None:
        behind = self.session.behind
        words = PAUSE
        if behind is not None:
            words = GO_ON if behind.nothing and not behind.ended else CATCH_UP
            if behind.ended:
                # It keeps its place, so that nothing beside it moves.
                self._let_go(self.stop)
                self.stop.setEnabled(False)
        if words != self.pause.text():
            if PAUSE in (words, self.pause.text()):
                self.page.timeline.show_now(self._now())
            self.pause.setText(words)
            self.pause.setAccessibleName(words)
            self.pause.show_icon("pause" if behind is None else "play")

    def _hold_lanes(self) -> None:
        """A view that stands still shows the same in every part: lanes are made less often than lines."""
        if self.session.paused:
            self.page.link.catch_up()

    def _let_go(self, *controls: Button) -> None:
        """The keyboard goes from controls that leave to the lines, and not to whatever stands next in the row."""
        if self.page.window().focusWidget() in controls:
            self.page.panes.raw.setFocus(Qt.FocusReason.OtherFocusReason)

    def _end(self) -> None:
        self._let_go(self.stop, self.pause)
        self.stop.hide()
        self.pause.hide()
        self.page.toolbar.fit()
        self.page.timeline.show_now(None)
        self.session.notes.release()
        self.page.commands_changed.emit()

    def _read(self) -> None:
        """From here on the timeline is made of the whole reading."""
        self.page.link.growing = self._lanes = None
