"""All keys of the window at a glance; made from the commands and from the keys that views handle themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from inspector_app.ui import fonts
from inspector_app.ui.commands import Command, Source, shown_keys
from inspector_app.ui.controls import draw_key, key_width
from inspector_app.ui.dialogs.held import Held
from inspector_app.ui.labels import draw_text, rounded
from inspector_app.ui.theme import Look

ROWS = (22, 20, 19)
"""Heights of a row; the first with which all fits."""
HEAD, GAP = 26, 12
TITLE, EDGE, AROUND, GUTTER = 44, 24, 24, 28
COLUMNS, MOST = 3, 1200
KEY_GAP = 10
FEW = 4
"""Letters up to which the keys of a family are all shown."""
TITLE_WORDS, HINT, HINT_LOW = "Keys", "Esc or a click closes this", "↑ ↓ scroll   Esc closes"
SCROLLS = {Qt.Key.Key_Up: -40, Qt.Key.Key_Down: 40, Qt.Key.Key_PageUp: -400, Qt.Key.Key_PageDown: 400}
SHOWN_KEYS = 2
"""Keys of a command that are shown; more do the same."""

VIEW_KEYS: tuple[tuple[str, str, str], ...] = (
    ("In the timeline", "← →", "Move left, right"),
    ("In the timeline", "↑ ↓", "Choose a lane"),
    ("In the timeline", "Home End", "To the beginning, to the end"),
    ("In the panes", "↑ ↓", "Previous, next event"),
    ("In the panes", "← →", "Pane to the left, to the right"),
    ("In the panes", "Shift+← →", "Scroll long lines sideways"),
    ("In the panes", "PgUp PgDown", "A page up, down"),
    ("In the panes", "Home End", "First, last event"),
    ("In lists and trees", "Enter", "Choose or open"),
    ("In lists and trees", "← →", "Fold, unfold"),
    ("In lists and trees", "Delete", "Forget a recent recording, remove a note"),
    ("In lists and trees", "Tab", "Next control, with Shift the one before"),
)
"""Group, keys and what they do, of what has the focus: no command, because the focus decides."""


@dataclass(frozen=True, slots=True)
class Row:
    """What some keys do."""

    keys: tuple[str, ...]
    words: str


def key_groups(commands: Iterable[Command]) -> dict[str, list[Row]]:
    """Group -> rows. Commands of one family with keys are one row, as those that go to tab 1 to 9; two with long keys
    are a row each.
    """
    families: dict[tuple[str, str], list[Command]] = {}
    for command in commands:
        if command.keys:
            families.setdefault((command.group, command.family), []).append(command)
    groups: dict[str, list[Row]] = {}
    for (group, family), members in families.items():
        groups.setdefault(group, []).extend(_rows(family, members))
    for group, keys, words in VIEW_KEYS:
        groups.setdefault(group, []).append(Row((keys,), words))
    return groups


def _rows(family: str, members: Sequence[Command]) -> list[Row]:
    first, last = members[0], members[-1]
    keys = [shown_keys(member.keys[0]) for member in members]
    few = len("".join(keys)) <= FEW
    if first is last or (len(members) == 2 and not few):
        return [
            Row(tuple(shown_keys(one) for one in member.keys[:SHOWN_KEYS]), member.words.replace(": ", " "))
            for member in members
        ]
    ends = (first.words.partition(": ")[2], last.words.partition(": ")[2])
    return [Row((" ".join(keys) if few else f"{keys[0]} … {keys[-1]}",), f"{family} {ends[0]} … {ends[1]}")]


def in_columns(heights: Sequence[int], columns: int) -> list[int]:
    """How many of the parts stand in each column, in order, so that the highest column is as low as can be."""
    for limit in sorted({sum(heights[a:b]) for a in range(len(heights)) for b in range(a + 1, len(heights) + 1)}):
        counts, left = [0], limit
        for height in heights:
            if height > left:
                counts.append(0)
                left = limit
            counts[-1] += 1
            left -= height
        if len(counts) <= columns and max(heights) <= limit:
            return counts
    return []


class KeyList(QWidget):
    """The list on a veil over the whole window. Escape, a click or any other key that opens something closes it."""

    def __init__(self, look: Look, source: Source, window: QWidget) -> None:
        super().__init__(window)
        self._look, self._source = look, source
        self._groups: dict[str, list[Row]] = {}
        self._before: Held | None = None
        self._down = 0
        """Pixels that are scrolled away above, in a window that is too low for all."""
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName("All keys")
        window.installEventFilter(self)
        look.changed.connect(self.update)
        self.hide()

    def open(self) -> None:
        """Shows the keys of what is in view; closes the list where it is open."""
        if self.isVisible():
            self.dismiss()
            return
        self._groups = key_groups(self._source())
        said = (f"{', '.join(row.keys)}: {row.words}" for rows in self._groups.values() for row in rows)
        self.setAccessibleDescription(". ".join(said))
        self._before = Held(self.window())
        self._down = 0
        self._place()
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def dismiss(self) -> None:
        """Closes the list; the keyboard goes back to where it was."""
        before, self._before = self._before, None
        if before is not None and self.hasFocus():
            before.give_back(self)
        self.hide()

    def card(self) -> QRect:
        """Where the list lies on the veil."""
        tallest = self._tallest(self._row_height())
        width = min(MOST, self.width() - 2 * AROUND)
        height = min(TITLE + tallest - GAP + EDGE, self.height() - 2 * AROUND)
        return QRect((self.width() - width) // 2, max(AROUND, (self.height() - height) // 3), width, height)

    def _row_height(self) -> int:
        room = self.height() - 2 * AROUND - TITLE - EDGE + GAP
        return next((row for row in ROWS if self._tallest(row) <= room), ROWS[-1])

    def _tallest(self, row: int) -> int:
        return max((sum(heights) for heights in self._columns(row)), default=0)

    def _columns(self, row: int) -> list[list[int]]:
        heights = [HEAD + len(rows) * row + GAP for rows in self._groups.values()]
        out, at = [], 0
        for count in in_columns(heights, COLUMNS):
            out.append(heights[at : at + count])
            at += count
        return out

    def _place(self) -> None:
        window = self.parentWidget()
        assert window is not None
        self.setGeometry(window.rect())
        self._scroll(0)

    def _hidden(self) -> int:
        """Pixels for which there is no room."""
        return max(TITLE + self._tallest(self._row_height()) - GAP + EDGE - self.card().height(), 0)

    def _scroll(self, pixels: int) -> None:
        self._down = min(max(self._down + pixels, 0), self._hidden())
        self.update()

    # the widget

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        elif event.key() in SCROLLS:
            self._scroll(SCROLLS[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._scroll(-event.angleDelta().y() // 2)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.dismiss()

    def focusOutEvent(self, event: QEvent) -> None:
        if self.window().focusWidget() is not self:
            self.dismiss()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, card = self._look.theme, self.card()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.veil("bg.sunken", 0.7))
            rounded(painter, card, theme.color("bg.raised"), theme.color("line.strong"), 8)
            base = fonts.baseline(card.top(), TITLE)
            draw_text(painter, card.left() + EDGE, base, TITLE_WORDS, fonts.ui_font(14, 600), theme.color("ink.1"))
            small = fonts.ui_font(fonts.SECONDARY)
            hint = HINT_LOW if self._hidden() else HINT
            right = card.right() + 1 - EDGE - fonts.text_width(small, hint)
            draw_text(painter, right, base, hint, small, theme.color("ink.3"))
            painter.setClipRect(card.adjusted(1, TITLE, -1, -1))
            heads = {id(rows[0]): name for name, rows in self._groups.items()}
            for row, rect in self.places():
                if name := heads.get(id(row)):
                    base, font = fonts.baseline(rect.top() - HEAD, HEAD), fonts.ui_font(fonts.BODY, 600)
                    draw_text(painter, rect.left(), base, name, font, theme.color("ink.1"))
                self._paint_row(painter, row, rect)

    def places(self) -> list[tuple[Row, QRect]]:
        """Where each row lies, column by column."""
        high, card = self._row_height(), self.card()
        width = (card.width() - 2 * EDGE - (COLUMNS - 1) * GUTTER) // COLUMNS
        groups, out = iter(self._groups.values()), []
        for number, heights in enumerate(self._columns(high)):
            x, y = card.left() + EDGE + number * (width + GUTTER), card.top() + TITLE - self._down
            for _ in heights:
                y += HEAD
                for row in next(groups):
                    out.append((row, QRect(x, y, width, high)))
                    y += high
                y += GAP
        return out

    def _paint_row(self, painter: QPainter, row: Row, rect: QRect) -> None:
        theme, plain = self._look.theme, fonts.ui_font(fonts.BODY)
        keys = list(row.keys)
        # The second key gives way where there is no room for the words.
        while len(keys) > 1 and _width(keys) + KEY_GAP + fonts.text_width(plain, row.words) > rect.width():
            keys.pop()
        at = rect.right() + 1 - _width(keys)
        words = fonts.elided(plain, row.words, at - KEY_GAP - rect.left())
        draw_text(painter, rect.left(), fonts.baseline(rect.top(), rect.height()), words, plain, theme.color("ink.2"))
        for key in keys:
            painter.save()
            painter.translate(0, rect.top())
            draw_key(painter, theme, at, rect.height(), key)
            painter.restore()
            at += key_width(key) + 4


def _width(keys: Sequence[str]) -> int:
    return sum(key_width(key) + 4 for key in keys) - 4
