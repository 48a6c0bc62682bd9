"""The left column: which provider is asked, how it is with its key, whether it answers, and what was asked before."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector_app.core.redact import redact_text
from inspector_app.core.text import clip, number, visible
from inspector_app.live.asking import ASKING
from inspector_app.live.probe import Verdict, list_models, try_connection
from inspector_app.live.providers import Provider, ProviderFault
from inspector_app.live.request import address
from inspector_app.ui import fonts
from inspector_app.ui.compose.catalogue import UNNAMED, Catalogue
from inspector_app.ui.compose.draft import Draft
from inspector_app.ui.compose.key_row import KeyRow
from inspector_app.ui.compose.later import Later
from inspector_app.ui.compose.parts import FormChoice, Said
from inspector_app.ui.compose.past import PastList
from inspector_app.ui.controls import Button
from inspector_app.ui.frames import PaneHead
from inspector_app.ui.labels import ElidedLabel, label
from inspector_app.ui.theme import Look

EDGE = 16
LISTS = ("stream", "http-400", "http-404", "http-422")
"""What a test may come to where the server is worth to be asked for its models too: the one asked may be unknown."""
OWN, SHIPPED, GIVEN, ADD = "own:", "shipped:", "given:", "add:"
"""How the data of an entry begin; the name of the provider follows."""


class Side(QWidget):
    """`provider_chosen(provider)`: ask another one. `edit_asked(provider, known)`: show the form of one, `known` says
    whether it stands in the file. `past_chosen(past)`: a request of before. `listed`: the server
    has said which models it has.
    """

    provider_chosen = Signal(object)
    edit_asked = Signal(object, bool)
    past_chosen = Signal(object)
    listed = Signal()

    def __init__(self, look: Look, catalogue: Catalogue, draft: Draft) -> None:
        super().__init__()
        self.setProperty("layer", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.catalogue, self.draft = catalogue, draft
        self.choice = FormChoice(look, "Provider")
        self.edit = Button(look, "Edit", "", "flat")
        self.where = ElidedLabel("", "ink.3", fonts.SECONDARY)
        self.how = ElidedLabel("", "ink.3", fonts.SECONDARY)
        self.fault = Said(look, "warning")
        self.key = KeyRow(look, catalogue, draft)
        self.test = Button(look, "Test connection")
        self.verdict = Said(look)
        self.past = PastList(look)
        self.nothing = label("Requests that were sent are kept here, without their keys.", "ink.3", fonts.SECONDARY)
        self.nothing.setWordWrap(True)
        self.nothing.setContentsMargins(EDGE, 8, EDGE, 8)
        self._later = Later(self)
        self._arrange()
        self.choice.activated.connect(self._chosen)
        self.edit.clicked.connect(self.ask_edit)
        self.test.clicked.connect(self.try_it)
        self.past.chosen.connect(self.past_chosen)
        catalogue.changed.connect(self.refresh)
        draft.changed.connect(lambda _: self._describe())
        self.refresh()

    def _arrange(self) -> None:
        top = QWidget()
        column = QVBoxLayout(top)
        column.setContentsMargins(EDGE, 8, EDGE, 16)
        column.setSpacing(4)
        head = QHBoxLayout()
        head.addWidget(label("Provider", "ink.1", fonts.BODY, 600))
        head.addStretch(1)
        head.addWidget(self.edit)
        column.addLayout(head)
        self.choice.setSizePolicy(self.key.sizePolicy().Policy.Expanding, self.choice.sizePolicy().verticalPolicy())
        column.addWidget(self.choice)
        column.addSpacing(2)
        column.addWidget(self.where)
        column.addWidget(self.how)
        column.addWidget(self.fault)
        column.addSpacing(12)
        column.addWidget(label("Key", "ink.1", fonts.BODY, 600))
        column.addWidget(self.key)
        column.addSpacing(12)
        column.addWidget(self.test, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.verdict)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(top)
        whole.addWidget(PaneHead("History", "without keys"))
        whole.addWidget(self.nothing)
        whole.addWidget(self.past, 1)
        whole.addStretch(0)

    # what is shown

    def refresh(self) -> None:
        """Shows the providers there are, and the one that is chosen."""
        choice, provider = self.choice, self.draft.provider
        choice.clear()
        own, presets = self.catalogue.own, self.catalogue.presets
        if provider not in (*own.values(), *presets.values()):
            self._add(f"{_title(provider)}, of the request", GIVEN + provider.name)
        self._group("Your providers", [(OWN, one) for one in own.values()])
        self._group("Ready to ask", [(SHIPPED, one) for one in presets.values() if one.base_url])
        # Any server, before those that are known.
        added = sorted(presets.values(), key=lambda one: one.name != UNNAMED)
        self._group("Add a provider", [(ADD, one) for one in added], "…")
        place = OWN if own.get(provider.name) == provider else SHIPPED
        if choice.itemData(0) != GIVEN + provider.name:
            choice.setCurrentIndex(choice.findData(place + provider.name))
        self.fault.say(self.catalogue.fault)
        self._describe()

    def _group(self, head: str, entries: list[tuple[str, Provider]], mark: str = "") -> None:
        if not entries:
            return
        self.choice.addItem(head, None)
        at = self.choice.count() - 1
        # A head cannot be chosen: no flags at all.
        self.choice.setItemData(at, 0, Qt.ItemDataRole.UserRole - 1)
        for kind, provider in entries:
            self._add(f"{_title(provider)}{mark}", kind + provider.name)

    def _add(self, words: str, data: str) -> None:
        self.choice.addItem(visible(clip(words, 60)), data)

    def _describe(self) -> None:
        provider = self.draft.provider
        try:
            url = redact_text(address(provider, self.draft.model or "{model}"))
        except ProviderFault as fault:
            url = str(fault)
        base = provider.base_url.rstrip("/")
        path = url[len(base) :] if base and url.startswith(base) else provider.path or ASKING[provider.dialect].path
        self.where.show_text(visible(clip(base or url, 300)))
        self.how.show_text(visible(clip(f"{path} · {provider.dialect}", 300)))
        self.edit.setText("Edit" if provider.name in self.catalogue.own else "Add to yours")
        self.edit.setAccessibleName("Edit the provider" if provider.name in self.catalogue.own else "Add to yours")
        self.edit.updateGeometry()

    def show_past(self, requests: list[Any], now: Any) -> None:
        """Shows the requests of before."""
        self.past.rows.show(requests, now)
        self.nothing.setVisible(not requests)
        self.past.setVisible(bool(requests))

    # what is asked

    def _chosen(self, _: int) -> None:
        data = self.choice.currentData()
        if data is None:
            self.refresh()
            return
        kind, colon, name = data.partition(":")
        kind += colon
        if kind == GIVEN:
            return
        provider = (self.catalogue.own if kind == OWN else self.catalogue.presets)[name]
        if kind == ADD:
            self.refresh()
            self.edit_asked.emit(provider, False)
        else:
            self.provider_chosen.emit(provider)

    def ask_edit(self) -> None:
        """Show the form of the provider that is chosen."""
        provider = self.draft.provider
        self.edit_asked.emit(provider, self.catalogue.own.get(provider.name) == provider)

    def forget_verdict(self) -> None:
        """The test was about something else."""
        self.stop()
        self.verdict.say("")

    def try_it(self) -> None:
        """Test the connection, or stop doing so."""
        if self._later.running:
            self.forget_verdict()
            return
        if not self.key.take():
            return
        provider, catalogue, whole = self.draft.provider, self.catalogue, self.draft.whole
        asked = self.draft.asked()

        async def test() -> tuple[Provider, Verdict]:
            credentials = whole(await asyncio.to_thread(catalogue.credentials, provider))
            verdict = await try_connection(asked, credentials)
            if verdict.kind in LISTS:
                verdict = replace(verdict, models=await list_models(asked, credentials))
            return provider, verdict

        self.verdict.say(f"asking {asked.model or 'for the list of models'}", "info")
        self.test.setText("Stop the test")
        self.test.updateGeometry()
        self._later.start_async(test, self._tested)

    def stop(self) -> None:
        """Wait for no answer any more."""
        self._later.cancel()
        self.test.setText("Test connection")
        self.test.updateGeometry()

    def _tested(self, result: object) -> None:
        self.stop()
        if isinstance(result, tuple):
            provider, verdict = result
            count = len(verdict.models)
            offered = f"; {number(count)} model{'' if count == 1 else 's'} of its list can be chosen" if count else ""
            self.verdict.say(verdict.words + offered, "plain" if verdict.ok else "error")
            self.catalogue.keep_models(provider, verdict.models or self.catalogue.models(provider))
            self.listed.emit()
        elif isinstance(result, ProviderFault):
            self.verdict.say(str(result), "error")
        elif isinstance(result, Exception):
            # Its words may hold what was sent.
            self.verdict.say(f"the test failed: {type(result).__name__}", "error")


def _title(provider: Provider) -> str:
    return provider.title or provider.name
