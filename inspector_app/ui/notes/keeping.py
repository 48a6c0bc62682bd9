"""What the window does for the notes of its pages: copies that hold them, and the last writing before it closes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from inspector_app.core.text import visible
from inspector_app.core.types import Exchange
from inspector_app.files.recording import write
from inspector_app.ui.background import Background
from inspector_app.ui.live.begin import folder_of
from inspector_app.ui.notes.writer import Writer
from inspector_app.ui.page import RecordingPage

if TYPE_CHECKING:
    from inspector_app.ui.window import Window


class Keeping(QObject):
    """One for a window."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._closing: list[Writer] = []

    def serve(self, page: RecordingPage) -> None:
        """Write the copies that a page asks for."""
        page.notes.folder = lambda: folder_of(self._window.settings)
        page.notes.copy_asked.connect(lambda path: self._copy(page, path))

    def close(self, page: RecordingPage) -> None:
        """A page goes away."""
        page.notes.close()
        self._closing = [writer for writer in self._closing if writer.busy]
        self._closing.append(page.session.notes.writer)

    def join(self, until: float) -> None:
        """Wait until all notes are written, at most to a moment of the clock `time.monotonic`."""
        for writer in self._closing:
            writer.join(until - time.monotonic())

    def _copy(self, page: RecordingPage, path: Path) -> None:
        exchange = page.session.notes.exchange
        if exchange is None:
            return
        work = Background(page)
        page.notes.strip.save.setEnabled(False)
        work.ended.connect(lambda error: self._copied(page, path, error))
        work.start(lambda: _written(exchange, path))

    def _copied(self, page: RecordingPage, path: Path, error: Exception | None) -> None:
        page.notes.strip.save.setEnabled(True)
        if error is not None:
            reason = error.strerror or str(error) if isinstance(error, OSError) else str(error)
            page.notice.say(f"{visible(path.name)}: could not be written: {visible(reason).lower()}")
            return
        page.notes.copied()
        made = self._window.open_path(str(path))
        made.session.choose(page.session.primary, page.session.secondary)
        chosen = page.session.selection.current
        made.session.read.connect(
            lambda: made.session.selection.select(chosen, made), Qt.ConnectionType.SingleShotConnection
        )
        made.notice.tell(f"Saved with its notes: {visible(str(path))}")


def _written(exchange: Exchange, path: Path) -> Iterator[None]:
    """Write a recording under a name that nobody has; half of one is taken away again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        try:
            write(exchange, file)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    yield None
