"""Where the key of a provider is from, in words; where there is none, a field to type it for this run."""

from __future__ import annotations

import os

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from inspector_app.core.text import clip, visible
from inspector_app.live.keys import keep_in_keyring
from inspector_app.live.providers import Provider, ProviderFault
from inspector_app.ui import fonts
from inspector_app.ui.compose.catalogue import Catalogue
from inspector_app.ui.compose.draft import Draft
from inspector_app.ui.compose.later import Later
from inspector_app.ui.compose.parts import Said, entry
from inspector_app.ui.controls import Button
from inspector_app.ui.labels import label
from inspector_app.ui.theme import Look


class KeyRow(QWidget):
    """The state of the key. What is typed is hidden, taken away when it is taken over, and kept in memory alone."""

    def __init__(self, look: Look, catalogue: Catalogue, draft: Draft) -> None:
        super().__init__()
        self._catalogue, self._draft = catalogue, draft
        self._typing = False
        self._later = Later(self)
        self.state = label("", "ink.2", fonts.BODY)
        self.state.setWordWrap(True)
        self.field = entry("Key for this run", "key")
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.use = Button(look, "Use")
        self.other = Button(look, "", "", "link")
        self.keep = Button(look, "Put it into the keyring", "", "link")
        self.said = Said(look)
        typing = QHBoxLayout()
        typing.setSpacing(8)
        typing.addWidget(self.field, 1)
        typing.addWidget(self.use)
        links = QHBoxLayout()
        links.setSpacing(0)
        links.setContentsMargins(0, 0, 0, 0)
        links.addWidget(self.other)
        links.addWidget(self.keep)
        links.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.state)
        column.addLayout(typing)
        column.addWidget(self.said)
        column.addLayout(links)
        self.field.returnPressed.connect(self.take)
        self.use.clicked.connect(self.take)
        self.other.clicked.connect(self._other)
        self.keep.clicked.connect(self._keep)
        catalogue.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Says how it is with the key of the provider that is chosen now."""
        words, missing = key_words(self._draft.provider, self._catalogue, self._draft)
        typed = self._catalogue.typed_key(self._draft.provider) is not None
        given = bool(self._draft.given.secrets)
        shown = visible(clip(words, 200))
        self.state.setText(shown)
        self.state.setAccessibleName(f"Key: {shown}")
        typing = missing or self._typing
        self.field.setVisible(typing)
        self.use.setVisible(typing)
        none = self._draft.provider.auth_style == "none" and not given
        self.other.setVisible(not none and (not missing or typed))
        forget = typed or given
        self.other.setText("Forget it" if forget else "Leave it" if self._typing else "Type another")
        self.other.setAccessibleName(f"{self.other.text()}: the key")
        self.other.updateGeometry()
        self.keep.setVisible(typed and bool(self._draft.provider.key_keyring))

    def take(self) -> bool:
        """Takes over what was typed, if anything; whether it can be a key."""
        key = self.field.text()
        if not key.strip():
            return True
        self.field.clear()
        try:
            self._catalogue.type_key(self._draft.provider, key)
        except ProviderFault as fault:
            self.said.say(str(fault))
            return False
        self._typing = False
        self.said.say("")
        self.refresh()
        return True

    def provider_chosen(self) -> None:
        """Another provider: what was typed and not taken over belongs to the one before."""
        self.field.clear()
        self._typing = False
        self.said.say("")
        self._later.cancel()
        self.refresh()

    def _other(self) -> None:
        provider = self._draft.provider
        if self._catalogue.typed_key(provider) is not None or self._draft.given.secrets:
            self._draft.forget_given()
            self._catalogue.forget_key(provider)
        else:
            self._typing = not self._typing
            self.field.clear()
        self.refresh()
        if not self.field.isHidden():
            self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _keep(self) -> None:
        provider = self._draft.provider
        given = self._catalogue.typed_key(provider)
        if given is not None:
            self._later.start(lambda: keep_in_keyring(provider.key_keyring, given.key), self._kept)

    def _kept(self, result: object) -> None:
        if isinstance(result, Exception):
            self.said.say(str(result) if isinstance(result, ProviderFault) else type(result).__name__)
            return
        self._catalogue.forget_key(self._draft.provider)
        self.said.say("it is in the keyring now", "plain")


def key_words(provider: Provider, catalogue: Catalogue, draft: Draft) -> tuple[str, bool]:
    """How it is with the key, in words, and whether it has to be typed."""
    more = len(draft.given.headers) + len(draft.given.query)
    beside = f", and {more} more secret{'s' if more > 1 else ''} of the request" if more else ""
    if catalogue.typed_key(provider) is not None:
        return f"typed for this run{beside}", False
    if draft.given.key:
        return f"given with the request, for this run{beside}", False
    if draft.given.secrets:
        return f"none{beside.replace(', and', ', but')}, for this run", False
    if provider.auth_style == "none":
        return "none is sent", False
    if variable := provider.key_env:
        if os.environ.get(variable, "").strip():
            return f"from {variable}", False
        return f"{variable} is not set: type it for this run", True
    if provider.key_keyring:
        return f"from the keyring, entry {provider.key_keyring}", False
    return "not set: type it for this run", True
