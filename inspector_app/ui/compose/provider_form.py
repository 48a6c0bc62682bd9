"""A provider as a form: what stands in providers.toml, each fault at the field that has it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from inspector_app.live import provider_checks as checks
from inspector_app.live.asking import ASKING, AUTHS
from inspector_app.live.providers import IDLE_S, Provider, ProviderFault
from inspector_app.ui import fonts
from inspector_app.ui.compose.catalogue import UNNAMED, Catalogue
from inspector_app.ui.compose.draft import is_secret
from inspector_app.ui.compose.fields import Fragment, Pairs
from inspector_app.ui.compose.folds import Folds
from inspector_app.ui.compose.knowledge import KnowledgePane
from inspector_app.ui.compose.parts import FormChoice, Said, entry, heading, row_of, scrolled
from inspector_app.ui.compose.places import NOTHING
from inspector_app.ui.controls import Button, icon_button
from inspector_app.ui.labels import label, tip
from inspector_app.ui.theme import Look

EDGE, WIDEST, WORDS = 16, 640, 112
ENVIRONMENT, KEYRING, RUN = "key_env", "key_keyring", ""
KEY_FROM = {ENVIRONMENT: "environment variable", KEYRING: "keyring of this system", RUN: "typed for each run"}
KEY_HINTS = {ENVIRONMENT: "MY_GATEWAY_KEY", KEYRING: "name of the entry"}

TEXTS: dict[str, tuple[str, str]] = {
    "name": ("Name", "my-gateway"),
    "title": ("Title", "My gateway"),
    "base_url": ("Base URL", "https://llm.example.com/v1"),
    "path": ("Path", ""),
    "model": ("Model", "asked where a request names none"),
    "ca_file": ("CA file", "certificates to trust besides those of the system"),
    "proxy": ("Proxy", "http://127.0.0.1:3128"),
    "timeout_idle_s": ("Idle timeout", ""),
}
"""Key of an entry -> its words, and what stands in the empty field."""


class ProviderForm(QWidget):
    """Edits one provider. `saved(provider)`, `deleted(provider)`, `closed`: the form is to go."""

    saved = Signal(object)
    deleted = Signal(object)
    closed = Signal()

    def __init__(self, look: Look, catalogue: Catalogue) -> None:
        super().__init__()
        self._catalogue = catalogue
        self._base = Provider("")
        self._edited = ""
        """The name under which the provider stands in the file; empty for a new one."""
        self.title = label("", "ink.1", fonts.HEADLINE, 600)
        self.fields: dict[str, QLineEdit] = {key: entry(words, hint) for key, (words, hint) in TEXTS.items()}
        self.dialect = FormChoice(look, "Dialect")
        self.auth = FormChoice(look, "How the key is sent")
        self.key_from = FormChoice(look, "Where the key is")
        self.key_name = entry("Name of the variable or entry that holds the key")
        self.query = Pairs(look, "parameter", lambda name, value: _check("query", {name: value}))
        self.headers = Pairs(look, "header", lambda name, value: _check("headers", {name: value}))
        self.extra_body = Fragment(look, "Extra body, an object of JSON", dict, Folds())
        self.faults: dict[str, Said] = {key: Said(look) for key in (*TEXTS, "dialect", "auth", "key", "extra_body")}
        self.fault = Said(look)
        self.knowledge = KnowledgePane()
        self.save = Button(look, "Save", "", "primary")
        tip(self.save, "Write it to providers.toml", "Ctrl+S")
        self.cancel = Button(look, "Cancel")
        self.delete = Button(look, "Delete", "", "flat")
        self._close = icon_button(look, "close", "Close the form", "Esc")
        for choice, entries in (
            (self.dialect, {name: name for name in ASKING}),
            (self.auth, {"": "as usual for the dialect", **{name: name for name in AUTHS}}),
            (self.key_from, KEY_FROM),
        ):
            for data, words in entries.items():
                choice.addItem(words, data)
        self._arrange()
        self._connect()

    def _arrange(self) -> None:
        key = QHBoxLayout()
        key.setSpacing(8)
        key.addWidget(self.key_from)
        key.addWidget(self.key_name, 1)
        key_field = QWidget()
        key_field.setLayout(key)
        key.setContentsMargins(0, 0, 0, 0)
        rows: list[QWidget] = [self._row("name"), self._row("title")]
        rows += [heading("Where"), self._row("base_url"), self._row("dialect", "Dialect", _left(self.dialect))]
        rows += [self._row("path"), self._row("model")]
        rows += [heading("Key", remark="its name only, never the key itself")]
        rows += [self._row("key", "Key is in", key_field), self._row("auth", "Sent as", _left(self.auth))]
        rows += [heading("In every request")]
        rows += [row_of("Query", self.query, width=WORDS), row_of("Headers", self.headers, width=WORDS)]
        rows += [row_of("Extra body", self.extra_body, width=WORDS)]
        rows += [heading("Connection"), self._row("proxy"), self._row("ca_file"), self._row("timeout_idle_s")]
        content = QWidget()
        form = QVBoxLayout(content)
        form.setContentsMargins(EDGE, 8, EDGE, 24)
        form.setSpacing(8)
        for row in rows:
            row.setMaximumWidth(WIDEST)
            form.addWidget(row)
        form.addStretch(1)
        head = QWidget()
        head.setProperty("layer", "head")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head.setFixedHeight(44)
        line = QHBoxLayout(head)
        line.setContentsMargins(EDGE, 0, 8, 0)
        line.addWidget(self.title)
        line.addStretch(1)
        line.addWidget(self._close)
        foot = QHBoxLayout()
        foot.setContentsMargins(EDGE, 8, EDGE, 8)
        foot.setSpacing(8)
        foot.addWidget(self.save)
        foot.addWidget(self.cancel)
        foot.addWidget(self.fault, 1)
        foot.addStretch(0)
        foot.addWidget(self.delete)
        self.area = scrolled(content, "pane")
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.area, 3)
        middle.addWidget(self.knowledge, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addLayout(middle, 1)
        column.addLayout(foot)

    def _row(self, key: str, words: str = "", field: QWidget | None = None) -> QWidget:
        return row_of(words or TEXTS[key][0], field or self.fields[key], self.faults[key], WORDS)

    def _connect(self) -> None:
        for field in (*self.fields.values(), self.key_name):
            field.textEdited.connect(lambda _: self._judge())
        for choice in (self.dialect, self.auth, self.key_from):
            choice.activated.connect(lambda _: self._judge())
        self.key_from.activated.connect(lambda _: self._show_key_field())
        self.dialect.activated.connect(lambda _: self._show_hints())
        self.save.clicked.connect(self.keep)
        self.cancel.clicked.connect(self.closed)
        self._close.clicked.connect(self.closed)
        self.delete.clicked.connect(self._delete)

    # what is shown

    def edit(self, provider: Provider, known: bool) -> None:
        """Shows a provider; `known` says whether it stands in the file already."""
        self._base, self._edited = provider, provider.name if known else ""
        self.title.setText(f"Provider {provider.name}" if known else "Add a provider")
        for key, field in self.fields.items():
            value = getattr(provider, key)
            field.setText(f"{value:g}" if isinstance(value, float) else value)
        for key in ("name", "title") if provider.name == UNNAMED else ():
            # They say what the preset is, not what server is asked.
            self.fields[key].clear()
        self.fields["base_url"].setPlaceholderText(provider.knows.base_url_form or TEXTS["base_url"][1])
        self.dialect.setCurrentIndex(self.dialect.findData(provider.dialect or "openai-chat"))
        self.auth.setCurrentIndex(max(0, self.auth.findData(provider.auth)))
        place = ENVIRONMENT if provider.key_env else KEYRING if provider.key_keyring else RUN
        if not provider.base_url and not provider.key_env:
            place = ENVIRONMENT
        self.key_from.setCurrentIndex(self.key_from.findData(place))
        self.key_name.setText(provider.key_env or provider.key_keyring)
        self.query.show_pairs(tuple(provider.query.items()))
        self.headers.show_pairs(tuple(provider.headers.items()))
        self.extra_body.show_value(dict(provider.extra_body) or NOTHING)
        self.knowledge.show_knowledge(provider)
        self.delete.setVisible(known)
        self.fault.say("")
        for said in self.faults.values():
            said.say("")
        self._show_key_field()
        self._show_hints()
        self.area.verticalScrollBar().setValue(0)

    def enter(self) -> None:
        """Gives the keyboard to the first field that wants something."""
        known = self.fields["base_url"].text() or not self.fields["name"].text()
        first = self.fields["name" if known else "base_url"]
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)
        first.selectAll()

    def _show_key_field(self) -> None:
        place = self.key_from.currentData()
        self.key_name.setVisible(place != RUN)
        self.key_name.setPlaceholderText(KEY_HINTS.get(place, ""))

    def _show_hints(self) -> None:
        asking = ASKING[self.dialect.currentData()]
        self.fields["path"].setPlaceholderText(f"{asking.path}, as usual")
        self.auth.setItemText(0, f"as usual: {asking.auth}")
        self.fields["timeout_idle_s"].setPlaceholderText(f"{IDLE_S:g} seconds without a byte")

    # what is read

    def _values(self) -> dict[str, Any]:
        values: dict[str, Any] = {key: field.text().strip() for key, field in self.fields.items()}
        place = self.key_from.currentData()
        values["dialect"], values["auth"] = self.dialect.currentData(), self.auth.currentData()
        values |= {key: self.key_name.text().strip() if key == place else "" for key in (ENVIRONMENT, KEYRING)}
        values["query"], values["headers"] = dict(self.query.pairs()), dict(self.headers.pairs())
        return values

    def _judge(self, all_of_them: bool = False) -> bool:
        """Says what is wrong at each field; of empty ones only what is missing when all are asked for."""
        values, good = self._values(), True
        # Some take the field for the key itself.
        shows = not is_secret("", self.key_name.text())
        self.key_name.setEchoMode(QLineEdit.EchoMode.Normal if shows else QLineEdit.EchoMode.Password)
        for key, value in values.items():
            words = ""
            if value:
                words = _check(key, float(value) if key == "timeout_idle_s" and _is_number(value) else value)
            elif all_of_them and key in ("name", "base_url"):
                words = "is missing"
            good = good and not words
            place = self.faults.get("key" if key in (ENVIRONMENT, KEYRING) else key)
            if place is not None and not (key in (ENVIRONMENT, KEYRING) and key != self.key_from.currentData()):
                place.say(f"{_words(key)} {words}" if words else "")
        return good and not self.extra_body.said.text and not self.query.said.text and not self.headers.said.text

    def provider(self) -> Provider:
        """What the form says."""
        values = self._values()
        seconds = values.pop("timeout_idle_s")
        return replace(
            self._base, **values, preset=self._base.preset or self._shipped(),
            timeout_idle_s=float(seconds) if seconds else IDLE_S, extra_body=self.extra_body.value or {},
        )  # fmt: skip

    def _shipped(self) -> str:
        """The preset that a new entry is made of; it fills in what is known beyond the entry."""
        known = self._catalogue.presets.get(self._base.name)
        return known.name if known is self._base and known.name != UNNAMED else ""

    def keep(self) -> None:
        """Write the provider to the file."""
        if not self._judge(True):
            self.fault.say("look at the fields that are marked")
            return
        provider = self.provider()
        if provider.name != self._edited and provider.name in self._catalogue.own:
            self.faults["name"].say(f"Name {provider.name} is taken by another provider")
            return
        try:
            self._catalogue.save(provider, self._edited)
        except ProviderFault as fault:
            self.fault.say(str(fault))
            return
        self._edited = provider.name
        self.saved.emit(self._catalogue.own[provider.name])

    def _delete(self) -> None:
        known = self._catalogue.own.get(self._edited)
        try:
            self._catalogue.delete(self._edited)
        except ProviderFault as fault:
            self.fault.say(str(fault))
            return
        self.deleted.emit(known)


def _words(key: str) -> str:
    if key in TEXTS:
        return TEXTS[key][0]
    return {"key_env": "Variable", "key_keyring": "Entry"}.get(key, key.replace("_", " ").capitalize())


def _check(key: str, value: Any) -> str:
    """What is wrong with the value of a key, in words; never quotes it."""
    try:
        checks.name(value) if key == "name" else checks.CHECKS[key](value)
    except ValueError as error:
        return str(error)
    return ""


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _left(choice: QWidget) -> QWidget:
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(choice)
    row.addStretch(1)
    return made
