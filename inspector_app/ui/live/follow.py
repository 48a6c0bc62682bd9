"""Keeps the panes at the end of a live stream while nobody looks elsewhere, and the chip that says so."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton

from inspector_app.core.text import number
from inspector_app.ui import fonts
from inspector_app.ui.controls import HOVER, draw_key, key_width
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import draw_text, rounded, tip
from inspector_app.ui.live.behind import Behind
from inspector_app.ui.live.session import LiveSession
from inspector_app.ui.selection import Selection
from inspector_app.ui.theme import Look
from inspector_app.ui.views.panes import Panes

HEIGHT, PAD, GAP = 24, 12, 10
ABOVE = 8
"""Pixels between the chip and the lower edge of the lines."""
KEY = "End"


class TailChip(QPushButton):
    """Lies over the lines: that their end is followed, or how to go there."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._pinned, self._words, self._icon = True, "", "pin"
        self.setFlat(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        tip(self, "Go to the end of the stream and stay there", KEY)
        self.tell(True, 0, None)
        look.changed.connect(self.update)

    def tell(self, pinned: bool, missed: int, behind: Behind | None) -> None:
        """Whether the end is followed; `missed` events came since it was left; `behind`: the view is paused."""
        words = "Following the tail" if pinned else "Follow the tail" + (f" · +{number(missed)}" if missed else "")
        if behind is not None:
            words = f"View paused · {behind.count} behind"
        pinned = pinned and behind is None
        if (pinned, words) != (self._pinned, self._words):
            self._pinned, self._words, self._icon = pinned, words, "pin" if behind is None else "pause"
            self.setAccessibleName(words)
            self.resize(self.sizeHint())
            self.update()

    def sizeHint(self) -> QSize:
        words = round(fonts.text_width(fonts.ui_font(fonts.BODY, 600), self._words))
        return QSize(2 * PAD + SMALL + 8 + words + GAP + key_width(KEY), HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            pinned, loose = ("sel.fill", "accent", "accent"), ("bg.raised", "line.strong", "ink.2")
            fill, edge, glyph = pinned if self._pinned else loose
            rounded(painter, self.rect(), theme.color(fill), theme.color(edge), HEIGHT // 2, 1.2)
            if self.underMouse():
                rounded(painter, self.rect(), theme.veil("ink.1", HOVER), None, HEIGHT // 2)
            draw_icon(painter, PAD, (HEIGHT - SMALL) // 2, self._icon, theme.color(glyph), SMALL)
            font = fonts.ui_font(fonts.BODY, 600)
            draw_text(painter, PAD + SMALL + 8, fonts.baseline(0, HEIGHT), self._words, font, theme.color("ink.1"))
            draw_key(painter, theme, self.width() - PAD - key_width(KEY), HEIGHT, KEY)


class Follow(QObject):
    """`changed`: whether the end is followed now. A scroll or a selection leaves it, `pin` goes back."""

    changed = Signal(bool)

    def __init__(self, session: LiveSession, panes: Panes, look: Look) -> None:
        super().__init__(panes)
        self._session, self._panes = session, panes
        self.pinned = True
        self._moving = False
        self._left_at = 0
        self.chip = TailChip(look)
        self.chip.setParent(panes.raw)
        self.chip.show()
        self.chip.clicked.connect(self.pin)
        panes.raw.installEventFilter(self)
        self._bar = panes.raw.verticalScrollBar()
        self._bar.valueChanged.connect(self._scrolled)
        self._bar.rangeChanged.connect(self._ranged)
        panes.cards.verticalScrollBar().rangeChanged.connect(self._ranged)
        for view in (panes.raw, panes.deltas, panes.blocks):
            view.tail_asked.connect(self.pin)
        # The panes have taken in the new rows before this.
        session.grown.connect(self._grown)
        session.paused_changed.connect(self._tell)
        session.ticked.connect(self._ticked)
        session.selection.changed.connect(self._selected)
        session.ended.connect(self._ended)
        session.read.connect(self._read)
        self._place()

    def pin(self) -> None:
        """Go to the end and stay there; a selection would say that the user looks elsewhere, so it goes."""
        if not self._session.live:
            return
        self._session.selection.select(None, self)
        if self._session.paused:
            self._session.pause(False)
        self._set(True)
        self._to_end()

    def unpin(self) -> None:
        """Stay where the view is."""
        if self._session.live:
            self._set(False)

    def _set(self, pinned: bool) -> None:
        if pinned != self.pinned:
            self.pinned, self._left_at = pinned, self._session.rows.events
            self._tell()
            self.changed.emit(pinned)

    def _tell(self) -> None:
        missed = 0 if self.pinned else self._session.rows.events - self._left_at
        self.chip.tell(self.pinned, missed, self._session.behind)
        self._place()

    def _ticked(self) -> None:
        if self._session.paused:
            self._tell()

    def _scrolled(self, value: int) -> None:
        if not self._moving and value < self._bar.maximum():
            self.unpin()

    def _ranged(self) -> None:
        if self.pinned and self._session.live:
            self._to_end()

    def _selected(self, selection: Selection | None, origin: object) -> None:
        if selection is not None:
            self.unpin()

    def _grown(self) -> None:
        self._tell()
        self._ranged()

    def _to_end(self) -> None:
        self._moving = True
        panes = self._panes
        for view in (panes.raw, panes.deltas, panes.blocks):
            # The table takes its new height only when it is painted next.
            view.updateGeometries()
        for bar in (self._bar, panes.cards.verticalScrollBar()):
            bar.setValue(bar.maximum())
        self._moving = False

    def _ended(self) -> None:
        self.chip.hide()

    def _read(self) -> None:
        """Who has followed to the end stays there."""
        reading = self._session.reference
        if self.pinned and reading is not None and len(reading.events):
            self._session.selection.select(Selection(reading.last_event), self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._place()
        return False

    def _place(self) -> None:
        area = self._panes.raw.rect()
        self.chip.resize(self.chip.sizeHint())
        place = QRect(self.chip.rect())
        place.moveCenter(area.center())
        place.moveBottom(area.bottom() - ABOVE)
        self.chip.move(max(place.left(), 0), place.top())
        self.chip.raise_()
