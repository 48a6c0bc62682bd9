"""The way back: which wider views the one in sight was reached through, and how they are told beside the overview."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from inspector_app.core.text import THIN_SPACE, number
from inspector_app.ui import fonts
from inspector_app.ui.labels import draw_text
from inspector_app.ui.theme import Theme
from inspector_app.ui.timeline import clock
from inspector_app.ui.timeline.model import Axis
from inspector_app.ui.timeline.view import LABELS, OVERVIEW, View

STEP = 3.0
"""How much closer a view is than the one before it on the trail: a wheel would leave a crumb at every notch."""
LEFT, RIGHT = 16, LABELS - 10
ALL, MORE, NEXT = "All", "…", "›"
GAP = 4


def trail_to(trail: Sequence[View], view: View, whole: View) -> tuple[View, ...]:
    """The trail once a view is reached: the last of it is that view, the whole recording is not on it.

    What is not around the view any more falls off; a view of the same size takes the place of the last one.
    """
    if view.per_pixel >= whole.per_pixel:
        return ()
    kept = [before for before in trail if before.per_pixel > view.per_pixel and _around(before, view)]
    while kept and (kept[-2] if len(kept) > 1 else whole).per_pixel < STEP * kept[-1].per_pixel:
        kept.pop()  # It is no step away from the one before: the view goes on from there.
    return (*kept, view)


def _around(outer: View, inner: View) -> bool:
    slack = inner.per_pixel * inner.width / 2
    return outer.start - slack <= inner.start and inner.end <= outer.end + slack


def span_words(axis: Axis, view: View) -> str:
    """What a view shows: "2.10–3.90 s", "120–340" where the axis is an order."""
    first, last = max(view.start, axis.span[0]), min(view.end, axis.span[1])
    if not axis.measured:
        return f"{number(max(0, round(first)))}–{number(max(0, round(last)))}"
    major = clock.step(max(1.0, (last - first) / 20))
    if last < clock.SECOND:
        return f"{clock.tick(round(first), major).partition(THIN_SPACE)[0]}–{clock.tick(round(last), major)}"
    least = max(clock.SECOND * 1.0, first)  # Both ends in seconds.
    begin = "0" if first <= 0 else clock.tick(round(least), major).partition(THIN_SPACE)[0]
    if 0 < first < clock.SECOND:
        begin = f"{first / clock.SECOND:.2f}"
    return f"{begin}–{clock.tick(round(last), major)}"


def placed(axis: Axis, trail: Sequence[View]) -> list[tuple[QRect, str, int]]:
    """The crumbs that have room: box, words, and how many steps of the trail remain after a click; 0 is the whole.

    The last one is where one is. Where not all fit, those in the middle are one that leads to the last it stands for.
    """
    words = [ALL, *(span_words(axis, view) for view in trail)]
    font = fonts.ui_font(fonts.SECONDARY)
    between = round(fonts.text_width(font, NEXT)) + 2 * GAP
    shown = [(text, place) for place, text in enumerate(words)]
    for dropped in range(len(words) - 1):
        if dropped:
            shown = [(ALL, 0), (MORE, dropped), *((words[place], place) for place in range(1 + dropped, len(words)))]
        widths = [round(fonts.text_width(font, text)) for text, _ in shown]
        if LEFT + sum(widths) + between * (len(widths) - 1) <= RIGHT:
            break
    found, at = [], LEFT
    for text, place in shown:
        text = fonts.elided(font, text, max(RIGHT - at, 0))
        width = round(fonts.text_width(font, text))
        found.append((QRect(at, 0, width, OVERVIEW - 1), text, place))
        at += width + between
    return found


def paint_crumbs(painter: QPainter, theme: Theme, axis: Axis, trail: Sequence[View], hovered: int | None) -> None:
    """The trail in the place of the overview's name; nothing while all is in sight."""
    if not trail:
        return
    painter.fillRect(QRect(0, 0, LABELS - 8, OVERVIEW - 1), theme.color("bg.panel"))
    font, base = fonts.ui_font(fonts.SECONDARY), fonts.baseline(0, OVERVIEW)
    for box, words, place in placed(axis, trail):
        here = place == len(trail)
        draw_text(painter, box.left(), base, words, font, theme.color("ink.1" if here else "accent"))
        if here:
            continue
        if place == hovered:
            painter.fillRect(QRect(box.left(), base + 2, box.width(), 1), theme.color("accent"))
        draw_text(painter, box.left() + box.width() + GAP, base, NEXT, font, theme.color("ink.3"))


def crumb_at(axis: Axis, trail: Sequence[View], x: int, y: int) -> int | None:
    """How many steps remain after a click at a pixel; None where no crumb is, or the one where one is."""
    for box, _, place in placed(axis, trail) if trail else ():
        if box.adjusted(-GAP, 0, GAP, 0).contains(x, y) and place < len(trail):
            return place
    return None
