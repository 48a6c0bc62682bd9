"""Fields that hold a piece of a request: a list or a table of JSON, a number, names with values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from inspector_app.ui.compose.draft import is_secret
from inspector_app.ui.compose.editors import JsonField
from inspector_app.ui.compose.folds import Folds
from inspector_app.ui.compose.json_text import Trouble, compact, parse, pretty
from inspector_app.ui.compose.parts import Said, entry
from inspector_app.ui.compose.places import NOTHING
from inspector_app.ui.controls import Button, icon_button
from inspector_app.ui.icons import SMALL
from inspector_app.ui.theme import Look

KINDS: dict[type, str] = {list: "a list in [ ]", dict: "an object in { }"}


def _written(value: Any) -> str:
    return "" if value is NOTHING else compact(value)


class Fragment(QWidget):
    """A field for a list or a table. `edited(value)`: it can be read, NOTHING where it is empty; `faulted(words)`."""

    edited = Signal(object)
    faulted = Signal(str)

    def __init__(self, look: Look, name: str, kind: type, folds: Folds) -> None:
        super().__init__()
        self._kind, self._folds = kind, folds
        self._shown: Any = NOTHING
        self.field = JsonField(look, name, (1, 14), "field")
        self.field.setPlaceholderText(f"none: {KINDS[kind]}")
        self.said = Said(look)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.field)
        column.addWidget(self.said)
        self.field.edited.connect(self._edited)
        self.field.refused.connect(lambda _: self.said.say("what was to be pasted is too long for this field"))

    def show_value(self, value: Any) -> None:
        """Shows a value, unless it is the one that is shown; what could not be read gives way to it."""
        if _written(value) == _written(self._shown):
            return
        self._shown = value
        self.field.show_text("" if value is NOTHING else pretty(self._folds.fold(value)))
        self._say(None)

    @property
    def value(self) -> Any:
        """The last value that could be read."""
        return self._shown

    def _edited(self, text: str) -> None:
        try:
            self._folds.check(text)
            value = self._folds.unfold(parse(text)) if text.strip() else NOTHING
            if value is not NOTHING and not isinstance(value, self._kind):
                raise Trouble(f"this must be {KINDS[self._kind]}", text, 0)
        except Trouble as trouble:
            self._say(trouble)
            return
        self._say(None)
        self._shown = value
        self.edited.emit(value)

    def _say(self, trouble: Trouble | None) -> None:
        self.field.show_trouble(trouble)
        self.said.say("" if trouble is None else str(trouble))
        self.faulted.emit("" if trouble is None else str(trouble))


class NumberField(QWidget):
    """A field for a number. `edited(value)`: it can be read, NOTHING where it is empty; `faulted(words)`."""

    edited = Signal(object)
    faulted = Signal(str)

    def __init__(self, look: Look, name: str, whole: bool) -> None:
        super().__init__()
        self._whole = whole
        self._shown: Any = NOTHING
        self.field = entry(name, "not set")
        self.said = Said(look)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.field)
        column.addWidget(self.said)
        self.field.textEdited.connect(self._edited)

    def show_value(self, value: Any) -> None:
        """Shows a value, unless it is the one that is shown."""
        if _written(value) == _written(self._shown):
            return
        self._shown = value
        readable = value is NOTHING or (isinstance(value, int | float) and not isinstance(value, bool))
        self.field.setReadOnly(not readable)
        self.field.setText("" if value is NOTHING else pretty(value) if readable else "see the JSON")
        self._say("")

    def _edited(self, text: str) -> None:
        try:
            value = parse(text) if text.strip() else NOTHING
        except Trouble:
            value = None
        number = value is NOTHING or (isinstance(value, int | float) and not isinstance(value, bool))
        if not number or (self._whole and isinstance(value, float)):
            self._say("a whole number, or nothing" if self._whole else "a number, or nothing")
            return
        self._say("")
        self._shown = value
        self.edited.emit(value)

    def _say(self, words: str) -> None:
        self.said.say(words)
        self.faulted.emit(words)


class _Pair(QWidget):
    def __init__(self, owner: Pairs, look: Look, of: str) -> None:
        super().__init__()
        self.name = entry(f"Name of a {of}", "name")
        self.value = entry(f"Value of a {of}", "value")
        self.remove = icon_button(look, "close", f"Remove this {of}", size=SMALL)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.name, 2)
        row.addWidget(self.value, 3)
        row.addWidget(self.remove)
        for field in (self.name, self.value):
            field.textEdited.connect(lambda _: owner.changed())
        self.remove.clicked.connect(lambda: owner.drop(self))

    def veil(self) -> None:
        """Hides a value that is a secret by its name or its shape."""
        hidden = is_secret(self.name.text(), self.value.text())
        mode = QLineEdit.EchoMode.Password if hidden else QLineEdit.EchoMode.Normal
        if self.value.echoMode() != mode:
            self.value.setEchoMode(mode)


class Pairs(QWidget):
    """Names with values, a row each. `edited(pairs)`; `check` gives what is wrong with one, in words."""

    edited = Signal(object)
    faulted = Signal(str)

    def __init__(self, look: Look, of: str, check: Callable[[str, str], str]) -> None:
        super().__init__()
        self._look, self._of, self._check = look, of, check
        self.rows: list[_Pair] = []
        self.said = Said(look)
        self.add = Button(look, f"Add {of}", "plus", "flat")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.said)
        self._column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        self.add.clicked.connect(self._append)

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """What is in the rows that have a name."""
        return tuple((name, row.value.text()) for row in self.rows if (name := row.name.text().strip()))

    def show_pairs(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Shows other pairs."""
        if tuple(pairs) == self.pairs() and len(self.rows) == len(pairs):
            return
        for row in self.rows[::-1]:
            self._take(row)
        for name, value in pairs:
            row = self._new()
            row.name.setText(name)
            row.value.setText(value)
            row.veil()
        self._judge()

    def changed(self) -> None:
        """Something was typed."""
        for row in self.rows:
            row.veil()
        self._judge()
        self.edited.emit(self.pairs())

    def drop(self, row: _Pair) -> None:
        """Take a row out."""
        self._take(row)
        self.add.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed()

    def _judge(self) -> None:
        pairs = self.pairs()
        names = [name.lower() for name, _ in pairs]
        found = next((words for name, value in pairs if (words := self._check(name, value))), "")
        if not found and len(set(names)) < len(names):
            found = f"the same {self._of} stands here twice"
        self.said.say(found)
        self.faulted.emit(found)

    def _append(self) -> None:
        self._new().name.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _new(self) -> _Pair:
        row = _Pair(self, self._look, self._of)
        self._column.insertWidget(len(self.rows), row)
        self.rows.append(row)
        return row

    def _take(self, row: _Pair) -> None:
        self.rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()
