"""What to set in which client, one line at a time, ready to copy."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QWidget

from inspector_app.live.base_urls import Setting
from inspector_app.ui import fonts
from inspector_app.ui.compose.parts import FormChoice, entry
from inspector_app.ui.controls import Button
from inspector_app.ui.labels import tip
from inspector_app.ui.theme import Look

COPIED_MS = 1500
CLIENT_WIDTH = 236


def shown_line(name: str) -> QLineEdit:
    """A field whose text can be selected, and not changed."""
    made = entry(name)
    made.setReadOnly(True)
    made.setFont(fonts.wire_font(fonts.BODY))
    return made


class CopyButton(Button):
    """Copies what is in a field, and says so for a moment."""

    def __init__(self, look: Look, field: QLineEdit, what: str) -> None:
        super().__init__(look, "Copy", "copy")
        self._field = field
        self.setAccessibleName(f"Copy {what}")
        tip(self, f"Copy {what}")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(lambda: self._say("Copy", "copy"))
        self.clicked.connect(self._copy)

    def _copy(self) -> None:
        QApplication.clipboard().setText(self._field.text())
        self._say("Copied", "check")
        self._timer.start(COPIED_MS)

    def _say(self, words: str, icon: str) -> None:
        self.setText(words)
        self.show_icon(icon)
        self.updateGeometry()


class SettingRow(QWidget):
    """A choice of clients, and the line for the chosen one. The choice stays when the lines change."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._settings: list[Setting] = []
        self._wanted = ""
        self.choice = FormChoice(look, "Client")
        self.choice.setFixedWidth(CLIENT_WIDTH)
        self.line = shown_line("What to set in the client")
        self.copy = CopyButton(look, self.line, "what to set in the client")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.choice)
        row.addWidget(self.line, 1)
        row.addWidget(self.copy)
        self.choice.activated.connect(self._chosen)
        self.show_settings([])

    def show_settings(self, settings: Sequence[Setting]) -> None:
        """Replaces the clients; none where there is no address yet."""
        self._settings = list(settings)
        self.choice.clear()
        self.choice.addItems([one.client for one in self._settings])
        at = next((n for n, one in enumerate(self._settings) if one.client == self._wanted), 0)
        self.choice.setCurrentIndex(at if self._settings else -1)
        self.setEnabled(bool(self._settings))
        self._show()

    def _chosen(self, index: int) -> None:
        self._wanted = self._settings[index].client
        self._show()

    def _show(self) -> None:
        at = self.choice.currentIndex()
        self.line.setText(self._settings[at].line if 0 <= at < len(self._settings) else "")
        self.line.setCursorPosition(0)
