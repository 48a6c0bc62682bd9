"""What stays while the pointer moves: the scale, the lanes with their labels, the end of the stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPixmap, QPixmapCache

from inspector_app.ui import fonts, marks
from inspector_app.ui.icons import SMALL, dots, draw_icon, has_dots
from inspector_app.ui.labels import chip_baseline, draw_chip, draw_text, rounded
from inspector_app.ui.theme import MEANINGS, Theme
from inspector_app.ui.timeline.bars import middle_of, paint_bars
from inspector_app.ui.timeline.canvas import Piece
from inspector_app.ui.timeline.flags import NOTES, paint_flags
from inspector_app.ui.timeline.here import labelled
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.model import Axis, Lane
from inspector_app.ui.timeline.rate import paint_rate
from inspector_app.ui.timeline.ruler import paint_scale
from inspector_app.ui.timeline.ticks import paint_marks, paint_spans, paint_ticks
from inspector_app.ui.timeline.view import LABELS, LANE, LONGEST_END, OVERVIEW, RIGHT_MARGIN, TOP, View
from inspector_app.ui.timeline.waits import WAITS, paint_waits

LABEL_ICON, LABEL_TEXT, BADGE_RIGHT = 16, 38, 204
BADGE_HEIGHT = 16
PIN_LEFT, PIN = 3, 10


def page_pieces(
    theme: Theme, axis: Axis, lanes: Sequence[LaneIndex], view: View, size: tuple[int, int], down: int
) -> Iterator[Piece]:
    """Everything under the overview, for a widget of `size`, to be painted one after the other: a lane is a piece.

    `down` is how far the lanes are scrolled.
    """
    height = size[1]
    yield partial(_paint_ground, theme=theme, axis=axis, view=view, size=size)
    for number, index in enumerate(lanes):
        top, tall = TOP + view.row(number, down), view.height(number)
        ceiling, floor = (TOP + edge for edge in view.seen(number))
        if tall > 0 and ceiling - tall < top < min(floor, height):
            place = top, tall, ceiling, min(floor, height)
            yield partial(_paint_lane, theme=theme, index=index, view=view, size=size, place=place)
    yield partial(_paint_frame, theme=theme, axis=axis, lanes=lanes, view=view, size=size, down=down)


def _paint_ground(painter: QPainter, theme: Theme, axis: Axis, view: View, size: tuple[int, int]) -> None:
    width, height = size
    painter.fillRect(QRect(0, OVERVIEW, width, height - OVERVIEW), theme.color("bg.pane"))
    painter.setClipRect(QRect(0, TOP, width, height - TOP))
    painter.fillRect(QRect(0, TOP, LABELS - 1, height - TOP), theme.color("bg.panel"))
    _paint_end(painter, theme, axis, view, height)
    painter.setClipping(False)


def _paint_lane(
    painter: QPainter, theme: Theme, index: LaneIndex, view: View, size: tuple[int, int], place: tuple[int, ...]
) -> None:
    """A lane from `top` on, `tall` pixels high, of which nothing is seen above the `ceiling` and below the `floor`."""
    (width, _), (top, tall, ceiling, floor) = size, place
    painter.setClipRect(QRect(0, ceiling, width, floor - ceiling))
    paint_label(painter, theme, labelled(index, view), top + (tall - LANE) // 2)
    last = index.lane.pinned and top + tall == TOP + view.ceiling
    painter.fillRect(QRect(0, top + tall - 1, width, 1), theme.color("line.strong" if last else "line.soft"))
    painter.save()
    painter.setClipRect(QRect(LABELS, top, view.width, tall), Qt.ClipOperation.IntersectClip)
    paint_plot(painter, theme, index, view, top, tall)
    painter.restore()
    if top == TOP + view.floor:
        painter.fillRect(QRect(0, top, width, 1), theme.color("line.strong"))
    painter.setClipping(False)


def _paint_frame(
    painter: QPainter,
    theme: Theme,
    axis: Axis,
    lanes: Sequence[LaneIndex],
    view: View,
    size: tuple[int, int],
    down: int,
) -> None:
    width, height = size
    painter.setClipRect(QRect(0, TOP, width, height - TOP))
    _paint_end_words(painter, theme, axis, view, down)
    if axis.empty and lanes:
        _paint_nothing(painter, theme, QRect(LABELS, TOP, width - LABELS, height - TOP))
    painter.fillRect(QRect(LABELS - 1, TOP, 1, height - TOP), theme.color("line"))
    painter.setClipping(False)
    paint_scale(painter, theme, axis, view, width)


def paint_plot(painter: QPainter, theme: Theme, index: LaneIndex, view: View, top: int, tall: int) -> None:
    """What is in a lane that begins at `top`."""
    middle = top + (tall - LANE) // 2
    if index.lane.key == WAITS:
        paint_waits(painter, theme, index, view, middle, LANE)
        paint_marks(painter, theme, index, view, middle, LANE)
        return
    paint_spans(painter, theme, index, view, middle, LANE)
    curve = index.lane.curve
    if curve is None:
        paint_ticks(painter, theme, index, view, middle, LANE)
    else:
        paint_rate(painter, theme, curve, view, QRect(LABELS, top, view.width, tall - 1))
    paint_bars(painter, theme, index, view, top, view.lane)
    paint_marks_or_flags = paint_flags if index.lane.key == NOTES else paint_marks
    paint_marks_or_flags(painter, theme, index, view, middle, LANE)


class Label(NamedTuple):
    """How a lane is called: words as shown, from where, the note's size, and whether something of them is cut."""

    icon: bool
    title: str
    note: str
    at: int
    note_px: int
    badge: QRect
    cut: bool


LABEL_WAYS = ((True, fonts.SECONDARY), (False, fonts.SECONDARY))
"""With the mark or without, and the size of the note: the first way in which all words have room is taken. Where none
is, words are cut behind the mark, in line with the labels of the other lanes: none is written smaller than those.
"""


def label_of(lane: Lane, top: int = 0) -> Label:
    """The label of a lane, for a row at `top`: its words come before its mark, which only repeats them."""
    badge, right = QRect(), BADGE_RIGHT
    if lane.badge is not None:
        width = round(fonts.text_width(fonts.ui_font(fonts.SECONDARY, 600), lane.badge)) + 10
        badge = QRect(BADGE_RIGHT - width, top + (LANE - BADGE_HEIGHT) // 2, width, BADGE_HEIGHT)
        right = badge.left() - 6
    font = fonts.ui_font_for(lane.title, fonts.BODY, 500)
    made = kept = None
    for icon, px in LABEL_WAYS:
        at = LABEL_TEXT if icon else LABEL_ICON
        title = fonts.elided(font, lane.title, right - at)
        room = int(right - at - fonts.text_width(font, title) - 6)
        small = fonts.ui_font_for(lane.note, px)
        note = lane.note if fonts.text_width(small, lane.note) <= room else fonts.elided(small, lane.note, max(room, 0))
        made = Label(icon, title, note if room > 16 else "", at, px, badge, (title, note) != (lane.title, lane.note))
        kept = made if icon else kept
        if not made.cut:
            return made
    assert kept is not None
    return kept


def label_words(lane: Lane) -> str:
    """All that a label says where it has no room for it, else nothing."""
    return " ".join(part for part in (lane.title, lane.note, lane.badge) if part) if label_of(lane).cut else ""


def paint_label(painter: QPainter, theme: Theme, lane: Lane, top: int) -> None:
    """What a lane is called, left of it: a picture that is kept, since it stays while the view moves."""
    if not has_dots(painter) or (ratio := dots(painter)) % 1:
        _paint_label(painter, theme, lane, top)
        return
    words = (lane.title, lane.note, lane.badge, lane.badge_meaning, lane.icon, lane.meaning, lane.pinned)
    key, pixmap = f"label {theme.name} {ratio} {words}", QPixmap()
    if not QPixmapCache.find(key, pixmap):
        pixmap = QPixmap(round(LABELS * ratio), round(LANE * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as inner:
            _paint_label(inner, theme, lane, 0)
        QPixmapCache.insert(key, pixmap)
    painter.drawPixmap(0, top, pixmap)


def _paint_label(painter: QPainter, theme: Theme, lane: Lane, top: int) -> None:
    label, base = label_of(lane, top), fonts.baseline(top, LANE)
    if lane.pinned:
        draw_icon(painter, PIN_LEFT, top + (LANE - PIN) // 2, "pin", theme.color("ink.3"), PIN)
    if lane.icon and label.icon:
        meaning = lane.meaning or lane.icon
        ink = theme.meaning(meaning).line if meaning in MEANINGS else theme.color("ink.2")
        draw_icon(painter, LABEL_ICON, top + (LANE - SMALL) // 2, lane.icon, ink, SMALL)
    if lane.badge is not None:
        colors, font = theme.meaning(lane.badge_meaning), fonts.ui_font(fonts.SECONDARY, 600)
        rounded(painter, label.badge, colors.fill, colors.edge, 4)
        line = chip_baseline(label.badge.top(), BADGE_HEIGHT)
        draw_text(painter, label.badge.left() + 5, line, lane.badge, font, colors.text)
    font = fonts.ui_font_for(lane.title, fonts.BODY, 500)
    at = label.at + draw_text(painter, label.at, base, label.title, font, theme.color("ink.1")) + 6
    if label.note:
        draw_text(painter, at, base, label.note, fonts.ui_font_for(lane.note, label.note_px), theme.color("ink.3"))


def _paint_nothing(painter: QPainter, theme: Theme, rect: QRect) -> None:
    """What stands in the plot of a body without events and without times."""
    strong, plain = fonts.ui_font(fonts.BODY, 600), fonts.ui_font(fonts.BODY)
    head, line = "No events", "Nothing in this body has a place in order or in time."
    width = fonts.text_width(strong, head) + 8 + fonts.text_width(plain, line)
    base = rect.top() + fonts.baseline(0, rect.height())
    at = rect.left() + max(8.0, (rect.width() - width) / 2)
    painter.fillRect(rect, theme.color("bg.pane"))
    at += draw_text(painter, at, base, head, strong, theme.color("ink.1")) + 8
    draw_text(painter, at, base, line, plain, theme.color("ink.2"))


def _paint_end(painter: QPainter, theme: Theme, axis: Axis, view: View, height: int) -> None:
    if axis.end is None or axis.end > view.end:
        return
    x = max(view.x(axis.end), LABELS)
    beyond = QRect(x, TOP, LABELS + view.width - x, height - TOP)
    marks.hatch(painter, beyond, theme.color("line.soft"), 7, 1.2)
    if axis.end >= view.start and not axis.truncated:
        painter.fillRect(QRect(x, TOP, 1, height - TOP), theme.color("line.strong"))


def _paint_end_words(painter: QPainter, theme: Theme, axis: Axis, view: View, down: int) -> None:
    if axis.end is None or not view.start <= axis.end <= view.end:
        return
    x, top = view.x(axis.end), middle_of(view, TOP - down)
    if axis.truncated:
        marks.torn_edge(painter, theme, x + 3, top, LANE, theme.color("bg.pane"))
        draw_chip(painter, theme, x + 8, top + 3, axis.end_words, "error")
        return
    font = fonts.wire_font(fonts.SMALL)
    words = axis.end_words[:LONGEST_END]
    room = LABELS + view.width + RIGHT_MARGIN - x - 6
    if words and fonts.text_width(font, words) <= room:
        width = round(fonts.text_width(font, words))
        painter.fillRect(QRect(x + 2, top + 3, width + 8, 18), theme.color("bg.pane"))
        draw_text(painter, x + 6, chip_baseline(top, LANE), words, font, theme.color("ink.2"))
