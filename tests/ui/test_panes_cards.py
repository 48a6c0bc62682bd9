from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inspector_app.ui.selection import Selection
from inspector_app.ui.theme import Look
from tests.ui.panes_data import (
    WINGMATE,
    ZCODE,
    Show,
    chunk,
    event,
    exchange,
    fragmented,
    lost_call,
    opened,
    press,
    selected,
    shown,
)  # fmt: skip


@pytest.fixture
def show(qtbot: QtBot, look: Look) -> Show:
    """Shows the panes of a session in a window of a size."""
    return partial(shown, qtbot, look)


def test_a_lost_call_opens_the_reading_view_by_itself(qtbot: QtBot, show: Show) -> None:
    assert show(opened(qtbot, lost_call(), *WINGMATE)).reading_view
    assert not show(opened(qtbot, fragmented(), *ZCODE)).reading_view


def test_what_the_user_chose_stays(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, lost_call(), "reference", None)
    panes = show(session)
    panes._switch.button(1).click()
    panes._switch.button(0).click()
    session.choose(*WINGMATE)
    assert not panes.reading_view
    assert panes.blocks.isVisible()


def test_cards_stand_side_by_side_and_name_what_is_missing(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, lost_call(), *WINGMATE))
    left, right = panes.cards.stacks
    assert [card.name for card in left.cards] == [card.name for card in right.cards] == ["Text 1", "Tool call 0"]
    assert [(entry.value, entry.sent) for entry in left.cards[1].fields] == [(None, 6), (None, 6)]
    assert [entry.value for entry in right.cards[1].fields] == ["get_weather", "call_7Q"]
    assert left.cards[1].foot == "cannot be run · id empty · name empty · arguments 17 chars"
    assert panes._block_columns.accessibleName() == "Wingmate 2026-06, 0 calls can be run, Reference, 1 call can be run"


def test_a_click_on_a_character_selects_its_delta(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, lost_call(), *WINGMATE))
    stack = panes.cards.stacks[1]
    card = stack.cards[0]
    assert card.flow is not None
    position = card.flow.range_of(1)[0] + 2
    at = QPoint(round(stack.column.left + 12 + 16 + card.flow.x_of(0, position)) + 2, stack.tops[0] + card.text_top + 8)
    QTest.mouseClick(panes.cards.viewport(), Qt.MouseButton.LeftButton, pos=at)
    now = selected(panes)
    assert (now.event, now.block, now.reader, now.pointer) == (2, 0, "reference", "/choices/0/delta/content")


def test_the_line_that_held_what_is_missing_points_at_the_call_that_lacks_it(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, lost_call(), *WINGMATE)
    panes = show(session)
    session.selection.select(Selection(3), None)
    assert panes.cards._chosen() == ("wingmate-2026-06", 1)
    assert panes.cards.accessibleDescription().startswith("Tool call 0, ")
    session.selection.select(Selection(1), None)
    assert panes.cards._chosen() == ("wingmate-2026-06", 0)


def test_keys_go_from_card_to_card(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, lost_call(), *WINGMATE))
    for key, block in ((Qt.Key.Key_Down, 0), (Qt.Key.Key_Down, 1), (Qt.Key.Key_Down, 1), (Qt.Key.Key_Up, 0)):
        press(panes.cards, key)
        assert (selected(panes).reader, selected(panes).block) == ("wingmate-2026-06", block)


@pytest.mark.parametrize("arguments, words", [('{"a":x}', "arguments are no JSON"), ('{"a":', "arguments break off")])
def test_the_foot_of_a_call_says_that_it_cannot_be_run(qtbot: QtBot, show: Show, arguments: str, words: str) -> None:
    called = {"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}
    body = exchange([event(chunk({"tool_calls": [called]})), event(chunk({}, "tool_calls")), event(b"[DONE]")])
    panes = show(opened(qtbot, body, lenses=False))
    panes.show_reading_view(True)
    (card,) = panes.cards.stacks[0].cards
    assert card.foot.startswith(f"cannot be run · {words} · closed by ")
    assert card.foot_kind == "broken"
    panes.grab()


def test_an_error_that_a_client_ends_in_has_a_card(qtbot: QtBot, show: Show) -> None:
    details = [{"type": "reasoning.text", "text": "High", "index": 0}]
    body = exchange([event(chunk({"reasoning_details": details})), event(chunk({}, "stop")), event(b"[DONE]")])
    panes = show(opened(qtbot, body, "openclaw", "reference"))
    panes.show_reading_view(True)
    card = panes.cards.stacks[0].cards[-1]
    assert card.name == "Client error"
    assert card.flow is not None
    assert card.flow.text == "event 2: incomplete turn detected: payloads=0\n1 delta not read: reasoning_details"
    panes.grab()


def test_a_delta_that_ends_one_block_and_begins_the_next_is_told_in_both(qtbot: QtBot, show: Show) -> None:
    texts = ("<think>Read", " it.</think>Go", " north")
    body = exchange([*(event(chunk({"content": text})) for text in texts), event(chunk({}, "stop")), event(b"[DONE]")])
    panes = show(opened(qtbot, body, lenses=False))
    thought, answer = panes.blocks._bars(panes.blocks.columns()[0], 0, 8, 0)
    assert (thought.rect.top(), thought.rect.height()) == (0, 2 * 22)
    assert (answer.rect.top(), answer.rect.height()) == (2 * 22, 4 * 22)
    assert [part.text for part in thought.parts] == ["Read"]
    assert answer.guest == (" it.", "reasoning")
    assert [part.text for part in answer.parts] == ["Go", " north"]
    panes.grab()


def test_the_name_of_a_card_stays_in_sight_where_the_piece_that_is_meant_fits_below_it(
    qtbot: QtBot, show: Show
) -> None:
    session = opened(qtbot, lost_call(), "reference", "wingmate-2026-06")
    panes = show(session, 1280, 210)
    cards = panes.cards
    card, top = cards.stacks[0].cards[1], cards.stacks[0].tops[1]
    height = cards.viewport().height()
    end = card.text_top + 20
    assert end < height < card.height, "the first line of the arguments fits, the whole card does not"
    session.selection.select(None, None)
    cards.verticalScrollBar().setValue(cards.verticalScrollBar().maximum())
    session.selection.select(Selection(4), None)
    assert 0 <= top - cards.verticalScrollBar().value() <= height - end
    panes.resize(1280, 130)
    session.selection.select(Selection(5), None)
    line = top + card.text_top - cards.verticalScrollBar().value()
    assert 0 <= line <= cards.viewport().height() - 20


def test_the_foot_of_a_narrow_card_has_as_many_lines_as_it_needs(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, lost_call(), *WINGMATE)
    wide = show(session, 1920).cards.stacks[0].cards[1]
    narrow = show(session, 1100).cards.stacks[0].cards[1]
    assert wide.foot_lines == ["cannot be run · id empty · name empty · arguments 17 chars"]
    assert narrow.foot_lines == ["cannot be run · id empty · name empty", "arguments 17 chars"]
    assert narrow.height == wide.height + 16


def test_white_space_between_two_thoughts_is_folded_once_the_second_one_comes(qtbot: QtBot, show: Show) -> None:
    said = [{"reasoning_content": "First."}, {"content": "\n\n"}, {"reasoning_content": "Then."}, {"content": "\n42"}]
    panes = show(opened(qtbot, exchange([*map(event, map(chunk, said))]), "reference", None))
    panes._switch.button(1).click()
    qtbot.waitUntil(lambda: len(panes.cards.stacks[0].cards) == 4)
    first, blank, _, last = panes.cards.stacks[0].cards
    assert (blank.name, blank.meta) == ("Text 1", "1 delta · white space between two thoughts")
    assert blank.height < min(first.height, last.height)
    assert blank.flow is None
    assert last.meta == "1 delta · 3 chars"
