"""The page that the window starts with: recent recordings, the gallery, and how to open something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from inspector_app import __version__
from inspector_app.core.kit import Kit
from inspector_app.lenses import Lens
from inspector_app.ui import fonts
from inspector_app.ui.controls import Button
from inspector_app.ui.labels import draw_text, label
from inspector_app.ui.live.leftovers import Leftovers
from inspector_app.ui.settings import Settings, Stamp
from inspector_app.ui.start.digest import Digest, from_json, to_json
from inspector_app.ui.start.gallery import Gallery
from inspector_app.ui.start.recent import RecentList
from inspector_app.ui.start.shelf import Shelf
from inspector_app.ui.start.side import Side
from inspector_app.ui.start.tiles import Tile
from inspector_app.ui.theme import Look

WIDE = 1200
"""Below this width the margins shrink."""
MARGIN, SIDE = (64, 272), (32, 248)
TOP, BAR = 46, 16
STORY, STATUS = 44, 24
HINT = "Point at a recording to read what is wrong with it; a click or Enter opens it."


class Story(QWidget):
    """The line below: what there is to see in the recording under the pointer, or where the keyboard is."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setFixedHeight(STORY)
        self.title = label("", "ink.1", fonts.BODY, 600)
        self.words = label(HINT, "ink.2", fonts.BODY)
        self.words.setWordWrap(True)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.row = QHBoxLayout(self)
        self.row.setSpacing(12)
        self.row.addWidget(self.title)
        self.row.addWidget(self.words, 1)
        look.changed.connect(self.update)

    def tell(self, title: str, words: str) -> None:
        """Replaces the line."""
        self.title.setVisible(bool(title))
        self.title.setText(title)
        self.title.setFont(fonts.ui_font_for(title, fonts.BODY, 600))
        self.words.setText(words)
        self.words.setFont(fonts.ui_font_for(words, fonts.BODY))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.pane"))
            painter.fillRect(0, 0, self.width(), 1, theme.color("line"))


class StartStatus(QWidget):
    """The status line of the start page."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setFixedHeight(STATUS)
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.chrome"))
            font, base = fonts.ui_font(fonts.SECONDARY), fonts.baseline(0, STATUS)
            x = 16 + draw_text(painter, 16, base, "Ready", font, theme.color("ink.1"))
            painter.fillRect(round(x) + 8, 6, 1, STATUS - 12, theme.color("line.strong"))
            draw_text(painter, x + 17, base, "nothing is sent anywhere unless you go live", font, theme.color("ink.2"))
            right = f"{self._look.choice} theme   {__version__}"
            x = self.width() - 16 - fonts.text_width(font, right)
            draw_text(painter, x, base, right, font, theme.color("ink.2"))


class StartPage(QWidget):
    """What the window shows without a recording. `opened(path)`: a recent one or one of the gallery was chosen."""

    opened = Signal(str)
    open_asked = Signal()
    paste_asked = Signal()
    live_asked = Signal()
    proxy_asked = Signal()

    def __init__(
        self, kit: Kit, lenses: Mapping[str, Lens], look: Look, settings: Settings, gallery: Sequence[str]
    ) -> None:
        super().__init__()
        self._look, self._settings = look, settings
        self._told: Tile | None = None
        self.side = Side(look)
        self.recent = RecentList(look)
        self.gallery = Gallery(look, gallery)
        self.story = Story(look)
        self.status = StartStatus(look)
        self.fault = label("", "ink.1", fonts.BODY)
        self.shelf = Shelf(kit, lenses, self)
        self._arrange()
        self._connect()
        self.refresh()
        for card in self.gallery.cards:
            self.shelf.ask(card.path)

    def _arrange(self) -> None:
        self._left = QWidget()
        left = QVBoxLayout(self._left)
        left.setContentsMargins(0, TOP + 2, 0, 16)
        left.addWidget(self.side)
        self._right = QWidget()
        self._content = QVBoxLayout(self._right)
        self._content.setSpacing(30)
        self._content.addWidget(self.recent)
        self._content.addWidget(self.gallery)
        self._content.addStretch(1)
        self._side_area, self.area = _scrolled(self._left), _scrolled(self._right)
        self._row = QHBoxLayout()
        self._row.setSpacing(0)
        self._row.addWidget(self._side_area)
        self._row.addWidget(self.area, 1)
        self._strip = _FaultStrip(self._look, self.fault)
        self.leftovers = Leftovers(self._look, self._settings)
        self.leftovers.opened.connect(self.opened)
        self.leftovers.failed.connect(self.say)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._strip)
        column.addWidget(self.leftovers)
        column.addLayout(self._row, 1)
        column.addWidget(self.story)
        column.addWidget(self.status)

    def _connect(self) -> None:
        self.side.open_asked.connect(self.open_asked)
        self.side.paste_asked.connect(self.paste_asked)
        self.side.live_asked.connect(self.live_asked)
        self.side.proxy_asked.connect(self.proxy_asked)
        self.recent.opened.connect(self.opened)
        self.gallery.opened.connect(self.opened)
        self.recent.forgotten.connect(self._forget)
        self.recent.left_below.connect(self.gallery.enter)
        self.gallery.left_above.connect(lambda: self.recent.enter(last=True))
        self.recent.pointed.connect(self._point)
        self.gallery.pointed.connect(self._point)
        self.shelf.seen.connect(self._seen)
        self.shelf.made.connect(self._made)
        self.shelf.missing.connect(self._missing)

    # what is shown

    def refresh(self) -> None:
        """Shows the recent recordings as they are remembered, and looks whether their files changed."""
        self._told = None
        entries = [(recent, from_json(recent.digest)) for recent in self._settings.recent()]
        self.recent.show_recent(entries, datetime.now())
        for recent, digest in entries:
            self.shelf.ask(recent.path, recent.stamp if digest is not None else None)

    def say(self, words: str) -> None:
        """A fault in one line, until it is dismissed; "" takes it away."""
        self._strip.say(words)

    def show_drag(self, over: bool) -> None:
        """Whether something that can be opened hangs over the window."""
        self.side.drop.show_drag(over)

    def _seen(self, path: str, about: Mapping[str, str]) -> None:
        card = self.gallery.card_of(path)
        if card is not None:
            card.show_about(about.get("title", ""), about.get("story", ""))
            self._tell()

    def _made(self, path: str, digest: Digest, stamp: Stamp | None) -> None:
        self.gallery.show_digest(path, digest)
        row = self.recent.row_of(path)
        if row is not None:
            row.show_digest(digest)
            self._settings.learn(path, stamp=stamp, digest=to_json(digest))
        self._tell()

    def _missing(self, path: str, why: str) -> None:
        row = self.recent.row_of(path)
        if row is not None:
            row.show_fault(why)
            self._tell()

    def _forget(self, path: str) -> None:
        self._settings.forget(path)
        self.refresh()
        self.enter()

    # the pointer and the keyboard

    def enter(self) -> None:
        """Gives the focus to where the keyboard was last, at first to the first recording."""
        tile = self.recent.roving.current or self.gallery.roving.current
        if tile is not None:
            tile.setFocus(Qt.FocusReason.OtherFocusReason)

    def _point(self, tile: Tile, on: bool) -> None:
        if on:
            self._told = tile
            if tile.hasFocus() and not tile.underMouse():
                place = tile.mapTo(self._right, QPoint(0, 0))
                middle = place + QPoint(tile.width() // 2, tile.height() // 2)
                self.area.ensureVisible(middle.x(), middle.y(), 0, tile.height() // 2 + 20)
        elif self._told is tile:
            self._told = next((other for other in (self.recent.roving.current, self.gallery.roving.current)
                               if other is not None and other.hasFocus()), None)  # fmt: skip
        self._tell()

    def _tell(self) -> None:
        told = self._told
        self.story.tell(told.title if told is not None else "", told.story if told is not None else HINT)

    # the widget

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        margin, side = MARGIN if self.width() >= WIDE else SIDE
        self.side.setFixedWidth(side)
        self._left.layout().setContentsMargins(margin, TOP + 2, 0, 16)
        # The bar that comes in a low window stands beside the buttons, not on them.
        self._side_area.setFixedWidth(margin + side + BAR)
        self._content.setContentsMargins(margin - BAR, TOP, margin - 10, 32)
        self.story.row.setContentsMargins(margin, 0, margin, 0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shelf.run(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.shelf.run(False)


class _FaultStrip(QWidget):
    def __init__(self, look: Look, words) -> None:
        super().__init__()
        self._words = words
        dismiss = Button(look, "Dismiss", "", "flat")
        dismiss.clicked.connect(self.hide)
        self.setProperty("layer", "head")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 2, 16, 2)
        row.addWidget(words, 1)
        row.addWidget(dismiss)
        self.setFixedHeight(32)
        self.hide()

    def say(self, words: str) -> None:
        self._words.setText(words)
        self._words.setFont(fonts.ui_font_for(words, fonts.BODY))
        self.setVisible(bool(words))


def _scrolled(content: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setProperty("layer", "panel")
    content.setProperty("layer", "panel")
    content.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    return area
