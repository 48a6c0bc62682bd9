"""How the parts of the drawer are drawn: the table of kinds with its head, the key figures, the list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector_app.core.timing import BINS
from inspector_app.ui import fonts, marks
from inspector_app.ui.drawer.rows import FIRST_BYTE, IN_TIME, NONE, TITLES, Figure, Item, Line
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import draw_text, rounded
from inspector_app.ui.theme import MEANINGS, Look, Theme
from inspector_app.ui.views.empty import paint_empty
from inspector_app.ui.views.timing_parts import BAR_GAP, COUNTS, LABELS, PERCENTILES, Histogram

ROW, HEAD_ROW = 22, 24
LEFT, RIGHT, WORDS = 16, 16, 38
ROOMY, WIDE = 600, 700
LEAST_SHARE, BAR = 40, 6
FIGURES, LOW_FIGURES = 72, 46
"""With what a figure is of the whole, and without."""
WIDEST, TALLEST = 44, 220
"""Pixels of a bar of the histogram at most, with the gap beside it."""


class Places(NamedTuple):
    """Right edges of the columns of numbers, and the box of the share, which is left out where it has no room."""

    cells: tuple[int, int, int, int]
    share: tuple[int, int]
    ends: tuple[int, int]


def places(width: int) -> Places:
    """The columns in a table so wide."""
    kind, each = (150, 72) if width >= WIDE else (132, 60) if width >= ROOMY else (98, 51)
    cells = tuple(LEFT + kind + each * at for at in range(1, 5))
    last = width - RIGHT
    first = last - (74 if width >= ROOMY else 62)
    left, right = cells[3] + 24, first - 58
    return Places(cells, (left, right) if right - left >= LEAST_SHARE else (left, left), (first, last))  # type: ignore[arg-type]


def _right(painter: QPainter, right: int, base: int, words: str, font, color) -> None:
    draw_text(painter, right - fonts.text_width(font, words), base, words, font, color)


class KindHead(QWidget):
    """The titles above the table of kinds."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._ends: tuple[str, ...] = IN_TIME
        self._share = TITLES[5]
        self.setFixedHeight(HEAD_ROW)
        look.changed.connect(self.update)

    def show_titles(self, share: str, ends: tuple[str, ...]) -> None:
        """What the last three columns are called."""
        self._share, self._ends = share, ends
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, at = self._look.theme, places(self.width())
        font, ink, base = fonts.ui_font(fonts.SECONDARY), theme.color("ink.3"), fonts.baseline(0, HEAD_ROW)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.pane"))
            draw_text(painter, LEFT, base, TITLES[0], font, ink)
            for right, words in zip(at.cells, TITLES[1:5], strict=True):
                _right(painter, right, base, words, font, ink)
            room = at.share[1] - at.share[0]
            if room > 0:
                words = self._share if fonts.text_width(font, self._share) <= room else "share"
                draw_text(painter, at.share[0], base, words, font, ink)
            room = at.ends[0] - max(at.cells[-1], at.share[1] if room > 0 else 0) - 8
            long = max(fonts.text_width(font, words) for words in self._ends) > min(room, at.ends[1] - at.ends[0] - 8)
            for right, words in zip(at.ends, self._ends):
                _right(painter, right, base, words.partition(" ")[0] if long else words, font, ink)
            painter.fillRect(QRect(0, HEAD_ROW - 1, self.width(), 1), theme.color("line"))


def paint_line(painter: QPainter, theme: Theme, rect: QRect, line: Line, stale: bool) -> None:
    """A row of the table of kinds."""
    at, base = places(rect.width()), fonts.baseline(rect.top(), rect.height())
    quiet = line.empty or stale
    ink = theme.color("ink.3" if quiet else "ink.1")
    if line.icon:
        mark = theme.meaning(line.icon).line if line.icon in MEANINGS else theme.color("ink.2")
        draw_icon(painter, rect.left() + LEFT, rect.top() + (rect.height() - SMALL) // 2, line.icon, mark, SMALL)
    font = fonts.ui_font(fonts.BODY, 600 if line.style == "all" else 500)
    waits = line.style == "waits"
    limit = at.cells[3] if waits else at.cells[0] - (30 if rect.width() >= ROOMY else 18)
    words = fonts.elided(font, line.words, limit - WORDS)
    end = rect.left() + WORDS + draw_text(painter, rect.left() + WORDS, base, words, font, ink)
    wire = fonts.wire_font(fonts.BODY)
    for right, cell in zip(at.cells, line.cells, strict=True):
        if not waits or end < rect.left() + right - 16:
            none = theme.color("ink.3")
            _right(painter, rect.left() + right, base, cell, wire, none if cell == NONE else ink)
    for right, cell in zip(at.ends, (line.first, line.last), strict=True):
        _right(painter, rect.left() + right, base, cell, wire, theme.color("ink.3") if cell == NONE else ink)
    if line.style != "all":
        _paint_share(painter, theme, QRect(rect.left() + at.share[0], rect.top() + (rect.height() - BAR) // 2,
                                           at.share[1] - at.share[0], BAR), line)  # fmt: skip


def _paint_share(painter: QPainter, theme: Theme, track: QRect, line: Line) -> None:
    """Where in the range it came."""
    if track.width() <= 0:
        return
    rounded(painter, track, theme.color("bg.sunken"), None, 3)
    after = -1
    for start, end in line.spans:
        left = max(round(start * track.width()), after)
        right = min(max(round(end * track.width()), left + 2), track.width())
        if right <= left:
            continue
        after = right
        box = QRect(track.left() + left, track.top(), right - left, track.height())
        if line.style == "waits":
            painter.fillRect(box, theme.color("bg.pane"))
            marks.hatch(painter, box, theme.color("line.strong"), 4)
        else:
            rounded(painter, box, theme.meaning(line.icon).line, None, min(3, box.width() / 2))


def paint_item(painter: QPainter, theme: Theme, rect: QRect, item: Item, stale: bool) -> None:
    """A row of what happens: its mark, what it is, when at the right."""
    base = fonts.baseline(rect.top(), rect.height())
    left, right = rect.left() + LEFT, rect.left() + rect.width() - RIGHT
    small = fonts.ui_font(fonts.SECONDARY)
    width = fonts.text_width(small, item.value)
    _right(painter, right, base, item.value, small, theme.color("ink.3"))
    if item.icon:
        mark = theme.meaning(item.meaning).line if item.meaning in MEANINGS else theme.color("ink.2")
        draw_icon(painter, left, rect.top() + (rect.height() - SMALL) // 2, item.icon, mark, SMALL)
        left += 22
    font = fonts.wire_font(fonts.BODY) if item.wire else fonts.ui_font_for(item.words, fonts.BODY)
    words = fonts.elided(font, item.words, max(0, round(right - width - 12 - left)))
    quiet = stale or (item.leads is None and not item.rule)
    draw_text(painter, left, base, words, font, theme.color("ink.3" if quiet else "ink.1"))


class TallHistogram(Histogram):
    """The waits in all of the room that there is."""

    def bars(self) -> list[QRect]:
        return self._boxes(self._counts, *self._measures())

    def outlines(self) -> list[QRect]:
        return self._boxes(self._outline, *self._measures()) if any(self._outline) else []

    def paintEvent(self, event: QPaintEvent) -> None:
        if any(self._counts):
            super().paintEvent(event)
            return
        with QPainter(self) as painter:
            why = self._percentiles
            paint_empty(painter, self._look, self.rect(), "clock", "No waits", f"{why[:1].upper()}{why[1:]}.")

    def _measures(self) -> tuple[int, int]:
        """From bar to bar, and the height of the tallest."""
        pitch = min(WIDEST, (self.width() - LEFT - RIGHT + BAR_GAP) // len(BINS))
        return pitch, min(max(8, self.height() - COUNTS - LABELS - PERCENTILES), TALLEST)


class Figures(QWidget):
    """Key figures side by side, each with what it is of the whole below."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.figures: Sequence[Figure] = ()
        self._stale = False
        self.setAccessibleName("Key figures")
        self.setFixedHeight(FIGURES)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def show_figures(self, figures: Sequence[Figure], stale: bool = False) -> None:
        """Replace them; `stale` ones are being counted anew."""
        self.figures, self._stale = figures, stale
        self.setAccessibleDescription("; ".join(figure.spoken for figure in figures))
        self.update()

    def be_low(self, low: bool) -> None:
        """Leave out what the figures are of the whole, where there is little room."""
        self.setFixedHeight(LOW_FIGURES if low else FIGURES)

    def sizeHint(self) -> QSize:
        return QSize(440, FIGURES)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        large, small = fonts.ui_font(fonts.FIGURE, 600), fonts.ui_font(fonts.SECONDARY)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.pane"))
            if not self.figures:
                return
            each = (self.width() - LEFT - RIGHT) / len(self.figures)
            for place, figure in enumerate(self.figures):
                left, room = LEFT + round(each * place) + (16 if place else 0), round(each) - 20
                if place:
                    painter.fillRect(QRect(left - 16, 6, 1, self.height() - 14), theme.color("line.soft"))
                ink = theme.color("ink.3" if self._stale else "ink.1")
                value = fonts.elided(large, figure.value, room)
                used = draw_text(painter, left, 24, value, large, ink)
                if figure.unit and used + 4 + fonts.text_width(small, figure.unit) <= room:
                    draw_text(painter, left + used + 4, 24, figure.unit, small, theme.color("ink.2"))
                said = ((42, figure.name, "ink.2"), (58, figure.whole, "ink.3"))
                for base, words, role in said[: 1 if self.height() < FIGURES else 2]:
                    if fonts.text_width(small, words) > room:
                        words = words.replace("whole ", "of ").replace(FIRST_BYTE, "first")
                    draw_text(painter, left, base, fonts.elided(small, words, room), small, theme.color(role))
