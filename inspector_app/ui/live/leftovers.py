"""Recordings that a crash left without an end, offered on the start page: opened, kept or discarded, by a person."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector_app.core.text import clip, size, visible
from inspector_app.live.unfinished import Unfinished, unfinished
from inspector_app.ui import fonts
from inspector_app.ui.controls import Button
from inspector_app.ui.labels import ElidedLabel, tip
from inspector_app.ui.settings import Settings
from inspector_app.ui.theme import Look

SEEN = "unfinished_seen"
"""The setting that lists the recordings which the user has decided about."""
MOST = 3
"""Recordings that are offered at once."""
LOOK_MS = 50
KEPT = 200


class Leftover(QWidget):
    """One recording: Open and Keep leave the file alone, Discard asks once more and deletes it."""

    done = Signal(str)
    """What the user wants: "open", "keep" or "discard"."""

    def __init__(self, look: Look, one: Unfinished) -> None:
        super().__init__()
        self.one = one
        self.name = visible(clip(one.path.name, 80))
        self.words = ElidedLabel("", "ink.1", fonts.BODY)
        self.open = Button(look, "Open")
        self.keep = Button(look, "Keep", "", "flat")
        self.discard = Button(look, "Discard…", "", "flat")
        tip(self.open, "Open what was recorded until then")
        tip(self.keep, "Leave the file where it is and do not offer it again")
        tip(self.discard, "Delete the file; asks once more")
        self.setProperty("layer", "head")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(34)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 2, 16, 2)
        row.setSpacing(8)
        row.addWidget(self.words, 1)
        for button in (self.open, self.keep, self.discard):
            row.addWidget(button)
        self.open.clicked.connect(lambda: self.done.emit("open"))
        self.keep.clicked.connect(self._keep)
        self.discard.clicked.connect(self._discard)
        self._asks = False
        self._say(False)

    def _say(self, asks: bool) -> None:
        self._asks = asks
        began = self.one.created[:16].replace("T", " ") + (" UTC" if self.one.created.endswith("Z") else "")
        words = f"{self.name} was cut off while it was recorded ({size(self.one.size)}, begun {began})"
        self.words.show_text(f"Delete {self.name} from the disk? It cannot be brought back." if asks else words)
        self.open.setVisible(not asks)
        texts = ("Keep it", "Delete") if asks else ("Keep", "Discard…")
        for button, text in zip((self.keep, self.discard), texts, strict=True):
            button.setText(text)
            button.setAccessibleName(f"{text} {self.name}")
            button.updateGeometry()

    def _keep(self) -> None:
        if self._asks:
            self._say(False)
        else:
            self.done.emit("keep")

    def _discard(self) -> None:
        if self._asks:
            self.done.emit("discard")
        else:
            self._say(True)


class Leftovers(QWidget):
    """The strip. `opened(path)`: the user wants to see one; `failed(words)`: one could not be deleted."""

    opened = Signal(str)
    failed = Signal(str)

    def __init__(self, look: Look, settings: Settings) -> None:
        super().__init__()
        self._look, self._settings = look, settings
        self.rows: list[Leftover] = []
        self._waiting: list[Unfinished] = []
        self._found: list[Unfinished] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._take)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(1)
        self.hide()

    def look_in(self, folder: Path, find: Callable[[Path], list[Unfinished]] = unfinished) -> None:
        """Look for unfinished recordings in a folder, beside the interface: there may be thousands of files."""

        def work() -> None:
            self._found = find(folder)

        threading.Thread(target=work, name="unfinished recordings", daemon=True).start()
        self._timer.start()

    def _take(self) -> None:
        if self._found is not None:
            self._timer.stop()
            self.offer(self._found)
            self._found = None

    def offer(self, found: list[Unfinished]) -> None:
        """Offer those that the user has not decided about, a few at a time."""
        seen = set(self._settings.value(SEEN, []))
        self._waiting = [one for one in found if str(one.path) not in seen]
        self._fill()

    def _fill(self) -> None:
        while self._waiting and len(self.rows) < MOST:
            row = Leftover(self._look, self._waiting.pop(0))
            row.done.connect(lambda what, row=row: self._decide(row, what))
            self.rows.append(row)
            self._column.addWidget(row)
        self.setVisible(bool(self.rows))

    def _decide(self, row: Leftover, what: str) -> None:
        path = row.one.path
        if what == "discard":
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                self.failed.emit(f"{path}: it could not be deleted ({error.strerror or error})")
                return
        else:
            seen = [known for known in self._settings.value(SEEN, []) if known != str(path)]
            self._settings.put(SEEN, [*seen, str(path)][-KEPT:])
        self.rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()
        self._fill()
        if what == "open":
            self.opened.emit(str(path))
