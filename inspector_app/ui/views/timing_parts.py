"""The parts of the page Timing: rows that jump, the ladder's bars, and the histogram of waits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QHelpEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QSizePolicy, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from inspector_app.core.text import THIN_SPACE, number
from inspector_app.core.timing import BINS
from inspector_app.ui import fonts
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import draw_text, rounded, tip
from inspector_app.ui.theme import Look, Theme
from inspector_app.ui.views.row_states import paint_focus, paint_state
from inspector_app.ui.views.row_table import RowTable
from inspector_app.ui.views.timing_rows import TITLES, Row, TimingModel, bin_words

ROW, TALL_ROW = 20, 26
"""The height of a row where there is little room, and where there is enough."""
LEFT, RIGHT = 16, 16
ICON_TO_WORDS = 20
TRACK, VALUES = 110, 82
"""Where the bars of the ladder begin, and how far from the right edge they end."""
BAR, THREAD = 12, 4
WAIT_WORDS = 82
"""Where the words of a wait begin: its length ends 10 pixels before."""

PITCH, BAR_GAP, TALLEST = 30, 6, 112
COUNTS, LABELS, PERCENTILES = 16, 18, 20
"""Heights of what stands above and below the bars of the histogram."""

Index = QModelIndex | QPersistentModelIndex
Paint = Callable[[QPainter, Theme, QRect, Row], None]


class _Delegate(QStyledItemDelegate):
    def __init__(self, look: Look, table: JumpTable, paint: Paint) -> None:
        super().__init__(table)
        self._look, self._table, self._paint = look, table, paint

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect, row = self._look.theme, option.rect, self._table.rows.rows[index.row()]
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hover = bool(option.state & QStyle.StateFlag.State_MouseOver) and row.leads is not None
        paint_state(painter, theme, rect, self._table.state_of(row, selected), hover)
        self._paint(painter, theme, rect, row)
        painter.fillRect(
            QRect(rect.left() + LEFT, rect.bottom(), rect.width() - LEFT - RIGHT, 1), theme.color("line.soft")
        )
        if self._table.ring.shown and option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, theme, rect.adjusted(0, 0, 0, -1))


class JumpTable(RowTable):
    """Rows of which a click, Enter or the arrow keys choose one. `state_of(row, selected)` tells how it is drawn."""

    picked = Signal(int)

    def __init__(
        self, look: Look, name: str, paint: Paint, state_of: Callable[[Row, bool], str], parent: QWidget
    ) -> None:
        self.rows = TimingModel(parent)
        super().__init__(look, name, self.rows, ROW)
        self.state_of = state_of
        self.show_one_column()
        self.setItemDelegate(_Delegate(look, self, paint))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumSize(0, 2 * ROW)
        self.clicked.connect(lambda index: self.picked.emit(index.row()))

    def paint_by(self, paint: Paint, name: str) -> None:
        """Draw the rows in another way from now on, under another name."""
        self.setItemDelegate(_Delegate(self._look, self, paint))
        self.setAccessibleName(name)

    def fit_rows(self, height: int, count: int) -> int:
        """Rows as high as `count` of them have room in `height`; gives their height."""
        size = min(max(height // max(count, 1), ROW), TALL_ROW)
        if size != self.verticalHeader().defaultSectionSize():
            self.verticalHeader().setDefaultSectionSize(size)
        return size

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex().row()
        super().keyPressEvent(event)
        after = self.currentIndex().row()
        if after >= 0 and (after != before or event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)):
            self.picked.emit(after)


def paint_rung(painter: QPainter, theme: Theme, rect: QRect, row: Row) -> None:
    """A rung of the ladder: a thread for what the others took, a bar for what this one added."""
    base, known = fonts.baseline(rect.top(), rect.height()), row.ns is not None
    ink = theme.color("ink.1" if known else "ink.3")
    if row.meaning:
        mark = theme.meaning(row.meaning).line
        draw_icon(painter, rect.left() + LEFT, rect.top() + (rect.height() - SMALL) // 2, row.meaning, mark, SMALL)
    draw_text(painter, rect.left() + LEFT + ICON_TO_WORDS, base, row.words, fonts.ui_font(fonts.BODY), ink)
    font = fonts.wire_font(fonts.BODY) if known else fonts.ui_font(fonts.BODY)
    left = rect.left() + rect.width() - RIGHT - round(fonts.text_width(font, row.value))
    draw_text(painter, left, base, row.value, font, ink)
    start, end = rect.left() + TRACK, rect.left() + rect.width() - VALUES
    middle = rect.top() + rect.height() // 2
    if row.ns is None:
        for x in range(start, min(end, left - 8), 4):
            painter.fillRect(QRect(x, middle, 2, 1), theme.color("line.strong"))
        return
    scale = (end - start) / row.whole
    before, after = start + round(row.begin * scale), start + round(row.ns * scale)
    painter.fillRect(QRect(start, middle - THREAD // 2, before - start, THREAD), theme.color("line"))
    color = theme.meaning(row.meaning).line if row.meaning else theme.color("ink.3")
    rounded(painter, QRect(before, middle - BAR // 2, max(after - before, 2), BAR), color, None, 2)


def paint_wait(painter: QPainter, theme: Theme, rect: QRect, row: Row) -> None:
    """A wait: how long, and what it lies in."""
    base, font = fonts.baseline(rect.top(), rect.height()), fonts.wire_font(fonts.BODY)
    width = round(fonts.text_width(font, row.value))
    ink = theme.color("warning.text" if row.alarm else "ink.1")
    draw_text(painter, rect.left() + max(WAIT_WORDS - 10 - width, 4), base, row.value, font, ink)
    font = fonts.ui_font(fonts.BODY)
    left = rect.left() + WAIT_WORDS
    words = fonts.elided(font, row.words, max(0, rect.left() + rect.width() - 8 - left))
    draw_text(painter, left, base, words, font, theme.color("ink.1" if row.alarm else "ink.2"))


class Histogram(QWidget):
    """How many waits were how long. The last waits of `alarms` stand out: silence, or the one that goes on."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._counts: Sequence[int] = [0] * len(BINS)
        self._alarms: Sequence[int] = [0] * len(BINS)
        self._outline: Sequence[int] = ()
        self._percentiles = ""
        self.setAccessibleName(TITLES["waits"])
        self.setMinimumHeight(COUNTS + LABELS + PERCENTILES + 40)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        look.changed.connect(self.update)

    def show_counts(
        self, counts: Sequence[int], alarms: Sequence[int], percentiles: str, outline: Sequence[int] = ()
    ) -> None:
        """Replace the numbers; `alarms[i]` of `counts[i]` stand out. An `outline` has the shares of the whole recording
        behind those of a part of it.
        """
        self._counts, self._alarms, self._percentiles = list(counts), list(alarms), percentiles
        self._outline = list(outline)
        told = [bin_words(place, count) for place, count in enumerate(counts) if count]
        self.setAccessibleDescription("; ".join([*told, percentiles]).replace(THIN_SPACE, " "))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(LEFT + RIGHT + PITCH * len(BINS), COUNTS + TALLEST + LABELS + PERCENTILES)

    def bars(self) -> list[QRect]:
        """The box of every bar, empty ones at the base line."""
        pitch = min(PITCH, (self.width() - LEFT - 4) // len(BINS))
        tallest = max(8, min(TALLEST, self.height() - COUNTS - LABELS - PERCENTILES))
        return self._boxes(self._counts, pitch, tallest)

    def outlines(self) -> list[QRect]:
        """The boxes of the whole recording, as far as there is one to compare with."""
        pitch = min(PITCH, (self.width() - LEFT - 4) // len(BINS))
        tallest = max(8, min(TALLEST, self.height() - COUNTS - LABELS - PERCENTILES))
        return self._boxes(self._outline, pitch, tallest) if any(self._outline) else []

    def _boxes(self, counts: Sequence[int], pitch: int, tallest: int) -> list[QRect]:
        most, base = max(1, *counts), COUNTS + tallest
        heights = [max(2, round(tallest * count / most)) if count else 0 for count in counts]
        return [
            QRect(LEFT + place * pitch, base - height, pitch - BAR_GAP, height) for place, height in enumerate(heights)
        ]

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            x = event.pos().x()
            near = [n for n, bar in enumerate(self.bars()) if bar.left() <= x < bar.right() + BAR_GAP]
            tip(self, bin_words(near[0], self._counts[near[0]]) if near else "")
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            strong, small = fonts.ui_font(fonts.SECONDARY, 600), fonts.ui_font(fonts.SMALL)
            boxes = self.bars()
            base = boxes[0].top() + boxes[0].height()
            for box in self.outlines():
                rounded(painter, box.adjusted(-2, 0, 2, 0), None, theme.color("line.strong"), 2)
            for name, count, alarm, box in zip(BINS, self._counts, self._alarms, boxes, strict=True):
                middle = box.left() + box.width() / 2
                rounded(painter, box, theme.color("accent" if self._outline else "line.strong"), None, 2)
                if alarm:
                    part = max(2, round(box.height() * alarm / count))
                    alarmed = QRect(box.left(), box.top(), box.width(), part)
                    rounded(painter, alarmed, theme.color("warning.line"), None, 2)
                if count:
                    words, ink = number(count), theme.color("warning.text" if alarm else "ink.1")
                    draw_text(painter, middle - fonts.text_width(strong, words) / 2, box.top() - 5, words, strong, ink)
                ink = theme.color("ink.3")
                draw_text(painter, middle - fonts.text_width(small, name) / 2, base + 13, name, small, ink)
            right = boxes[-1].left() + boxes[-1].width()
            painter.fillRect(QRect(LEFT, base, right - LEFT, 1), theme.color("line"))
            font = fonts.ui_font(fonts.SECONDARY)
            words = fonts.elided(font, self._percentiles, max(0, self.width() - LEFT - 4))
            draw_text(painter, LEFT, base + LABELS + 14, words, font, theme.color("ink.2"))


class Column(QWidget):
    """A part of the page, with a line at its left side where it is not the first."""

    def __init__(self, look: Look, divided: bool) -> None:
        super().__init__()
        self._look, self._divided = look, divided
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.pane"))
            if self._divided:
                painter.fillRect(QRect(0, 0, 1, self.height()), theme.color("line"))


class Verdict(QWidget):
    """What the waits look like, in a sentence above all numbers, and what the headers say of it below."""

    LINE, MOST, LOW = 17, 4, 2

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._told: tuple[str, bool, tuple[str, ...]] = ("", True, ())
        self._most, self._room = self.MOST, 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def show_words(self, words: str, calm: bool, hints: tuple[str, ...]) -> None:
        """The sentence, which stands out unless all is calm, and the headers that speak of it."""
        told = (words, calm, hints)
        if told != self._told:
            self._told = told
            said = ". ".join((words, *hints))
            self.setAccessibleName(said.replace(THIN_SPACE, " "))
            tip(self, said)
            self._fit()

    def fit_into(self, width: int, low: bool) -> None:
        """Break lines at so many pixels, and take fewer of them where there is little room; the tip has all."""
        self._most, self._room = self.LOW if low else self.MOST, width
        self._fit()

    def lines(self) -> list[str]:
        """What is written, line by line; what is left out stands in the tip."""
        return [line for line, _ in self._lines()]

    def _lines(self) -> list[tuple[str, bool]]:
        words, _, hints = self._told
        room = max(min(self.width(), self._room or self.width()) - LEFT - ICON_TO_WORDS - RIGHT, 60)
        strong = [(line, True) for line in _wrapped(words, fonts.ui_font(fonts.BODY, 600), room)]
        weak = [(line, False) for hint in hints for line in _wrapped(hint, fonts.ui_font(fonts.SECONDARY), room)]
        return [*strong, *weak][: self._most]

    def _fit(self) -> None:
        self.setFixedHeight(len(self._lines()) * self.LINE + 11)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            _, calm, _ = self._told
            painter.fillRect(self.rect(), theme.color("bg.pane") if calm else theme.meaning("info").fill)
            painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), theme.color("line"))
            mark = theme.color("ink.2") if calm else theme.meaning("info").line
            draw_icon(painter, LEFT, 5 + (self.LINE - SMALL) // 2, "clock" if calm else "rays", mark, SMALL)
            for place, (line, strong) in enumerate(self._lines()):
                base = fonts.baseline(5 + place * self.LINE, self.LINE)
                font = fonts.ui_font(fonts.BODY, 600) if strong else fonts.ui_font(fonts.SECONDARY)
                ink = theme.color("ink.1" if strong else "ink.2")
                draw_text(painter, LEFT + ICON_TO_WORDS, base, line, font, ink)


def _wrapped(words: str, font: QFont, room: int) -> list[str]:
    lines = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and fonts.text_width(font, longer) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return [fonts.elided(font, line, room) for line in lines]


class Title(QWidget):
    """The title of a column, with a note at the right end."""

    HEIGHT = 30

    def __init__(self, look: Look, title: str) -> None:
        super().__init__()
        self._look, self._title, self._note = look, title, ""
        self.setFixedHeight(self.HEIGHT)
        look.changed.connect(self.update)

    def show_note(self, note: str, title: str = "") -> None:
        """What stands at the right, and another title where one is given."""
        self._note, self._title = note, title or self._title
        self.setAccessibleName(f"{self._title} {note}".replace(THIN_SPACE, " ").strip())
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            base = fonts.baseline(2, self.HEIGHT - 2)
            used = draw_text(painter, LEFT, base, self._title, fonts.ui_font(fonts.BODY, 600), theme.color("ink.1"))
            font = fonts.ui_font(fonts.SECONDARY)
            note = fonts.elided(font, self._note, max(0, round(self.width() - RIGHT - LEFT - used - 12)))
            width = fonts.text_width(font, note)
            draw_text(painter, self.width() - RIGHT - width, base, note, font, theme.color("ink.3"))
