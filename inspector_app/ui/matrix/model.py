"""The rows of the matrix as a model, in the order that a column asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inspector_app.core.text import number, visible
from inspector_app.lenses.matrix import MATRIX_VERDICTS, Row
from inspector_app.ui.models.table import NOWHERE, TableModel
from inspector_app.ui.readers import short_title_of
from inspector_app.ui.summary import grouped

CLIENT, VERDICT, WHAT, BLOCKS, CHARS, EVENT, KNOWN = range(7)
COLUMNS = ("client", "reads", "what differs", "blocks", "characters", "first event", "known by")
NUMBERS = (BLOCKS, CHARS, EVENT)


def headline_of(row: Row) -> tuple[str, str]:
    """What differs, and why; empty where nothing does."""
    found = row.difference
    if found is None:
        return "", "reads " + ", ".join(f"`{name}`" for name in row.lens.dialects)
    if row.verdict == "right":
        return "", "the same blocks as the reference"
    return grouped(found.headline), found.cause


def client_of(row: Row) -> tuple[str, str]:
    """A client as the window calls it, and the name of its lens where that is another one."""
    name = row.lens.name
    title = short_title_of(name, {name: row.lens})
    return visible(title), "" if title == name else visible(name)


_LAST = 1 << 60
"""Where a number is not known: behind all others."""

_KEYS: dict[int, Callable[[Row], Any]] = {
    CLIENT: lambda row: (client_of(row)[0].casefold(), row.lens.name),
    VERDICT: lambda row: MATRIX_VERDICTS.index(row.verdict),
    WHAT: lambda row: (row.difference is None, not headline_of(row)[0], headline_of(row)),
    BLOCKS: lambda row: -1 if row.difference is None else row.difference.blocks[1],
    CHARS: lambda row: -1 if row.difference is None else row.difference.chars[1],
    EVENT: lambda row: _LAST if row.event is None else row.event,
    KNOWN: lambda row: row.lens.evidence,
}


class MatrixModel(TableModel):
    """Rows in the order of `sort`; a new one takes its place among them."""

    heads, numbers = COLUMNS, NUMBERS
    rows: list[Row]

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.by, self.order = VERDICT, Qt.SortOrder.AscendingOrder

    def show(self, rows: Sequence[Row]) -> None:
        """Replace all rows."""
        self.show_rows(self._sorted(rows))

    def add(self, row: Row) -> None:
        """One more row."""
        rows = self._sorted([*self.rows, row])
        at = next(place for place, one in enumerate(rows) if one is row)
        self.beginInsertRows(NOWHERE, at, at)
        self.rows = rows
        self.endInsertRows()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.by, self.order = column, order
        self.layoutAboutToBeChanged.emit()
        kept = [(index, self.rows[index.row()]) for index in self.persistentIndexList()]
        self.rows = self._sorted(self.rows)
        places = {id(row): place for place, row in enumerate(self.rows)}
        for index, row in kept:
            self.changePersistentIndex(index, self.index(places[id(row)], index.column()))
        self.layoutChanged.emit()

    def _sorted(self, rows: Sequence[Row]) -> list[Row]:
        """By the column; what is equal there by verdict and then by name, whichever way the column goes."""
        plain = sorted(rows, key=lambda row: (_KEYS[VERDICT](row), _KEYS[CLIENT](row)))
        return sorted(plain, key=_KEYS[self.by], reverse=self.order == Qt.SortOrder.DescendingOrder)

    def cell(self, row: Row, at: int, column: int, spoken: bool) -> str:
        return cell(row, column)


def cell(row: Row, column: int) -> str:
    """What a cell says."""
    found = row.difference
    title, name = client_of(row)
    match column:
        case 0:
            return " ".join(filter(None, (title, name and f"({name})")))
        case 1:
            return row.verdict
        case 2:
            return visible(" — ".join(filter(None, headline_of(row)))).replace("`", "")
        case 3:
            return "" if found is None else number(found.blocks[1])
        case 4:
            return "" if found is None else number(found.chars[1])
        case 5:
            return "" if row.event is None else number(row.event)
        case _:
            return row.lens.evidence
