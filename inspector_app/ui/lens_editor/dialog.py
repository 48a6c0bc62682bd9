"""The editor of lenses: a client of the user's own, beside the window, tried on the recording while it is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from inspector_app.core.kit import Kit
from inspector_app.core.text import number
from inspector_app.lenses.load import EVIDENCE, KINDS, Lens, LensFault, lens_from, user_folder
from inspector_app.lenses.run import knows
from inspector_app.lenses.save import as_toml, delete_lens, save_lens, table_of
from inspector_app.lenses.what_if import Outcome, try_out
from inspector_app.ui import fonts
from inspector_app.ui.background import Background
from inspector_app.ui.compose.parts import FormChoice, Said, entry, heading, row_of
from inspector_app.ui.controls import Button, Choice, SearchField
from inspector_app.ui.labels import ElidedLabel, label, tip
from inspector_app.ui.lens_editor.rules import RuleList
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.toggle import Toggle
from inspector_app.ui.verdict_marks import VerdictLine

EDGE, GAP, FORM, WORDS = 16, 8, 340, 72
SIZE, LEAST = (1000, 660), (760, 460)
PATIENCE_MS = 300
TEXTS = {
    "name": ("Name", "my-client-1.0"),
    "title": ("Title", "My client 1.0"),
    "source": ("Source", "where its behaviour was seen"),
    "summary": ("Summary", "what it gets wrong, in one sentence"),
}
NEW, COPY = "", "copy of "


class LensEditor(QDialog):
    """`saved(lens, before)` and `deleted(lens)`: the file is written or gone; `before` is the name that it had."""

    saved = Signal(object, str)
    deleted = Signal(object)

    def __init__(
        self, look: Look, kit: Kit, lenses: Mapping[str, Lens], session: Session | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._kit, self._lenses, self._session = kit, lenses, session
        self._edited: Lens | None = None
        """The user's lens that is changed; None for one that is not written yet."""
        self.setWindowTitle("Your own clients")
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(*LEAST)
        self.resize(*SIZE)
        self.which = Choice(look, "Client to edit")
        self.fields: dict[str, QLineEdit] = {key: entry(words, hint) for key, (words, hint) in TEXTS.items()}
        self.dialects = entry("Dialects that it reads", "names with commas")
        self.kind, self.evidence = FormChoice(look, "Kind"), FormChoice(look, "How it is known")
        for choice, values in ((self.kind, KINDS), (self.evidence, EVIDENCE)):
            for value in values:
                choice.addItem(value, value)
        tip(self.dialects, f"Of: {', '.join(sorted(kit.dialects))}")
        self.fault = Said(look)
        self.place = ElidedLabel("", "ink.3", fonts.SECONDARY)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setProperty("kind", "field")
        self.text.setFont(fonts.wire_font(fonts.SECONDARY))
        self.text.setAccessibleName("The file as it will be saved")
        self.text.setTabChangesFocus(True)
        self.search = SearchField(look, "Find a rule")
        self.only = Toggle(look, "Only what differs from the reference")
        self.count = label("", "ink.3", fonts.SECONDARY)
        self.rules = RuleList(look)
        self.preview = VerdictLine(look, "On this recording")
        self.delete = Button(look, "Delete", "", "flat")
        self.copy = Button(look, "Copy as TOML", "copy", "flat")
        self.leave = Button(look, "Close")
        self.save = Button(look, "Save", "", "primary")
        tip(self.save, "Write it to your folder of lenses; every reader choice has it then", "Ctrl+S")
        self.save.setShortcut("Ctrl+S")
        self._background = Background(self)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(PATIENCE_MS)
        self._arrange(look)
        self._connect()
        self._show_which(NEW)
        self.edit(None)

    # building

    def _arrange(self, look: Look) -> None:
        head, row = _band("panel")
        row.addWidget(label("Client", "ink.2"))
        row.addWidget(self.which)
        row.addWidget(self.place, 1)
        form = QVBoxLayout()
        form.setContentsMargins(EDGE, 12, EDGE, EDGE)
        form.setSpacing(GAP)
        for key, (words, _) in TEXTS.items():
            form.addWidget(row_of(words, self.fields[key], width=WORDS))
            if key == "title":
                form.addWidget(row_of("Kind", _left(self.kind), width=WORDS))
                form.addWidget(row_of("Reads", self.dialects, width=WORDS))
                form.addWidget(row_of("Known by", _left(self.evidence), width=WORDS))
        form.addWidget(self.fault)
        form.addWidget(heading("The file"))
        form.addWidget(self.text, 1)
        left = QWidget()
        left.setProperty("layer", "panel")
        left.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        left.setLayout(form)
        left.setFixedWidth(FORM)
        bar, row = _band("panel")
        row.addWidget(self.search, 1)
        row.addWidget(self.only)
        row.addWidget(label("differing only", "ink.2"))
        row.addWidget(self.count)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(bar)
        right.addWidget(self.rules, 1)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(left)
        middle.addLayout(right, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(EDGE, GAP, EDGE, GAP)
        foot.setSpacing(GAP)
        foot.addWidget(self.delete)
        foot.addStretch(1)
        for button in (self.copy, self.leave, self.save):
            foot.addWidget(button)
        for button in (self.delete, self.copy, self.leave, self.save):
            button.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self.preview)
        column.addLayout(middle, 1)
        column.addLayout(foot)
        self.preview.setVisible(self._session is not None)

    def _connect(self) -> None:
        self.which.activated.connect(lambda _: self._choose())
        for field in (*self.fields.values(), self.dialects):
            field.textEdited.connect(lambda _: self._changed())
        for choice in (self.kind, self.evidence):
            choice.activated.connect(lambda _: self._changed())
        self.rules.edited.connect(self._changed)
        self.search.textChanged.connect(lambda _: self._filter())
        self.only.toggled.connect(lambda _: self._filter())
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(as_toml(self.table)))
        self.leave.clicked.connect(self.close)
        self.save.clicked.connect(self.write)
        self.delete.clicked.connect(self._delete)
        self._wait.timeout.connect(self._try)
        self._background.got.connect(self._tried)

    # which one

    def _own(self) -> list[Lens]:
        folder = user_folder()
        return [lens for lens in self._lenses.values() if lens.path.parent == folder]

    def _show_which(self, chosen: str) -> None:
        own = self._own()
        self.which.clear()
        self.which.addItem("New client", NEW)
        for lens in own:
            self.which.addItem(f"Yours: {lens.title}", lens.name)
        for lens in self._lenses.values():
            if lens not in own:
                self.which.addItem(f"Copy of {lens.title}", COPY + lens.name)
        self.which.setCurrentIndex(max(0, self.which.findData(chosen)))
        self.which.updateGeometry()

    def _choose(self) -> None:
        chosen = str(self.which.currentData())
        if chosen.startswith(COPY):
            self.edit(self._lenses.get(chosen.removeprefix(COPY)), as_copy=True)
        else:
            self.edit(self._lenses.get(chosen))

    def edit(self, lens: Lens | None, as_copy: bool = False) -> None:
        """Show a lens: a new one, the user's own, or a copy of one that came with the program."""
        self._edited = None if as_copy else lens
        table = _new(self._session) if lens is None else table_of(lens)
        if as_copy and lens is not None:
            table |= {"name": self._free(f"my-{lens.name}"), "title": f"My {lens.title}", "evidence": "report"}
        for key, field in self.fields.items():
            field.setText(table[key])
            field.setCursorPosition(0)
        self.dialects.setText(", ".join(table["dialects"]))
        self.kind.setCurrentIndex(max(0, self.kind.findData(table["kind"])))
        self.evidence.setCurrentIndex(max(0, self.evidence.findData(table["evidence"])))
        self.rules.show_rules(table["rules"])
        self.delete.setVisible(self._edited is not None)
        self._changed()

    def _free(self, name: str) -> str:
        found, at = name, 2
        while found in self._lenses:
            found, at = f"{name}-{at}", at + 1
        return found

    # what it is now

    @property
    def table(self) -> dict[str, Any]:
        """The lens as a file would give it."""
        texts = {key: field.text().strip() for key, field in self.fields.items()}
        reads = [name for part in self.dialects.text().split(",") if (name := part.strip())]
        return {
            "name": texts["name"], "title": texts["title"], "kind": self.kind.currentData(), "dialects": reads,
            "evidence": self.evidence.currentData(), "source": texts["source"], "summary": texts["summary"],
            "rules": self.rules.rules,
        }  # fmt: skip

    @property
    def path(self) -> Path:
        """Where it would be written."""
        return user_folder() / f"{self.fields['name'].text().strip() or 'NAME'}.toml"

    def lens(self) -> Lens:
        """The lens. Raises LensFault."""
        found = lens_from(self.table, self.path, dialects=self._kit.names, findings=self._kit.rules)
        other = self._lenses.get(found.name)
        if other is not None and (self._edited is None or other.name != self._edited.name):
            raise LensFault(f"{self.path}: name = {found.name!r} is already taken by {other.path}")
        return found

    @property
    def busy(self) -> bool:
        """Whether it is being tried."""
        return self._background.busy or self._wait.isActive()

    def _changed(self) -> None:
        differ = len(self.rules.rules)
        self.count.setText(f"{number(differ)} differ{'s' if differ == 1 else ''}")
        self.place.show_text(str(self.path))
        self.text.setPlainText(as_toml(self.table))
        if self.only.isChecked():
            self._filter()
        try:
            self.lens()
        except LensFault as fault:
            self.fault.say(str(fault).removeprefix(f"{self.path}: "), "error" if _begun(self.table) else "info")
            self.save.setEnabled(False)
        else:
            self.fault.say("")
            self.save.setEnabled(True)
        self.preview.show_stale()
        self._wait.start()

    def _filter(self) -> None:
        self.rules.filter(self.search.text(), self.only.isChecked())

    # trying it

    def _try(self) -> None:
        """What it makes of the recording, by its rules alone: it may have no name yet."""
        session = self._session
        reference = session.reference if session is not None else None
        if session is None or reference is None or not session.complete:
            self.preview.show_verdict("", "No recording is read")
            return
        table = {**_new(session), "rules": self.rules.rules, "name": "yours", "title": "Yours"}
        try:
            lens = lens_from(table, self.path, findings=self._kit.rules)
        except LensFault:
            self.preview.show_verdict("", "A rule is not right yet")
            return
        if not knows(lens, reference):
            self.preview.show_verdict("n/a", f"it does not read {reference.dialect}")
            return
        reference.settle_rows()

        def work() -> Iterator[Outcome]:
            yield try_out(reference, (), lens, self._kit)

        self._background.start(work)

    def _tried(self, outcome: Outcome) -> None:
        found = outcome.difference
        blocks = f"{number(found.blocks[1])} block{'' if found.blocks[1] == 1 else 's'}"
        if outcome.works:
            self.preview.show_verdict("right", "The same blocks as the reference", "", blocks)
        else:
            right = f"{blocks}, not {number(found.blocks[0])}"
            self.preview.show_verdict(outcome.verdict, found.headline, found.cause, right)

    # files

    def write(self) -> None:
        """Save it; what stands in the way is said in place."""
        before = self._edited
        try:
            lens = save_lens(
                self.table, user_folder(), self._lenses, instead_of=before,
                dialects=self._kit.names, findings=self._kit.rules,
            )  # fmt: skip
        except LensFault as fault:
            self.fault.say(str(fault), "error")
            return
        self.saved.emit(lens, before.name if before is not None else "")
        self._edited = lens
        self._show_which(lens.name)
        self.delete.show()
        self._changed()
        self.fault.say(f"Saved. Choose “{lens.title}” as a reader of any recording that it reads.", "plain")

    def _delete(self) -> None:
        lens = self._edited
        if lens is None:
            return
        try:
            delete_lens(lens)
        except LensFault as fault:
            self.fault.say(str(fault), "error")
            return
        self.deleted.emit(lens)
        self._show_which(NEW)
        self.edit(None)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._background.cancel()
        super().closeEvent(event)


def _new(session: Session | None) -> dict[str, Any]:
    """A client that reads as the reference does, the dialect of the recording in view."""
    reference = session.reference if session is not None else None
    dialect = reference.dialect if reference is not None and reference.dialect not in ("none", "unknown") else ""
    return {
        "name": "", "title": "", "kind": "client", "dialects": [dialect or "openai-chat"], "evidence": "report",
        "source": "my own observation", "summary": "A client of my own.", "rules": {},
    }  # fmt: skip


def _begun(table: Mapping[str, Any]) -> bool:
    """Whether something was typed already: an empty form is no fault."""
    return bool(table["name"] or table["title"])


def _left(widget: QWidget) -> QWidget:
    """A control that is not stretched, at the left of its row."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(widget)
    row.addStretch(1)
    return made


def _band(layer: str) -> tuple[QWidget, QHBoxLayout]:
    """A strip, and the row that its controls go into."""
    made = QWidget()
    made.setProperty("layer", layer)
    made.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    row = QHBoxLayout(made)
    row.setContentsMargins(EDGE, GAP, EDGE, GAP)
    row.setSpacing(GAP)
    return made, row
