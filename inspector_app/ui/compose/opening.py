"""New requests in a window: opens their tabs, gives them what they share, and hands over what is to be sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtWidgets import QWidget

from inspector_app.live.providers import Provider
from inspector_app.ui.commands import Command
from inspector_app.ui.compose.catalogue import Catalogue
from inspector_app.ui.compose.curl import is_curl
from inspector_app.ui.compose.page import ComposePage

if TYPE_CHECKING:
    from inspector_app.ui.window import Window

LIVE_KEYS = "Ctrl+L"
MOST_KEPT = 5
"""Unsent requests whose tabs were closed; older ones are given up."""


class Composing(QObject):
    """Keys that are typed are shared by all requests of a window, and go with it.

    A request that was not sent outlives its tab: who goes live next finds it as it was left.
    """

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._catalogue: Catalogue | None = None
        self._kept: list[ComposePage] = []
        window.deck.keeps = self._keep

    def page(self) -> ComposePage | None:
        """The request in view."""
        sheet = self._window.deck.sheet()
        return sheet if isinstance(sheet, ComposePage) else None

    def compose(self, provider: Provider | None = None, request: Mapping[str, Any] | None = None) -> ComposePage:
        """Show a new request; without a request to be sent again, the one that is open already."""
        deck = self._window.deck
        page = None if request is not None else next(iter(self._pages()), None)
        if page is None:
            page = self._again() if self._kept and request is None else self._new()
            deck.add(page, "live")
        else:
            deck.show_page(page)
        if provider is not None:
            page.choose(provider)
        if request is None or page.take_request(request):
            page.enter()
        return page

    def take(self, data: QMimeData) -> bool:
        """Whether what was pasted or dropped is a curl command; then it is shown as a request."""
        text = data.text()
        if data.hasUrls() or not is_curl(text):
            return False
        (self.page() or self.compose()).take_curl(text)
        return True

    def commands(self) -> list[Command]:
        """What leads to a request."""
        return [
            Command("Go live…", "Recording", self.compose, (LIVE_KEYS,), menu=True),
            Command("Send this again…", "Recording", self._send_again, (), self._has_request,
                    "needs a recording that knows its request", menu=True),
        ]  # fmt: skip

    def close(self) -> None:
        """The window is about to go."""
        for page in (*self._pages(), *self._kept):
            page.close_work()

    def _keep(self, page: QWidget) -> bool:
        if not isinstance(page, ComposePage) or not page.unsent:
            return False
        self._kept.append(page)
        for old in self._kept[:-MOST_KEPT]:
            old.deleteLater()
        del self._kept[:-MOST_KEPT]
        return True

    def _pages(self) -> list[ComposePage]:
        return [sheet for sheet in self._window.deck.sheets() if isinstance(sheet, ComposePage)]

    def _new(self) -> ComposePage:
        if self._catalogue is None:
            self._catalogue = Catalogue(parent=self)
        else:
            self._catalogue.reload()
        page = ComposePage(self._window.look, self._catalogue, self._window.settings)
        page.send_asked.connect(lambda ask: self._window.go_live(ask.provider, ask.request))
        return page

    def _again(self) -> ComposePage:
        page = self._kept.pop()
        page.catalogue.reload()
        page.refresh_history()
        return page

    def _request(self) -> Mapping[str, Any] | None:
        page = self._window.page()
        exchange = page.session.exchange if page is not None else None
        return exchange.request if exchange is not None else None

    def _has_request(self) -> bool:
        return bool(self._request())

    def _send_again(self) -> None:
        self.compose(request=self._request())
