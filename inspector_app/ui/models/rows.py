"""The display rows of a recording as table models: what a screen reader reads of the panes, which paint themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from inspector_app.core.text import number
from inspector_app.ui.rows import RowMap

NOWHERE = QModelIndex()
Cell = Callable[[int, int, int], str]
"""(event, which of its rows, column) -> text."""
TailCell = Callable[[int, int], str]
"""(which row after the last event, column) -> text."""


class RowsModel(QAbstractTableModel):
    """The rows of the map that `rows` gives. `columns` are their heads, `cell` gives the text of one cell, short enough
    to lay out. `grow` announces what was read since the last call, in one step.
    """

    def __init__(
        self,
        rows: Callable[[], RowMap],
        columns: tuple[str, ...],
        cell: Cell,
        parent: QObject | None = None,
        tail_cell: TailCell = lambda place, column: "",
    ) -> None:
        super().__init__(parent)
        self._source = rows
        self._columns = columns
        self._cell, self._tail_cell = cell, tail_cell
        self._map = rows()
        self._events = len(self._map)
        """Rows of events; below them are those of the tail."""
        self._rows = self._wanted()

    def _wanted(self) -> int:
        tail = self._map.tail
        return len(self._map) + (tail.rows if tail is not None else 0)

    def grow(self) -> None:
        """Take in the rows that came; starts anew when there is another map, as for another exchange."""
        rows = self._source()
        if rows is not self._map:
            self.beginResetModel()
            self._map = rows
            self._events, self._rows = len(rows), self._wanted()
            self.endResetModel()
            return
        before, wanted = self._rows, self._wanted()
        if wanted > before:
            self.beginInsertRows(NOWHERE, before, wanted - 1)
            self._rows = wanted
            self.endInsertRows()
        elif wanted < before:
            self.beginRemoveRows(NOWHERE, wanted, before - 1)
            self._rows = wanted
            self.endRemoveRows()
        if self._events < min(before, wanted):
            # What was the tail is an event now, or says something else.
            last = self.index(min(before, wanted) - 1, len(self._columns) - 1)
            self.dataChanged.emit(self.index(self._events, 0), last)
        self._events = len(rows)

    def rowCount(self, parent: QModelIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else self._rows

    def columnCount(self, parent: QModelIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole) or not index.isValid():
            return None
        if index.row() >= len(self._map):
            return self._tail_cell(index.row() - len(self._map), index.column())
        event, row = self._map.at(index.row())
        return self._cell(event, row, index.column())

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Horizontal:
            return self._columns[section] if section < len(self._columns) else None
        return number(section)
