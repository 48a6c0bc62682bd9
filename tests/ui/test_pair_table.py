"""The list of what two recordings differ in: how its columns share the room."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.report.differences import Difference
from inspector_app.ui.pair.outcome import CLIENTS, CONTENT
from inspector_app.ui.pair.table import WHAT, A, B, DifferenceTable, room_of_a
from inspector_app.ui.theme import Look

REASON = "Tool call 0 lost its id and its name — line 16 is not read (no space after the colon)"


@pytest.mark.parametrize(
    ("needs_a", "needs_b", "room"),
    [
        (0, 0, 250),
        (100, 120, 250),
        (400, 480, 250),
        (60, 380, 120),
        (60, 900, 83),
        (140, 900, 140),
        (380, 60, 380),
        (900, 60, 417),
    ],
)
def test_who_needs_more_gets_what_the_other_leaves(needs_a: int, needs_b: int, room: int) -> None:
    assert room_of_a(500, needs_a, needs_b) == room


def test_why_a_client_breaks_is_read_whole_in_a_small_window(qtbot: QtBot, look: Look) -> None:
    table = DifferenceTable(look)
    qtbot.addWidget(table)
    table.resize(1024, 120)
    table.show()
    table.differences.show_rows([Difference(CLIENTS, "Wingmate", "right", REASON, (None, 8))])
    wide = table.columnWidth(B)
    assert wide > 3 * table.columnWidth(A)
    table.differences.show_rows([Difference(CONTENT, "text", "a" * 300, "b" * 300, (1, 1))])
    assert abs(table.columnWidth(A) - table.columnWidth(B)) <= 1
    assert table.columnWidth(B) < wide
    assert sum(table.columnWidth(column) for column in range(5)) == table.viewport().width()
    assert table.columnWidth(WHAT) > 200
