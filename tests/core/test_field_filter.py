"""Conditions on events: which events of a stream they hold of, what is marked there, and what is wrong with a text."""

from __future__ import annotations

import json
from array import array
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.field_completion import completions
from inspector_app.core.field_filter import parse_filter
from inspector_app.core.field_search import FIELDS, FieldSearch, fields_of
from inspector_app.core.field_words import NAMES, OPERATORS, with_those_above
from inspector_app.core.kit import load_kit
from inspector_app.core.pattern import PatternFault, Query
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses.run import read

EVENTS = [
    'data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n',
    'data: {"id":"c","choices":[{"index":0,"delta":{"reasoning_content":"Look at the mill"}}]}\n\n',
    'data: {"id":"c","choices":[{"index":0,"delta":{"content":"The MILL"}}]}\n\n',
    'data:{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t1","function":{"name":"f"}}]}}]}\n\n',
    'data: {"choices":[{"delta":{"tool_calls":[{"index":0},{"index":1,"id":null,"x.y":7}]}}],"flag":true}\n\n',
    "event: ping\ndata: [DONE]\n\n",
]
TIMES = [1_000_000_000, 1_100_000_000, 1_200_000_000, 2_500_000_000, 2_600_000_000, 2_600_000_000]


@cache
def reading() -> Reading:
    body = "".join(EVENTS).encode()
    ends, total = array("Q"), 0
    for event in EVENTS:
        total += len(event)
        ends.append(total)
    exchange = Exchange("a", "recording", MemoryBody(body), "measured", ends, array("q", TIMES))
    return read(exchange, load_kit())


def search(text: str) -> FieldSearch:
    found = FieldSearch(Query(text, scope=FIELDS), reading())
    for _ in found.steps():
        pass
    return found


@pytest.mark.parametrize(
    "text, events",
    [
        ("choices[0].delta.tool_calls exists and t > 2s", [3, 4]),
        ("choices[0].delta.tool_calls and t>2550ms", [4]),
        ("choices.delta.tool_calls.id", [3, 4]),
        ("choices[].delta.tool_calls[].id is null", [4]),
        ("choices[].delta.tool_calls[].id is not null", [3]),
        ("choices[].delta.tool_calls[1]", [4]),
        ("choices[1]", []),
        ('choices[].delta.content = ""', [0]),
        ("choices[].delta.content is empty", [0]),
        ("choices[].delta.content != ''", [2]),
        ("choices[].delta.content contains mill", [2]),
        ("choices[].delta.content matches '^The M'", [2]),
        ("choices[].delta.content ~ ^t", []),
        ('choices[].delta.tool_calls[]["x.y"] = 7', [4]),
        ('choices[].delta.tool_calls[]["x.y"] > 6.5', [4]),
        ("choices[].delta.role = assistant or flag = true", [0, 4]),
        ("flag = 1", []),
        ("not (choices missing) and not choices.delta.content exists", [1, 3, 4]),
        ("choices missing", [5]),
        (".choices missing", [5]),
        ("name = ping", [5]),
        (".name exists", []),
        ("kind = tool", [3, 4]),
        ("kind = reasoning", [1]),
        ("text contains mill", [1, 2]),
        ("gap > 1s", [3]),
        ("gap = 0", [5]),
        ("gap < 100ms", [5]),
        ("event >= 2 and event < 4", [2, 3]),
        ("size > 0.1kB and event > 3", [4]),
        ("rule = sse-no-space", [3]),
        ("severity = error", [5]),
        ("id is string and t <= 1.1", [0, 1]),
        ("choices is array && flag || name", [4, 5]),
    ],
)
def test_events_of_which_it_holds(text: str, events: list[int]) -> None:
    found = search(text)
    assert [match.event for match in found.matches.values()] == events
    assert (found.order, found.part) == (list(found.matches), 1.0)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a = []", [[]]),
        ("a = {}", [{}]),
        ("a != []", [{}, "", "[]", None, 0, [1]]),
        ("a contains []", ["[]", [[]]]),
        ("a is array and not (a = [])", [[1]]),
    ],
)
def test_an_empty_list_and_an_empty_object_are_values(text: str, values: list[object]) -> None:
    known: list[object] = [[], {}, "", "[]", None, 0, [1]]
    known += [[[]]] if "contains" in text else []
    body = b"".join(b"data: " + json.dumps({"a": value}).encode() + b"\n\n" for value in known)
    found = FieldSearch(Query(text, scope=FIELDS), read(Exchange("a", "sse-body", MemoryBody(body)), load_kit()))
    for _ in found.steps():
        pass
    assert [known[match.event] for match in found.matches.values()] == values


@pytest.mark.parametrize(
    "text, marked",
    [
        ("choices[].delta.content contains mill", ['"content":"The MILL"']),
        ("flag and choices[].delta.tool_calls[].index", ['"index":0', '"index":1', '"flag":true']),
        ("name = ping", [EVENTS[5]]),
    ],
)
def test_what_is_marked(text: str, marked: list[str]) -> None:
    assert [reading().body.slice(start, end).decode() for start, end, _ in search(text).ranges] == marked


@pytest.mark.parametrize(
    "text, words",
    [
        ("", "a field is expected at the end"),
        ("t > ", "after `>` a value is expected at the end"),
        ("t > 5x", "a unit (ns, us, µs, ms, s, min) is expected at character 5, where '5x' stands"),
        ("t > soon", "after `>` a number is expected at character 5, where 'soon' stands"),
        ("a b", "`and` or `or` is expected at character 3, where 'b' stands"),
        ("(a", "a bracket is not closed"),
        ("a and", "a field is expected at the end"),
        ("a is thing", "a type (null, string, number, boolean, object, array, empty) is expected at character 6"),
        ("a matches '('", "no regular expression"),
        ("a[0", '[0], [] or ["a key"] is expected at character 2'),
        ('a contains "b', 'the text that begins at character 12 has no " at its end'),
        ("a = /^x.*/", '`=` takes a value, an expression is written ~ "^x.*" at character 5'),
        ("a ]", "character 3, ']', fits nothing here"),
        ("a..b", "a field such as choices[0].delta is expected at character 1"),
        ("not " * 60 + "a", "it is nested too deep"),
        ("(" * 60 + "a", "it is nested too deep"),
    ],
)
def test_what_is_wrong_is_said(text: str, words: str) -> None:
    with pytest.raises(PatternFault) as fault:
        parse_filter(text)
    assert str(fault.value).startswith(words)


WORDS = st.sampled_from(
    [*NAMES, *OPERATORS, "choices[0].delta", "and", "or", "not", "(", ")", "2s", '"x"', "[]", "7", ""]
)


@given(st.lists(WORDS | st.text(max_size=5), max_size=12))
def test_any_text_is_a_filter_or_a_fault(words: list[str]) -> None:
    try:
        found = FieldSearch(Query(" ".join(words), scope=FIELDS), reading())
    except PatternFault:
        return
    assert sum(1 for _ in found.steps()) == 0
    assert json.dumps(found.ranges)


def test_it_rests_on_the_way() -> None:
    body = EVENTS[2].encode() * 200
    found = FieldSearch(Query("choices", scope=FIELDS), read(Exchange("a", "sse", MemoryBody(body)), load_kit()))
    assert sum(1 for _ in found.steps()) == 3
    assert len(found.matches) == 200


FIELD_NAMES = ["choices", "choices[]", "choices[].delta", "choices[].delta.tool_calls"]


@pytest.mark.parametrize(
    "text, start, first",
    [
        ("cho", 0, "choices"),
        ("tool", 0, "choices[].delta.tool_calls"),
        ("t > 2s and cho", 11, "choices"),
        ("(ev", 1, "event"),
        ("choices ex", 8, "exists"),
        ("choices exists and ki", 19, "kind"),
    ],
)
def test_what_can_be_completed(text: str, start: int, first: str) -> None:
    found = completions(text, len(text), FIELD_NAMES)
    assert (found[0], found[1][0]) == (start, first)


def test_fields_to_choose_from() -> None:
    fields = fields_of(reading())
    assert [field for field in FIELD_NAMES if field in fields] == FIELD_NAMES
    assert fields[:3] == ["id", "choices", "choices[]"]


@pytest.mark.parametrize(
    "text, remark",
    [
        ("choices[].delta.contend exists", "no event has a field “choices[].delta.contend”"),
        ("kind = tool and choices[].delta.reasoning_content exists", ""),
        ("a.b exists and flag = false", "no event has a field “a.b”"),
        ("t > 9s", ""),
        ("wait > 5s", "no event has a field “wait”; gap is the time since the event before"),
        ("Bytes > 5kB", "no event has a field “Bytes”; size is the bytes of the event"),
    ],
)
def test_why_nothing_is_found(text: str, remark: str) -> None:
    found = search(text)
    assert (len(found.matches), found.remark) == (0, remark)


def test_that_there_are_no_times_is_said() -> None:
    plain = read(Exchange("a", "sse", MemoryBody(EVENTS[1].encode())), load_kit())
    found = FieldSearch(Query("t > 2s", scope=FIELDS), plain)
    list(found.steps())
    assert found.remark == "this recording has no times"


def test_an_expression_that_takes_too_long_ends_the_search() -> None:
    body = b'data: {"content":"%b!"}\n\n' % (b"a" * 300) * 600
    plain = read(Exchange("a", "sse", MemoryBody(body)), load_kit())
    found = FieldSearch(Query("content matches '(a+)+$'", scope=FIELDS), plain)
    steps = sum(1 for _ in found.steps())
    # Each of them ends a step, however few events it had.
    assert (found.stopped, found.given_up, len(found.matches)) == ("slow", 400, 0)
    assert steps >= 399


@pytest.mark.parametrize(
    "text, offered",
    [
        ("choices[0].del", ["choices[0].delta", "choices[0].delta.content"]),
        ('["x', ['["x.y"]', '["x.y"].z']),
        ("not te", ["text", "choices[].delta.content", ".text"]),
        ('"a" con', ["contains"]),
        ("choices exists and .te", [".text"]),
    ],
)
def test_what_is_offered(text: str, offered: list[str]) -> None:
    fields = ["choices", "choices[].delta", "choices[].delta.content", '["x.y"]', '["x.y"].z', "text"]
    start, found = completions(text, len(text), fields)
    assert found == offered
    assert text[:start] == text[: len(text) - len(text.split()[-1])]


def test_what_stands_above_a_field() -> None:
    assert list(with_those_above('a[]["x.y[0]"].b')) == ["a", "a[]", 'a[]["x.y[0]"]', 'a[]["x.y[0]"].b']


def test_texts_of_the_fields_are_marked_in_deltas_and_blocks() -> None:
    found = search("choices[].delta.content contains mill or choices[].delta.reasoning_content exists")
    told = reading()
    marked = []
    for (reader, block), fragments in found.fragments.items():
        assert reader == "reference"
        for at, ((start, end, _),) in fragments.items():
            marked.append(told.blocks[block].fragments[at][start:end])
    assert marked == ["Look at the mill", "The MILL"]
    assert [end for ((_, end, _),) in found.deltas.values()] == [16, 8]
