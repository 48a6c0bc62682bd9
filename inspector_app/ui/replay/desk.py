"""The replay server of a window: its panel, and the process that serves what is open."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector_app.ui.commands import Command
from inspector_app.ui.replay.panel import ReplayPanel, Served
from inspector_app.ui.replay.process import ServeProcess

if TYPE_CHECKING:
    from inspector_app.ui.window import Window

WORDS, STOP_WORDS = "Replay server…", "Stop the replay server"
PORT = "replay_port"
"""The setting that remembers what was asked last."""


class Replaying(QObject):
    """It goes on while its panel is closed, and ends with the window."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self.panel: ReplayPanel | None = None
        self.process: ServeProcess | None = None

    def commands(self) -> list[Command]:
        """What can be done at any time."""
        return [
            Command(WORDS, "Recording", self.show, menu=True),
            Command(STOP_WORDS, "Recording", self.stop, (), lambda: self.process is not None),
        ]

    def show(self) -> ReplayPanel:
        """The panel beside the window, with what is open now."""
        if self.panel is None:
            self.panel = ReplayPanel(self._window.look, self._window)
            self.panel.port.setText(self._window.settings.value(PORT, ""))
            self.panel.start_asked.connect(self.start)
            self.panel.stop_asked.connect(self.stop)
        page = self._window.page()
        self.panel.show_recordings(self._open(), page.session.path if page is not None else "")
        self.panel.show()
        self.panel.raise_()
        self.panel.activateWindow()
        return self.panel

    def _open(self) -> list[Served]:
        found: dict[str, Served] = {}
        for page in self._window.deck.pages():
            path, reading = page.session.path, page.session.reference
            if reading is not None and page.session.complete and Path(path).is_file():
                found[path] = Served(page.title, path, reading.dialect or "")
        return list(found.values())

    def start(self, arguments: list[str]) -> None:
        """Serve."""
        if self.process is not None or self.panel is None:
            return
        self.process = process = ServeProcess(self)
        process.listens.connect(self._listens)
        process.serves.connect(self.panel.add_path)
        process.told.connect(self.panel.add_line)
        process.ended.connect(self._ended)
        self.panel.show_running(True)
        process.start(arguments)

    def stop(self) -> None:
        """End the server; what it says at its end is told."""
        if self.process is not None:
            self.process.stop()

    def close(self) -> None:
        """The window is about to go."""
        if self.process is not None:
            self.process.close()
            self.process = None
        if self.panel is not None:
            self.panel.close()

    def _listens(self, url: str) -> None:
        if self.panel is not None:
            self._window.settings.put(PORT, self.panel.port.text())
            self.panel.show_url(url)

    def _ended(self, words: str) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.deleteLater()
        if self.panel is not None:
            self.panel.show_ended(words)
