"""Paints the notes of the user in their lane: tags with a folded corner, their first words, and what they speak of."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from inspector_app.ui import fonts
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import chip_baseline, draw_text
from inspector_app.ui.theme import Theme
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.model import Mark
from inspector_app.ui.timeline.ticks import groups
from inspector_app.ui.timeline.view import LABELS, View

NOTES = "notes"
"""The key of the lane."""
NOTE_ICON, BOOKMARK_ICON = "note", "flag"
FOLD, PAD = 5, 6
BARE, LEAST, MOST = 14, 30, 260
"""Pixels of a tag without words, of the least and the widest with words."""
APART = 3


class Tag(NamedTuple):
    """Where the tag of some notes stands, and what it says."""

    left: int
    right: int
    words: str
    marks: list[Mark]


def tags(index: LaneIndex, view: View) -> list[Tag]:
    """The tags in view; words only where they have room before the next one."""
    found = groups(index, view)
    edge = LABELS + view.width
    made = []
    for at, (center, marks) in enumerate(found):
        left = center - BARE // 2
        limit = min(found[at + 1][0] - BARE // 2 - APART if at + 1 < len(found) else edge, left + MOST)
        first = marks[0]
        font = fonts.ui_font_for(first.words, fonts.SECONDARY)
        count = f"{len(marks)} · " if len(marks) > 1 else ""
        words = count + first.words if first.icon == NOTE_ICON or count else ""
        room = limit - left - PAD - PAD - FOLD // 2
        wanted = round(fonts.text_width(font, words)) + 1 if words else 0
        shown = words if wanted <= room else fonts.elided(font, words, room) if room >= LEAST else ""
        width = round(fonts.text_width(font, shown)) + 2 * PAD + FOLD // 2 if shown else BARE
        made.append(Tag(left, min(left + width, max(limit, left + BARE)), shown, marks))
    return made


def tag_at(index: LaneIndex, view: View, x: int) -> Mark | None:
    """The first note of the tag under a pixel."""
    return next((tag.marks[0] for tag in tags(index, view) if tag.left - 1 <= x <= tag.right + 1), None)


def paint_flags(painter: QPainter, theme: Theme, index: LaneIndex, view: View, top: int, height: int) -> None:
    """The notes of a lane that begins at `top`."""
    ground, line = theme.mixed("bg.pane", "ink.3", 0.22), theme.color("ink.3")
    for mark in index.marks:
        if mark.end is None or mark.position > view.end or mark.end < view.start:
            continue
        left, right = max(view.x(mark.position), LABELS), min(view.x(mark.end), LABELS + view.width)
        painter.fillRect(QRect(left, top + height - 8, max(right - left, 2), 5), ground)
        painter.fillRect(QRect(left, top + height - 4, max(right - left, 2), 2), line)
        for x, position in ((left, mark.position), (right - 1, mark.end)):
            if view.start <= position <= view.end:
                painter.fillRect(QRect(x, top + height - 9, 2, 7), line)
    for tag in tags(index, view):
        box = QRect(tag.left, top + 2, tag.right - tag.left, height - 8)
        if not tag.words and tag.marks[0].icon == BOOKMARK_ICON:
            draw_icon(painter, tag.left, top + (height - SMALL) // 2 - 1, BOOKMARK_ICON, theme.color("ink.1"), SMALL)
            continue
        paint_tag(painter, theme, box)
        if tag.words:
            font = fonts.ui_font_for(tag.words, fonts.SECONDARY)
            base = chip_baseline(box.top(), box.height())
            draw_text(painter, box.left() + PAD, base, tag.words, font, theme.color("ink.1"))


def paint_tag(painter: QPainter, theme: Theme, rect: QRect) -> None:
    """A raised tag whose upper right corner is folded."""
    left, top = rect.left() + 0.5, rect.top() + 0.5
    right, bottom = left + rect.width() - 1, top + rect.height() - 1
    fold = min(FOLD, rect.width() // 2)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("ink.3"), 1))
    painter.setBrush(theme.color("bg.raised"))
    edge = [(left, top), (right - fold, top), (right, top + fold), (right, bottom), (left, bottom)]
    painter.drawPolygon(QPolygonF([QPointF(*point) for point in edge]))
    painter.setBrush(theme.color("ink.3"))
    painter.setPen(Qt.PenStyle.NoPen)
    corner = [(right - fold, top), (right, top + fold), (right - fold, top + fold)]
    painter.drawPolygon(QPolygonF([QPointF(*point) for point in corner]))
    painter.restore()
