"""Fields for text of several lines: what a message says, and JSON. They hold text as it is."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QTextEdit, QWidget

from inspector_app.core.text import encodable
from inspector_app.ui import fonts
from inspector_app.ui.compose.folds import is_long, why_kept
from inspector_app.ui.compose.json_text import Trouble
from inspector_app.ui.labels import draw_text
from inspector_app.ui.theme import Look

PAD = 6
LINE = 18
GUTTER = 44
LAST_COLOURED = 4000
"""Characters of a line up to which it is coloured."""


def units(text: str) -> int:
    """How many positions Qt counts in a text."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


class TextField(QPlainTextEdit):
    """A field as high as its text, between some lines. `edited(text)`: a person changed it.

    Undo is asked for with `undo_asked` and `redo_asked`: the JSON keeps one history of all that is changed.
    `refused(text)`: what was to be pasted is too long to be edited.
    """

    edited = Signal(str)
    undo_asked = Signal()
    redo_asked = Signal()
    refused = Signal(str)

    def __init__(self, look: Look, name: str, lines: tuple[int, int] = (2, 14), kind: str = "field") -> None:
        super().__init__()
        self._look, self._lines = look, lines
        self._own = False
        self.setProperty("kind", kind)
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setFont(fonts.ui_font(fonts.BODY, tabular=False))
        self.setUndoRedoEnabled(False)
        self.document().setDocumentMargin(PAD)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if lines[1]:
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            self.document().documentLayout().documentSizeChanged.connect(lambda _: self._fit())
            self._fit()
        self.textChanged.connect(self._changed)

    def text(self) -> str:
        """What is in it, character by character."""
        return self.document().toRawText().replace("\u2029", "\n")

    def show_text(self, text: str) -> None:
        """Puts another text in, of which only that is touched which differs; nobody is told."""
        before = self.text()
        if before == text:
            return
        start = _common(before, text)
        end = _common(before[start:][::-1], text[start:][::-1])
        cursor = QTextCursor(self.document())
        self._own = True
        cursor.beginEditBlock()
        cursor.setPosition(units(before[:start]))
        cursor.setPosition(units(before[: len(before) - end]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text[start : len(text) - end])
        cursor.endEditBlock()
        self._own = False

    def _changed(self) -> None:
        if not self._own:
            self.edited.emit(self.text())

    def _fit(self) -> None:
        least, most = (count * self.fontMetrics().lineSpacing() for count in self._lines)
        height, block = 0.0, self.document().firstBlock()
        while block.isValid() and height < most:
            height += self.blockBoundingRect(block).height()
            block = block.next()
        self.setFixedHeight(round(min(max(height, least), most)) + 2 * PAD + 6)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._lines[1] and event.size().width() != event.oldSize().width():
            self._fit()

    def sizeHint(self) -> QSize:
        return QSize(200, super().sizeHint().height())

    def insertFromMimeData(self, source: QMimeData) -> None:
        text = encodable(source.text()) if source.hasText() else ""
        if why_kept(text.replace("\r\n", "\n").replace("\r", "\n")):
            self.refused.emit(text)
        elif text:
            self.insertPlainText(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.isUndoRedoEnabled():
            for keys, asked in (
                (QKeySequence.StandardKey.Undo, self.undo_asked),
                (QKeySequence.StandardKey.Redo, self.redo_asked),
            ):
                if event.matches(keys):
                    asked.emit()
                    return
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        # The page goes on where the field is at its end, and where nobody is in it.
        bar = self.verticalScrollBar()
        down = event.angleDelta().y() < 0
        if self.hasFocus() and bar.value() != (bar.maximum() if down else bar.minimum()):
            super().wheelEvent(event)
        elif self._lines[1]:
            event.ignore()
        else:
            super().wheelEvent(event)


def _common(one: str, other: str) -> int:
    """How many characters two texts have in common at their start."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


class _Colours(QSyntaxHighlighter):
    """Keys and punctuation step back, values stay: no more colour than that."""

    def __init__(self, look: Look, field: QPlainTextEdit) -> None:
        super().__init__(field.document())
        self._look = look
        self._formats: dict[str, QTextCharFormat] = {}
        look.changed.connect(self._renew)

    def _renew(self) -> None:
        self._formats.clear()
        self.rehighlight()

    def _format(self, role: str) -> QTextCharFormat:
        if role not in self._formats:
            made = QTextCharFormat()
            made.setForeground(self._look.theme.color(role))
            self._formats[role] = made
        return self._formats[role]

    def highlightBlock(self, text: str) -> None:
        at, end = 0, min(len(text), LAST_COLOURED)
        shift = 0 if text.isascii() else None
        while at < end:
            sign = text[at]
            begin = at
            at += 1
            role = "ink.3" if sign in "{}[],:" else ""
            if sign == '"':
                while at < len(text) and text[at] != '"':
                    at += 2 if text[at] == "\\" else 1
                at = min(at + 1, len(text))
                if text[at : at + 2].lstrip()[:1] == ":":
                    role = "ink.2"
            if role:
                place = begin if shift == 0 else units(text[:begin])
                self.setFormat(place, units(text[begin:at]), self._format(role))


class _Numbers(QWidget):
    """The numbers of the lines, at the left of a field."""

    def __init__(self, field: JsonField) -> None:
        super().__init__(field)
        self._field = field

    def paintEvent(self, event: QPaintEvent) -> None:
        self._field.paint_numbers(self)


class JsonField(TextField):
    """JSON in the font of the wire, with the numbers of its lines; a fault is underlined."""

    def __init__(self, look: Look, name: str, lines: tuple[int, int] = (0, 0), kind: str = "pane") -> None:
        self._numbers: _Numbers | None = None
        self._fault = -1
        super().__init__(look, name, lines, kind)
        self.setFont(fonts.wire_font(fonts.BODY))
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setUndoRedoEnabled(True)
        self._colours = _Colours(look, self)
        if lines[1]:
            self._fit()
        else:
            self._numbers = _Numbers(self)
            self.setViewportMargins(GUTTER, 0, 0, 0)
            self.updateRequest.connect(lambda *_: self._numbers.update())
            self.cursorPositionChanged.connect(self._numbers.update)
            look.changed.connect(self._numbers.update)

    def show_trouble(self, trouble: Trouble | None) -> None:
        """Underlines the place of a fault, or nothing any more."""
        self._fault = trouble.line - 1 if trouble is not None else -1
        marks = []
        if trouble is not None:
            mark, cursor = QTextEdit.ExtraSelection(), self.textCursor()
            at = units(self.text()[: trouble.offset])
            last = self.document().characterCount() - 1
            cursor.setPosition(min(at, last))
            if at >= last:
                cursor.setPosition(max(0, last - 1))
            cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
            mark.cursor = cursor
            mark.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            mark.format.setUnderlineColor(self._look.theme.color("error.line"))
            mark.format.setBackground(self._look.theme.color("error.fill"))
            marks = [mark]
        self.setExtraSelections(marks)
        if self._numbers is not None:
            self._numbers.update()

    def go_to(self, trouble: Trouble) -> None:
        """Puts the caret where a fault is."""
        cursor = self.textCursor()
        cursor.setPosition(min(units(self.text()[: trouble.offset]), self.document().characterCount() - 1))
        self.setTextCursor(cursor)
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def insertFromMimeData(self, source: QMimeData) -> None:
        text = encodable(source.text()) if source.hasText() else ""
        if is_long(text) or text.lstrip().startswith("curl"):
            self.refused.emit(text)
        elif text:
            self.insertPlainText(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            line = self.textCursor().block().text()[: self.textCursor().positionInBlock()]
            self.insertPlainText("\n" + line[: len(line) - len(line.lstrip(" "))])
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._numbers is not None:
            inside = self.contentsRect()
            self._numbers.setGeometry(inside.left(), inside.top(), GUTTER, inside.height())

    def paint_numbers(self, gutter: QWidget) -> None:
        """Draws the numbers of the lines in view; that of the caret is darker, that of a fault has its colour."""
        theme = self._look.theme
        with QPainter(gutter) as painter:
            block, current = self.firstVisibleBlock(), self.textCursor().blockNumber()
            font = fonts.wire_font(fonts.SECONDARY)
            while block.isValid():
                box = self.blockBoundingGeometry(block).translated(self.contentOffset())
                if box.top() > gutter.height():
                    break
                number = block.blockNumber()
                role = "error.text" if number == self._fault else "ink.2" if number == current else "ink.3"
                colour: QColor = theme.color(role)
                words = str(number + 1)
                base = round(box.top()) + self.fontMetrics().ascent() + (self.fontMetrics().leading() // 2)
                draw_text(painter, GUTTER - 8 - fonts.text_width(font, words), base, words, font, colour)
                block = block.next()
