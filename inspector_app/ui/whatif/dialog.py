"""What if: the changes as switches, what the chosen client makes of the copy, and which change alone would do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from inspector_app.core.text import number, visible
from inspector_app.core.types import Exchange
from inspector_app.lenses import LITERAL, REFERENCE
from inspector_app.lenses.load import Lens
from inspector_app.lenses.what_if import NEEDS_ARGUMENT, Alone, Outcome, alone, least, rank, try_out
from inspector_app.report.markdown import command
from inspector_app.report.what_if import as_copy
from inspector_app.ui import fonts
from inspector_app.ui.background import Background
from inspector_app.ui.compose.parts import heading, scrolled
from inspector_app.ui.controls import Button, Choice
from inspector_app.ui.labels import ElidedLabel, label, tip
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.verdict_marks import VerdictLine
from inspector_app.ui.whatif.fields import field_names
from inspector_app.ui.whatif.rows import ChangeRow
from inspector_app.variations import REPAIR, TROUBLE, ArgumentFault, Wish, suggested, unfit, variations

EDGE, GAP = 16, 8
SIZE, LEAST = (860, 640), (680, 440)
TRIED_BYTES = 4 << 20
"""Of a larger recording no change is tried before it is asked for: each reads all of it."""

Found = tuple[str, Outcome | Alone | tuple[Wish, ...] | ArgumentFault]
"""What the work gives: its kind, and the outcome."""


class WhatIfDialog(QDialog):
    """`opened(exchange, name)`: show the copy in a tab. `exported(exchange, path)`: write it as a recording."""

    opened = Signal(object, str)
    exported = Signal(object, str)

    def __init__(self, look: Look, session: Session, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._look, self._session, self._title = look, session, title
        self._before: Outcome | None = None
        self._after: Outcome | None = None
        self._advice: tuple[Wish, ...] | None = None
        """The repairs that would help, none where nothing does; None while it is not known."""
        self.setWindowTitle(f"What if: {visible(title)}")
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(*LEAST)
        self.resize(*SIZE)
        self.reader = Choice(look, "Client that reads the copy")
        self.remark = ElidedLabel("", "ink.3", fonts.SECONDARY)
        self.before, self.after = VerdictLine(look, "As it came"), VerdictLine(look, "With the changes")
        self.advice = ElidedLabel("", "ink.1", fonts.BODY, 500)
        self.take = Button(look, "Turn it on", "wand", "primary")
        self.off = Button(look, "All off", "", "flat")
        self.line = Button(look, "Copy command", "copy", "flat")
        self.open_tab = Button(look, "Open in a new tab", "open")
        self.save = Button(look, "Export as a new recording…", "export")
        tip(self.line, "The command that makes the same changes without a window")
        self.rows: dict[str, ChangeRow] = {}
        self._list = QVBoxLayout()
        self._background = Background(self)
        self._arrange()
        self._connect()
        self._fill()

    # building

    def _arrange(self) -> None:
        head = QWidget()
        head.setProperty("layer", "panel")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        line = QHBoxLayout(head)
        line.setContentsMargins(EDGE, GAP, EDGE, GAP)
        line.setSpacing(GAP)
        line.addWidget(label("As read by", "ink.2"))
        line.addWidget(self.reader)
        line.addWidget(self.remark, 1)
        self._told = QWidget()
        told = QHBoxLayout(self._told)
        told.setContentsMargins(EDGE, GAP, EDGE, GAP)
        told.setSpacing(GAP)
        told.addWidget(self.advice, 1)
        told.addWidget(self.take)
        told.addWidget(self.off)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(0)
        content = QWidget()
        content.setLayout(self._list)
        foot = QHBoxLayout()
        foot.setContentsMargins(EDGE, GAP, EDGE, GAP)
        foot.setSpacing(GAP)
        self.size_words = ElidedLabel("", "ink.3", fonts.SECONDARY)
        foot.addWidget(self.size_words, 1)
        for button in (self.line, self.open_tab, self.save):
            foot.addWidget(button)
        for button in (self.take, self.off, self.line, self.open_tab, self.save):
            button.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (head, self.before, self.after, self._told):
            column.addWidget(part)
        column.addWidget(scrolled(content, "pane"), 1)
        column.addLayout(foot)

    def _connect(self) -> None:
        session = self._session
        self.reader.activated.connect(lambda _: self._read_anew())
        self.take.clicked.connect(self._take_advice)
        self.off.clicked.connect(lambda: self.turn_on(()))
        self.line.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.command()))
        self.open_tab.clicked.connect(self._open)
        self.save.clicked.connect(self._ask_where)
        self._background.got.connect(self._take)
        self._background.ended.connect(self._ended)
        session.read.connect(self._fill)

    def _fill(self) -> None:
        """The switches for the stream that the window shows."""
        while self._list.count():
            widget = self._list.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.rows = {}
        reference = self._session.reference
        if reference is None or not self._session.complete:
            self.remark.show_text("Waits until the recording is read.")
            return
        reference.settle_rows()
        hints = field_names(reference)
        for sort, title in ((REPAIR, "Repairs"), (TROUBLE, "Troubles that a client should stand")):
            modules = variations(sort)
            if not modules:
                continue
            remark = "what each does alone stands at its right" if sort == REPAIR else ""
            head = heading(title, remark=remark)
            head.setContentsMargins(EDGE, 4, EDGE, 0)
            head.setFixedHeight(34)
            self._list.addWidget(head)
            fits = {name: unfit(module, reference) for name, module in modules.items()}
            for name in sorted(modules, key=lambda name: bool(fits[name])):
                row = ChangeRow(self._look, modules[name], fits[name], hints)
                row.changed.connect(self._changed)
                self.rows[name] = row
                self._list.addWidget(row)
        self._list.addStretch(1)
        self._show_readers()
        self._read_anew()

    def _show_readers(self) -> None:
        session = self._session
        names = [REFERENCE, *(lens.name for lens in session.usable_lenses())]
        chosen = [name for name in (session.secondary, session.primary) if name not in (None, REFERENCE, LITERAL)]
        self.reader.clear()
        for name in names:
            self.reader.addItem(session.short_title_of(name), name)
        self.reader.setCurrentIndex(max(0, self.reader.findData(chosen[0] if chosen else REFERENCE)))

    # what is tried

    @property
    def lens(self) -> Lens | None:
        """The client that reads the copy, None for the reference."""
        name = self.reader.currentData()
        return next((lens for lens in self._session.usable_lenses() if lens.name == name), None)

    @property
    def wishes(self) -> tuple[Wish, ...]:
        """The changes that are on, in the order in which they are made."""
        return tuple(row.wish for row in self.rows.values() if row.on)

    @property
    def busy(self) -> bool:
        """Whether something is being tried."""
        return self._background.busy

    @property
    def outcome(self) -> Outcome | None:
        """What the client makes of the copy, None while that is not known."""
        return self._after

    def turn_on(self, wishes: tuple[Wish, ...]) -> None:
        """Make these changes and no others."""
        asked = dict(wishes)
        for name, row in self.rows.items():
            row.blockSignals(True)
            row.turn(name in asked)
            if asked.get(name):
                row.argument.setText(asked[name])
            row.blockSignals(False)
        self._changed()

    def _read_anew(self) -> None:
        """Another client: nothing that is known holds any more."""
        self._before = self._advice = None
        lens, reference = self.lens, self._session.reference
        for row in self.rows.values():
            if reference is not None:
                row.suggest(suggested(row.module, reference, lens.rules) if lens is not None else "")
            if not unfit(row.module, self._session.reference):  # type: ignore[arg-type]
                row.show_found(None, "")
        self._changed()

    def _changed(self) -> None:
        """Try what is on now, then what is still to be tried alone."""
        reference, lens, kit = self._session.reference, self.lens, self._session.kit
        if reference is None or not self.rows:
            return
        self._after = None
        self.after.show_stale()
        wishes, asked = self.wishes, {row.name: row.wish[1] for row in self.rows.values()}
        missing = [row for row in self.rows.values() if row.on and _lacks(row, asked)]
        for row in self.rows.values():
            row.show_fault(f"needs {row.module.ARGUMENT.form}" if row in missing else "")
        wishes = tuple(wish for wish in wishes if wish[0] not in {row.name for row in missing})
        first = self._before is None
        small = len(reference.body) <= TRIED_BYTES
        known = {name: row.found for name, row in self.rows.items()}
        modules = [row.module for row in self.rows.values() if row.module.SORT == REPAIR and small]
        waiting = [module for module in modules if _stale(known[module.NAME], asked[module.NAME])]
        found = [one for module in modules if (one := known[module.NAME]) is not None and module not in waiting]

        looked_for = small and (bool(waiting) or self._advice is None)

        def work() -> Iterator[Found]:
            if first:
                yield "before", try_out(reference, (), lens, kit)
            try:
                yield "after", try_out(reference, wishes, lens, kit)
            except ArgumentFault as fault:
                yield "fault", fault
            for module in waiting:
                try:
                    one = alone(reference, module, asked[module.NAME], lens, kit)
                except ArgumentFault as fault:
                    one = Alone(module.NAME, None, str(fault))
                found.append(one)
                yield "alone", one
            for answer in least(reference, found, lens, kit) if looked_for else ():
                if answer is not None:
                    yield "least", answer

        self._background.start(work)
        self._show_state()

    def _take(self, value: Found) -> None:
        kind, found = value
        if kind == "before" and isinstance(found, Outcome):
            self._before = found
            self._show_line(self.before, found)
        elif kind == "after" and isinstance(found, Outcome):
            self._after = found
            self._show_line(self.after, found)
            for row in self.rows.values():
                row.update()
        elif kind == "alone" and isinstance(found, Alone):
            self.rows[found.name].show_found(found, self._before.verdict if self._before is not None else "")
        elif kind == "fault":
            name = str(found).partition(" ")[0]
            if name in self.rows:
                self.rows[name].show_fault(str(found))
        elif kind == "least" and isinstance(found, tuple):
            self._advice = found  # type: ignore[assignment]
        self._show_state()

    def _ended(self, error: Exception | None) -> None:
        self._show_state()
        if error is not None:
            self.remark.show_text(f"It could not be tried: {type(error).__name__}: {error}")
        elif not self.wishes:
            self._put_first_what_helps()

    def _put_first_what_helps(self) -> None:
        """Once all is known and nobody has begun to turn switches."""
        focus = self.focusWidget()
        if any(row.isAncestorOf(focus) for row in self.rows.values() if focus is not None):
            return
        repairs = [row for row in self.rows.values() if row.module.SORT == REPAIR]
        first = min(map(self._list.indexOf, repairs), default=0)
        for place, row in enumerate(sorted(repairs, key=order_of)):
            self._list.removeWidget(row)
            self._list.insertWidget(first + place, row)

    # what is shown

    def _show_line(self, line: VerdictLine, outcome: Outcome) -> None:
        found = outcome.difference
        if line is self.after and not outcome.wishes:
            line.show_verdict("", "No change is on")
            return
        blocks = f"{number(found.blocks[1])} block{'' if found.blocks[1] == 1 else 's'}"
        if outcome.works:
            line.show_verdict("right", "The same blocks as the reference has of the recording", "", blocks)
        else:
            instead = f", not {number(found.blocks[0])}" if found.blocks[0] != found.blocks[1] else ""
            line.show_verdict(outcome.verdict, found.headline, found.cause, f"{blocks}{instead}")

    def _show_state(self) -> None:
        tried = sum(row.found is not None for row in self.rows.values() if row.module.SORT == REPAIR)
        total = sum(row.module.SORT == REPAIR for row in self.rows.values())
        self.remark.show_text(f"trying each repair alone, {tried} of {total}" if self.busy else "")
        self._show_advice()
        self.off.setVisible(bool(self.wishes))
        ready = self._after is not None and bool(self._after.wishes)
        for button in (self.open_tab, self.save, self.line):
            button.setEnabled(ready)
        reference = self._session.reference
        if self._after is None or reference is None:
            return
        exchange = self._after.exchange
        if exchange is reference.exchange:
            self.size_words.show_text("Nothing is changed in the copy." if self.wishes else "")
        else:
            self.size_words.show_text(
                f"{number(len(reference.body))} bytes become {number(len(exchange.body))}; the recording stays as it is"
            )

    def _show_advice(self) -> None:
        before, reference = self._before, self._session.reference
        words, can = "", False
        if before is None:
            words = "Reading the recording as this client"
        elif before.works:
            words = "This client reads the recording right. A change that is switched on shows whether it still would."
        elif self._after is not None and self._after.works:
            words = "With what is on this client reads the recording right."
        elif reference is not None and len(reference.body) > TRIED_BYTES:
            words = "This recording is large: a change is tried when it is turned on."
        elif self.busy and self._advice is None:
            words = "Looking for a repair that would help this client"
        elif self._advice:
            titles = [self.rows[name].module.TITLE for name, _ in self._advice]
            joined = " + ".join(f"“{title}”" for title in titles)
            words = f"{'Would repair it' if len(titles) == 1 else 'Would repair it together'}: {joined}."
            can = set(self.wishes) != set(self._advice)
            self.take.setText("Turn it on" if len(titles) == 1 else "Turn them on")
            self.take.setAccessibleName(self.take.text())
            self.take.updateGeometry()
        elif any(_is_waiting(row) for row in self.rows.values()) and not self.busy:
            words = "No repair helps by itself; one that takes a name or a value may."
        elif not self.busy:
            words = "No repair helps this client."
        self.advice.show_text(words)
        self.take.setVisible(can)

    def _take_advice(self) -> None:
        self.turn_on(self._advice or ())

    # what leaves it

    def copy_of_stream(self) -> Exchange | None:
        """The changed copy, which says of itself what was changed."""
        original, after = self._session.exchange, self._after
        return None if original is None or after is None else as_copy(original, after.exchange, after.wishes)

    def command(self) -> str:
        """The command that does the same without a window."""
        name = self._session.path
        done = [part for wish in self.wishes for part in ("--do", "=".join(filter(None, wish)))]
        return "\n".join(command("whatif", name, "--as", str(self.reader.currentData()), *done)[1:-1])

    def _open(self) -> None:
        copy = self.copy_of_stream()
        if copy is not None:
            self.opened.emit(copy, f"{self._title} (what if)")

    def _ask_where(self) -> None:
        dialog = QFileDialog(self, "Export as a new recording")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(["Recording (*.rec.jsonl)"])
        dialog.selectFile(f"{self._title}-what-if.rec.jsonl")
        dialog.fileSelected.connect(self.export)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def export(self, path: str) -> None:
        """Write the copy as a recording of its own."""
        copy = self.copy_of_stream()
        if copy is not None:
            self.exported.emit(copy, path if path.lower().endswith(".rec.jsonl") else f"{path}.rec.jsonl")

    def say(self, words: str) -> None:
        """One line about what was asked for."""
        self.size_words.show_text(words)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._background.cancel()
        super().closeEvent(event)


def _lacks(row: ChangeRow, asked: Mapping[str, str]) -> bool:
    taken = getattr(row.module, "ARGUMENT", None)
    return taken is not None and taken.needed and not asked[row.name]


def _stale(found: Alone | None, argument: str) -> bool:
    """Whether what is known of a change alone is nothing, or of another argument."""
    if found is None:
        return True
    if found.outcome is None:
        return bool(argument)
    return found.outcome.wishes[0][1] != argument


def _is_waiting(row: ChangeRow) -> bool:
    return row.found is not None and row.found.why == NEEDS_ARGUMENT


def order_of(row: ChangeRow) -> tuple[int, int]:
    """What helps comes first, what does nothing last."""
    found = row.found
    if found is None or found.outcome is None:
        return 2 if found is not None and found.why != NEEDS_ARGUMENT else 1, 0
    return 0, rank(found.outcome)
