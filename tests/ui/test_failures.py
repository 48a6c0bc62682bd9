from __future__ import annotations

from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.ui.theme import Look
from inspector_app.ui.views.failures import failed_events, failure_words, skipped_words
from inspector_app.ui.views.row_view import ROW
from tests.ui.panes_data import Show, chunk, event, exchange, fragmented, opened, shown

DETAILS = [event(chunk({"reasoning_details": [{"type": "reasoning.text", "text": word}]})) for word in ("a", "b", "c")]
ROLE = event(chunk({"role": "assistant", "content": ""}))
END = [event(chunk({}, "stop")), event(b"[DONE]")]


@pytest.fixture
def show(qtbot: QtBot, look: Look) -> Show:
    """Shows the panes of a session in a window of a size."""
    return partial(shown, qtbot, look)


def test_a_client_that_gives_up_says_why_and_what_it_passed_over(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, exchange([ROLE, *DETAILS, *END]), "reference", "openclaw"))
    side = panes._evidences.sides[1]
    assert failure_words(side) == "error, event 5: incomplete turn detected: payloads=0"
    assert skipped_words(side) == "3 deltas not read: reasoning_details"
    assert failed_events(side, 6) == (1, 5)
    panes.show_reading_view(True)
    panes.grab()
    *_, card = panes.cards._stacks[1].cards
    assert card.block.fragments == [
        "event 5: incomplete turn detected: payloads=0", "\n3 deltas not read: reasoning_details"
    ]  # fmt: skip


@pytest.mark.parametrize("count", [3, 200])
def test_the_error_is_in_view_where_the_blocks_would_begin(qtbot: QtBot, show: Show, look: Look, count: int) -> None:
    panes = show(opened(qtbot, exchange([ROLE, *DETAILS[:1] * count, *END]), "reference", "openclaw"))
    column = panes.blocks.columns()[1]
    picture = panes.blocks.viewport().grab().toImage()
    wanted = look.theme.color("error.line")
    first = panes.blocks.rows().rows_of(1)[0] * ROW
    across = range(column.left + 12, column.left + 30)
    assert any(picture.pixelColor(x, y) == wanted for x in across for y in range(first, first + 2 * ROW))


def test_a_client_that_reads_on_has_no_error(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented(), "reference", "zcode-3.11"))
    side = panes._evidences.sides[1]
    assert (failure_words(side), skipped_words(side)) == ("", "")
