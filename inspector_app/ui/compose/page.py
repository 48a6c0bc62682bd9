"""A new request in the window: the provider and what was asked before, the request as a form and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from inspector_app.core.text import clip
from inspector_app.live.curl_import import from_curl
from inspector_app.live.history import Past, history_file, recall, remember
from inspector_app.live.keys import Credentials
from inspector_app.live.providers import Provider, ProviderFault
from inspector_app.live.request_import import KEY_MASKED, Imported, from_request
from inspector_app.ui.commands import Command
from inspector_app.ui.compose.catalogue import Catalogue
from inspector_app.ui.compose.curl import as_curl, is_curl
from inspector_app.ui.compose.draft import Draft
from inspector_app.ui.compose.form import Form
from inspector_app.ui.compose.frame import Status, Strip, Toolbar
from inspector_app.ui.compose.json_pane import PLACE, JsonPane
from inspector_app.ui.compose.key_row import key_words
from inspector_app.ui.compose.later import Later
from inspector_app.ui.compose.page_commands import commands_of
from inspector_app.ui.compose.past import model_of
from inspector_app.ui.compose.provider_form import ProviderForm
from inspector_app.ui.compose.side import Side
from inspector_app.ui.frames import Splitter
from inspector_app.ui.settings import Settings
from inspector_app.ui.theme import Look

LAST = "provider"
"""Under which name the settings remember who was asked last."""
SIDE, NARROW_SIDE, NARROW = 296, 248, 1200


class ComposePage(QWidget):
    """One request, until it is sent and after that.

    `send_asked(ask)`: an `Ask` (draft.py) is to be sent: its `provider`, its `request` as it goes over the wire, and
    the `conditions` to connect under. It is in the history already. Sending needs no more than
    `Running(ask.request, kit, ask.conditions, recorder)`.
    """

    send_asked = Signal(object)

    title = "New request"

    def __init__(self, look: Look, catalogue: Catalogue, settings: Settings, history: Path | None = None) -> None:
        super().__init__()
        self.catalogue, self.settings = catalogue, settings
        self._history = history or history_file()
        self.draft = Draft(catalogue.first(settings.value(LAST, "")), self)
        self._recall, self._keys = Later(self), Later(self)
        self._past: list[Past] = []
        self._deleted: Provider | None = None
        self.toolbar = Toolbar(look)
        self.strip = self.notice = Strip(look)
        self.side = Side(look, catalogue, self.draft)
        self.form = Form(look, self.draft)
        self.json = JsonPane(look, self.draft)
        self._look = look
        self._provider_form: ProviderForm | None = None
        self.status = Status(self.draft)
        self._arrange(look)
        self._connect()
        self._settled = self._state()
        self.refresh_history()

    def _arrange(self, look: Look) -> None:
        self._request = Splitter(look, Qt.Orientation.Horizontal)
        self._request.addWidget(self.form)
        self._request.addWidget(self.json)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._request)
        self._whole = Splitter(look, Qt.Orientation.Horizontal)
        self._whole.addWidget(self.side)
        self._whole.addWidget(self._stack)
        self._moved = False
        self._whole.splitterMoved.connect(self._line_moved)
        self._whole.installEventFilter(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.toolbar, self.strip):
            column.addWidget(widget)
        column.addWidget(self._whole, 1)
        column.addWidget(self.status)

    def _connect(self) -> None:
        bar, draft = self.toolbar, self.draft
        bar.send.clicked.connect(self.send)
        bar.copy.clicked.connect(self.copy_curl)
        bar.paste.clicked.connect(self.paste_curl)
        self.side.provider_chosen.connect(self.choose)
        self.side.edit_asked.connect(self.edit_provider)
        self.side.past_chosen.connect(self.bring_back)
        self.side.listed.connect(self._offer_models)
        self.json.readable.connect(lambda yes: self.form.wait(not yes))
        self.json.given.connect(self.take_curl)
        self.strip.acted.connect(self._undo_delete)
        draft.changed.connect(self._changed)
        draft.faulted.connect(self.status.refresh)

    def commands(self) -> list[Command]:
        """What can be done with this request."""
        return commands_of(self)

    # the widget

    def _line_moved(self) -> None:
        self._moved = True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and not self._moved:
            width = self._whole.width()
            side = SIDE if width >= NARROW else NARROW_SIDE
            self._whole.setSizes([side, width - side])
            rest = width - side
            self._request.setSizes([round(rest * 0.54), rest - round(rest * 0.54)])
        return False

    def enter(self) -> None:
        """Gives the keyboard to the message, where most begin."""
        rows = self.form.messages.rows
        taker = rows[-1].part.field if rows and not rows[-1].part.field.isHidden() else self.form.model
        taker.setFocus(Qt.FocusReason.OtherFocusReason)

    def close_work(self) -> None:
        """The page is about to go: nothing is waited for any more."""
        for later in (self._recall, self._keys):
            later.cancel()
        self.side.stop()

    def _changed(self, origin: object) -> None:
        self.status.refresh()

    def _state(self) -> tuple[str, str, object]:
        return self.draft.text, self.draft.model, self.draft.headers

    @property
    def unsent(self) -> bool:
        """Whether something is in here that was neither sent nor taken from a request that is kept elsewhere."""
        return self._state() != self._settled or bool(self.draft.faults)

    def say(self, words: str, meaning: str = "error") -> None:
        """One line under the toolbar."""
        self.strip.say(words, meaning)

    # providers

    def choose(self, provider: Provider) -> None:
        """Ask another provider."""
        self.draft.forget_given()
        self.draft.set_provider(provider, self)
        self._show_provider()

    def _show_provider(self) -> None:
        self.side.refresh()
        self.side.key.provider_chosen()
        self.side.forget_verdict()
        self._offer_models()

    @property
    def provider_form(self) -> ProviderForm:
        """The form of a provider; it is made when it is wanted first."""
        if self._provider_form is None:
            self._provider_form = made = ProviderForm(self._look, self.catalogue)
            made.saved.connect(self._saved)
            made.deleted.connect(self._gone)
            made.closed.connect(self.show_request)
            self._stack.addWidget(made)
        return self._provider_form

    def edit_provider(self, provider: Provider, known: bool) -> None:
        """Show the form of a provider in the place of the request."""
        self.provider_form.edit(provider, known)
        self._stack.setCurrentWidget(self.provider_form)
        self.toolbar.send.setEnabled(False)
        self.provider_form.enter()

    @property
    def edits_provider(self) -> bool:
        """Whether the form of a provider is in view."""
        return self._provider_form is not None and self._stack.currentWidget() is self._provider_form

    def show_request(self) -> None:
        """Back to the request."""
        if self.edits_provider:
            self._stack.setCurrentWidget(self._request)
            self.toolbar.send.setEnabled(True)
            self.side.choice.setFocus(Qt.FocusReason.OtherFocusReason)

    def _saved(self, provider: Provider) -> None:
        self.choose(provider)
        self.show_request()
        self.say(f"{provider.name} is saved in {self.catalogue.path}", "plain")

    def _gone(self, provider: Provider) -> None:
        self._deleted = provider
        self.choose(self.catalogue.first(""))
        self.show_request()
        self.strip.say(f"{provider.name} was deleted from {self.catalogue.path}", "plain", "Undo")

    def _undo_delete(self) -> None:
        provider, self._deleted = self._deleted, None
        if provider is None:
            return
        try:
            self.catalogue.save(provider)
        except ProviderFault as fault:
            self.say(str(fault))
            return
        self.strip.say("")
        self.choose(self.catalogue.own[provider.name])

    # what was asked before, and elsewhere

    def refresh_history(self) -> None:
        """Read the requests of before again; a thread does so."""
        path = self._history
        self._recall.start(lambda: recall(path), self._recalled)

    def _recalled(self, result: object) -> None:
        if isinstance(result, list):
            self._past = result
            self.side.show_past(result, datetime.now())
            self._offer_models()
        elif isinstance(result, OSError):
            self.say(f"{self._history}: the requests of before cannot be read: {result.strerror or result}", "warning")

    def _offer_models(self) -> None:
        provider = self.draft.provider
        listed = self.catalogue.models(provider)
        # What another server was asked for is a guess, as long as this one has not said what it has.
        before = [past for past in self._past if not listed or past.provider == provider.name]
        asked = [model_of(past) for past in sorted(before, key=lambda past: past.provider != provider.name)]
        names = dict.fromkeys([provider.model, *asked, *listed])
        self.form.offer_models([model for model in names if model], len(listed))

    def bring_back(self, past: Past) -> None:
        """Show a request of before."""
        self.take_request(past.request, past.provider)

    def take_request(self, request: Mapping[str, Any] | None, provider: str = "") -> bool:
        """Show the request of a recording, or of before, to be sent again; whether that is possible."""
        try:
            imported = from_request(request, self.catalogue.presets)
        except ProviderFault as fault:
            self.say(str(fault))
            return False
        taken = self._take(imported, provider)
        self._settled = self._state() if taken else self._settled
        return taken

    def take_curl(self, text: str) -> bool:
        """Show the request of a curl command; whether it could be read."""
        try:
            imported = from_curl(text, self.catalogue.presets)
        except ProviderFault as fault:
            self.say(str(fault))
            return False
        return self._take(imported)

    def _take(self, imported: Imported, name: str = "") -> bool:
        self.show_request()
        provider = self.catalogue.fitting(imported, name)
        try:
            self.draft.take(provider, imported.body, imported.credentials, None, imported.provider.model)
        except ProviderFault as fault:
            self.say(str(fault))
            return False
        beside = {} if provider is imported.provider else dict(imported.provider.headers)
        known = {field.lower(): value for field, value in provider.headers.items()}
        self.draft.headers = tuple((field, one) for field, one in beside.items() if known.get(field.lower()) != one)
        self.form.refresh()
        self._show_provider()
        missing = key_words(provider, self.catalogue, self.draft)[1]
        self.say("; ".join(note for note in imported.notes if missing or note != KEY_MASKED), "info")
        self.enter()
        return True

    def paste_curl(self) -> None:
        """Take the curl command that the clipboard holds."""
        text = QApplication.clipboard().text()
        if is_curl(text):
            self.take_curl(text)
        else:
            self.say("the clipboard holds no curl command: copy one that begins with curl", "warning")

    def copy_curl(self) -> None:
        """Put the request on the clipboard as a curl command, without its key."""
        if self._refuses():
            return
        try:
            QApplication.clipboard().setText(as_curl(self.draft))
        except ProviderFault as fault:
            self.say(str(fault))
            return
        self.say(f"copied, with the key as ${self.draft.provider.key_env or 'API_KEY'}"
                 if self.draft.provider.auth_style != "none" else "copied", "plain")  # fmt: skip

    # sending

    def _refuses(self) -> bool:
        """Says why the request cannot be made, if so."""
        faults = self.draft.faults
        if not faults:
            return False
        place = next(iter(faults))
        self.say(f"{place}: {clip(faults[place], 300)}")
        if place == PLACE and self.json.trouble is not None:
            self.json.field.go_to(self.json.trouble)
        return True

    def send(self) -> None:
        """Send the request as it stands."""
        if self.edits_provider or self._refuses() or self._keys.running or not self.side.key.take():
            return
        self.strip.say("")
        provider, catalogue = self.draft.provider, self.catalogue
        if provider.key_keyring and catalogue.typed_key(provider) is None:
            # The keyring may ask the user to unlock it.
            self._keys.start(lambda: catalogue.credentials(provider), self._send_with)
            return
        try:
            self._send_with(catalogue.credentials(provider))
        except ProviderFault as fault:
            self.say(str(fault))

    def _send_with(self, credentials: object) -> None:
        if not isinstance(credentials, Credentials):
            failed = credentials if isinstance(credentials, ProviderFault) else type(credentials).__name__
            self.say(f"the key cannot be had: {failed}")
            return
        try:
            ask = self.draft.ask(credentials)
        except ProviderFault as fault:
            self.say(str(fault))
            return
        self.settings.put(LAST, self.draft.provider.name)
        path, name = self._history, self.draft.provider.name

        def keep() -> list[Past]:
            remember(path, name, ask.request)
            return recall(path)

        self._recall.start(keep, self._recalled)
        self._settled = self._state()
        self.send_asked.emit(ask)
