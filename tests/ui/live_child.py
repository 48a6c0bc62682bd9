"""A window at a live stream that is closed in the middle of it: `python -m tests.ui.live_child URL FOLDER HOW`.

HOW is "window", "tab" (the tab, then the window), "signal" (an interrupt, as from Ctrl+C) or "connecting" (before there
was an answer). Prints a line when it begins to close; the exit status is that of the application.
"""

from __future__ import annotations

import os
import signal
import sys
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QTimer

from inspector_app.core.kit import load_kit
from inspector_app.live.providers import Provider
from inspector_app.live.request import Outgoing
from inspector_app.ui import app
from inspector_app.ui.settings import Settings
from inspector_app.ui.window import Window

EVENTS = 3
KEY = "sk-canary-0123456789abcdef"


def main(url: str, folder: str, how: str) -> int:
    settings = Settings(app.default_path())
    settings.put("recordings", folder)
    provider = Provider("local", base_url=url, dialect="openai-chat", model="m")
    request = Outgoing("POST", url, (("authorization", f"Bearer {KEY}"),), b"{}", (KEY,))
    windows: list[Window] = []
    plain = Window.open_paths

    def go_live(window: Window, *_: object) -> None:
        """In place of the files of the command line."""
        windows.append(window)
        page = window.go_live(provider, request)
        assert page is not None
        watch = QTimer(window)
        enough = 0 if how == "connecting" else EVENTS
        watch.timeout.connect(lambda: close(watch) if page.session.rows.events >= enough else None)
        watch.start(20)

    def close(watch: QTimer) -> None:
        watch.stop()
        print(f"closing {time.monotonic()}", flush=True)
        if how == "signal":
            os.kill(os.getpid(), signal.SIGINT)
            return
        if how == "tab":
            windows[0].close_page(0)
        windows[0].close()

    Window.open_paths = go_live  # type: ignore[method-assign]
    try:
        status = app.open_window([], load_kit(), {})
    finally:
        Window.open_paths = plain  # type: ignore[method-assign]
    print(f"left {time.monotonic()}", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
