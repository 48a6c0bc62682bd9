"""One of two recordings that are compared: read from its file, or taken from a tab that has read it already."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QObject, Qt

from inspector_app.core.kit import Kit
from inspector_app.core.text import visible
from inspector_app.lenses import REFERENCE
from inspector_app.ui.holding import SHOWN
from inspector_app.ui.mutes import Mutes
from inspector_app.ui.session import Session

EACH_S = 0.3
"""How often more of it is shown while it is read."""


class SideSession(Session):
    """A session of its own, so that its selection, and the tab it came from, go their own ways. No client reads it."""

    def __init__(
        self, path: str, name: str, kit: Kit, *, mutes: Mutes | None = None, parent: QObject | None = None, **how: Any
    ) -> None:
        super().__init__(path, kit, {}, mutes=mutes, parent=parent, **how)
        self.name = name
        self.source: Session | None = None
        """Whose reading is waited for."""
        self.part = 0.0
        """How much of it is read, 0 to 1."""
        self._shown_at = 0.0
        self.progress.connect(self._note_progress)

    def _grow(self) -> None:
        # Two are read at once, and what is seen of them meanwhile is their beginning.
        now = time.monotonic()
        if now - self._shown_at >= EACH_S:
            self._shown_at = now
            super()._grow()

    def _note_progress(self, done: int, total: int) -> None:
        self.part = done / total if total else 1.0

    @property
    def facts(self) -> str:
        """Provider, model and dialect in one line, as far as they are known."""
        reading = self.reference
        if reading is None:
            return ""
        model = reading.meta.get("model")
        dialect = reading.dialect if reading.dialect not in ("none", "unknown") else "no dialect"
        named = visible(model) if isinstance(model, str) else ""
        exchange = reading.exchange
        which = f"response {exchange.number + 1} of {exchange.count}" if exchange.count > 1 else ""
        return " · ".join(filter(None, (reading.provider, named, dialect, reading.framing, which)))

    def follow(self, other: Session) -> None:
        """Show what another session has read, when it has; what is read once is never read again."""
        once = Qt.ConnectionType.SingleShotConnection
        if other.error is not None:
            self._fail(other.error)
        elif other.complete or other.held:
            self._adopt(other)
        else:
            self.source = other
            other.read.connect(lambda: self._adopt(other), once)
            other.failed.connect(self._fail, once)
            other.progress.connect(self.progress)

    def _adopt(self, other: Session) -> None:
        if self.complete:
            return
        self.source = None
        # In playback its tab shows a part only.
        state = other._whole or vars(other)
        vars(self).update({name: state[name] for name in SHOWN})
        self.exchanges = other.exchanges
        self.readings = {REFERENCE: state["reference"]}
        self.differences, self.literal, self._pair = {}, None, None
        self.progress.emit(1, 1)
        self.grown.emit()
        self.read.emit()
        self.compared.emit()

    def forsaken(self) -> None:
        """Whoever was to read it does so no longer: its file is read here."""
        if self.source is not None and not self.complete:
            self.source = None
            self.load()

    def _fail(self, words: str) -> None:
        self.error = words
        self.failed.emit(words)
