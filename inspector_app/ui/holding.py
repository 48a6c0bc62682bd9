"""What a session shows of its recording: all of it, or a part of it while it is played back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from inspector_app.core.reading import Reading
from inspector_app.lenses import REFERENCE
from inspector_app.ui.rows import RowMap
from inspector_app.ui.views.block_index import BlockIndex

SHOWN = (
    "exchange", "reference", "readings", "differences", "literal", "rows", "complete",
    "_columns", "_indexes", "_mended", "_pair",
)  # fmt: skip
"""The attributes of a session that say what it shows: another set of these is another state of its recording."""


class Holding(QObject):
    """Base of a session, which reads in steps of a timer; signal `grown` (it shows more, or something else)."""

    grown = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._whole: dict[str, Any] | None = None
        """What is shown of the complete recording, while a part of it is shown instead."""
        self._work: Iterator[Any] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)

    @property
    def idle(self) -> bool:
        """Whether there is nothing left to read or to compare."""
        return not self._timer.isActive()

    @property
    def held(self) -> bool:
        """Whether a part of the complete recording is shown instead of all of it."""
        return self._whole is not None

    def hold(self, readings: dict[str, Reading], rows: RowMap, indexes: dict[int, BlockIndex]) -> None:
        """Show a part of the complete recording; what is still to be read of the whole waits."""
        if self._whole is None:
            self._timer.stop()
            self._whole = {name: getattr(self, name) for name in SHOWN}
        reference = readings[REFERENCE]
        part: tuple[Any, ...] = (
            reference.exchange, reference, readings, {}, None, rows, False, {}, indexes, None, None,
        )  # fmt: skip
        vars(self).update(zip(SHOWN, part, strict=True))
        self.grown.emit()

    def release(self) -> None:
        """Show all of the recording again."""
        if self._whole is None:
            return
        vars(self).update(self._whole)
        self._whole = None
        if self._work is not None:
            self._timer.start(0)
        self.grown.emit()
