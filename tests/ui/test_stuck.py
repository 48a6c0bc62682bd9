"""A fault of ours in the middle of a reading is told in the window, and ends a picture; what was read stays."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import load_kit
from inspector_app.core.types import InputFault
from inspector_app.lenses import load_lenses, shipped_folder
from inspector_app.ui import session as sessions
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.session import Session
from inspector_app.ui.shot import shoot
from inspector_app.ui.shot_plan import Shot
from inspector_app.ui.theme import Look

LENSES = load_lenses([shipped_folder()])
RECORDING = Path(__file__).parents[2] / "recordings" / "mixed-spacing.rec.jsonl"


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A recording whose reading fails. Others, which an earlier test may have left at work, go on."""
    path = str(shutil.copy(RECORDING, tmp_path / "broken.rec.jsonl"))
    usual = vars(sessions)["run"]

    def run(analysis: Analysis, piece: int) -> Iterator[int | None]:
        if analysis.reading.exchange.name != path:
            yield from usual(analysis, piece)
            return
        analysis.feed(analysis.reading.body.slice(0, 200))
        yield 0
        raise LookupError("no such thing")

    monkeypatch.setattr(sessions, "run", run)
    return path


def test_the_page_says_that_its_reading_failed(qtbot: QtBot, look: Look, broken: str) -> None:
    session = Session(broken, load_kit(), LENSES)
    page = RecordingPage(session, look)
    qtbot.addWidget(page)
    with qtbot.captureExceptions() as raised:
        session.load()
        qtbot.waitUntil(lambda: session.error is not None)
    assert [str(error) for _, error, _ in raised] == ["no such thing"]
    assert session.idle
    assert not session.complete
    assert not page.notice.isHidden()
    told = page.notice.words.text()
    assert "a fault of this program ended the reading" in told
    assert "LookupError: no such thing" in told


def test_no_picture_waits_for_a_reading_that_failed(qtbot: QtBot, look: Look, broken: str, tmp_path: Path) -> None:
    with qtbot.captureExceptions(), pytest.raises(InputFault, match="a fault of this program"):
        shoot(broken, str(tmp_path / "out.png"), Shot(), load_kit(), LENSES)
