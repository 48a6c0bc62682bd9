"""Paints the rows of the findings pane."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inspector_app.core.text import visible
from inspector_app.ui import fonts
from inspector_app.ui.coded import draw_coded
from inspector_app.ui.icons import SIZE, draw_icon
from inspector_app.ui.labels import chip_width, draw_chip, draw_text, rounded
from inspector_app.ui.theme import Look
from inspector_app.ui.views.finding_rows import COLUMNS, Row, runs
from inspector_app.ui.views.row_states import paint_focus, paint_state
from inspector_app.ui.views.row_table import RowTable

HEIGHT = 40
LEFT, WORDS, RIGHT = 16, 40, 16
"""From the edges: mark, words, and the count at the right."""
STRIP_TO_RIGHT = 70
STRIP_HEIGHT, STRIP_TOP = 4, 10
INDENT = 16
GAP = 16
CHIP, CHIP_GAP = 16, 8
LEAST_WORDS = 200
"""The strip gives way before the words of a row have less room than this, or than their title needs."""

_ANYWHERE = QTextOption()
_ANYWHERE.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
Index = QModelIndex | QPersistentModelIndex


class FindingDelegate(QStyledItemDelegate):
    """Draws a `Row` of the role `UserRole`. `state_of` tells how a row is selected, `edges` where the columns lie."""

    def __init__(self, look: Look, state_of: Callable[[int], str], table: RowTable) -> None:
        super().__init__(table)
        self._look = look
        self._ring = table.ring
        self._state_of = state_of
        self.edges: list[int] = [0]
        self.opened = -1
        """The row whose advice is shown."""
        self.literal = False
        """Whether the literal reading is what the reference is compared with."""
        self._areas: dict[int, list[tuple[str, QRect]]] = {}
        """Row -> what in it can be clicked, from the top left corner of the row, as it was painted last."""

    def action_at(self, number: int, rect: QRect, at: QPoint) -> str:
        """What a click at a place of row `number` does besides choosing it: "literal", "unmute", or nothing."""
        for action, area in self._areas.get(number, ()):
            if area.translated(rect.topLeft()).contains(at):
                return action
        return ""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(Qt.ItemDataRole.UserRole)
        theme, rect = self._look.theme, option.rect
        hover = bool(option.state & QStyle.StateFlag.State_MouseOver)
        state = self._state_of(index.row())
        paint_state(painter, theme, rect, state, hover)
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.color("line.soft"))
        shift = INDENT if row.follows else 0
        mark = theme.color("ink.3") if row.muted else theme.meaning(row.severity).line
        draw_icon(painter, rect.left() + LEFT + shift, rect.top() + 3, row.icon, mark, SIZE)
        first, second = self._numbers(painter, rect, row)
        first = self._strip(painter, rect, row, first, shift)
        opened = index.row() == self.opened
        areas = self._words(painter, rect, row, first, shift)
        self._message(painter, rect, row, second, shift, opened)
        if opened:
            areas += self._opened(painter, rect, row, shift)
        self._areas[index.row()] = [(action, area.translated(-rect.topLeft())) for action, area in areas]
        if self._ring.shown and option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, theme, rect.adjusted(0, 0, 0, -1))

    def _numbers(self, painter: QPainter, rect: QRect, row: Row) -> tuple[int, int]:
        """The count and the first place; gives where they begin in the first and in the second line."""
        theme = self._look.theme
        right = rect.left() + rect.width() - RIGHT
        font = fonts.wire_font(fonts.BODY, 600)
        width = fonts.text_width(font, row.counted)
        inks = ("ink.3", "ink.3") if row.muted else ("ink.1", "ink.2")
        draw_text(painter, right - width, rect.top() + 16, row.counted, font, theme.color(inks[0]))
        font = fonts.ui_font(fonts.SECONDARY)
        where = fonts.text_width(font, row.where)
        draw_text(painter, right - where, rect.top() + 32, row.where, font, theme.color(inks[1]))
        return right - round(width), right - round(where)

    def _strip(self, painter: QPainter, rect: QRect, row: Row, right: int, shift: int) -> int:
        """The track and on it the places; gives the right edge of what is left for words."""
        theme = self._look.theme
        end = min(rect.left() + rect.width() - STRIP_TO_RIGHT, right - GAP)
        left = end - COLUMNS
        if left - GAP - rect.left() - WORDS - shift < max(LEAST_WORDS, _head_width(row)) or len(self.edges) < 2:
            return right - GAP
        top = rect.top() + STRIP_TOP
        rounded(painter, QRect(left, top, COLUMNS, STRIP_HEIGHT), theme.color("bg.sunken"), None, 2)
        for start, stop in runs(self.edges, row.events):
            width = max(stop - start, STRIP_HEIGHT)
            at = min(left + start, end - width)
            place = QRect(at, top, width, STRIP_HEIGHT)
            if row.muted:
                rounded(painter, place, theme.color("bg.pane"), theme.color("ink.3"), 2)
            else:
                rounded(painter, place, theme.meaning(row.severity).line, None, 2)
        return left - GAP

    def _words(self, painter: QPainter, rect: QRect, row: Row, right: int, shift: int) -> list[tuple[str, QRect]]:
        """The rule; gives the chips that can be clicked."""
        theme = self._look.theme
        at, top = rect.left() + WORDS + shift, rect.top()
        ink = theme.color("ink.1") if row.severity == "info" else theme.meaning(row.severity).text
        font, chips = _title_font(row), _chips(row)
        room = right - at - sum(chip_width(words, icon) + CHIP_GAP for _, words, icon in chips)
        title = fonts.elided(font, visible(row.title), room)
        at += round(draw_text(painter, at, top + 16, title, font, theme.color("ink.3") if row.muted else ink))
        areas = []
        for action, words, icon in chips:
            at += CHIP_GAP
            width = draw_chip(painter, theme, at, top + 4, words, "info", icon, height=CHIP)
            areas.append((action, QRect(at, top + 2, width, CHIP + 4)))
            at += width
        if row.follows and right - at > 60:
            font = fonts.ui_font(fonts.SECONDARY, italic=True)
            words = fonts.elided(font, follows_words(row.follows, right - at - 8), right - at - 8)
            draw_text(painter, at + 8, top + 16, words, font, theme.color("ink.3"))
        return areas

    def _message(self, painter: QPainter, rect: QRect, row: Row, right: int, shift: int, opened: bool) -> None:
        """One line of it, all of it in an opened row."""
        at, ink = rect.left() + WORDS + shift, self._look.theme.color("ink.3" if row.muted else "ink.2")
        if not opened:
            draw_coded(painter, at, rect.top() + 32, row.message, right - GAP, ink)
            return
        font = fonts.ui_font(fonts.BODY)
        layout, _ = _wrapped(visible(row.message), font, self._message_room(row, rect.width(), shift))
        painter.setPen(ink)
        layout.draw(painter, QPointF(at, rect.top() + 32 - layout.lineAt(0).ascent()))

    def _message_room(self, row: Row, width: int, shift: int) -> int:
        where = round(fonts.text_width(fonts.ui_font(fonts.SECONDARY), row.where))
        return max(80, width - WORDS - shift - RIGHT - where - GAP)

    def _further(self, row: Row, width: int, shift: int) -> int:
        """How much taller than one line the whole message is."""
        room = self._message_room(row, width, shift)
        layout, height = _wrapped(visible(row.message), fonts.ui_font(fonts.BODY), room)
        return height - round(layout.lineAt(0).height()) if layout.lineCount() else 0

    # the advice of the selected row

    def _opened(self, painter: QPainter, rect: QRect, row: Row, shift: int) -> list[tuple[str, QRect]]:
        theme = self._look.theme
        top = rect.top() + HEIGHT + self._further(row, rect.width(), shift)
        areas = []
        for words, font, ink in self._paragraphs(row):
            layout, height = _wrapped(words, font, self._room(rect.width(), shift))
            painter.setPen(theme.color(ink))
            layout.draw(painter, QPointF(rect.left() + WORDS + shift, top))
            if ink == "accent":
                width = round(fonts.text_width(font, words))
                areas.append(("literal", QRect(rect.left() + WORDS + shift, top, width, height)))
            top += height + 4
        return areas

    def _paragraphs(self, row: Row) -> list[tuple[str, QFont, str]]:
        found: list[tuple[str, QFont, str]] = []
        if row.advice:
            found.append((row.advice, fonts.ui_font(fonts.BODY), "ink.1"))
        if row.known:
            found.append((row.known, fonts.ui_font(fonts.SECONDARY), "ink.2"))
        if row.breaks:
            found.append((f"Breaks: {row.breaks}", fonts.ui_font(fonts.SECONDARY), "ink.2"))
        if offers_literal(row):
            words = "Close the literal reading" if self.literal else "Show the literal reading beside the reference"
            found.append((words, fonts.ui_font(fonts.BODY, 500), "accent"))
        return found

    @staticmethod
    def _room(width: int, shift: int) -> int:
        return max(80, width - WORDS - shift - RIGHT)

    def height_of(self, row: Row, width: int, opened: bool) -> int:
        """How tall a row is in a pane of `width`."""
        if not opened:
            return HEIGHT
        paragraphs, shift = self._paragraphs(row), INDENT if row.follows else 0
        further, room = self._further(row, width, shift), self._room(width, shift)
        if not paragraphs:
            return HEIGHT + further
        return HEIGHT + further + sum(_wrapped(words, font, room)[1] + 4 for words, font, _ in paragraphs) + 4

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, HEIGHT)


def follows_words(rule: str, room: int) -> str:
    """From which rule a finding follows, in words that leave room for its name."""
    whole = f"follows from {rule}"
    return whole if fonts.text_width(fonts.ui_font(fonts.SECONDARY, italic=True), whole) <= room else f"from {rule}"


def _title_font(row: Row) -> QFont:
    named = row.rule is not None
    return fonts.wire_font(fonts.BODY, 600) if named else fonts.ui_font_for(row.title, fonts.BODY, 600)


def _chips(row: Row) -> list[tuple[str, str, str]]:
    """The chips behind a title: what a click does, words and icon."""
    muted = [("unmute", "muted", "")] if row.muted else []
    return [*muted, *([("literal" if offers_literal(row) else "", row.mended, "wand")] if row.mended else [])]


def offers_literal(row: Row) -> bool:
    """Whether the literal reading shows something else: what is inferred from times alone is read alike."""
    return bool(row.mended) and not (row.rule or "").startswith("time-")


def _head_width(row: Row) -> int:
    """How wide title and chips are."""
    title = round(fonts.text_width(_title_font(row), visible(row.title)))
    return title + sum(chip_width(words, icon) + CHIP_GAP for _, words, icon in _chips(row))


# words between backticks are the wire's, and drawn so


def _wrapped(text: str, font: QFont, width: int) -> tuple[QTextLayout, int]:
    """Text broken into lines of `width`, ready to be drawn, and its height."""
    plain, formats, at = "", [], 0
    for number, part in enumerate(text.split("`")):
        if number % 2:
            wire = QTextLayout.FormatRange()
            wire.start, wire.length = at, len(part)
            wire.format = QTextCharFormat()
            wire.format.setFont(fonts.wire_font(font.pixelSize()))
            formats.append(wire)
        plain += part
        at += len(part)
    layout = QTextLayout(plain, font)
    layout.setTextOption(_ANYWHERE)
    layout.setFormats(formats)
    layout.beginLayout()
    height = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, height))
        height += line.height()
    layout.endLayout()
    return layout, round(height)
