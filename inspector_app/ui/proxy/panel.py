"""The panel of the proxy: the upstream, what to set in which client, and the exchanges as they happen."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from inspector_app.core.text import number
from inspector_app.live.providers import Provider
from inspector_app.live.proxy import Proxy
from inspector_app.live.proxy_rules import Route, RouteFault, base_url, provider_route, settings_of
from inspector_app.ui import fonts
from inspector_app.ui.compose.parts import FormChoice, Said, entry
from inspector_app.ui.controls import Button
from inspector_app.ui.labels import ElidedLabel, label, tip
from inspector_app.ui.live.strip import short_path
from inspector_app.ui.proxy.rows import ExchangeRows
from inspector_app.ui.proxy.setting_row import CLIENT_WIDTH, CopyButton, SettingRow, shown_line
from inspector_app.ui.proxy.table import ExchangeTable
from inspector_app.ui.theme import Look

EDGE, LABEL, PORT = 16, 72, 84
SIZE, LEAST = (960, 600), (780, 380)
ANY = "A URL of your own"


class ProxyPanel(QDialog):
    """Not modal. `start_asked(route, port)`, `stop_asked`, `opened(row)`, `end_asked(row)`: what a person wants."""

    start_asked = Signal(object, int)
    stop_asked = Signal()
    opened = Signal(int)
    end_asked = Signal(int)

    def __init__(self, look: Look, rows: ExchangeRows, folder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Recording proxy")
        self.setModal(False)
        self.setMinimumSize(*LEAST)
        self.resize(*SIZE)
        self.rows = rows
        self._providers: dict[str, Provider] = {}
        self._running = False
        self.choice = FormChoice(look, "Upstream")
        self.choice.setFixedWidth(CLIENT_WIDTH)
        self.url = entry("URL of the upstream", "https://api.openai.com/v1")
        self.url.setFont(fonts.wire_font(fonts.BODY))
        self.port = entry("Port", "any free")
        self.port.setValidator(QIntValidator(1, 65535, self.port))
        self.port.setFixedWidth(PORT)
        tip(self.port, "The port to listen at; a fixed one lets clients keep their setting")
        self.start = Button(look, "Start", "record", "primary")
        self.stop = Button(look, "Stop", "stop", meaning="error")
        tip(self.stop, "Stop listening; what is under way is ended, and its recordings are closed")
        self.said = Said(look)
        self.address = shown_line("Address of the proxy")
        self.address.setPlaceholderText("not listening")
        self.copy = CopyButton(look, self.address, "the address of the proxy")
        self.setting = SettingRow(look)
        self.about = ElidedLabel("", "ink.3", fonts.SECONDARY)
        self._folder = folder
        self.table = ExchangeTable(look, rows)
        self.refused = ElidedLabel("", "warning.text")
        self.count = label("", "ink.2")
        self.clear = Button(look, "Clear ended", "", "flat")
        tip(self.clear, "Take the exchanges that have ended off this list; their recordings stay")
        self.end = Button(look, "End this exchange", "stop", "flat")
        self.open_button = Button(look, "Open", "open")
        tip(self.open_button, "Follow the chosen exchange in a tab", "Enter")
        self._arrange()
        self.choice.activated.connect(self._chosen)
        self.url.textEdited.connect(self._typed)
        self.url.returnPressed.connect(self._ask)
        self.port.returnPressed.connect(self._ask)
        self.start.clicked.connect(self._ask)
        self.stop.clicked.connect(self.stop_asked)
        self.clear.clicked.connect(rows.drop_ended)
        self.table.opened.connect(self.opened)
        self.open_button.clicked.connect(lambda: self.opened.emit(self.table.currentIndex().row()))
        self.end.clicked.connect(lambda: self.end_asked.emit(self.table.currentIndex().row()))
        self.table.selectionModel().selectionChanged.connect(lambda *_: self.refresh())
        for changed in (rows.modelReset, rows.rowsInserted, rows.rowsRemoved, rows.dataChanged):
            changed.connect(lambda *_: self.refresh())
        self.show_proxy(None)
        self.url.setFocus()

    def _arrange(self) -> None:
        for button in (self.start, self.stop, self.open_button, self.clear, self.end, self.copy, self.setting.copy):
            button.setAutoDefault(False)
        top = QWidget()
        rows = QVBoxLayout(top)
        rows.setContentsMargins(EDGE, 12, EDGE, 12)
        rows.setSpacing(8)
        rows.addLayout(
            form_row("Upstream", self.choice, (self.url, 1), label("Port", "ink.2"), self.port, self.start, self.stop)
        )
        rows.addWidget(self.said)
        rows.addLayout(form_row("Address", (self.address, 1), self.copy))
        rows.addLayout(form_row("Client", (self.setting, 1)))
        rows.addWidget(self.about)
        bottom = QWidget()
        bottom.setProperty("layer", "panel")
        bottom.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        bar = QHBoxLayout(bottom)
        bar.setContentsMargins(EDGE, 8, EDGE, 8)
        bar.setSpacing(8)
        bar.addWidget(self.count)
        bar.addWidget(self.refused, 1)
        bar.addStretch(0)
        for button in (self.clear, self.end, self.open_button):
            bar.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(top)
        column.addWidget(self.table, 1)
        column.addWidget(bottom)

    # the upstream

    def show_providers(self, providers: dict[str, Provider], chosen: str) -> None:
        """Offer these, and what was asked last: the name of one, or a URL."""
        self._providers = {name: one for name, one in providers.items() if one.base_url}
        self.choice.clear()
        self.choice.addItem(ANY, "")
        for name, one in self._providers.items():
            self.choice.addItem(one.title or name, name)
        known = self.choice.findData(chosen) if chosen in self._providers else 0
        self.choice.setCurrentIndex(known)
        if known > 0:
            self._chosen(known)
        else:
            self.url.setText(chosen)

    def _chosen(self, index: int) -> None:
        provider = self._providers.get(self.choice.itemData(index))
        self.url.setText("" if provider is None else provider_route(provider).base)
        if provider is None:
            self.url.setFocus()

    def _typed(self, text: str) -> None:
        """A URL that is not the provider's is one of the user's own."""
        if self.choice.currentIndex() > 0 and self.asked() == text.strip():
            self.choice.setCurrentIndex(0)

    def asked(self) -> str:
        """What is asked, to be remembered: the name of a provider, or a URL."""
        name = str(self.choice.currentData() or "")
        provider = self._providers.get(name)
        typed = self.url.text().strip()
        return name if provider is not None and typed == provider_route(provider).base else typed

    def _route(self) -> Route:
        asked = self.asked()
        provider = self._providers.get(asked)
        if provider is not None:
            return provider_route(provider)
        if not asked:
            raise RouteFault("choose a provider, or type the URL that requests are to go to")
        return Route(base_url(asked))

    def _ask(self) -> None:
        if self._running:
            return
        self.refused.show_text("")
        try:
            route = self._route()
        except RouteFault as fault:
            words = str(fault)
            self.say(words[:1].upper() + words[1:])
            self.url.setFocus()
            return
        self.start_asked.emit(route, int(self.port.text() or 0))

    # what goes on

    def say(self, words: str) -> None:
        """What is wrong; "" takes it back."""
        self.said.say(words)

    def show_proxy(self, proxy: Proxy | None) -> None:
        """Whether one runs, and how to reach it."""
        self._running = self.table.listening = proxy is not None
        for widget in (self.choice, self.url, self.port):
            widget.setEnabled(proxy is None)
        self.start.setVisible(proxy is None)
        self.stop.setVisible(proxy is not None)
        route = proxy.routes[0] if proxy is not None else None
        self.address.setText("" if proxy is None else proxy.url)
        self.address.setEnabled(proxy is not None)
        self.copy.setEnabled(proxy is not None)
        self.setting.show_settings([] if proxy is None or route is None else settings_of(route, proxy.url))
        where = f"Recordings go to {short_path(self._folder)}, keys masked."
        to = f"All of it goes to {route.base}, and nowhere else. " if route is not None else ""
        self.about.show_text(to + where)
        if proxy is not None:
            self.say("")
            self.refused.show_text("")
        self.table.viewport().update()
        self.refresh()

    def refresh(self) -> None:
        """The line below the table, and what can be done with the chosen exchange."""
        total, live = self.rows.rowCount(), self.rows.live
        words = f"{number(total)} exchange{'' if total == 1 else 's'}" if total else ""
        self.count.setText(words + (f" · {number(live)} live" if live else ""))
        self.count.setVisible(bool(words))
        watch = self.rows.at(self.table.currentIndex().row()) if self.table.selectionModel().hasSelection() else None
        self.open_button.setEnabled(watch is not None)
        self.end.setVisible(watch is not None and not watch.over)
        self.clear.setEnabled(total > live)


def form_row(words: str, *widgets: QWidget | tuple[QWidget, int]) -> QHBoxLayout:
    """Fields behind a word, each one as it is or with its part of the room."""
    row = QHBoxLayout()
    row.setSpacing(8)
    before = label(words, "ink.2")
    before.setFixedWidth(LABEL)
    row.addWidget(before)
    for one in widgets:
        widget, stretch = one if isinstance(one, tuple) else (one, 0)
        if isinstance(widget, QLineEdit):
            before.setBuddy(widget)
        row.addWidget(widget, stretch)
    return row
