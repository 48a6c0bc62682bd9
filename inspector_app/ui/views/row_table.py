"""A table that is a list of rows of one height: what findings, facts and fields have in common."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView

from inspector_app.ui.theme import Look
from inspector_app.ui.views.row_states import KeyboardRing

Move = QAbstractItemView.CursorAction


class RowTable(QTableView):
    """Rows of `height` pixels, painted by a delegate. Home and End go to the first and the last row."""

    def __init__(self, look: Look, name: str, model: QAbstractTableModel, height: int) -> None:
        super().__init__()
        self._look = look
        self.ring = KeyboardRing()
        self.setModel(model)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(height)
        rows.setDefaultSectionSize(height)
        look.changed.connect(self.viewport().update)

    def show_one_column(self) -> None:
        """The only column is as wide as the view, and has no head."""
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)

    def moveCursor(self, action: Move, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        if action in (Move.MoveHome, Move.MoveEnd):
            row = 0 if action == Move.MoveHome else self.model().rowCount() - 1
            return self.model().index(row, max(0, self.currentIndex().column()))
        return super().moveCursor(action, modifiers)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of the window here."""

    def event(self, event: QEvent) -> bool:
        self.ring.see(self, event)
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        self.ring.see(self, event)
        return super().viewportEvent(event)
