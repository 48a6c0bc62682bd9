"""What the window does for the notes of its pages: copies that hold them, the question before notes would be lost, and
the last writing before it closes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from inspector_app.core.text import visible
from inspector_app.core.types import Exchange, InputFault
from inspector_app.files.recording import write
from inspector_app.ui.background import Background
from inspector_app.ui.live.begin import folder_of
from inspector_app.ui.notes.strip import DROP, STAY
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
        self._let_go: set[QWidget] = set()
        self._ending = False
        """Whether the window is to be closed when all is answered."""
        window.deck.may_close = self.may_close

    def serve(self, page: RecordingPage) -> None:
        """Write the copies that a page asks for."""
        page.notes.folder = lambda: folder_of(self._window.settings)
        page.notes.copy_asked.connect(lambda path: self._copy(page, path))
        page.notes.strip.answered.connect(lambda answer: self._answered(page, answer))

    def close(self, page: RecordingPage) -> None:
        """A page goes away."""
        page.notes.close()
        writers = [*self._closing, page.session.notes.writer]
        self._closing = [writer for writer in writers if writer.writing]

    def join(self, until: float) -> None:
        """Wait until all notes are written, at most to a moment of the clock `time.monotonic`."""
        for writer in self._closing:
            writer.join(until - time.monotonic())

    # before something goes

    def may_close(self, page: QWidget) -> bool:
        """Whether a tab may go now. Where notes would go with it, it is shown, asks in place, and stays for now."""
        if not isinstance(page, RecordingPage) or page in self._let_go or not page.notes.unsaved():
            return True
        self._window.deck.show_page(page)
        page.notes.ask_to_leave()
        return False

    def may_close_window(self) -> bool:
        """The same for all tabs; what is answered for one leads to the next, and in the end the window goes."""
        self._ending = not all(self.may_close(page) for page in self._window.deck.pages())
        return not self._ending

    def let_go(self, page: RecordingPage) -> None:
        """Close a tab whatever becomes of its notes, and go on with what was begun."""
        self._let_go.add(page)
        window = self._window
        if page in window.deck.pages():
            window.deck.close_tab(window.deck.tab_of(page))
        self._let_go.discard(page)
        if self._ending:
            window.close()

    def rescue(self) -> None:
        """The program is ended and nobody can be asked: write what would be lost, as far as it can be written."""
        for page in self._window.deck.pages():
            for exchange, path in page.notes.unsaved():
                with suppress(OSError, InputFault):
                    _written(exchange, path)
            self._let_go.add(page)

    def _answered(self, page: RecordingPage, answer: str) -> None:
        if answer == DROP:
            self.let_go(page)
        elif answer == STAY:
            self._ending = False
        else:
            self._write(page, page.notes.unsaved(), lambda paths: self.let_go(page))

    # copies

    def _copy(self, page: RecordingPage, path: Path) -> None:
        exchange = page.session.notes.exchange
        if exchange is not None:
            self._write(page, [(exchange, path)], lambda paths: self._open(page, paths[0]))

    def _write(
        self, page: RecordingPage, copies: Sequence[tuple[Exchange, Path]], then: Callable[[list[Path]], None]
    ) -> None:
        """Write copies of exchanges with their notes beside the window; `then` what is to be done with them."""
        work, done = Background(page), list[Path]()
        page.notes.strip.setEnabled(False)

        def write_all() -> Iterator[tuple[Exchange, Path]]:
            for exchange, path in copies:
                _written(exchange, path)
                yield exchange, path

        def got(one: tuple[Exchange, Path]) -> None:
            page.notes.copied(one[0])
            done.append(one[1])

        def ended(error: Exception | None) -> None:
            page.notes.strip.setEnabled(True)
            if error is None:
                then(done)
                return
            self._ending = False
            path = copies[len(done)][1]
            reason = error.strerror or str(error) if isinstance(error, OSError) else str(error)
            page.notice.say(f"{visible(path.name)}: could not be written: {visible(reason).lower()}")
            page.notes.strip.show()

        work.got.connect(got)
        work.ended.connect(ended)
        work.start(write_all)

    def _open(self, page: RecordingPage, path: Path) -> None:
        made = self._window.open_path(str(path))
        made.session.choose(page.session.primary, page.session.secondary)
        chosen = page.session.selection.current
        made.session.read.connect(
            lambda: made.session.selection.select(chosen, made), Qt.ConnectionType.SingleShotConnection
        )
        made.notice.tell(f"Saved with its notes: {visible(str(path))}")


def _written(exchange: Exchange, path: Path) -> None:
    """Write a recording under a name that nobody has; half of one is taken away again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        try:
            write(exchange, file)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
