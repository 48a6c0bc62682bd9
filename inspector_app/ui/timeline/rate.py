"""How fast something came, as a curve: the amount within a window that ends at each moment.

The sums are those of all entries up to one, so a moment costs two bisections, whatever came in between.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from inspector_app.core.rates import CHARACTERS_A_TOKEN
from inspector_app.core.text import duration, number
from inspector_app.ui import fonts
from inspector_app.ui.labels import draw_text
from inspector_app.ui.theme import Theme
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.view import LABELS, TOP, View

RATE_LANE, LEAST_RATE, TALLEST_RATE = 48, 28, 72
"""Pixels: where there is room, where there is little, and in a timeline that stands alone."""
SECOND = 1_000_000_000
WINDOWS = tuple(SECOND // part for part in (1, 2, 5, 10, 20, 50, 100))
"""Lengths of the window, the longest first."""
PARTS = 4
"""A stream is at least so many windows long, or as near to it as the shortest window gets."""

NICE = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
STEP = 2
"""Pixels from one point of the curve to the next."""
LONGEST = 20
"""Points of the curve that are drawn at once."""
ABOVE, BELOW = 7, 3
NUMBERS, NUMBERS_ROOM = 8, 20
LEAST_APART = 11
FILL = 0.8


@dataclass(slots=True)
class Curve:
    """What came: entry i at `times[i]` (ns, never falling), of the meaning `meanings[codes[i]]`. Each of `sums` holds
    one more number than there are entries, the amount before each and after the last; an amount counts `weights` times.
    `words` is the unit of what is shown, `hint` what is to be known of how it was counted, with a place ({}) for the
    guess at tokens where characters are shown. Nothing is known after `until`.
    """

    times: Sequence[int]
    codes: Sequence[int]
    meanings: Sequence[str]
    sums: tuple[Sequence[int], Sequence[int]]
    weights: tuple[float, float]
    words: str
    hint: str
    window: int
    until: int

    def within(self, before: float, until: float) -> float:
        """The amount after one moment and up to another."""
        low, high = bisect_right(self.times, before), bisect_right(self.times, until)
        return sum(max(0, column[high] - column[low]) * weight for column, weight in zip(self.sums, self.weights))

    def counted(self, before: float, until: float) -> int:
        """The characters after one moment and up to another, whatever they weigh."""
        low, high = bisect_right(self.times, before), bisect_right(self.times, until)
        return sum(max(0, column[high] - column[low]) for column in self.sums)

    def rate(self, moment: float, window: float | None = None) -> float:
        """The amount a second in the window that ends at a moment."""
        window = self.window if window is None else window
        return self.within(moment - window, moment) * SECOND / window

    def meaning_at(self, moment: float) -> str:
        """What came last at a moment; before the first entry what is going to come."""
        at = max(0, bisect_right(self.times, moment) - 1)
        return self.meanings[self.codes[at]]

    def told(self, moment: float) -> tuple[str, str]:
        """The rate at a moment, and how it was counted."""
        rate = self.rate(moment)
        return f"{rounded_rate(rate)} {self.words}", self.hint.format(rounded_rate(rate / CHARACTERS_A_TOKEN))

    @property
    def note(self) -> str:
        """The window in words."""
        return f"{window_words(self.window)} window"


class Point(NamedTuple):
    """A pixel, the rate there, and what came."""

    x: int
    rate: float
    meaning: str


def window_of(first: int, last: int) -> int:
    """The window for what came between two moments."""
    return next((window for window in WINDOWS if window * PARTS <= last - first), WINDOWS[-1])


def window_words(window: int) -> str:
    """1 s, 200 ms, 10 ms."""
    return duration(window).replace(".00", "").replace(".0", "")


def tall_lane(lanes: Sequence[LaneIndex]) -> int:
    """The lane that holds a curve, -1 for none."""
    return next((place for place, index in enumerate(lanes) if index.lane.curve is not None), -1)


def room_of_numbers(lanes: Sequence[LaneIndex], view: View, down: int) -> QRect:
    """Where the numbers of the guides stand, `down` pixels being scrolled away; empty where there is no curve."""
    tall = tall_lane(lanes)
    if tall < 0:
        return QRect()
    return QRect(LABELS + NUMBERS - 2, TOP + view.row(tall, down), NUMBERS_ROOM, view.height(tall))


def height_of_rate(lane: int, room: int) -> int:
    """How high the lane of a curve is beside others of height `lane` when they leave so much room; it gives way first,
    and where not even the least is left it is not there.
    """
    height = min(RATE_LANE if lane < LEAST_RATE else 2 * lane, TALLEST_RATE, room)
    return height if height >= LEAST_RATE else 0


def points(curve: Curve, view: View) -> Iterator[Point]:
    """The curve in view: at most one point for every other pixel."""
    # Columns keep their places while the view is moved; further out than a window each takes all that came in it.
    pitch = STEP * view.per_pixel
    window = max(curve.window, pitch)
    column, last = floor(view.start / pitch), min(view.end, curve.until)
    (first_sum, second_sum), (first_weight, second_weight) = curve.sums, curve.weights
    times, meanings, codes, per_second = curve.times, curve.meanings, curve.codes, SECOND / window
    low = high = 0
    while True:
        position = max(0.0, min(column * pitch, last))
        # The same as `curve.rate` and `meaning_at`, which would look all of it through for every column.
        low = bisect_right(times, position - window, low)
        high = bisect_right(times, position, high)
        amount = max(0, first_sum[high] - first_sum[low]) * first_weight
        amount += max(0, second_sum[high] - second_sum[low]) * second_weight
        yield Point(view.x(position), amount * per_second, meanings[codes[max(0, high - 1)]])
        if column * pitch >= last:
            return
        column += 1


def guide(highest: float) -> float:
    """The distance of two lines, of a round number, of which the second is not below `highest`."""
    if highest <= 0:
        return 1.0
    power = 10.0 ** floor(log10(highest / 2))
    return next(digit * power for digit in NICE if 2 * digit * power >= highest * 0.999)


def paint_rate(painter: QPainter, theme: Theme, curve: Curve, view: View, area: QRect) -> None:
    """The curve with two lines for its height, in a lane that fills `area`."""
    found = list(points(curve, view)) if curve.until > view.start and len(curve.times) else []
    if not found:
        return
    apart = guide(max(point.rate for point in found))
    base, tall = area.top() + area.height() - BELOW, area.height() - ABOVE - BELOW
    scale = tall / (2 * apart)
    _paint_curve(painter, theme, [*_runs(found)], base, scale)
    right = min(area.left() + area.width(), view.x(curve.until))
    _paint_guides(painter, theme, right, base, tall, apart)


def _runs(found: Sequence[Point]) -> Iterator[Sequence[Point]]:
    """Points of one meaning, each run up to the first point of the next. None is long: a curve of 600 points is drawn
    six times as fast in 30 pieces (Qt 6.11).
    """
    start = 0
    for at in range(1, len(found) + 1):
        if at == len(found) or at - start == LONGEST or found[at].meaning != found[start].meaning:
            yield found[start : at + 1]
            start = at


def _paint_curve(painter: QPainter, theme: Theme, runs: Sequence[Sequence[Point]], base: int, scale: float) -> None:
    lines = [[QPointF(point.x, base - point.rate * scale) for point in run] for run in runs]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    for run, line in zip(runs, lines):
        painter.setBrush(theme.mixed("bg.pane", f"{run[0].meaning}.fill", FILL))
        painter.drawPolygon(QPolygonF([QPointF(line[0].x(), base), *line, QPointF(line[-1].x(), base)]))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for run, line in zip(runs, lines):
        painter.setPen(QPen(theme.meaning(run[0].meaning).line, 1.5))
        painter.drawPolyline(QPolygonF(line))
    painter.restore()


def _paint_guides(painter: QPainter, theme: Theme, right: int, base: int, tall: int, apart: float) -> None:
    font, ink = fonts.ui_font(fonts.SMALL), theme.color("ink.3")
    words = [rounded_rate(apart * times) for times in (1, 2)]
    dashes = QPen(theme.color("line.strong"), 1, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
    dashes.setDashPattern([2, 3])
    left = LABELS + NUMBERS
    room = max(round(fonts.text_width(font, text)) for text in words) + 6
    for times, text in enumerate(words, 1):
        if times == 1 and tall // 2 < LEAST_APART:
            continue
        y = base - round(tall * times / 2)
        if left + room < right:
            painter.setPen(dashes)
            painter.drawLine(QLineF(left + room, y + 0.5, right, y + 0.5))
        patch = QRect(left - 2, y - 5, room, 10)
        painter.fillRect(patch, theme.veil("bg.pane", 0.8))
        draw_text(painter, left, y + 4, text, font, ink)


def rounded_rate(value: float) -> str:
    """47, 2.5, 0.31."""
    if value >= 10 or value == int(value):
        return number(round(value))
    return f"{value:.1f}" if value >= 1 else f"{value:.2g}"
