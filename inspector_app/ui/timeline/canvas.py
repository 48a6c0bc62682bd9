"""The page of the timeline as a picture that is kept: painted at once, or piece by piece while an older one is seen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QPainter, QPixmap

STEP_NS = 8_000_000
"""How long pieces are painted before the window has its turn again."""

Piece = Callable[[QPainter], None]


class Page(NamedTuple):
    """What a picture shows: which data, which part of it, and how large in which colours."""

    version: int
    view: object
    size: tuple[int, int]
    down: int
    ratio: float
    theme: str


class Canvas(QObject):
    """Signal `ready`: a page that was painted piece by piece is whole."""

    ready = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[Page, QPixmap] | None = None
        self._made: tuple[Page, QPixmap] | None = None
        self._work: Iterator[Piece] = iter(())
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._step)

    def picture(self, page: Page, pieces: Callable[[], Iterable[Piece]], patient: bool) -> QPixmap:
        """The picture of a page. If `patient`, one of older data may come in its place until `ready`."""
        shown = self._shown
        if shown is not None and shown[0] == page:
            return shown[1]
        if patient and shown is not None and shown[0].version != page.version and shown[0][2:] == page[2:]:
            if self._made is None:
                self._made, self._work = (page, _blank(page)), iter(pieces())
                self._timer.start()
            return shown[1]
        self._drop()
        pixmap = _blank(page)
        _paint(pixmap, pieces())
        self._shown = page, pixmap
        return pixmap

    def _drop(self) -> None:
        self._made, self._work = None, iter(())
        self._timer.stop()

    def _step(self) -> None:
        made = self._made
        if made is not None and not _paint(made[1], self._work, time.perf_counter_ns() + STEP_NS):
            return
        self._drop()
        self._shown = made
        self.ready.emit()


def _blank(page: Page) -> QPixmap:
    width, height = page.size
    pixmap = QPixmap(round(width * page.ratio), round(height * page.ratio))
    pixmap.setDevicePixelRatio(page.ratio)
    return pixmap


def _paint(pixmap: QPixmap, pieces: Iterable[Piece], until: int | None = None) -> bool:
    """Paint pieces, one at least; whether those were all."""
    with QPainter(pixmap) as painter:
        for piece in pieces:
            piece(painter)
            if until is not None and time.perf_counter_ns() >= until:
                return False
    return True
