"""A client that is chosen before there is a recording is compared with all the same."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.ui.session import Session
from tests.clients.bodies import BODIES
from tests.ui.panes_data import kit, shipped_lenses


def test_its_reading_is_told_when_it_is_there(qtbot: QtBot) -> None:
    """It is none of those that one is told of without asking, and nothing else tells of it."""
    session = Session("x.sse", kit(), shipped_lenses())
    told: list[str | None] = []
    session.compared.connect(lambda: told.append(session.difference and session.difference.verdict))
    session.choose(None, "openai-python-3.57")
    body = BODIES["a byte that is not UTF-8 in the text"]
    session.open_exchanges([Exchange("x.sse", "sse-body", MemoryBody(body))])
    qtbot.waitUntil(lambda: session.complete and session.idle, timeout=20_000)
    assert "failed" in told
