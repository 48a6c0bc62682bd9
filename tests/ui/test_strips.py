"""What the line at the bottom says of the selection."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.ui.selection import Selection
from inspector_app.ui.strips import Status
from inspector_app.ui.theme import Look
from tests.ui.panes_data import lost_call, opened


@pytest.mark.parametrize(
    ("selection", "words"),
    [
        (Selection(0, pointer="/id"), "17 bytes of the value, 7–24"),
        (Selection(0, pointer="/nobody"), "184 bytes of the event, 0–184"),
        (Selection(0), "184 bytes of the event, 0–184"),
        (Selection(0, 0, start=0, end=160), "160 bytes of the line, 0–160"),
        (Selection(0, 0, pointer="/id", start=8, end=20), "12 bytes of the value, 8–20"),
        (Selection(0, start=0, end=20, finding="sse-bom"), "20 bytes of the finding, 0–20"),
        (Selection(0, start=19, end=20, finding="sse-bom"), "1 byte of the finding, 19–20"),
        (Selection(0, start=184, end=184, finding="end-truncated"), "at byte 184"),
    ],
)
def test_whose_bytes_they_are(qtbot: QtBot, look: Look, selection: Selection, words: str) -> None:
    session = opened(qtbot, lost_call(), "reference", None)
    status = Status(session, look)
    qtbot.addWidget(status)
    session.selection.select(selection, None)
    assert words in [said for said, _ in status.left_words()]
