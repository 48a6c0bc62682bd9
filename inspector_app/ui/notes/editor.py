"""Where a note is written: a small card at its event, over the page. Enter keeps it, Esc leaves it."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from inspector_app.core.notes import LONGEST, Note
from inspector_app.core.text import encodable, number
from inspector_app.ui import fonts
from inspector_app.ui.controls import Button
from inspector_app.ui.labels import ElidedLabel, label, rounded, set_ink
from inspector_app.ui.notes.words import place_words
from inspector_app.ui.theme import Look

WIDTH, FIELD, PAD, EDGE = 380, 62, 10, 8
HINT = "Enter keeps, Esc leaves"
FULL = f"A note has {number(LONGEST)} characters at most: the rest was left out"


class NoteField(QPlainTextEdit):
    """The text. Enter is `kept`, with Shift a new line; Esc is `left`. `shortened(whether)`: something is left out."""

    kept = Signal()
    left = Signal()
    shortened = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "field")
        self.setFont(fonts.ui_font(fonts.BODY, tabular=False))
        self.setTabChangesFocus(True)
        self.setFixedHeight(FIELD)
        self.setAccessibleName(f"Note. {HINT}")
        self.setPlaceholderText("What is to be seen here; empty, it is a bookmark")
        self._cutting = False
        self.textChanged.connect(self._keep_short)

    @property
    def _over(self) -> int:
        """How many characters, of UTF-16, are too many; negative while there is room."""
        return self.document().characterCount() - 1 - LONGEST

    def insertFromMimeData(self, source: QMimeData) -> None:
        # Laid out before it is cut, a long paste would hold the window for seconds.
        cursor = self.textCursor()
        room = max(0, cursor.selectionEnd() - cursor.selectionStart() - self._over)
        whole = source.text()
        units = encodable(whole[: room + 1]).encode("utf-16-le")
        self.insertPlainText(units[: 2 * room].decode("utf-16-le", "ignore"))
        if len(units) > 2 * room:
            self.shortened.emit(True)

    def _keep_short(self) -> None:
        if self._cutting:
            return
        over = self._over
        if over > 0:
            self._cutting = True
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.setPosition(cursor.position() - over, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            self._cutting = False
        self.shortened.emit(over > 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not shift:
            self.kept.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class NoteEditor(QWidget):
    """`kept(note)`: it is to be kept as it is now. `removed(note)`. `closed`: the keyboard can go back."""

    kept = Signal(object)
    removed = Signal(object)
    closed = Signal()

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self.note: Note | None = None
        """What is written; None while the card is away."""
        self._at = QRect()
        self.head = ElidedLabel("", "ink.1", fonts.BODY, 600)
        self.field = NoteField()
        self.keep = Button(look, "Keep", "check", "primary")
        self.remove = Button(look, "Remove", "close", "flat")
        top, below = QHBoxLayout(), QHBoxLayout()
        top.addWidget(self.head, 1)
        self.hint = label(HINT, "ink.3", fonts.SECONDARY)
        top.addWidget(self.hint)
        below.addStretch(1)
        below.addWidget(self.remove)
        below.addWidget(self.keep)
        column = QVBoxLayout(self)
        column.setContentsMargins(PAD, PAD - 2, PAD, PAD)
        column.setSpacing(6)
        column.addLayout(top)
        column.addWidget(self.field)
        column.addLayout(below)
        self.field.kept.connect(self.take)
        self.field.left.connect(self.leave)
        self.field.shortened.connect(self._say_cut)
        self.keep.clicked.connect(self.take)
        self.remove.clicked.connect(self._remove)
        look.changed.connect(self.update)
        self.hide()

    def open(self, note: Note, at: QRect, new: bool) -> None:
        """Write a note whose event is drawn at `at` of the page."""
        self.note, self._at = note, at
        words = f"Note on {place_words(note)}"
        self.head.show_text(words)
        self.setAccessibleName(words)
        self.field.setAccessibleName(f"{words}. {HINT}")
        self.field.setPlainText(encodable(note.text))
        self.field.selectAll()
        self.remove.setVisible(not new)
        self.place()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _say_cut(self, cut: bool) -> None:
        self.hint.setText(FULL if cut else HINT)
        set_ink(self.hint, "warning.text" if cut else "ink.3")
        if self.note is not None:
            self.field.setAccessibleDescription(FULL if cut else "")

    def place(self) -> None:
        """Below the event, above it where there is more room, inside the page in any case."""
        page = self.parentWidget()
        assert page is not None
        width = min(WIDTH, page.width() - 2 * EDGE)
        height = self.sizeHint().height()
        below = self._at.bottom() + 4
        top = below if below + height + EDGE <= page.height() else self._at.top() - 4 - height
        left = min(max(self._at.left(), EDGE), page.width() - width - EDGE)
        self.setGeometry(left, min(max(top, EDGE), max(EDGE, page.height() - height - EDGE)), width, height)

    @property
    def changed(self) -> bool:
        """Whether there is something that `leave` would lose."""
        return self.note is not None and self._text() != encodable(self.note.text)

    def take(self) -> None:
        """Keep what is written."""
        if self.note is not None:
            self.kept.emit(self.note._replace(text=self._text()))
            self.leave()

    def leave(self) -> None:
        """Close the card."""
        if self.note is not None:
            self.note = None
            self.closed.emit()
            self.hide()

    def _remove(self) -> None:
        if self.note is not None:
            self.removed.emit(self.note)
            self.leave()

    def _text(self) -> str:
        return self.field.toPlainText().strip()[:LONGEST]

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.pane"))
            rounded(painter, self.rect(), theme.color("bg.panel"), theme.color("line.strong"), 6)
