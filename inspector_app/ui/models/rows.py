"""The display rows of a recording as table models: what a screen reader reads of the panes, which paint themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from inspector_app.core.text import number
from inspector_app.ui.session import Session

NOWHERE = QModelIndex()
Cell = Callable[[int, int, int], str]
"""(event, which of its rows, column) -> text."""


class RowsModel(QAbstractTableModel):
    """Rows of the session's row map. `columns` are their heads, `cell` gives the text of one, short enough to lay out.

    `grow` announces what was read since the last call, in one step; `restart` follows a change of exchange.
    """

    def __init__(self, session: Session, columns: tuple[str, ...], cell: Cell, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._columns = columns
        self._cell = cell
        self._map = session.rows
        self._rows = len(session.rows)

    def grow(self) -> None:
        """Take in the rows that came; starts anew when the session shows another exchange."""
        rows = self._session.rows
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
