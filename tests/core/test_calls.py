"""Tool calls: fields, deltas, cost, what a call can be used for, and any wire."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.calls import ABSENT, Fragment, outcome
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Block
from tests.core.calls_data import AI_SDK, REFERENCE, A, B, Element, Stream, el, read


def test_a_finish_reason_closes_calls_only_where_the_reader_says_so() -> None:
    for rules, text in ((REFERENCE, "{ }"), (ReadingRules(finalize="finish"), "{ ")):
        stream = Stream(rules)
        stream.delta([el(0, "{", id="a", name="f")])
        stream.delta([el(0, " ")])
        stream.calls.finish(1)
        (block,) = stream.delta([el(0, "}")])
        assert stream.blocks[0].text == text
        assert (block is None) == (text == "{ ")


@pytest.mark.parametrize(
    "tools, name", [((), "get_weather"), (("get_weather",), "get_weather"), (("weather",), "weather")]
)
def test_the_tool_list_of_the_request_decides_between_piece_and_replacement(tools: tuple[str, ...], name: str) -> None:
    result = read([[el(0, id="a", name="get_")], [el(0, "{}", name="weather")]], tools=tools)
    assert result.calls == [("a", name, "{}")]
    assert result.rules == ["tool-name-late"]


def legacy(stream: Stream, name: Any, arguments: Any) -> Block | None:
    start = None if name is ABSENT else stream.number()
    args = None if arguments is ABSENT else stream.number()
    stream.event += 1
    return stream.calls.legacy(
        Fragment(
            stream.event, "/choices/0/delta/function_call", 0, 1, ABSENT, ABSENT, name, arguments, ABSENT, start, args
        )
    )


def test_a_function_call_is_one_call_without_id() -> None:
    stream = Stream()
    legacy(stream, "add", None)
    legacy(stream, ABSENT, '{"a":2}')
    legacy(stream, "add", '{"a":3}')
    [*stream.calls.ending()]
    (block,) = stream.blocks
    assert (block.text, block.fields["name"], block.fields["id"]) == ('{"a":2}{"a":3}', "add", None)
    assert (block.first_event, block.last_event, list(block.deltas)) == (1, 3, [0, 1, 2, 3, 4])
    assert [rule for rule, _, _ in stream.notes] == ["tool-name-repeated"]
    assert "id_made_up" not in block.fields


@pytest.mark.parametrize("missing_id", ["made-up", "drop-call"])
def test_a_function_call_needs_no_id(missing_id: Any) -> None:
    stream = Stream(ReadingRules(missing_id=missing_id))
    legacy(stream, "add", "{}")
    [*stream.calls.ending()]
    assert not stream.calls.dropped
    assert "id_made_up" not in stream.blocks[0].fields


def test_a_function_call_is_closed_by_the_finish_reason_too() -> None:
    stream = Stream(ReadingRules(finalize="finish"))
    legacy(stream, "add", "{")
    stream.calls.finish(1)
    assert legacy(stream, ABSENT, "}") is None
    assert stream.blocks[0].text == "{"


def test_fields_keep_what_the_wire_says() -> None:
    stream = Stream()
    stream.delta([el("3", "", id="a", name="f"), el(4, "x", id="b", name="g", type="custom")])
    assert [block.fields for block in stream.blocks] == [
        {"id": "a", "name": "f", "index": 3, "tool_kind": "function", "type": "function"},
        {"id": "b", "name": "g", "index": 4, "tool_kind": "custom", "type": "custom"},
    ]


def test_blocks_know_their_deltas_and_events() -> None:
    stream = Stream()
    stream.delta([el(0, "", id="a", name="f")])
    stream.delta([el(0, '{"x"')])
    stream.delta([el(0, ":1")])
    stream.delta([el(0, "}", id="")])
    (block,) = stream.blocks
    assert list(block.deltas) == [0, 1, 2, 3, 4, 5]
    assert block.fragments == ["", "", '{"x"', ":1", "", "}"]
    assert (block.first_event, block.last_event) == (0, 3)


def test_a_second_root_takes_its_part_of_a_delta_along() -> None:
    stream = Stream()
    stream.delta([el(0, '{"a":', id="a", name="f")])
    stream.delta([el(0, '1}{"b":2}{"c"')])
    stream.delta([el(0, ":3}")])
    [*stream.calls.ending()]
    pieces = [(b.fragments, list(b.deltas), b.spans, b.first_event, b.last_event) for b in stream.blocks]
    assert pieces == [
        (["", '{"a":', "1}"], [0, 1, 2], {2: (0, 2)}, 0, 1),
        (['{"b":2}'], [2], {0: (2, 9)}, 1, 1),
        (['{"c"', ":3}"], [2, 3], {0: (9, 13)}, 1, 2),
    ]
    assert stream.notes == [("tool-args-second-root", 1, 1), ("tool-args-second-root", 1, 2)]


def test_the_second_half_of_a_character_takes_the_first_along() -> None:
    stream = Stream()
    stream.delta([el(0, '{"x":"a\ud83d', id="a", name="f")])
    stream.delta([el(0, '\ude00"}')])
    (block,) = stream.blocks
    assert block.fragments == ["", '{"x":"a', '\U0001f600"}']
    assert block.spans == {1: (0, 7)}
    assert stream.notes == [("text-split-surrogate", 0, 0)]


def test_the_call_at_a_position_of_the_last_array() -> None:
    stream = Stream()
    blocks = stream.delta([el(0, A, id="a", name="f"), el(1, B, id="b", name="g")])
    assert [stream.calls.at_position(n) for n in (0, 1, 2)] == [*blocks, None]
    stream.delta([el(1)])
    assert [stream.calls.at_position(n) for n in (0, 1)] == [blocks[1], None]


def test_an_id_is_made_up_once_and_gives_way_to_a_real_one() -> None:
    stream = Stream(ReadingRules(missing_id="made-up"))
    for args in (A, B, '{"z":1}'):
        stream.delta([el(0, args, name="f")])
    stream.delta([el(0, "", id="late")])
    [*stream.calls.ending()]
    made_up = [block.fields.get("id_made_up") for block in stream.blocks]
    assert made_up[2] is None
    assert None not in made_up[:2]
    assert len(set(made_up)) == 3
    assert [block.fields["id"] for block in stream.blocks] == [None, None, "late"]


def test_completeness_is_tested_only_when_due(monkeypatch: pytest.MonkeyPatch) -> None:
    tested: list[str] = []

    def parses(text: str) -> bool:
        tested.append(text)
        return True

    monkeypatch.setattr("inspector_app.core.call_keys.parses", parses)
    stream = Stream()
    stream.delta([el(0, "[", id="", name="f")])
    for _ in range(500):
        stream.delta([el(0, "{}", id="")])
        stream.delta([el(0, ",")])
    assert tested == []
    stream.delta([el(1, "{}", name="g")])
    for _ in range(500):
        stream.delta([el(1, "{}", id="")])
        stream.delta([el(1, " ", id="")])
    assert len(tested) == 1
    assert [len(block.fragments) for block in stream.blocks] == [1502, 2002]


class Counted(list[str]):
    """Counts the fragments that are looked at."""

    looks = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        Counted.looks += len(found) if isinstance(at, slice) else 1
        return found

    def __iter__(self) -> Iterator[str]:
        Counted.looks += len(self)
        return super().__iter__()


@pytest.mark.parametrize(
    "element",
    [
        lambda n: el(0, "{ tok"),
        lambda n: el(0, "} tok", id=f"r{n}"),
        lambda n: el(0, "}", name="f"),
        lambda n: el(0, "\udc00 \ud800", id=""),
        lambda n: el(args="{}", name=f"f{n}"),
    ],
)
def test_cost_is_linear(element: Callable[[int], Element]) -> None:
    for rules in (REFERENCE, AI_SDK, ReadingRules(finalize="parsable")):
        stream = Stream(rules)
        stream.delta([el(0, '["', id="a", name="f")])
        stream.blocks[0].fragments = Counted(stream.blocks[0].fragments)
        Counted.looks = 0
        for n in range(1000):
            stream.delta([element(n)])
        assert Counted.looks <= 4 * stream.numbers


# What a call can be used for.


@pytest.mark.parametrize(
    "text, name, broke_off, rules, expected",
    [
        ('{"x":1}', "f", False, {}, ({"x": 1}, True)),
        ('{"x":1}', "f", True, {}, ({"x": 1}, False)),
        ('{"x":1}', "", False, {}, ({"x": 1}, False)),
        ('{"x":1}', None, False, {}, ({"x": 1}, False)),
        ("", "f", False, {}, ({}, True)),
        ("", "f", False, {"empty_args": "text"}, (None, False)),
        ('{"x":', "f", False, {}, (None, False)),
        ('{"x":', "f", False, {"args_parse": "partial"}, ({}, True)),
        ('{"x": }', "f", False, {"args_parse": "partial"}, (None, False)),
        ('{"x": 1, "y": "Ber', "f", False, {"args_parse": "partial-or-text"}, ({"x": 1, "y": "Ber"}, True)),
        ('{"x": 1, "y\\', "f", False, {"args_parse": "partial-or-text"}, ({"x": 1}, True)),
        ('{"q{"q":"owl', "f", False, {"args_parse": "partial-or-text"}, ({}, True)),
        ("1}", "f", False, {"args_parse": "partial-or-text"}, (None, False)),
        ("[" * 100_000, "f", False, {"args_parse": "partial-or-text"}, (None, False)),
        ("null", "f", False, {}, (None, True)),
    ],
)
def test_outcome(
    text: str, name: str | None, broke_off: bool, rules: dict[str, Any], expected: tuple[Any, bool]
) -> None:
    block = Block(0, "tool_call", 0, 0, 0, fragments=[text], fields={"name": name, "tool_kind": "function"})
    got = outcome(block, ReadingRules(**rules), broke_off)
    assert (got["arguments_json"], got["executable"]) == expected


def test_outcome_of_a_custom_tool() -> None:
    block = Block(0, "tool_call", 0, 0, 0, fragments=["print(1)"], fields={"name": "run", "tool_kind": "custom"})
    assert outcome(block, REFERENCE, False) == {"arguments_json": None, "executable": True}
    assert outcome(block, REFERENCE, True) == {"arguments_json": None, "executable": False}


# Any wire.

ELEMENTS = st.builds(
    el,
    st.sampled_from([ABSENT, None, 0, 1, 7, "0", 1.0, "x", True]),
    st.sampled_from(
        [
            ABSENT,
            None,
            "",
            "{",
            "}",
            "{}",
            '{"a":1}',
            '{"a":2}',
            '"',
            "{}}",
            " ",
            "\ud83d",
            "\ude00",
            {},
            {"a": 1},
            [2],
            3,
        ]
    ),
    id=st.sampled_from([ABSENT, None, "", "a", "b", 5]),
    name=st.sampled_from([ABSENT, None, "", "f", "g", {}]),
    type=st.sampled_from([ABSENT, None, "function", "custom"]),
)
RULES = st.builds(
    ReadingRules,
    tool_key=st.sampled_from(
        ["resolve", "index", "index-id", "index-name", "id", "id-change", "latest", "index-id-first"]
    ),
    index_missing=st.sampled_from(["resolve", "zero", "drop", "opens"]),
    index_not_integer=st.sampled_from(["read", "part", "throw"]),
    index_as_position=st.sampled_from(["no", "error", "error-at-end", "drop"]),
    id_policy=st.sampled_from(["first", "last", "concat", "non-null-overwrite", "any-non-null-starts-new", "opening"]),
    name_policy=st.sampled_from(["append-unless-equal", "first", "last", "concat", "non-null-overwrite", "opening"]),
    missing_id=st.sampled_from(["null", "made-up", "drop-call", "ignore-until-id", "throw"]),
    missing_name=st.sampled_from(["null", "skip-empty", "drop-call", "throw", "skip-or-throw"]),
    args_object=st.sampled_from(["dump", "js-text", "drop"]),
    args_parse=st.sampled_from(["json", "partial", "partial-or-text", "throw"]),
    empty_args=st.sampled_from(["object", "text", "drop-call"]),
    finalize=st.sampled_from(["end", "finish", "parsable", "next"]),
    repairs=st.sampled_from(["all", ()]),
)
DELTAS = st.lists(st.lists(ELEMENTS, min_size=1, max_size=3), max_size=12)


@given(DELTAS, RULES)
def test_the_short_way_never_changes_the_answer(deltas: list[list[Element]], rules: ReadingRules) -> None:
    read(deltas, rules)


@given(DELTAS)
def test_the_reference_loses_no_text(deltas: list[list[Element]]) -> None:
    stream = Stream()
    for elements in deltas:
        stream.delta(elements)
    [*stream.calls.ending()]
    fed: dict[int, str] = {}
    for block in sorted(stream.blocks, key=lambda block: block.n):
        for delta, fragment in zip(block.deltas, block.fragments, strict=True):
            fed[delta] = fed.get(delta, "") + fragment
    wire = {number: args for number, args in stream.given if isinstance(args, str)}
    # A whole character stands where its second half came.
    sizes = {number: len(text) for number, text in fed.items() if number in wire}
    lost = sum(map(len, wire.values())) - sum(sizes.values())
    assert lost == [rule for rule, _, _ in stream.notes].count("text-split-surrogate")


@given(
    st.lists(st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.booleans())), min_size=1, max_size=4),
    st.data(),
)
def test_official_calls_survive_any_cut(arguments: list[dict[str, Any]], data: st.DataObject) -> None:
    stream = Stream()
    for n, value in enumerate(arguments):
        text = json.dumps(value)
        cuts = sorted(data.draw(st.sets(st.integers(1, len(text) - 1), max_size=8)))
        stream.delta([el(n, "", id=f"call_{n}", name="f")])
        for start, end in pairwise([0, *cuts, len(text)]):
            stream.delta([el(n, text[start:end])])
    [*stream.calls.ending()]
    assert [outcome(block, REFERENCE, False)["arguments_json"] for block in stream.blocks] == arguments
    assert all(block.override is None for block in stream.blocks)
    assert stream.notes == []
