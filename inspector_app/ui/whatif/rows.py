"""One change that can be made to the stream: its switch, what it takes, and what it does alone."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QCompleter, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from inspector_app.lenses.what_if import Alone
from inspector_app.ui import fonts
from inspector_app.ui.compose.parts import entry
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import ElidedLabel, draw_text, label, set_ink, tip
from inspector_app.ui.theme import Look
from inspector_app.ui.toggle import Toggle
from inspector_app.ui.verdict_marks import draw_verdict, verdict_width

ROW, RESULT, FIELD, EDGE = 46, 190, 200, 16
PATIENCE_MS = 350
"""How long somebody who types rests before it is tried."""
REPAIRS = "repairs it"


class AloneMark(QWidget):
    """What a change does alone, at the right end of its row."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._verdict = self._words = ""
        self._before = ""
        self.setFixedWidth(RESULT)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        look.changed.connect(self.update)

    def show_result(self, found: Alone | None, before: str) -> None:
        """`before` is the verdict on the stream as it came; None while it is not known."""
        self._before = before
        outcome = found.outcome if found is not None else None
        self._verdict = outcome.verdict if outcome is not None else ""
        self._words = found.why if found is not None else ""
        said = self._words or (f"alone: {self.helps or self._verdict}" if self._verdict else "not tried yet")
        self.setAccessibleName(said)
        tip(self, f"Alone: {outcome.difference.headline}" if outcome is not None and not outcome.works else self._words)
        self.update()

    @property
    def helps(self) -> str:
        """ "repairs it" where the change alone makes right what was not."""
        return REPAIRS if self._verdict == "right" and self._before not in ("right", "") else ""

    def sizeHint(self) -> QSize:
        return QSize(RESULT, ROW)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, height = self._look.theme, self.height()
        with QPainter(self) as painter:
            base, right = fonts.baseline(0, height), self.width() - EDGE
            if self.helps:
                font = fonts.ui_font(fonts.BODY, 600)
                left = right - round(fonts.text_width(font, REPAIRS))
                draw_text(painter, left, base, REPAIRS, font, theme.color("ink.1"))
                draw_icon(painter, left - SMALL - 6, (height - SMALL) // 2, "check", theme.color("accent"), SMALL)
            elif self._verdict:
                left = right - verdict_width(self._verdict)
                draw_verdict(painter, theme, left, 0, height, self._verdict)
                font = fonts.ui_font(fonts.SECONDARY)
                same = "still" if self._verdict == self._before else "alone"
                at = left - 8 - round(fonts.text_width(font, same))
                draw_text(painter, at, base, same, font, theme.color("ink.3"))
            else:
                font = fonts.ui_font(fonts.SECONDARY)
                words = fonts.elided(font, self._words, right - 8)
                left = right - round(fonts.text_width(font, words))
                draw_text(painter, left, base, words, font, theme.color("ink.3"))


class ChangeRow(QWidget):
    """`changed`: the switch was turned, or another argument was typed to a change that is on."""

    changed = Signal()

    def __init__(self, look: Look, module: ModuleType, why: str, hints: Sequence[str]) -> None:
        super().__init__()
        self._look = look
        self.module = module
        self.name: str = module.NAME
        self.setFixedHeight(ROW)
        self.toggle = Toggle(look, module.TITLE)
        self.toggle.setEnabled(not why)
        self.argument = entry("", "")
        taken = getattr(module, "ARGUMENT", None)
        self._suggested = ""
        self._optional = taken is not None and not taken.needed
        self.mark = AloneMark(look)
        self.found: Alone | None = Alone(self.name, None, why) if why else None
        self._title = ElidedLabel(module.TITLE, "ink.3" if why else "ink.1", fonts.BODY, 500)
        self._below = label(self.name, "ink.3", fonts.SECONDARY, wire=True)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(PATIENCE_MS)
        self._wait.timeout.connect(self.changed)
        if taken is not None:
            self.argument.setAccessibleName(f"{module.TITLE}: {taken.form}")
            self.argument.setPlaceholderText(taken.usual or taken.form)
            self.argument.setFixedWidth(FIELD)
            self.argument.setEnabled(not why)
            tip(self.argument, f"{taken.form}: {taken.words}")
            if hints:
                completer = QCompleter(list(hints), self.argument)
                completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
                completer.setFilterMode(Qt.MatchFlag.MatchContains)
                self.argument.setCompleter(completer)
        self._arrange()
        self.mark.show_result(self.found, "")
        self.argument.setVisible(taken is not None and taken.needed)
        self.toggle.toggled.connect(self._turned)
        self.argument.textEdited.connect(self._typed)
        self.argument.returnPressed.connect(self._entered)
        look.changed.connect(self.update)

    def _arrange(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addStretch(1)
        words.addWidget(self._title)
        words.addWidget(self._below)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.toggle)
        row.addLayout(words, 1)
        row.addWidget(self.argument)
        row.addWidget(self.mark)

    @property
    def on(self) -> bool:
        """Whether the change is made."""
        return self.toggle.isChecked() and self.toggle.isEnabled()

    @property
    def wish(self) -> tuple[str, str]:
        """The change with what was typed."""
        return self.name, self.argument.text().strip() if hasattr(self.module, "ARGUMENT") else ""

    def suggest(self, argument: str) -> None:
        """What the client would need here, unless somebody has typed something else; empty where nothing is known."""
        if self.argument.text() == self._suggested:
            self.argument.setText(argument)
            self.argument.setCursorPosition(0)
            self._suggested = argument

    def turn(self, on: bool) -> None:
        """Make the change, or do not."""
        self.toggle.setChecked(on)

    def show_found(self, found: Alone | None, before: str) -> None:
        """What the change does alone; None while that is not known."""
        self.found = found
        nothing = found is not None and found.outcome is None and not self.on
        set_ink(self._title, "ink.3" if nothing else "ink.1")
        self.mark.show_result(found, before)

    def show_fault(self, words: str) -> None:
        """What is wrong with the argument; the empty text where nothing is."""
        self._below.setText(words or self.name)
        self._below.setFont(fonts.ui_font(fonts.SECONDARY) if words else fonts.wire_font(fonts.SECONDARY))
        set_ink(self._below, "error.text" if words else "ink.3")

    def _turned(self, on: bool) -> None:
        if self._optional:
            self.argument.setVisible(on)
        self.changed.emit()

    def _typed(self) -> None:
        self._wait.start()

    def _entered(self) -> None:
        self._wait.stop()
        self.turn(True)
        self.changed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            if self.on:
                painter.fillRect(self.rect(), theme.color("sel.soft"))
                painter.fillRect(0, 0, 3, self.height(), theme.color("accent"))
            painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line.soft"))
