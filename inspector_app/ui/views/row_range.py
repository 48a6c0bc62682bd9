"""Rows that are chosen together, to be copied: by dragging over them, by Shift with a click or with an arrow."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from inspector_app.ui.theme import Theme


class RowRange:
    """From the row where it began to the row where it is now. Fewer than two rows are no range."""

    def __init__(self) -> None:
        self._anchor = self._row = -1

    def begin(self, row: int) -> None:
        """A range may begin here; the one before is gone."""
        self._anchor = self._row = row

    def extend(self, row: int) -> bool:
        """Takes the rows up to this one; whether anything has changed."""
        if self._anchor < 0:
            self._anchor = row
        changed, self._row = row != self._row, row
        return changed

    @property
    def last(self) -> int:
        """The row where it is now, -1 where none has begun."""
        return self._row

    @property
    def rows(self) -> range:
        """The chosen rows, none where there are fewer than two."""
        first, last = sorted((self._anchor, self._row))
        return range(first, last + 1) if 0 <= first < last else range(0)


def paint_range(painter: QPainter, theme: Theme, rows: range, top: int, width: int, height: int) -> None:
    """The ground of chosen rows, each `height` pixels high."""
    if rows:
        area = QRect(0, rows.start * height - top, width, len(rows) * height)
        painter.fillRect(area, theme.color("sel.fill"))
        painter.fillRect(QRect(0, area.top(), 3, area.height()), theme.color("accent"))
