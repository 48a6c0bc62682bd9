"""What a view and a terminal may be given."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.text import clip, duration, encodable, join_halves, number, size, terminal, visible

ANY_TEXT = st.text(st.characters(exclude_categories=[]))

DRAWN_FORMATS = {
    # Signs that stand around or under numbers and letters: fonts draw them.
    *range(0x600, 0x606),
    *(0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD),
    *range(0x13430, 0x13440),
}


@pytest.mark.parametrize(
    "text, limit, expected",
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "abc … (+1 character)"),
        ("abc", 0, " … (+3 characters)"),
        ("x" * 12_345, 5, "xxxxx … (+12\u2009340 characters)"),
        ("😀é", 1, "😀 … (+1 character)"),
        ("ae\u0301b", 2, "a … (+3 characters)"),
        ("a👨\u200d👩\u200d👧b", 4, "a … (+6 characters)"),
        ("a🇩🇪🇫🇷", 4, "a🇩🇪 … (+2 characters)"),
        ("aक्षि", 3, "a … (+4 characters)"),
        ("ก้กำ", 3, "ก้ … (+2 characters)"),
        ("a" + "\u0301" * 200, 100, "a" + "\u0301" * 99 + " … (+101 characters)"),
    ],
)
def test_what_is_clipped_is_counted(text: str, limit: int, expected: str) -> None:
    assert clip(text, limit) == expected


@pytest.mark.parametrize(
    "text, shown, escaped",
    [
        ("plain é 😀 ❤\ufe0f", "plain é 😀 ❤\ufe0f", "plain é 😀 ❤\ufe0f"),
        ("a\nb\tc\r", "a␊b␉c␍", r"a\nb\tc\r"),
        ("\x00\x1b[31m\x7f", "␀␛[31m␡", r"\x00\x1b[31m\x7f"),
        ("\x85\x9b", "‹U+0085›‹U+009B›", r"\x85\x9b"),
        ("a\u202eb\u2066", "a‹U+202E›b‹U+2066›", r"a\u202eb\u2066"),
        ("\u200b\u200d\ufeff\u00ad", "‹U+200B›‹U+200D›‹U+FEFF›‹U+00AD›", r"\u200b\u200d\ufeff\xad"),
        ("\u2028\u2029", "‹U+2028›‹U+2029›", r"\u2028\u2029"),
        ("\U000e0041\U000e0100", "‹U+E0041›‹U+E0100›", r"\U000e0041\U000e0100"),
        ("a\ud83db\ude00", "a‹U+D83D›b‹U+DE00›", "a\ufffdb\ufffd"),
        ("a\ud83d\ude00b", "a😀b", "a😀b"),
    ],
)
def test_what_cannot_be_seen_is_made_visible(text: str, shown: str, escaped: str) -> None:
    assert visible(text) == shown
    assert terminal(text) == escaped


FAMILY = "👨\u200d👩\u200d👧"
ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


@pytest.mark.parametrize(
    "text",
    [
        FAMILY,
        "❤\ufe0f\u200d🔥",
        "👩🏽\u200d💻",
        "🏳\ufe0f\u200d🌈",
        "🏃\u200d♂\ufe0f",
        "1\ufe0f\u20e3 #\ufe0f\u20e3 ↔\ufe0f ☎\ufe0e",
        "🇩🇪 👍🏿",
        ENGLAND,
        "می\u200cخواهم",
        "خانه\u064f\u200cی",
        "ห้องน้ำ",
        "क्\u200dष क्\u200c ",
        "র\u200d্য",
        "ක්\u200dෂ",
        "ᠠ\u180b",
        "葛\U000e0100",
    ],
)
def test_invisible_characters_that_are_writing_stay(text: str) -> None:
    assert visible(text) == text
    assert terminal(text) == text


@pytest.mark.parametrize(
    "text, shown",
    [
        ("a\u200db", "a‹U+200D›b"),
        ("a\u200cb", "a‹U+200C›b"),
        ("😀\u200d", "😀‹U+200D›"),
        ("😀\u200da", "😀‹U+200D›a"),
        ("😀\u200d\u200d😀", "😀‹U+200D›‹U+200D›😀"),
        ("😀\u200d🏽", "😀‹U+200D›🏽"),
        ("a\ufe0f", "a‹U+FE0F›"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f‹U+FE0F›"),
        ("می\u200c ", "می‹U+200C› "),
        ("می\u200ca", "می‹U+200C›a"),
        ("می\u200cक", "می‹U+200C›क"),
        ("می\u200c\u200cخ", "می‹U+200C›‹U+200C›خ"),
        ("می\u200bخ", "می‹U+200B›خ"),
        ("م\u200eح\u200f", "م‹U+200E›ح‹U+200F›"),
        ("🏴\U000e0061\U000e007f", "🏴‹U+E0061›‹U+E007F›"),
        (ENGLAND + "\U000e0061", ENGLAND + "‹U+E0061›"),
        ("😀\U000e0100", "😀‹U+E0100›"),
        ("葛\U000e0100\U000e0101", "葛\U000e0100‹U+E0101›"),
        ("a\u180b", "a‹U+180B›"),
    ],
)
def test_invisible_characters_that_join_nothing_are_marked(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_the_neighbours_of_a_text_tell_what_its_edges_are() -> None:
    assert visible("\u200d", before="👨", after="👩") == "\u200d"
    assert visible("\u200d", before="👨", after="x") == "‹U+200D›"
    assert visible("\u200cخ", before="ی") == "\u200cخ"


def test_a_heap_of_marks_is_counted() -> None:
    assert visible("Z" + "\u0301" * 8 + "x") == "Z" + "\u0301" * 8 + "x"
    assert visible("Z" + "\u0301" * 100_000 + "x") == "Z" + "\u0301" * 8 + "‹+99\u2009992 marks›x"


def test_chosen_characters_stay() -> None:
    assert visible("a\n\tb\r", keep="\n\t") == "a\n\tb␍"
    assert terminal("a\n\tb\r", keep="\n") == "a\n\\tb\\r"


def test_no_control_or_format_character_passes() -> None:
    hidden = {
        code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    }
    passed = {code for code in hidden if visible(chr(code)) == chr(code)}
    assert passed == hidden & DRAWN_FORMATS


@given(ANY_TEXT)
def test_the_result_holds_nothing_hidden_and_can_be_encoded(text: str) -> None:
    for result in (visible(text), terminal(text)):
        result.encode()
        assert not {unicodedata.category(character) for character in result} & {"Cc", "Cs", "Zl", "Zp"}
        assert visible(result) == result
    assert terminal(visible(text)) == visible(text)


@given(ANY_TEXT)
def test_halves_are_joined_and_nothing_else_changes(text: str) -> None:
    halves = "".join(chr(unit) for unit in memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H"))
    assert join_halves(halves) == join_halves(text)
    assert join_halves(text).encode("utf-16-le", "surrogatepass") == text.encode("utf-16-le", "surrogatepass")
    assert encodable(halves) == text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@pytest.mark.parametrize(
    "value, expected", [(0, "0"), (999, "999"), (9310, "9 310"), (1234567, "1 234 567"), (-1500, "-1 500")]
)
def test_numbers(value: int, expected: str) -> None:
    assert number(value) == expected.replace(" ", "\u2009")


@pytest.mark.parametrize(
    "count, expected",
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (47_612, "47.6 kB"),
        (47_650, "47.7 kB"),
        (999_949, "999.9 kB"),
        (999_950, "1.0 MB"),
        (3_250_000_000, "3.3 GB"),
        (10**19, "10 000.0 PB"),
    ],
)
def test_sizes(count: int, expected: str) -> None:
    assert size(count) == expected.replace(" ", "\u2009")


@pytest.mark.parametrize(
    "nanoseconds, expected",
    [
        (0, "0 ms"),
        (40_000, "0 ms"),
        (60_000, "0.1 ms"),
        (9_940_000, "9.9 ms"),
        (9_960_000, "10 ms"),
        (389_400_000, "389 ms"),
        (999_499_999, "999 ms"),
        (999_500_000, "1.00 s"),
        (1_476_000_000, "1.48 s"),
        (75_005_000_000, "75.01 s"),
        (1_234_500_000_000, "1 234.50 s"),
        (-32_000_000, "-32 ms"),
    ],
)
def test_durations(nanoseconds: int, expected: str) -> None:
    assert duration(nanoseconds) == expected.replace(" ", "\u2009")
