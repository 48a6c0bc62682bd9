"""What each reading rule about tool calls changes (dialects.md 22.2)."""

from __future__ import annotations

from typing import Any

import pytest

from inspector_app.core.calls import ClientError
from inspector_app.core.rules import ReadingRules
from tests.core.calls_data import MADE_UP, A, B, Element, Stream, el, read

PARALLEL = [[el(0, "{", id="a", name="f")], [el(1, "{", id="b", name="g")], [el(0, "}")]]
BACK = [[el(0, "{", id="a", name="f")], [el(1, "{", id="b", name="g")], [el(0, "}", id="a")]]
REUSED = [[el(0, "{", id="a", name="f")], [el(0, "{", id="b", name="g")], [el(0, "}")]]
LATE_ID = [[el(0, "{", name="f")], [el(0, "}", id="a")]]
LATE_NAME = [[el(0, "", id="a")], [el(0, "{}", name="f")]]
EMPTY_ID = [[el(0, "{", id="a", name="f")], [el(0, "}", id="", name="")]]
NO_NAME = [[el(0, "{}", id="a")], [el(1, "{}", id="b", name="g")]]
AFTER = [[el(0, A, id="a", name="f")], [el(0, "x")], [el(1, B, id="b", name="g")], [el(0, "y")]]

# What the keys do that no measured client sets: rules, deltas, calls.
KEY_CASES: dict[str, tuple[dict[str, Any], list[list[Element]], list[tuple[str | None, str | None, str]]]] = {
    "index-id: a new id opens a call": ({"tool_key": "index-id"}, REUSED, [("a", "f", "{"), ("b", "g", "{}")]),
    "index-id: a late id does not": ({"tool_key": "index-id"}, LATE_ID, [("a", "f", "{}")]),
    "index-id: a known id at the index of another": (
        {"tool_key": "index-id"},
        [*REUSED, [el(0, "}", id="a")]],
        [("a", "f", "{}"), ("b", "g", "{}")],
    ),
    "index-name: several calls at the index": (
        {"tool_key": "index-name"},
        [*REUSED[:2], [el(0, "lost")], [el(0, "}", name="f")]],
        [("a", "f", "{}"), ("b", "g", "{")],
    ),
    "id: the index says nothing": ({"tool_key": "id"}, PARALLEL, [("a", "f", "{"), ("b", "g", "{}")]),
    "id: found again": ({"tool_key": "id"}, BACK, [("a", "f", "{}"), ("b", "g", "{")]),
    "id-change: back again is a change": (
        {"tool_key": "id-change"},
        BACK,
        [("a", "f", "{"), ("b", "g", "{"), ("a", None, "}")],
    ),
    "id-change: a first id is none": ({"tool_key": "id-change"}, LATE_ID, [("a", "f", "{}")]),
    "latest: no id": ({"tool_key": "latest"}, PARALLEL, [("a", "f", "{"), ("b", "g", "{}")]),
    "latest: every id opens": (
        {"tool_key": "latest"},
        [[el(0, "{", id="a", name="f")], [el(0, "}", id="a")]],
        [("a", "f", "{"), ("a", None, "}")],
    ),
    "any id starts a call, an empty one too": (
        {"tool_key": "index", "id_policy": "any-non-null-starts-new"},
        [*EMPTY_ID, [el(0, "!", id=None)]],
        [("a", "f", "{"), ("", "", "}!")],
    ),
    "an empty id and name overwrite": (
        {"id_policy": "non-null-overwrite", "name_policy": "non-null-overwrite"},
        EMPTY_ID,
        [("", "", "{}")],
    ),
    "null overwrites nothing": (
        {"id_policy": "non-null-overwrite", "name_policy": "non-null-overwrite"},
        [[el(0, "{}", id="a", name="f")], [el(0, "", id=None, name=None)]],
        [("a", "f", "{}")],
    ),
    "the first name": ({"name_policy": "first"}, [[el(0, id="a", name="f")], [el(0, "", name="g")]], [("a", "f", "")]),
    "the last id": ({"id_policy": "last"}, EMPTY_ID, [("a", "f", "{}")]),
    "lost until the id": ({"missing_id": "ignore-until-id"}, LATE_ID, [("a", None, "}")]),
    "a call without an id is lost": (
        {"missing_id": "drop-call"},
        [*PARALLEL, [el(2, "{}", id="", name="h")]],
        [
            ("a", "f", "{}"),
            ("b", "g", "{"),
        ],
    ),
    "an empty id is no id": ({"missing_id": "made-up"}, [[el(0, "{}", id="", name="f")]], [(MADE_UP, "f", "{}")]),
    "an empty name opens nothing": (
        {"missing_name": "skip-empty"},
        [[el(0, "{}", id="a", name="")], *NO_NAME[1:]],
        [("b", "g", "{}")],
    ),
    "a call waits for its name": ({"missing_name": "skip-empty"}, LATE_NAME, [("a", "f", "{}")]),
    "a call that waited in vain": ({"missing_name": "skip-empty"}, NO_NAME, [("b", "g", "{}")]),
    "a call without a name is lost": ({"missing_name": "drop-call"}, NO_NAME, [("b", "g", "{}")]),
    "a call without arguments is lost": (
        {"empty_args": "drop-call"},
        [[el(0, "", id="a", name="f")], [el(1, "{}", id="b", name="g")]],
        [("b", "g", "{}")],
    ),
    "closed as soon as the arguments parse": (
        {"finalize": "parsable", "repairs": ()},
        [*AFTER, [el(2, '{"x":', id="c", name="h")], [el(2, "1")], [el(2, "}")], [el(2, "z")]],
        [("a", "f", A), ("b", "g", B), ("c", "h", '{"x":1}')],
    ),
    "closed by the next call": (
        {"finalize": "next", "repairs": ()},
        AFTER,
        [("a", "f", A + "x"), ("b", "g", B)],
    ),
    "never closed": ({"repairs": ()}, AFTER, [("a", "f", A + "xy"), ("b", "g", B)]),
    "beyond the list: the start counts, the rest is lost": (
        {"tool_key": "index", "index_as_position": "drop"},
        [[el(1, "{", id="a", name="f")], [el(1, "x")], [el(0, "{}", id="b", name="g")], [el(1, "}")]],
        [("a", "f", "{}"), ("b", "g", "{}")],
    ),
    "a hole that is filled is none": (
        {"tool_key": "index", "index_as_position": "error-at-end"},
        [[el(1, "{}", id="b", name="g")], [el(0, "{}", id="a", name="f")]],
        [("b", "g", "{}"), ("a", "f", "{}")],
    ),
    "a list as arguments, in JavaScript": (
        {"args_object": "js-text"},
        [[el(0, [1], name="f")]],
        [(None, "f", "[object Object]")],
    ),
    "a number as arguments": ({"args_object": "js-text"}, [[el(0, 5, name="f")]], [(None, "f", "5")]),
    "no repair of snapshots": (
        {"repairs": ("tool-args-second-root",)},
        [[el(0, '{"q', id="a", name="f")], [el(0, '{"q":1}')]],
        [("a", "f", '{"q{"q":1}')],
    ),
    "no repair of copies": (
        {"repairs": ("tool-args-second-root",)},
        [[el(0, A, id="a", name="f")], [el(0, A)]],
        [("a", "f", A + A)],
    ),
    "no repair of rotated ids": (
        {"repairs": ()},
        [[el(0, "{", id="r1", name="f")], [el(0, "}", id="r2")]],
        [("r1", "f", "{"), ("r2", None, "}")],
    ),
    "no repair of cut characters": (
        {"repairs": ()},
        [[el(0, "\ud83d", id="a", name="f")], [el(0, "\ude00")]],
        [("a", "f", "\ud83d" + "\ude00")],
    ),
}


@pytest.mark.parametrize("rules, deltas, calls", KEY_CASES.values(), ids=KEY_CASES)
def test_keys(
    rules: dict[str, Any], deltas: list[list[Element]], calls: list[tuple[str | None, str | None, str]]
) -> None:
    result = read(deltas, ReadingRules(**rules))
    assert (result.calls, result.error) == (calls, None)


@pytest.mark.parametrize("index", ["0", 0.0, "x", True])
def test_an_index_that_is_no_integer_ends_the_reading(index: Any) -> None:
    stream = Stream(ReadingRules(index_not_integer="throw"))
    stream.delta([el(0, "{", id="a", name="f")])
    stream.delta([el(0, "}")])
    with pytest.raises(ClientError, match="no integer") as raised:
        stream.delta([el(index, "{")])
    assert raised.value.ends
    assert [block.text for block in stream.blocks] == ["{}"]


@pytest.mark.parametrize(
    "args, error",
    [('{"a": tru', False), ('{"a":1}{"b":2}', False), ("", False), ('{"a": }x', True), ("x", True)],
)
def test_partial_arguments_that_even_so_do_not_parse(args: str, error: bool) -> None:
    result = read([[el(0, args, id="a", name="f")]], ReadingRules(args_parse="partial", repairs=()))
    assert result.calls == [("a", "f", args)]
    assert (result.error or ("",))[0].startswith("the arguments do not parse as JSON: ") == error
