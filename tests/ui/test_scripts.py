"""Text of any script: where its characters stand, where it breaks, what a click on it means."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextLayout, QTextOption
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inspector_app.core.joiners import LONGEST, picture_at, starts_picture
from inspector_app.ui import fonts
from inspector_app.ui.theme import Look
from inspector_app.ui.views.bidi import Way, pieces, places, stretches, way_of
from inspector_app.ui.views.card_layout import LEFT, LINE
from inspector_app.ui.views.cards import EDGE
from inspector_app.ui.views.wrap import Flow
from tests.ui.panes_data import Show, chunk, event, exchange, opened, selected, shown

ARABIC, HEBREW, MIXED = "مرحبا بالعالم", "שלום עולם", "مرحبا English عالم 42"
FAMILY = "👨\u200d👩\u200d👧"
LINES = (
    HEBREW,
    ARABIC,
    MIXED,
    f"a{FAMILY}b",
    "e\u0301x\u0302y",
    "क्षत्रिय ज्ञान",
    "ห้องน้ำ",
    "日本語、です",
    "abc שלום (def)",
)
PIECE = st.text(st.sampled_from('ab ,\n再。é\u0301👨👩\u200d\u200c\ufe0f🇩🇪مخשל"\tक्ष'), max_size=8)


@pytest.fixture
def show(qtbot: QtBot, look: Look) -> Show:
    """Shows the panes of a session in a window of a size."""
    return partial(shown, qtbot, look)


@pytest.mark.parametrize(
    "text, way",
    [
        ("abc", Way.LEFT_TO_RIGHT),
        (HEBREW, Way.RIGHT_TO_LEFT),
        (ARABIC, Way.RIGHT_TO_LEFT),
        (f"1. ({HEBREW})", Way.RIGHT_TO_LEFT),
        (f"a {HEBREW}", Way.LEFT_TO_RIGHT),
        ("", Way.LEFT_TO_RIGHT),
        ("日本", Way.LEFT_TO_RIGHT),
    ],
)
def test_a_paragraph_has_the_direction_of_its_first_letter(text: str, way: Way) -> None:
    assert way_of(text) == way


@pytest.mark.parametrize("way", list(Way))
@pytest.mark.parametrize("text", LINES)
def test_each_character_is_met_where_it_is_drawn(look: Look, text: str, way: Way) -> None:
    line = places(fonts.ui_font(12), text, way)
    position = 0
    while position < len(text):
        left, right = line.cell(position)
        if right - left > 1:
            found = line.position_at((left + right) / 2)
            assert line.cell(found) == (left, right)
            assert found == picture_at(text, position)[0] or line.cell(found) == line.cell(position)
        position = picture_at(text, position)[1]
    whole = line.boxes(0, len(text))
    assert whole[0][0] == pytest.approx(0, abs=1)
    assert sum(right - left for left, right in whole) == pytest.approx(line.width, abs=2)


@pytest.mark.parametrize("text", [HEBREW, "שלום, עולם!"])
def test_the_places_are_those_of_qts_cursor(look: Look, text: str) -> None:
    font, option = fonts.ui_font(12), QTextOption()
    option.setTextDirection(Qt.LayoutDirection.RightToLeft)
    layout = QTextLayout(text, font)
    layout.setTextOption(option)
    layout.beginLayout()
    cursor = layout.createLine()
    layout.endLayout()
    line = places(font, text, Way.RIGHT_TO_LEFT)
    for position, sign in enumerate(text):
        if "א" <= sign <= "ת":
            assert line.x_of(position) == pytest.approx(cursor.cursorToX(position)[0], abs=0.1)


def test_what_is_lit_between_two_directions_is_one_stretch_where_it_is_one(look: Look) -> None:
    font = fonts.ui_font(12)
    english = MIXED.index("English")
    assert len(stretches(font, MIXED, english, english + 7, Way.RIGHT_TO_LEFT)) == 1
    # The Arabic word before stands at the right of it, the one behind at its left.
    assert len(stretches(font, MIXED, english - 3, english + 3, Way.RIGHT_TO_LEFT)) == 2


def test_wire_text_keeps_its_order_from_left_to_right(look: Look) -> None:
    text = '{"מדינה":"קהיר","x":"אב"}'
    line = places(fonts.wire_font(12), text, Way.WIRE)
    key, value, last = (line.cell(text.index(word)) for word in ("מדינה", "קהיר", "אב"))
    assert key[1] < value[1] < last[1]
    plain = places(fonts.wire_font(12), text, Way.LEFT_TO_RIGHT)
    assert plain.cell(text.index("קהיר"))[1] < plain.cell(text.index("מדינה"))[1]
    assert "".join(pieces(text)) == text


def flow(width: int, *fragments: str, wire: bool = False) -> Flow:
    made = Flow(fonts.ui_font(12), width, wire)
    made.extend(fragments)
    return made


@pytest.mark.parametrize("fragments", [("👨", "\u200d", "👩", "\u200d", "👧"), ("👨\u200d", "👩\u200d👧"), (FAMILY,)])
def test_a_picture_in_pieces_is_one_picture(look: Look, fragments: tuple[str, ...]) -> None:
    made = flow(400, *fragments)
    assert made.text == FAMILY
    growing = Flow(fonts.ui_font(12), 400)
    for count in range(1, len(fragments) + 1):
        growing.extend(fragments[:count])
    assert (growing.text, growing.lines, growing.characters) == (made.text, made.lines, made.characters)


def test_a_joiner_waits_for_what_comes_next(look: Look) -> None:
    made = flow(400, "a", "👨\u200d")
    assert made.text == "a👨‹U+200D›"
    made.extend(("a", "👨\u200d", "x"))
    assert made.text == "a👨‹U+200D›x"
    assert [made.range_of(number) for number in range(3)] == [(0, 1), (1, 10), (10, 11)]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECE, max_size=8), st.integers(24, 120))
def test_lines_hold_all_of_the_text_and_tear_nothing(look: Look, fragments: list[str], width: int) -> None:
    made = flow(width, *fragments)
    growing = Flow(fonts.ui_font(12), width)
    for count in range(len(fragments) + 1):
        growing.extend(fragments[:count])
    assert (growing.text, growing.lines) == (made.text, made.lines)
    assert "".join(made.text[start:end] for start, end in made.lines) == made.text
    for start, _ in made.lines[1:]:
        assert starts_picture(made.text, start)
    for number, (start, end) in enumerate(made.lines):
        for position in range(start, end):
            assert start <= made.position_at(number, made.x_of(number, position)) <= end


def test_chinese_breaks_anywhere_but_not_before_what_closes(look: Look) -> None:
    made = flow(100, "日本語の長い文章は単語の間に空白がないので、どこでも折り返すことができます。" * 3)
    assert len(made.lines) > 8
    texts = [made.line(number) for number in range(len(made.lines))]
    assert not any(text[0] in "、。" for text in texts)
    # A line is full but for a character and the sign that closes it.
    assert all(fonts.text_width(made.font, text) > 100 - 3 * 12 for text in texts[:-1])


def test_a_word_moves_to_the_next_line_only_when_it_must(look: Look) -> None:
    made = flow(100, "abc 日本語")
    assert len(made.lines) == 1


def test_a_paragraph_from_right_to_left_ends_at_the_right_edge(look: Look) -> None:
    made = flow(300, f"abc\n{HEBREW}\nabc")
    assert [made.left_of(number) > 0 for number in range(3)] == [False, True, False]
    ((left, right),) = made.boxes(1, *made.lines[1])
    assert right == pytest.approx(300, abs=1)
    assert made.left_of(1) == pytest.approx(left, abs=1)


def test_a_click_on_a_character_selects_the_delta_that_brought_it(qtbot: QtBot, show: Show) -> None:
    words = ("שלום ", "English ", "עולם ", FAMILY, " ", "مرحبا")
    made = exchange([event(chunk({"content": word})) for word in words])
    panes = show(opened(qtbot, made, "reference", None))
    panes._switch.button(1).click()
    stack = panes.cards.stacks[0]
    card = stack.cards[0]
    assert card.flow is not None
    for number, word in enumerate(words):
        if not word.strip():
            continue
        start, _ = card.flow.range_of(number)
        ((left, right), *_) = card.flow.boxes(0, start, start + 1)
        x, y = stack.column.left + EDGE + LEFT + (left + right) / 2, stack.tops[0] + card.text_top + LINE // 2
        QTest.mouseClick(panes.cards.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(round(x), y))
        assert selected(panes).event == number


@pytest.mark.parametrize(
    "text", ["Z" + "\u0301" * 100_000, "x" * 1_000_000, "漢" * 300_000, "مرحبا " * 100_000, FAMILY * 50_000]
)
def test_long_text_is_cut_before_qt_sees_it(
    qtbot: QtBot, show: Show, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    longest = [0]
    width_of = fonts.text_width

    def measured(font: object, part: str) -> float:
        longest[0] = max(longest[0], len(part))
        return width_of(font, part)  # type: ignore[arg-type]

    for place in ("inspector_app.ui.fonts.text_width", "inspector_app.ui.views.bidi.text_width"):
        monkeypatch.setattr(place, measured)
    panes = show(opened(qtbot, exchange([event(chunk({"content": text}))]), "reference", None))
    panes.raw.show_whole(True)
    for view in (panes.raw, panes.deltas, panes.blocks):
        view.viewport().grab()
    panes._switch.button(1).click()
    panes.cards.viewport().grab()
    QTest.mouseClick(panes.cards.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, 60))
    assert 0 < longest[0] <= 4 * LONGEST * 4
