"""A few letters find what was meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.ui.fuzzy import match, ranked

COMMANDS = (
    "Open…", "Next finding", "Previous finding", "Next place of the finding", "Zoom in", "Zoom out",
    "Compare with: ZCode 3.11", "Read as: ZCode 3.11", "Show whole raw lines", "Whole recording", "Copy picture",
    "Copy report of the findings", "Theme: dark",
)  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("nf", "Next finding"),
        ("pf", "Previous finding"),
        ("zc", "Read as: ZCode 3.11"),
        ("comzc", "Compare with: ZCode 3.11"),
        ("zcode compare", "Compare with: ZCode 3.11"),
        ("whole", "Whole recording"),
        ("raw", "Show whole raw lines"),
        ("zoom o", "Zoom out"),
        ("DARK", "Theme: dark"),
        ("3.11", "Read as: ZCode 3.11"),
        ("copy rep", "Copy report of the findings"),
    ],
)
def test_what_was_meant_comes_first(typed: str, first: str) -> None:
    assert ranked(typed, ((words, words) for words in COMMANDS))[0][0] == first


@pytest.mark.parametrize("typed", ["xq", "nexxt", "zoom zoom zoom x", "…n"])
def test_letters_that_are_not_there_find_nothing(typed: str) -> None:
    assert ranked(typed, ((words, words) for words in COMMANDS)) == []


def test_the_letters_are_those_that_begin_words_or_stand_together() -> None:
    found = match("nf", "Next finding")
    assert found is not None
    assert found.places == (0, 5)
    found = match("find", "Next finding of five")
    assert found is not None
    assert found.places == (5, 6, 7, 8)


def test_nothing_typed_fits_everything_in_its_order() -> None:
    assert [words for words, _ in ranked(" ", ((words, words) for words in COMMANDS))] == list(COMMANDS)


@given(st.text(max_size=30), st.text(min_size=1, max_size=6))
def test_places_hold_the_letters_in_order_or_there_is_no_match(text: str, typed: str) -> None:
    letters = "".join(typed.split())
    found = match(letters, text)
    rest = iter(text.lower() if len(text.lower()) == len(text) else "")
    if found is None:
        assert not letters or not all(letter in rest for letter in letters.lower())
    elif letters:
        assert list(found.places) == sorted(set(found.places))
        assert [text[at].lower() for at in found.places] == list(letters.lower())
