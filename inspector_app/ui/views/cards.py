"""Reading view: the blocks as cards of flowing text, one column for each chosen reading."""

from __future__ import annotations

import time
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)  # fmt: skip
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from inspector_app.core.blank_text import between_thoughts
from inspector_app.core.text import clip, number, visible
from inspector_app.core.types import Block
from inspector_app.ui import fonts
from inspector_app.ui.find.marks import Found, joined
from inspector_app.ui.labels import draw_text, tip
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.block_rows import Column, columns_of, sent_elsewhere
from inspector_app.ui.views.card_layout import BOX_PAD, HEAD, LEFT, LINE, Card, laying_out
from inspector_app.ui.views.card_paint import field_at, has_room, mended_chip, paint_card
from inspector_app.ui.views.copies import BLOCK_FIRST, Entry, copies
from inspector_app.ui.views.copy_menu import by_keyboard, copy_first, is_menu_key, pop_up
from inspector_app.ui.views.evidence import Evidences
from inspector_app.ui.views.failures import error_blocks
from inspector_app.ui.views.media_view import MediaView
from inspector_app.ui.views.sides import Side

SHARE = 0.5
EDGE, GAP = 12, 12
MOST = 2000
"""Cards in one column; more are found in the rows."""
SPOKEN = 400
AT_ONCE, HEAVY, STEP_NS = 100, 25, 8_000_000
"""Cards that are laid out in one step at least, for how many some hundred words count, and how long more may take."""
MARKS = 500
"""Places of one card that are marked on the scroll bar at most."""


@dataclass(slots=True)
class Stack:
    """The cards of one reading from top to bottom; `tops` has one entry more than there are cards."""

    column: Column
    cards: list[Card] = field(default_factory=list)
    tops: array[int] = field(default_factory=lambda: array("q"))
    more: int = 0


class Cards(QAbstractScrollArea):
    """Cards of the chosen readings. Up and down go from block to block; a click on a character selects its delta."""

    aside = Signal(int)

    def __init__(self, session: Session, look: Look, evidences: Evidences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._look, self._evidences = session, look, evidences
        self.stacks: list[Stack] = []
        self._kept: dict[tuple[int, int, int], Card] = {}
        self._stale = True
        self._media = MediaView()
        self._work: Iterator[int] = iter(())
        self._sought = False  # Whether the selected block is to be scrolled to as soon as it has its place.
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)
        self.setAccessibleName("Blocks, reading view")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setSingleStep(LINE)
        self.viewport().installEventFilter(self)
        session.selection.changed.connect(self._selected)
        look.changed.connect(self.viewport().update)

    def show_growth(self) -> None:
        """Blocks or readings have changed."""
        self._stale = True
        if self.isVisible():
            self._lay_out()
            self.viewport().update()

    # layout

    def _lay_out(self) -> None:
        self._stale = False
        known = [stack.column.side.reading for stack in self.stacks]
        stacks = [*map(Stack, columns_of(self._evidences.sides, self.viewport().width(), SHARE))]
        if known != [stack.column.side.reading for stack in stacks]:
            self.stacks = stacks  # Nothing of another reading is seen meanwhile.
        self._work = self._laying_out(stacks)
        self._go_on()

    def _go_on(self) -> None:
        """Lay out some cards, all of them where they are few; what is above is seen first."""
        done, until = 0, time.perf_counter_ns() + STEP_NS
        for weight in self._work:
            done += weight
            if done >= AT_ONCE and time.perf_counter_ns() >= until:
                self._timer.start()
                break
        else:
            self._timer.stop()
            if self._sought:
                self._show_selected(scroll=True)
        self._fit_bar()
        self.viewport().update()

    def _laying_out(self, stacks: list[Stack]) -> Iterator[int]:
        """Fill the stacks and show them; gives the weight of each piece of the work."""
        kept: dict[tuple[int, int, int], Card] = {}
        for stack in stacks:
            column = stack.column
            reading, names = column.side.reading, self._evidences.index_of(column.side).names
            width, complete = column.width - 2 * EDGE, self._session.complete
            mended, blank = self._session.mended(reading), between_thoughts(reading.blocks)
            y = EDGE
            for block in [*reading.blocks[:MOST], *error_blocks(column.side)]:
                key = (id(reading), block.n, width)
                # What is given up half done must not be found again.
                card = self._kept.pop(key, None)
                if card is None or (card.block is not block and block.n >= 0):
                    card = Card(block, "", width)
                lacks, fold = self._evidences.lacks(column.side, block), block.n in blank
                state = len(block.fragments), block.state, complete, len(self._evidences.sides), lacks, fold
                card.lacks, card.mended, card.folded = lacks, mended.get(block.n, ""), fold
                if card.taken != state or block.state == "open":
                    card.name = names[block.n] if block.n >= 0 else "Client error"
                    if block.kind == "media":
                        card.media = self._media.of(reading, block)
                    for _ in laying_out(card, sent_elsewhere(self._evidences, column.side, block)):
                        yield HEAVY
                    card.taken = state
                kept[key] = card
                stack.cards.append(card)
                stack.tops.append(y)
                y += card.height + GAP
                yield 1
            stack.tops.append(y)
            stack.more = max(0, len(reading.blocks) - MOST)
        self._kept, self.stacks = kept, stacks

    def _fit_bar(self) -> None:
        height = self.content_height + 2 * LINE * any(stack.more for stack in self.stacks)
        self.verticalScrollBar().setRange(0, max(0, height - self.viewport().height()))
        self.verticalScrollBar().setPageStep(self.viewport().height())

    @property
    def content_height(self) -> int:
        """How high the cards are together, of the reading that has more."""
        return max((stack.tops[-1] for stack in self.stacks if stack.tops), default=0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._lay_out()
        self._show_selected(scroll=True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.isVisible():
            self._lay_out()

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._stale:
            self._lay_out()
        # A painter that a fault leaves open ends the process, so it is closed in any case.
        with QPainter(self.viewport()) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        theme = self._look.theme
        view = self.viewport().rect()
        painter.fillRect(view, theme.color("bg.alt"))
        top = self.verticalScrollBar().value()
        chosen = self._chosen()
        for stack in self.stacks:
            column = stack.column
            if column.left:
                painter.fillRect(QRect(column.left, 0, 1, view.height()), theme.color("line"))
            first = max(0, bisect_right(stack.tops, top) - 1)
            for n in range(first, len(stack.cards)):
                y = stack.tops[n] - top
                if y > view.bottom():
                    break
                card = stack.cards[n]
                outlined = (column.side.reading.reader, card.block.n) == chosen
                fragment = self._fragment(column.side, card.block)
                found = self._found_in(column.side, card, y, view)
                here = y + card.height >= 0 and card.media is not None and not card.media.room.isEmpty()
                picture = self._media.picture(column.side.reading, card.block) if here else None
                paint_card(painter, theme, card, column.left + EDGE, y, view, outlined, fragment, found, picture)
            if stack.more:
                words = f"{number(stack.more)} more blocks, all of them in the rows"
                base = fonts.baseline(stack.tops[-1] - top, LINE)
                font = fonts.ui_font(fonts.BODY, italic=True)
                draw_text(painter, column.left + EDGE + LEFT, base, words, font, theme.color("ink.3"))

    def _found_in(self, side: Side, card: Card, y: int, view: QRect) -> list[Found]:
        """What was found in the part of a card that is in view, in characters of the text that it shows."""
        known, reader, n, flow = self._evidences.found, side.reading.reader, card.block.n, card.flow
        if flow is None or card.block.override is not None or not known.any_in_block(reader, n):
            return []
        lines = card.lines_in(y, view)
        if not lines:
            return []
        first, last = flow.lines[lines[0]][0], flow.lines[lines[-1]][1]
        found = []
        for i in range(flow.fragment_at(first), min(flow.fragment_at(last) + 1, len(card.block.fragments))):
            begin, text = flow.range_of(i)[0], card.block.fragments[i]
            found += [
                Found(begin + flow.shown(text, start), begin + flow.shown(text, end), current)
                for start, end, current in known.in_fragment(reader, n, i)
            ]
        return joined(found)

    def places_of(self, found: Mapping[tuple[str, int], Iterable[int]]) -> list[float]:
        """Where along the scroll bar fragments of blocks stand, (reader, block) -> fragments; sorted, 0 to 1."""
        height = max(1, self.content_height)
        places = set()
        for stack in self.stacks:
            reader = stack.column.side.reading.reader
            for top, card in zip(stack.tops, stack.cards):
                known = [*found.get((reader, card.block.n), ())]
                for fragment in known[:: len(known) // MARKS + 1]:
                    lines = [] if card.flow is None else card.flow.lines
                    start = 0 if card.flow is None else card.flow.range_of(fragment)[0]
                    line = max(0, bisect_right(lines, (start, 1 << 60)) - 1)
                    places.add((top + card.text_top + line * LINE) / height)
        return sorted(places)

    def _chosen(self) -> tuple[str, int] | None:
        """The reader and the block that are selected: one for all columns, the chosen reading's first."""
        current = self._session.selection.current
        if current is None or current.event >= self._session.rows.events:
            return None
        if current.block is not None and current.reader is not None:
            return current.reader, current.block
        for stack in self.stacks:
            side = stack.column.side
            reader, lines = side.reading.reader, range(*side.reference.lines_of(current.event))
            for card in stack.cards:
                # A call is also meant by the line that should have given it what it lacks.
                if any(entry.sent in lines for entry in card.fields if entry.value is None and entry.sent is not None):
                    return reader, card.block.n
            blocks = side.reading.delta_blocks
            own = side.own_event(current.event)
            fed = [blocks[delta] for delta in range(*side.reading.deltas_of(own))] if own is not None else []
            if current.delta is not None and current.reader == reader:
                fed = [blocks[current.delta]]
            found = next((n for n in fed if n >= 0), None)
            if found is not None:
                return reader, found
        return None

    def _fragment(self, side: Side, block: Block) -> int:
        """Which fragment of a block the selected event or delta brought, -1 for none."""
        current = self._session.selection.current
        if current is None or block.n < 0 or current.event >= self._session.rows.events:
            return -1
        own = side.own_event(current.event)
        if own is None:
            return -1
        first, last = side.reading.deltas_of(own)
        if current.delta is not None and current.reader == side.reading.reader:
            first, last = current.delta, current.delta + 1
        found = self._evidences.index_of(side).fragment_range(block.n, first, last - 1)
        return found[0] if len(found) else -1

    # selection

    def _selected(self, selection: Selection | None, origin: object) -> None:
        self.viewport().update()
        if self.isVisible():
            self._show_selected(scroll=origin is not self)

    def _show_selected(self, scroll: bool) -> None:
        chosen = self._chosen()
        self._sought = scroll and self._timer.isActive()
        for stack in self.stacks if chosen is not None else ():
            side = stack.column.side
            if chosen is not None and side.reading.reader == chosen[0] and 0 <= chosen[1] < len(stack.cards):
                card = stack.cards[chosen[1]]
                self._describe(card)
                if scroll:
                    self._reveal(stack, chosen[1], self._fragment(side, card.block))
                return

    def _describe(self, card: Card) -> None:
        self.setAccessibleDescription(card.spoken())

    def _reveal(self, stack: Stack, n: int, fragment: int) -> None:
        card, bar, room = stack.cards[n], self.verticalScrollBar(), self.viewport().height()
        top, height = stack.tops[n], min(card.height, room)
        if fragment >= 0 and card.flow is not None and card.height > room:
            line = bisect_right(card.flow.lines, (card.flow.range_of(fragment)[0], 1 << 60)) - 1
            end = card.text_top + (max(0, line) + 1) * LINE + 6 * card.boxed
            top, height = (top, end) if end <= room else (top + end - LINE, LINE)  # with its head where both fit
        if top < bar.value() or top + height > bar.value() + room:
            bar.setValue(top - min(EDGE, max(0, room - height)))

    def _card_at(self, x: int, y: int) -> tuple[Stack, int] | None:
        for stack in self.stacks:
            left, top = stack.column.left + EDGE, y + self.verticalScrollBar().value()
            n = bisect_right(stack.tops, top) - 1
            if not 0 <= n < len(stack.cards):
                continue
            card = stack.cards[n]
            if left <= x < left + card.width and top < stack.tops[n] + card.height:
                return stack, n
        return None

    # copying

    def copies(self) -> list[Entry]:
        """What can be copied of the selection."""
        return copies(self._session, self._session.selection.current, BLOCK_FIRST)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not by_keyboard(event):
            self._pick(event.pos())
        pop_up(self.viewport(), self.copies(), self._menu_place() if by_keyboard(event) else event.pos())

    def _menu_place(self) -> QPoint:
        """Where the menu of the selection opens: below the head of its card, as far as that is in view."""
        chosen = self._chosen()
        for stack in self.stacks:
            if chosen is not None and stack.column.side.reading.reader == chosen[0] and chosen[1] < len(stack.cards):
                y = stack.tops[chosen[1]] + HEAD - self.verticalScrollBar().value()
                return QPoint(stack.column.left + EDGE + LEFT, min(max(y, 0), self.viewport().height()))
        return QPoint(EDGE, EDGE)

    # picking

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # A filter, so that painting does not run inside of a Python override of viewportEvent.
        if watched is self.viewport() and isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            found = self._card_at(event.pos().x(), event.pos().y())
            over = found is not None and self._on_mended(*found, event.pos())
            words = "Show the literal reading" if over else self._cut_at(*found, event.pos()) if found else ""
            tip(self.viewport(), words, "L" if over else "")
        return False

    def _on_mended(self, stack: Stack, n: int, at: QPoint) -> bool:
        x, y = at.x() - stack.column.left - EDGE, at.y() + self.verticalScrollBar().value() - stack.tops[n]
        return mended_chip(stack.cards[n]).contains(x, y)

    def _cut_at(self, stack: Stack, n: int, at: QPoint) -> str:
        """What a place of a card has no room for: a value of a call."""
        card, y = stack.cards[n], at.y() + self.verticalScrollBar().value() - stack.tops[n]
        value = field_at(card, y)
        return "" if value is None or has_room(card, value) else clip(visible(value), SPOKEN)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pick(event.position().toPoint())

    def _pick(self, at: QPoint) -> None:
        found = self._card_at(at.x(), at.y())
        if found is None:
            return
        stack, n = found
        card = stack.cards[n]
        x, y = at.x() - stack.column.left - EDGE, at.y() + self.verticalScrollBar().value() - stack.tops[n]
        if self._on_mended(stack, n, at):
            self._session.show_literal()
        else:
            self._select(stack, card, self._fragment_at(card, x, y))

    def _fragment_at(self, card: Card, x: int, y: int) -> int:
        """The fragment whose character stands at a place of a card, -1 for none."""
        flow = card.flow
        if flow is None or card.block.override is not None:
            return -1
        inset = (BOX_PAD, 6) if card.boxed else (0, 0)
        line = (y - card.text_top - inset[1]) // LINE
        if not 0 <= line < len(flow.lines) or not flow.text:
            return -1
        start, end = flow.lines[line]
        position = min(max(start, end - 1), flow.position_at(line, x - LEFT - inset[0]))
        return flow.fragment_at(position)

    def _select(self, stack: Stack, card: Card, fragment: int) -> None:
        side, block = stack.column.side, card.block
        reader = side.reading.reader
        if 0 <= fragment < len(block.deltas):
            delta = block.deltas[fragment]
            event, place = side.place_of(delta)
            deltas = side.reference.deltas(event)
            pointer = deltas[place].pointer if place < len(deltas) else None
            picked = Selection(event, None, delta, pointer, block.n, reader)
        else:
            n = block.n if block.n >= 0 else None
            picked = Selection(side.shown_event(block.first_event), None, None, None, n, reader)
        self._session.selection.select(picked, self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if event.matches(QKeySequence.StandardKey.Copy):
            copy_first(self.viewport(), self.copies(), self._menu_place())
        elif is_menu_key(event):
            pop_up(self.viewport(), self.copies(), self._menu_place())
        elif event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.aside.emit(-1 if key == Qt.Key.Key_Left else 1)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step(-1 if key == Qt.Key.Key_Up else 1)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            bar = self.verticalScrollBar()
            bar.setValue(bar.minimum() if key == Qt.Key.Key_Home else bar.maximum())
        else:
            super().keyPressEvent(event)

    def _step(self, step: int) -> None:
        """Selects the block before or after the selected one, in the column where that is."""
        stacks = [stack for stack in self.stacks if stack.cards]
        if not stacks:
            return
        chosen = self._chosen()
        reader, n = (chosen[0], chosen[1] + step) if chosen is not None else ("", 0)
        stack = next((stack for stack in stacks if stack.column.side.reading.reader == reader), stacks[0])
        n = min(max(n, 0), len(stack.cards) - 1)
        self._select(stack, stack.cards[n], -1)
        self._reveal(stack, n, -1)
