"""JSON as it is edited: nothing of it is lost, faults say where they are, long texts stay out of the fields."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.live.providers import Reasoning, load_presets
from inspector_app.ui.compose.folds import LONGEST, LONGEST_LINE, Folds, why_kept
from inspector_app.ui.compose.json_text import DEEPEST, Trouble, compact, parse, pretty
from inspector_app.ui.compose.places import NOTHING, look, put, without
from inspector_app.ui.compose.reasoning import OWN, UNSET, level_of, with_level
from inspector_app.ui.compose.shapes import (
    SHAPES,
    beside_text,
    others,
    system_path,
    text_path,
    with_others,
    with_system,
)

LITERALS = ["0", "-0", "7", "1.50", "1E5", "-2.0e-7", "1e400", "12345678901234567890123", "0.1"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_every_value_comes_back_from_both_forms(value: Any) -> None:
    assert parse(pretty(value)) == value
    assert parse(compact(value)) == value
    assert json.loads(compact(value)) == value
    compact(value).encode()


@given(VALUES)
def test_the_form_for_people_has_nothing_that_cannot_be_seen(value: Any) -> None:
    shown = pretty(value)
    hidden = [sign for sign in shown if not sign.isprintable() and sign not in "\n\u3000\u200c\u200d\ufe0e\ufe0f"]
    assert hidden == []


@pytest.mark.parametrize("literal", LITERALS)
def test_numbers_stay_as_they_were_written(literal: str) -> None:
    text = f'{{"a":[{literal}]}}'
    assert compact(parse(text)) == text
    assert literal in pretty(parse(text))


@pytest.mark.parametrize(
    "text, line, column, words",
    [
        ("", 1, 1, "the text ends"),
        ("{", 1, 2, "still open"),
        ('{\n  "a": 1,\n}', 3, 1, "a key"),
        ('{"a": 1 "b": 2}', 1, 9, "a comma or a closing }"),
        ('{"a" 1}', 1, 6, "a colon"),
        ("{a: 1}", 1, 2, "a key in double quotes"),
        ("[1, 2,]", 1, 7, "take the last comma away"),
        ("[1 2]", 1, 4, "a comma or a closing ]"),
        ("{'a': 1}", 1, 2, "double quotes"),
        ('{"a": None}', 1, 7, "None is no value"),
        ('{"a": "x}', 1, 7, "no closing quote"),
        ('{\n"a": "b\nc"}', 2, 8, "line break"),
        (r'{"a": "\x"}', 1, 8, "no such escape"),
        ('{"a": 1, "a": 2}', 1, 10, "a second time"),
        ("{} {}", 1, 4, "at its end"),
        ("[" * 400, 1, DEEPEST + 2, "nested deeper"),
        (f"[{'9' * 5000}]", 1, 2, "digits"),
        ("[NaN]", 1, 2, "NaN is no value"),
        ('{"日本": tru}', 1, 8, "tru is no value"),
    ],
)
def test_a_fault_says_where_it_is(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(Trouble) as found:
        parse(text)
    assert (found.value.line, found.value.column) == (line, column)
    assert words in str(found.value)
    assert str(found.value).startswith(f"line {line}, column {column}: ")


@given(st.text(max_size=40))
def test_other_text_raises_nothing_else(text: str) -> None:
    try:
        value = parse(text)
    except Trouble:
        return
    assert value == json.loads(text)


def test_long_texts_have_stand_ins_and_come_back() -> None:
    folds, long = Folds(), "x" * (LONGEST + 1)
    body = {"messages": [{"content": long}, {"content": "short"}, {"content": long}]}
    folded = folds.fold(body)
    assert len(pretty(folded)) < 400
    assert folds.unfold(folded) == body
    assert folded["messages"][0] == folded["messages"][2]
    folds.check(pretty(folded))


@pytest.mark.parametrize("old, new", [("⟩", ""), ("kept text 1", "kept text 2"), ('characters⟩"', 'characters⟩."')])
def test_a_changed_stand_in_is_a_fault(old: str, new: str) -> None:
    folds = Folds()
    text = pretty(folds.fold({"a": "x" * (LONGEST + 1)}))
    with pytest.raises(Trouble, match="line 2, column 9: this stands for a long text"):
        folds.check(text.replace(old, new))


@pytest.mark.parametrize(
    "text, kept",
    [("a\nb", ""), ("x" * (LONGEST_LINE + 1), "too long"), ("a\r\nb", r"U\+000D"), ("\u2029", r"U\+2029"),
     ("\ud800", r"U\+D800")],
)  # fmt: skip
def test_what_a_field_cannot_hold(text: str, kept: str) -> None:
    assert (why_kept(text) == "") is (kept == "")
    assert kept.replace("\\", "") in why_kept(text)


def test_places() -> None:
    body = {"a": {"b": [1, {"c": None}]}}
    assert look(body, ("a", "b", 1, "c")) is None
    assert look(body, ("a", "b", 2)) is NOTHING
    assert put(body, ("a", "b", 1, "c"), 5) == {"a": {"b": [1, {"c": 5}]}}
    assert put({}, ("x", "parts", 0, "text"), "t") == {"x": {"parts": [{"text": "t"}]}}
    assert without(body, ("a", "b", 0)) == {"a": {"b": [{"c": None}]}}
    assert without({"a": {"b": 1}, "c": 2}, ("a", "b")) == {"c": 2}
    assert without({"a": {}}, ("a", "b")) == {"a": {}}
    assert body == {"a": {"b": [1, {"c": None}]}}


@pytest.mark.parametrize("name", [name for name, one in load_presets().items() if one.knows.reasoning.levels])
def test_every_level_of_every_preset_is_found_where_it_was_put(name: str) -> None:
    known = load_presets()[name].knows.reasoning
    body: dict[str, Any] = {"model": "m", "reasoning_x": 1}
    for level in (*known.levels, *reversed(known.levels)):
        body = with_level(body, known, level)
        assert level_of(body, known) == level
        assert body["reasoning_x"] == 1
    assert with_level(body, known, UNSET) == {"model": "m", "reasoning_x": 1}


def test_what_is_no_level_is_said_and_kept() -> None:
    known = Reasoning({"low": {"thinking": {"type": "on", "effort": "low"}}})
    body = {"thinking": {"type": "on", "budget": 5}}
    assert level_of(body, known) == OWN
    assert with_level(body, known, UNSET) == {"thinking": {"budget": 5}}
    assert level_of({}, Reasoning()) == UNSET


@pytest.mark.parametrize("dialect", SHAPES)
def test_a_new_message_has_its_text_where_it_is_looked_for(dialect: str) -> None:
    shape = SHAPES[dialect]
    for role in shape.roles:
        message = shape.message(role, "hi")
        path = text_path(shape, message)
        assert path is not None
        assert look(message, path) == "hi"
        assert beside_text(shape, message) == ""


@pytest.mark.parametrize(
    "message, path, beside",
    [
        ({"role": "user", "content": "a"}, ("content",), ""),
        ({"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url"}]},
         ("content", 0, "text"), "image_url"),
        ({"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, None, ""),
        ({"role": "assistant", "content": None, "tool_calls": []}, None, "tool_calls"),
        ("a", (), ""),
        (7, None, ""),
    ],
)  # fmt: skip
def test_where_the_text_of_a_message_is(message: Any, path: Any, beside: str) -> None:
    shape = SHAPES["openai-chat"]
    assert text_path(shape, message) == path
    assert beside_text(shape, message) == beside


@pytest.mark.parametrize(
    "dialect, before, text, after",
    [
        ("anthropic-messages", {"a": 1}, "s", {"a": 1, "system": "s"}),
        ("anthropic-messages", {"system": "s"}, "", {}),
        ("anthropic-messages", {"system": [{"type": "text", "text": "s", "cache_control": {}}]}, "t",
         {"system": [{"type": "text", "text": "t", "cache_control": {}}]}),
        ("anthropic-messages", {"system": [{"type": "text", "text": "s"}]}, "",
         {"system": [{"type": "text", "text": ""}]}),
        ("gemini", {}, "s", {"systemInstruction": {"parts": [{"text": "s"}]}}),
        ("gemini", {"systemInstruction": {"parts": [{"text": "s"}]}}, "", {}),
        ("gemini", {"systemInstruction": {"role": "x", "parts": [{"text": "s"}]}}, "",
         {"systemInstruction": {"role": "x", "parts": [{"text": ""}]}}),
    ],
)  # fmt: skip
def test_the_system_prompt(dialect: str, before: Any, text: str, after: Any) -> None:
    assert with_system(SHAPES[dialect], before, text) == after


def test_several_system_texts_are_left_alone() -> None:
    body = {"system": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
    assert system_path(SHAPES["anthropic-messages"], body) is None
    assert with_system(SHAPES["anthropic-messages"], body, "c") == body


def test_other_members_keep_their_places() -> None:
    shape = SHAPES["openai-chat"]
    body = {"x": 1, "messages": [], "y": 2, "model": "m", "z": 3}
    assert others(shape, body) == {"x": 1, "y": 2, "z": 3}
    assert list(with_others(shape, body, {"x": 1, "new": 2, "z": 3, "w": 4}).items()) == [
        ("x", 1), ("messages", []), ("new", 2), ("model", "m"), ("z", 3), ("w", 4),
    ]  # fmt: skip
    assert with_others(shape, body, {}) == {"messages": [], "model": "m"}
