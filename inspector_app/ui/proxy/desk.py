"""The proxy of a window: starts and stops it, keeps the list of its exchanges, opens one in a tab that follows it."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from inspector_app.core.text import visible
from inspector_app.live.growth import Growth
from inspector_app.live.providers import ProviderFault, known_providers, load_presets, providers_file
from inspector_app.live.proxy import Proxy, Refused
from inspector_app.live.proxy_rules import Route, RouteFault
from inspector_app.live.proxy_watch import Watch
from inspector_app.ui.commands import Command
from inspector_app.ui.live.begin import folder_of
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.proxy.panel import ProxyPanel
from inspector_app.ui.proxy.rows import ExchangeRows
from inspector_app.ui.proxy.session import NO_LIMIT, ProxiedSession

if TYPE_CHECKING:
    from inspector_app.ui.window import Window

TICK_MS = 100
BUSY_MS = 20
"""Between two looks while there is a backlog."""
STEP_S = 0.008
"""Seconds that one look may hold the window."""
UPSTREAM, PORT = "proxy_upstream", "proxy_port"
"""The settings that remember what was asked last."""
WORDS, STOP_WORDS = "Recording proxy…", "Stop the recording proxy"


class Proxying(QObject):
    """It goes on while its panel is closed, and ends with the window."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self.proxy: Proxy | None = None
        self.rows = ExchangeRows(self)
        self.panel: ProxyPanel | None = None
        self._live: list[Watch] = []
        self._ending: list[Proxy] = []
        """Stopped, but maybe not quite done."""
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)

    def commands(self) -> list[Command]:
        """What can be done at any time."""
        on = self._is_on
        return [
            Command(WORDS, "Recording", self.show, menu=True),
            Command(STOP_WORDS, "Recording", self.stop, (), on),
        ]

    def serve(self, page: RecordingPage) -> None:
        """Let the toolbar of a page open the panel, and tell whether a proxy is on."""
        page.toolbar.proxy.clicked.connect(self.show)
        page.toolbar.show_proxy(self._is_on())

    def close(self) -> None:
        """The window is about to go."""
        self.stop()
        if self.panel is not None:
            self.panel.close()

    def _tell(self) -> None:
        for page in self._window.deck.pages():
            page.toolbar.show_proxy(self._is_on())
        if self.panel is not None:
            self.panel.show_proxy(self.proxy)

    def _is_on(self) -> bool:
        return self.proxy is not None

    def show(self) -> ProxyPanel:
        """The panel beside the window."""
        if self.panel is None:
            self.panel = panel = self._made()
            panel.show_proxy(self.proxy)
        self.panel.show()
        self.panel.raise_()
        self.panel.activateWindow()
        return self.panel

    def _made(self) -> ProxyPanel:
        window, settings = self._window, self._window.settings
        panel = ProxyPanel(window.look, self.rows, str(folder_of(settings)), window)
        try:
            providers = known_providers(providers_file())
        except ProviderFault as fault:
            providers = load_presets()
            panel.say(str(fault))
        panel.show_providers(providers, settings.value(UPSTREAM, "openai"))
        panel.port.setText(settings.value(PORT, ""))
        panel.start_asked.connect(self.start)
        panel.stop_asked.connect(self.stop)
        panel.opened.connect(self.open)
        panel.end_asked.connect(self._end)
        return panel

    def start(self, route: Route, port: int = 0) -> bool:
        """Listen; False where that cannot be, and the panel says why."""
        window = self._window
        try:
            proxy = Proxy([route], folder_of(window.settings), window.kit, port=port)
            proxy.start()
        except RouteFault as fault:
            words = str(fault)
            return self._say(f"{words[:1].upper()}{words[1:]}: choose another one.")
        except OSError as error:
            why = os.strerror(error.errno or 0).lower()
            return self._say(f"Port {port} cannot be used ({why}): choose another one.")
        self.proxy = proxy
        if self.panel is not None:
            window.settings.put(UPSTREAM, self.panel.asked())
            window.settings.put(PORT, self.panel.port.text())
        self._tell()
        self._timer.start(TICK_MS)
        return True

    def _say(self, words: str) -> bool:
        if self.panel is not None:
            self.panel.say(words)
        return False

    def stop(self) -> None:
        """Listen no more; what is under way ends."""
        if self.proxy is None:
            return
        self.proxy.stop()
        self._ending.append(self.proxy)
        self.proxy = None
        self._tell()

    def join(self, seconds: float) -> bool:
        """After `stop`: wait until all recordings are closed; False when the time is over first."""
        until = time.monotonic() + seconds
        return all(proxy.join(max(0.0, until - time.monotonic())) for proxy in self._ending)

    # the list

    def look(self) -> None:
        """Bring the list up to date, for no longer than a step may take."""
        begun: list[Watch] = []
        for proxy in (*self._ending, *([self.proxy] if self.proxy is not None else [])):
            for news in proxy.take():
                if isinstance(news, Refused):
                    self._refuse(news)
                else:
                    begun.append(Watch(news, proxy.kit))
        self.rows.add(begun)
        self._live += begun
        until = time.monotonic() + STEP_S
        late = False
        for watch in list(self._live):
            late = time.monotonic() >= until
            if late:
                break
            if watch.step(lambda: time.monotonic() >= until):
                self.rows.changed(watch)
                if watch.stopped:
                    self._say(
                        f"{watch.stopped[:1].upper()}{watch.stopped[1:]}; the client gets its answer all the same."
                    )
            # Who comes last in one look is the first in the next.
            self._live.remove(watch)
            if not watch.over:
                self._live.append(watch)
        self._ending = [proxy for proxy in self._ending if not proxy.join(0)]
        if self.proxy is None and not self._ending and not self._live:
            self._timer.stop()
        else:
            self._timer.setInterval(BUSY_MS if late else TICK_MS)

    def _refuse(self, news: Refused) -> None:
        if self.panel is not None:
            asked = f" ({news.asked})" if news.asked else ""
            self.panel.refused.show_text(visible(f"Refused at {news.at:%H:%M:%S}{asked}: {news.words}"))

    def _end(self, row: int) -> None:
        watch = self.rows.at(row)
        if watch is not None:
            watch.exchange.own.cancel()

    def open(self, row: int) -> None:
        """Show an exchange in a tab; one that goes on is followed."""
        watch, window = self.rows.at(row), self._window
        if watch is None:
            return
        exchange = watch.exchange
        path = str(exchange.path) if exchange.path is not None else ""
        there = next((page for page in window.deck.pages() if page.session.path == (path or self._name(watch))), None)
        following = None if watch.over or there is not None else exchange.follow()
        if there is not None:
            window.deck.show_page(there)
        elif following is not None:
            name = path or self._name(watch)
            session = ProxiedSession(
                name, following, Growth(name, exchange.request), window.kit, window.lenses,
                idle_s=NO_LIMIT, mutes=window.mutes, parent=window, **window.how,
            )  # fmt: skip
            window.follow(session, exchange.words, exchange.model)
        elif path:
            window.show_path(path)
        else:
            self._say(f"There is no recording of it: {watch.stopped or 'it could not be made'}.")
            return
        window.activateWindow()

    @staticmethod
    def _name(watch: Watch) -> str:
        return f"exchange {watch.exchange.number} of {watch.exchange.at:%H:%M:%S}"
