"""The panel of the replay server: which recordings, how they go out, how to reach them, and what was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from inspector_app.core.text import clip, visible
from inspector_app.live.base_urls import settings
from inspector_app.ui import fonts
from inspector_app.ui.compose.parts import FormChoice, Said, entry
from inspector_app.ui.controls import Button
from inspector_app.ui.labels import ElidedLabel, label, tip
from inspector_app.ui.proxy.panel import form_row
from inspector_app.ui.proxy.setting_row import CLIENT_WIDTH, CopyButton, SettingRow, shown_line
from inspector_app.ui.theme import Look

EDGE, FRAME, PORT = 16, 2, 84
SIZE, LEAST = (900, 580), (740, 400)
MOST_LINES = 2000
LONGEST = 400

SUITE = "suite"
WHATS = {"": "as recorded, with the choices below", SUITE: "every variation under a path of its own, and a score card"}
SPEEDS = {"1": "in the recorded rhythm", "2": "twice as fast", "0.5": "half as fast", "max": "without waiting"}
SPLITS = {
    "original": "writes as recorded",
    "event": "one event a write",
    "line": "one line a write",
    "1": "one byte a write",
    "utf8": "writes end inside characters",
}
ENDS = {
    "as-recorded": "end as recorded",
    "clean": "a clean end",
    "no-terminator": "closed without the last chunk",
    "reset": "reset",
    "no-done": "no end marker",
}
"""Option of `serve` -> its values, and what they are called here."""
NOTHING = "Open a recording first: those that are open, and lie in files, can be served."
HINT = "A process of its own serves them, so a busy window does not change their rhythm. Any key is accepted."


class Served(NamedTuple):
    """A recording that can be served."""

    title: str
    path: str
    dialect: str


class ReplayPanel(QDialog):
    """Not modal. `start_asked(arguments)` with those of `serve`, `stop_asked`: what a person wants."""

    start_asked = Signal(list)
    stop_asked = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Replay server")
        self.setModal(False)
        self.setMinimumSize(*LEAST)
        self.resize(*SIZE)
        self._served: list[Served] = []
        self._url = ""
        self.recordings = FormChoice(look, "Recordings")
        self.recordings.setMinimumWidth(CLIENT_WIDTH)
        self.recordings.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.what = _choice(look, "What is served", WHATS)
        self.speed = _choice(look, "Speed", SPEEDS)
        self.split = _choice(look, "Writes", SPLITS)
        self.end = _choice(look, "End", ENDS)
        self.port = entry("Port", "any free")
        self.port.setValidator(QIntValidator(1, 65535, self.port))
        self.port.setFixedWidth(PORT)
        tip(self.port, "The port to listen at; a fixed one lets clients keep their setting")
        self.start = Button(look, "Start", "play", "primary")
        self.stop = Button(look, "Stop", "stop", meaning="error")
        tip(self.stop, "End the server; of a suite the score card is told then")
        self.said = Said(look)
        self.path = FormChoice(look, "Path")
        self.path.setFixedWidth(CLIENT_WIDTH)
        self.address = shown_line("Address of the recording")
        self.copy = CopyButton(look, self.address, "the address of the recording")
        self.setting = SettingRow(look)
        self.log = QPlainTextEdit()
        self.log.setReadOnly(True)
        self.log.setAccessibleName("What was asked")
        self.log.setProperty("kind", "pane")
        self.log.setFont(fonts.wire_font(fonts.BODY))
        self.log.setMaximumBlockCount(MOST_LINES)
        self.log.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.log.document().setDocumentMargin(EDGE - FRAME)
        self.log.setPlaceholderText("Requests, and what clients did with their answers, appear here.")
        self._arrange()
        self.start.clicked.connect(self._ask)
        self.stop.clicked.connect(self.stop_asked)
        self.port.returnPressed.connect(self._ask)
        self.what.activated.connect(lambda _: self._describe())
        self.path.activated.connect(lambda _: self._show_address())
        self._running = False
        self.show_url("")
        self.recordings.setFocus()

    def _arrange(self) -> None:
        for button in (self.start, self.stop, self.copy, self.setting.copy):
            button.setAutoDefault(False)
        top = QWidget()
        rows = QVBoxLayout(top)
        rows.setContentsMargins(EDGE, 12, EDGE, 12)
        rows.setSpacing(8)
        rows.addLayout(form_row("Serve", (self.recordings, 1), (self.what, 1), self.start, self.stop))
        port = label("Port", "ink.2")
        port.setBuddy(self.port)
        rows.addLayout(form_row("How", (self.speed, 1), (self.split, 1), (self.end, 1), port, self.port))
        rows.addWidget(self.said)
        rows.addLayout(form_row("Address", self.path, (self.address, 1), self.copy))
        rows.addLayout(form_row("Client", (self.setting, 1)))
        rows.addWidget(ElidedLabel(HINT, "ink.3", fonts.SECONDARY))
        head = QWidget()
        head.setProperty("layer", "head")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head.setFixedHeight(28)
        line = QHBoxLayout(head)
        line.setContentsMargins(EDGE, 0, EDGE, 0)
        line.addWidget(label("Requests", "ink.1", fonts.BODY, 600))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(top)
        column.addWidget(head)
        column.addWidget(self.log, 1)

    # what can be served

    def show_recordings(self, served: Sequence[Served], chosen: str = "") -> None:
        """Offer these; `chosen` is the path of the one to begin with."""
        if self._running:
            return
        self._served = list(served)
        self.recordings.clear()
        for one in self._served:
            self.recordings.addItem(visible(clip(one.title, 80)), one.path)
        if len(self._served) > 1:
            self.recordings.addItem(f"All {len(self._served)} that are open", "")
        self.recordings.setCurrentIndex(max(0, self.recordings.findData(chosen)) if self._served else -1)
        self.say("" if self._served else NOTHING, "info")
        self._describe()
        (self.recordings if self._served else self).setFocus()

    def chosen(self) -> list[Served]:
        """The recordings that are to be served."""
        path = self.recordings.currentData()
        return [one for one in self._served if not path or one.path == path]

    def arguments(self) -> list[str]:
        """What `serve` is to be given."""
        paths = [one.path for one in self.chosen()]
        how = ["--speed", str(self.speed.currentData())]
        if self.port.text():
            how += ["--port", self.port.text()]
        if self.what.currentData() == SUITE:
            return [*how, "--suite", "--", *paths]
        how += ["--split", str(self.split.currentData()), "--end", str(self.end.currentData())]
        return [*how, "--", *paths]

    def _ask(self) -> None:
        if self.chosen() and not self._running:
            self.say("")
            self.log.clear()
            self.start_asked.emit(self.arguments())

    # what goes on

    def say(self, words: str, meaning: str = "error") -> None:
        """What is wrong; "" takes it back."""
        self.said.say(words, meaning)

    def show_url(self, url: str) -> None:
        """Where it listens; "" for nowhere."""
        self._url = url
        self.path.clear()
        if url and self.what.currentData() != SUITE:
            self.path.addItem("any path: in turn", "")
        self.path.setEnabled(bool(url))
        self._describe()
        self._show_address()

    def add_path(self, path: str) -> None:
        """One more thing can be asked."""
        self.path.addItem(visible(clip(path, 200)), path)
        if self.path.count() == 1:
            self._show_address()

    def add_line(self, line: str) -> None:
        """Something was told."""
        self.log.appendPlainText(visible(clip(line, LONGEST)))

    def show_running(self, running: bool) -> None:
        """Whether the process runs; until it says where it listens it starts."""
        self._running = running
        self.show_url("")
        (self.stop if running else self.start).setFocus()

    def show_ended(self, words: str) -> None:
        """The process is over; `words` say why where nobody wanted it."""
        if self._url and not words:
            self.add_line("stopped")
        self.show_running(False)
        self.say(words)

    def _describe(self) -> None:
        free = not self._running and bool(self._served)
        suite = self.what.currentData() == SUITE
        for widget in (self.recordings, self.what, self.speed, self.port):
            widget.setEnabled(free)
        for widget in (self.split, self.end):
            widget.setEnabled(free and not suite)
        self.start.setEnabled(bool(self._served))
        self.start.setVisible(not self._running)
        self.stop.setVisible(self._running)
        self.address.setPlaceholderText("starting…" if self._running else "not listening")

    def _show_address(self) -> None:
        address = self._url + str(self.path.currentData() or "") if self._url else ""
        self.address.setText(address)
        self.address.setEnabled(bool(address))
        self.copy.setEnabled(bool(address))
        dialects = frozenset(one.dialect for one in self.chosen() if one.dialect)
        self.setting.show_settings(settings(address, dialects or None) if address else [])


def _choice(look: Look, name: str, words: Mapping[str, str]) -> FormChoice:
    made = FormChoice(look, name)
    made.setSizePolicy(made.sizePolicy().Policy.Expanding, made.sizePolicy().verticalPolicy())
    for value, shown in words.items():
        made.addItem(shown, value)
    return made
