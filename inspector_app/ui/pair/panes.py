"""The lines, or the blocks, of two recordings side by side, which scroll in step."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollBar, QStackedWidget, QVBoxLayout, QWidget

from inspector_app.core.pairing import Pairing, place
from inspector_app.core.text import number
from inspector_app.ui.frames import PaneHead, Splitter
from inspector_app.ui.pair.marks import PairEvidences
from inspector_app.ui.pair.outcome import Marked
from inspector_app.ui.pair.side import SideSession
from inspector_app.ui.pair.timelines import LETTERS
from inspector_app.ui.theme import Look
from inspector_app.ui.views import raw as raw_view
from inspector_app.ui.views.cards import Cards
from inspector_app.ui.views.pane_parts import ColumnHead, Pane, Word, row_bar
from inspector_app.ui.views.raw import RawLines
from inspector_app.ui.views.row_view import ROW

LEAST = 300
TITLES = ("Raw lines", "Blocks")


class SidePane(QWidget):
    """One recording: its lines, or its blocks as flowing text."""

    def __init__(self, session: SideSession, look: Look, letter: str) -> None:
        super().__init__()
        self.session = session
        self.evidences = PairEvidences(session)
        self.raw = RawLines(session, look, self.evidences)
        self.raw.setAccessibleName(f"Raw lines of {letter}")
        self.cards = Cards(session, look, self.evidences)
        self.cards.setAccessibleName(f"Blocks of {letter}")
        self.bar = row_bar()
        self._heads = [PaneHead(f"{letter}   {title}") for title in TITLES]
        columns, blocks = ColumnHead(look), ColumnHead(look)
        columns.show_words([Word("line", raw_view.NUMBER, True), Word("bytes as they came", raw_view.WORDS)])
        blocks.show_words([Word("as flowing text", 16)])
        lines = Pane(self._heads[0], columns, self.raw, LEAST, self.bar, self.raw.side_bar)
        lines.hovered.connect(self.raw.side_bar.hover)
        self._pages = QStackedWidget()
        self._pages.addWidget(lines)
        self._pages.addWidget(Pane(self._heads[1], blocks, self.cards, LEAST))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._pages)
        self._join_bar()
        session.grown.connect(self.grow)
        session.compared.connect(self._change)
        session.failed.connect(lambda words: self.raw.say_empty("error", "This file cannot be shown", words))
        self.raw.say_empty("clock", "Still being read", "Its lines come when it has been read.")

    def _join_bar(self) -> None:
        leader, bar = self.raw.verticalScrollBar(), self.bar

        def follow(least: int, most: int) -> None:
            bar.setPageStep(leader.pageStep())
            bar.setSingleStep(leader.singleStep())
            bar.setRange(least, most)
            bar.setValue(leader.value())
            bar.setVisible(most > least)

        leader.rangeChanged.connect(follow)
        leader.valueChanged.connect(bar.setValue)
        bar.valueChanged.connect(leader.setValue)
        bar.hide()

    def grow(self) -> None:
        """More was read."""
        if self.evidences.extend():
            self.raw.restart()
        self.raw.show_growth()
        self.cards.show_growth()
        reading = self.session.reference
        if reading is not None:
            self._heads[0].remark.setText(number(len(reading.lines)))
            self._heads[1].remark.setText(number(len(reading.blocks)))
            if reading.ended:
                self.raw.say_empty("document", "No lines", "This body is empty: not one byte came.")

    def _change(self) -> None:
        self.evidences.forget()
        self.raw.forget()
        self.grow()

    def mark(self, marked: Marked) -> None:
        """Show what differs."""
        self.evidences.take(marked)
        self.raw.forget()
        self.cards.show_growth()

    def show_cards(self, on: bool) -> None:
        """Show the blocks, or the lines."""
        self._pages.setCurrentIndex(int(on))

    @property
    def shown(self) -> QWidget:
        """What takes the keyboard."""
        return self.cards if self._pages.currentIndex() else self.raw

    @property
    def bars(self) -> tuple[QScrollBar, ...]:
        """What it is scrolled by."""
        return self.raw.verticalScrollBar(), self.raw.horizontalScrollBar(), self.cards.verticalScrollBar()

    # places

    def anchor(self) -> int:
        """The height in view at which both are aligned: that of the selected event, else a third from above."""
        event, view = self.raw.selected_event(), self.raw.viewport().height()
        if event is not None:
            y = self.raw.rows().rows_of(event)[0] * ROW - self.raw.verticalScrollBar().value()
            if 0 <= y < view:
                return y
        return view // 3

    def position_at(self, y: int) -> float:
        """The place in view at a height, in events."""
        rows = self.session.rows
        pixel = max(0, self.raw.verticalScrollBar().value() + y)
        if not rows.events or not len(rows):
            return 0.0
        event, _ = rows.at(min(pixel // ROW, len(rows) - 1))
        first, last = rows.rows_of(event)
        return event + min(1.0, (pixel / ROW - first) / (last - first))

    def show_position(self, position: float, y: int) -> None:
        """Scrolls so that a place, in events, is at a height."""
        rows = self.session.rows
        if not rows.events:
            return
        event = min(int(position), rows.events - 1)
        first, last = rows.rows_of(event)
        self.raw.verticalScrollBar().setValue(round((first + (position - event) * (last - first)) * ROW - y))


def _position_of(cards: Cards) -> float | None:
    """The place at the upper edge of the blocks, in events; None where there is none."""
    stack, y = next(iter(cards.stacks), None), cards.verticalScrollBar().value()
    at = bisect_right(stack.tops, y) - 1 if stack is not None else -1
    if stack is None or not 0 <= at < len(stack.cards):
        return None
    block = stack.cards[at].block
    part = min(1.0, (y - stack.tops[at]) / max(1, stack.cards[at].height))
    return block.first_event + part * (block.last_event + 1 - block.first_event)


def _height_of(cards: Cards, position: float) -> int:
    """Where a place, in events, stands among the blocks, in pixels."""
    stack = next(iter(cards.stacks), None)
    if stack is None or not stack.cards:
        return 0
    # The first of blocks that begin together.
    at = max(0, bisect_right(stack.cards, position, key=lambda card: card.block.first_event) - 1)
    block = stack.cards[at].block
    at = bisect_left(stack.cards, block.first_event, key=lambda card: card.block.first_event)
    part = (position - block.first_event) / (block.last_event + 1 - block.first_event)
    return round(stack.tops[at] + min(1.0, max(0.0, part)) * stack.cards[at].height)


def _top_of(cards: Cards, event: int) -> int | None:
    """Where the block of an event begins, in pixels; of one between two blocks the one before."""
    stack = next(iter(cards.stacks), None)
    if stack is None or not stack.cards:
        return None
    return stack.tops[max(0, bisect_right(stack.cards, event, key=lambda card: card.block.first_event) - 1)]


class PairPanes(Splitter):
    """Two `SidePane`s that scroll in step."""

    def __init__(self, look: Look, sides: tuple[SideSession, SideSession]) -> None:
        super().__init__(look, Qt.Orientation.Horizontal)
        self.sides = SidePane(sides[0], look, LETTERS[0]), SidePane(sides[1], look, LETTERS[1])
        self._pairing: Pairing | None = None
        self._busy = False
        for number_, side in enumerate(self.sides):
            self.addWidget(side)
            self.setStretchFactor(number_, 1)
            side.raw.verticalScrollBar().valueChanged.connect(lambda _, n=number_: self.follow(n))
            side.cards.verticalScrollBar().valueChanged.connect(lambda _, n=number_: self._follow_cards(n))
            side.raw.aside.connect(self._focus)
            side.cards.aside.connect(self._focus)

    def align(self, pairing: Pairing | None) -> None:
        """Scroll by this pairing from now on."""
        self._pairing = pairing
        self.follow(0)

    def show_cards(self, on: bool) -> None:
        """Show the blocks of both, or the lines."""
        self._busy = True
        for side in self.sides:
            side.show_cards(on)
        self._busy = False
        a, b = (side.session.selection.current for side in self.sides)
        if on and a is not None and b is not None:
            self._level_cards(a.event, b.event)

    def mark(self, marked: tuple[Marked, Marked]) -> None:
        """Show what differs."""
        for side, its in zip(self.sides, marked, strict=True):
            side.mark(its)

    def follow(self, leader: int) -> None:
        """Brings what stands beside it in the other recording to the same height."""
        if self._busy or self._pairing is None:
            return
        led, other = self.sides[leader], self.sides[1 - leader]
        if not led.session.rows.events or not other.session.rows.events:
            return
        self._busy = True
        y = led.anchor()
        beside = (self._pairing.b_of, self._pairing.a_of)[leader]
        other.show_position(place(beside, led.position_at(y), led.session.rows.events), y)
        self._busy = False

    def _follow_cards(self, leader: int) -> None:
        bars = [side.cards.verticalScrollBar() for side in self.sides]
        led, other = bars[leader], bars[1 - leader]
        if self._busy or not led.maximum():
            return
        self._busy = True
        cards, total = self.sides[leader].cards, self.sides[leader].session.rows.events
        position = _position_of(cards)
        # Both begin and end together, whatever stands there.
        if self._pairing is None or position is None or led.value() in (0, led.maximum()):
            other.setValue(round(led.value() / led.maximum() * other.maximum()))
        else:
            beside = (self._pairing.b_of, self._pairing.a_of)[leader]
            other.setValue(_height_of(self.sides[1 - leader].cards, place(beside, position, total)))
        self._busy = False

    def level(self, a: int, b: int) -> None:
        """Brings two events to one height."""
        self._busy = True
        left, right = self.sides
        if a < left.session.rows.events and b < right.session.rows.events:
            right.show_position(b, left.anchor())
        self._busy = False
        self._level_cards(a, b)

    def _level_cards(self, a: int, b: int) -> None:
        """Brings the blocks of two events to one height."""
        left, right = (side.cards for side in self.sides)
        tops = _top_of(left, a), _top_of(right, b)
        if tops[0] is None or tops[1] is None or not left.isVisible():
            return
        self._busy = True
        bars = left.verticalScrollBar(), right.verticalScrollBar()
        bars[1].setValue(tops[1] - tops[0] + bars[0].value())
        # Where B ends too early for that, A gives way.
        bars[0].setValue(tops[0] - tops[1] + bars[1].value())
        self._busy = False

    def hold(self, on: bool) -> None:
        """While on, each scrolls for itself."""
        self._busy = on

    def _focus(self, step: int) -> None:
        if 0 <= (at := (0 if step < 0 else 1)) < len(self.sides):
            self.sides[at].shown.setFocus(Qt.FocusReason.ShortcutFocusReason)
