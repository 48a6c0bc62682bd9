"""The menu and the copy key of the timeline, which itself knows nothing of recordings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu

from inspector_app.ui.session import Session
from inspector_app.ui.timeline import LaneIndex, Timeline, hit
from inspector_app.ui.timeline.view import LABELS, OVERVIEW, TOP
from inspector_app.ui.timeline_lanes import LaneChoice, name_of
from inspector_app.ui.views.copies import BLOCK_FIRST, Entry, copies
from inspector_app.ui.views.copy_menu import by_keyboard, copy_first, is_menu_key, pop_up


class TimelineMenu(QObject):
    """Copies what is selected: the block of a bar, else the event. A click picks what is under the pointer first."""

    def __init__(
        self, session: Session, timeline: Timeline, choice: LaneChoice, lanes: Callable[[], Sequence[LaneIndex]]
    ) -> None:
        super().__init__(timeline)
        self._session, self._timeline = session, timeline
        self._choice, self._lanes = choice, lanes
        timeline.installEventFilter(self)

    def copies(self) -> list[Entry]:
        """What can be copied of the selection."""
        current = self._session.selection.current
        first = BLOCK_FIRST if current is not None and current.block is not None else ("Copy this event",)
        return copies(self._session, current, first)

    def lane_menu(self, y: int) -> QMenu:
        """What can be done with the lane whose label is at a height, and with those that are hidden."""
        timeline, choice = self._timeline, self._choice
        menu = QMenu(timeline)
        menu.setAccessibleName("Lanes")
        menu.aboutToHide.connect(menu.deleteLater)
        number = hit.lane_at(timeline.view, y, timeline.scrolled, len(timeline.lanes))
        if number is not None:
            lane = timeline.lanes[number].lane
            pin = "Let this lane go" if lane.pinned else "Pin this lane to the top"
            menu.addAction(pin, lambda: timeline.ask_of_lane("pin", number))
            menu.addAction("Hide this lane", lambda: timeline.ask_of_lane("hide", number))
            if lane.curve is not None:
                action = menu.addAction(
                    "Count characters, not tokens", lambda: choice.count_characters(not choice.characters)
                )
                action.setCheckable(True)
                action.setChecked(choice.characters)
            menu.addSeparator()
        hidden = [index.lane for index in self._lanes() if name_of(index.lane.key) in choice.hidden]
        for lane in hidden:
            words = " ".join(part for part in (lane.title, lane.note) if part)
            menu.addAction(f"Show: {words}", partial(choice.hide, lane.key, False))
        menu.addAction("Show all lanes", choice.show_all).setEnabled(bool(hidden))
        for action in menu.actions():
            action.setEnabled(action.isEnabled() and timeline.free)
        return menu

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        place = QPoint(LABELS, TOP)
        if isinstance(event, QContextMenuEvent):
            if not by_keyboard(event):
                place = event.pos()
                if place.x() < LABELS and place.y() >= OVERVIEW:
                    self.lane_menu(place.y()).popup(event.globalPos())
                    return True
                if not self._timeline.pick_at(place):
                    return True
            pop_up(self._timeline, self.copies(), place)
            return True
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.matches(QKeySequence.StandardKey.Copy):
                copy_first(self._timeline, self.copies(), place)
                return True
            if is_menu_key(event):
                pop_up(self._timeline, self.copies(), place)
                return True
        return super().eventFilter(watched, event)
