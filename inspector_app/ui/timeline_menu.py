"""The menu and the copy key of the timeline, which itself knows nothing of recordings."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence

from inspector_app.ui.session import Session
from inspector_app.ui.timeline import Timeline
from inspector_app.ui.timeline.view import LABELS, TOP
from inspector_app.ui.views.copies import BLOCK_FIRST, Entry, copies
from inspector_app.ui.views.copy_menu import by_keyboard, copy_first, is_menu_key, pop_up


class TimelineMenu(QObject):
    """Copies what is selected: the block of a bar, else the event. A click picks what is under the pointer first."""

    def __init__(self, session: Session, timeline: Timeline) -> None:
        super().__init__(timeline)
        self._session, self._timeline = session, timeline
        timeline.installEventFilter(self)

    def copies(self) -> list[Entry]:
        """What can be copied of the selection."""
        current = self._session.selection.current
        first = BLOCK_FIRST if current is not None and current.block is not None else ("Copy this event",)
        return copies(self._session, current, first)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        place = QPoint(LABELS, TOP)
        if isinstance(event, QContextMenuEvent):
            if not by_keyboard(event):
                place = event.pos()
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
