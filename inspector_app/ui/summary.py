"""The strips above the timeline: what the recording is in one line, and how two readings differ in another."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QFont, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from inspector_app.core.binary import binary_kind
from inspector_app.core.text import clip, duration, number, visible
from inspector_app.core.timing import ladder
from inspector_app.core.transfer import stopped_words
from inspector_app.lenses import LITERAL, REFERENCE
from inspector_app.report.event_words import counted_events
from inspector_app.report.outline import finish
from inspector_app.ui import fonts
from inspector_app.ui.coded import draw_coded
from inspector_app.ui.controls import Button, SeverityCounts, icon_button
from inspector_app.ui.icons import draw_icon
from inspector_app.ui.labels import chip_width, draw_chip, draw_text, tip
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.verdict_words import literal_words, side_by_side
from inspector_app.ui.views.block_names import cannot_run, meaning_of

HEIGHT = 32
VERDICT_HEIGHT = 40
EDGE = 16
GAP = 11
SEVERITIES = ("error", "warning", "info")
VERDICT_ICONS = {
    "failed": "error",
    "lost": "brackets",
    "merged": "brackets",
    "fragmented": "scissors",
    "altered": "swap",
    LITERAL: "wand",
}
TOKENS = ("first_reasoning", "first_text", "first_tool")
"""Keys of the ladder that are a first token; a comment or a role is none."""
TIPS = {
    "TTFT": "Time to first token: from the request to the first event that brought text, reasoning or a tool call",
    "first byte": "From the request to the first byte of the answer",
    "events": "What a reader by the standard dispatches; comments and what the end of the data cut are no events to it",
    "end": "The marker by which the stream says that it is over",
    "finish": "The finish reason as the wire has it",
}
"""Label of a fact -> what it means."""
NO_DIALECT = {"html": "a web page", "json": "one JSON body", "text": "plain text", "none": "an empty body"}
"""Framing -> what a body is that speaks no dialect."""
_LARGE = re.compile(r"(?<![\w.-])[1-9]\d{3,}(?![\w.-])")
_KIND_WORDS = (("reasoning", "reasoning"), ("text", "text"), ("refusal", "refusal"))


@dataclass(frozen=True, slots=True)
class Item:
    """One fact: a label in ink.3, a value in ink.1, or words in a meaning's colour with its mark."""

    label: str
    value: str
    meaning: str = ""
    strong: bool = True
    fault: bool = False
    """Whether it is a fault: then mark and words have the colour of errors."""


def items_of(session: Session, flags: Counter[int] | None = None) -> list[Item]:
    """What the summary says of a session, most important first; nothing that was not measured.

    `flags` counts the events of the reference by their flag bits, where that is known already.
    """
    reading, left = session.reference, session.left
    exchange = session.exchange
    if reading is None or exchange is None or left is None:
        return []
    out = []
    if reading.provider is not None:
        out.append(Item("", reading.provider))
    model = reading.meta.get("model")
    if isinstance(model, str):
        out.append(Item("", visible(clip(model, 40))))
    if reading.dialect not in ("none", "unknown"):
        out.append(Item("", reading.dialect, strong=False))
    elif reading.ended:
        binary = binary_kind(exchange.body) if reading.framing == "text" else None
        out.append(Item("", binary or NO_DIALECT.get(reading.framing, "no dialect known"), strong=False))
    if exchange.http is not None:
        out.append(Item("HTTP", str(exchange.http.status)))
    dispatched, besides = counted_events(Counter(reading.events.flags) if flags is None else flags)
    out.append(Item("events", " + ".join([number(dispatched), *besides])))
    times = ladder(reading)
    tokens = [time for key in TOKENS if (time := times[key]) is not None]
    if tokens:
        out.append(Item("TTFT", duration(min(tokens))))
    elif (first := times["first_byte"]) is not None:
        out.append(Item("first byte", duration(first)))
    for kind, word in _KIND_WORDS:
        blocks = [block for block in left.blocks if block.kind == kind]
        if blocks:
            deltas = sum(len(block.deltas) for block in blocks)
            took = _took(session, blocks[0].first_event, blocks[-1].last_event)
            words = f"{number(deltas)} delta{'' if deltas == 1 else 's'}" if deltas else "no text"
            words += f" · {took}" if took else ""
            out.append(Item(word, words, meaning_of(kind)))
    calls = [block for block in left.blocks if block.kind == "tool_call"]
    if calls:
        # Before its end nobody can say that a call will not be whole.
        broken = sum(map(cannot_run, calls)) if left.ended else 0
        words = number(len(calls))
        if broken:
            words += ", cannot be run" if broken == len(calls) else f", {broken} cannot be run"
        out.append(Item("tool calls", words, "tool", fault=broken > 0))
    reasons = ", ".join(visible(str(entry["raw"])) if entry["raw"] else "none" for entry in finish(left))
    if left.ended and reading.dialect not in ("none", "unknown"):
        if hasattr(reading.dialect_module, "FINISH"):
            out.append(Item("finish", reasons or "none"))
        unmarked = stopped_words(reading.exchange.end) if reading.cancelled else "no marker"
        out.append(Item("end", reading.marker or unmarked))
    return out


def grouped(words: str) -> str:
    """The same words with the digits of large numbers grouped."""
    return _LARGE.sub(lambda found: number(int(found[0])), words)


def _took(session: Session, first: int, last: int) -> str:
    reading = session.left
    if reading is None or last >= len(reading.events):
        return ""
    start, end = reading.time_of(first), reading.time_of(last)
    measured = session.exchange is not None and session.exchange.timing != "none"
    return duration(end - start) if measured and start is not None and end is not None else ""


class Summary(QWidget):
    """The summary strip. Items drop from the right where space ends, faults last, and never the severity counts."""

    severity_picked = Signal(str)

    def __init__(self, session: Session, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.look = look
        self._items: list[Item] = []
        self._places: list[tuple[float, float, str]] = []
        """From where to where a label and its value were painted, and the label."""
        self._counted: tuple[object, int, Counter[int]] = (None, 0, Counter())
        """The reading whose events are counted, how many of them are, and their flags."""
        self.counts = SeverityCounts(look)
        self.counts.picked.connect(self.severity_picked)
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE, 0, EDGE, 0)
        row.addStretch(1)
        row.addWidget(self.counts)
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for signal in (session.grown, session.read, session.compared, session.mutes.changed):
            signal.connect(self.refresh)
        look.changed.connect(self.update)

    def refresh(self) -> None:
        """Take the facts of the session again."""
        self._items = items_of(self.session, self._flags())
        reading = self.session.reference
        findings = reading.findings if reading is not None else []
        heard = self.session.mutes.heard(findings)
        errors, warnings, infos = (sum(f.severity == severity for f in heard) for severity in SEVERITIES)
        self.counts.show_counts(errors, warnings, infos, len(findings) - len(heard))
        self.setAccessibleName(", ".join(f"{item.label} {item.value}".strip() for item in self._items))
        self.update()

    def _flags(self) -> Counter[int]:
        """The events so far by their flags; those that were counted before are not counted again."""
        reading = self.session.reference
        known, done, flags = self._counted
        if reading is None:
            return Counter()
        if known is not reading or done > len(reading.events):
            done, flags = 0, Counter()
        count = len(reading.events)
        flags.update(reading.events.flags[done:count])
        self._counted = reading, count, flags
        return flags

    def tip_at(self, x: float) -> str:
        """What the fact at a place means, empty where it needs no words."""
        return next((TIPS.get(label, "") for start, end, label in self._places if start <= x < end), "")

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            tip(self, self.tip_at(event.pos().x()))
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self.look.theme
        self._places = []
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.pane"))
            painter.fillRect(0, HEIGHT - 1, self.width(), 1, theme.color("line.soft"))
            base = fonts.baseline(0, HEIGHT)
            right = self.counts.x()
            x = float(EDGE)
            for i, item in enumerate(self._fitting(right - 12 - EDGE)):
                if i:
                    painter.fillRect(round(x) + GAP, 9, 1, HEIGHT - 19, theme.color("line"))
                    x += GAP * 2 + 1
                start, x = x, self._paint(painter, x, base, item)
                self._places.append((start, x, item.label))

    def _fitting(self, room: float) -> list[Item]:
        """The items that have room: the faults first, then the others from the left."""
        kept: set[int] = set()
        for place in sorted(range(len(self._items)), key=lambda place: not self._items[place].fault):
            width = self._width(self._items[place]) + (GAP * 2 + 1 if kept else 0)
            if width > room:
                break
            room -= width
            kept.add(place)
        return [item for place, item in enumerate(self._items) if place in kept]

    def _fonts(self, item: Item) -> tuple[QFont, QFont]:
        return fonts.ui_font(fonts.BODY), fonts.ui_font(fonts.BODY, 600 if item.strong else 400)

    def _width(self, item: Item) -> float:
        light, strong = self._fonts(item)
        width = fonts.text_width(strong, item.value)
        if item.label:
            width += fonts.text_width(light, item.label) + 6
        return width + (18 if item.meaning else 0)

    def _paint(self, painter: QPainter, x: float, base: int, item: Item) -> float:
        theme = self.look.theme
        light, strong = self._fonts(item)
        if item.label:
            x += draw_text(painter, x, base, item.label, light, theme.color("ink.2")) + 6
        meaning = "error" if item.fault else item.meaning
        if item.meaning:
            color = theme.meaning(meaning).text
            draw_icon(painter, round(x), (HEIGHT - 14) // 2, item.meaning, color, 14)
            x += 18
        color = theme.meaning(meaning).text if item.meaning else theme.color("ink.1")
        return x + draw_text(painter, x, base, item.value, strong, color)


class VerdictStrip(QWidget):
    """Shown only while two readings differ: the verdict, at most eight words, then the cause."""

    first_difference = Signal()
    copy_report = Signal()
    every_client = Signal()
    what_if = Signal()

    def __init__(self, session: Session, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.look = look
        self.setFixedHeight(VERDICT_HEIGHT)
        self._bare = False
        self.first = Button(look, "First difference", "chevron-right")
        self.copy = Button(look, "Copy report", "export")
        tip(self.first, "Select the first event where the two readings part")
        tip(self.copy, "Copy the verdict, its cause and the evidence as Markdown", "Ctrl+R")
        self.every = icon_button(look, "grid", "Every client: how each of them reads it", "C")
        self.repairs = icon_button(look, "wand", "What if: which change of the stream would repair it", "I")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, EDGE, 0)
        layout.setSpacing(8)
        layout.addStretch(1)
        for button in (self.every, self.repairs, self.first, self.copy):
            layout.addWidget(button)
        self.every.clicked.connect(self.every_client)
        self.repairs.clicked.connect(self.what_if)
        self.first.clicked.connect(self.first_difference)
        self.copy.clicked.connect(self.copy_report)
        session.compared.connect(self.refresh)
        session.read.connect(self.refresh)
        look.changed.connect(self.update)
        self.hide()

    def hide_buttons(self) -> None:
        """For a picture: nothing in it that asks to be clicked."""
        self._bare = True
        self.refresh()

    def words(self) -> tuple[str, str, str]:
        """Verdict, headline and cause of the comparison; empty where the readings are the same."""
        story = self.session.story
        headline, cause = literal_words(self.session)
        if headline:
            return LITERAL, grouped(headline), cause
        if story is None or story.verdict == "same":
            return "", "", ""
        told = self.session.secondary == REFERENCE
        headline = story.headline if told else self._headline(story.headline)
        return story.verdict, grouped(headline), story.cause

    def _headline(self, words: str) -> str:
        """The difference with the reader's name in it: "1 reasoning block; ZCode 3.11 shows 149"."""
        right = self.session.right
        name = self.session.short_title_of(right.reader) if right is not None else ""
        return side_by_side(words, f"{name} shows") or f"{name}: {words}"

    def refresh(self) -> None:
        """Show or hide the strip as the comparison is now."""
        verdict, headline, cause = self.words()
        self.setVisible(bool(verdict))
        story = self.session.story
        for button in (self.first, self.copy):
            button.setVisible(not self._bare and story is not None and story.first_difference is not None)
        for button in (self.every, self.repairs):
            button.setVisible(not self._bare and verdict not in ("", LITERAL))
        self.setAccessibleName(f"{verdict}: {headline} {cause.replace('`', '')}".strip())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        verdict, headline, cause = self.words()
        theme = self.look.theme
        with QPainter(self) as painter:
            meaning = "info" if verdict == LITERAL else "error"
            painter.fillRect(self.rect(), theme.mixed("bg.pane", f"{meaning}.fill", 0.5))
            painter.fillRect(0, 0, 4, VERDICT_HEIGHT, theme.meaning(meaning).line)
            if verdict:
                icon = VERDICT_ICONS.get(verdict, "warning")
                width = chip_width(verdict, icon, weight=600)
                draw_chip(painter, theme, EDGE, (VERDICT_HEIGHT - 20) // 2, verdict, meaning, icon, solid=True)
                base = fonts.baseline(0, VERDICT_HEIGHT)
                buttons = (self.every, self.repairs, self.first, self.copy)
                room = min((one.x() for one in buttons if not one.isHidden()), default=self.width() - EDGE) - 24
                x = float(EDGE + width + 14)
                font = fonts.ui_font(14, 600)
                shown = fonts.elided(font, headline, max(40, room - x))
                x += draw_text(painter, x, base, shown, font, theme.color("ink.1"))
                if cause and room - x > 80:
                    draw_coded(painter, x + 8, base, f"— {cause}", room, theme.color("ink.2"), 13)

    def sizeHint(self) -> QSize:
        return QSize(400, VERDICT_HEIGHT)
