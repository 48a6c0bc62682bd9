"""Paints the blocks of one lane, as far, middle or near as the view is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from PySide6.QtCore import QRect
from PySide6.QtGui import QFont, QPainter

from inspector_app.ui import fonts, marks
from inspector_app.ui.icons import MEANING_ICONS, draw_icon
from inspector_app.ui.labels import chip_baseline, chip_width, draw_chip, draw_text
from inspector_app.ui.theme import Theme, known
from inspector_app.ui.timeline.boxes import Box, box_of
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.lod import merged, spaced
from inspector_app.ui.timeline.model import Bar
from inspector_app.ui.timeline.view import FAR, LABELS, LANE, View

CONFETTI_TOP = 3
STUB_TINT = 0.55
TORN = {"truncated": ("cut", "error"), "stopped": ("stopped", "info")}
"""State of a bar that is torn -> its word, and its meaning: who stops an answer has found no fault."""
TEAR = 10
"""Pixels of a tear."""
NARROW = 3
LONGEST_WORD = 80
LEAST_TITLE, LEAST_TITLED = 40, 100
"""The least room of a title that is cut, and of a bar whose title does not go on where it has ended."""
ORDER_ONLY = "order only"
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
        number = first
        while number < last:
            _paint_bar(painter, theme, index, number, view, top, height, level == "near")
            number = index.shared(number)[1] if box_of(index, number, view).shared > 1 else number + 1
        _paint_shared(painter, theme, index, view, top, height)
        _paint_cuts(painter, theme, index, view, top + height)


def _paint_far(painter: QPainter, theme: Theme, index: LaneIndex, view: View, top: int, height: int) -> None:
    first, last = index.visible(view)
    for start, end, low, high in merged(index.starts, index.reaches, first, last, FAR * view.per_pixel):
        rect = _box(view, view.x(start), view.x(end), top + 4, height - 8)
        marks.solid_bar(painter, theme, rect, index.bars[low].meaning)
        limit = view.x(index.starts[high]) if high < len(index.starts) else LABELS + view.width
        if high - low == 1 and index.bars[low].fault:
            _paint_fault(painter, theme, index.bars[low].fault, rect, limit)
        elif rect.width() <= NARROW:
            right, base = rect.left() + rect.width() + 5, chip_baseline(top, height)
            _paint_moment(painter, theme, index.bars[low:high], right, limit, base)
        if index.fragmented(low, high) or index.faulty(low, high):
            marks.underline(painter, theme, rect.left(), rect.left() + rect.width(), top + height - 3, "error")
    for position in spaced(index.flaws, view.start, view.end, 12 * view.per_pixel):
        marks.missing_box(painter, theme, QRect(view.x(position), top + 4, 10, height - 8), "")


def _paint_moment(painter: QPainter, theme: Theme, bars: Sequence[Bar], left: int, limit: int, base: int) -> None:
    """Behind what came in one moment and is a line of its own: how much that is, where there is room."""
    count, font = sum(len(bar.fragments) for bar in bars), fonts.ui_font(fonts.SMALL)
    for words in (f"×{count} deltas", f"×{count}") if count > 1 else ():
        if left + fonts.text_width(font, words) + 4 <= limit:
            draw_text(painter, left, base, words, font, theme.color("ink.3"))
            return


def _paint_confetti(painter: QPainter, theme: Theme, index: LaneIndex, view: View, top: int) -> None:
    first, last = index.visible(view)
    for number in range(first, last):
        bar, box = index.bars[number], box_of(index, number, view)
        if bar.missing:
            marks.missing_box(painter, theme, QRect(box.left, top + 4, max(box.right - box.left - 1, 3), 16), "")
        else:
            width = max(box.right - box.left - 1, 2)
            marks.confetti(painter, theme, bar.meaning, box.left, width, top + CONFETTI_TOP, number % 2 == 1)
    for position in spaced(index.cuts, view.start, view.end, view.per_pixel):
        marks.cut_tick(painter, theme, view.x(position), top + 20)


def middle_of(view: View, top: int) -> int:
    """Where what is as high as a usual lane begins in a lane that begins at `top`."""
    return top + (view.lane - LANE) // 2


def bar_rect(index: LaneIndex, number: int, view: View, top: int, height: int) -> QRect:
    """The box of a bar as painted, without what lies outside the view."""
    box = box_of(index, number, view)
    if index.detail(view) == "confetti":
        return QRect(box.left, middle_of(view, top) + CONFETTI_TOP, max(box.right - box.left - 1, 2), 15)
    return _box(view, box.left, box.right, top + 4, height - 8)


def _box(view: View, left: int, right: int, top: int, height: int) -> QRect:
    left, right = max(left, LABELS), min(right, LABELS + view.width)
    return QRect(left, top, max(right - left, 2), height)


def _paint_bar(
    painter: QPainter, theme: Theme, index: LaneIndex, number: int, view: View, top: int, height: int, near: bool
) -> None:
    bar, box = index.bars[number], box_of(index, number, view)
    rect = bar_rect(index, number, view, top, height)
    gap, body = _parts(bar, rect, view)
    if body.width() > 0 and box.right > LABELS:
        _paint_body(painter, theme, bar, body, view, box)
        if box.shared > 1:
            _paint_count(painter, theme, bar, body, box.shared)
        elif near and bar.speaks:
            _paint_words(painter, theme, bar, body, view)
        else:
            paint_title(painter, theme, bar, _title_room(bar, body, box))
        first = index.shared(number)[0] if box.shared > 1 else number
        if bar.fault or (box.shared > 1 and index.faulty(first, first + box.shared)):
            foot = body.top() + body.height() + 1
            marks.underline(painter, theme, body.left(), body.left() + body.width(), foot, "error")
            if bar.fault and box.shared == 1:
                limit = view.x(index.starts[number + 1]) if number + 1 < len(index.starts) else LABELS + view.width
                _paint_fault(painter, theme, bar.fault, body, limit)
    if gap.width() > 0:
        marks.missing_box(painter, theme, gap, ", ".join(bar.missing))
    if bar.state == "open" and rect.right() < LABELS + view.width - 1:
        tail = QRect(rect.left() + rect.width(), rect.top(), LABELS + view.width, rect.height())
        marks.open_tail(painter, theme, tail, bar.meaning)


def _paint_fault(painter: QPainter, theme: Theme, words: str, rect: QRect, limit: int) -> None:
    """Behind a bar that cannot be used: why, where there is room up to `limit`."""
    left, height = rect.left() + rect.width() + 6, min(rect.height() - 2, 14)
    if left + chip_width(words, "", fonts.SMALL, 500) + 4 <= limit:
        top = rect.top() + (rect.height() - height) // 2
        draw_chip(painter, theme, left, top, words, "error", height=height, px=fonts.SMALL)


def _paint_shared(painter: QPainter, theme: Theme, index: LaneIndex, view: View, top: int, height: int) -> None:
    """Behind blocks side by side that came in one moment: how many, and that their places are an order, no times."""
    number, last = index.visible(view)
    font = fonts.ui_font(fonts.SMALL)
    while number < last:
        first, number = index.shared(number)
        if number - first < 2 or box_of(index, first, view).shared > 1:
            continue
        right = box_of(index, number - 1, view).right + 4
        limit = view.x(index.starts[number]) if number < len(index.starts) else LABELS + view.width
        for words in (f"×{number - first} {ORDER_ONLY}", f"×{number - first}"):
            if right + fonts.text_width(font, words) + 8 <= limit:
                draw_text(painter, right, chip_baseline(top, height), words, font, theme.color("ink.3"))
                break


def _paint_cuts(painter: QPainter, theme: Theme, index: LaneIndex, view: View, bottom: int) -> None:
    """Scissors where what closed a block came: one for all that came at once."""
    color = theme.color("error.line")
    for position in spaced(index.cuts, view.start, view.end, view.per_pixel):
        draw_icon(painter, view.x(position) - 5, bottom - 11, "scissors", color, 10)


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


def _paint_body(painter: QPainter, theme: Theme, bar: Bar, rect: QRect, view: View, box: Box) -> None:
    edge, limit = rect.left() + rect.width(), LABELS + view.width
    before, beyond = bar.start < view.start, box.close > limit
    close = min(max(box.close, rect.left()), edge)
    if close < edge:
        _paint_stub(painter, theme, bar, QRect(close, rect.top(), edge - close, rect.height()))
    if close - rect.left() >= 3:
        solid = QRect(rect.left(), rect.top(), close - rect.left(), rect.height())
        marks.plain_bar(
            painter, theme, solid, bar.meaning, from_before=before, goes_on=beyond, repaired=bar.repaired
        )  # fmt: skip
    elif not before:
        painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.meaning(bar.meaning).line)
    if bar.state == "redacted":
        marks.redacted(painter, theme, rect, bar.meaning)
    if bar.torn and not beyond:
        words, meaning = end_word(bar)
        marks.torn_edge(painter, theme, edge, rect.top(), rect.height(), theme.color("bg.pane"), meaning)
        chip = _cut_chip(bar, rect)
        if not chip.isEmpty():
            draw_chip(painter, theme, chip.left(), chip.top(), words, meaning, height=chip.height(), px=fonts.SMALL)


def _paint_stub(painter: QPainter, theme: Theme, bar: Bar, rect: QRect) -> None:
    """Room to be seen and to hold a word, which is no time: pale, between dots, and open at its end."""
    painter.fillRect(rect, theme.mixed("bg.pane", f"{known(bar.meaning)}.fill", STUB_TINT))
    for y in (rect.top(), rect.top() + rect.height() - 1):
        marks.dashes(painter, rect.left(), rect.left() + rect.width(), y, theme.meaning(bar.meaning).edge, 1, 2)


def _paint_count(painter: QPainter, theme: Theme, bar: Bar, rect: QRect, count: int) -> None:
    """How many blocks a stub stands for."""
    words, font = f"×{count}", fonts.ui_font(fonts.SMALL, 600)
    if fonts.text_width(font, words) + FIRST_WORD <= rect.width():
        line = chip_baseline(rect.top(), rect.height())
        draw_text(painter, rect.left() + FIRST_WORD, line, words, font, theme.meaning(bar.meaning).text)


def _cut_chip(bar: Bar, rect: QRect) -> QRect:
    """Where a bar says that it is torn; empty where it has no room beside its mark."""
    width = chip_width(end_word(bar)[0], "", fonts.SMALL, 500) if bar.torn else 0
    if not bar.torn or rect.width() < width + marks.BAR_WORDS + TEAR:
        return QRect()
    height = min(rect.height() - 2, 14)
    return QRect(rect.left() + rect.width() - TEAR - width, rect.top() + (rect.height() - height) // 2, width, height)


def end_word(bar: Bar) -> tuple[str, str]:
    """What is said of a bar that is torn or cannot be used, and the meaning of that."""
    return TORN[bar.state] if bar.torn else (bar.fault, "error")


def _title_room(bar: Bar, rect: QRect, box: Box) -> QRect:
    """The room of the title: what is time, where that is enough, without the chip at the end of a bar that is cut."""
    chip = _cut_chip(bar, rect)
    close = min(box.close, rect.left() + rect.width())
    right = close if close - rect.left() >= LEAST_TITLED else rect.left() + rect.width()
    return QRect(rect.left(), rect.top(), (right if chip.isEmpty() else chip.left()) - rect.left(), rect.height())


def title_rect(index: LaneIndex, number: int, view: View, top: int, height: int) -> QRect:
    """The room in which the title of a bar is painted that has all its fields."""
    rect = bar_rect(index, number, view, top, height)
    return _title_room(index.bars[number], rect, box_of(index, number, view))


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
    if not bar.repaired or level in ("far", "confetti") or (level == "near" and bar.speaks):
        return QRect()
    _, body = _parts(bar, bar_rect(index, number, view, top, height), view)
    if body.width() <= 0 or title_patch(bar, _title_room(bar, body, box_of(index, number, view)))[1].isEmpty():
        return QRect()
    return QRect(body.left() + 5, body.top(), marks.BAR_ICON + 8, body.height())


def paint_title(painter: QPainter, theme: Theme, bar: Bar, rect: QRect) -> None:
    """The mark and the title of a bar, as far as they fit into `rect`."""
    shown, patch = title_patch(bar, rect)
    if patch.isEmpty():
        return
    ink = theme.meaning(bar.meaning).text
    mark = "wand" if bar.repaired else bar.icon or MEANING_ICONS.get(bar.meaning, "info")
    draw_icon(painter, rect.left() + 9, rect.top() + (rect.height() - marks.BAR_ICON) // 2, mark, ink, marks.BAR_ICON)
    line = chip_baseline(rect.top(), rect.height())
    draw_text(painter, rect.left() + marks.BAR_WORDS, line, shown, _title_font(bar), ink)


def _title_font(bar: Bar) -> QFont:
    return fonts.ui_font_for(bar.title, fonts.SECONDARY, 500)


def _paint_words(painter: QPainter, theme: Theme, bar: Bar, rect: QRect, view: View) -> None:
    colors = theme.meaning(bar.meaning)
    font = (fonts.wire_font if bar.meaning == "tool" else fonts.ui_font)(fonts.SECONDARY)
    line = chip_baseline(rect.top(), rect.height())
    chip = _cut_chip(bar, rect)
    limit = rect.left() + rect.width() if chip.isEmpty() else chip.left()
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
