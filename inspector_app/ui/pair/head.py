"""What stands above two recordings that are compared: the controls, who they are, and what they differ in."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from inspector_app.core.text import duration, number, visible
from inspector_app.report.pace import Pace
from inspector_app.ui import fonts
from inspector_app.ui.controls import Button, icon_button
from inspector_app.ui.frames import pane_tabs
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import LONGEST_DRAWN, chip_width, draw_chip, draw_text, label, rounded, tip
from inspector_app.ui.pair.marks import LAYER_MARKS
from inspector_app.ui.pair.outcome import CLIENTS, LAYERS, Outcome
from inspector_app.ui.pair.side import SideSession
from inspector_app.ui.pair.timelines import LETTERS
from inspector_app.ui.strips import Notice
from inspector_app.ui.summary import grouped
from inspector_app.ui.theme import Look
from inspector_app.ui.tool_row import Step, ToolRow
from inspector_app.ui.verdict_marks import draw_verdict, meaning_of_verdict, verdict_width

NAMES, VERDICT, STATUS, EDGE = 44, 40, 24, 16
BOX = 20
TIMES = 0.7
"""Of the room of a name, for when it came."""
ROOMY = 1200
"""Pixels from which what is the same is told too."""
BLOCK, EVENT, TIME = ALIGNMENTS = ("Block", "Event", "Time")
LINES, CARDS = VIEWS = ("Raw lines", "Blocks")


class Toolbar(ToolRow):
    """The controls, for the page to connect. Where there is no room words give way to their icons."""

    def __init__(self, look: Look) -> None:
        super().__init__("head")
        self.picture = Button(look, "Save picture", "picture", "flat")
        self.copy = Button(look, "Copy as Markdown", "copy", "flat")
        self.swap = icon_button(look, "swap", "Swap the two recordings", "X")
        self.align = pane_tabs([*ALIGNMENTS], "Align by")
        self.view = pane_tabs([*VIEWS], "Show")
        self.previous = icon_button(look, "chevron-up", "Previous difference", "Shift+F8")
        self.next = Button(look, "Next difference", "chevron-down", "flat", keys="F8")
        tip(self.picture, "Save picture", "Ctrl+Shift+S")
        tip(self.copy, "Copy the differences as Markdown", "Ctrl+R")
        tip(self.next, "Next difference", "F8")
        tip(self.align, "Which events stand beside each other: of the same block, number, or time", "T")
        tip(self.view, "The lines as they came, or the blocks they make", "B")
        self._words = label("Align by", "ink.2"), label("show", "ink.2")
        row = self.row
        for widget in (self.picture, self.copy, self.swap, self._words[0], self.align, self._words[1], self.view):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.previous)
        row.addWidget(self.next)

    def steps(self) -> Sequence[Step]:
        return (
            lambda roomy: self.picture.setText("Save picture" if roomy else ""),
            lambda roomy: self.copy.setText("Copy as Markdown" if roomy else ""),
            lambda roomy: self._words[1].setVisible(roomy),
        )


class Names(QWidget):
    """The two recordings: letter, name, beside it when it came, and below what they are."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._sides: Sequence[SideSession] = ()
        self._times: tuple[str, str] = ("", "")
        self.setFixedHeight(NAMES)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def show_sides(self, sides: Sequence[SideSession], paces: Sequence[Pace] = ()) -> None:
        """Says it anew; their times once both are known."""
        self._sides = sides
        self._times = (paces[0].words, paces[1].words) if paces else ("", "")
        said = [", ".join(filter(None, (f"{letter}: {side.name}", self._about(side), times)))
                for letter, side, times in zip(LETTERS, sides, self._times)]  # fmt: skip
        self.setAccessibleName("; ".join(said))
        self.update()

    def _about(self, side: SideSession) -> str:
        if side.error is not None:
            return side.error
        if side.reference is None or not side.complete:
            return f"still being read, {side.part:.0%}"
        return f"{side.facts} · {number(len(side.reference.events))} events"

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._sides:
            at = int(event.pos().x() >= self.width() // 2)
            side = self._sides[at]
            tip(self, "\n".join(filter(None, (side.path, self._about(side), self._times[at]))))
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.pane"))
            painter.fillRect(QRect(0, NAMES - 1, self.width(), 1), theme.color("line"))
            for n, side in enumerate(self._sides):
                left = n * (self.width() // 2)
                right = left + self.width() // 2 - EDGE
                if n:
                    painter.fillRect(QRect(left, 0, 1, NAMES), theme.color("line"))
                box = QRect(left + EDGE, (NAMES - BOX) // 2, BOX, BOX)
                rounded(painter, box, theme.color("bg.sunken"), theme.color("line"), 4)
                font = fonts.ui_font(fonts.BODY, 600)
                x = box.left() + (BOX - fonts.text_width(font, LETTERS[n])) / 2
                draw_text(painter, x, fonts.baseline(box.top(), BOX), LETTERS[n], font, theme.color("ink.1"))
                at = box.right() + 10
                name = visible(side.name)[:LONGEST_DRAWN]
                small = fonts.ui_font(fonts.SECONDARY)
                wide = fonts.text_width(small, self._times[n])
                if wide:
                    wide = min(ceil(wide) + 1, round((right - at) * TIMES))
                    said = fonts.elided(small, self._times[n], wide)
                    draw_text(painter, right - wide, fonts.baseline(3, 20), said, small, theme.color("ink.1"))
                font = fonts.ui_font_for(name, fonts.BODY, 600)
                name = fonts.elided(font, name, round(right - at - wide - (EDGE if wide else 0)))
                draw_text(painter, at, fonts.baseline(3, 20), name, font, theme.color("ink.1"))
                words = visible(self._about(side))
                font = fonts.ui_font_for(words, fonts.SECONDARY)
                ink = theme.color("error.text" if side.error else "ink.2")
                draw_text(painter, at, fonts.baseline(21, 20), fonts.elided(font, words, right - at), font, ink)


class Found(QWidget):
    """In one line what they differ in: the verdict on the content, and how much of each layer."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._outcome: Outcome | None = None
        self._remark = ""
        self.setFixedHeight(VERDICT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def show_outcome(self, outcome: Outcome | None, remark: str = "") -> None:
        """Replaces what is said; without an outcome the remark alone."""
        self._outcome, self._remark = outcome, remark
        said = [remark]
        if outcome is not None:
            said = [*self.words(), *(f"{layer} {outcome.count(layer)}" for layer in LAYERS), remark]
        self.setAccessibleName(", ".join(filter(None, said)))
        self.update()

    def words(self) -> tuple[str, str, str, str, str]:
        """Verdict, headline, whom B breaks, cause, and whom it no longer breaks."""
        if self._outcome is None:
            return "", "", "", "", ""
        verdict, instead = self._outcome.verdict, self._outcome.headline
        same = verdict.verdict == "same"
        said = "The content is the same" if same else grouped(verdict.headline)
        cause = verdict.cause.replace("`", "")
        if instead:
            # A field that went says why; what became of the content follows from it.
            said, cause = instead, " ".join(filter(None, (said, cause)))
        return verdict.verdict, said, self._hurt(1, "breaks"), cause, self._hurt(0, "no longer breaks")

    def _hurt(self, side: int, verb: str) -> str:
        """The clients that read one of both otherwise than it is meant, and the other one right."""
        names = self._outcome.hurt(side) if self._outcome is not None else []
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        return f"{verb} {names[0]}{more}" if names else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, outcome = self._look.theme, self._outcome
        verdict, headline, breaks, cause, mends = self.words()
        with QPainter(self) as painter:
            meaning = meaning_of_verdict(verdict) if verdict not in ("", "same") else ""
            ground = theme.mixed("bg.pane", f"{meaning}.fill", 0.5) if meaning else theme.color("bg.pane")
            painter.fillRect(self.rect(), ground)
            painter.fillRect(QRect(0, VERDICT - 1, self.width(), 1), theme.color("line"))
            base, right = fonts.baseline(0, VERDICT), self.width() - EDGE
            for layer in self._layers()[::-1] if outcome is not None else ():
                right = self._paint_count(painter, layer, outcome.count(layer), right) - 12
            x = float(EDGE)
            if verdict == "same":
                draw_icon(painter, EDGE, (VERDICT - SMALL) // 2, "check", theme.color("ink.2"), SMALL)
                x += SMALL + 8
            elif verdict:
                painter.fillRect(QRect(0, 0, 4, VERDICT), theme.meaning(meaning).line)
                draw_verdict(painter, theme, EDGE, 0, VERDICT, verdict)
                x += verdict_width(verdict) + 12
            for words, font, ink in (
                (headline, fonts.ui_font(14 if meaning else fonts.BODY, 600), "ink.1"),
                (breaks, fonts.ui_font(fonts.BODY, 600), "error.text"),
                (mends, fonts.ui_font(fonts.BODY, 600), "ink.1"),
                (cause, fonts.ui_font(fonts.BODY), "ink.2"),
                (self._remark, fonts.ui_font(fonts.BODY), "ink.2"),
            ):
                room = round(right - 16 - x)
                if words and room > 60:
                    shown = fonts.elided(font, visible(words), room)
                    x += draw_text(painter, x, base, shown, font, theme.color(ink)) + 12

    def _layers(self) -> list[str]:
        """The layers whose counts are told: where there is little room those that differ, and no clients unasked."""
        outcome = self._outcome
        assert outcome is not None
        roomy = self.width() >= ROOMY
        return [layer for layer in LAYERS if outcome.count(layer) or (roomy and (layer != CLIENTS or outcome.asked))]

    def _paint_count(self, painter: QPainter, layer: str, count: int, right: int) -> int:
        """One count that ends at `right`; gives where it begins."""
        theme, (icon, meaning) = self._look.theme, LAYER_MARKS[layer]
        words = f"{layer} {number(count)}" if count else f"{layer} the same"
        if count:
            width = chip_width(words, icon)
            draw_chip(painter, theme, right - width, (VERDICT - 20) // 2, words, meaning, icon, height=20)
            return right - width
        font = fonts.ui_font(fonts.SECONDARY)
        width = SMALL + 4 + round(fonts.text_width(font, words))
        draw_icon(painter, right - width, (VERDICT - SMALL) // 2, "check", theme.color("ink.3"), SMALL)
        draw_text(painter, right - width + SMALL + 4, fonts.baseline(0, VERDICT), words, font, theme.color("ink.3"))
        return right - width

    def sizeHint(self) -> QSize:
        return QSize(400, VERDICT)


class Unasked(QWidget):
    """A line that says that no client has read the two yet, and the button that lets them."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.ask = Button(look, "Which clients read one otherwise?", "unread", "flat")
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE, 0, EDGE, 0)
        row.addWidget(label("The recordings are large, so no client was asked to read them.", "ink.2"))
        row.addWidget(self.ask)
        row.addStretch(1)
        self.setFixedHeight(VERDICT)
        self.hide()


class Status(QWidget):
    """The line below: which events stand beside each other, and by what."""

    def __init__(self, look: Look, sides: Sequence[SideSession]) -> None:
        super().__init__()
        self._look, self._sides, self._by = look, sides, ALIGNMENTS[0]
        self.setFixedHeight(STATUS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for side in sides:
            side.selection.changed.connect(self.update)
            side.grown.connect(self.update)
        look.changed.connect(self.update)

    def show_alignment(self, by: str) -> None:
        """Says how they are aligned."""
        self._by = by
        self.update()

    def words(self) -> list[str]:
        """What is selected in each of them."""
        said = []
        for letter, side in zip(LETTERS, self._sides):
            current, reading = side.selection.current, side.reference
            total = 0 if reading is None else len(reading.events)
            if current is None or current.event >= total:
                said.append(f"{letter} {number(total)} event{'' if total == 1 else 's'}")
                continue
            time = None if reading is None else reading.time_of(current.event)
            when = "" if time is None else f" at {duration(time)}"
            said.append(f"{letter} event {number(current.event)} of {number(total)}{when}")
        return said

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, font = self._look.theme, fonts.ui_font(fonts.SECONDARY)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.chrome"))
            base, right, x = fonts.baseline(0, STATUS), f"aligned by {self._by.lower()}", float(EDGE)
            end = self.width() - EDGE - fonts.text_width(font, right)
            draw_text(painter, end, base, right, font, theme.color("ink.2"))
            for n, words in enumerate(self.words()):
                if n:
                    painter.fillRect(QRect(round(x) + 8, 6, 1, STATUS - 12), theme.color("line.strong"))
                    x += 17
                x += draw_text(painter, x, base, words, font, theme.color("ink.1"))


class Progress(Notice):
    """How far the comparison is, and what has been done or went wrong."""

    def show_part(self, words: str, part: float) -> None:
        """How far it is, once it takes a while."""
        self.part = part
        self._tell(words, "clock", "Cancel")
        self.show()

    @property
    def shows_progress(self) -> bool:
        """Whether that is what it shows."""
        return self._mark == "clock" and not self.isHidden()
