"""The words of a field filter: fields as they are written and read, hints, and that no text takes longer than it is."""

from __future__ import annotations

import json
import re
import re._constants as sre
import re._parser as sre_parser
import sys
from collections.abc import Iterable
from types import FrameType
from typing import Any

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from inspector_app.core import field_completion, field_filter, field_search, field_words, pattern, search, search_places
from inspector_app.core.field_completion import completions
from inspector_app.core.field_filter import Row, parse_filter
from inspector_app.core.field_search import FIELDS, FieldSearch
from inspector_app.core.field_words import ending_in, filter_path, reads_as_text, steps_of, with_field, words
from inspector_app.core.kit import load_kit
from inspector_app.core.pattern import PatternFault, Query
from inspector_app.core.pointer import flatten
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses.run import read

MODULES = (field_completion, field_filter, field_search, field_words, search, search_places, pattern)
ODD = st.text(alphabet="ab.[]0\"'\\ =<(!)~é\u3000", min_size=1, max_size=12)


def is_trap(parts: Iterable[Any], repeated: bool = False) -> bool:
    """Whether a repeat stands in a repeat, and both can give back what they took: then a text can be read in more
    ways than it has characters, and one that fits in none of them is tried in all.
    """
    for kind, held in parts:
        if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            endless = held[1] is sre.MAXREPEAT
            if (endless and repeated) or is_trap(held[2], repeated or endless):
                return True
        elif kind is sre.POSSESSIVE_REPEAT:
            if is_trap(held[2]):
                return True
        elif kind is sre.BRANCH:
            if any(is_trap(branch, repeated) for branch in held[1]):
                return True
        elif kind is sre.ATOMIC_GROUP:
            if is_trap(held):
                return True
        elif kind in (sre.SUBPATTERN, sre.ASSERT, sre.ASSERT_NOT) and is_trap(held[-1], repeated):
            return True
    return False


def expressions() -> list[tuple[str, str]]:
    held = [(module.__name__, name, value) for module in MODULES for name, value in vars(module).items()]
    return [(f"{module}.{name}", v.pattern) for module, name, v in held if isinstance(v, re.Pattern | regex.Pattern)]


def test_what_counts_as_a_trap() -> None:
    traps, others = (r"(?:\.?[^\s.]+|[.\[])*\Z", "(?:a(?:b|c+))+", "(a*?)*"), ("(?:a|b)*c+", "(?:ab*+)*", "(?:a{0,3})+")
    assert [is_trap(sre_parser.parse(text)) for text in traps + others] == [True] * 3 + [False] * 3


def test_no_expression_of_the_filter_is_a_trap() -> None:
    assert len(expressions()) >= 5
    assert [name for name, text in expressions() if is_trap(sre_parser.parse(text))] == []


def lines_run(text: str) -> int:
    """How many lines of Python a completion runs."""
    files = {field_words.__file__, field_completion.__file__}
    count = 0

    def trace(frame: FrameType, what: str, _: Any) -> Any:
        nonlocal count
        if frame.f_code.co_filename not in files:
            return None
        count += what == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        completions(text, len(text), ["choices", "choices[].delta"])
    finally:
        sys.settrace(before)
    return count


@settings(max_examples=60)
@given(ODD)
@example("choices[0].delta.tool_calls[0].index ")
@example("a.")
@example('["a')
@example("[0")
def test_twice_the_text_is_at_most_twice_the_work(text: str) -> None:
    once, twice = lines_run(text * 60), lines_run(text * 120)
    assert twice <= 2 * once + 60


@given(ODD)
@example("choices[0].delta.tool_calls[0].index ")
@example("choices[0].delta.tool_calls exists and t > 2s")
def test_odd_texts_are_completed_and_read_to_their_end(text: str) -> None:
    whole = text * 40
    start, _ = completions(whole, len(whole), ["a", "a[].b"])
    assert 0 <= start <= len(whole)
    found = list(words(whole))
    assert all(word.text == whole[word.at : word.end] and word.text for word in found)
    assert not re.sub(r"\s+", "", "".join(whole[a:b] for a, b in between(found, len(whole))))
    try:
        parse_filter(whole)
    except PatternFault:
        return


def between(found: list[field_words.Word], size: int) -> list[tuple[int, int]]:
    ends = [0, *(word.end for word in found)]
    return list(zip(ends, [*(word.at for word in found), size]))


@pytest.mark.parametrize(
    "text, offered",
    [
        ("choices[0].delta.tool_calls[0].index ", ["contains", "exists", "is", "matches", "missing"]),
        ("text contains 'cho", []),
        ("text contains cho", []),
        ("t>2s and cho", ["choices", "choices[].a"]),
        ("choices is nu", ["null", "number"]),
        ("choices is not nu", ["null", "number"]),
        ("choices[1].", ["choices[1].a"]),
        ("choices[].", ["choices[].a"]),
        ('["a', ['["a=b"]']),
        ("a]b", []),
    ],
)
def test_what_is_offered(text: str, offered: list[str]) -> None:
    assert completions(text, len(text), ["choices", "choices[].a", "a=b"])[1] == offered


ODD_KEYS = ["a=b", "a b", "t", "not", "é \n", "x.y", "[]", '"', "\\", "\u00a0", "and"]
KEYS = st.text(max_size=4) | st.sampled_from(ODD_KEYS)
VALUES = st.recursive(
    st.integers(0, 3), lambda below: st.lists(below, max_size=2) | st.dictionaries(KEYS, below), max_leaves=6
)
PATHS = ["choices[].delta.x", "choices[0].delta.x", "choices.delta.x", '["choices"][]["delta"].x']


@settings(max_examples=60)
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=3))
@example({"a=b": {"é \n": 1}, "not": 2, "t": [[{"x": 1}]]})
def test_every_path_that_is_shown_is_taken_by_the_filter(value: dict[str, Any]) -> None:
    body = b"data: %b\n\n" % json.dumps(value).encode()
    reading = read(Exchange("a", "sse", MemoryBody(body)), load_kit())
    row = Row(reading, 0, {})
    for path, _ in flatten(row.payloads[0]):
        wanted = parse_filter(f"{filter_path(path)} exists")
        assert wanted.test(row), path
        assert not wanted.names


@pytest.mark.parametrize("path", PATHS)
def test_one_notation(path: str) -> None:
    body = b'data: {"choices":[{"delta":{"x":7}}]}\n\n'
    found = FieldSearch(Query(f"{path} == 7", scope=FIELDS), read(Exchange("a", "sse", MemoryBody(body)), load_kit()))
    list(found.steps())
    assert len(found.matches) == 1


@pytest.mark.parametrize(
    "path, keys, found",
    [
        ("choices[].delta.tool_calls[].index", ["index"], "choices[].delta.tool_calls[].index"),
        ("choices[].delta.tool_calls[].index", ["delta", "tool_calls"], "choices[].delta.tool_calls"),
        ('a["X.y"].b', ["x.y"], 'a["X.y"]'),
        ("a.b", ["c"], None),
    ],
)
def test_a_field_by_its_end(path: str, keys: list[str], found: str | None) -> None:
    assert ending_in(path, keys) == found


def test_a_field_is_put_in_place_of_a_word_where_it_is_no_value() -> None:
    text = with_field("(index == index and not index) or x contains index", "index", "a[].index")
    assert text == "(a[].index == index and not a[].index) or x contains index"


@pytest.mark.parametrize(
    "text, is_text",
    [
        (",,", True),
        ("look at the mill", True),
        ("what is this", True),
        ("don't stop", True),
        ("end.", True),
        ("", False),
        ("a.b", False),
        ("a[0]", False),
        ("kind of", False),
        ("mill exists", False),
        ("mill = 7", False),
        ('a "b', False),
    ],
)
def test_what_looks_like_text(text: str, is_text: bool) -> None:
    assert reads_as_text(text) == is_text


def test_a_path_is_none_where_a_key_is_missing() -> None:
    assert (steps_of("a..b"), steps_of("a[].b[2]")) == (None, ("a", None, "b", 2))


@pytest.mark.parametrize(
    "text, remark, meant",
    [
        (
            "index == 7",
            "no field “index”, but choices[].index, choices[].delta.tool_calls[].index",
            ["choices[].index", "choices[].delta.tool_calls[].index"],
        ),
        ("Tool_Calls.id", "no field “Tool_Calls.id”, but choices[].delta.tool_calls[].id", None),
        (",,", "no event has a field “,,”", []),
    ],
)
def test_fields_that_may_have_been_meant(text: str, remark: str, meant: list[str] | None) -> None:
    body = b'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c"}]}}]}\n\n' * 3
    found = FieldSearch(Query(text, scope=FIELDS), read(Exchange("a", "sse", MemoryBody(body)), load_kit()))
    list(found.steps())
    assert found.remark == remark
    assert meant is None or [*found.meant.values()] == [meant]


def test_a_key_with_a_sign_of_the_filter_stays_whole_in_the_paths_above() -> None:
    assert [*field_words.with_those_above("a=b.c[]")] == ["a=b", "a=b.c", "a=b.c[]"]
