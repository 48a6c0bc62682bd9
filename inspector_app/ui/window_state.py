"""Carries what the window remembers between the settings and its widgets: place, theme, pane sizes, readers."""

from __future__ import annotations

import binascii
import time
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject
from PySide6.QtWidgets import QMainWindow, QSplitter

from inspector_app.core.resources import resource
from inspector_app.lenses import LITERAL, REFERENCE
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.session import Session
from inspector_app.ui.settings import Settings, stamp_of
from inspector_app.ui.start.digest import digest_of, to_json


def restore_window(window: QMainWindow, settings: Settings) -> None:
    """Puts the window where it was; the system has the last word where that screen is gone."""
    try:
        geometry = binascii.a2b_base64(settings.value("geometry", ""), strict_mode=True)
    except ValueError:
        return
    if geometry:
        window.restoreGeometry(QByteArray(geometry))


def save_window(window: QMainWindow, settings: Settings) -> None:
    """Remembers where the window is."""
    settings.put("geometry", binascii.b2a_base64(window.saveGeometry().data(), newline=False).decode())


def restore_page(page: RecordingPage, settings: Settings) -> None:
    """Gives the panes of a page the sizes that were drawn last, and the timeline the lanes that were chosen."""
    page.link.choice.remember(settings)
    remembered = settings.value("panes", {})
    for name, splitter in _splitters(page):
        sizes = remembered.get(name)
        if isinstance(sizes, list) and len(sizes) == splitter.count() and all(_pixels(size) for size in sizes):
            splitter.setSizes(sizes)
            # The page leaves a line alone that was moved, and arranges the others itself.
            splitter.splitterMoved.emit(sizes[0], 1)
        splitter.setProperty("drawn", False)
        splitter.splitterMoved.connect(lambda *_, splitter=splitter: splitter.setProperty("drawn", True))


def save_page(page: RecordingPage, settings: Settings) -> None:
    """Remembers the sizes of the panes between which the user moved a line."""
    drawn = {name: splitter.sizes() for name, splitter in _splitters(page) if splitter.property("drawn")}
    if drawn:
        settings.put("panes", settings.value("panes", {}) | drawn)


def _splitters(page: RecordingPage) -> Iterator[tuple[str, QSplitter]]:
    """The splitters of a page, named by what stands in them, so that a new arrangement takes no old sizes."""
    for splitter in page.findChildren(QSplitter):
        yield "+".join(type(splitter.widget(place)).__name__ for place in range(splitter.count())), splitter


def _pixels(size: object) -> bool:
    return type(size) is int and 0 <= size < 100_000


class Memory(QObject):
    """Follows a page of a file: the file becomes a recent one, with its digest and the readers that were chosen."""

    def __init__(self, page: RecordingPage, settings: Settings) -> None:
        super().__init__(page)
        self._settings, self._session = settings, page.session
        self._path = str(Path(page.session.path).absolute())
        self._opened = self._learned = False
        page.session.grown.connect(self._open)
        page.session.compared.connect(self._learn)
        page.readers_chosen.connect(self._choose)

    def _open(self) -> None:
        if not self._opened:
            self._opened = True
            self._settings.opened(self._path, int(time.time()))

    def _learn(self) -> None:
        """Once, when the readings are there: what the row of the start page shows."""
        if self._learned or not self._session.complete or not self._opened:
            return
        digest = digest_of(self._session)
        if digest is not None:
            self._learned = True
            self._settings.learn(self._path, stamp=stamp_of(self._path), digest=to_json(digest))

    def _choose(self) -> None:
        self._settings.learn(self._path, readers=[self._session.primary, self._session.secondary])


def is_remembered(path: str) -> bool:
    """Whether a file belongs among the recent ones: the gallery has a place of its own, standard input has none."""
    return path != "-" and Path(path).absolute().parent != resource("recordings")


def restore_readers(session: Session, settings: Settings) -> None:
    """Chooses the readers that were chosen for this file before, as far as they are still known."""
    path = str(Path(session.path).absolute())
    readers = next((recent.readers for recent in settings.recent() if recent.path == path), None)
    if readers is not None and all(name in (REFERENCE, LITERAL, None) or name in session.lenses for name in readers):
        session.choose(*readers)
