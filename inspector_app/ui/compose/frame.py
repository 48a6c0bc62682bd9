"""What is around the request: the toolbar, the line under it for what has to be said, the line below."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from inspector_app.core.text import number, size
from inspector_app.ui import fonts
from inspector_app.ui.commands import shown_keys
from inspector_app.ui.compose.draft import Draft
from inspector_app.ui.compose.parts import Said
from inspector_app.ui.compose.places import look
from inspector_app.ui.controls import Button
from inspector_app.ui.labels import label, set_ink, tip
from inspector_app.ui.theme import Look

HEIGHT, EDGE, STATUS = 44, 16, 24
SEND_KEYS = "Ctrl+Return"


class Toolbar(QWidget):
    """The controls, for the page to connect."""

    def __init__(self, look_of: Look) -> None:
        super().__init__()
        self.setProperty("layer", "head")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self.send = Button(look_of, "Send", "live", "primary")
        self.copy = Button(look_of, "Copy as curl", "copy", "flat")
        self.paste = Button(look_of, "Import curl command", "paste", "flat")
        self.promise = label("Nothing is sent before that.", "ink.3", fonts.BODY)
        tip(self.send, "Send the request, and record what comes", shown_keys(SEND_KEYS))
        tip(self.copy, "Copy the request as a curl command, its key as a variable")
        tip(self.paste, "Take the curl command on the clipboard")
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE, 0, EDGE, 0)
        row.setSpacing(8)
        for widget in (self.send, self.promise):
            row.addWidget(widget)
        row.addStretch(1)
        for widget in (self.copy, self.paste):
            row.addWidget(widget)


class Strip(QWidget):
    """One thing that has to be said, until it is dismissed. `acted`: what it offers is wanted."""

    acted = Signal()

    def __init__(self, look_of: Look) -> None:
        super().__init__()
        self.setProperty("layer", "head")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.said = Said(look_of)
        self.action = Button(look_of, "", "", "link")
        self.action.hide()
        self._done = False
        dismiss = Button(look_of, "Dismiss", "", "flat")
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE, 3, EDGE - 8, 4)
        row.setSpacing(8)
        row.addWidget(self.said, 1, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.action)
        row.addWidget(dismiss)
        self.action.clicked.connect(self.acted)
        dismiss.clicked.connect(lambda: self.say(""))
        self.hide()

    def say(self, words: str, meaning: str = "error", action: str = "") -> None:
        """Replaces what is said; "" takes the strip away."""
        self.said.say(words, meaning)
        self.action.setText(action)
        self.action.setAccessibleName(action)
        self.action.setVisible(bool(action))
        self.action.updateGeometry()
        self.setVisible(bool(words))
        self._done = meaning == "plain"

    def tell(self, words: str) -> None:
        """What has been done."""
        self.say(words, "plain")

    def withdraw(self) -> None:
        """Takes away what was told of something done; what is wrong stays."""
        if self._done:
            self.say("")


class Status(QWidget):
    """What the request is, in figures, and what it lacks."""

    def __init__(self, draft: Draft) -> None:
        super().__init__()
        self._draft = draft
        self.setProperty("layer", "chrome")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(STATUS)
        self.about = label("", "ink.2", fonts.SECONDARY)
        self.lacks = label("", "ink.2", fonts.SECONDARY)
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE, 0, EDGE, 0)
        row.addWidget(self.about)
        row.addStretch(1)
        row.addWidget(self.lacks)
        self.refresh()

    def refresh(self) -> None:
        """Says it anew."""
        draft = self._draft
        messages = look(draft.body, draft.shape.messages)
        count = len(messages) if isinstance(messages, list) else 1
        facts = [f"{number(count)} message{'' if count == 1 else 's'}", size(len(draft.data))]
        self.about.setText("   ".join([draft.provider.dialect, *facts]))
        lacks = next(iter(f"{place} cannot be read" for place in draft.faults), "")
        if not lacks and not draft.streams:
            lacks = "this asks for no stream"
        self.lacks.setText(lacks or "keys are kept out of history, recordings and files")
        set_ink(self.lacks, "warning.text" if lacks else "ink.3")
