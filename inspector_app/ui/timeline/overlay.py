"""What moves over the page: play head, selection, the outline under the pointer and its tip."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from math import ceil

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from inspector_app.core.text import duration, number
from inspector_app.ui import fonts
from inspector_app.ui.icons import MEANING_ICONS, SMALL, draw_icon
from inspector_app.ui.labels import draw_text, rounded
from inspector_app.ui.marks import SEVERITY_ICONS
from inspector_app.ui.theme import Theme
from inspector_app.ui.timeline import clock, hit
from inspector_app.ui.timeline.bars import bar_rect, end_word, paint_title, title_patch, title_rect
from inspector_app.ui.timeline.hit import Hit
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.model import Axis
from inspector_app.ui.timeline.rate import room_of_numbers
from inspector_app.ui.timeline.ruler import UNTIMED
from inspector_app.ui.timeline.view import LABELS, TOP, View
from inspector_app.ui.timeline.waits import WAITS, wait_words

Detail = Callable[[int], tuple[str, str]]
"""Event -> where it was read from and its byte range, for the last line of a tip."""

Tip = tuple[str, str, str, str, tuple[str, str]]
"""Mark, the item itself, its event, when and what of it, and its origin."""

TIP_PAD, TIP_LINE, TIP_LEAST, TIP_MOST = 12, 17, 180, 420
LONGEST_QUOTE = 48


def paint_play_head(
    painter: QPainter, theme: Theme, lanes: Sequence[LaneIndex], view: View, x: int, height: int, down: int
) -> None:
    """The line of the selected event. It passes under the titles of the blocks and the numbers of the rate."""
    numbers = room_of_numbers(lanes, view, down)
    whole = QRect(x, TOP - 4, 1, height - TOP + 4)
    under = whole.intersected(numbers)
    below = under.top() + under.height()
    parts = [whole] if under.isEmpty() else [
        QRect(x, whole.top(), 1, under.top() - whole.top()), QRect(x, below, 1, height - below)
    ]  # fmt: skip
    for part in parts:
        painter.fillRect(part, theme.color("accent"))
    for row, index in enumerate(lanes):
        top = TOP + view.row(row, down)
        ceiling, floor = (TOP + edge for edge in view.seen(row))
        at = index.bar_at(view.position(x)) if ceiling <= top <= floor - view.height(row) else None
        if at is None:
            continue
        bar = index.bars[at]
        if index.detail(view) != "middle" or bar.missing:
            continue
        rect = title_rect(index, at, view, top, view.lane)
        _, patch = title_patch(bar, rect)
        if patch.contains(x, rect.top() + 2):
            painter.save()
            painter.setClipRect(QRect(x, rect.top() + 1, 1, rect.height() - 2))
            painter.fillRect(patch, theme.meaning(bar.meaning).fill)
            paint_title(painter, theme, bar, rect)
            painter.restore()


def item_rect(index: LaneIndex, found: Hit, view: View, down: int) -> QRect:
    """The box of an item: the fragment of a bar where fragments are told apart."""
    top = TOP + view.row(found.lane, down)
    if found.kind != "bar":
        x = view.x(hit.position_of(index, found))
        half = 4 if found.kind == "tick" else SMALL // 2 + 2
        return QRect(x - half, top + 2, 2 * half + 1, view.height(found.lane) - 4)
    rect = bar_rect(index, found.number, view, top, view.lane)
    fragments = index.bars[found.number].fragments
    if found.fragment < 0 and len(fragments):
        gap = min(view.x(fragments[0]) - rect.left(), rect.width())
        return QRect(rect.left(), rect.top(), max(gap, 2), rect.height())
    if index.detail(view) != "near" or len(fragments) < 2:
        return rect
    left = max(view.x(fragments[found.fragment]), rect.left())
    right = rect.left() + rect.width()
    if found.fragment + 1 < len(fragments):
        right = min(view.x(fragments[found.fragment + 1]) + 1, right)
    return QRect(left, rect.top(), max(right - left, 2), rect.height())


def paint_selected(painter: QPainter, theme: Theme, rect: QRect) -> None:
    """The one selection: 2 px around the block."""
    box = rect.adjusted(-2, -2, 2, 2)
    if box.left() < LABELS:
        box.setLeft(LABELS)
    rounded(painter, box, None, theme.color("accent"), 3, 2)


def paint_hovered(painter: QPainter, theme: Theme, rect: QRect) -> None:
    """Around what is under the pointer."""
    rounded(painter, rect, None, theme.color("ink.1"), 3, 1.5)


def paint_lane_focus(painter: QPainter, theme: Theme, view: View, lane: int, down: int) -> None:
    """Around the label of the lane that the keys act on."""
    box = QRect(2, TOP + view.row(lane, down) + 1, LABELS - 5, view.height(lane) - 3)
    rounded(painter, box, None, theme.color("focus"), 4, 2)


def tip_lines(axis: Axis, index: LaneIndex, found: Hit, detail: Detail | None) -> Tip:
    """What the tip of an item says."""
    lane, event = index.lane, hit.event_of(index, found)
    where = "" if event is None else f"event {number(event)}"
    when = _when(axis, index, found)
    origin = detail(event) if detail is not None and event is not None else ("", "")
    if found.kind == "mark":
        fault = index.marks[found.number]
        times = f"×{number(fault.count)}" if fault.count > 1 else ""
        times = _joined(times, "muted") if fault.muted else times
        head = fault.words or fault.rule
        return fault.icon or SEVERITY_ICONS[fault.severity], head, where, _joined(when, times), ("", "")
    if found.kind == "tick" and lane.curve is not None:
        rate, counted = lane.curve.told(index.ticks[found.number])
        return lane.icon, rate, where, _joined(when, lane.note), (counted, "")
    if found.kind == "tick" and lane.key == WAITS:
        return lane.icon, *_wait_words(index, found.number, where), ("", "")
    if found.kind == "tick":
        of = f"{number(found.number + 1)} of {number(len(index.ticks))}"
        weight = f"{number(lane.weights[found.number])} bytes" if found.number < len(lane.weights) else ""
        together = _together(axis, index, found.number)
        return lane.icon, f"{lane.title} {of}", where, _joined(when, weight, together), origin
    bar = index.bars[found.number]
    if found.fragment < 0:
        return "brackets", f"{', '.join(bar.missing)} missing", where, when, origin
    word = bar.word(found.fragment)[:LONGEST_QUOTE]
    count = len(bar.fragments)
    part = f"delta {number(found.fragment + 1)} of {number(count)}" if count > 1 else ""
    cut = end_word(bar)[0] or ("repaired" if bar.repaired else "")
    cut = _joined(_shared(axis, index, found.number), "closed too early" if bar.closed_early else cut)
    title = bar.title.partition(" · ")[0]
    mark = bar.icon or MEANING_ICONS.get(bar.meaning, "info")
    if not word:
        return mark, bar.title, where, _joined(when, part, cut), origin
    return mark, f'"{word}"', where, _joined(when, title, part, cut), origin


def _wait_words(index: LaneIndex, number_: int, where: str) -> tuple[str, str, str]:
    head, span = wait_words(index, number_)
    return head, where, span


def _together(axis: Axis, index: LaneIndex, number_: int) -> str:
    """How many events a read brought, or how many came at the time of this one."""
    if not axis.measured:
        return ""
    events = index.lane.events
    if index.lane.key == "reads":
        count = events[number_] - (events[number_ - 1] if number_ else -1) if number_ < len(events) else 0
        return f"{number(count)} event{'' if count == 1 else 's'}" if count else ""
    time = index.ticks[number_]
    count = bisect_right(index.ticks, time) - bisect_left(index.ticks, time)
    return f"{number(count)} at this time" if count > 1 else ""


def _shared(axis: Axis, index: LaneIndex, number_: int) -> str:
    """Which of the blocks of one moment a bar is."""
    first, after = index.shared(number_)
    place = f"block {number(number_ - first + 1)} of {number(after - first)}"
    return f"{place} at this {'time' if axis.measured else 'place'}" if after - first > 1 else ""


def _when(axis: Axis, index: LaneIndex, found: Hit) -> str:
    if not axis.measured:
        return ""
    position, event = hit.position_of(index, found), hit.event_of(index, found)
    if event is not None and not axis.timed(event):
        return UNTIMED
    words = clock.moment(position)
    before = hit.beside((index,), 0, position, found._replace(lane=0), -1)
    if before is None:
        return words
    return f"{words}  +{duration(position - hit.position_of(index, before))}"


def _joined(*parts: str) -> str:
    return "  ".join(part for part in parts if part)


def paint_tip(
    painter: QPainter, theme: Theme, index: LaneIndex, found: Hit, lines: Tip, at: QRect, area: QRect
) -> None:
    """The tip of an item whose box is `at`, inside `area`, where it hides the least."""
    mark, head, event, second, (origin, span) = lines
    wire, small = fonts.wire_font(fonts.BODY), fonts.ui_font(fonts.SECONDARY)
    path = fonts.wire_font(fonts.SECONDARY)
    rule = found.kind == "mark" and not index.marks[found.number].words
    head_font = wire if head.startswith('"') or rule else fonts.ui_font_for(head, fonts.BODY, 500)
    rows = 1 + bool(second) + bool(origin or span)
    widths = (
        22 + fonts.text_width(head_font, head) + 16 + fonts.text_width(small, event),
        fonts.text_width(small, second),
        fonts.text_width(path, origin) + 16 + fonts.text_width(small, span),
    )
    width = min(max(ceil(max(widths)) + 2 * TIP_PAD + 1, TIP_LEAST), TIP_MOST)
    size = rows * TIP_LINE + 12
    left = min(max(at.center().x() - width // 2, area.left()), area.right() - width)
    below = at.bottom() + 6
    top = below if below + size <= area.bottom() else max(at.top() - 6 - size, area.top())
    box = QRect(left, top, width, size)
    for grow in (3, 2, 1):
        rounded(painter, box.adjusted(-grow, 2 - grow, grow, 2 + grow), theme.veil("ink.1", 0.04), None, 8 + grow)
    rounded(painter, box, theme.color("bg.raised"), theme.color("line.strong"), 8)
    x, right, line = left + TIP_PAD, left + width - TIP_PAD, top + 20
    if mark:
        color = theme.meaning(_mark_meaning(index, found)).line
        draw_icon(painter, x, line - 11, mark, color, SMALL)
    room = right - x - 22 - 12 - round(fonts.text_width(small, event))
    draw_text(painter, x + 22, line, fonts.elided(head_font, head, room), head_font, theme.color("ink.1"))
    _right(painter, right, line, event, theme)
    if second:
        line += TIP_LINE
        draw_text(painter, x, line, fonts.elided(small, second, right - x), small, theme.color("ink.1"))
    if origin or span:
        line += TIP_LINE
        room = right - x - 16 - round(fonts.text_width(small, span))
        draw_text(painter, x, line, fonts.elided(path, origin, room), path, theme.color("ink.3"))
        _right(painter, right, line, span, theme)


def _right(painter: QPainter, right: int, line: int, words: str, theme: Theme) -> None:
    font = fonts.ui_font(fonts.SECONDARY)
    draw_text(painter, right - fonts.text_width(font, words), line, words, font, theme.color("ink.3"))


def _mark_meaning(index: LaneIndex, found: Hit) -> str:
    if found.kind == "mark":
        return index.marks[found.number].severity
    if found.kind == "tick":
        return index.lane.icon
    bar = index.bars[found.number]
    return "error" if found.fragment < 0 else bar.meaning
