"""A window that plays a recording over and over, for rhythm.py: `python -m tests.bench.rhythm_window PATH`."""

from __future__ import annotations

import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from inspector_app.core.kit import load_kit
from inspector_app.lenses import load_lenses, shipped_folder
from inspector_app.ui.settings import Settings
from inspector_app.ui.theme import Look
from inspector_app.ui.window import Window


def main() -> None:
    """Runs until it is told to end; prints a line when it plays."""
    application = QApplication([])
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with tempfile.TemporaryDirectory() as folder:
        look, settings = Look(application, "dark"), Settings(Path(folder) / "settings.ini")
        window = Window(load_kit(), load_lenses([shipped_folder()]), look, settings=settings)
        window.resize(1280, 800)
        window.show()
        window.open_paths(sys.argv[1:], None)
        told: list[bool] = []

        def again() -> None:
            page: Any = window.page()
            player = page.playback.player if page is not None and hasattr(page, "playback") else None
            if player is not None and player.can_play and not player.playing:
                player.leave()
                player.play(True)
            if player is not None and player.playing and not told:
                told.append(True)
                print("plays", flush=True)

        timer = QTimer()
        timer.timeout.connect(again)
        timer.start(200)
        application.exec()


if __name__ == "__main__":
    main()
