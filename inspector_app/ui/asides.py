"""The windows beside the main one: every client at once, what if, the editor of lenses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog
from shiboken6 import isValid

from inspector_app.core.text import visible
from inspector_app.core.types import Exchange
from inspector_app.files.recording import write
from inspector_app.lenses import REFERENCE, Lens
from inspector_app.ui.commands import Command
from inspector_app.ui.lens_editor.dialog import LensEditor
from inspector_app.ui.matrix.dialog import MatrixDialog
from inspector_app.ui.matrix.picture import MATRIX
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.studio import Picture, Wish
from inspector_app.ui.whatif.dialog import WhatIfDialog

if TYPE_CHECKING:
    from inspector_app.ui.window import Window

NEEDS_PAGE = "needs a recording"
EVERY, WHAT_IF, EDITOR = "Every client…", "What if…", "Your own clients…"


class Asides(QObject):
    """Opens them, one of each for a recording, and does what they ask for. They go with their tab."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._editor: LensEditor | None = None
        self._open: dict[tuple[type[QDialog], RecordingPage], QDialog] = {}

    def commands(self) -> list[Command]:
        """What can be opened."""
        some, group = self._has_page, "Readers"
        return [
            Command(EVERY, group, self.show_matrix, ("C",), some, NEEDS_PAGE, menu=True),
            Command(WHAT_IF, group, self.show_what_if, ("I",), some, NEEDS_PAGE, menu=True),
            Command(EDITOR, group, self.show_editor, ("Ctrl+Shift+E",), menu=True),
        ]

    def _has_page(self) -> bool:
        page = self._window.page()
        return page is not None and page.session.error is None

    def serve(self, page: RecordingPage) -> None:
        """Let the strip of a page open them, too."""
        page.verdict.every_client.connect(self.show_matrix)
        page.verdict.what_if.connect(self.show_what_if)

    def show_matrix(self) -> MatrixDialog | None:
        """The recording in view under every lens."""
        page = self._window.page()
        if page is None:
            return None
        dialog = self._there(MatrixDialog, page)
        if not isinstance(dialog, MatrixDialog):
            dialog = MatrixDialog(self._window.look, page.session, page.title, self._window)
            made = dialog
            dialog.compared.connect(lambda name: self._compare(page, name))
            dialog.picture_asked.connect(lambda path: self._draw(page, made, path))
            self._keep(dialog, page)
        self._bring(dialog)
        return dialog

    def show_what_if(self) -> WhatIfDialog | None:
        """Changes to a copy of the recording in view."""
        page = self._window.page()
        if page is None:
            return None
        dialog = self._there(WhatIfDialog, page)
        if not isinstance(dialog, WhatIfDialog):
            dialog = WhatIfDialog(self._window.look, page.session, page.title, self._window)
            made = dialog
            dialog.opened.connect(lambda exchange, name: self._show_copy(page, exchange, name))
            dialog.exported.connect(lambda exchange, path: self._write(made, exchange, path))
            self._keep(dialog, page)
        self._bring(dialog)
        return dialog

    def show_editor(self) -> LensEditor:
        """The user's own clients, tried on the recording in view."""
        window, page = self._window, self._window.page()
        if self._editor is None or not isValid(self._editor):
            session = page.session if page is not None else None
            self._editor = LensEditor(window.look, window.kit, window.lenses, session, window)
            self._editor.saved.connect(self._saved)
            self._editor.deleted.connect(lambda lens: self._changed_lenses({lens.name: None}))
        self._bring(self._editor)
        return self._editor

    def _saved(self, lens: Lens, before: str) -> None:
        gone: dict[str, Lens | None] = {before: None} if before and before != lens.name else {}
        self._changed_lenses(gone | {lens.name: lens})

    def _changed_lenses(self, changes: Mapping[str, Lens | None]) -> None:
        """Every recording that is open knows them at once."""
        for name, lens in changes.items():
            if lens is None:
                self._window.lenses.pop(name, None)
            else:
                self._window.lenses[name] = lens
        for page in self._window.deck.pages():
            page.session.lens_changed(*changes)

    # what belongs to whom

    def _there(self, kind: type[QDialog], page: RecordingPage) -> QDialog | None:
        return self._open.get((kind, page))

    def _keep(self, dialog: QDialog, page: RecordingPage) -> None:
        key = type(dialog), page
        self._open[key] = dialog
        dialog.destroyed.connect(lambda: self._open.pop(key, None))
        page.destroyed.connect(dialog.close)

    @staticmethod
    def _bring(dialog: QDialog) -> None:
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    # what they ask for

    def _compare(self, page: RecordingPage, name: str) -> None:
        self._window.deck.show_page(page)
        page.choose_readers(REFERENCE, name)
        page.show_first_difference()

    def _draw(self, page: RecordingPage, dialog: MatrixDialog, path: str) -> None:
        def save(picture: Picture) -> None:
            try:
                picture.save(path)
            except OSError as error:
                dialog.say(str(error))
            else:
                dialog.say(f"Picture saved: {visible(path)}")

        self._window.studio.make(page, Wish(MATRIX), save)

    def _show_copy(self, page: RecordingPage, exchange: Exchange, name: str) -> None:
        readers = page.session.primary, page.session.secondary
        copy = self._window.open_exchanges([exchange], name)
        copy.session.choose(*readers)

    @staticmethod
    def _write(dialog: WhatIfDialog, exchange: Exchange, path: str) -> None:
        try:
            with Path(path).open("wb") as file:
                write(exchange, file)
        except OSError as error:
            dialog.say(f"{visible(path)}: could not be written: {(error.strerror or str(error)).lower()}")
        else:
            dialog.say(f"Written: {visible(path)}")
