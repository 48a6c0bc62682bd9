"""The request as a form: model, messages, tools, how to think and to sample, what else goes into body and head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCompleter, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from inspector_app.core.text import clip, number, visible
from inspector_app.ui import fonts
from inspector_app.ui.compose.draft import Draft, header_trouble
from inspector_app.ui.compose.fields import Fragment, NumberField, Pairs
from inspector_app.ui.compose.messages import Messages, TextPart
from inspector_app.ui.compose.parts import FormChoice, entry, heading, part, row_of, scrolled
from inspector_app.ui.compose.places import NOTHING, look, put, without
from inspector_app.ui.compose.reasoning import OWN, UNSET, level_of, with_level
from inspector_app.ui.compose.shapes import Setting, others, setting_path, system_path, with_others, with_system
from inspector_app.ui.controls import Button
from inspector_app.ui.frames import PaneHead
from inspector_app.ui.labels import label, set_ink, tip
from inspector_app.ui.theme import Look

EDGE = 16
TWO_COLUMNS = 520
"""Pixels from which two numbers stand side by side."""
WAITS = "waits until the JSON can be read again"
HEADERS, OTHERS, TOOLS = "headers", "other members", "tools"


class Form(QWidget):
    """Shows a draft and changes it. While the JSON cannot be read it waits, and shows what was there before."""

    def __init__(self, look_of: Look, draft: Draft) -> None:
        super().__init__()
        self._look, self.draft = look_of, draft
        self.head = PaneHead("Request")
        self.model = entry("Model", "name of the model")
        self._names = QStringListModel(self)
        completer = QCompleter(self._names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setMaxVisibleItems(12)
        self.model.setCompleter(completer)
        self.choose = Button(look_of, "", "", "link")
        self.choose.hide()
        self.reasoning = FormChoice(look_of, "Reasoning")
        self.reasoning_note = label("", "ink.3", fonts.SECONDARY)
        self.reasoning_note.setWordWrap(True)
        self.system = TextPart(look_of, draft, "System prompt", (2, 8))
        self.messages = Messages(look_of, draft)
        self.tools = Fragment(look_of, "Tools, a list of JSON", list, draft.folds)
        self.example = Button(look_of, "Insert an example", "", "link")
        self.settings: dict[str, NumberField] = {}
        self.others = Fragment(look_of, "Other members of the body, an object of JSON", dict, draft.folds)
        self.headers = Pairs(look_of, "header", header_trouble)
        self._rows: list[QWidget] = []
        self._dialect = ""
        self._content = QWidget()
        self._arrange()
        self._connect()
        self.refresh()

    # building

    def _arrange(self) -> None:
        self._system_row = row_of("System", self.system)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(8)
        self._tools_head = heading("Tools", self.example)
        column = QVBoxLayout(self._content)
        column.setContentsMargins(EDGE, 12, EDGE, 24)
        column.setSpacing(8)
        model = QWidget()
        beside = QHBoxLayout(model)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(8)
        beside.addWidget(self.model, 1)
        beside.addWidget(self.choose)
        column.addWidget(row_of("Model", model))
        column.addWidget(row_of("Reasoning", _left(self.reasoning, self.reasoning_note)))
        column.addWidget(self._system_row)
        rest = heading("Rest of the body", remark="all that the form has no place for")
        headers = heading("Headers", remark="of this request, besides those of the provider")
        for below in (
            part(self.messages),
            part(self._tools_head, self.tools),
            part(heading("Sampling"), self._grid),
            part(rest, self.others),
            part(headers, self.headers),
        ):
            column.addSpacing(6)
            column.addLayout(below)
        column.addStretch(1)
        self.area = scrolled(self._content, "pane")
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.head)
        whole.addWidget(self.area)

    def _connect(self) -> None:
        draft = self.draft
        self.model.textEdited.connect(lambda text: draft.set_model(text.strip(), self))
        self.model.completer().activated.connect(lambda text: draft.set_model(text, self))
        self.choose.clicked.connect(self.show_models)
        self.reasoning.activated.connect(self._choose_level)
        self.system.field.edited.connect(self._set_system)
        self.system.field.refused.connect(self._set_system)
        self.system.field.undo_asked.connect(draft.undo_asked)
        self.system.field.redo_asked.connect(draft.redo_asked)
        self.tools.edited.connect(self._set_tools)
        self.example.clicked.connect(self._insert_example)
        self.others.edited.connect(self._set_others)
        self.headers.edited.connect(self._set_headers)
        for place, field in ((TOOLS, self.tools), (HEADERS, self.headers)):
            field.faulted.connect(lambda words, place=place: draft.fault(place, words))
        self.others.faulted.connect(lambda words: draft.fault(OTHERS, words))
        draft.changed.connect(self._changed)

    def _changed(self, origin: object) -> None:
        if origin is not self and origin is not self.messages:
            self.refresh()
        else:
            self._show_small()

    # what is shown

    def refresh(self) -> None:
        """Shows the draft as it is now."""
        draft = self.draft
        shape, body = draft.shape, draft.body
        if self.model.text().strip() != draft.model:
            self.model.setText(draft.model)
        self._show_settings()
        system = system_path(shape, body)
        self._system_row.setVisible(shape.system is not None)
        if shape.system is not None:
            found = look(body, system) if system is not None else NOTHING
            text = found if isinstance(found, str) else "" if system is not None else None
            self.system.show_text(text, "several texts: edit them in the JSON")
        self.messages.refresh()
        for widget in (self._tools_head, self.tools):
            widget.setVisible(shape.tools is not None)
        self.headers.show_pairs(draft.headers)
        self._show_small()

    def _show_small(self) -> None:
        """What follows from a change in another part of the form."""
        draft = self.draft
        self._show_level()
        tools = look(draft.body, draft.shape.tools) if draft.shape.tools is not None else NOTHING
        self.tools.show_value(tools)
        self.example.setVisible(tools is NOTHING)
        self.others.show_value(others(draft.shape, draft.body) or NOTHING)
        for setting in draft.shape.settings:
            self.settings[setting.words].show_value(look(draft.body, setting_path(setting, draft.body)))

    def _show_level(self) -> None:
        known, choice = self.draft.provider.knows.reasoning, self.reasoning
        level = level_of(self.draft.body, known)
        entries = [(UNSET, "not set" if known.levels else "none"), *((name, name) for name in known.levels)]
        if level == OWN:
            entries.append((OWN, "as in the JSON"))
        if [(choice.itemData(at), choice.itemText(at)) for at in range(choice.count())] != entries:
            choice.clear()
            for data, words in entries:
                choice.addItem(words, data)
        choice.setCurrentIndex(choice.findData(level))
        choice.setEnabled(bool(known.levels))
        tip(choice, "" if known.levels else "No levels are known here: write what is wanted into the rest of the body")
        self.reasoning_note.setText(visible(clip(known.note, 300)))
        self.reasoning_note.setVisible(bool(known.note))

    def _show_settings(self) -> None:
        """The numbers of the dialect, one below the other or in two columns."""
        if self._dialect == self.draft.provider.dialect:
            return
        self._dialect = self.draft.provider.dialect
        for row in self._rows:
            row.hide()
            self._grid.removeWidget(row)
            row.deleteLater()
        for words in self.settings:
            self.draft.fault(words)
        self.settings.clear()
        self._rows.clear()
        for setting in self.draft.shape.settings:
            field = NumberField(self._look, setting.words, setting.whole)
            field.edited.connect(lambda value, setting=setting: self._set_number(setting, value))
            field.faulted.connect(lambda words, setting=setting: self.draft.fault(setting.words, words))
            self.settings[setting.words] = field
            self._rows.append(row_of(setting.words, field))
        self._place_settings()

    def _place_settings(self) -> None:
        columns = 2 if self.width() >= TWO_COLUMNS else 1
        for at, row in enumerate(self._rows):
            self._grid.addWidget(row, at // columns, at % columns, Qt.AlignmentFlag.AlignTop)
        for column in (0, 1):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    def offer_models(self, names: Sequence[str], listed: int = 0) -> None:
        """The models that are offered while one types; `listed` of them the server has named."""
        self._names.setStringList([name for name in names if visible(name) == name])
        self.choose.setText(f"Choose of {number(listed)}")
        self.choose.setAccessibleName(f"Choose one of {number(listed)} models of the server")
        self.choose.setVisible(listed > 0)
        self.choose.updateGeometry()

    def show_models(self) -> None:
        """Show all names that there are; typing narrows them down."""
        completer = self.model.completer()
        self.model.setFocus(Qt.FocusReason.OtherFocusReason)
        completer.setCompletionPrefix("")
        completer.complete()

    def wait(self, waiting: bool) -> None:
        """Whether the JSON cannot be read: then nothing may be changed here."""
        self._content.setEnabled(not waiting)
        self.head.remark.setText(WAITS if waiting else "")
        set_ink(self.head.remark, "warning.text" if waiting else "ink.3")

    # what is changed

    def _choose_level(self, _: int) -> None:
        level = self.reasoning.currentData()
        if level != OWN:
            self.draft.set_body(with_level(self.draft.body, self.draft.provider.knows.reasoning, level), self)

    def _set_system(self, text: str) -> None:
        self.draft.set_body(with_system(self.draft.shape, self.draft.body, text), self)
        if text != self.system.field.text():
            self.refresh()

    def _set_tools(self, value: Any) -> None:
        path = self.draft.shape.tools
        if path is not None:
            body = self.draft.body
            self.draft.set_body(without(body, path) if value is NOTHING else put(body, path, value), self)

    def _insert_example(self) -> None:
        self._set_tools(self.draft.shape.example)
        self.tools.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _set_others(self, value: Any) -> None:
        members = {} if value is NOTHING else value
        taken = [key for key in members if key in (*self.draft.shape.claimed, "model")]
        self.others.said.say(f"{taken[0]} has a place of its own in this form" if taken else "")
        self.draft.fault(OTHERS, self.others.said.text)
        if not taken:
            self.draft.set_body(with_others(self.draft.shape, self.draft.body, members), self)

    def _set_number(self, setting: Setting, value: Any) -> None:
        body = self.draft.body
        path = setting_path(setting, body)
        self.draft.set_body(without(body, path) if value is NOTHING else put(body, path, value), self)

    def _set_headers(self, pairs: tuple[tuple[str, str], ...]) -> None:
        self.draft.headers = pairs

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_settings()


def _left(choice: QWidget, below: QWidget) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(4)
    column.addWidget(choice, 0, Qt.AlignmentFlag.AlignLeft)
    column.addWidget(below)
    return made
