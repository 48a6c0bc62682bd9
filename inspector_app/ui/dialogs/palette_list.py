"""The rows of the command palette: what fits what was typed, as a model and as it is painted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inspector_app.core.text import clip, visible
from inspector_app.ui import fonts
from inspector_app.ui.commands import Command, shown_keys
from inspector_app.ui.controls import draw_key, key_width
from inspector_app.ui.dialogs.other_words import OTHER_WORDS
from inspector_app.ui.fuzzy import ranked
from inspector_app.ui.labels import draw_text, rounded
from inspector_app.ui.theme import Look

ROW = 28
EDGE, GAP = 12, 10
KEYS, GROUP = 112, 68
"""Room for keys at the right, and before them for the name of the group."""
BEHIND = 40.0
"""What it costs when only the remark, the group or another word for it fits what was typed."""
LONGEST = 160
Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class Entry:
    """A command in the list; `places` are the letters of its words that were typed."""

    command: Command
    possible: bool
    places: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        """What the row says, fit to be shown."""
        return visible(clip(self.command.words, LONGEST))

    @property
    def remark(self) -> str:
        """What stands beside it, fit to be shown: of what is not possible the reason."""
        return visible(clip(self.command.remark if self.possible else self.command.needs, LONGEST))

    def spoken(self) -> str:
        """All of the row for a screen reader."""
        keys = shown_keys(self.command.keys[0]) if self.command.keys else ""
        return ", ".join(filter(None, (self.words, self.remark, self.command.group, keys)))


def entries(commands: Sequence[Command], typed: str) -> list[Entry]:
    """The commands that fit what was typed, best first. One that is not possible now and says no reason is left out."""
    all_of_them = [Entry(command, command.enabled()) for command in commands]
    shown = [entry for entry in all_of_them if entry.possible or entry.command.needs]
    if not typed.strip():
        return sorted(shown, key=lambda entry: not entry.possible)
    found = ranked(typed, ((entry, entry.words) for entry in shown))
    matched = {id(entry) for entry, _ in found}
    others = [entry for entry in shown if id(entry) not in matched]
    # Letters that are strewn over a group, words and a folder are no hit: each word must stand there as it is typed.
    wholes = [(entry, _whole(entry)) for entry in others]
    rest = [(entry, text) for entry, text in wholes if all(word in text.lower() for word in typed.lower().split())]
    scored = [(Entry(entry.command, entry.possible, fit.places), fit.score) for entry, fit in found]
    scored += [(entry, fit.score - BEHIND) for entry, fit in ranked(typed, rest)]
    return [entry for entry, _ in sorted(scored, key=lambda pair: (not pair[0].possible, -pair[1]))]


def _whole(entry: Entry) -> str:
    """All that a command is found by."""
    command = entry.command
    return f"{OTHER_WORDS.get(command.words, '')} {command.group} {entry.words} {command.remark}"


class PaletteModel(QAbstractListModel):
    """The entries as rows."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.entries: list[Entry] = []

    def show(self, shown: list[Entry]) -> None:
        """Replaces all rows."""
        self.beginResetModel()
        self.entries = shown
        self.endResetModel()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.words
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return entry.spoken()
        if role == Qt.ItemDataRole.UserRole:
            return entry
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        usual = super().flags(index)
        if index.isValid() and not self.entries[index.row()].possible:
            return usual & ~Qt.ItemFlag.ItemIsEnabled
        return usual


class PaletteDelegate(QStyledItemDelegate):
    """Paints a row: words with the typed letters strong, a remark, the group, and the keys in a cap."""

    def __init__(self, look: Look, parent: QObject) -> None:
        super().__init__(parent)
        self._look = look

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: Entry = index.data(Qt.ItemDataRole.UserRole)
        theme, rect = self._look.theme, option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            rounded(painter, rect, theme.color("sel.fill"), None, 4)
            rounded(painter, QRect(rect.left(), rect.top() + 4, 3, rect.height() - 8), theme.color("accent"), None, 1.5)
        elif option.state & QStyle.StateFlag.State_MouseOver and entry.possible:
            rounded(painter, rect, theme.veil("ink.1", 0.05), None, 4)
        ink = "ink.1" if entry.possible else "ink.3"
        base, right = fonts.baseline(rect.top(), ROW), rect.right() + 1 - EDGE
        if entry.command.keys:
            keys = shown_keys(entry.command.keys[0])
            painter.save()
            painter.translate(0, rect.top())
            draw_key(painter, theme, right - key_width(keys), ROW, keys)
            painter.restore()
        small = fonts.ui_font(fonts.SECONDARY)
        group = right - KEYS - GROUP
        draw_text(painter, group, base, entry.command.group, small, theme.color("ink.3"))
        x = float(rect.left() + EDGE)
        x = self._paint_words(painter, entry, x, base, group - GAP, ink)
        room = int(group - GAP - x - GAP)
        if entry.remark and room > 40:
            remark = fonts.elided(small, entry.remark, room)
            draw_text(painter, x + GAP, base, remark, small, theme.color("ink.3"))

    def _paint_words(self, painter: QPainter, entry: Entry, x: float, base: int, limit: int, ink: str) -> float:
        """The words in runs of typed and other letters; gives where they end."""
        theme = self._look.theme
        plain, strong = fonts.ui_font(fonts.BODY, 400, tabular=False), fonts.ui_font(fonts.BODY, 600, tabular=False)
        words = fonts.elided(strong, entry.words, int(limit - x))
        places, at = set(entry.places), 0
        while at < len(words):
            typed, end = at in places, at
            while end < len(words) and (end in places) == typed:
                end += 1
            colour = theme.color("accent" if typed and entry.possible else ink)
            x += draw_text(painter, x, base, words[at:end], strong if typed else plain, colour)
            at = end
        return x
