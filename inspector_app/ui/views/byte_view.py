"""The bytes of one event, painted by hand: only rows in sight are read from the body.

Sixteen stand in a row, or twelve or eight where there is no room for more with their text beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from inspector_app.core.types import Body, MemoryBody
from inspector_app.ui import fonts
from inspector_app.ui.labels import draw_text
from inspector_app.ui.marks import unread_underline
from inspector_app.ui.theme import Look, Theme
from inspector_app.ui.views.row_states import BY_KEYS

ROW, HALF = 20, 8
MARGIN = 4
SPOKEN = 16
"""Bytes of a selection that are read out."""
BYTE_GAP, HALF_GAP, TEXT_GAP = 3.5, 8.0, 12.5
CONTEXT = 5
"""Rows above a selection that was scrolled to."""


_SHOWN = bytes(byte if 0x20 <= byte < 0x7F else 0xB7 for byte in range(256))
"""Bytes as the text column shows them, in Latin-1: a middle dot for whatever is no printable ASCII."""


class Grid(NamedTuple):
    """How many bytes stand in a row, and where its offset and the first of them begin."""

    bytes: int
    offset_x: int
    bytes_x: int

    def byte_x(self, column: int) -> float:
        """Where a byte begins."""
        return self.bytes_x + column * (2 * _letter() + BYTE_GAP) + column // HALF * HALF_GAP

    def text_x(self, column: int) -> float:
        """Where its letter in the text at the right begins."""
        last = self.byte_x(self.bytes - 1) + 2 * _letter()
        return last + HALF_GAP + TEXT_GAP + column * _letter()

    @property
    def width(self) -> int:
        """How far a row reaches."""
        return round(self.text_x(self.bytes)) + MARGIN


GRIDS = (Grid(16, 15, 82), Grid(12, 8, 70), Grid(8, 8, 70))


class Highlight(NamedTuple):
    """Bytes [start, end) of the body. `style`: "value" is a fill, "finding" fill and underline, "cut" the same in red
    whatever the meaning, "unread" a hatch below; "caret" stands before `start`, where something is missing.
    """

    start: int
    end: int
    style: str
    meaning: str


class ByteView(QAbstractScrollArea):
    """`picked(start, end)`: the user chose these bytes of the body."""

    picked = Signal(int, int)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._body: Body = MemoryBody(b"")
        self._start = self._end = 0
        self._highlights: Sequence[Highlight] = ()
        self._selected: tuple[int, int] | None = None
        self._cursor = 0
        self._anchor: int | None = None
        self._keys = False
        self.grid = GRIDS[0]
        """How the rows are divided now."""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName("Bytes of the event")
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.verticalScrollBar().valueChanged.connect(self.viewport().update)
        self.horizontalScrollBar().valueChanged.connect(self.viewport().update)
        look.changed.connect(self.viewport().update)

    # what is shown

    def show_bytes(self, body: Body, start: int, end: int, highlights: Sequence[Highlight]) -> None:
        """Show bytes [start, end) of a body. Highlights that come later lie over those before."""
        moved = (body, start) != (self._body, self._start)
        self._body, self._start, self._end = body, start, end
        self._highlights = highlights
        if moved:
            self._selected, self._anchor, self._cursor = None, None, start
        self._measure()
        if moved:
            self.verticalScrollBar().setValue(0)
        self._describe()
        self.viewport().update()

    def select(self, start: int, end: int) -> None:
        """Mark bytes [start, end) as what all views have selected, and bring them into sight."""
        start, end = max(start, self._start), min(end, self._end)
        self._selected = (start, end) if start < end else None
        self._cursor = min(start, max(self._start, self._end - 1))
        self._reveal(start)
        self._describe()
        self.viewport().update()

    def select_none(self) -> None:
        """Nothing finer than the event is selected."""
        self._selected = None
        self.verticalScrollBar().setValue(0)
        self._describe()
        self.viewport().update()

    @property
    def selected(self) -> tuple[int, int] | None:
        """The marked bytes."""
        return self._selected

    def _describe(self) -> None:
        words = f"bytes {self._start} to {self._end}"
        if self._selected is not None:
            start, end = self._selected
            shown = self._body.slice(start, min(end, start + SPOKEN)).hex(" ")
            more = " and more" if end - start > SPOKEN else ""
            words = f"bytes {start} to {end} selected: {shown}{more}"
        self.setAccessibleDescription(words)

    def _rows(self) -> int:
        return -(-(self._end - self._start) // self.grid.bytes)

    def _measure(self) -> None:
        visible = max(1, self.viewport().height() // ROW)
        bar = self.verticalScrollBar()
        # With the room of the bar, whether it is there or not: what is chosen here decides about the bar.
        room, first = self.width() - bar.sizeHint().width(), bar.value() * self.grid.bytes
        self.grid = next((grid for grid in GRIDS if grid.width <= room), GRIDS[-1])
        bar.setPageStep(visible)
        bar.setRange(0, max(0, self._rows() - visible))
        bar.setValue(first // self.grid.bytes)
        wide = self.horizontalScrollBar()
        wide.setPageStep(self.viewport().width())
        wide.setSingleStep(20)
        wanted = self.grid.width if self._start < self._end else 0
        wide.setRange(0, max(0, wanted - self.viewport().width()))

    def _reveal(self, offset: int) -> None:
        row = (offset - self._start) // self.grid.bytes
        first, visible = self.verticalScrollBar().value(), max(1, self.viewport().height() // ROW)
        if not first <= row < first + visible - 1:
            self.verticalScrollBar().setValue(row - min(CONTEXT, visible // 2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()
        if self._selected is not None:
            self._reveal(self._selected[0])

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            theme = self._look.theme
            painter.fillRect(event.rect(), theme.color("bg.pane"))
            painter.translate(-self.horizontalScrollBar().value(), 0)
            grid, first = self.grid, self.verticalScrollBar().value()
            last = min(self._rows(), first + self.viewport().height() // ROW + 1)
            start = self._start + first * grid.bytes
            data = self._body.slice(start, min(self._end, self._start + last * grid.bytes))
            inks = self._grounds(painter, theme, start, start + len(data), first)
            font, plain, faint = fonts.wire_font(fonts.SECONDARY), theme.color("ink.2"), theme.color("ink.3")
            spaced = QFont(font)
            spaced.setWordSpacing(BYTE_GAP - _letter())
            for row in range(first, last):
                at = (row - first) * grid.bytes
                base = fonts.baseline((row - first) * ROW, ROW)
                draw_text(painter, grid.offset_x, base, f"{start + at:08x}", font, faint)
                piece = data[at : at + grid.bytes]
                colors = [inks.get(start + at + column, plain) for column in range(len(piece))]
                for half in (0, HALF):
                    for left, right in _same(colors, half, min(half + HALF, len(piece))):
                        words = piece[left:right].hex(" ")
                        draw_text(painter, grid.byte_x(left), base, words, spaced, colors[left])
                text = piece.translate(_SHOWN).decode("latin-1")
                colors = [faint if letter == "\xb7" else color for letter, color in zip(text, colors)]
                for left, right in _same(colors, 0, len(piece)):
                    draw_text(painter, grid.text_x(left), base, text[left:right], font, colors[left])
            self._carets(painter, theme, start, start + len(data))
            if self._look.focused(self) and self._keys and self._start < self._end:
                self._cursor_box(painter, theme, first)

    def _grounds(self, painter: QPainter, theme: Theme, start: int, end: int, first: int) -> dict[int, QColor]:
        """What lies under the bytes; gives the colour of those that do not have the usual one."""
        inks: dict[int, QColor] = {}
        if self._selected is not None:
            for rect in self._runs(*self._selected, start, end):
                painter.fillRect(rect, theme.color("sel.fill"))
        for mark in self._highlights:
            if mark.end <= start or mark.start >= end or mark.style == "caret":
                continue
            colors = theme.meaning("error" if mark.style == "cut" else mark.meaning)
            for rect in self._runs(mark.start, mark.end, start, end):
                if mark.style != "unread":
                    painter.fillRect(rect, colors.fill)
                    inks.update(dict.fromkeys(range(max(mark.start, start), min(mark.end, end)), colors.text))
                if mark.style == "unread":
                    unread_underline(painter, theme, rect.left(), rect.right(), rect.bottom() - 2)
                elif mark.style in ("cut", "finding"):
                    painter.fillRect(QRect(rect.left(), rect.bottom() + 1, rect.width(), 2), colors.line)
        red = any(self._selected == (mark.start, mark.end) and mark.style == "cut" for mark in self._highlights)
        if self._selected is not None and not red:
            for rect in self._runs(*self._selected, start, end):
                painter.fillRect(QRect(rect.left(), rect.bottom() + 1, rect.width(), 2), theme.color("accent"))
        return inks

    def _runs(self, start: int, end: int, first: int, last: int) -> Iterator[QRect]:
        """The boxes of bytes [start, end) in the rows of [first, last): in the middle and in the text at the right."""
        start, end = max(start, first), min(end, last)
        at, width = start, self.grid.bytes
        while at < end:
            column = (at - self._start) % width
            until = min(end, at - column + width)
            top = (at - first) // width * ROW + 2
            for place, letters in ((self.grid.byte_x, 2), (self.grid.text_x, 1)):
                left = round(place(column))
                right = round(place(column + until - at - 1) + letters * _letter())
                yield QRect(left - letters + 1, top, right - left + 2 * (letters - 1), ROW - 4)
            at = until

    def _carets(self, painter: QPainter, theme: Theme, start: int, end: int) -> None:
        """Bars where something is missing between two bytes."""
        for mark in self._highlights:
            if mark.style != "caret" or not start <= mark.start <= end:
                continue
            color = theme.meaning(mark.meaning).line
            column = (mark.start - self._start) % self.grid.bytes
            top = (mark.start - start) // self.grid.bytes * ROW
            for x in (round(self.grid.byte_x(column) - BYTE_GAP), round(self.grid.text_x(column)) - 1):
                painter.fillRect(QRect(x, top, 2, ROW), color)
                painter.fillRect(QRect(x - 2, top, 6, 2), color)

    def _cursor_box(self, painter: QPainter, theme: Theme, first: int) -> None:
        row, column = divmod(self._cursor - self._start, self.grid.bytes)
        row -= first
        painter.setPen(theme.color("focus"))
        painter.drawRect(QRect(round(self.grid.byte_x(column)) - 2, row * ROW + 1, round(2 * _letter()) + 3, ROW - 3))
        painter.drawRect(QRect(round(self.grid.text_x(column)) - 1, row * ROW + 1, round(_letter()) + 1, ROW - 3))

    # pointer and keys

    def offset_at(self, position: QPoint) -> int | None:
        """The byte under a point of the viewport, in the middle or in the text; None beside them."""
        x = position.x() + self.horizontalScrollBar().value()
        row = position.y() // ROW + self.verticalScrollBar().value()
        for place, letters in ((self.grid.byte_x, 2), (self.grid.text_x, 1)):
            for column in range(self.grid.bytes):
                if place(column) - 1 <= x < place(column) + letters * _letter() + (BYTE_GAP if letters == 2 else 0):
                    offset = self._start + row * self.grid.bytes + column
                    return offset if offset < self._end else None
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._keys = False
        offset = self.offset_at(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or offset is None:
            return
        self._anchor = self._cursor = offset
        self._pick(offset, offset + 1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        offset = self.offset_at(event.position().toPoint())
        if self._anchor is not None and offset is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self._selected = (min(self._anchor, offset), max(self._anchor, offset) + 1)
            self._cursor = offset
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._anchor is not None and self._selected is not None and self._cursor != self._anchor:
            self._pick(*self._selected)
        self._anchor = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y()
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() - round(steps / 40))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        width = self.grid.bytes
        page = width * self.verticalScrollBar().pageStep()
        steps = {
            Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -width, Qt.Key.Key_Down: width,
            Qt.Key.Key_PageUp: -page, Qt.Key.Key_PageDown: page, Qt.Key.Key_Home: -self._end, Qt.Key.Key_End: self._end,
        }  # fmt: skip
        step = steps.get(Qt.Key(event.key()))
        if step is None or self._start == self._end:
            super().keyPressEvent(event)
            return
        self._keys = True
        self._cursor = min(max(self._cursor + step, self._start), self._end - 1)
        self._pick(self._cursor, self._cursor + 1)
        self._reveal(self._cursor)

    def _pick(self, start: int, end: int) -> None:
        self._selected = (start, end)
        self._describe()
        self.picked.emit(start, end)
        self.viewport().update()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._keys = isinstance(event, QFocusEvent) and event.gotFocus() and event.reason() in BY_KEYS
            self.viewport().update()
        return super().event(event)


def _letter() -> float:
    return fonts.text_width(fonts.wire_font(fonts.SECONDARY), "0")


def _same(colors: Sequence[QColor], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Runs of one colour in columns [start, end)."""
    for column in range(start, end):
        if column + 1 == end or colors[column + 1] is not colors[start]:
            yield start, column + 1
            start = column + 1
