"""Reads recordings one after the other in the idle time of the window, and gives a digest of each.

Files are opened and looked at by a thread, so that a slow disk or a lost network drive holds nobody up.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping

from PySide6.QtCore import QObject, QTimer, Signal

from inspector_app.core.kit import Kit
from inspector_app.core.types import Exchange, InputFault
from inspector_app.files import read_input
from inspector_app.lenses import Lens
from inspector_app.ui.session import Session
from inspector_app.ui.settings import Stamp, stamp_of
from inspector_app.ui.start.digest import digest_of

POLL_MS = 15
LARGEST = 16 << 20
"""Bytes; a larger recording is read when it is opened, not for its thumbnail."""
SMALL = 1 << 20
"""Bytes of a body up to which every client reads it before its digest is made."""


class Shelf(QObject):
    """Signals, all with the path first: `seen` (what the file says of itself), `made` (its digest and its stamp),
    `missing` (it cannot be read; why).
    """

    seen = Signal(str, object)
    made = Signal(str, object, object)
    missing = Signal(str, str)

    def __init__(self, kit: Kit, lenses: Mapping[str, Lens], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kit, self._lenses = kit, lenses
        self._asked: deque[tuple[str, Stamp | None]] = deque()
        self._found: deque[tuple[str, Stamp | None, list[Exchange] | str | None]] = deque()
        self._waiting: deque[tuple[str, Stamp | None, list[Exchange]]] = deque()
        self._session: Session | None = None
        self._stamp: Stamp | None = None
        self._exchanges: list[Exchange] = []
        self._thread: threading.Thread | None = None
        self._running = False
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._step)

    @property
    def idle(self) -> bool:
        """Whether everything that was asked for has been answered."""
        return not (self._asked or self._found or self._waiting or self._session or self._thread)

    def ask(self, path: str, known: Stamp | None = None) -> None:
        """Ask for the digest of a file; `known` is the stamp of the content that is known already."""
        self._asked.append((path, known))
        if self._running:
            self._timer.start()

    def run(self, running: bool) -> None:
        """Go on, or rest while another page is in view; what was half read is read again."""
        self._running = running
        if running:
            if not self.idle:
                self._timer.start()
            return
        self._timer.stop()
        if self._session is not None:
            self._waiting.appendleft((self._session.path, self._stamp, self._exchanges))
            self._drop()

    def _step(self) -> None:
        if self._thread is None and self._asked:
            self._thread = threading.Thread(target=self._open_all, name="shelf", daemon=True)
            self._thread.start()
        elif self._thread is not None and not self._thread.is_alive():
            self._thread = None
        while self._found:
            path, stamp, what = self._found.popleft()
            if isinstance(what, str):
                self.missing.emit(path, what)
            elif what:
                self.seen.emit(path, what[0].about)
                self._waiting.append((path, stamp, what))
        if self._session is None and self._waiting:
            self._begin(*self._waiting.popleft())
        session = self._session
        if session is not None and session.complete and session.idle:
            self._read()
        if self.idle:
            self._timer.stop()

    def _open_all(self) -> None:
        """In the thread: nothing of Qt is touched here."""
        while self._asked:
            path, known = self._asked.popleft()
            stamp = stamp_of(path)
            if stamp is not None and (stamp == known or stamp[0] > LARGEST):
                continue
            try:
                self._found.append((path, stamp, read_input(path)))
            except InputFault as fault:
                self._found.append((path, stamp, str(fault)))
            except Exception as error:  # a bug of ours: said in the row instead of lost in a thread
                self._found.append((path, stamp, f"{type(error).__name__}: {error}"))

    def _begin(self, path: str, stamp: Stamp | None, exchanges: list[Exchange]) -> None:
        session = Session(path, self._kit, self._lenses, parent=self)
        self._session, self._stamp, self._exchanges = session, stamp, exchanges
        if sum(len(exchange.body) for exchange in exchanges) > SMALL:
            session.compared.connect(self._read)
        session.open_exchanges(exchanges)

    def _read(self) -> None:
        session = self._session
        if session is None:
            return
        digest = digest_of(session)
        if digest is not None:
            self.made.emit(session.path, digest, self._stamp)
        self._drop()

    def _drop(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.cancel()
            session.deleteLater()
