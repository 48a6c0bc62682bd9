from __future__ import annotations

from array import array
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect
from pytestqt.qtbot import QtBot

from inspector_app.core.text import THIN_SPACE
from inspector_app.core.types import Block
from inspector_app.ui import fonts, marks
from inspector_app.ui.theme import Look
from inspector_app.ui.views import block_bars, block_index
from inspector_app.ui.views.block_bars import Bar, missing_words
from inspector_app.ui.views.block_index import LANES, BlockIndex
from inspector_app.ui.views.block_names import is_torn
from inspector_app.ui.views.card_layout import Card, lay_out
from inspector_app.ui.views.wrap import Flow
from tests.ui.conftest import Canvas
from tests.ui.panes_data import fragmented, opened

# where blocks lie


def reading_of(deltas: list[list[int]], ended: bool = True) -> SimpleNamespace:
    """As much of a reading as an index needs: event n has delta n."""
    blocks = []
    for n, numbers in enumerate(deltas):
        block = Block(n, "text", 0, numbers[0], numbers[-1], "complete" if ended else "open")
        block.deltas = array("I", numbers)
        blocks.append(block)
    return SimpleNamespace(blocks=blocks, delta_blocks=[], ended=ended, deltas_of=lambda n: (n, n + 1))


BLOCKS = st.lists(
    st.lists(st.integers(0, 60), min_size=1, max_size=6, unique=True).map(sorted), min_size=1, max_size=30
)


@given(BLOCKS, st.integers(0, 60), st.integers(0, 60))
def test_the_blocks_in_view_are_found_as_by_looking_at_all(deltas: list[list[int]], one: int, other: int) -> None:
    first, last = min(one, other), max(one, other)
    index = BlockIndex(reading_of(deltas))  # type: ignore[arg-type]
    block_index.CHUNK, kept = 4, block_index.CHUNK
    try:
        index.extend()
        found = list(index.over(first, last))
    finally:
        block_index.CHUNK = kept
    assert sorted(found) == [n for n, at in enumerate(deltas) if at[0] <= last and at[-1] >= first]
    assert [deltas[n][0] for n in found] == sorted(deltas[n][0] for n in found)


@given(BLOCKS)
def test_blocks_that_go_on_together_stand_in_different_lanes(deltas: list[list[int]]) -> None:
    deltas.sort()
    index = BlockIndex(reading_of(deltas))  # type: ignore[arg-type]
    index.extend()
    for lane in range(LANES - 1):
        mine = [at for n, at in enumerate(deltas) if index.lanes[n] == lane]
        assert all(before[-1] <= after[0] for before, after in pairwise(mine))


@given(BLOCKS, st.data())
def test_an_index_that_grew_is_the_same_as_one_made_at_once(deltas: list[list[int]], data: st.DataObject) -> None:
    deltas.sort()
    reading = reading_of(deltas[: data.draw(st.integers(0, len(deltas)))], ended=False)
    for block in reading.blocks[: data.draw(st.integers(0, len(reading.blocks)))]:
        block.state = "complete"
    grown = BlockIndex(reading)  # type: ignore[arg-type]
    grown.extend()
    whole = reading_of(deltas, ended=False)
    reading.blocks += whole.blocks[len(reading.blocks) :]
    grown.extend()
    at_once = BlockIndex(whole)  # type: ignore[arg-type]
    at_once.extend()
    assert (grown.firsts, grown.lasts, grown.lanes) == (at_once.firsts, at_once.lasts, at_once.lanes)


@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_blocks_that_a_reading_dropped_at_its_end_are_not_looked_for(left: int) -> None:
    reading = reading_of([[0, 2], [3, 4], [5]], ended=False)
    for block in reading.blocks:
        block.closed_at, block.fields = block.last_event, {"closed_on": "tool_calls: []"}
    index = BlockIndex(reading)  # type: ignore[arg-type]
    index.extend()
    del reading.blocks[left:]
    assert [*index.over(0, 9)] == [*range(left)]
    assert [block.n for event in (2, 4, 5) for block in index.closed_at(event)] == [*range(left)]


def test_blocks_are_as_narrow_as_their_own_neighbours_ask(qtbot: QtBot) -> None:
    index = BlockIndex(reading_of([[0, 2], [2, 4], [5, 9], [6, 8], [9], [9, 12]]))  # type: ignore[arg-type]
    index.extend()
    assert list(index.lanes) == [0, 0, 0, 1, 0, 1]
    assert [index.lanes_beside(n) for n in range(6)] == [1, 1, 2, 2, 2, 2]


def test_what_an_empty_list_closed_is_found_by_its_event(qtbot: QtBot) -> None:
    session = opened(qtbot, fragmented())
    index = BlockIndex(session.readings["zcode-3.11"])
    index.extend()
    assert [[block.n for block in index.closed_at(event)] for event in (0, 1, 7, 12, 13)] == [[], [0], [6], [11], []]


# words of cards


@pytest.mark.parametrize(
    "line, room, words",
    [
        (None, 400, "MISSING"),
        (16, 400, "MISSING · sent in line 16"),
        (16, 150, "MISSING · line 16"),
        (16, 20, "MISSING"),
    ],
)
def test_a_gap_says_as_much_as_there_is_room_for(look: Look, line: int | None, room: int, words: str) -> None:
    assert missing_words(line, room) == words


def call(text: str = "", **fields: object) -> Block:
    block = Block(0, "tool_call", 0, 3, 5, "complete", "finish", 6, [text])
    block.deltas = array("I", [4])
    block.fields = {"id": "call_1", "name": "look", "executable": True, **fields}
    return block


NO_NAMES = "id empty · name empty · arguments 2 chars"


@pytest.mark.parametrize(
    "block, arguments, foot, kind",
    [
        (call('{"a":1}'), "7 characters, valid JSON", "closed by finish · event 6", "plain"),
        (call('{"a":'), "5 characters, no valid JSON", "closed by finish · event 6", "plain"),
        (call(""), "none sent", "closed by finish · event 6", "plain"),
        (call("run it", tool_kind="custom"), "6 characters, free text", "closed by finish · event 6", "plain"),
        (call("print(1)", tool_kind="server"), "8 characters, no JSON", "closed by finish · event 6", "plain"),
        (call("[]", id=None, name=""), "2 characters, valid JSON", NO_NAMES, "lengths"),
        (call("{}", name=None), "2 characters, valid JSON", "id 6 chars · name empty · arguments 2 chars", "lengths"),
    ],
)
def test_the_card_of_a_call(look: Look, block: Block, arguments: str, foot: str, kind: str) -> None:
    card = Card(block, "Tool call 0", 300)
    card.lacks = tuple(name for name in ("name", "id") if not block.fields[name])
    lay_out(card, {"id": 16})
    assert (card.arguments, card.foot, card.foot_kind) == (arguments, foot, kind)
    assert [(entry.name, entry.value) for entry in card.fields] == [
        ("name", block.fields["name"] or None), ("id", block.fields["id"] or None)
    ]  # fmt: skip
    assert card.height > card.foot_top > card.text_top


def test_a_card_grows_with_its_block(look: Look) -> None:
    block = Block(0, "text", 0, 0, 0)
    card = Card(block, "Text 1", 300)
    heights = []
    for _ in range(3):
        block.fragments += ["Go north and then east, past the mill. "] * 4
        block.deltas.extend([1] * 4)
        lay_out(card, {})
        heights.append(card.height)
    assert heights[0] < heights[1] < heights[2]
    assert card.meta == "12 deltas · 468 chars · open"


def test_what_is_encrypted_is_told_by_its_size_alone(look: Look) -> None:
    block = Block(0, "reasoning", 0, 0, 0, "complete")
    block.fields["encrypted"] = ["gAAAAABo" * 25, "x" * 10]
    card = Card(block, "Reasoning 1", 300)
    lay_out(card, {})
    assert card.opaque == "encrypted 210\u2009B"
    assert card.flow is None


# text in lines


def flow_of(fragments: list[str], width: int = 120) -> Flow:
    made = Flow(fonts.ui_font(fonts.BODY), width)
    made.extend(fragments)
    return made


WORDS = st.lists(st.text(st.sampled_from("ab ,\n再試é\u0301🎉\t\u202e"), max_size=12), max_size=12)


@given(WORDS)
def test_lines_hold_all_of_the_text_in_order(look_for_lines: None, fragments: list[str]) -> None:
    flow = flow_of(fragments)
    assert "".join(flow.text[start:end] for start, end in flow.lines) == flow.text
    assert all(flow.text[start:end].find("\n") in (-1, end - start - 1) for start, end in flow.lines)


@given(WORDS, st.data())
def test_a_text_that_comes_in_pieces_breaks_as_the_whole_one(
    look_for_lines: None, fragments: list[str], data: st.DataObject
) -> None:
    grown = Flow(fonts.ui_font(fonts.BODY), 120)
    for end in sorted(data.draw(st.lists(st.integers(0, len(fragments)), max_size=4))):
        grown.extend(fragments[:end])
    grown.extend(fragments)
    whole = flow_of(fragments)
    assert (grown.text, grown.lines, grown.characters) == (whole.text, whole.lines, whole.characters)


@pytest.fixture(scope="module")
def look_for_lines(qapp: object) -> None:
    fonts.load()


def test_lines_are_no_wider_than_the_card(look: Look) -> None:
    chinese = "再試行する前に地図を二回読みます。" * 3
    flow = flow_of(["The map is read twice before anything is said, ", chinese, "x" * 200])
    widths = [fonts.text_width(flow.font, flow.line(n).rstrip()) for n in range(len(flow.lines))]
    assert len(widths) > 10
    assert max(widths) <= 120


def test_a_character_leads_to_its_fragment_and_back(look: Look) -> None:
    flow = flow_of(["Read ", "the ", "\x00map", " twice"], 60)
    for fragment, text in enumerate(("Read ", "the ", "␀map", " twice")):
        start, end = flow.range_of(fragment)
        assert flow.text[start:end] == text
        assert {flow.fragment_at(position) for position in range(start, end)} == {fragment}
    for number, (start, end) in enumerate(flow.lines):
        for position in range(start, end):
            assert flow.position_at(number, flow.x_of(number, position) + 1) == position


def test_line_ends_of_either_kind_end_lines_and_are_not_seen() -> None:
    flow = flow_of(["one\r\ntwo\n", "three\rfour"], 400)
    assert [flow.line(n) for n in range(len(flow.lines))] == ["one", "two", "three␍four"]
    assert [flow.range_of(n) for n in (0, 1)] == [(0, 8), (8, 18)]
    assert flow.shown("one\r\ntwo", 6) == 5


def test_of_a_very_long_text_the_rest_is_counted(look: Look) -> None:
    flow = flow_of(["paper boats " * 10_000, "and more", "x" * 90_000])
    assert len(flow.text) <= 50_001
    assert flow.left_out == 120_000 + 8 + 90_000 - len(flow.text)
    assert flow.characters == 210_008


BROKEN = {"executable": False, "arguments_json": None}


@pytest.mark.parametrize(
    ("text", "fields", "state", "words", "torn"),
    [
        ('{"a":', BROKEN, "complete", ["cannot be run", "arguments break off"], True),
        ('{"a":"' + "b" * 70_000 + '", c}', BROKEN, "complete", ["cannot be run", "arguments are no JSON"], False),
        ('{"a":"' + "b" * 70_000, BROKEN, "complete", ["cannot be run", "arguments break off"], True),
        ("null", {**BROKEN, "name": ""}, "complete", ["cannot be run"], False),
        ('{"a":x}', BROKEN, "complete", ["cannot be run", "arguments are no JSON"], False),
        ('{"a":', BROKEN, "truncated", ["cannot be run", "truncated"], True),
        ('{"a":1}', {"executable": False, "name": "", "arguments_json": 1}, "complete", ["cannot be run"], False),
        ('{"a":1}', {"executable": True, "arguments_json": 1}, "complete", [], False),
        ("print(1)", {**BROKEN, "tool_kind": "server"}, "complete", [], False),
        ("print(", {**BROKEN, "tool_kind": "server"}, "truncated", ["truncated"], True),
    ],
)  # fmt: skip
def test_a_call_that_cannot_be_run_says_so_in_its_block(
    canvas: Canvas, look: Look, text: str, fields: dict[str, object], state: str, words: list[str], torn: bool
) -> None:
    block = call(text, **fields)
    block.state = state
    drawn: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        usual = block_bars.draw_chip
        patch.setattr(
            block_bars, "draw_chip", lambda *given, **how: (drawn.append(given[4]), usual(*given, **how))[1]
        )
        _, painter = canvas(600, 120)
        rect = QRect(8, 0, 560, 88)
        part = block_bars.Part(44, text, 4, 66)
        block_bars.paint_bar(
            painter, look.theme, Bar(block, "Tool call 0", rect, [part], False, False, False, None, {}, 0, 120)
        )
        painter.end()
    assert (drawn, is_torn(block)) == (words, torn)


def test_the_torn_edge_is_painted(canvas: Canvas, look: Look) -> None:
    pictures = []
    for text, value in (('{"a":1}', {"a": 1}), ('{"a":x}', None), ('{"a":', None)):
        image, painter = canvas(600, 120)
        block = call(text, executable=value is not None, arguments_json=value)
        bar = Bar(block, "Tool call 0", QRect(8, 0, 560, 88), [], False, False, False, None, {}, 0, 120)
        block_bars.paint_bar(painter, look.theme, bar)
        painter.end()
        wanted = look.theme.color("error.line")
        pictures.append(any(image.pixelColor(x, y) == wanted for x in range(40, 300) for y in range(78, 90)))
    assert pictures == [False, False, True]


@pytest.mark.parametrize(
    ("width", "choice", "alone", "title"),
    [
        (600, 0, False, f"Text 1 · 1{THIN_SPACE}234 deltas"),
        (600, 2, False, f"Text 1 · choice 2 · 1{THIN_SPACE}234 deltas"),
        (600, 2, True, "Text 1 · choice 2"),
        (230, 2, False, "Text 1 · choice 2"),
        (140, 2, False, "Text 1"),
        (80, 0, False, ""),
    ],
)
def test_a_title_says_as_much_as_there_is_room_for(
    look: Look, width: int, choice: int, alone: bool, title: str
) -> None:
    block = Block(0, "text", choice, 0, 9, "complete", "finish", 9, ["x"])
    block.deltas = array("I", range(1234))
    bar = Bar(block, "Text 1", QRect(8, 0, width, 88), [], False, alone, False, None, {}, 0, 120)
    assert block_bars._title(bar) == title


@pytest.mark.parametrize(
    ("width", "titled", "chip"), [(560, True, True), (330, True, False), (246, False, False), (230, False, False)]
)
def test_the_gap_of_a_missing_name_has_room_before_the_chip_and_the_title(
    look: Look, width: int, titled: bool, chip: bool
) -> None:
    block = call('{"a":1}', id="", name="", executable=False)
    rect = QRect(8, 0, width, 88)
    bar = Bar(block, "Tool call 0", rect, [], False, False, False, None, {}, 0, 120, lacks=("name", "id"))
    first = block_bars.broken_chip(bar)
    assert first.left() - (rect.left() + block_bars.INSET + block_bars.LABEL) >= marks.missing_width("MISSING")
    assert bool(block_bars._title(bar)) == titled
    assert (first.width() > 40) == chip
