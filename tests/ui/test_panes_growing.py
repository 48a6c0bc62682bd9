"""The panes while a recording is read: they are painted whenever the screen asks, also between two ticks."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.core.kit import load_kit
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.panes import Panes
from tests.ui.panes_data import chunk, event, exchange

THOUGHT = event(chunk({"reasoning_content": "on "}))


@pytest.mark.parametrize("first", [b": waiting\n\n", b": one\n\n: two\n\n", THOUGHT])
@pytest.mark.parametrize("ahead", [0, 1, 5])
def test_rows_are_painted_while_the_reading_is_ahead_of_them(
    qtbot: QtBot, look: Look, first: bytes, ahead: int
) -> None:
    session = Session("stream.sse", load_kit(), {})
    session.exchanges = [exchange([first, *[THOUGHT] * 20])]
    session.choose_exchange(0)
    session._timer.stop()
    panes = Panes(session, look)
    qtbot.addWidget(panes)
    panes.resize(1600, 400)
    panes.show()
    assert session._work is not None
    for step, _ in enumerate(session._work):
        if step == 1:
            session._grow()
        if step == 1 + ahead:
            break
    panes.grab()
    assert session.reference is not None
    assert 0 < session.rows.events < len(session.reference.events)
