from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from inspector_app.ui import fonts
from inspector_app.ui.theme import Look
from inspector_app.ui.views.card_layout import FIELD, HEAD
from inspector_app.ui.views.deltas import margin_in, places_in
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
    *_, card = panes.cards.stacks[1].cards
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


def test_what_there_is_no_room_for_stands_in_a_tip(qtbot: QtBot, show: Show) -> None:
    long = "a reasoning that goes on and on " * 12
    body = exchange([ROLE, event(chunk({"reasoning_content": long})), event(chunk({"content": "short"})), *END])
    panes = show(opened(qtbot, body, "reference", None))
    rows = panes.blocks.rows()
    assert panes.blocks.words_at(rows.rows_of(1)[0], 60).startswith("a reasoning that goes on")
    assert panes.blocks.words_at(rows.rows_of(2)[0], 60) == ""
    panes = show(opened(qtbot, exchange([ROLE, *DETAILS, *END]), "reference", "openclaw"))
    x = panes.blocks.columns()[1].left + 40
    assert panes.blocks.words_at(rows.rows_of(1)[0], x).endswith("3 deltas not read: reasoning_details")


def test_a_value_of_a_call_that_is_cut_stands_in_a_tip(qtbot: QtBot, show: Show) -> None:
    call = {"index": 0, "id": "call_" + "7Q" * 80, "type": "function", "function": {"name": "look", "arguments": "{}"}}
    panes = show(opened(qtbot, exchange([ROLE, event(chunk({"tool_calls": [call]})), *END]), "reference", None))
    panes.show_reading_view(True)
    panes.grab()
    stack = panes.cards.stacks[0]
    top = stack.tops[0] + HEAD + 5
    assert panes.cards._cut_at(stack, 0, QPoint(200, top + 4)) == ""
    assert panes.cards._cut_at(stack, 0, QPoint(200, top + FIELD + 4)).startswith("call_7Q7Q")


def test_chips_give_way_before_values_and_cut_values_stand_in_a_tip(qtbot: QtBot, show: Show) -> None:
    call = {"index": 0, "id": "", "function": {"name": "", "arguments": '{"place":"Bergen on the west coast"}'}}
    panes = show(opened(qtbot, exchange([ROLE, event(chunk({"tool_calls": [call]})), *END]), lenses=False), 1280)
    panes.grab()
    first = panes.deltas.rows().rows_of(1)[0]
    assert first not in panes.deltas._cut
    assert panes.deltas._cut[first + 1].startswith('{"place":"Bergen')
    assert panes.deltas.words_at(first + 1, 200).startswith('{"place":"Bergen')


def test_a_narrow_pane_holds_the_longest_kind_and_the_name_of_a_tool(look: Look) -> None:
    at, kind = places_in(230), fonts.ui_font(fonts.BODY)
    assert fonts.text_width(kind, "arguments") <= at.value - at.word - 4
    assert fonts.text_width(fonts.wire_font(fonts.BODY), "get_weather") <= 230 - margin_in(230) - 17 - at.value
