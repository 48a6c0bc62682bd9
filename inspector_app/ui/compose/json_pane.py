"""The whole body as JSON, in step with the form: what is changed at one side is there at the other."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector_app.core.text import number, size
from inspector_app.ui.compose.draft import Draft
from inspector_app.ui.compose.editors import JsonField
from inspector_app.ui.compose.json_text import Trouble, compact, parse, pretty
from inspector_app.ui.compose.parts import Said
from inspector_app.ui.controls import Button
from inspector_app.ui.frames import PaneHead
from inspector_app.ui.theme import Look

PLACE = "JSON"


class JsonPane(QWidget):
    """The body. `readable(yes)`: whether it can be read; `given(text)`: something to import was pasted."""

    readable = Signal(bool)
    given = Signal(str)

    def __init__(self, look: Look, draft: Draft) -> None:
        super().__init__()
        self.setProperty("layer", "pane")
        self.draft = draft
        self.trouble: Trouble | None = None
        self.head = PaneHead("Body", "as it is sent")
        self.tidy = Button(look, "Tidy", "", "flat")
        self.tidy.setAccessibleDescription("Lay out the JSON anew")
        self.head.add(self.tidy)
        self.field = JsonField(look, "Body of the request as JSON")
        self.said = Said(look)
        self.mend = Button(look, "Go there", "", "link")
        self.back = Button(look, "Take it back", "", "link")
        self.said.row.setContentsMargins(36, 6, 12, 0)
        self._links = QWidget()
        links = QHBoxLayout(self._links)
        links.setContentsMargins(28, 0, 12, 4)
        links.setSpacing(0)
        links.addWidget(self.mend)
        links.addWidget(self.back)
        links.addStretch(1)
        self._links.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.field, 1)
        column.addWidget(self.said)
        column.addWidget(self._links)
        self.field.edited.connect(self._edited)
        self.field.refused.connect(self._refused)
        self.tidy.clicked.connect(self._tidy)
        self.mend.clicked.connect(self._go_there)
        self.back.clicked.connect(self.take_back)
        draft.changed.connect(self._changed)
        draft.undo_asked.connect(self.field.undo)
        draft.redo_asked.connect(self.field.redo)
        self._show()
        self.field.document().clearUndoRedoStacks()

    def _changed(self, origin: object) -> None:
        if origin is not self:
            self._show()
        self._count()

    def _show(self) -> None:
        self.field.show_text(pretty(self.draft.folds.fold(self.draft.body)))
        self._say(None)
        self._count()

    def _count(self) -> None:
        self.head.remark.setText(f"as it is sent, {size(len(self.draft.data))}")

    def _edited(self, text: str) -> None:
        try:
            body = self._read(text)
        except Trouble as trouble:
            self._say(trouble)
            return
        self._say(None)
        if compact(body) != self.draft.text:
            self.draft.set_body(body, self)

    def _read(self, text: str) -> dict[str, Any]:
        self.draft.folds.check(text)
        body = parse(text)
        if not isinstance(body, dict):
            raise Trouble("a body is an object in { }", text, 0)
        return self.draft.folds.unfold(body)

    def _refused(self, text: str) -> None:
        """What was pasted is a curl command, or has lines that are too long: it is read, not shown."""
        if text.lstrip().startswith("curl"):
            self.given.emit(text)
            return
        try:
            self.draft.set_body(self._read(text), None)
        except Trouble as trouble:
            self.said.say(f"what was pasted, {number(len(text))} characters, cannot be read: {trouble}", "warning")

    def _say(self, trouble: Trouble | None) -> None:
        before, self.trouble = self.trouble, trouble
        self.field.show_trouble(trouble)
        self.said.say("" if trouble is None else str(trouble), "error")
        self.draft.fault(PLACE, "" if trouble is None else str(trouble))
        self.tidy.setEnabled(trouble is None)
        self._links.setVisible(trouble is not None)
        if (before is None) != (trouble is None):
            self.readable.emit(trouble is None)

    def _tidy(self) -> None:
        self.field.show_text(pretty(self.draft.folds.fold(self.draft.body)))

    def _go_there(self) -> None:
        if self.trouble is not None:
            self.field.go_to(self.trouble)

    def take_back(self) -> None:
        """Show the last JSON that could be read; undo brings back what was typed."""
        self._show()
