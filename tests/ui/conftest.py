"""What the window's tests share: the look of the program, and something to paint on."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from inspector_app.ui.garbage import Garbage, sweep
from inspector_app.ui.svg_letters import Letters
from inspector_app.ui.theme import Look

Canvas = Callable[[int, int], tuple[QImage, QPainter]]


def pytest_itemcollected(item: pytest.Item) -> None:
    # What the platform without a screen says of windows and menus; every other message fails a test.
    item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support", extend=True))


@pytest.fixture(scope="module", autouse=True)
def _garbage(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[None]:
    """As in the program: no thread destroys what a test has left of a window. What closed tabs leave is looked for in
    modules that say `SWEEPS`: in a process that holds the data of ten thousand tests each look takes half a second.
    """
    sweeps = getattr(request.module, "SWEEPS", False)
    made = Garbage(qapp)
    if not sweeps:
        made.sweeps.timeout.disconnect()
    yield
    delete(made)
    # What was there before the module, and was frozen then, is no garbage of it.
    sweep() if sweeps else gc.collect()
    gc.enable()


@pytest.fixture
def look(qapp: QApplication) -> Iterator[Look]:
    """The look of the program, light to begin with."""
    # Dressing touches every widget there is: those of the test before would go only when this test waits.
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    made = Look(qapp, "light")
    yield made
    made.deleteLater()


@pytest.fixture
def canvas(look: Look) -> Canvas:
    """Makes a picture of a size, filled as a pane is, and a painter for it; end the painter before looking."""

    def make(width: int, height: int) -> tuple[QImage, QPainter]:
        image = QImage(width, height, QImage.Format.Format_RGB32)
        image.fill(look.theme.color("bg.pane"))
        return image, QPainter(image)

    return make


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that is drawn into an SVG."""
    drawn: list[str] = []
    usual = Letters.of
    monkeypatch.setattr(Letters, "of", lambda letters, font, text: drawn.append(text) or usual(letters, font, text))
    return drawn
