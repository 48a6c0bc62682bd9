"""Find in every open recording: a list of what was found beside the window, each row a way there."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, QObject, QRect, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from inspector_app.core.field_search import FIELDS, MOST_MEANT, FieldSearch
from inspector_app.core.pattern import PatternFault, Query
from inspector_app.core.reading import Reading
from inspector_app.core.search import Key, Match, Search
from inspector_app.core.text import number, visible
from inspector_app.ui import fonts
from inspector_app.ui.commands import Command
from inspector_app.ui.find.bar import FindBar
from inspector_app.ui.find.control import STEP_NS
from inspector_app.ui.find.filters import SavedFilters
from inspector_app.ui.find.words import offers, said
from inspector_app.ui.labels import draw_text
from inspector_app.ui.models.table import Index, TableModel
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.theme import Look, Theme
from inspector_app.ui.views.row_states import PLAIN, SELECTED, paint_focus, paint_state
from inspector_app.ui.views.row_table import RowTable

if TYPE_CHECKING:
    from inspector_app.ui.window import Window

ROW = 22
SIZE, LEAST = (860, 460), (520, 240)
PAD, EDGE = 8, 8
BEFORE, AFTER = 32, 120
"""Bytes around a match that are shown of it."""
MOST = 200
"""Matches that are listed of one recording."""
PATIENCE_MS = 150
RECORDING, EVENT, TEXT = range(3)
HEADS = ("recording", "event", "what stands there")
WIDTHS = {RECORDING: 220, EVENT: 84}

_ENDS = re.compile(r"[\r\n]")


class Hit(NamedTuple):
    """One row: a match with what stands around it, or without one how many more there are."""

    page: RecordingPage
    match: Match | None
    words: tuple[str, str, str]
    """What stands before, the match, and what stands behind."""


class _Model(TableModel):
    heads, numbers = HEADS, (EVENT,)
    rows: list[Hit]

    def cell(self, row: Hit, at: int, column: int, spoken: bool) -> str:
        if column == RECORDING:
            return visible(row.page.title)
        if column == EVENT:
            return "" if row.match is None else number(row.match.event)
        return "".join(row.words)


class _Delegate(QStyledItemDelegate):
    def __init__(self, look: Look, model: _Model, table: RowTable) -> None:
        super().__init__(table)
        self._look, self._model, self._ring = look, model, table.ring

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect, column = self._look.theme, option.rect, index.column()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected and column:
            painter.fillRect(rect, theme.color("sel.fill"))
        else:
            paint_state(painter, theme, rect, SELECTED if selected else PLAIN)
        left = rect.left() + (EDGE if column == RECORDING else PAD)
        if column == TEXT:
            self._paint_words(painter, theme, rect, left, self._model.rows[index.row()])
        else:
            font = fonts.wire_font(fonts.BODY) if column == EVENT else fonts.ui_font(fonts.BODY)
            words = fonts.elided_inside(font, str(index.data()), rect.right() - PAD - left)
            if column == EVENT:
                left = rect.right() - PAD - round(fonts.text_width(font, words))
            draw_text(painter, left, fonts.baseline(rect.top(), ROW), words, font, theme.color("ink.2"))
        if self._ring.shown and option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, theme, rect)

    def _paint_words(self, painter: QPainter, theme: Theme, rect: QRect, left: int, hit: Hit) -> None:
        font, base = fonts.wire_font(fonts.BODY), fonts.baseline(rect.top(), ROW)
        for place, words in enumerate(hit.words):
            words = fonts.elided(font, words, max(8, rect.right() - PAD - left))
            width = round(fonts.text_width(font, words))
            if place == 1 and words:
                painter.fillRect(QRect(left, rect.top() + 3, width, ROW - 6), theme.color("find.fill"))
            draw_text(painter, left, base, words, font, theme.color("ink.1" if place == 1 else "ink.2"))
            left += width


def hits_of(page: RecordingPage, reading: Reading, search: Search | FieldSearch) -> list[Hit]:
    """The rows of a recording that was searched."""
    found = []
    places: dict[Key, tuple[int, int]] = {}
    for first, end, key in search.ranges if isinstance(search, FieldSearch) else ():
        places.setdefault(key, (first, end))
    for key in search.order[:MOST]:
        match = search.matches[key]
        start, end = places.get(key, (match.start, match.end))
        last = min(end, start + AFTER)
        pieces = (max(0, start - BEFORE), start), (start, last), (last, min(len(reading.body), start + AFTER))
        before, held, after = (reading.body.slice(*piece).decode("utf-8", "replace") for piece in pieces)
        # What stands in other lines is of no help.
        before, held, after = _ENDS.split(before)[-1], held.rstrip("\r\n"), _ENDS.split(after)[0]
        found.append(Hit(page, match, (visible(before), visible(held), visible(after))))
    more = len(search.order) - MOST
    if more > 0:
        found.append(Hit(page, None, (f"and {number(more)} more", "", "")))
    return found


class EverywhereDialog(QDialog):
    """Searches `pages()` again whenever something else is asked for. `chosen(page, query, byte)`: go there."""

    chosen = Signal(object, object, int)

    def __init__(self, look: Look, pages: Callable[[], Sequence[RecordingPage]], parent: QWidget) -> None:
        super().__init__(parent)
        self._pages = pages
        self.setWindowTitle("Find in all open recordings")
        self.setModal(False)
        self.setMinimumSize(*LEAST)
        self.resize(*SIZE)
        self.bar = FindBar(look)
        self.bar.leave.hide()
        self.bar.show()
        self.model = _Model(self)
        self.table = RowTable(look, "What was found", self.model, ROW)
        self.table.setItemDelegate(_Delegate(look, self.model, self.table))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        head = self.table.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        head.setSectionResizeMode(TEXT, QHeaderView.ResizeMode.Stretch)
        head.setHighlightSections(False)
        head.setFont(fonts.ui_font(fonts.SECONDARY))
        for column, width in WIDTHS.items():
            self.table.setColumnWidth(column, width)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self.table, 1)
        self._work: Iterator[None] | None = None
        self._of = 0
        self._counted: dict[RecordingPage, tuple[int, int]] = {}
        """How many matches each recording has that was looked through, and texts that were left out."""
        self._meant: dict[str, list[str]] = {}
        """Fields that recordings have not, as they were typed -> those of theirs that end in them."""
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._step)
        self.bar.fields = self._fields
        self.bar.asked.connect(self.look)
        self.bar.went.connect(self._walk)
        self.bar.closed.connect(self.close)
        self.table.clicked.connect(self._go)
        self.table.activated.connect(self._go)

    @property
    def busy(self) -> bool:
        """Whether the search still goes on."""
        return self._timer.isActive()

    def begin(self, query: Query | None = None) -> None:
        """Comes to the front, with what was asked for elsewhere."""
        if query is not None:
            self.bar.ask(query)
        self.show()
        self.raise_()
        self.activateWindow()
        self.bar.begin()
        self.look()

    def look(self) -> None:
        """Searches anew."""
        self.model.show_rows([])
        self._of, self._counted, self._meant = 0, {}, {}
        self.bar.offer(())
        query = self.bar.query
        self._work = self._search(query) if query.text else None
        if self._work is None:
            self._timer.stop()
            self.bar.say("", "")
        else:
            # While one types, each letter begins the search anew.
            self._timer.start(PATIENCE_MS)

    def _search(self, query: Query) -> Iterator[None]:
        pages = self._pages()
        self._of = len(pages)
        for page in pages:
            reading = page.session.reference
            if reading is None or page not in self._pages():
                continue
            search = FieldSearch(query, reading) if query.scope == FIELDS else Search(query, reading, [reading])
            for _ in search.steps():
                yield
            if page in self._pages():
                self._counted[page] = len(search.matches), search.given_up
                self.model.add_rows(hits_of(page, reading, search))
            for typed, paths in search.meant.items() if isinstance(search, FieldSearch) else ():
                held = self._meant.setdefault(typed, [])
                held += [path for path in paths if path not in held][: MOST_MEANT - len(held)]
            yield

    def forget(self, page: RecordingPage) -> None:
        """A tab goes: nothing of it is listed or counted any more."""
        if self._counted.pop(page, None) is not None:
            self.model.show_rows([hit for hit in self.model.rows if hit.page is not page])
        self._of = max(0, self._of - 1)
        if self._counted or self._of:
            self._say("searching" if self.busy else "")
        elif not self.busy:
            self.bar.say("", "")

    def _step(self) -> None:
        self._timer.setInterval(0)
        until = time.perf_counter_ns() + STEP_NS
        try:
            for _ in self._work or ():
                if time.perf_counter_ns() >= until:
                    self._say("searching")
                    return
        except PatternFault as fault:
            query = self.bar.query
            offered = offers(query, {}, str(fault), self._fields())
            self.bar.say(*said(query, None, str(fault), False, -1, "", offered))
            self.bar.offer(offered)
            self._timer.stop()
            return
        self._timer.stop()
        self._say("")
        if not self.model.rows:
            self.bar.offer(offers(self.bar.query, self._meant, "", self._fields()))

    def _say(self, remark: str) -> None:
        count, left_out = (sum(numbers) for numbers in zip((0, 0), *self._counted.values(), strict=True))
        nothing = "No event matches" if self.bar.query.scope == FIELDS else "Nothing found"
        found_in = sum(matches > 0 for matches, _ in self._counted.values())
        recordings = f"in {number(found_in)} of {number(self._of)} recording{'' if self._of == 1 else 's'}"
        words = f"{number(count)} found" if count else "" if remark else nothing
        if left_out:
            texts = "text" if left_out == 1 else "texts"
            recordings += f" · {number(left_out)} {texts} left out: this expression takes too long there"
        self.bar.say(words, remark or recordings, "ink.1" if count else "ink.2", bool(count))

    def _fields(self) -> list[str]:
        found: dict[str, None] = {}
        for page in self._pages():
            found |= dict.fromkeys(page.find.fields())
        return list(found)

    def _walk(self, step: int) -> None:
        if not self.model.rows:
            return
        row = (self.table.currentIndex().row() + step) % len(self.model.rows)
        index = self.model.index(row, TEXT)
        self.table.setCurrentIndex(index)
        self._go(index)

    def _go(self, index: QModelIndex) -> None:
        hit = self.model.rows[index.row()]
        if hit.page in self._pages():
            self.bar.remember()
            self.chosen.emit(hit.page, self.bar.query, -1 if hit.match is None else hit.match.start)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._timer.stop()
        super().closeEvent(event)


class Everywhere(QObject):
    """Opens the one list of a window, and leads from it to the recordings."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self.dialog: EverywhereDialog | None = None
        window.deck.closing.connect(self._closing)

    def commands(self) -> list[Command]:
        """What the window offers of it."""
        some, needs = self._has_pages, "needs a recording"
        return [Command("Find in all open recordings…", "Find", self.open, ("Ctrl+Alt+G",), some, needs, menu=True)]

    def _has_pages(self) -> bool:
        return bool(self._window.deck.pages())

    def open(self) -> None:
        """Opens the list with what is looked for in the recording in view."""
        window = self._window
        if self.dialog is None:
            self.dialog = EverywhereDialog(window.look, window.deck.pages, window)
            self.dialog.bar.saved = SavedFilters(window.settings)
            self.dialog.chosen.connect(self._go)
        page = window.page()
        self.dialog.begin(page.find.bar.query if page is not None and page.find.is_open else None)

    def _closing(self, page: object) -> None:
        if self.dialog is not None and isinstance(page, RecordingPage):
            self.dialog.forget(page)

    def _go(self, page: RecordingPage, query: Query, at: int) -> None:
        self._window.deck.show_page(page)
        page.find.look_for(query, max(0, at))
