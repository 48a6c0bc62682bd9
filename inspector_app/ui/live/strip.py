"""The strip of a live stream: that it is being recorded, how long nothing came, how fast it comes, and where to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from inspector_app.core.text import clip, visible
from inspector_app.ui import fonts
from inspector_app.ui.controls import Button
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import draw_text, rounded
from inspector_app.ui.lanes import Clock
from inspector_app.ui.live.session import LiveSession
from inspector_app.ui.live.speed import NOW_NS, RECENT_NS, Speed
from inspector_app.ui.live.words import GOOD, SILENT_NS, State, limit_words, state_of, wait_words
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline.clock import SECOND, running

HEIGHT, EDGE = 40, 16
DOT, GLOW = 5.0, 8.0
"""Radius of the dot, and of the ring around it."""
GAP = 20
TRACK = 180, 4
LEAST_PATH = 120
PATH_SHARE = 0.34


class LiveStrip(QWidget):
    """Follows a session. After a good end it is gone; any other end it tells until it is dismissed."""

    def __init__(self, session: LiveSession, look: Look, clock: Callable[[], Clock | None]) -> None:
        """`clock` gives that of the page's timeline, None before there is one."""
        super().__init__()
        self._session, self._look, self._clock = session, look, clock
        self._speed: Speed | None = None
        self._path = short_path(session.path)
        self.dismiss = Button(look, "Dismiss", "", "flat")
        self.dismiss.clicked.connect(self.hide)
        self.dismiss.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, EDGE, 0)
        row.addStretch(1)
        row.addWidget(self.dismiss)
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        session.ticked.connect(self._follow)
        session.ended.connect(self._end)
        look.changed.connect(self.update)

    def rates(self) -> list[tuple[str, str]]:
        """Name and value of each rate, "" where there is none yet."""
        found = []
        for name, span in (("now", NOW_NS), ("last 5 s", RECENT_NS), ("whole", None)):
            rate = self._speed.over(self._session.now, span) if self._speed is not None else None
            found.append((name, "" if rate is None else f"{rate:.1f}" if 0 < rate < 100 else f"{rate:.0f}"))
        return found

    def _follow(self) -> None:
        if self._speed is None and (clock := self._clock()) is not None:
            self._speed = Speed(clock)
        if self._speed is not None:
            self._speed.extend()
        state = shown_state(self._session)
        # A screen reader is told what it is, not each hundredth of a second.
        self.setAccessibleName(" ".join(filter(None, [state.head, state.more])))
        self.update()

    def _end(self) -> None:
        self._follow()
        how = (self._session.growth.exchange.end or {}).get("how")
        stopped = self._session.growth.stopped
        self.dismiss.show()
        if how in GOOD and stopped is None:
            self.hide()

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, session = self._look.theme, self._session
        with QPainter(self) as painter:
            state = shown_state(session)
            ground = theme.mixed("bg.pane", f"{state.meaning}.fill", 0.5) if state.meaning else theme.color("bg.pane")
            painter.fillRect(self.rect(), ground)
            painter.fillRect(0, HEIGHT - 1, self.width(), 1, theme.color("line.soft"))
            painter.fillRect(0, 0, 4, HEIGHT, theme.color(f"{state.meaning}.line" if state.meaning else "line.strong"))
            x: float = self._paint_dot(painter, state.meaning)
            base, strong = fonts.baseline(0, HEIGHT), fonts.ui_font(13, 600)
            x += draw_text(painter, x, base, state.head, strong, theme.color("ink.1"))
            if state.time:
                x += 8 + draw_text(painter, x + 8, base, state.time, fonts.wire_font(13), theme.color("ink.1"))
            if state.more:
                room = (self.dismiss.x() if self.dismiss.isVisible() else self.width()) - EDGE - x - 12
                words = fonts.elided(fonts.ui_font(13), state.more, int(max(room, 0)))
                x += 12 + draw_text(painter, x + 12, base, words, fonts.ui_font(13), theme.color("ink.2"))
                if state.goes_on:
                    draw_text(painter, x + 8, base, state.goes_on, fonts.wire_font(13), theme.color("ink.2"))
            elif not session.growth.ended:
                x = self._paint_wait(painter, x, base)
                x = self._paint_rates(painter, x, base)
                self._paint_path(painter, x, base)

    def _paint_dot(self, painter: QPainter, meaning: str) -> int:
        """The mark: a dot with a ring that beats once a second while the stream is live."""
        theme, session = self._look.theme, self._session
        if session.growth.ended:
            ink = theme.meaning(meaning).line if meaning else theme.color("ink.2")
            draw_icon(painter, EDGE, (HEIGHT - SMALL) // 2, meaning or "check", ink, SMALL)
            return EDGE + SMALL + 8
        color = theme.meaning("error").line
        centre = QPointF(EDGE + GLOW, HEIGHT / 2)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawEllipse(centre, DOT, DOT)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.veil("error.line", self._beat()), 1.5))
        painter.drawEllipse(centre, GLOW, GLOW)
        painter.restore()
        return EDGE + 2 * int(GLOW) + 10

    def _beat(self) -> float:
        """How strong the ring is: it fades within each second; where nothing may move it is always there."""
        if not self._look.motion:
            return 0.7
        return 1.0 - 0.8 * (self._session.now % SECOND) / SECOND

    def _separated(self, painter: QPainter, x: float) -> float:
        painter.fillRect(round(x) + GAP, 12, 1, HEIGHT - 24, self._look.theme.color("line"))
        return x + 2 * GAP

    def _paint_wait(self, painter: QPainter, x: float, base: int) -> float:
        """How long nothing came; the track fills up to the moment at which the capture gives up."""
        session, theme = self._session, self._look.theme
        if session.waited < SILENT_NS or not session.sent:
            return x
        x = self._separated(painter, x)
        colors, font = theme.meaning("warning"), fonts.ui_font(13)
        draw_icon(painter, x, (HEIGHT - SMALL) // 2, "hourglass", colors.line, SMALL)
        x += SMALL + 8
        x += draw_text(painter, x, base, "No byte for ", font, colors.text)
        x += draw_text(painter, x, base, wait_words(session), fonts.ui_font(13, 600), colors.text) + 10
        if session.idle_s <= 0:
            return x - 10
        width, height = TRACK
        track = QRect(round(x), (HEIGHT - height) // 2, width, height)
        rounded(painter, track, theme.color("bg.sunken"), None, 2)
        part = min(1.0, session.waited / (session.idle_s * SECOND))
        rounded(painter, QRect(track.left(), track.top(), max(3, round(width * part)), height), colors.line, None, 2)
        small = fonts.ui_font(fonts.SECONDARY)
        words = limit_words(session.idle_s)
        return x + width + 8 + draw_text(painter, x + width + 8, base, words, small, theme.color("ink.3"))

    def _paint_rates(self, painter: QPainter, x: float, base: int) -> float:
        """Tokens a second; a tilde where they are guessed from characters."""
        theme = self._look.theme
        rates = self.rates()
        if not any(value for _, value in rates) or x + 320 > self.width():
            return x
        x = self._separated(painter, x)
        light, strong = fonts.ui_font(fonts.BODY), fonts.ui_font(fonts.BODY, 600)
        about = "~" if self._speed is not None and self._speed.about else ""
        for n, (name, value) in enumerate(rates):
            x += draw_text(painter, x, base, name, light, theme.color("ink.2")) + 6
            unit = " tok/s" if n == 0 else ""
            shown = f"{about}{value}{unit}" if value else "–"
            x += draw_text(painter, x, base, shown, strong, theme.color("ink.1")) + 14
        return x - 14

    def _paint_path(self, painter: QPainter, x: float, base: int) -> None:
        font = fonts.wire_font(fonts.SECONDARY)
        room = int(min(self.width() - EDGE - x - GAP, self.width() * PATH_SHARE))
        if room < LEAST_PATH:
            return
        shown = visible(self._path)
        if fonts.text_width(font, shown) > room:
            # The name is what matters; of a long one its end.
            shown = f"…/{shown.rpartition('/')[2]}"
        while fonts.text_width(font, shown) > room:
            shown = f"…{shown[3:]}"
        left = self.width() - EDGE - fonts.text_width(font, shown)
        draw_text(painter, left, base, shown, font, self._look.theme.color("ink.3"))


def shown_state(session: LiveSession) -> State:
    """What the strip says: of a paused view how much waits behind it, else how far the stream is."""
    behind = session.behind
    if behind is None:
        return state_of(session)
    at, waits = f"at {running(session.now)}", f"{behind.count} behind"
    if behind.ended:
        return State("View paused", at, f"{waits} · the stream has ended meanwhile", "info")
    return State("View paused", at, f"{waits} · the recording goes on", "info", running(session.elapsed))


def short_path(path: str) -> str:
    """A path with ~ for the home of the user."""
    try:
        return f"~/{Path(path).relative_to(Path.home()).as_posix()}"
    except (ValueError, RuntimeError):
        return clip(path, 300)
