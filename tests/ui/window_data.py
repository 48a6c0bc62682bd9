"""A window with recordings of the gallery in it, for the tests of what a person does with keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inspector_app.core.resources import resource
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.theme import Look
from inspector_app.ui.window import Window
from tests.ui.panes_data import kit, shipped_lenses

Open = Callable[[str], RecordingPage]


def shown_window(qtbot: QtBot, look: Look, width: int, height: int) -> Window:
    """A window on the screen that has the keyboard."""
    window = Window(kit(), shipped_lenses(), look)
    qtbot.addWidget(window)
    window.resize(width, height)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    return window


def open_in(qtbot: QtBot, window: Window, name: str) -> RecordingPage:
    """A recording of the gallery in a tab, read and compared, its timeline in place."""
    page = window.open_path(str(resource("recordings", f"{name}.rec.jsonl")))
    qtbot.waitUntil(lambda: page.session.complete and page.session.idle, timeout=20_000)
    qtbot.waitUntil(lambda: page.link._work is None)
    return page


def type_at(qtbot: QtBot, window: Window, keys: str) -> None:
    """Types where the keyboard is."""
    for key in keys:
        target: QWidget = window.focusWidget() or window
        qtbot.keyClicks(target, key)


@pytest.fixture
def window(qtbot: QtBot, look: Look) -> Iterator[Window]:
    """An empty window of 1280 by 800."""
    made = shown_window(qtbot, look, 1280, 800)
    yield made
    for page in made.deck.pages():
        made.keeping.let_go(page)  # what a test has noted may be lost
    made.close()
