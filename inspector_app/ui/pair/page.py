"""Two recordings side by side, in a tab of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from inspector_app.core.pairing import Pairing, along, by_number, by_time
from inspector_app.core.reading import Reading
from inspector_app.core.text import number, visible
from inspector_app.lenses import Lens
from inspector_app.lenses.clients import Asked, ask
from inspector_app.ui.background import Background
from inspector_app.ui.commands import Command
from inspector_app.ui.frames import EmptyPane, Splitter
from inspector_app.ui.pair.head import ALIGNMENTS, BLOCK, EVENT, TIME, Found, Names, Progress, Status, Toolbar, Unasked
from inspector_app.ui.pair.outcome import Outcome, outcome_of
from inspector_app.ui.pair.page_commands import commands_of
from inspector_app.ui.pair.panes import PairPanes
from inspector_app.ui.pair.said import markdown_of, nothing_of, remark_of
from inspector_app.ui.pair.side import SideSession
from inspector_app.ui.pair.table import ROW, DifferenceTable
from inspector_app.ui.pair.timelines import Timelines
from inspector_app.ui.selection import Selection
from inspector_app.ui.theme import Look
from inspector_app.ui.views.pane_parts import COLUMN_HEAD

LONGEST = 28
"""Characters of each name in the tab."""
LANES, TALL = (2, 3), 760
"""Lanes in sight of each timeline, and below the strips the height from which there are more."""
LIST, FEW = 0.24, 3
"""Of that height, for as many rows as there are; rows at least."""
PATIENCE = 4000
"""Events of both together up to which nothing is said of the comparison while it goes on."""
NOTHING, ROWS = range(2)


class PairPage(QWidget):
    """Compares when both are read. `picture_asked`: a picture of it is wanted; `swapped`: A is to be B."""

    picture_asked = Signal()
    swapped = Signal()

    def __init__(
        self, look: Look, a: SideSession, b: SideSession, lenses: Mapping[str, Lens], how: Mapping[str, str | None]
    ) -> None:
        """`lenses`: the clients that may be asked; `how`: the dialect and the framing where they are given."""
        super().__init__()
        self.look, self.sides, self._lenses, self._how = look, (a, b), lenses, how
        for side in self.sides:
            side.setParent(self)
        self.outcome: Outcome | None = None
        self.stopped = False
        self.alignment = BLOCK
        self._led: tuple[Selection | None, ...] = ()
        """What the chosen difference has selected on both sides."""
        self.fault = ""
        self._background = Background(self)
        self.toolbar, self.names, self.found, self.notice = Toolbar(look), Names(look), Found(look), Progress(look)
        self.status, self.unasked = Status(look, self.sides), Unasked(look)
        self.timelines = Timelines(look, self.sides)
        self.table = DifferenceTable(look)
        self.panes = PairPanes(look, self.sides)
        self._list = QStackedWidget()
        self._empty: QWidget = QWidget()
        self._said: tuple[str, ...] = ()
        """What stands in place of the rows."""
        self._list.addWidget(self._empty)
        self._list.addWidget(self._rows())
        self._body = Splitter(look, Qt.Orientation.Vertical)
        for part in (self.timelines, self._list, self.panes):
            self._body.addWidget(part)
        self.timelines.setMinimumHeight(120)
        self._list.setMinimumHeight(66)
        self.panes.setMinimumHeight(120)
        self._moved = False
        self._body.splitterMoved.connect(self._note_moved)
        self._body.installEventFilter(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.toolbar, self.notice, self.names, self.found, self.unasked):
            column.addWidget(widget)
        column.addWidget(self._body, 1)
        column.addWidget(self.status)
        self._connect()
        self._say()

    def _connect(self) -> None:
        bar = self.toolbar
        bar.picture.clicked.connect(self.picture_asked)
        bar.copy.clicked.connect(self.copy_markdown)
        bar.swap.clicked.connect(self.swap)
        bar.align.currentChanged.connect(self._align_clicked)
        bar.view.currentChanged.connect(lambda at: self.panes.show_cards(bool(at)))
        bar.previous.clicked.connect(partial(self.turn, -1))
        bar.next.clicked.connect(partial(self.turn, 1))
        self.unasked.ask.clicked.connect(self.ask_clients)
        self.notice.cancel.clicked.connect(self._dismiss)
        self._background.got.connect(self._got)
        self._background.ended.connect(self._ended)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_row())
        self.table.clicked.connect(lambda _: self._show_row())
        self.table.activated.connect(lambda _: self._show_row())
        for link in self.timelines.links:
            link.shown.connect(self._arrange)
        for n, side in enumerate(self.sides):
            side.compared.connect(self._read)
            side.failed.connect(lambda _: self._say())
            side.progress.connect(lambda *_: self._say())
            side.selection.changed.connect(partial(self._selected, n))

    @property
    def title(self) -> str:
        """What the tab says."""
        names = [visible(side.name) for side in self.sides]
        return " ⇄ ".join(name if len(name) <= LONGEST else f"{name[: LONGEST - 1].rstrip()}…" for name in names)

    def commands(self) -> list[Command]:
        """What can be done here."""
        return commands_of(self)

    @property
    def busy(self) -> bool:
        """Whether something is still to be read or compared, or the timelines are not there yet."""
        if self.fault or self.stopped or any(side.error for side in self.sides):
            return False
        return self.outcome is None or self._background.busy or not self.timelines.settled

    @property
    def readings(self) -> tuple[Reading, Reading] | None:
        """Both, once they are read to their end."""
        a, b = (side.reference if side.complete else None for side in self.sides)
        return None if a is None or b is None else (a, b)

    @property
    def drawable(self) -> bool:
        """Whether a picture can be made of it."""
        return self.readings is not None

    def take_keyboard(self) -> None:
        """Give the keyboard to the list of differences."""
        self.table.setFocus()

    def close_work(self) -> None:
        """The page is about to go: nothing goes on for it."""
        self._background.cancel()
        for side in self.sides:
            side.cancel()

    # the widget

    def _note_moved(self) -> None:
        self._moved = True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._arrange()
        return False

    def _rows(self) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table.columns)
        column.addWidget(self.table, 1)
        return made

    def _arrange(self) -> None:
        """Whole lanes of the timelines, whole rows of the list, and the rest for the lines."""
        if self._moved:
            return
        height = self._body.height() - 2 * self._body.handleWidth()
        above = self.timelines.height_of(LANES[height >= TALL])
        most = max(FEW, round((height * LIST - COLUMN_HEAD) / ROW))
        wanted = len(self.outcome.rows) if self.outcome is not None and self.outcome.rows else most
        rows = COLUMN_HEAD + min(max(FEW, wanted), most) * ROW
        self._body.setSizes([above, rows, height - above - rows])
        half = self._body.width() // 2
        self.panes.setSizes([half, half])

    # reading and comparing

    def _read(self) -> None:
        readings = self.readings
        if readings is None or self.outcome is not None or self._background.busy:
            self._say()
            return
        self.compare()

    def compare(self) -> None:
        """Look for what differs."""
        readings = self.readings
        if readings is None:
            return
        self.outcome, self.stopped, self.fault = None, False, ""
        for reading in readings:
            reading.settle_rows()
        self.timelines.align(None)
        self._offer_alignments()
        names = self.sides[0].name, self.sides[1].name

        def work() -> Iterator[int | Outcome]:
            yield from outcome_of(*readings, names, self._ask)

        self._background.start(work)
        self._say()

    def _ask(self) -> Iterator[Asked | None]:
        a, b = self.readings or (None, None)
        if a is not None and b is not None:
            yield from ask(a, b, [*self._lenses.values()], self.sides[0].kit, **self._how)

    def ask_clients(self) -> None:
        """Let the clients read both, though that takes a while."""
        if self.outcome is not None and self.outcome.asked is None and not self._background.busy:
            self._background.start(self._ask)
            self.unasked.hide()
            self.notice.show_part("The clients read the two", 0.0)

    def _got(self, found: int | Outcome | Asked | None) -> None:
        if isinstance(found, Asked) and self.outcome is not None:
            found = self.outcome.with_clients(found)
        if isinstance(found, Outcome):
            self._take(found)
            return
        if not isinstance(found, int):
            return
        # What has been read stays: to search it for garbage again and again would hold the window each time.
        self.sides[0].freeze()
        readings = self.readings
        total = sum(len(reading.events) for reading in readings) if readings is not None else 0
        if total > PATIENCE:
            self.notice.show_part(f"{number(found)} of {number(total)} events compared", found / total)

    def _take(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.table.differences.show_rows(outcome.rows)
        self.panes.mark(outcome.marked)
        self.align(self.alignment)
        self._say()
        self._arrange()
        if outcome.rows:
            self.table.choose(outcome.leading(), amid=True)

    def _ended(self, error: Exception | None) -> None:
        if self.notice.shows_progress:
            self.notice.hide()
        words = f"{type(error).__name__}: {error}"
        if error is not None and self.outcome is not None:
            self.notice.say(f"The clients could not be asked: {words}")
        elif error is not None:
            self.fault = words
        self._say()

    def _dismiss(self) -> None:
        if self._background.busy and self.notice.shows_progress:
            self._background.cancel()
            self.stopped = self.outcome is None
        self.notice.hide()
        self._say()

    def say(self, words: str) -> None:
        """One line about a fault of what was given to the window."""
        self.notice.say(words)

    # what is said

    def _say(self) -> None:
        outcome = self.outcome
        self.names.show_sides(self.sides, outcome.paces if outcome is not None else ())
        self.found.show_outcome(outcome, remark_of(self))
        self.found.setVisible(outcome is not None)
        self.unasked.setVisible(outcome is not None and outcome.asked is None and not self._background.busy)
        some = outcome is not None and bool(outcome.rows)
        for button in (self.toolbar.previous, self.toolbar.next):
            button.setEnabled(some)
        self.toolbar.copy.setEnabled(outcome is not None)
        self.toolbar.picture.setEnabled(self.drawable)
        if some:
            self._list.setCurrentIndex(ROWS)
            return
        icon, head, line, action = said = self.nothing()
        self._list.setCurrentIndex(NOTHING)
        if said == self._said:
            return
        self._said = said
        empty = EmptyPane(self.look, icon, head, line, action)
        if empty.action is not None:
            empty.action.clicked.connect(self.compare)
        self._list.removeWidget(self._empty)
        self._empty.deleteLater()
        self._empty = empty
        self._list.insertWidget(NOTHING, empty)
        self._list.setCurrentIndex(NOTHING)

    def nothing(self) -> tuple[str, str, str, str]:
        """What stands in place of the rows: a mark, a bold line, a line why, and an action or none."""
        return nothing_of(self)

    # aligning

    def _offer_alignments(self) -> None:
        at, known = ALIGNMENTS.index(TIME), self.can_align(TIME)
        self.toolbar.align.setTabEnabled(at, known)
        words = "" if known else "One of the two has no times."
        self.toolbar.align.setTabToolTip(at, words)

    def can_align(self, by: str) -> bool:
        """Whether the two can be aligned so."""
        if by != TIME:
            return True
        clocks = [link.clock for link in self.timelines.links]
        return all(clock is not None and clock.measured and len(clock.positions) for clock in clocks)

    def choose_alignment(self, by: str) -> None:
        """Align by block, event or time."""
        if self.can_align(by):
            self.toolbar.align.setCurrentIndex(ALIGNMENTS.index(by))

    def next_alignment(self) -> None:
        """The next of the three that is possible."""
        at = ALIGNMENTS.index(self.alignment)
        self.choose_alignment(next(by for by in (*ALIGNMENTS[at + 1 :], *ALIGNMENTS) if self.can_align(by)))

    def _align_clicked(self, at: int) -> None:
        self.align(ALIGNMENTS[at])

    def align(self, by: str) -> None:
        """Let both sides stand beside each other so."""
        self.alignment = by
        self.status.show_alignment(by)
        pairing = self.pairing()
        self.timelines.align(None if by == TIME else pairing, by)
        self.panes.align(pairing)
        if self._led and self._led == tuple(side.selection.current for side in self.sides):
            # Whoever looks at a difference goes on doing so.
            self._show_row()
        else:
            self._selected(0, self.sides[0].selection.current, None)

    def pairing(self) -> Pairing | None:
        """Which event stands beside which; None until both are read."""
        readings = self.readings
        if readings is None:
            return None
        counts = len(readings[0].events), len(readings[1].events)
        if self.alignment == TIME and self.can_align(TIME):
            a, b = (link.clock.positions for link in self.timelines.links if link.clock is not None)
            return by_time(a, b)
        if self.alignment == EVENT or self.outcome is None:
            return by_number(*counts)
        return along(self.outcome.pairs, *counts)

    def swap(self) -> None:
        """A becomes B, and the other way round, once both are read."""
        if self.readings is not None:
            self.swapped.emit()

    # selection

    def _selected(self, side: int, selection: Selection | None, origin: object) -> None:
        pairing = self.pairing()
        if origin is self or selection is None or pairing is None:
            return
        beside = (pairing.b_of, pairing.a_of)[side]
        other = self.sides[1 - side]
        if other.rows.events and selection.event < self.sides[side].rows.events:
            self.panes.hold(True)
            other.selection.select(Selection(beside(selection.event)), self)
            self.panes.hold(False)
            self.panes.follow(side)

    def _show_row(self) -> None:
        """Shows the place of the chosen difference on both sides."""
        at, pairing = self.table.chosen, self._by_content()
        self._led = ()
        if not 0 <= at < len(self.table.differences.rows) or pairing is None:
            return
        a, b = self.table.differences.rows[at].events
        if a is None and b is None:
            return
        a = pairing.a_of(b) if a is None and b is not None else a
        b = pairing.b_of(a) if b is None and a is not None else b
        self.panes.hold(True)
        for side, event in zip(self.sides, (a, b)):
            if event is not None and event < side.rows.events:
                side.selection.select(Selection(event), self)
        self.panes.hold(False)
        self._led = tuple(side.selection.current for side in self.sides)
        if a is not None and b is not None:
            self.panes.level(a, b)

    def _by_content(self) -> Pairing | None:
        """What a difference is held against: at the same time there may be something else, or nothing yet."""
        readings = self.readings
        if readings is None or self.outcome is None or self.alignment == EVENT:
            return self.pairing()
        return along(self.outcome.pairs, *(len(reading.events) for reading in readings))

    def turn(self, step: int) -> None:
        """The next difference (1) or the one before (-1), round and round."""
        count = len(self.table.differences.rows)
        if count:
            at = self.table.chosen
            self.table.choose((at + step) % count if at >= 0 else 0 if step > 0 else count - 1)
            self.table.scrollTo(self.table.currentIndex())

    def choose_view(self, at: int) -> None:
        """Show the raw lines (0) or the blocks (1) of both."""
        self.toolbar.view.setCurrentIndex(at)

    def show_like(self, other: PairPage) -> None:
        """Show what another page of the same two shows, for a picture."""
        self.choose_alignment(other.alignment)
        self.table.choose(other.table.chosen)
        self.panes.hold(True)
        for side, its in zip(self.sides, other.sides, strict=True):
            side.selection.select(its.selection.current, self)
        for mine, seen in zip(self.panes.sides, other.panes.sides, strict=True):
            for bar, same in zip(mine.bars, seen.bars, strict=True):
                bar.setValue(same.value())
        self.panes.hold(False)
        for mine_, seen_ in zip(self.timelines.timelines, other.timelines.timelines, strict=True):
            mine_.look_at(seen_.view)

    def copy_markdown(self) -> None:
        """Puts the differences on the clipboard as Markdown."""
        text = markdown_of(self)
        if text:
            QApplication.clipboard().setText(text)
            self.notice.tell("Copied: the differences as Markdown")
