"""A page whose timeline stands alone, with everything counted, for the tests of the drawer and of what is above it."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from inspector_app.ui.drawer.drawer import Drawer
from inspector_app.ui.drawer.part import WORDS
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.timeline.marked import Marked
from inspector_app.ui.window import Window


def alone(qtbot: QtBot, window: Window, page: RecordingPage) -> Drawer:
    """The drawer of a page whose timeline stands alone, with everything counted."""
    window.run(WORDS)
    drawer = page.alone.drawer
    assert drawer is not None
    page.timeline._go_to = page.timeline._look_at  # type: ignore[method-assign]
    settle(qtbot, drawer)
    return drawer


def settle(qtbot: QtBot, drawer: Drawer) -> None:
    """Until all that is asked for is shown."""
    qtbot.waitUntil(lambda: drawer.isVisible() and drawer._asked != () and drawer.settled)
    # What the timeline has changed is told by its next painting.
    qtbot.wait(1)
    drawer.ask()
    qtbot.waitUntil(lambda: drawer.settled)


def mark(qtbot: QtBot, page: RecordingPage, drawer: Drawer, first: int, last: int) -> None:
    """Mark the range from one event to another."""
    positions = page.timeline.axis.events
    page.timeline.mark(Marked(float(positions[first]), float(positions[last])))
    settle(qtbot, drawer)
