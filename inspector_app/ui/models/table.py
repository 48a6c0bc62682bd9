"""Rows under heads as a table model: what the tables of fields, differences, clients and matches have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()
_SHOWN = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)


class TableModel(QAbstractTableModel):
    """`heads` stand above the columns, those of `numbers` at the right. `cell` gives the words of a cell."""

    heads: Sequence[str] = ()
    numbers: Sequence[int] = ()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Any] = []

    def cell(self, row: Any, at: int, column: int, spoken: bool) -> str:
        """What stands in a column of a row, which is number `at`; `spoken` where it is read aloud."""
        raise NotImplementedError

    def show_rows(self, rows: list[Any]) -> None:
        """Replaces all rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def add_rows(self, rows: Sequence[Any]) -> None:
        """Puts some rows below the others."""
        if rows:
            self.beginInsertRows(NOWHERE, len(self.rows), len(self.rows) + len(rows) - 1)
            self.rows += rows
            self.endInsertRows()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.heads)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.heads[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in self.numbers else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role not in _SHOWN:
            return None
        spoken = role == Qt.ItemDataRole.AccessibleTextRole
        return self.cell(self.rows[index.row()], index.row(), index.column(), spoken)
