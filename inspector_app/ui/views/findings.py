"""The findings pane: what is wrong or worth knowing, how often and where, and what to do about it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector_app.core.reading import Reading
from inspector_app.core.store import SegmentBody
from inspector_app.core.text import clip, number, visible
from inspector_app.lenses import LITERAL
from inspector_app.ui.commands import Command
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.finding_filter import KEYS, matches
from inspector_app.ui.views.finding_list import FindingHead, FindingList, FindingModel
from inspector_app.ui.views.finding_paint import HEIGHT
from inspector_app.ui.views.finding_rows import ORDERS, Row, edges, rest_of, rows_of, stop, stops
from inspector_app.ui.views.row_states import LEFT_BEHIND, LINKED, PLAIN, SELECTED
from inspector_app.ui.views.words import plural

NO_PLACE = "nothing was found in this recording"
NO_ROW = "needs a finding"
SEVERITIES = {"error": "errors alone", "warning": "warnings alone", "info": "notes alone"}
MUTED = "muted"
SHOWN = 60
"""Characters of the filter that are said again."""


class FindingsView(QWidget):
    """The pane. `next_place` and `previous_place` walk through all places of all findings in the order of the rows.

    `severity_shown`: the only severity whose rows are shown from now on, or the empty string for all of them.
    """

    severity_shown = Signal(str)

    def __init__(self, session: Session, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._look = look
        self._order = "severity"
        self._severity = ""
        self._picked: int | None = None
        self._edged: tuple[Reading | None, int, bool] | None = (None, 0, False)
        """For which reading, and how much of it, the columns of the strips were worked out."""
        self._at: tuple[int, int] | None = None
        self._exact = False
        self._event: int | None = None
        self.head = FindingHead(look)
        self.head.ordered.connect(self.set_order)
        self.model = FindingModel(self)
        self.rows = FindingList(look, self.model, self._state_of)
        self._delegate = self.rows.delegate
        self.rows.picked.connect(self._pick)
        self.rows.acted.connect(self._act)
        self.rows.all_again.clicked.connect(self._show_all)
        self.head.undo.clicked.connect(self._undo_mute)
        self.head.filtered.connect(self.refresh)
        self.head.filter.left.connect(self.rows.setFocus)
        self.rows.verticalHeader().geometriesChanged.connect(self._fit)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self.rows)
        for signal in (session.grown, session.read, session.compared, session.mutes.changed, session.advising.changed):
            signal.connect(self.refresh)
        session.selection.changed.connect(self._selected)
        self.refresh()

    def commands(self) -> list[Command]:
        """What can be done here from anywhere in the window."""
        group, some = "Findings", lambda: any(stops(row) for row in self.model.rows)
        return [
            Command("Next finding", group, self.next_finding, ("F8",), some, NO_PLACE),
            Command("Previous finding", group, self.previous_finding, ("Shift+F8",), some, NO_PLACE),
            Command("Next place of the finding", group, self.next_place, ("Ctrl+F8",), some, NO_PLACE),
            Command("Previous place of the finding", group, self.previous_place, ("Ctrl+Shift+F8",), some, NO_PLACE),
            Command("Filter the findings", group, self.head.filter.ask, (KEYS,)),
            Command("Mute or unmute the rule", group, self.turn_mute, ("M",), self._has_rule, NO_ROW),
            Command("Show muted rules", group, self.show_muted, (), self._has_muted, "no rule here is muted"),
            Command("Literal reading", group, self.show_literal, ("L",), self._complete, "needs a recording"),
            *(
                Command(f"Order findings: {words}", group, partial(self.head.ordered.emit, order))
                for order, words in ORDERS.items()
            ),
            *(
                Command(f"Findings: {words}, or all", group, partial(self.turn_severity, severity))
                for severity, words in SEVERITIES.items()
            ),
            Command("Copy finding", "Copy", self.rows.copy_message, (), lambda: self._current() is not None, NO_ROW),
        ]

    # muting, and what the reference mends

    def _act(self, number: int, action: str) -> None:
        if action == "literal":
            self.show_literal()
        else:
            self._mute(number, action == "mute")

    def turn_mute(self) -> None:
        """Mute the rule of the current row, or unmute it."""
        at = self._current()
        if at is not None:
            self._mute(at, not self.model.rows[at].muted)

    def _mute(self, at: int, muted: bool) -> None:
        """A muted row goes to the end, and the next one is selected in its place; one that is unmuted takes the
        cursor along.
        """
        rule = self.model.rows[at].rule
        if rule is None:
            return
        follows = muted and at in (self._picked, self.rows.currentIndex().row())
        if follows:
            self._picked = self._at = None
            self._open(-1)
        self._session.mutes.mute(rule, muted)
        at = min(at, len(self.model.rows) - 1)
        if follows and at >= 0 and not self.model.rows[at].muted and stops(self.model.rows[at]):
            self._go(at, 0)
        elif follows:
            self.rows.setCurrentIndex(self.model.index(at, 0))
        self.head.tell_muted(rule if muted else "")

    def _undo_mute(self) -> None:
        rule = self.head.muted
        self._session.mutes.mute(rule, False)
        self.head.tell_muted("")
        self.show_finding(rule)

    def show_muted(self) -> None:
        """Show the rows of muted rules alone, or all again."""
        self.head.filter.setText("" if self.head.filter.words == MUTED else MUTED)

    def show_literal(self) -> None:
        """Put the literal reading beside the reference, or take it away again."""
        self._session.show_literal()

    def _current(self) -> int | None:
        """The row that is meant: where the keys are, else the one that was chosen."""
        at = self.rows.currentIndex().row() if self.rows.hasFocus() else self._picked
        return at if at is not None and 0 <= at < len(self.model.rows) else None

    def _has_rule(self) -> bool:
        at = self._current()
        return at is not None and self.model.rows[at].rule is not None

    def _has_muted(self) -> bool:
        reading = self._session.reference
        return reading is not None and any(finding.rule in self._session.mutes for finding in reading.findings)

    def _complete(self) -> bool:
        return self._session.complete

    # rows

    def turn_severity(self, severity: str) -> None:
        """Show the findings of one severity alone and select the first, or, if that is so already, show all again."""
        self._show_severity("" if severity == self._severity else severity)
        if self._severity and self.model.rows and stops(self.model.rows[0]):
            self._go(0, 0)

    def _show_severity(self, severity: str) -> None:
        if severity != self._severity:
            self._severity = severity
            self.refresh()
            self.severity_shown.emit(severity)

    def _show_all(self) -> None:
        """Take every filter away."""
        self.head.filter.clear()
        self._show_severity("")

    @property
    def order(self) -> str:
        """How the rows are ordered, "severity" or "place"."""
        return self._order

    def set_order(self, order: str) -> None:
        """Order the rows "severity" or "place"."""
        self._order = order
        self.refresh()

    def refresh(self) -> None:
        """Take the rows from the session again; the chosen one stays chosen."""
        session, words = self._session, self.head.filter.words
        found = rows_of(session, self._order)
        rows = [row for row in found if matches(row, words)] if words else found
        if self._severity:
            rows = [row for row in rows if row.rule and row.severity == self._severity and not row.muted]
        reference = session.reference
        state = (reference, len(reference.events), reference.ended) if reference is not None else None
        if state != self._edged:
            self._edged, self._delegate.edges = state, edges(reference) if reference is not None else [0]
        self._delegate.literal = LITERAL in (session.primary, session.secondary)
        if rows != self.model.rows:
            chosen = self.model.rows[self._picked] if self._picked is not None else None
            self._picked = self._at = None
            self._open(-1)
            self.model.show(rows)
            kept = next((n for n, row in enumerate(rows) if chosen is not None and _same(row, chosen)), None)
            if kept is not None:
                self._picked = kept
                self._make_current(kept)
        self._say_empty(len(found))
        self.head.show_words(_counted(found, rows, bool(words or self._severity)), self._order)
        if self.head.muted and self.head.muted not in session.mutes:
            self.head.tell_muted("")
        self.rows.viewport().update()

    def _say_empty(self, found: int) -> None:
        reference = self._session.reference
        hidden = not self.model.rows and found > 0
        self.rows.all_again.setVisible(hidden)
        self.rows.place_action()
        if hidden:
            words = clip(visible(f"{self._severity} {self.head.filter.words}".strip()), SHOWN)
            shown = f"The filter hides {plural(found, 'row')}."
            self.rows.empty = ("filter", f"No finding matches \u201c{words}\u201d", shown)
        elif self._session.complete and reference is not None:
            events = len(reference.events)
            line = f"No rule fired on {number(events)} event{'' if events == 1 else 's'}."
            if not events:
                line = "No rule fired on this body." if len(reference.body) else "This body is empty."
            self.rows.empty = ("check", "Nothing to report", line)
        elif reference is not None and isinstance(reference.body, SegmentBody) and not reference.ended:
            line = "Rules about the end of the stream, and about all of it, wait until it ends."
            self.rows.empty = ("clock", "Nothing found so far", line)
        elif reference is not None and self._session.idle:
            line = "Reading was stopped; open the file again to read all of it."
            self.rows.empty = ("clock", "Not looked for", line)
        else:
            self.rows.empty = ("", "", "")
        self.rows.setAccessibleDescription(" ".join(self.rows.empty[1:]) if not self.model.rows else "")

    def _state_of(self, number: int) -> str:
        if number == self._picked:
            return SELECTED if self._exact else LEFT_BEHIND
        linked = not self._exact and self._event is not None and self.model.rows[number].holds(self._event)
        return LINKED if linked else PLAIN

    def _open(self, row: int) -> None:
        """Show the advice of one row, and hide that of the row before."""
        before, self._delegate.opened = self._delegate.opened, row
        if 0 <= before < len(self.model.rows) and before != row:
            self.rows.setRowHeight(before, HEIGHT)
        self._fit()

    def _fit(self) -> None:
        row = self._delegate.opened
        if 0 <= row < len(self.model.rows):
            height = self._delegate.height_of(self.model.rows[row], self.rows.viewport().width(), True)
            if self.rows.rowHeight(row) != height:
                self.rows.setRowHeight(row, height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _make_current(self, row: int) -> None:
        self.rows.setCurrentIndex(self.model.index(row, 0))
        self._open(row)
        self.rows.scrollTo(self.model.index(row, 0))

    # selection

    def _pick(self, row: int) -> None:
        self._go(row, 0)

    def _go(self, row: int, index: int) -> None:
        if not stops(self.model.rows[row]):
            return
        self.head.tell_muted("")
        self._picked, self._at, self._exact = row, (row, index), True
        self._make_current(row)
        selection = stop(self._session, self.model.rows[row], index)
        self._event = selection.event
        self._session.selection.select(selection, self)
        self.rows.viewport().update()

    def _selected(self, selection: Selection | None, origin: object) -> None:
        if origin is self:
            return
        before = self._states()
        self._exact = False
        self._event = None if selection is None else selection.event
        rule = None if selection is None else selection.finding
        if selection is not None and rule is not None:
            found = [n for n, row in enumerate(self.model.rows) if row.rule == rule]
            held = next((n for n in found if self.model.rows[n].holds(selection.event)), found[0] if found else None)
            if held is not None:
                self._picked, self._exact = held, True
                self._at = held, self._stop_of(held, selection)
                self._make_current(held)
        if self._states() != before:
            self.rows.viewport().update()

    def _states(self) -> list[str]:
        """How each row is painted: mostly another event changes none of them."""
        return [self._state_of(number) for number in range(len(self.model.rows))]

    def _stop_of(self, row: int, selection: Selection) -> int:
        places = self.model.rows[row].places
        inside = [n for n, place in enumerate(places) if place.event == selection.event]
        return next((n for n in inside if places[n].start == selection.start), next(iter(inside), 0))

    def show_finding(self, rule: str | None, event: int | None = None) -> bool:
        """Select a row by its rule (None: the comparison), at its place in an event; whether there is such a row.

        Without `event` the first place is meant.
        """
        for n, row in enumerate(self.model.rows):
            if row.rule == rule and stops(row) and (event is None or row.holds(event)):
                self._go(n, 0 if event is None else self._stop_at(row, event))
                return True
        if self.head.filter.words or self._severity:
            # It may be among what the filter hides.
            self._show_all()
            return self.show_finding(rule, event)
        return False

    def show_worst(self) -> None:
        """Select the first place of the worst finding, if that is an error."""
        first = self.model.rows[0] if self.model.rows else None
        if first is not None and first.severity == "error" and not first.muted and stops(first):
            self._go(0, 0)

    def _stop_at(self, row: Row, event: int) -> int:
        inside = next((n for n, place in enumerate(row.places) if place.event == event), None)
        if inside is not None:
            return inside
        rest = rest_of(row)
        return len(row.places) + bisect_left(row.events, event, rest) - rest if rest < len(row.events) else 0

    def _walked(self) -> list[int]:
        """The rows that are walked through: those shown, muted ones only where they are all."""
        rows = [n for n, row in enumerate(self.model.rows) if stops(row)]
        return [n for n in rows if not self.model.rows[n].muted] or rows

    def next_finding(self) -> None:
        """Select the first place of the next finding; after the last one the first."""
        self._turn(1)

    def previous_finding(self) -> None:
        """Select the first place of the finding before; before the first one the last."""
        self._turn(-1)

    def _turn(self, step: int) -> None:
        rows = self._walked()
        if not rows:
            return
        if self._picked in rows and self._exact:
            self._go(rows[(rows.index(self._picked) + step) % len(rows)], 0)
        else:
            self._go(self._picked if self._picked in rows else rows[0 if step > 0 else -1], 0)

    def next_place(self) -> None:
        """Select the next place of the findings; after the last one the first."""
        self._walk(1)

    def previous_place(self) -> None:
        """Select the place before; before the first one the last."""
        self._walk(-1)

    def _walk(self, step: int) -> None:
        rows = self._walked()
        if not rows:
            return
        if self._at is None:
            row = self._picked if self._picked in rows else rows[0 if step > 0 else -1]
            self._go(row, 0 if step > 0 else stops(self.model.rows[row]) - 1)
            return
        row, index = self._at
        index += step
        if not 0 <= index < stops(self.model.rows[row]):
            after = bisect_right(rows, row) if step > 0 else bisect_left(rows, row) - 1
            row = rows[after % len(rows)]
            index = 0 if step > 0 else stops(self.model.rows[row]) - 1
        self._go(row, index)


def _same(one: Row, other: Row) -> bool:
    return (one.rule, one.block, one.rule or one.title) == (other.rule, other.block, other.rule or other.title)


def _counted(found: list[Row], shown: list[Row], filtered: bool) -> str:
    """How many rows there are, what of them is muted, and how many a filter leaves."""
    heard, muted = (
        (sum(row.muted is silent for row in shown if row.rule), sum(row.muted is silent for row in found if row.rule))
        for silent in (False, True)
    )
    words = f"{number(heard[0])} of {number(heard[1])}" if filtered else number(heard[1])
    if muted[1]:
        words += f", {number(muted[0])} of {number(muted[1])} muted" if filtered else f", {number(muted[1])} muted"
    return f"{words}, and 1 comparison" if any(row.rule is None for row in shown) else words
