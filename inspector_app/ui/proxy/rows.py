"""The exchanges of a proxy as rows, the newest first; a row changes while its exchange goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector_app.core.text import clip, duration, number, visible
from inspector_app.live.proxy_watch import Watch

MOST = 2000
"""Exchanges that are listed; older ones are in their recordings."""
LONGEST = 300
Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()


def _state(watch: Watch) -> str:
    if watch.stopped:
        return f"not recorded · {watch.state}"
    # Where no answer came, why is all there is to say.
    said = watch.detail if watch.over and watch.http is None and watch.how != "cancelled" else ""
    said = said or watch.state
    return f"{said} · {duration(watch.lasted)}" if watch.over and watch.lasted else said


COLUMNS: dict[str, Callable[[Watch], str]] = {
    "Time": lambda watch: watch.exchange.at.strftime("%H:%M:%S"),
    "Request": lambda watch: watch.exchange.asked,
    "Model": lambda watch: watch.exchange.model,
    "Status": lambda watch: str(watch.http.status) if watch.http is not None else "",
    "Events": lambda watch: number(watch.events) if watch.http is not None else "",
    "State": _state,
}
"""Column -> what it says of an exchange."""
NAMES = tuple(COLUMNS)
NUMBERS = ("Status", "Events")
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def mark_of(watch: Watch) -> tuple[str, str]:
    """The glyph of a row and its meaning, which is empty where nothing is wrong."""
    if watch.stopped:
        return "warning", "warning"
    if not watch.over:
        return "record", "error"
    if watch.how == "done" or (watch.how == "eof" and watch.whole):
        return "check", ""
    if watch.how == "cancelled":
        return "stop", "info"
    passed_on = watch.http is not None and 300 <= watch.http.status < 400
    return ("warning", "warning") if watch.how == "eof" or passed_on else ("error", "error")


class ExchangeRows(QAbstractTableModel):
    """A table model; `at` gives what a row is made of."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watches: list[Watch] = []

    def at(self, row: int) -> Watch | None:
        """The exchange in a row."""
        return self._watches[-1 - row] if 0 <= row < len(self._watches) else None

    def add(self, watches: Sequence[Watch]) -> None:
        """Put exchanges that have begun on top."""
        if not watches:
            return
        self.beginInsertRows(NOWHERE, 0, len(watches) - 1)
        self._watches += watches
        self.endInsertRows()
        extra = len(self._watches) - MOST
        if extra > 0:
            self.beginRemoveRows(NOWHERE, MOST, MOST + extra - 1)
            del self._watches[:extra]
            self.endRemoveRows()

    def changed(self, watch: Watch) -> None:
        """An exchange went on."""
        row = len(self._watches) - 1 - self._watches.index(watch) if watch in self._watches else -1
        if row >= 0:
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(NAMES) - 1))

    def drop_ended(self) -> None:
        """Take out the exchanges that have ended; their recordings stay."""
        self.beginResetModel()
        self._watches = [watch for watch in self._watches if not watch.over]
        self.endResetModel()

    @property
    def live(self) -> int:
        """How many go on."""
        return sum(not watch.over for watch in self._watches)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._watches)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(NAMES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if NAMES[section] in NUMBERS else LEFT
        return NAMES[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        watch = self.at(index.row()) if index.isValid() else None
        if watch is None or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        name = NAMES[index.column()]
        words = visible(clip(COLUMNS[name](watch), LONGEST))
        return words if role == Qt.ItemDataRole.DisplayRole else f"{name}: {words or 'none'}"
