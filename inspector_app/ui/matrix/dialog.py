"""This recording under every lens, beside the window: read in the background, sorted, exported, led back from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from inspector_app.core.reading import Reading
from inspector_app.core.text import encodable, visible
from inspector_app.lenses.advice import advise
from inspector_app.lenses.advice_words import Advice
from inspector_app.lenses.load import Lens
from inspector_app.lenses.matrix import Row, matrix
from inspector_app.report.matrix import matrix_as_markdown, matrix_object
from inspector_app.report.outline import dumps
from inspector_app.ui import fonts
from inspector_app.ui.background import Background
from inspector_app.ui.controls import Button
from inspector_app.ui.labels import ElidedLabel, tip
from inspector_app.ui.matrix.advice import AdviceLines
from inspector_app.ui.matrix.table import MatrixView
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look

EDGE, GAP = 16, 8
SIZE, LEAST = (1160, 640), (600, 360)
HINT = "Double click or Enter compares the window with that client."
FILTERS = {"md": "Markdown table (*.md)", "json": "JSON (*.json)", "png": "PNG picture (*.png)",
           "svg": "SVG picture (*.svg)"}  # fmt: skip


class MatrixDialog(QDialog):
    """`compared(name)`: the window should compare with that client. `picture_asked(path)`: of the whole table."""

    compared = Signal(str)
    picture_asked = Signal(str)

    def __init__(self, look: Look, session: Session, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._title = session, title
        self._reference: Reading | None = None
        self._total = 0
        self.setWindowTitle(f"{visible(title)} under every lens")
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(*LEAST)
        self.resize(*SIZE)
        self.view = MatrixView(look)
        self.table = self.view.table
        self.advice = AdviceLines(look)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("How many clients have read it")
        self.remark = ElidedLabel(HINT, "ink.3", fonts.SECONDARY)
        self.stop = Button(look, "Cancel", "", "flat")
        self.again = Button(look, "Read again", "", "flat")
        self.copy = Button(look, "Copy as Markdown", "copy")
        self.save = Button(look, "Export…", "export")
        self.compare = Button(look, "Compare", "swap", "primary")
        tip(self.save, "As a Markdown table, JSON, or a picture")
        tip(self.compare, "Compare the window with the client that is selected", "Enter")
        self._background = Background(self)
        self._advising = Background(self)
        self._asked = ""
        """The client whose advice is shown or looked for."""
        self._arrange()
        self._advising.got.connect(self._advise)
        self._background.got.connect(self._add)
        self._background.ended.connect(self._ended)
        self.table.opened.connect(self.compared)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_chosen())
        self.stop.clicked.connect(self._cancel)
        self.again.clicked.connect(self.read)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.markdown()))
        self.save.clicked.connect(self._ask_where)
        self.compare.clicked.connect(self._compare)
        session.read.connect(self.read)
        self.read()

    def _arrange(self) -> None:
        foot = QHBoxLayout()
        foot.setContentsMargins(EDGE, GAP, EDGE, GAP)
        foot.setSpacing(GAP)
        foot.addWidget(self.remark, 1)
        for button in (self.stop, self.again, self.copy, self.save, self.compare):
            # The table has the Enter key.
            button.setAutoDefault(False)
            foot.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.progress)
        column.addWidget(self.view, 1)
        column.addWidget(self.advice)
        column.addLayout(foot)

    # reading

    @property
    def rows(self) -> list[Row]:
        """The rows that there are, in the order of the table."""
        return self.table.matrix.rows

    @property
    def busy(self) -> bool:
        """Whether clients are still to read it."""
        return self._background.busy

    @property
    def advising(self) -> bool:
        """Whether advice is being looked for."""
        return self._advising.busy

    def read(self) -> None:
        """Let every client read what the window shows."""
        session = self._session
        reference = session.reference
        if reference is None or not session.complete:
            self.view.show_rows(None, [])
            self.remark.show_text("Waits until the recording is read.")
            self._show_busy(False)
            return
        reference.settle_rows()
        self._reference = reference
        lenses, kit, how = list(session.lenses.values()), session.kit, dict(session.how)
        self._total, self._asked = len(lenses), ""
        self.advice.say("", "")
        self.view.show_rows(reference, [])

        def work(reading: Reading = reference, wanted: list[Lens] = lenses) -> Iterator[Row]:
            yield from matrix(reading, wanted, kit, **how)

        self._background.start(work)
        self._show_busy(True)

    def _add(self, row: Row) -> None:
        assert self._reference is not None
        self.view.add(self._reference, row)
        self._show_busy(True)

    def _ended(self, error: Exception | None) -> None:
        self._show_busy(False)
        if error is not None:
            self.remark.show_text(f"It could not be read under every lens: {type(error).__name__}: {error}")
        elif self.table.chosen is None and self.rows:
            self.table.setCurrentIndex(self.table.matrix.index(0, 0))

    def _cancel(self) -> None:
        self._background.cancel()
        self._show_busy(False)
        self.remark.show_text(f"Stopped: {len(self.rows)} of {self._total} clients have read it.")

    def _show_busy(self, busy: bool) -> None:
        self.progress.setRange(0, max(1, self._total))
        self.progress.setValue(len(self.rows))
        self.progress.setVisible(busy)
        self.stop.setVisible(busy)
        self.again.setVisible(not busy and len(self.rows) < self._total)
        for button in (self.copy, self.save):
            button.setEnabled(not busy and bool(self.rows))
        if busy:
            self.remark.show_text(f"Read by {len(self.rows)} of {self._total} clients")
        else:
            self.remark.show_text(HINT)
        self._show_chosen()

    def _show_chosen(self) -> None:
        row = self.table.chosen
        self.compare.setEnabled(row is not None and row.verdict != "n/a")
        if self.busy:
            return
        if row is not None:
            self.remark.show_text(visible(row.lens.summary))
        self._ask_advice(row)

    def _ask_advice(self, row: Row | None) -> None:
        """What each side can do about what this client makes of it: found by trying its rules, so beside the window."""
        reference, kit, how = self._reference, self._session.kit, dict(self._session.how)
        name = row.lens.name if row is not None else ""
        if name == self._asked:
            return
        self._asked = name
        self._advising.cancel()
        if row is None or row.difference is None or reference is None or row.verdict == "right":
            self.advice.say("", "")
            return
        lens, difference = row.lens, row.difference

        def work(reading: Reading = reference) -> Iterator[Advice | None]:
            yield advise(lens, reading, difference, kit, **how)

        self._advising.start(work)

    def _advise(self, found: Advice | None) -> None:
        self.advice.say(*(("", "") if found is None else (found.client, found.gateway)))

    def _compare(self) -> None:
        row = self.table.chosen
        if row is not None:
            self.compared.emit(row.lens.name)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._background.cancel()
        self._advising.cancel()
        super().closeEvent(event)

    # what leaves the program

    def markdown(self) -> str:
        """The table for an issue."""
        return encodable(matrix_as_markdown(self._reference, self.rows)) if self._reference is not None else ""

    def json(self) -> str:
        """The table for other programs."""
        return dumps(matrix_object(self._reference, self.rows)) + "\n" if self._reference is not None else ""

    def _ask_where(self) -> None:
        dialog = QFileDialog(self, "Export the table")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(list(FILTERS.values()))
        dialog.setDefaultSuffix("md")
        endings = {words: ending for ending, words in FILTERS.items()}
        dialog.filterSelected.connect(lambda words: dialog.setDefaultSuffix(endings[words]))
        dialog.selectFile(f"{self._title}-clients.md")
        dialog.fileSelected.connect(self.export)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def export(self, path: str) -> None:
        """Write the table to a file, as its ending says; a picture is drawn by the window."""
        ending = path.lower().rpartition(".")[2]
        if ending in ("png", "svg"):
            self.say(f"Drawing {visible(path)}")
            self.picture_asked.emit(path)
            return
        text = self.json() if ending == "json" else self.markdown()
        try:
            Path(path).write_text(text, "utf-8")
        except OSError as error:
            self.say(f"{visible(path)}: could not be written: {(error.strerror or str(error)).lower()}")
        else:
            self.say(f"Written: {visible(path)}")

    def say(self, words: str) -> None:
        """One line about what was asked for."""
        self.remark.show_text(words)
