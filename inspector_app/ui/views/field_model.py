"""The rows of the field ledger as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from inspector_app.core.text import number, visible
from inspector_app.ui.views.json_nodes import shown_value

COLUMNS = (
    ("path", 300), ("count", 60), ("first", 60), ("last", 60), ("where", 72), ("types", 110), ("sample", 200),
    ("read", 160), ("", 32),
)  # fmt: skip
PATH, COUNT, FIRST, LAST, WHERE, TYPES, SAMPLE, READ, FILTER = range(9)
NUMBERS = (COUNT, FIRST, LAST)

Index = QModelIndex | QPersistentModelIndex
Stretches = list[tuple[float, float]]
Value = TypeVar("Value")
NOWHERE = QModelIndex()
FILTER_WORDS = "Show the events with this field"


class Worked(Sequence[Value]):
    """What is worked out for a row when somebody looks at it first: of many rows most are never seen."""

    def __init__(self, rows: Sequence[dict[str, Any]] = (), work: Callable[[str], Value] | None = None) -> None:
        self._rows, self._work = rows, work
        self._known: dict[int, Value] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, row: Any) -> Any:
        if row not in self._known and self._work is not None:
            self._known[row] = self._work(self._rows[row]["path"])
        return self._known[row]


class FieldModel(QAbstractTableModel):
    """Rows of the ledger; `unread` are the clients that do not read the path of each, `where` the parts of the stream
    that have it, 0 to 1.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[dict[str, Any]] = []
        self.unread: Sequence[list[str]] = ()
        self.where: Sequence[Stretches] = ()

    def show(
        self, rows: list[dict[str, Any]], unread: Sequence[list[str]] = (), where: Sequence[Stretches] = ()
    ) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self.rows, self.unread, self.where = rows, unread, where
        self.endResetModel()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section][0]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in NUMBERS else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        row, unread = self.rows[index.row()], self.unread[index.row()]
        return {
            PATH: lambda: visible(row["path"][:200]) or "(the whole value)",
            COUNT: lambda: number(row["count"]),
            FIRST: lambda: number(row["first_event"]),
            LAST: lambda: number(row["last_event"]),
            WHERE: lambda: "" if role == Qt.ItemDataRole.DisplayRole else _where_words(self.where[index.row()]),
            TYPES: lambda: ", ".join(row["types"]),
            SAMPLE: lambda: shown_value(row["sample"]),
            READ: lambda: f"not by {' or '.join(unread)}" if unread else "read",
            FILTER: lambda: "" if role == Qt.ItemDataRole.DisplayRole else FILTER_WORDS,
        }[index.column()]()


def _where_words(stretches: Stretches) -> str:
    share = sum(end - start for start, end in stretches)
    parts = f" in {number(len(stretches))} parts" if len(stretches) > 1 else ""
    return f"in {max(1, round(100 * share))} % of the stream{parts}"
