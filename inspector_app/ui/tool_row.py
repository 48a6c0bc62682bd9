"""A row of controls above a page; where there is no room they give way, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

HEIGHT, EDGE = 44, 16
Step = Callable[[bool], object]
"""Shows something as where there is room, or as where there is none."""


class ToolRow(QWidget):
    """Controls stand in `row`; `steps` says how they give way, the first one first."""

    def __init__(self, layer: str) -> None:
        super().__init__()
        self.setProperty("layer", layer)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(EDGE - 8, 0, EDGE, 0)
        self.row.setSpacing(8)

    def steps(self) -> Sequence[Step]:
        """What gives way."""
        return ()

    def fit(self) -> None:
        """Shows as much as there is room for."""
        steps = self.steps()
        for step in steps:
            step(True)
        for step in steps:
            self.row.invalidate()
            if self.row.minimumSize().width() <= self.width():
                return
            step(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()
