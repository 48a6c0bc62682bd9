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


class RowsModel(QAbstractTableModel):
    """The rows of the map that `rows` gives. `columns` are their heads, `cell` gives the text of one cell, short enough
    to lay out. `grow` announces what was read since the last call, in one step.
    """

    def __init__(
        self, rows: Callable[[], RowMap], columns: tuple[str, ...], cell: Cell, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._source = rows
        self._columns = columns
        self._cell = cell
        self._map = rows()
        self._rows = len(self._map)

    def grow(self) -> None:
        """Take in the rows that came; starts anew when there is another map, as for another exchange."""
        rows = self._source()
        if rows is not self._map:
            self.beginResetModel()
            self._map, self._rows = rows, len(rows)
            self.endResetModel()
        elif len(rows) > self._rows:
            self.beginInsertRows(NOWHERE, self._rows, len(rows) - 1)
            self._rows = len(rows)
            self.endInsertRows()

    def rowCount(self, parent: QModelIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else self._rows

    def columnCount(self, parent: QModelIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole) or not index.isValid():
            return None
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
