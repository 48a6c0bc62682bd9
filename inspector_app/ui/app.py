"""Starts the window: the one application, its look, and the recordings named on the command line."""

from __future__ import annotations

import signal
import sys
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from inspector_app import __version__
from inspector_app.core.kit import Kit
from inspector_app.lenses import Lens
from inspector_app.ui.garbage import keep_to_this_thread
from inspector_app.ui.live.begin import folder_of
from inspector_app.ui.settings import Settings, default_path
from inspector_app.ui.theme import CHOICES, Look
from inspector_app.ui.window import Window


def open_window(
    paths: Sequence[str],
    kit: Kit,
    lenses: Mapping[str, Lens],
    *,
    lens: Lens | None = None,
    dialect: str | None = None,
    framing: str | None = None,
) -> int:
    """Open the window on these recordings and run it until it is closed; returns the exit status."""
    application = QApplication(sys.argv[:1])
    application.setApplicationName("stream-inspector")
    application.setApplicationDisplayName("Stream Inspector")
    application.setApplicationVersion(__version__)
    keep_to_this_thread(application)
    settings = Settings(default_path())
    theme = settings.value("theme", CHOICES[0])
    look = Look(application, theme if theme in CHOICES else CHOICES[0])
    window = Window(kit, lenses, look, {"dialect": dialect, "framing": framing}, settings)
    window.resize(window.size().boundedTo(window.screen().availableSize()))
    window.show()
    window.start.leftovers.look_in(folder_of(settings))
    window.open_paths(paths, lens.name if lens is not None else None)

    def leave(status: int) -> None:
        # Recordings are closed as if the window had been.
        window.keeping.rescue()
        window.close()
        application.exit(status)

    # Python sees a signal only when it runs; an idle event loop would keep it waiting.
    signal.signal(signal.SIGINT, lambda *_: leave(130))
    signal.signal(signal.SIGTERM, lambda *_: leave(143))
    pulse = QTimer()
    pulse.timeout.connect(lambda: None)
    pulse.start(200)
    return application.exec()
