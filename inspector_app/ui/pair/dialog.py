"""Asks which two recordings to compare: those of open tabs, or other files."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from inspector_app.core.text import clip, visible
from inspector_app.ui import fonts
from inspector_app.ui.controls import Button, Choice
from inspector_app.ui.labels import label
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.theme import Look

EDGE, GAP = 16, 8
LONGEST = 64
WIDTH = 520
OTHER = "Another file…"
HINT = "A is what it was before, B what it is now."

Chosen = RecordingPage | str
"""A recording that is open, or the path of one that is not."""


class PairDialog(QDialog):
    """`asked(a, b)`: compare these two."""

    asked = Signal(object, object)

    def __init__(
        self, look: Look, pages: Sequence[RecordingPage], first: RecordingPage | None, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Compare two recordings")
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(WIDTH)
        self._known: list[Chosen] = [*pages]
        self.choices = Choice(look, "Recording A"), Choice(look, "Recording B")
        self.remark = label(HINT, "ink.3", fonts.SECONDARY)
        self.cancel, self.compare = Button(look, "Cancel"), Button(look, "Compare", "swap", "primary")
        self.compare.setDefault(True)
        self._before = [-1, -1]
        self._fill()
        start = self._known.index(first) if first is not None else 0
        for choice, at in zip(self.choices, (start, next((n for n in range(len(pages)) if n != start), -1))):
            choice.setCurrentIndex(at if at < len(pages) else -1)
        self._before = [choice.currentIndex() for choice in self.choices]
        self._arrange()
        for n, choice in enumerate(self.choices):
            choice.activated.connect(lambda at, n=n: self._picked(n, at))
        self.cancel.clicked.connect(self.close)
        self.compare.clicked.connect(self._ask)
        self._check()

    def _arrange(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(EDGE)
        grid.setVerticalSpacing(GAP)
        for at, (letter, choice) in enumerate(zip("AB", self.choices)):
            grid.addWidget(label(letter, "ink.1", fonts.BODY, 600), at, 0)
            grid.addWidget(choice, at, 1, Qt.AlignmentFlag.AlignLeft)
        grid.setColumnStretch(1, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(GAP)
        buttons.addWidget(self.remark)
        buttons.addStretch(1)
        for button in (self.cancel, self.compare):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        column.setSpacing(EDGE)
        column.addLayout(grid)
        column.addLayout(buttons)

    def _fill(self) -> None:
        for choice in self.choices:
            before = choice.currentIndex()
            choice.blockSignals(True)
            choice.clear()
            for one in self._known:
                choice.addItem(clip(visible(_name(one)), LONGEST))
            choice.addItem(OTHER)
            choice.setPlaceholderText("Choose a recording")
            choice.setCurrentIndex(before)
            choice.blockSignals(False)

    def _picked(self, n: int, at: int) -> None:
        if at < len(self._known):
            self._before[n] = at
            self._check()
            return
        self.choices[n].setCurrentIndex(self._before[n])
        dialog = QFileDialog(self, f"Recording {'AB'[n]}")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self.take(n, path))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def take(self, n: int, path: str) -> None:
        """Choose a file as A (0) or B (1)."""
        if path not in self._known:
            self._known.append(path)
            self._fill()
        self._before[n] = self._known.index(path)
        self.choices[n].setCurrentIndex(self._before[n])
        self._check()

    @property
    def chosen(self) -> list[Chosen]:
        """The two, as far as they are chosen."""
        return [self._known[choice.currentIndex()] for choice in self.choices if choice.currentIndex() >= 0]

    def _check(self) -> None:
        chosen = self.chosen
        same = len(chosen) == 2 and len({one if isinstance(one, str) else one.session.path for one in chosen}) == 1
        self.compare.setEnabled(len(chosen) == 2 and not same)
        self.remark.setText("These are one and the same recording." if same else HINT)
        for choice in self.choices:
            choice.updateGeometry()

    def _ask(self) -> None:
        a, b = self.chosen
        self.asked.emit(a, b)
        self.close()


def _name(one: Chosen) -> str:
    return one if isinstance(one, str) else one.title
