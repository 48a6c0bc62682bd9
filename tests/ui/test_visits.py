"""Every recording of the gallery is visited: opened, selected in every pane, compared, pictured; then at random."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.resources import resource
from inspector_app.lenses import REFERENCE, load_lenses, shipped_folder
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.picture import CAPTION
from inspector_app.ui.selection import Selection
from inspector_app.ui.theme import Look
from inspector_app.ui.window import Window
from tests.ui.visits import wander

GALLERY = sorted(path.name for path in resource("recordings").glob("*.rec.jsonl"))
LENSES = load_lenses([shipped_folder()])
ACTIONS = 1000


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit()


@pytest.fixture
def window(qtbot: QtBot, look: Look, kit: Kit) -> Iterator[Window]:
    window = Window(kit, LENSES, look)
    qtbot.addWidget(window)
    window.resize(1280, 800)
    window.show()
    yield window
    window.close()


def opened(qtbot: QtBot, window: Window, name: str) -> RecordingPage:
    page = window.open_path(str(resource("recordings", name)))
    qtbot.waitUntil(lambda: page.session.complete and page.session.idle, timeout=20_000)
    return page


@pytest.mark.parametrize("name", GALLERY)
def test_a_recording_is_seen_in_every_pane_compared_and_pictured(
    qtbot: QtBot, window: Window, look: Look, name: str, tmp_path: Path
) -> None:
    page = opened(qtbot, window, name)
    reading, findings = page.session.left, page.findings
    assert reading is not None
    blocks = page.panes.cards if page.panes.reading_view else page.panes.blocks
    some = {
        page.panes.raw: True,
        page.panes.deltas: bool(page.session.delta_column(reading)),
        blocks: bool(reading.blocks),
        findings.rows: bool(findings.model.rows),
    }
    for pane, full in some.items():
        page.session.selection.select(None, page)
        picked = []
        for y in range(8, pane.viewport().height(), 14):
            qtbot.mouseClick(pane.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(100, y))
            picked += [page.session.selection.current] if page.session.selection.current is not None else []
        assert bool(picked) == full
    for lens in (REFERENCE, *(lens.name for lens in page.session.usable_lenses())):
        page.session.choose(secondary=lens)
        qtbot.waitUntil(lambda: page.session.idle, timeout=20_000)
        assert page.session.right is not None
    with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy, timeout=20_000):
        window.save_picture(str(tmp_path / "picture.png"))
    image = QImage(str(tmp_path / "picture.png"))
    assert (image.width(), image.height()) == (2 * window.width(), 2 * (window.height() + CAPTION))
    for event in range(0, len(reading.events), 7):
        page.session.selection.select(Selection(event), None)
    for theme in ("dark", "light"):
        look.choose(theme)
    assert page.session.error is None


@pytest.mark.parametrize("name", GALLERY)
def test_a_recording_survives_a_restless_user(qtbot: QtBot, window: Window, name: str) -> None:
    page = opened(qtbot, window, name)
    wander(window, page, ACTIONS, name)
    qtbot.waitUntil(lambda: page.session.idle, timeout=20_000)
    assert window.page() is page
    assert page.session.error is None
