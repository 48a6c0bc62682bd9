"""What a picture can show besides the window: one pane, the whole timeline, the comparison; arranged at any size."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLayout, QVBoxLayout, QWidget

from inspector_app.ui.picture import CAPTION
from inspector_app.ui.session import Session
from inspector_app.ui.summary import Summary, VerdictStrip
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Timeline
from inspector_app.ui.timeline_link import TimelineLink
from inspector_app.ui.views.pane_parts import Pane
from inspector_app.ui.views.panes import Panes
from inspector_app.ui.views.row_view import ROW, RowView

TIMELINE, COMPARISON = "timeline", "comparison"
TALLEST_LANE = 72
RAW_SHARE = 0.46
"""Of the width, for the raw lines beside blocks along the rows."""
LEAST_ROWS = 5
"""Raw lines that a comparison shows at least, above blocks as flowing text."""
AS_TEXT = ("failed", "lost")
"""Verdicts that are plain from the text of the blocks; the others from where it was cut."""
BELOW = QRect(0, 20_000, 2400, 400)


class Scene(QWidget):
    """Parts of the window over a session that has been read, one below the other. Nobody sees it but the picture.

    `name` is a pane ("lines", "deltas", "blocks"), "timeline" or "comparison". Parts work in steps: let the event loop
    run until it has nothing to do, then call `show_at`, let it run, `show_around`, let it run again.
    """

    def __init__(self, session: Session, look: Look, name: str) -> None:
        super().__init__()
        self._session = session
        self._panes = Panes(session, look, self)
        self._panes.hide_controls()
        self._lines: Pane | None = None
        """The raw lines above the blocks, which get the height that these do not need."""
        self._rows: RowView | None = views_of(self._panes).get("lines" if name == COMPARISON else name)
        self._timeline = Timeline(look)
        TimelineLink(session, self._timeline).refresh()
        self._parts = self._parts_of(look, name)
        column = QVBoxLayout(self)
        column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        # The panes scroll together, so those that are left stand below, where no picture reaches.
        self._panes.setGeometry(BELOW)
        for part in self._parts:
            column.addWidget(part, int(part is self._parts[-1]))
            part.show()

    def _parts_of(self, look: Look, name: str) -> list[QWidget]:
        if name == TIMELINE:
            self._timeline.let_grow(TALLEST_LANE)
            return [self._timeline]
        if name != COMPARISON:
            return [pane_of(self._panes, name)]
        summary, verdict = Summary(self._session, look), VerdictStrip(self._session, look)
        summary.refresh()
        verdict.hide_buttons()
        above = [summary, verdict] if any(verdict.words()) else [summary]
        return [*above, self._timeline, *self._proof()]

    def _proof(self) -> list[QWidget]:
        """The raw lines around the first difference, and what both readers made of them."""
        difference = self._session.difference
        if difference is not None and difference.verdict in AS_TEXT:
            self._panes.show_reading_view(True)
        lines, blocks = pane_of(self._panes, "lines"), pane_of(self._panes, "blocks")
        assert isinstance(lines, Pane)
        if self._panes.reading_view:
            self._lines = lines
            return [lines, blocks]
        beside = QWidget()
        row = QHBoxLayout(beside)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(lines, round(100 * RAW_SHARE))
        row.addWidget(blocks, round(100 * (1 - RAW_SHARE)))
        return [beside]

    def show_at(self, size: QSize) -> None:
        """Arranges the parts for a picture of `size`."""
        show_at_least(self, QSize(size.width(), size.height() - CAPTION), self._least())

    def own_height(self) -> int:
        """How high a picture of the timeline is that leaves no room below the lanes."""
        return self._least().height() + CAPTION

    def _least(self) -> QSize:
        hints = [part.sizeHint() if part is self._timeline else part.minimumSizeHint() for part in self._parts]
        return QSize(max(part.minimumSizeHint().width() for part in self._parts), sum(hint.height() for hint in hints))

    def show_around(self) -> None:
        """Shares the height out, and scrolls so that the rows of the selected event stand in the middle."""
        if self._lines is not None:
            blocks = self._parts[-1]
            heads = blocks.height() - self._panes.cards.height()
            room = self._lines.height() + blocks.height()
            above = self._lines.height() - self._panes.raw.viewport().height()
            left = (room - heads - self._panes.cards.content_height - above) // ROW
            self._lines.setFixedHeight(above + max(LEAST_ROWS, left) * ROW)
            layout = self.layout()
            assert layout is not None
            layout.activate()
        current, rows, view = self._session.selection.current, self._session.rows, self._rows
        if view is not None and current is not None and current.event < rows.events:
            first, last = rows.rows_of(current.event)
            middle = (first + last) * ROW // 2 - view.viewport().height() // 2
            view.verticalScrollBar().setValue(max(0, middle) // ROW * ROW)


def views_of(panes: Panes) -> dict[str, RowView]:
    """The rows of each pane."""
    return {"lines": panes.raw, "deltas": panes.deltas, "blocks": panes.blocks}


def pane_of(panes: Panes, name: str) -> QWidget:
    """One of the panes, "lines", "deltas" or "blocks", with its head."""
    found: QWidget = views_of(panes)[name]
    while not isinstance(found, Pane):
        parent = found.parentWidget()
        assert parent is not None
        found = parent
    return found


def show_at_least(widget: QWidget, room: QSize, least: QSize) -> None:
    """Shows a widget to nobody: as large as the room there is, or larger in proportion where it needs more."""
    widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    widget.resize(room * max(1.0, least.width() / room.width(), least.height() / room.height()))
    widget.show()
