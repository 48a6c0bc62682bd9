"""The matrix as a picture: all of its rows, whatever of them is scrolled away in the window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector_app.lenses.matrix import Row, matrix
from inspector_app.ui.matrix.table import MatrixView, height_of
from inspector_app.ui.picture import CAPTION, caption
from inspector_app.ui.scenes import Scene, show_at_least
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look

MATRIX = "matrix"
LEAST_WIDTH = 900


class MatrixScene(QWidget):
    """The matrix of a session that has been read. Without `rows` every lens reads it now."""

    def __init__(self, session: Session, look: Look, rows: Sequence[Row] | None = None) -> None:
        super().__init__()
        self._view = MatrixView(look)
        reference = session.reference
        if rows is None and reference is not None:
            rows = list(matrix(reference, session.lenses.values(), session.kit, **session.how))
        self._view.show_rows(reference, rows or [])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._view)

    def show_at(self, size: QSize) -> None:
        """Arranges it for a picture of `size`."""
        show_at_least(self, QSize(size.width(), size.height() - CAPTION), QSize(LEAST_WIDTH, self._view.least_height))
        self._view.fill()

    def show_around(self) -> None:
        """Nothing in it depends on what is selected."""


def size_of(session: Session, width: int) -> QSize:
    """How large a picture of the matrix of a session is that is so wide."""
    wide = max(width, LEAST_WIDTH)
    return QSize(wide, height_of(len(session.lenses)) + CAPTION)


def matrix_caption(session: Session, masked: bool = False) -> str:
    """What the picture of a matrix shows."""
    return caption(session, masked, f"under {len(session.lenses)} lenses")


def scene_of(session: Session, look: Look, name: str) -> Scene | MatrixScene:
    """What a picture shows that is not the window: a pane, the timeline, the comparison, the matrix."""
    return MatrixScene(session, look) if name == MATRIX else Scene(session, look, name)
