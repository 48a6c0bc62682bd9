"""Raw lines, deltas and blocks side by side: three tables over the same rows that scroll as one."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QScrollBar,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from inspector_app.core.binary import binary_kind
from inspector_app.core.text import number
from inspector_app.ui.controls import icon_button
from inspector_app.ui.frames import SPLITTER, EmptyPane, PaneHead, Splitter, pane_tabs
from inspector_app.ui.icons import SMALL
from inspector_app.ui.labels import tip
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views import line_ends
from inspector_app.ui.views import raw as raw_view
from inspector_app.ui.views.block_index import BlockIndex
from inspector_app.ui.views.block_rows import LEFT_SHARE, BlockRows, columns_of
from inspector_app.ui.views.cards import SHARE as CARD_SHARE
from inspector_app.ui.views.cards import Cards
from inspector_app.ui.views.deltas import Deltas, is_timed, margin_in, places_in
from inspector_app.ui.views.evidence import Evidences
from inspector_app.ui.views.pane_parts import ColumnHead, Pane, Remark, Word, foot, row_bar
from inspector_app.ui.views.raw import RawLines
from inspector_app.ui.views.row_view import RowView
from inspector_app.ui.views.words import plural

RAW, DELTAS, BLOCKS = 640, 336, 616
LEAST_RAW, LEAST_DELTAS, LEAST_BLOCKS = 320, 240, 300
NARROW = 1100
"""Below this width the blocks are a tab beside the deltas."""
ROWS, CARDS, NOTHING = 0, 1, 2
BLOCK_PLACE = 2
SWITCH = (("grid", "Blocks along the rows"), ("list", "Reading view: blocks as flowing text"))
NO_EVENTS = {
    "html": "A web page has no events.",
    "text": "Plain text has no events.",
}
"""Framing -> why there is no delta."""
FOLDED, WHOLE = "same prefix folded", "whole lines shown"


class Panes(QWidget):
    """The three panes. `reading_view_changed` tells whether the blocks pane shows cards (true) or rows."""

    reading_view_changed = Signal(bool)

    def __init__(self, session: Session, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._look = session, look
        self._evidences = Evidences(session)
        self._tally = line_ends.Tally()
        self.raw = RawLines(session, look, self._evidences)
        self.deltas = Deltas(session, look, self._evidences)
        self.blocks = BlockRows(session, look, self._evidences)
        self.cards = Cards(session, look, self._evidences)
        self._views: tuple[RowView, ...] = (self.raw, self.deltas, self.blocks)
        self._moved = self._chosen = False
        self._tab = self._missed = 0
        self.found = self._evidences.found
        """What was looked for and found, for all panes."""
        self._counts: list[str] = []
        """How many blocks each chosen reading has, once all is read."""
        self._splitter = Splitter(look, Qt.Orientation.Horizontal)
        self._splitter.splitterMoved.connect(self._note_moved)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self._splitter)
        self._build_raw(look)
        self._build_deltas(look)
        self._build_blocks(look)
        self._join_scrolling()
        for place, view in enumerate(self._views):
            view.aside.connect(lambda step, place=place: self.focus_pane(place + step))
        self.cards.aside.connect(lambda step: self.focus_pane(BLOCK_PLACE + step))
        for viewport in (self.deltas.viewport(), self.blocks.viewport(), self.cards.viewport()):
            viewport.installEventFilter(self)
        session.grown.connect(self._grow)
        session.read.connect(self._change)
        session.compared.connect(self._change)
        session.mutes.changed.connect(self.show_marks)
        self._change()

    def _build_raw(self, look: Look) -> None:
        self._raw_head = PaneHead("Raw lines")
        self._fold = Remark(look, FOLDED)
        tip(self._fold, "Folds what a line repeats of the line before. A click on a fold opens that line.")
        self._fold.toggled.connect(self._fold_or_not)
        self._raw_head.add(self._fold)
        columns = ColumnHead(look)
        columns.show_words([
            Word("line", raw_view.NUMBER, True), Word("bytes as they came", raw_view.WORDS),
        ])  # fmt: skip
        self._raw_bar = row_bar()
        pane = Pane(self._raw_head, columns, self.raw, LEAST_RAW, self._raw_bar, self.raw.side_bar)
        pane.hovered.connect(self.raw.side_bar.hover)
        self._splitter.addWidget(pane)

    def _build_deltas(self, look: Look) -> None:
        self._delta_head = PaneHead("Deltas")
        self._delta_columns = ColumnHead(look)
        self._delta_bar = row_bar()
        self._delta_tabs = self._make_tabs(self._delta_head)
        below = foot()
        self.raw.side_bar.needed.connect(below.setVisible)
        self._delta_pane = Pane(
            self._delta_head, self._delta_columns, self.deltas, LEAST_DELTAS, self._delta_bar, below
        )
        self._splitter.addWidget(self._delta_pane)

    def _build_blocks(self, look: Look) -> None:
        self._block_head = PaneHead("Blocks")
        self._block_tabs = self._make_tabs(self._block_head)
        self._switch = QButtonGroup(self)
        for number_, (glyph, words) in enumerate(SWITCH):
            button = icon_button(look, glyph, words, size=SMALL)
            button.setCheckable(True)
            button.setFixedSize(24, 22)
            self._switch.addButton(button, number_)
            self._block_head.add(button)
        self._switch.button(ROWS).setChecked(True)
        self._switch.idClicked.connect(self._switch_clicked)
        self._block_columns = ColumnHead(look)
        self._block_bar = row_bar()
        self._pages = QStackedWidget()
        rows, below = QWidget(), foot()
        self.raw.side_bar.needed.connect(below.setVisible)
        column = QVBoxLayout(rows)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.addWidget(self.blocks)
        row.addWidget(self._block_bar)
        column.addLayout(row)
        column.addWidget(below)
        self._pages.addWidget(rows)
        self._pages.addWidget(self.cards)
        nothing = EmptyPane(look, "tool", "No blocks", "Nothing in this body is part of an answer.")
        nothing.setProperty("layer", "pane")
        nothing.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._pages.addWidget(nothing)
        self._block_pane = Pane(self._block_head, self._block_columns, self._pages, LEAST_BLOCKS)
        self._splitter.addWidget(self._block_pane)

    def _make_tabs(self, head: PaneHead) -> QTabBar:
        """Tabs that stand for two panes where there is no room for both."""
        tabs = pane_tabs(["Deltas", "Blocks"], "Deltas or blocks")
        tabs.currentChanged.connect(self._show_tab)
        tabs.hide()
        head.add(tabs)
        return tabs

    @property
    def row_bars(self) -> tuple[QScrollBar, ...]:
        """The scroll bars that stand for the rows; one of them is seen at a time."""
        return self._raw_bar, self._delta_bar, self._block_bar

    def hide_controls(self) -> None:
        """For a picture: nothing in it that asks to be clicked."""
        for control in (self._fold, *self._switch.buttons()):
            control.hide()

    # scrolling and arranging

    def _join_scrolling(self) -> None:
        own = [self._raw_bar, self._delta_bar, self._block_bar]
        leader, *others = [view.verticalScrollBar() for view in self._views]
        def lead(value: int, bar: QScrollBar) -> None:
            # A pane that has not taken its new size yet would pull the others back to what it can reach.
            if bar.maximum() == leader.maximum():
                leader.setValue(value)

        for bar in (*others, *own):
            leader.valueChanged.connect(bar.setValue)
            bar.valueChanged.connect(partial(lead, bar=bar))

        def follow(least: int, most: int) -> None:
            for bar in own:
                bar.setPageStep(leader.pageStep())
                bar.setSingleStep(leader.singleStep())
                bar.setRange(least, most)
                bar.setValue(leader.value())
            self._place_bars()

        leader.rangeChanged.connect(follow)
        for bar in others:
            bar.rangeChanged.connect(lambda _least, _most, bar=bar: bar.setValue(leader.value()))

    def _place_bars(self) -> None:
        """One scroll bar for the rows, right of the last pane that shows them, and only where there is more."""
        more, lines_alone = self._raw_bar.maximum() > 0, self.raw.rows() is not self._session.rows
        beside = self._pages.currentIndex() == ROWS
        self._raw_bar.setVisible(more and lines_alone)
        self._block_bar.setVisible(more and beside and not lines_alone)
        self._delta_bar.setVisible(more and (not beside or self._narrow()) and not lines_alone)

    def focus_pane(self, place: int) -> None:
        """Gives the keyboard to the lines (0), the deltas (1) or the blocks (2); other places do nothing."""
        if not 0 <= place <= BLOCK_PLACE:
            return
        if place and self._narrow():
            self._show_tab(place - 1)
        view = self.cards if place == BLOCK_PLACE and self.reading_view else self._views[place]
        view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _narrow(self) -> bool:
        return self.width() < NARROW

    def _show_tab(self, tab: int) -> None:
        self._tab = tab
        for tabs in (self._delta_tabs, self._block_tabs):
            with QSignalBlocker(tabs):
                tabs.setCurrentIndex(tab)
        self._arrange()

    def _arrange(self) -> None:
        narrow = self._narrow()
        for tabs in (self._delta_tabs, self._block_tabs):
            tabs.setVisible(narrow)
        self._delta_pane.setVisible(not narrow or self._tab == 0)
        self._block_pane.setVisible(not narrow or self._tab == 1)
        self._place_bars()
        if not self._moved:
            self._splitter.setSizes(widths(self.width()))

    def _note_moved(self) -> None:
        self._moved = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._name_columns()
        return False

    # rows or cards, folds or whole lines

    @property
    def reading_view(self) -> bool:
        """Whether the blocks pane shows cards of flowing text."""
        return self._switch.checkedId() == CARDS

    def show_reading_view(self, on: bool) -> None:
        """Shows the blocks as cards, or along the rows."""
        if on != self.reading_view:
            self._switch.button(CARDS if on else ROWS).setChecked(True)
            self._show_page()
            self.reading_view_changed.emit(on)

    def choose_reading_view(self, on: bool) -> None:
        """The same for a person: no comparison changes it any more."""
        self._chosen = True
        self.show_reading_view(on)

    def _show_page(self) -> None:
        readings = [side.reading for side in self._evidences.sides]
        nothing = self._session.complete and not any(reading.blocks or reading.client_error for reading in readings)
        self._pages.setCurrentIndex(NOTHING if nothing else self._switch.checkedId())
        self._arrange()
        self._name_columns()

    def _switch_clicked(self, page: int) -> None:
        self._chosen = True
        self._show_page()
        self.reading_view_changed.emit(page == CARDS)

    def show_whole_lines(self, on: bool) -> None:
        """Shows raw lines without folds."""
        self._fold.setChecked(on)

    def _fold_or_not(self, whole: bool) -> None:
        self._fold.setText(WHOLE if whole else FOLDED)
        self._fold.setAccessibleName(self._fold.text())
        self._fold.updateGeometry()
        self.raw.show_whole(whole)

    # following the session

    def _grow(self) -> None:
        if self._evidences.extend():
            self.raw.restart()
        for view in self._views:
            view.show_growth()
        self.cards.show_growth()
        self._name()

    def show_marks(self) -> None:
        """Show the marks of the findings that are known now."""
        self._evidences.forget()
        self.raw.forget()
        self._say_empty()
        self._grow()

    def _change(self) -> None:
        self._evidences.forget()
        self.raw.forget()
        sides, reference = self._evidences.sides, self._session.reference
        if reference is not None and self._session.complete:
            indexes = [self._evidences.index_of(side) for side in sides]
            other = any(side.reading is not reference for side in sides)
            whole = self._session.index_of(reference) if other else None
            self._missed = max(0, whole.fed - min(index.fed for index in indexes)) if whole is not None else 0
            self._counts = counted(indexes)
        self._say_empty()
        self._grow()
        if self._session.complete and not self._chosen and len(sides) > 1:
            # A call that one reading lacks is seen at once beside the whole one.
            ours, theirs = map(self._evidences.index_of, sides)
            self.show_reading_view(calls_of(ours) != calls_of(theirs))
        self._show_page()

    def _say_empty(self) -> None:
        reference = self._session.reference
        if reference is None or not reference.ended:
            nothing = ("clock", "Nothing has come yet", "No byte had arrived at the play head.")
            for view in (self.raw, self.deltas):
                view.say_empty(*nothing if self._session.held else ())
            return
        self.raw.say_empty("document", "No lines", "This body is empty: not one byte came.")
        binary = binary_kind(reference.body) if reference.framing == "text" else None
        what = NO_EVENTS.get(reference.framing, "Nothing in this body is an event.")
        what = f"{binary}: shown as bytes, not decoded." if binary else what
        self.deltas.say_empty("filter", "No deltas", what if len(reference.lines) else "An empty body has no events.")

    def _name(self) -> None:
        reference = self._session.reference
        if reference is None:
            return
        sides = self._evidences.sides
        ends = line_ends.said(self._tally.of(reference))
        self._raw_head.remark.setText(", ".join(filter(None, (number(len(reference.lines)), ends))))
        said = number(reference.delta_count)
        self._delta_head.remark.setText(f"{said}, {number(self._missed)} not read" if self._missed else said)
        last_open = bool(reference.blocks) and reference.blocks[-1].state == "open"
        one = number(len(reference.blocks)) + (", the last one open" if last_open else "")
        self._block_head.remark.setText("two readings" if len(sides) > 1 else one)
        self._name_columns()

    def _name_columns(self) -> None:
        at = places_in(self.deltas.viewport().width())
        order = "+ms" if is_timed(self._session.reference) else "order only"
        if order != "+ms" and at is places_in(0):
            order = "order"
        self._delta_columns.show_words([
            Word("event", at.event, True), Word("kind", at.kind), Word("value", at.value),
            Word(order, self.deltas.viewport().width() - margin_in(self.deltas.viewport().width()), True),
        ])  # fmt: skip
        width, share = self.blocks.viewport().width(), LEFT_SHARE
        if self.reading_view:
            width, share = self.cards.viewport().width(), CARD_SHARE
        columns = columns_of(self._evidences.sides, width, share)
        counts = [plural(len(column.side.reading.blocks), "block") for column in columns]
        if len(self._counts) == len(columns) and self._session.complete:
            counts = self._counts
        words: list[Word] = []
        for column, count in zip(columns, counts):
            reading = column.side.reading
            differs = len(set(counts)) > 1 and reading is not self._session.reference
            title = self._session.short_title_of(reading.reader)
            words.append(Word(title, column.left + 16, False, "ink.2", 600))
            ink, weight = ("error.text", 600) if differs else ("ink.2", 400)
            words.append(Word(count, column.left + column.width - 16, True, ink, weight))
        self._block_columns.show_words(words, [column.left for column in columns if column.left])


def calls_of(index: BlockIndex) -> list[tuple[object, ...]]:
    """The tool calls of a reading, as far as they decide whether it can act on them."""
    calls = (index.reading.blocks[n] for n in index.calls)
    return [(call.fields.get("id"), call.fields.get("name"), call.text) for call in calls]


def counted(indexes: list[BlockIndex]) -> list[str]:
    """How many blocks each reading has, or calls that can be run where that is what they differ in."""
    calls = [index.runnable for index in indexes]
    if len(set(calls)) > 1:
        return [f"{plural(count, 'call')} can be run" for count in calls]
    return [plural(len(index.reading.blocks), "block") for index in indexes]


def widths(total: int) -> list[int]:
    """Raw lines, deltas and blocks in a window of this width: deltas give way first, then the raw lines."""
    spare = total - 2 * SPLITTER - RAW - DELTAS - BLOCKS
    if spare >= 0:
        return [RAW + spare // 2, DELTAS, BLOCKS + spare - spare // 2]
    deltas = max(LEAST_DELTAS, DELTAS + spare)
    raw = max(LEAST_RAW, RAW + spare + DELTAS - deltas)
    return [raw, deltas, max(LEAST_BLOCKS, total - 2 * SPLITTER - raw - deltas)]
