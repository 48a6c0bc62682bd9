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
from inspector_app.ui.pair.order import Chosen, began, is_same, moment, name_among, path_of
from inspector_app.ui.theme import Look

EDGE, GAP = 16, 8
LONGEST = 64
WIDTH = 520
OTHER = "Another file…"
HINT = "A is what it was before, B what it is now."
TURNED = "A is the later one of the two: B is taken as what it is now."
SAME = "These are one and the same recording."


class PairDialog(QDialog):
    """`asked(a, b)`: compare these two."""

    asked = Signal(object, object)

    def __init__(
        self, look: Look, pages: Sequence[RecordingPage], proposed: Sequence[RecordingPage], parent: QWidget
    ) -> None:
        """`proposed`: up to two of the pages; of two the earlier one becomes A."""
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
        self._at = [-1, -1]
        """Which of the known ones A and B are, -1 for none."""
        self._meant = [False, False]
        """Whether it was the user who chose it."""
        for n, page in enumerate(proposed[:2]):
            self._at[n] = self._known.index(page)
        self._arrange()
        self._in_time()
        self._show()
        for n, choice in enumerate(self.choices):
            choice.activated.connect(lambda at, n=n: self._picked(n, at))
        self.cancel.clicked.connect(self.close)
        self.compare.clicked.connect(self._ask)

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

    def _show(self) -> None:
        """What can be chosen, and what is."""
        for choice, at in zip(self.choices, self._at):
            choice.blockSignals(True)
            choice.clear()
            for n, one in enumerate(self._known):
                words = " · ".join(filter(None, (clip(name_among(one, self._known), LONGEST), moment(began(one)))))
                choice.addItem(visible(words))
                choice.setItemData(n, visible(path_of(one)), Qt.ItemDataRole.ToolTipRole)
            choice.addItem(OTHER)
            choice.setPlaceholderText("Choose a recording")
            choice.setCurrentIndex(at)
            choice.blockSignals(False)
            choice.updateGeometry()
        chosen = self.chosen
        same = len(chosen) == 2 and is_same(*chosen)
        self.compare.setEnabled(len(chosen) == 2 and not same)
        self.remark.setText(SAME if same else TURNED if self._turned() else HINT)

    def _turned(self) -> bool:
        """Whether A is known to be later than B."""
        times = [began(one) for one in self.chosen]
        return len(times) == 2 and None not in times and times[0] > times[1]  # type: ignore[operator]

    def _in_time(self) -> None:
        """The earlier one is A, unless the user has chosen both."""
        if not all(self._meant) and self._turned():
            self._at.reverse()
            self._meant.reverse()

    def _picked(self, n: int, at: int) -> None:
        if at < len(self._known):
            self._choose(n, at)
            return
        self.choices[n].setCurrentIndex(self._at[n])
        dialog = QFileDialog(self, f"Recording {'AB'[n]}")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self.take(n, path))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def take(self, n: int, path: str) -> None:
        """Choose a file as A (0) or B (1); one that is open already is the one that is open."""
        at = next((at for at, one in enumerate(self._known) if is_same(one, path)), len(self._known))
        if at == len(self._known):
            self._known.append(path)
        self._choose(n, at)

    def _choose(self, n: int, at: int) -> None:
        """What is the other one already changes places with it."""
        if at == self._at[1 - n] and self._at[n] not in (-1, at):
            self._at.reverse()
            self._meant = [True, True]
        else:
            self._at[n], self._meant[n] = at, True
            self._in_time()
        self._show()

    @property
    def chosen(self) -> list[Chosen]:
        """The two, as far as they are chosen."""
        return [self._known[at] for at in self._at if at >= 0]

    def _ask(self) -> None:
        a, b = self.chosen
        self.asked.emit(a, b)
        self.close()
