"""Makes the pictures that are asked for in the window, while the window goes on.

What is in view is drawn as it stands. The whole timeline and the comparison are arranged anew, out of sight. A
recording with keys in its body is read again without them, and everything is drawn from that copy.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from PySide6.QtCore import QMimeData, QObject, QSize, QTimer, Signal
from PySide6.QtGui import QImage, QStandardItemModel
from PySide6.QtWidgets import QScrollBar, QWidget
from shiboken6 import isValid

from inspector_app.core.types import Exchange
from inspector_app.ui.masked import Mask
from inspector_app.ui.matrix.picture import MATRIX, matrix_caption, scene_of, size_of
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.picture import CAPTION, caption, picture, save_picture, vector, whole_size
from inspector_app.ui.scenes import COMPARISON, TIMELINE, pane_of
from inspector_app.ui.theme import Look

WINDOW = "window"
WHATS = {
    WINDOW: "Window",
    "lines": "Raw lines",
    "deltas": "Deltas",
    "blocks": "Blocks",
    TIMELINE: "Whole timeline",
    COMPARISON: "Comparison",
    MATRIX: "Every client",
}
"""What a picture can show -> what it is called."""
REST_MS = 60
"""What views put off until nothing else is to do is done by then."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for. `theme` is "light", "dark", or "" for that of the window; `wide` counts window widths."""

    what: str = WINDOW
    theme: str = ""
    scale: int = 2
    wide: int = 1


USUAL = Wish()


class Picture(NamedTuple):
    """A picture that is ready to be drawn; only while it is delivered."""

    widget: QWidget
    look: Look
    words: str
    scale: int
    size: QSize

    def image(self) -> QImage:
        """As dots."""
        return picture(self.widget, self.look, self.words, self.scale, self.size)

    def save(self, path: str) -> None:
        """As a file. Raises OSError with one line."""
        save_picture(self.widget, self.look, self.words, path, self.scale, self.size)

    def for_clipboard(self) -> QMimeData:
        """As dots, and as shapes for programs that take them."""
        data = _empty_data()
        data.setImageData(self.image())
        data.setData("image/svg+xml", vector(self.widget, self.look, self.words, self.size).encode())
        return data


def _empty_data() -> QMimeData:
    """Made by Qt itself: one made here and still on the clipboard at the end outlives the interpreter, and crashes."""
    model = QStandardItemModel(1, 1)
    data = model.mimeData([model.index(0, 0)])
    data.clear()
    return data


Deliver = Callable[[Picture], None]
CleanOf = Callable[[QWidget, bool], Generator[bool, None, tuple[QWidget | None, str]]]
"""Gives in steps what shows a page without its secrets, None where it can be drawn as it is in the window (never where
that is forbidden by the second argument), and the caption.
"""
CopyOf = Callable[[RecordingPage, Exchange], tuple[QWidget, RecordingPage]]
"""Opens a window that nobody sees with a page like another one, but with another exchange."""


class Studio(QObject):
    """`busy` says whether a picture is being made."""

    busy = Signal(bool)

    def __init__(self, window: QWidget, look: Look, copy_of: CopyOf, clean_of: CleanOf) -> None:
        super().__init__(window)
        self._window, self._look, self._copy_of, self._clean_of = window, look, copy_of, clean_of
        self._waiting: deque[tuple[QWidget, Iterator[bool]]] = deque()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._step)

    def size(self, page: QWidget, wish: Wish) -> QSize:
        """How large that picture of a page would be, in pixels."""
        whole = whole_size(self._window)
        if not isinstance(page, RecordingPage):
            return whole
        if wish.what == TIMELINE:
            return QSize(whole.width() * wish.wide, page.timeline.sizeHint().height() + CAPTION)
        if wish.what == MATRIX:
            return size_of(page.session, whole.width())
        return whole if wish.what in (WINDOW, COMPARISON) else whole_size(pane_of(page.panes, wish.what))

    def make(self, page: QWidget, wish: Wish, deliver: Deliver) -> None:
        """Draw something of a page: of one that is no recording the window.

        `deliver` gets it when it is ready; pictures come in the order of the wishes.
        """
        if isinstance(page, RecordingPage):
            self._waiting.append((page, self._sitting(page, wish, deliver)))
        else:
            self._waiting.append((page, self._sheet_sitting(page, wish, deliver)))
        if not self._timer.isActive():
            self._timer.start(0)
            self.busy.emit(True)

    def _step(self) -> None:
        page, work = self._waiting[0]
        rest = next(work, None) if isValid(page) else None
        if rest is None:
            work.close()  # type: ignore[attr-defined]
            self._waiting.popleft()
        self._timer.setInterval(REST_MS if rest else 0)
        if not self._waiting:
            self._timer.stop()
            self.busy.emit(False)

    def _sitting(self, page: RecordingPage, wish: Wish, deliver: Deliver) -> Iterator[bool]:
        """One picture in steps; true where the event loop has to come to rest first."""
        reading, clean = page.session.reference, None
        if reading is None:  # a file that could not be read: the window says why
            wish = replace(wish, what=WINDOW)
        else:
            mask = Mask(reading)
            for _ in mask.steps():
                yield False
            clean = mask.exchange()
        while page.session.complete and not page.link.settled:
            # Lanes that are not there yet make it higher, and all below them stands elsewhere.
            yield True
        size = self.size(page, wish)
        window = self._window
        made: list[QWidget] = []
        try:
            exchange = clean or page.session.exchange
            # Another tab may have come into view since the wish was made.
            if exchange is not None and (clean is not None or (wish.what == WINDOW and not page.isVisible())):
                seen = page
                window, page = self._copy_of(seen, exchange)
                made.append(window)
                while not (page.session.complete and page.session.idle and page.link.settled):
                    yield True
                page.panes.show_reading_view(seen.panes.reading_view)
                page.alone.show_like(seen.alone)
                page.detail.head.tabs.setCurrentIndex(seen.detail.head.tabs.currentIndex())
                page.session.selection.select(seen.session.selection.current, None)
                yield True
                bars = zip(_scroll_bars(page), _scroll_bars(seen), strict=True)
                for bar, other in bars:
                    bar.setValue(other.value())
                yield True
                while not (page.link.settled and page.alone.settled):
                    yield True
            if wish.what in (TIMELINE, COMPARISON, MATRIX):
                scene = scene_of(page.session, self._look, wish.what)
                made.append(scene)
                yield True
                scene.show_at(size)
                yield True
                scene.show_around()
                yield True
                words = matrix_caption if wish.what == MATRIX else caption
                self._draw(scene, words(page.session, clean is not None), wish, size, deliver)
            else:
                shown = window if wish.what == WINDOW else pane_of(page.panes, wish.what)
                self._draw(shown, caption(page.session, clean is not None), wish, whole_size(shown), deliver)
        finally:
            for widget in made:
                widget.close()
                widget.deleteLater()

    def _sheet_sitting(self, page: QWidget, wish: Wish, deliver: Deliver) -> Iterator[bool]:
        yield True
        clean, words = yield from self._clean_of(page, not page.isVisible())
        try:
            yield True
            shown = clean or self._window
            self._draw(shown, words, wish, whole_size(shown), deliver)
        finally:
            if clean is not None:
                clean.close()
                clean.deleteLater()

    def _draw(self, widget: QWidget, words: str, wish: Wish, size: QSize, deliver: Deliver) -> None:
        look = self._look
        usual = look.choice
        look.choose(wish.theme or look.theme.name)
        try:
            deliver(Picture(widget, look, words, wish.scale, size))
        finally:
            look.choose(usual)


def _scroll_bars(page: RecordingPage) -> list[QScrollBar]:
    """What the panes of a page are scrolled by."""
    return [view.verticalScrollBar() for view in (page.panes.raw, page.panes.cards)]
