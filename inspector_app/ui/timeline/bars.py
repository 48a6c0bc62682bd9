"""Paints the blocks of one lane, as far, middle or near as the view is."""

from __future__ import annotations

from bisect import bisect_left

from PySide6.QtCore import QRect
from PySide6.QtGui import QFont, QPainter

from inspector_app.ui import fonts, marks
from inspector_app.ui.icons import MEANING_ICONS, draw_icon
from inspector_app.ui.labels import chip_baseline, draw_text
from inspector_app.ui.theme import Theme
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.lod import merged, spaced
from inspector_app.ui.timeline.model import Bar
from inspector_app.ui.timeline.view import LABELS, LANE, View

CONFETTI_TOP = 3
LONGEST_WORD = 80
LEAST_TITLE = 40
FIRST_WORD, NEXT_WORD = 8, 6
"""From the edge of a bar to its first word, from a hairline to the word behind it."""


def paint_bars(painter: QPainter, theme: Theme, index: LaneIndex, view: View, top: int, height: int) -> None:
    """The bars of a lane that begins at `top`."""
    level = index.detail(view)
    first, last = index.visible(view)
    if level == "far":
        _paint_far(painter, theme, index, view, top, height)
    elif level == "confetti":
        _paint_confetti(painter, theme, index, view, middle_of(view, top))
    else:
        for number in range(first, last):
            _paint_bar(painter, theme, index, number, view, top, height, level == "near")


def _paint_far(painter: QPainter, theme: Theme, index: LaneIndex, view: View, top: int, height: int) -> None:
    first, last = index.visible(view)
    for start, end, low, high in merged(index.starts, index.ends, first, last, view.per_pixel):
        rect = _box(view, start, end, top + 4, height - 8)
        marks.solid_bar(painter, theme, rect, index.bars[low].meaning)
        if index.fragmented(low, high):
            marks.underline(painter, theme, rect.left(), rect.left() + rect.width(), top + height - 3, "error")
    for position in spaced(index.flaws, view.start, view.end, 12 * view.per_pixel):
        marks.missing_box(painter, theme, QRect(view.x(position), top + 4, 10, height - 8), "")


def _paint_confetti(painter: QPainter, theme: Theme, index: LaneIndex, view: View, top: int) -> None:
    first, last = index.visible(view)
    for number in range(first, last):
        bar = index.bars[number]
        left, right = view.x(bar.start), view.x(index.ends[number])
        if bar.missing:
            marks.missing_box(painter, theme, QRect(left, top + 4, max(right - left - 1, 3), 16), "")
        else:
            width = max(right - left - 1, 2)
            marks.confetti(painter, theme, bar.meaning, left, width, top + CONFETTI_TOP, number % 2 == 1)
        if bar.closed_early:
            marks.cut_tick(painter, theme, max(right - 1, left + 2), top + 20)


def middle_of(view: View, top: int) -> int:
    """Where what is as high as a usual lane begins in a lane that begins at `top`."""
    return top + (view.lane - LANE) // 2


def bar_rect(index: LaneIndex, number: int, view: View, top: int, height: int) -> QRect:
    """The box of a bar as painted, without what lies outside the view."""
    bar = index.bars[number]
    if index.detail(view) == "confetti":
        left, right = view.x(bar.start), view.x(index.ends[number])
        return QRect(left, middle_of(view, top) + CONFETTI_TOP, max(right - left - 1, 2), 15)
    return _box(view, bar.start, index.ends[number], top + 4, height - 8)


def _box(view: View, start: float, end: float, top: int, height: int) -> QRect:
    left = max(view.x(start), LABELS)
    right = min(view.x(end), LABELS + view.width)
    return QRect(left, top, max(right - left, 2), height)


def _paint_bar(
    painter: QPainter, theme: Theme, index: LaneIndex, number: int, view: View, top: int, height: int, near: bool
) -> None:
    bar = index.bars[number]
    rect = bar_rect(index, number, view, top, height)
    gap, body = _parts(bar, rect, view)
    if body.width() > 0:
        before, beyond = bar.start < view.start, index.ends[number] > view.end
        _paint_body(painter, theme, bar, body, before, beyond)
        if near and len(bar.fragments) and bar.state != "redacted":
            _paint_words(painter, theme, bar, body, view)
        else:
            paint_title(painter, theme, bar, body)
    if gap.width() > 0:
        marks.missing_box(painter, theme, gap, ", ".join(bar.missing))
    if bar.state == "open" and rect.right() < LABELS + view.width - 1:
        tail = QRect(rect.left() + rect.width(), rect.top(), LABELS + view.width, rect.height())
        marks.open_tail(painter, theme, tail, bar.meaning)
    if bar.closed_early and index.ends[number] <= view.end:
        color = theme.color("error.line")
        draw_icon(painter, rect.left() + rect.width() - 5, top + height - 11, "scissors", color, 10)


def _parts(bar: Bar, rect: QRect, view: View) -> tuple[QRect, QRect]:
    """Where the missing fields of a bar are drawn, and where the bar itself."""
    if not bar.missing:
        return QRect(), rect
    if not len(bar.fragments):
        return rect, QRect()
    words = marks.missing_width(", ".join(bar.missing))
    arrived = min(max(view.x(bar.fragments[0]) - rect.left(), 0), rect.width())
    width = max(arrived - 2, min(words, rect.width() // 2))
    return (
        QRect(rect.left(), rect.top(), width, rect.height()),
        QRect(rect.left() + width + 2, rect.top(), rect.width() - width - 2, rect.height()),
    )


def _paint_body(painter: QPainter, theme: Theme, bar: Bar, rect: QRect, before: bool, beyond: bool) -> None:
    torn = bar.state == "truncated" and not beyond
    marks.plain_bar(
        painter, theme, rect, bar.meaning, from_before=before, goes_on=beyond, repaired=bar.repaired
    )  # fmt: skip
    if bar.state == "redacted":
        marks.redacted(painter, theme, rect, bar.meaning)
    if torn:
        marks.torn_edge(painter, theme, rect.left() + rect.width(), rect.top(), rect.height(), theme.color("bg.pane"))


def title_patch(bar: Bar, rect: QRect) -> tuple[str, QRect]:
    """As much of a bar's title as `rect` has room for, and the patch that mark and title cover; empty without room."""
    if bar.state == "redacted" or rect.width() < marks.BAR_ICON + 14:
        return "", QRect()
    room = rect.width() - marks.BAR_WORDS - 8
    font, title = _title_font(bar), bar.title[:LONGEST_WORD]
    shown = fonts.elided(font, title, room) if room >= LEAST_TITLE or fonts.text_width(font, title) <= room else ""
    width = round(fonts.text_width(font, shown))
    return shown, QRect(rect.left() + 8, rect.top() + 1, marks.BAR_WORDS - 6 + width, rect.height() - 2)


def mended_mark(index: LaneIndex, number: int, view: View, top: int, height: int) -> QRect:
    """Where the wand of a repaired bar stands; empty where none is painted."""
    bar, level = index.bars[number], index.detail(view)
    in_words = level == "near" and len(bar.fragments) > 0 and bar.state != "redacted"
    if not bar.repaired or level in ("far", "confetti") or in_words:
        return QRect()
    _, body = _parts(bar, bar_rect(index, number, view, top, height), view)
    if body.width() <= 0 or title_patch(bar, body)[1].isEmpty():
        return QRect()
    return QRect(body.left() + 5, body.top(), marks.BAR_ICON + 8, body.height())


def paint_title(painter: QPainter, theme: Theme, bar: Bar, rect: QRect) -> None:
    """The mark and the title of a bar, as far as they fit into `rect`."""
    shown, patch = title_patch(bar, rect)
    if patch.isEmpty():
        return
    ink = theme.meaning(bar.meaning).text
    mark = "wand" if bar.repaired else MEANING_ICONS.get(bar.meaning, "info")
    draw_icon(painter, rect.left() + 9, rect.top() + (rect.height() - marks.BAR_ICON) // 2, mark, ink, marks.BAR_ICON)
    line = chip_baseline(rect.top(), rect.height())
    draw_text(painter, rect.left() + marks.BAR_WORDS, line, shown, _title_font(bar), ink)


def _title_font(bar: Bar) -> QFont:
    return fonts.ui_font_for(bar.title, fonts.SECONDARY, 500)


def _paint_words(painter: QPainter, theme: Theme, bar: Bar, rect: QRect, view: View) -> None:
    colors = theme.meaning(bar.meaning)
    font = (fonts.wire_font if bar.meaning == "tool" else fonts.ui_font)(fonts.SECONDARY)
    line = chip_baseline(rect.top(), rect.height())
    limit = rect.left() + rect.width()
    at = max(0, bisect_left(bar.fragments, view.start) - 1)
    stop = min(len(bar.fragments), bisect_left(bar.fragments, view.end) + 1)
    for number in range(at, stop):
        left = max(view.x(bar.fragments[number]), rect.left())
        last = number + 1 == len(bar.fragments)
        right = limit if last else min(view.x(bar.fragments[number + 1]), limit)
        first = left - rect.left() < 3
        if not first:
            painter.fillRect(QRect(left, rect.top() + 2, 1, rect.height() - 4), colors.edge)
        word = bar.word(number)[:LONGEST_WORD].strip()
        start = left + (FIRST_WORD if first else NEXT_WORD)
        if word and start + fonts.text_width(font, word) <= right - 3:
            draw_text(painter, start, line, word, font, colors.text)
