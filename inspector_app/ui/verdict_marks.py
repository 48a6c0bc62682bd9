"""How a verdict on one client looks: its mark and word, and a strip that tells one in a line."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector_app.ui import fonts
from inspector_app.ui.coded import draw_coded
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import chip_width, draw_chip, draw_text
from inspector_app.ui.summary import VERDICT_ICONS, grouped
from inspector_app.ui.theme import Look, Theme

EDGE, STRIP, HEAD, CHIP = 16, 40, 132, 20
SEVERE = ("failed", "lost")
"""Verdicts that are drawn as errors; other differences are warnings."""
QUIET = {"right": ("check", "ink.2"), "n/a": ("", "ink.3")}


def meaning_of_verdict(verdict: str) -> str:
    """The colours of a verdict: "error", "warning", or "" for one without any."""
    return "" if verdict in QUIET else "error" if verdict in SEVERE else "warning"


def verdict_width(verdict: str) -> int:
    """How wide `draw_verdict` draws a word."""
    if verdict not in QUIET:
        return chip_width(verdict, VERDICT_ICONS.get(verdict, "warning"), weight=600)
    icon, _ = QUIET[verdict]
    return (SMALL + 4 if icon else 0) + round(fonts.text_width(fonts.ui_font(fonts.BODY, 500), verdict))


def draw_verdict(painter: QPainter, theme: Theme, x: int, y: int, height: int, verdict: str) -> int:
    """A chip for what differs, a tick and the word for what is right; gives its width."""
    if verdict not in QUIET:
        icon = VERDICT_ICONS.get(verdict, "warning")
        high = min(CHIP, height - 4)
        top, meaning = y + (height - high) // 2, meaning_of_verdict(verdict)
        return draw_chip(painter, theme, x, top, verdict, meaning, icon, height=high, weight=600)
    icon, ink = QUIET[verdict]
    at = x
    if icon:
        draw_icon(painter, at, y + (height - SMALL) // 2, icon, theme.color(ink), SMALL)
        at += SMALL + 4
    font = fonts.ui_font(fonts.BODY, 500)
    return at - x + round(draw_text(painter, at, fonts.baseline(y, height), verdict, font, theme.color(ink)))


class VerdictLine(QWidget):
    """A strip of one line: what it is of, the verdict, what differs, and numbers at the right."""

    def __init__(self, look: Look, title: str) -> None:
        super().__init__()
        self._look, self._title = look, title
        self._verdict = self._headline = self._cause = self._right = ""
        self._stale = False
        self.setFixedHeight(STRIP)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(title)
        look.changed.connect(self.update)

    @property
    def verdict(self) -> str:
        """The word that is shown."""
        return self._verdict

    @property
    def words(self) -> str:
        """All that is said, as a screen reader says it."""
        return self.accessibleName()

    def show_verdict(self, verdict: str, headline: str, cause: str = "", right: str = "") -> None:
        """Replaces what is told."""
        self._verdict, self._headline, self._cause, self._right = verdict, grouped(headline), cause, right
        self._stale = False
        said = ", ".join(filter(None, (verdict, self._headline, cause.replace("`", ""), right)))
        self.setAccessibleName(f"{self._title}: {said}")
        self.update()

    def show_stale(self) -> None:
        """What is told is being worked out again."""
        self._stale = True
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(480, STRIP)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, meaning = self._look.theme, meaning_of_verdict(self._verdict) if self._verdict else ""
        with QPainter(self) as painter:
            ground = theme.mixed("bg.pane", f"{meaning}.fill", 0.5) if meaning else theme.color("bg.pane")
            painter.fillRect(self.rect(), ground)
            bar = theme.meaning(meaning).line if meaning else theme.color("line.strong")
            painter.fillRect(0, 0, 4, STRIP, bar)
            painter.fillRect(0, STRIP - 1, self.width(), 1, theme.color("line.soft"))
            base = fonts.baseline(0, STRIP)
            draw_text(painter, EDGE, base, self._title, fonts.ui_font(fonts.BODY), theme.color("ink.2"))
            x = EDGE + HEAD
            if self._verdict:
                painter.setOpacity(0.5 if self._stale else 1)
                x += draw_verdict(painter, theme, x, 0, STRIP, self._verdict) + 12
                painter.setOpacity(1)
            small = fonts.ui_font(fonts.BODY)
            right = self.width() - EDGE - round(fonts.text_width(small, self._right))
            draw_text(painter, right, base, self._right, small, theme.color("ink.3" if self._stale else "ink.2"))
            bold, room = fonts.ui_font(fonts.LARGE, 600), right - EDGE
            ink = theme.color("ink.3" if self._stale else "ink.1")
            x += round(draw_text(painter, x, base, fonts.elided(bold, self._headline, max(24, room - x)), bold, ink))
            if self._cause and room - x > 60:
                draw_coded(painter, x + 8, base, f"— {self._cause}", room, theme.color("ink.2"))
