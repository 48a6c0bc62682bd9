"""What to do about the comparison that is shown, worked out beside the interface: it takes readings of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inspector_app.lenses import Lens
from inspector_app.lenses.advice import advise
from inspector_app.lenses.advice_words import Advice
from inspector_app.ui.comparing import beside

if TYPE_CHECKING:
    from inspector_app.ui.session import Session

LARGEST = 1 << 18
"""Bytes of a body up to which it is worked out without being asked for."""


class Advising(QObject):
    """Signal `changed`: there is advice on one more client."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._found: dict[str, tuple[Lens, Advice]] = {}

    def on(self, lens: Lens | None) -> Advice | None:
        """What is known of a client, as it is now."""
        known = self._found.get(lens.name) if lens is not None else None
        return known[1] if known is not None and known[0] is lens else None

    def steps(self, session: Session) -> Iterator[None]:
        """Work it out for the client that the session compares with, while others have the interface."""
        lens, reference = session.lenses.get(session.secondary or ""), session.reference
        difference = session.differences.get(session.secondary or "")
        if lens is None or reference is None or difference is None or self.on(lens) is not None:
            return
        if len(reference.body) > LARGEST:
            return
        advice = None
        for found in beside(lambda: advise(lens, reference, difference, session.kit, **session.how)):
            advice = found
            yield
        if advice is not None:
            self._found[lens.name] = lens, advice
            self.changed.emit()
