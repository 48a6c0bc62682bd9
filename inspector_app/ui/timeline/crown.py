"""What stands above the lanes of a timeline that has the window for itself: a taller overview, the strip in which a
range is measured, and the ruler.

It lies over the overview and the ruler that the timeline draws, and hands on what is done with the mouse there.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPixmap, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector_app.ui import fonts, marks
from inspector_app.ui.icons import SMALL, dots, draw_icon, has_dots
from inspector_app.ui.labels import draw_text, rounded
from inspector_app.ui.theme import Look, Theme
from inspector_app.ui.timeline import head as playing
from inspector_app.ui.timeline import marked, overview, ruler
from inspector_app.ui.timeline import now as live
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.lod import columns, merged, spaced
from inspector_app.ui.timeline.sight import Sight
from inspector_app.ui.timeline.view import LABELS, OVERVIEW, RULER, TOP, View
from inspector_app.ui.timeline.widget import Timeline

TALL, STRIP = 60, 24
HEIGHT = TALL + STRIP + RULER
DOWN = HEIGHT - TOP
"""How much further down the ruler stands than in a timeline among panes."""
EDGE = 4
TICKS_TOP, TICKS, PITCH = 8, 11, 3
ROWS = {"reasoning": 23, "text": 32, "refusal": 32}
LAST_ROW, ROW_HEIGHT = 41, 6
FAULTS = 50
GRIP = 18
REACH = 6
"""Pixels left of the plot at which the overview is taken hold of."""


class Crown(QWidget):
    """`changed`: the timeline shows something else, or another part of it."""

    changed = Signal()

    def __init__(self, look: Look, timeline: Timeline, parent: QWidget) -> None:
        super().__init__(parent)
        self._look, self._timeline = look, timeline
        self._strip: tuple[object, QPixmap] | None = None
        self._key: object = None
        self.setMouseTracking(True)
        self.setFocusProxy(timeline)
        self.setAccessibleName("Overview and ruler")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        timeline.installEventFilter(self)
        look.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(LABELS, HEIGHT)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Whatever changes in the timeline is painted: nothing else has to be followed.
        if event.type() == QEvent.Type.Paint and self.isVisible():
            key = self._timeline.sight.key
            if key != self._key:
                self._key = key
                self.update()
                self.changed.emit()
        return False

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, sight, width = self._look.theme, self._timeline.sight, self.width()
        with QPainter(self) as painter:
            if has_dots(painter):
                painter.drawPixmap(0, 0, self._painted_strip(sight, dots(painter)))
            else:
                paint_strip(painter, theme, sight.lanes, sight.whole, width)
            painter.save()
            painter.setClipRect(QRect(0, 0, width, TALL - 1))
            self._paint_over_strip(painter, theme, sight)
            painter.restore()
            painter.save()
            painter.translate(0, DOWN)
            self._paint_ruler(painter, theme, sight)
            painter.restore()
            self._paint_measure(painter, theme, sight)

    def _painted_strip(self, sight: Sight, ratio: float) -> QPixmap:
        key = (sight.version, sight.whole, self.width(), ratio, self._look.theme.name)
        if self._strip is None or self._strip[0] != key:
            pixmap = QPixmap(round(self.width() * ratio), round(TALL * ratio))
            pixmap.setDevicePixelRatio(ratio)
            with QPainter(pixmap) as painter:
                paint_strip(painter, self._look.theme, sight.lanes, sight.whole, self.width())
            self._strip = (key, pixmap)
        return self._strip[1]

    def _paint_over_strip(self, painter: QPainter, theme: Theme, sight: Sight) -> None:
        painter.save()
        # As in the low overview, stretched.
        painter.scale(1, TALL / OVERVIEW)
        if sight.head is not None:
            playing.paint_strip(painter, theme, sight.whole, sight.head)
        overview.paint_found(painter, theme, sight.found, sight.whole)
        if sight.marked is not None:
            marked.paint_strip(painter, theme, sight.marked, sight.whole)
        painter.restore()
        paint_window(painter, theme, sight.view, sight.whole, sight.trail)
        painter.scale(1, TALL / OVERVIEW)
        if sight.now is not None:
            live.paint_overview(painter, theme, sight.lanes, sight.now, sight.whole)
        if sight.head is not None:
            playing.paint_line(painter, theme, sight.head, sight.view, sight.whole, TOP - 4)

    def _paint_ruler(self, painter: QPainter, theme: Theme, sight: Sight) -> None:
        axis, view, width = sight.axis, sight.view, self.width()
        ruler.paint_scale(painter, theme, axis, view, width)
        event = sight.event if sight.lanes else None
        flag, words = ruler.flag_of(axis, event, view, width)
        head_flag, now_flag = playing.flag_of(sight.head, view, width), live.flag_of(sight.now, view, width)
        if sight.head is not None and (event == sight.head.event or head_flag.intersects(flag)):
            flag = QRect()
        lines = [QRect(view.x(end), OVERVIEW, 1, RULER) for end in (sight.marked.ends if sight.marked else ())]
        ruler.paint_labels(painter, theme, axis, view, width, flag, head_flag, now_flag, *lines)
        ruler.paint_remarks(painter, theme, axis, sight.hidden)
        for line in lines:
            if LABELS <= line.left() <= LABELS + view.width:
                painter.fillRect(line, theme.color("accent"))
        flags = [(flag, words, axis.position(event or 0))]
        if sight.head is not None:
            flags.append((head_flag, sight.head.words, round(sight.head.position)))
        if sight.now is not None and not now_flag.intersects(flag):
            flags.append((now_flag, sight.now.flag, sight.now.position))
        for box, said, position in flags:
            if not box.isEmpty():
                painter.fillRect(QRect(view.x(position), TOP - 4, 1, 4), theme.color("accent"))
                ruler.paint_flag(painter, theme, said, box)

    def _paint_measure(self, painter: QPainter, theme: Theme, sight: Sight) -> None:
        """The strip between overview and ruler: how long the range is."""
        view, found = sight.view, sight.marked
        painter.fillRect(QRect(0, TALL, self.width(), STRIP), theme.color("bg.panel"))
        draw_text(
            painter, 16, fonts.baseline(TALL, STRIP), "Ruler", fonts.ui_font(fonts.BODY, 500), theme.color("ink.1")
        )
        if found is not None:
            painter.save()
            painter.translate(0, TALL - OVERVIEW)
            marked.paint_flags(painter, theme, sight.axis, sight.lanes, found, view)
            painter.restore()
        painter.fillRect(QRect(LABELS - 1, TALL, 1, STRIP + RULER), theme.color("line"))

    # Hands: as the low overview and the ruler have them

    def _hand_on(self, event: QMouseEvent) -> None:
        at = event.position()
        over, held = at.y() < TALL, event.buttons() != Qt.MouseButton.NoButton
        if over and at.x() < LABELS - REACH and not held:
            self.setCursor(Qt.CursorShape.ArrowCursor)
            return
        y = OVERVIEW / 2 if over else OVERVIEW + 4 if at.y() < TALL + STRIP else at.y() - DOWN
        moved = QMouseEvent(
            event.type(), QPointF(at.x(), y), event.globalPosition(), event.button(), event.buttons(), event.modifiers()
        )
        QCoreApplication.sendEvent(self._timeline, moved)
        self.setCursor(self._timeline.cursor())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._timeline.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.position().y() >= TALL or event.position().x() >= LABELS - REACH:
            self._hand_on(event)

    mouseMoveEvent = mouseReleaseEvent = mouseDoubleClickEvent = _hand_on

    def wheelEvent(self, event: QWheelEvent) -> None:
        at = event.position()
        y = OVERVIEW / 2 if at.y() < TALL else OVERVIEW + 4
        turned = QWheelEvent(
            QPointF(max(at.x(), LABELS), y), event.globalPosition(), event.pixelDelta(), event.angleDelta(),
            event.buttons(), event.modifiers(), event.phase(), event.inverted(),
        )  # fmt: skip
        QCoreApplication.sendEvent(self._timeline, turned)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.setCursor(Qt.CursorShape.ArrowCursor)


def paint_strip(painter: QPainter, theme: Theme, lanes: Sequence[LaneIndex], whole: View, width: int) -> None:
    """The whole recording: how densely events came, its blocks with a row for each meaning, silences and faults."""
    painter.fillRect(QRect(0, 0, width, TALL), theme.color("bg.panel"))
    painter.fillRect(QRect(0, TALL - 1, width, 1), theme.color("line"))
    rounded(painter, QRect(LABELS, EDGE, whole.width, TALL - 2 * EDGE), theme.color("bg.sunken"), None, 4)
    draw_text(painter, 16, 24, "Overview", fonts.ui_font(fonts.BODY, 500), theme.color("ink.1"))
    said = fonts.elided(fonts.ui_font(fonts.SECONDARY), "always the whole recording", LABELS - 24)
    draw_text(painter, 16, 42, said, fonts.ui_font(fonts.SECONDARY), theme.color("ink.3"))
    for index in lanes:
        if index.lane.key == "events" and len(index.ticks):
            _paint_density(painter, theme, index, whole)
        for start, end, first, _ in merged(index.starts, index.reaches, 0, len(index.starts), 2 * whole.per_pixel):
            bar = index.bars[first]
            if bar.missing and not len(bar.fragments):
                continue
            left, right = whole.x(start), min(whole.x(end), LABELS + whole.width)
            row = QRect(left, ROWS.get(bar.meaning, LAST_ROW), max(right - left, 2), ROW_HEIGHT)
            marks.solid_bar(painter, theme, row, bar.meaning, "bg.sunken", overview.PALER)
        for span in index.lane.spans:
            if span.kind == "silence":
                left, right = whole.x(span.start), whole.x(span.end)
                top = ROWS["reasoning"] - 1
                area = QRect(left, top, right - left, LAST_ROW + ROW_HEIGHT - top + 1)
                marks.hatch(painter, area, theme.color("warning.line"), 4)
                if right - left > SMALL + 4:
                    draw_icon(
                        painter, (left + right - 12) // 2, TICKS_TOP, "hourglass", theme.color("warning.line"), 12
                    )
    apart = overview.FAULTS_APART * whole.per_pixel
    for index in lanes:
        for times in (index.cuts, index.flaws):
            for position in spaced(times, whole.start, whole.end, apart):
                painter.fillRect(QRect(whole.x(position), FAULTS, 2, 4), theme.color("error.line"))


def _paint_density(painter: QPainter, theme: Theme, index: LaneIndex, whole: View) -> None:
    size = PITCH * whole.per_pixel
    start = floor(whole.start)
    counts = columns(index.ticks, start, size, whole.width // PITCH + 1)
    highest = max(2, *counts)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("ink.off"))
    left = whole.x(start)
    heights = [max(3, round(TICKS * count / highest)) if count else 0 for count in counts]
    painter.drawRects(
        [QRect(left + at * PITCH, TICKS_TOP + TICKS - tall, 2, tall) for at, tall in enumerate(heights) if tall]
    )


def paint_window(painter: QPainter, theme: Theme, view: View, whole: View, trail: tuple[View, ...]) -> None:
    """The window over what is in sight, and dashed the wider one that it was reached through; the rest fades."""
    low = overview.window_rect(view, whole)
    window = QRect(low.left(), 3, low.width(), TALL - 7)
    part = view.per_pixel < whole.per_pixel
    if part:
        faded, right = theme.veil("bg.panel", 0.55), window.left() + window.width()
        painter.fillRect(QRect(LABELS, 0, window.left() - LABELS, TALL - 1), faded)
        painter.fillRect(QRect(right, 0, LABELS + whole.width - right, TALL - 1), faded)
        if len(trail) > 1:
            wide = overview.window_rect(trail[-2], whole)
            box = QRect(wide.left(), 3, wide.width(), TALL - 7)
            rounded(painter, box, None, theme.color("line.strong"), 4, 1, (3, 3))
        rounded(painter, window, theme.veil("accent", 0.12), theme.color("accent"), 4, 1.5)
    else:
        rounded(painter, window, None, theme.color("line.strong"), 4)
    top = (TALL - GRIP) // 2
    for box in overview.handles(view, whole):
        grip = QRect(QPoint(box.left(), top), QSize(box.width(), GRIP))
        edge = None if part else theme.color("line.strong")
        rounded(painter, grip, theme.color("accent" if part else "bg.raised"), edge, 2.5)
