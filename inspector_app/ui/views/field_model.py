"""The rows of the field ledger as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from PySide6.QtWidgets import QWidget

from inspector_app.core.text import number, visible
from inspector_app.ui.models.table import TableModel
from inspector_app.ui.views.json_nodes import shown_value

COLUMNS = (
    ("path", 300), ("count", 60), ("first", 60), ("last", 60), ("where", 72), ("types", 110), ("sample", 200),
    ("read", 160), ("", 32),
)  # fmt: skip
PATH, COUNT, FIRST, LAST, WHERE, TYPES, SAMPLE, READ, FILTER = range(9)
NUMBERS = (COUNT, FIRST, LAST)

Stretches = list[tuple[float, float]]
Value = TypeVar("Value")
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


class FieldModel(TableModel):
    """Rows of the ledger; `unread` are the clients that do not read the path of each, `where` the parts of the stream
    that have it, 0 to 1.
    """

    heads = tuple(name for name, _ in COLUMNS)
    numbers = NUMBERS

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.unread: Sequence[list[str]] = ()
        self.where: Sequence[Stretches] = ()

    def show(
        self, rows: list[dict[str, Any]], unread: Sequence[list[str]] = (), where: Sequence[Stretches] = ()
    ) -> None:
        """Replace all rows."""
        self.unread, self.where = unread, where
        self.show_rows(rows)

    def cell(self, row: dict[str, Any], at: int, column: int, spoken: bool) -> str:
        unread = self.unread[at]
        said: dict[int, Callable[[], str]] = {
            PATH: lambda: visible(row["path"][:200]) or "(the whole value)",
            COUNT: lambda: number(row["count"]),
            FIRST: lambda: number(row["first_event"]),
            LAST: lambda: number(row["last_event"]),
            WHERE: lambda: _where_words(self.where[at]) if spoken else "",
            TYPES: lambda: ", ".join(row["types"]),
            SAMPLE: lambda: shown_value(row["sample"]),
            READ: lambda: f"not by {' or '.join(unread)}" if unread else "read",
            FILTER: lambda: FILTER_WORDS if spoken else "",
        }
        return said[column]()


def _where_words(stretches: Stretches) -> str:
    share = sum(end - start for start, end in stretches)
    parts = f" in {number(len(stretches))} parts" if len(stretches) > 1 else ""
    return f"in {max(1, round(100 * share))} % of the stream{parts}"
