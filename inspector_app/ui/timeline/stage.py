"""The stage of the timeline: keeps data, view and selection, and paints them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEasingCurve, QEvent, QRect, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QScrollBar, QSizePolicy, QWidget

from inspector_app.core.text import THIN_SPACE
from inspector_app.ui.icons import dots, has_dots
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import crumbs, marked, overlay, overview, ruler
from inspector_app.ui.timeline import head as playing
from inspector_app.ui.timeline import now as live
from inspector_app.ui.timeline.bars import bar_rect
from inspector_app.ui.timeline.canvas import Canvas, Page, Piece
from inspector_app.ui.timeline.hit import Hit
from inspector_app.ui.timeline.index import LaneIndex, bar_of
from inspector_app.ui.timeline.layout import laid_out, lanes_of
from inspector_app.ui.timeline.marked import spoken
from inspector_app.ui.timeline.model import Axis, Lane
from inspector_app.ui.timeline.overlay import Detail
from inspector_app.ui.timeline.page import page_pieces
from inspector_app.ui.timeline.rate import RATE_LANE, tall_lane
from inspector_app.ui.timeline.sight import Sight
from inspector_app.ui.timeline.view import (
    CLOSEST,
    LABELS,
    LANE,
    OVERVIEW,
    RIGHT_MARGIN,
    TOP,
    View,
    around,
    events_in,
    fitted,
)

MOTION_MS, EASING = 120, QEasingCurve.Type.OutCubic
BAR_WIDTH = 10
INTERSECT = Qt.ClipOperation.IntersectClip
HINT_WIDTH, LEAST_PLOT, LEAST_LANES = 1200, 240, 3


class Stage(QWidget):
    """What is to be seen of the timeline; `Timeline` adds the hands."""

    range_changed = Signal(object)
    """The range between the points A and B, a `Marked`; None once it is taken away."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._axis = Axis(False, (0, 0))
        self._lanes: list[LaneIndex] = []
        self._detail: Detail | None = None
        self._event: int | None = None
        self._block: int | None = None
        self._bar: tuple[int, int] | None = None  # The lane and the bar of the selected block.
        self._hovered: Hit | None = None
        self._current: Hit | None = None
        self._lane = 0
        self._found: Sequence[int] = ()
        self._now: live.Now | None = None
        self._head: playing.Head | None = None
        self._all: list[LaneIndex] = []
        """The lanes of the whole recording while it is in playback; then the lanes are those of what had come."""
        self._marked: marked.Marked | None = None
        self._trail: tuple[View, ...] = ()
        self._crumb: int | None = None
        """The crumb under the pointer."""
        self._hidden = self._version = 0
        self._strip: tuple[object, QPixmap] | None = None
        self._page = Canvas(self)
        self._page.ready.connect(self.update)
        self._tallest = LANE
        self._whole = self._view = fitted(self._axis, LEAST_PLOT)
        self._scroll = QScrollBar(Qt.Orientation.Vertical, self)
        self._scroll.valueChanged.connect(self._scrolled)
        self._glide = QVariantAnimation(self, duration=MOTION_MS, easingCurve=QEasingCurve(EASING))
        self._glide.valueChanged.connect(self._glided)
        self._glide_ends = (self._view, self._view)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName("Timeline")
        look.changed.connect(self.update)

    def set_data(self, axis: Axis, lanes: Sequence[Lane | LaneIndex], detail: Detail | None = None) -> None:
        """Shows `lanes` from top to bottom. `detail` gives the last line of a tip: an event's origin and byte range.

        A view of the whole stays one, any other stays where it is as far as there is something.
        """
        was_whole, before, count = self._view == self._whole, events_in(self._axis, self._view), len(self._lanes)
        turned = axis.measured is not self._axis.measured
        self._axis, self._detail = axis, detail
        self._head, self._all = None, []
        self._lanes = [lane if isinstance(lane, LaneIndex) else LaneIndex(lane, axis) for lane in lanes]
        self._bar = bar_of(self._lanes, self._block)
        self._hovered = self._current = None
        self._lane = min(self._lane, max(len(lanes) - 1, 0))
        self._version += 1
        if turned:
            self._trail = ()
            self.mark(None)
        self._refit(was_whole)
        if turned and before is not None and not was_whole:
            self._look_at(around(axis, before, self._whole, self._closest()))
        if len(lanes) != count:
            self._bring_lane()
        self.updateGeometry()
        self._describe()

    def set_selection(self, event: int | None, block: int | None = None) -> None:
        """Moves the play head to an event and the outline to a bar's `block`; brings the event into sight."""
        if (event, block) == (self._event, self._block):
            return
        self._event, self._block = event, block
        self._bar = bar_of(self.lanes, block)
        if event is not None and self._lanes:
            self._look_at(self._view.showing(self._axis.position(event), self._whole))
            self._bring_lane()
        self._describe()
        self.update()

    def show_found(self, positions: Sequence[int]) -> None:
        """Marks sorted positions in the overview where something was found; none takes the marks away."""
        self._found = positions
        self.update()

    def show_now(self, now: live.Now | None) -> None:
        """Moves the line of now while a stream is live; None takes it away."""
        self._now = now
        self.update()

    @property
    def selected(self) -> int | None:
        """The selected event."""
        return self._event

    @property
    def hidden(self) -> int:
        """How many lanes are left out."""
        return self._hidden

    def show_hidden(self, count: int) -> None:
        """Says beside the ruler that lanes are left out."""
        self._hidden = count
        self.update()

    @property
    def points(self) -> marked.Marked | None:
        """The range between the points A and B, as far as they are set."""
        return self._marked

    def mark(self, found: marked.Marked | None) -> None:
        """Sets the points A and B, or takes them away."""
        if found != self._marked:
            self._marked = found
            self._describe()
            self.update()
            self.range_changed.emit(found)

    @property
    def sight(self) -> Sight:
        """What is to be seen above the lanes."""
        data, sight = (self._version, self._axis, self.lanes), (self._whole, self._view, self._trail)
        return Sight(*data, *sight, self._event, self._marked, self._found, self._now, self._head, self._hidden)

    @property
    def trail(self) -> tuple[View, ...]:
        """The wider views that lead to the one in sight, which is the last; none while all is in sight."""
        return self._trail

    @property
    def axis(self) -> Axis:
        """What the level direction means."""
        return self._axis

    @property
    def lanes(self) -> list[LaneIndex]:
        """The lanes of the whole recording."""
        return self._all or self._lanes

    def show_head(self, head: playing.Head | None, lanes: Sequence[LaneIndex] = ()) -> None:
        """Moves the play head of a recording in playback; `lanes` are those of the whole with what had come, as many
        and in the same order. None shows the whole again.
        """
        if head is not None and self._head is not None:
            position, view = head.position, self._view
            if self._head.position <= view.end < position or position < view.start <= self._head.position:
                self._look_at(view.showing(round(position), self._whole))
        whole = self._all or self._lanes
        self._all, self._lanes = ([], whole) if head is None else (whole, [*lanes])
        self._head, self._hovered = head, None
        self.update()

    def let_grow(self, tallest: int) -> None:
        """Lets lanes be as high as there is room, up to `tallest` pixels: for a timeline that stands alone."""
        self._tallest = tallest
        self._refit(self._view == self._whole)
        self.update()

    @property
    def view(self) -> View:
        """What is in sight."""
        return self._view

    def fit(self) -> None:
        """Shows the whole recording."""
        self._go_to(self._whole)

    def zoom(self, factor: float, x: float | None = None) -> None:
        """Goes closer by `factor` around a pixel, else around the play head or the middle."""
        self._go_to(self._target().zoomed(self._anchor() if x is None else x, factor, self._whole, self._closest()))

    def pan(self, part: float) -> None:
        """Moves on by a part of what is in sight."""
        self._go_to(self._target().moved(part * self._view.width, self._whole))

    def choose_lane(self, number: int) -> None:
        """Makes a lane the one that the keys act on, and brings it into sight."""
        if 0 <= number < len(self._lanes) and not self._view.height(number):
            number += 1 if number > self._lane else -1  # There is no room for it at present.
        if not 0 <= number < len(self._lanes):
            return
        if number != self._lane:
            self._lane, self._current = number, None
        self._scroll.setValue(self._view.scrolled_to(number, self._scroll.value(), self.height() - TOP))
        self._describe()
        self.update()

    def _bring_lane(self) -> None:
        """Scrolls as little as brings a lane into sight that has something of what is selected."""
        if self._event is not None and self._scroll.maximum():
            lanes = [self._bar[0]] if self._bar is not None else lanes_of(self.lanes, self._axis, self._event)
            down, room = self._scroll.value(), self.height() - TOP
            ways = [self._view.scrolled_to(number, down, room) for number in lanes]
            self._scroll.setValue(min(ways, key=lambda way: abs(way - down), default=down))

    def _describe(self) -> None:
        """What a screen reader says: the selection, else what the timeline holds."""
        block = self._bar
        title = self.lanes[block[0]].bars[block[1]].title if block is not None else ""
        parts = spoken(self._axis, self.lanes, self._event, title, self._marked)
        parts += [f"lane {self._lanes[self._lane].lane.title}"] if self._lanes else []
        self.setAccessibleDescription(", ".join(parts).replace(THIN_SPACE, " "))

    # The view

    def _plot_width(self) -> int:
        return max(self.width() - LABELS - RIGHT_MARGIN, 1)

    def _refit(self, whole: bool) -> None:
        self._whole = laid_out(self._axis, self._lanes, self._plot_width(), self.height() - TOP, self._tallest)
        same = self._view.laid_out_like(self._whole).within(self._whole)
        self._look_at(self._whole if whole or same.per_pixel >= self._whole.per_pixel else same)
        self._place_scroll_bar()

    def _closest(self) -> float:
        return min(CLOSEST[self._axis.measured], self._whole.per_pixel)

    def _anchor(self) -> float:
        if self._event is not None:
            position = self._axis.position(self._event)
            if self._view.start <= position <= self._view.end:
                return LABELS + (position - self._view.start) / self._view.per_pixel
        return LABELS + self._view.width / 2

    def _target(self) -> View:
        moving = self._glide.state() == QVariantAnimation.State.Running
        return self._glide_ends[1] if moving else self._view

    def _go_to(self, view: View) -> None:
        if not self._look.motion or not self.isVisible():
            self._look_at(view)
            return
        self._glide.stop()
        self._glide_ends = (self._view, view)
        self._glide.setStartValue(0.0)
        self._glide.setEndValue(1.0)
        self._glide.start()

    def _glided(self, part: float) -> None:
        start, end = self._glide_ends
        self._view = end if part >= 1 else start.between(end, part)
        self._trail = crumbs.trail_to(self._trail, end, self._whole) if part >= 1 else self._trail
        self.update()

    def _look_at(self, view: View) -> None:
        self._glide.stop()
        self._view = view
        self._trail = crumbs.trail_to(self._trail, view, self._whole)
        self._hovered = None
        self.update()

    def _scrolled(self) -> None:
        self._hovered = None
        self.update()

    def _place_scroll_bar(self) -> None:
        lane = self._whole.lane
        hidden = self._whole.top(len(self._lanes)) - (self.height() - TOP)
        self._scroll.setGeometry(self.width() - BAR_WIDTH, TOP, BAR_WIDTH, max(self.height() - TOP, 0))
        self._scroll.setRange(0, max(hidden, 0))
        self._scroll.setPageStep(max(self.height() - TOP, lane))
        self._scroll.setSingleStep(lane)
        self._scroll.setVisible(hidden > 0)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if has_dots(painter):
                painter.drawPixmap(0, 0, self._painted_page(dots(painter)))
                painter.drawPixmap(0, 0, self._painted_strip(dots(painter)))
            else:
                for piece in self._pieces():
                    piece(painter)
                self._paint_strip(painter)
            theme, view, down = self._look.theme, self._view, self._scroll.value()
            if self._head is not None:
                size = self.width(), self.height()
                playing.paint_lanes(painter, theme, self._all, self._lanes, view, size, down, self._head)
                playing.paint_strip(painter, theme, self._whole, self._head)
            overview.paint_found(painter, theme, self._found, self._whole)
            if self._marked is not None:
                marked.paint_strip(painter, theme, self._marked, self._whole)
            crumbs.paint_crumbs(painter, theme, self._axis, self._trail, self._crumb)
            overview.paint_window(painter, theme, view, self._whole)
            if self._now is not None:
                live.paint_overview(painter, theme, self._lanes, self._now, self._whole)
            if self._head is not None:
                playing.paint_line(painter, theme, self._head, view, self._whole, self.height())
            head_flag = playing.flag_of(self._head, view, self.width())
            flag, words = ruler.flag_of(self._axis, self._event if self._lanes else None, view, self.width())
            if self._head is not None and (self._event == self._head.event or head_flag.intersects(flag)):
                flag = QRect()
            now_flag = live.flag_of(self._now, view, self.width())
            points = *marked.flags(self._marked, view), marked.covered(self._marked, view)
            behind = flag, now_flag, head_flag, *points
            ruler.paint_labels(painter, theme, self._axis, view, self.width(), *behind)
            ruler.paint_remarks(painter, theme, self._axis, self._hidden)
            painter.save()
            painter.setClipRect(QRect(0, TOP - 4, self.width(), self.height() - TOP + 4))
            if self._marked is not None:
                marked.paint_tint(painter, theme, self._marked, view, self.height())
            if self._now is not None:
                live.paint_now(painter, theme, self._lanes, self._now, view, self.height(), down)
            if not flag.isEmpty():
                x = view.x(self._axis.position(self._event or 0))
                overlay.paint_play_head(painter, theme, self._lanes, view, x, self.height(), down)
            if self._bar is not None:
                self._paint_selected_block(painter, *self._bar)
            if self._hovered is not None:
                rect = overlay.item_rect(self._lanes[self._hovered.lane], self._hovered, view, down)
                if self._hovered.kind == "bar":
                    painter.save()
                    self._clip_to(painter, self._hovered.lane)
                    overlay.paint_hovered(painter, theme, rect)
                    painter.restore()
            if self._look.focused(self) and self._lanes:
                self._clip_to(painter, self._lane)
                overlay.paint_lane_focus(painter, theme, view, self._lane, down)
            painter.restore()
            if self._marked is not None:
                marked.paint_flags(painter, theme, self._axis, self.lanes, self._marked, view)
            if not flag.isEmpty() and not any(flag.intersects(box) for box in points):
                ruler.paint_flag(painter, theme, words, flag)
            if self._head is not None and not head_flag.isEmpty():
                ruler.paint_flag(painter, theme, self._head.words, head_flag)
            if self._now is not None and not now_flag.isEmpty() and not now_flag.intersects(flag):
                ruler.paint_flag(painter, theme, self._now.flag, now_flag)
            if self._hovered is not None:
                area = QRect(LABELS, OVERVIEW, view.width, self.height() - OVERVIEW)
                index = self._lanes[self._hovered.lane]
                lines = overlay.tip_lines(self._axis, index, self._hovered, self._detail)
                overlay.paint_tip(painter, theme, index, self._hovered, lines, rect, area)

    def _paint_selected_block(self, painter: QPainter, number: int, at: int) -> None:
        index = self._lanes[number]
        first, last = index.visible(self._view)
        if first <= at < last:
            top = TOP + self._view.row(number, self._scroll.value())
            rect = bar_rect(index, at, self._view, top, self._view.lane)
            painter.save()
            self._clip_to(painter, number)
            overlay.paint_selected(painter, self._look.theme, rect)
            painter.restore()

    def _clip_to(self, painter: QPainter, lane: int) -> None:
        """What lies over a lane that scrolls is not seen over those that stay."""
        top, bottom = (TOP + edge for edge in self._view.seen(lane))
        painter.setClipRect(QRect(0, top, self.width(), min(bottom, self.height()) - top), INTERSECT)

    def _painted_strip(self, ratio: float) -> QPixmap:
        key = (self._version, self._whole, self.width(), ratio, self._look.theme.name)
        if self._strip is None or self._strip[0] != key:
            pixmap = QPixmap(round(self.width() * ratio), round(OVERVIEW * ratio))
            pixmap.setDevicePixelRatio(ratio)
            with QPainter(pixmap) as painter:
                self._paint_strip(painter)
            self._strip = (key, pixmap)
        return self._strip[1]

    def _painted_page(self, ratio: float) -> QPixmap:
        size, down = (self.width(), self.height()), self._scroll.value()
        page = Page(self._version, self._view, size, down, ratio, self._look.theme.name)
        return self._page.picture(page, self._pieces, patient=self._now is not None)

    def _paint_strip(self, painter: QPainter) -> None:
        overview.paint_strip(painter, self._look.theme, self.lanes, self._whole, self.width())

    def _pieces(self) -> Iterator[Piece]:
        size, down = (self.width(), self.height()), self._scroll.value()
        return page_pieces(self._look.theme, self._axis, self.lanes, self._view, size, down)

    # What Qt asks

    def sizeHint(self) -> QSize:
        more = RATE_LANE - LANE if tall_lane(self._lanes) >= 0 else 0
        return QSize(HINT_WIDTH, TOP + max(len(self._lanes), LEAST_LANES) * LANE + more)

    def minimumSizeHint(self) -> QSize:
        return QSize(LABELS + RIGHT_MARGIN + LEAST_PLOT, TOP + LEAST_LANES * LANE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._refit(self._view == self._whole)
        self._bring_lane()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()

    focusOutEvent = focusInEvent

    def leaveEvent(self, event: QEvent) -> None:
        self._scrolled()
