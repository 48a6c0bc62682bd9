"""The timeline as a widget: the stage, with mouse, wheel and keys, which says what was picked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from inspector_app.ui.commands import Command
from inspector_app.ui.labels import tip
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import crumbs, hit, marked, overview
from inspector_app.ui.timeline.bars import mended_mark
from inspector_app.ui.timeline.boxes import box_of
from inspector_app.ui.timeline.commands import KEY_PAN, commands_of
from inspector_app.ui.timeline.head import REACH, edge
from inspector_app.ui.timeline.hit import Hit
from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.lod import nearest
from inspector_app.ui.timeline.page import label_words
from inspector_app.ui.timeline.stage import Stage
from inspector_app.ui.timeline.view import LABELS, NEAR, OVERVIEW, TOP, View
from inspector_app.ui.timeline.waits import WAITS

DRAG_FROM = 4
"""Pixels from which a press that moves is a drag and no click."""

FOCUS_SHARE, AROUND = 0.8, 0.1
"""What a focused block fills of the plot, what is shown around an event of the whole recording."""
FAR_AWAY = 1e9
HINT = (
    "W and S or the wheel zoom, A and D move, F shows all, T turns between time and order. "
    "Full stop and comma go through the lane. Shift and a drag, or R twice, mark a range."
)
WHEEL_ZOOM = 1.2
NOTCH = 120


class Press(NamedTuple):
    """A held mouse button: where, what it holds ("plot", "ruler" or a grip of the overview), and the view before."""

    at: QPoint
    holds: str
    view: View


class Timeline(Stage):
    """The whole recording in a strip, and below it a ruler and a lane for each kind of thing, closer or further away.

    Wheel or W and S zoom, a drag or A and D move, F shows all; full stop and comma pick the next and the previous
    item of the lane that up and down choose.
    """

    event_picked = Signal(int)
    """An event, by its number."""
    block_picked = Signal(int, int)
    """A bar's `block`, and the event of the delta under the pointer (-1 when unknown)."""
    finding_picked = Signal(str, int)
    """A rule, and the event its mark stands at."""
    mended_picked = Signal()
    """The wand of a block that is not as it came."""
    sought = Signal(float, bool)
    """A place of the axis for the play head of a recording in playback; false while the hand still moves it."""
    axis_turned = Signal()
    """The axis is asked to be the order of events, or time again."""
    lane_asked = Signal(str, str)
    """A lane, by its key, is to be pinned or let go ("pin"), hidden ("hide"), or all lanes are to be shown ("all")."""
    range_set = Signal()
    """The hand has let go of the points of the range."""
    leaving = Signal(str)
    """A person is about to look elsewhere, by "zoom", "pan", "drag" or "fit"; `aim` is still what it was."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._press: Press | None = None
        self._dragging = False
        self._fixed = 0.0
        """The end of the range that stays while the other one is held."""
        self.can_turn: Callable[[], bool] = lambda: False
        """Whether the axis can be an order or times, as one likes."""
        self._actions: dict[int, Callable[[], None]] = {
            Qt.Key.Key_Left: lambda: self.pan_by(-KEY_PAN),
            Qt.Key.Key_Right: lambda: self.pan_by(KEY_PAN),
            Qt.Key.Key_Home: lambda: self.pan_by(-FAR_AWAY),
            Qt.Key.Key_End: lambda: self.pan_by(FAR_AWAY),
            Qt.Key.Key_Up: lambda: self.choose_lane(self._lane - 1),
            Qt.Key.Key_Down: lambda: self.choose_lane(self._lane + 1),
        }

    def commands(self) -> list[Command]:
        """What can be done here from anywhere in the window; arrows, Home and End only while the timeline has focus."""
        return commands_of(self)

    @property
    def scrolled(self) -> int:
        """How far the lanes are scrolled, in pixels."""
        return self._scroll.value()

    @property
    def aim(self) -> View:
        """What is in sight, or will be when the motion has come to its end."""
        return self._target()

    def show_view(self, view: View) -> None:
        """Goes back to what was in sight, as far as it is still there."""
        same = view.laid_out_like(self._whole).within(self._whole)
        # Beyond what can be zoomed to lies a view of the other axis.
        there = self._closest() <= same.per_pixel < self._whole.per_pixel
        self._go_to(same if there else self._whole)

    def fit_or_focus(self) -> None:
        """Shows the whole recording; if that is in sight already, the selected block or what is around the event."""
        self.leaving.emit("fit")
        if self._target() != self._whole or self._event is None or not self._lanes:
            self.fit()
        else:
            start, end = self._selected_span()
            per_pixel = max((end - start) / (self._whole.width * FOCUS_SHARE), self._closest())
            per_pixel = min(per_pixel, self._whole.per_pixel)
            middle = (start + end) / 2
            view = replace(self._whole, per_pixel=per_pixel, start=middle - per_pixel * self._whole.width / 2)
            self._go_to(view.within(self._whole))

    def step_back(self) -> None:
        """Goes back to the wider view that the one in sight was reached through."""
        self.go_to_crumb(len(self.trail) - 1)

    def go_to_crumb(self, place: int) -> None:
        """Goes back to a step of the trail; 0 is the whole recording."""
        self.leaving.emit("fit")
        self._go_to(self.trail[place - 1] if 0 < place <= len(self.trail) else self._whole)

    def set_point(self) -> None:
        """Sets point A where the play head is (the middle without one), then B, then A of another range."""
        if not self._lanes:
            return
        here = float(self._axis.position(self._event)) if self._event is not None else None
        here = marked.snapped(self._axis, self._view, LABELS + self._view.width / 2) if here is None else here
        before = self._marked
        self.mark(marked.Marked(here) if before is None or before.b is not None else marked.marked(before.a, here))
        self.range_set.emit()

    def mark_selected(self) -> None:
        """Lays the range over the selected block, else around the selected event."""
        self.mark(marked.marked(*self._selected_span()))
        self.range_set.emit()

    def show_range(self) -> None:
        """Goes as close as all of the range is in sight."""
        if self._marked is not None and self._marked.b is not None:
            self.leaving.emit("zoom")
            a, b = self._marked.a, self._marked.b
            per_pixel = min(max((b - a) / (self._whole.width * FOCUS_SHARE), self._closest()), self._whole.per_pixel)
            start = (a + b - per_pixel * self._whole.width) / 2
            self._go_to(replace(self._whole, per_pixel=per_pixel, start=start, near=NEAR).within(self._whole))

    def ask_of_lane(self, what: str, lane: int | None = None) -> None:
        """Asks for something to be done with a lane, that of the keys where none is named."""
        number = self._lane if lane is None else lane
        if self.free:
            self.lane_asked.emit(self._lanes[number].lane.key, what)

    @property
    def free(self) -> bool:
        """Whether its lanes can be arranged: while a recording is in playback they stay as they are."""
        return bool(self._lanes) and self._head is None

    def has_range(self) -> bool:
        """Whether both points are set."""
        return self._marked is not None and self._marked.b is not None

    def _selected_span(self) -> tuple[float, float]:
        """The positions of the selected block, else a part of the recording around the selected event."""
        if self._bar is not None:
            number, at = self._bar
            bar = self.lanes[number].bars[at]
            if bar.end > bar.start:
                return bar.start, bar.end
        middle, reach = self._axis.position(self._event or 0), self._whole.width * self._whole.per_pixel * AROUND / 2
        return middle - reach, middle + reach

    def zoom_by(self, factor: float) -> None:
        """Zooms as a person asks for it."""
        self.leaving.emit("zoom")
        self.zoom(factor)

    def pan_by(self, part: float) -> None:
        """Moves on as a person asks for it."""
        self.leaving.emit("pan")
        self.pan(part)

    def step_item(self, step: int) -> None:
        """Picks the next (1) or the previous (-1) item of the current lane."""
        if not self._lanes:
            return
        after = self._view.start if self._event is None else self._axis.position(self._event)
        found = hit.beside(self.lanes, self._lane, after, self._current, step)
        if found is not None:
            self._pick(found, self.lanes)
            position = hit.position_of(self.lanes[found.lane], found)
            self._look_at(self._view.showing(position, self._whole))

    def _pick(self, found: Hit, lanes: Sequence[LaneIndex]) -> None:
        index = lanes[found.lane]
        if self._head is not None and hit.position_of(index, found) > self._head.position:
            self.sought.emit(float(hit.position_of(index, found)), True)
            return
        self.choose_lane(found.lane)
        self._current = found
        event = hit.event_of(index, found)
        if found.kind == "bar":
            self.block_picked.emit(index.bars[found.number].block, -1 if event is None else event)
        elif found.kind == "mark" and index.lane.key == WAITS and event is not None:
            self.event_picked.emit(event)
        elif found.kind == "mark":
            mark = index.marks[found.number]
            self.finding_picked.emit(mark.rule, mark.event)
        elif event is not None:
            self.event_picked.emit(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self._zoom_now(event.position().x(), 1 + event.value())
            return True
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta, x = event.angleDelta(), event.position().x()
        if x < LABELS and event.position().y() >= TOP and self._scroll.maximum():
            self._scroll.setValue(self._scroll.value() - round(delta.y() / NOTCH) * self._view.lane)
        elif delta.x() and not delta.y():
            self.leaving.emit("pan")
            self._look_at(self._view.moved(-delta.x() / 2, self._whole))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.leaving.emit("pan")
            self._look_at(self._view.moved(-delta.y() / 2, self._whole))
        elif event.position().y() < OVERVIEW:
            middle = LABELS + self._view.width / 2
            self._zoom_now(middle, WHEEL_ZOOM ** (delta.y() / NOTCH))
        else:
            self._zoom_now(max(x, LABELS), WHEEL_ZOOM ** (delta.y() / NOTCH))
        event.accept()

    def _zoom_now(self, x: float, factor: float) -> None:
        # The hand is the motion: no gliding under a wheel or a pinch.
        self.leaving.emit("zoom")
        self._look_at(self._view.zoomed(x, factor, self._whole, self._closest()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        at = event.position().toPoint()
        holds = "plot" if at.y() >= TOP else "ruler"
        if self._head is not None and self._takes_head(at):
            holds = "head" if at.y() >= OVERVIEW else "head of all"
            self.sought.emit(self._sought(holds, at.x()), False)
        elif at.y() < OVERVIEW and (place := crumbs.crumb_at(self._axis, self.trail, at.x(), at.y())) is not None:
            self.go_to_crumb(place)
            return
        elif self._takes_point(event):
            holds = self._take_point(event)
        elif at.y() < OVERVIEW and at.x() >= LABELS - REACH:
            holds = overview.grip(at.x(), self._view, self._whole)
            if not holds:
                middle = self._whole.position(at.x()) - self._view.width * self._view.per_pixel / 2
                moved = replace(self._view, start=middle).within(self._whole)
                self.leaving.emit("fit")
                self._look_at(moved)
                holds = "window"
        self._press, self._dragging = Press(at, holds, self._view), False
        self._set_hovered(None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        if self._press is None:
            self._set_hovered(hit.hit(self._lanes, self._view, at.x(), at.y(), self._scroll.value()))
            self._show_cursor(at)
            return
        if self._press.holds.startswith("head"):
            self.sought.emit(self._sought(self._press.holds, at.x()), False)
            return
        if self._press.holds == "point":
            self._dragging = self._dragging or abs(at.x() - self._press.at.x()) >= DRAG_FROM
            if self._dragging:
                self.mark(marked.marked(self._fixed, marked.snapped(self._axis, self._view, at.x())))
            return
        moved = at.x() - self._press.at.x()
        if not self._dragging and abs(moved) < DRAG_FROM:
            return
        if not self._dragging:
            self.leaving.emit("drag")
        self._dragging = True
        self._look_at(self._dragged(at.x(), moved))

    def _dragged(self, x: int, moved: int) -> View:
        held, whole, before = self._press.holds, self._whole, self._press.view
        if held in ("plot", "ruler"):
            return before.moved(-moved, whole)
        if held == "window":
            return before.moved(moved * whole.per_pixel / before.per_pixel, whole)
        edge = whole.position(x)
        least = self._closest() * before.width
        if held == "left":
            start = min(max(edge, whole.start), before.end - least)
            return replace(before, start=start, per_pixel=(before.end - start) / before.width, near=NEAR)
        end = max(min(edge, whole.end), before.start + least)
        return replace(before, per_pixel=(end - before.start) / before.width, near=NEAR)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        press, dragged = self._press, self._dragging
        self._press, self._dragging = None, False
        if press is not None and press.holds == "point" and dragged:
            self.range_set.emit()
        if event.button() != Qt.MouseButton.LeftButton or press is None or dragged:
            return
        at = event.position().toPoint()
        if press.holds.startswith("head"):
            self.sought.emit(self._sought(press.holds, at.x()), True)
        elif press.holds == "ruler" and at.x() >= LABELS:
            self._pick_event_near(at.x())
        elif press.holds == "plot" and not self.pick_at(at):
            lane = hit.lane_at(self._view, at.y(), self._scroll.value(), len(self._lanes))
            if lane is not None:
                self.choose_lane(lane)

    def _takes_point(self, event: QMouseEvent) -> bool:
        """Whether a press holds a point of the range: near its flag, or with Shift anywhere below the overview."""
        at = event.position().toPoint()
        if not self._lanes or at.y() < OVERVIEW or at.x() < LABELS:
            return False
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        return shifted or (at.y() < TOP and marked.point_at(self._marked, self._view, at.x()) is not None)

    def _take_point(self, event: QMouseEvent) -> str:
        """Takes hold of one end of the range; the other one stays where it is, or where Shift was pressed."""
        x, found = event.position().x(), self._marked
        held = marked.point_at(found, self._view, round(x)) if event.position().y() < TOP else None
        if held is None or found is None or found.b is None:
            self._fixed = marked.snapped(self._axis, self._view, x) if held is None or found is None else found.a
        else:
            self._fixed = found.ends[1 - held]
        return "point"

    def _takes_head(self, at: QPoint) -> bool:
        """Whether a press takes hold of the play head: in the ruler from anywhere, in the overview near its line."""
        assert self._head is not None
        near = abs(at.x() - edge(self._head, self._whole)) <= REACH
        return at.x() >= LABELS and (OVERVIEW <= at.y() < TOP or (at.y() < OVERVIEW and near))

    def _sought(self, holds: str, x: int) -> float:
        """The place of the axis under a pixel, at most the end of the stream."""
        view = self._view if holds == "head" else self._whole
        end = self._axis.span[1] if self._axis.end is None else self._axis.end
        return min(max(view.position(x), self._whole.start), end)

    def pick_at(self, at: QPoint) -> bool:
        """Picks what is painted at a pixel, as a click does; whether there is anything."""
        found = hit.hit(self._lanes, self._view, at.x(), at.y(), self._scroll.value())
        if found is not None and found.kind == "bar":
            top = TOP + self._view.row(found.lane, self._scroll.value())
            if mended_mark(self._lanes[found.lane], found.number, self._view, top, self._view.lane).contains(at):
                self.mended_picked.emit()
                return True
        if found is not None:
            self._pick(self._next_of_moment(found), self._lanes)
        return found is not None

    def _next_of_moment(self, found: Hit) -> Hit:
        """The block after the current one, where one box stands for several and is picked again and again."""
        index, current = self._lanes[found.lane], self._current
        if found.kind != "bar" or box_of(index, found.number, self._view).shared < 2:
            return found
        first, after = index.shared(found.number)
        if current is None or current[:2] != found[:2] or not first <= current.number < after - 1:
            return found
        return found._replace(number=current.number + 1)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.position().y() < OVERVIEW:
            self.leaving.emit("fit")
            self.fit()

    def _pick_event_near(self, x: int) -> None:
        position = self._view.position(x)
        if self._axis.events:
            event = nearest(self._axis.events, position)
        else:
            first, last = self._axis.span
            event = min(max(round(position), first), last) if not self._axis.measured and self._lanes else None
        if event is not None:
            self.event_picked.emit(event)

    def _set_hovered(self, found: hit.Hit | None) -> None:
        if found != self._hovered:
            self._hovered = found
            self.update()

    def _show_cursor(self, at: QPoint) -> None:
        held = overview.grip(at.x(), self._view, self._whole) if at.y() < OVERVIEW else ""
        crumb = crumbs.crumb_at(self._axis, self.trail, at.x(), at.y()) if at.y() < OVERVIEW else None
        if crumb != self._crumb:
            self._crumb = crumb
            self.update()
        pointed = OVERVIEW <= at.y() < TOP and marked.point_at(self._marked, self._view, at.x()) is not None
        sideways = pointed or held in ("left", "right") or (self._head is not None and self._takes_head(at))
        shape = Qt.CursorShape.SizeHorCursor if sideways else Qt.CursorShape.ArrowCursor
        if self._hovered is not None or crumb is not None:
            shape = Qt.CursorShape.PointingHandCursor
        tip(self, self._label_tip(at) if at.x() < LABELS else "")
        self.setCursor(shape)

    def _label_tip(self, at: QPoint) -> str:
        """The keys above the lanes, beside a lane what its label has no room for."""
        lane = hit.lane_at(self._view, at.y(), self._scroll.value(), len(self._lanes))
        if at.y() < TOP:
            return HINT
        return label_words(self._lanes[lane].lane) if lane is not None else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        action = None if held else self._actions.get(event.key())
        if action is None:
            super().keyPressEvent(event)
            return
        action()
