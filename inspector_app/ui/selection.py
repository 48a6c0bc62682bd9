"""The one selection that all views share, and the bus that tells them of it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal


@dataclass(frozen=True, slots=True)
class Selection:
    """What is selected. `event` is always set; the rest says how exactly, None where nothing finer was picked.

    `line`, `delta`, `block` are row numbers of the reading named `reader`; `pointer` is a JSON Pointer into the
    event's payload; [start, end) are bytes of the body; `finding` is the rule whose place this is.
    """

    event: int
    line: int | None = None
    delta: int | None = None
    pointer: str | None = None
    block: int | None = None
    reader: str | None = None
    start: int | None = None
    end: int | None = None
    finding: str | None = None


class SelectionModel(QObject):
    """Holds the selection. `changed(selection, origin)`: a view ignores what it said itself."""

    changed = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.current: Selection | None = None

    def select(self, selection: Selection | None, origin: object) -> None:
        """Make this the selection of every view."""
        if selection != self.current:
            self.current = selection
            self.changed.emit(selection, origin)
