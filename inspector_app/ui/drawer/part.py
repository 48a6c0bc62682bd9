"""Lets the timeline of a page stand alone, with the drawer below it, and brings the panes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector_app.ui.commands import Command
from inspector_app.ui.drawer.drawer import COMFORT, Drawer
from inspector_app.ui.frames import Splitter
from inspector_app.ui.scenes import TALLEST_LANE
from inspector_app.ui.timeline.crown import HEIGHT
from inspector_app.ui.timeline.lone import HEAD, Lone
from inspector_app.ui.timeline.view import LANE

if TYPE_CHECKING:
    from inspector_app.ui.page import RecordingPage

WORDS = "Timeline alone, or with all panes"
NEEDS = "needs a recording with events"
LEAST_SHARE = 0.38
"""Of the height, for the drawer, however many lanes there are."""
LEAST_DRAWER, ROOMY_LANE = 168, 32


class AlonePart(QObject):
    """The timeline of a page moves out of its place among the panes, and back."""

    def __init__(self, page: RecordingPage, body: Splitter, arrange: Callable[[], None]) -> None:
        super().__init__(page)
        self._page, self._body, self._arrange = page, body, arrange
        self.on = False
        self.whole: Splitter | None = None
        self.lone: Lone | None = None
        self.drawer: Drawer | None = None
        self._sizes: list[int] = []
        self._drawn = False
        """Whether the user has drawn the line above the drawer; there it stays."""
        page.session.failed.connect(lambda *_: self.show(False))

    def commands(self) -> list[Command]:
        """The way there and back."""
        return [Command(WORDS, "View", self.turn, (), self._possible, NEEDS, menu=True, checked=lambda: self.on)]

    def _possible(self) -> bool:
        reading = self._page.session.reference
        return self.on or (reading is not None and len(reading.events) > 0)

    def turn(self) -> None:
        """There, or back."""
        self.show(not self.on)

    def show(self, on: bool) -> None:
        """Let the timeline stand alone, or among the panes."""
        if on == self.on or (on and not self._possible()):
            return
        self.on = on
        page, timeline, body = self._page, self._page.timeline, self._body
        kept = timeline.hasFocus() or not on
        if on:
            self._sizes = body.sizes()
            self._build()
            assert self.whole is not None
            assert self.lone is not None
            layout = page.layout()
            assert isinstance(layout, QVBoxLayout)
            if layout.indexOf(self.whole) < 0:
                layout.insertWidget(layout.indexOf(body), self.whole, 1)
            body.hide()
            self.lone.take()
            timeline.let_grow(TALLEST_LANE)
            self.whole.show()
            layout.activate()
            self._share_out()
        else:
            assert self.whole is not None
            self.whole.hide()
            timeline.let_grow(LANE)
            body.insertWidget(0, timeline)
            timeline.show()
            body.show()
            body.setSizes(self._sizes)
            self._arrange()
        if kept or not page.isAncestorOf(page.window().focusWidget() or page):
            timeline.setFocus(Qt.FocusReason.OtherFocusReason)
        page.history.noticed("alone")

    def show_like(self, other: AlonePart) -> None:
        """Show the same as the part of another page, for a picture of it."""
        self.show(other.on)
        timeline, seen = self._page.timeline, other._page.timeline
        if other.on:
            timeline.show_view(seen.view)
            timeline.mark(seen.points)

    @property
    def settled(self) -> bool:
        """Whether nothing is still being counted."""
        return not self.on or self.drawer is None or self.drawer.settled

    def regions(self) -> dict[str, tuple[QWidget, QWidget]]:
        """The parts that the keyboard goes through besides the timeline, while it stands alone."""
        drawer = self.drawer
        if not self.on or drawer is None:
            return {}
        return {"kinds": (drawer.kinds, drawer.kinds), "range": (drawer.happens, drawer.happens)}

    def _build(self) -> None:
        if self.whole is not None:
            return
        page = self._page
        self.whole = Splitter(page.look, Qt.Orientation.Vertical)
        self.lone = Lone(page.look, page.timeline)
        self.drawer = Drawer(page.session, page.look, page.link, page.timeline)
        self.drawer.setMinimumHeight(LEAST_DRAWER)
        self.whole.addWidget(self.lone)
        self.whole.addWidget(self.drawer)
        self.whole.setStretchFactor(0, 1)
        self.whole.setStretchFactor(1, 0)
        self.whole.splitterMoved.connect(self._draw)
        self.lone.left.connect(lambda: self.show(False))
        self.lone.crown.changed.connect(self.drawer.ask)
        self.drawer.finding_picked.connect(page.link.finding_picked)

    def _draw(self) -> None:
        self._drawn = True

    def _share_out(self) -> None:
        """The drawer as high as it needs to be where all lanes have room above it, else lower."""
        assert self.whole is not None
        if self._drawn:
            return
        height, lanes = self.whole.height(), len(self._page.timeline.lanes) + 1
        room = height - HEAD - HEIGHT - lanes * ROOMY_LANE
        below = min(COMFORT, max(room, round(height * LEAST_SHARE)))
        self.whole.setSizes([height - below - self.whole.handleWidth(), below])
