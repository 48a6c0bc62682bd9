"""Where arguments end, repeat or begin again, and what is whole in front of a cut."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.arguments import RootScan, dump, grows, partial_json, roots, snapshots, text_of

# Numbers are left out where a cut one is a number too.
VALUES = st.recursive(
    st.none() | st.booleans() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(max_size=3), VALUES, max_size=4)


@pytest.mark.parametrize(
    "text, closed, more",
    [
        ("", False, False),
        ("{", False, False),
        (' {"a":"}"', False, False),
        ('{"a":"\\"}"}', True, False),
        ("[{}]\n", True, False),
        ('"a\\\\"', True, False),
        ("{}{", True, True),
        ("{} x", True, True),
        ("12", False, False),
    ],
)
def test_root_scan(text: str, closed: bool, more: bool) -> None:
    for pieces in ([text], list(text)):
        scan = RootScan()
        for piece in pieces:
            scan.feed(piece)
        assert (scan.closed, scan.more) == (closed, more)


@given(OBJECTS, st.text(), st.data())
def test_a_root_ends_where_json_says_however_it_is_cut(value: dict[str, Any], rest: str, data: st.DataObject) -> None:
    text = json.dumps(value, ensure_ascii=data.draw(st.booleans()))
    scan = RootScan()
    assert scan.walk(text + rest, 0) == len(text)
    scan = RootScan()
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    for start, end in pairwise([0, *cuts, len(text)]):
        assert not scan.closed or start == len(text)
        scan.feed(text[start:end])
    assert scan.closed
    assert not scan.more


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", []),
        ('{"a":1}', []),
        ('{"a":1}x', []),
        ('{"a":1}{x', []),
        ('{"a":1}"b"', []),
        ('{"a":1', []),
        ('{"a":1}{', ['{"a":1}', "{"]),
        (' {"a":1}\n{"b":2} ', ['{"a":1}', '{"b":2}']),
        ('{"a":1}{"b":2}x', ['{"a":1}', '{"b":2}x']),
        ('[1]{}{"c"', ["[1]", "{}", '{"c"']),
        ("{]{}", []),
    ],
)
def test_roots(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in roots(text)] == expected


@given(st.lists(OBJECTS, min_size=2, max_size=5))
def test_roots_finds_every_object(values: list[dict[str, Any]]) -> None:
    text = "\n".join(map(dump, values))
    assert [json.loads(text[start:end]) for start, end in roots(text)] == values


@pytest.mark.parametrize(
    "fragments, expected",
    [
        (["", '{"q', "", '{"q":1', '{"q":1}'], '{"q":1}'),
        (['{"q":1}', '{"q":1}'], None),
        (['{"q', '{"q":1'], None),
        (['{"q', '{"r":1}'], None),
        (["{}"], None),
        ([], None),
    ],
)
def test_snapshots(fragments: list[str], expected: str | None) -> None:
    assert snapshots(fragments) == expected


@pytest.mark.parametrize(
    "old, new, expected",
    [
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": "x"}, {"a": "xy"}, True),
        ({"a": [1]}, {"a": [1, {"b": None}]}, True),
        ({"a": [{"b": "x"}]}, {"a": [{"b": "xy"}]}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1}, {"a": True}, False),
        ({"a": 1}, {"b": 1}, False),
        ({"a": "xy"}, {"a": "x"}, False),
        ({"a": [1, 2]}, {"a": [1]}, False),
        ([], {}, False),
    ],
)
def test_grows(old: Any, new: Any, expected: bool) -> None:
    assert grows(old, new) is expected


@given(VALUES)
def test_dump_is_json_without_blanks(value: Any) -> None:
    assert dump(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def test_dump_of_deep_nesting() -> None:
    value: Any = {"é": [None, 1, "x"], "b": {}}
    for _ in range(100_000):
        value = [{"k": value}]
    text = dump(value)
    assert text == '[{"k":' * 100_000 + '{"é":[null,1,"x"],"b":{}}' + "}]" * 100_000


@pytest.mark.parametrize(
    "value, how, expected",
    [
        ("{}", "drop", "{}"),
        (None, "dump", None),
        ({"a": [1]}, "dump", '{"a":[1]}'),
        ({"a": [1]}, "js-text", "[object Object]"),
        (True, "js-text", "true"),
        ({"a": [1]}, "drop", None),
        (7, "drop", None),
    ],
)
def test_text_of(value: Any, how: str, expected: str | None) -> None:
    assert text_of(value, how) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ('{"a": 1}', {"a": 1}),
        ("true", True),
        ('{"a": tru', {}),
        ('{"a": 1, "b": tru', {"a": 1}),
        ('{"a": 1, "b"', {"a": 1}),
        ('{"a": 1, ', {"a": 1}),
        ('{"a": "he', {}),
        ('{"a": "he,{', {}),
        ('{"a": "he"', {"a": "he"}),
        ('{"a": 12', {"a": 12}),
        ('{"a": -', {}),
        ('{"a": [{"b": 1}, {"c": "', {"a": [{"b": 1}, {}]}),
        ("[", []),
        ('{"a": 1}{"b": 2}', {"a": 1}),
        ('{"a": 1} and more', {"a": 1}),
    ],
)
def test_partial_json(text: str, expected: Any) -> None:
    assert partial_json(text) == expected


@pytest.mark.parametrize("text", ["", " ", "x", '{"a": }x', '{"a" 1', "tru", '"cut', "{]"])
def test_partial_json_refuses(text: str) -> None:
    with pytest.raises(ValueError, match="no JSON"):
        partial_json(text)


@given(OBJECTS, st.data())
def test_partial_json_gives_nothing_that_the_whole_does_not_say(value: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value, ensure_ascii=False)
    cut = data.draw(st.integers(1, len(text)))
    assert grows(partial_json(text[:cut]), value)
