"""Asks what a picture shows and how; stays beside the window, which goes on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from inspector_app.core.text import number
from inspector_app.ui import fonts
from inspector_app.ui.controls import Button, Choice
from inspector_app.ui.labels import label
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.scenes import COMPARISON, TIMELINE
from inspector_app.ui.studio import WHATS, WINDOW, Studio, Wish
from inspector_app.ui.theme import Look

EDGE, GAP = 16, 8
PNG, SVG = "png", "svg"
FORMATS = {PNG: "PNG", SVG: "SVG"}
WIDTHS = {1: "as wide as the window", 2: "twice as wide", 4: "four times as wide", 8: "eight times as wide"}
THEMES = {"": "as in the window", "light": "light", "dark": "dark"}
SCALES = {2: "2× (high resolution)", 1: "1×"}
SECRETS = "Keys and other secrets are masked."


class PictureDialog(QDialog):
    """`saved(wish, path)` and `copied(wish)`: what the user wants of a page."""

    saved = Signal(object, str)
    copied = Signal(object)

    def __init__(self, look: Look, studio: Studio, page: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._studio, self._page = studio, page
        self.setWindowTitle("Save picture")
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        whats = {key: words for key, words in WHATS.items() if _offers(page, key)}
        self.what = _choice(look, "What the picture shows", whats)
        self.wide = _choice(look, "Width", WIDTHS)
        self.theme = _choice(look, "Theme", THEMES)
        self.format = _choice(look, "Format", FORMATS)
        self.scale = _choice(look, "Scale", SCALES)
        self.remark = label("", "ink.3", fonts.SECONDARY)
        self.cancel = Button(look, "Cancel")
        self.copy = Button(look, "Copy", "copy")
        self.save = Button(look, "Save…", "", "primary")
        self.save.setDefault(True)
        self._arrange()
        self.save.clicked.connect(self._ask_where)
        self.cancel.clicked.connect(self.close)
        self._copies = False
        """Whether the picture that is drawn goes onto the clipboard."""
        self.copy.clicked.connect(self._copy)
        for choice in (self.what, self.wide, self.theme, self.format, self.scale):
            choice.currentIndexChanged.connect(self._describe)
        studio.busy.connect(self._show_busy)
        self._describe()

    def _arrange(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(EDGE)
        grid.setVerticalSpacing(GAP)
        rows = {"Shows": self.what, "Width": self.wide, "Theme": self.theme, "Format": self.format, "Scale": self.scale}
        for at, (words, choice) in enumerate(rows.items()):
            grid.addWidget(label(words, "ink.2"), at, 0)
            grid.addWidget(choice, at, 1, Qt.AlignmentFlag.AlignLeft)
        grid.setColumnStretch(1, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(GAP)
        buttons.addWidget(self.remark)
        buttons.addStretch(1)
        for button in (self.cancel, self.copy, self.save):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        column.setSpacing(EDGE)
        column.addLayout(grid)
        column.addWidget(label(SECRETS, "ink.3", fonts.SECONDARY))
        column.addLayout(buttons)

    def wish(self) -> Wish:
        """What is chosen."""
        what = self.what.currentData()
        wide = self.wide.currentData() if what == TIMELINE else 1
        return Wish(what, self.theme.currentData(), self.scale.currentData(), wide)

    def _describe(self) -> None:
        """Shows the choices that there are for what is chosen, and how large the picture gets."""
        dots = self.format.currentData() == PNG
        self.wide.setEnabled(self.what.currentData() == TIMELINE)
        self.scale.setEnabled(dots)
        wish = self.wish()
        size = self._studio.size(self._page, wish) * (wish.scale if dots else 1)
        self.remark.setText(f"{number(size.width())} × {number(size.height())} pixels")

    def _show_busy(self, busy: bool) -> None:
        for button in (self.save, self.copy):
            button.setEnabled(not busy)
        if busy:
            self.remark.setText("Drawing…")
        elif self._copies:
            self._copies = False
            self.remark.setText("Copied to the clipboard")
        else:
            self._describe()

    def _copy(self) -> None:
        self._copies = True
        self.copied.emit(self.wish())

    def _ask_where(self) -> None:
        ending, wish = self.format.currentData(), self.wish()
        dialog = QFileDialog(self, "Save picture")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(ending)
        dialog.setNameFilters([f"{ending.upper()} picture (*.{ending})"])
        part = "" if wish.what == WINDOW else f"-{wish.what}"
        # A page may be called after a provider, and that as anybody likes.
        name = re.sub(r'[/\\:*?"<>|]', "-", self._page.title)  # type: ignore[attr-defined]
        dialog.selectFile(f"{name}{part}.{ending}")
        dialog.fileSelected.connect(lambda path: self._save(wish, path))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _save(self, wish: Wish, path: str) -> None:
        self.saved.emit(wish, path)
        self.close()


def _offers(page: QWidget, what: str) -> bool:
    """Whether a page has something to show of that kind."""
    if not isinstance(page, RecordingPage):
        return what == WINDOW
    return what != COMPARISON or page.session.secondary is not None


def _choice(look: Look, name: str, words: Mapping[Any, str]) -> Choice:
    made = Choice(look, name)
    for value, shown in words.items():
        made.addItem(shown, value)
    return made
