"""Each repair on short streams: which bytes it changes, and that all others stay as they were."""

from __future__ import annotations

import json
from array import array
from typing import Any

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, Fault, Http, MemoryBody
from inspector_app.lenses.run import read
from inspector_app.variations import ArgumentFault, apply, unfit, variations, vary
from inspector_app.variations._change import Edit, changed, recut

KIT = load_kit()
ALL = variations()


def chunk(delta: str, more: str = "") -> str:
    return f'{{"object":"chat.completion.chunk","choices":[{{"index":0,"delta":{delta}{more}}}]}}'


def sse(*payloads: str, end: str = "\n") -> bytes:
    return "".join(f"data: {payload}{end}{end}" for payload in payloads).encode()


def reading_of(body: bytes) -> Reading:
    return read(Exchange("test.sse", "sse-body", MemoryBody(body)), KIT)


def repaired(name: str, body: bytes, argument: str = "") -> bytes:
    made = apply(ALL[name], reading_of(body), argument)
    return made.body.slice(0, len(made.body))


HI, END = chunk('{"content":"hi"}'), chunk("{}", ',"finish_reason":"stop"')
CALL = '{"tool_calls":[%s]}'

CASES: list[tuple[str, str, bytes, bytes]] = [
    (
        "drop-empty-arrays", "",
        sse(chunk('{"content":"a", "tool_calls" : [ ]}'), '{"object":"chat.completion.chunk","choices":[]}'),
        sse(chunk('{"content":"a"}'), '{"object":"chat.completion.chunk","choices":[]}'),
    ),
    ("drop-empty-arrays", "", sse(chunk('{"tool_calls":[],"content":"a"}')), sse(chunk('{"content":"a"}'))),
    ("drop-empty-arrays", "", sse(chunk('{"a":[],"b":[]}')), sse(chunk("{}"))),
    ("drop-empty-arrays", "b", sse(chunk('{"a":[],"b":[]}')), sse(chunk('{"a":[]}'))),
    ("drop-empty-arrays", "choices", sse('{"id":"1","choices":[]}', HI), sse('{"id":"1"}', HI)),
    ("drop-empty-strings", "", sse(chunk('{"content":"","x":"y"}')), sse(chunk('{"x":"y"}'))),
    ("drop-empty-strings", "delta.content", sse(chunk('{"content":"","x":""}')), sse(chunk('{"x":""}'))),
    ("drop-nulls", "", sse(chunk('{"content":"[null]","a":null}', ',"finish_reason":null')),
     sse(chunk('{"content":"[null]"}'))),
    ("drop-field", "role", sse(chunk('{"role":"assistant","content":"a"}')), sse(chunk('{"content":"a"}'))),
    ("drop-comments", "", b": wait\n\n" + sse(HI) + b": wait\ndata: " + END.encode() + b"\n\n", sse(HI, END)),
    ("rename-field", "reasoning=reasoning_content", sse(chunk('{"reasoning":"a"}')),
     sse(chunk('{"reasoning_content":"a"}'))),
    ("rename-field", "a=b", sse(chunk('{"a":1,"b":2}')), sse(chunk('{"a":1,"b":2}'))),
    ("rename-field", "choices[].delta.reasoning=choices[].delta.reasoning_content", sse(chunk('{"reasoning":"a"}')),
     sse(chunk('{"reasoning_content":"a"}'))),
    ("rename-field", "choices[0].delta.reasoning=r", sse(chunk('{"reasoning":"a"}')), sse(chunk('{"r":"a"}'))),
    ("rename-field", "choices[1].delta.reasoning=r", sse(chunk('{"reasoning":"a"}')), sse(chunk('{"reasoning":"a"}'))),
    ("rename-field", "tool_calls[1].id=i", sse(chunk(CALL % '{"id":"a"},{"id":"b"}')),
     sse(chunk(CALL % '{"id":"a"},{"i":"b"}'))),
    ("drop-field", "choices[0].delta.x", sse(chunk('{"x":1,"content":"a"}')), sse(chunk('{"content":"a"}'))),
    (
        "details-as-text", "",
        sse(chunk('{"reasoning_details":[{"index":1,"text":"b\\n"},{"index":0,"summary":"\\u00e4"}],"x":1}')),
        sse(chunk('{"reasoning_content":"\\u00e4b\\n","x":1}')),
    ),
    ("details-as-text", "reasoning_text", sse(chunk('{"reasoning_details":["a",{"text":"b"}]}')),
     sse(chunk('{"reasoning_text":"ab"}'))),
    (
        "details-as-text", "",
        sse(chunk('{"reasoning_details":[{"text":"a","signature":"S"}]}')),
        sse(chunk('{"reasoning_content":"a","reasoning_details":[{"text":"a","signature":"S"}]}')),
    ),
    ("details-as-text", "", sse(chunk('{"reasoning_content":null,"reasoning_details":[{"text":"a"}]}')),
     sse(chunk('{"reasoning_content":"a"}'))),
    ("details-as-text", "", sse(chunk('{"reasoning_content":"a","reasoning_details":[{"text":"a"}]}')),
     sse(chunk('{"reasoning_content":"a","reasoning_details":[{"text":"a"}]}'))),
    ("details-as-text", "", sse(chunk('{"reasoning_details":[{"data":"E"}]}')),
     sse(chunk('{"reasoning_details":[{"data":"E"}]}'))),
    ("map-value", "finish_reason=end_turn:stop", sse(chunk("{}", ',"finish_reason":"end_turn"')), sse(END)),
    ("map-value", "index=0:1", sse(HI), sse(HI.replace('"index":0', '"index":1'))),
    ("map-value", "flag=1:2", sse(chunk('{"flag":true}')), sse(chunk('{"flag":true}'))),
    ("map-value", 'content="":null', sse(chunk('{"content":""}')), sse(chunk('{"content":null}'))),
    ("space-data", "", b"event:x\ndata:" + HI.encode() + b"\n\n", b"event: x\ndata: " + HI.encode() + b"\n\n"),
    ("space-data", "", b"data:\t{}\n\ndata:   {}\n\ndata:  a\n\ndata:\n\n",
     b"data: \t{}\n\ndata: {}\n\ndata:  a\n\ndata:\n\n"),
    (
        "give-indices", "",
        sse(chunk(CALL % '{"id":"a","function":{"name":"f","arguments":"{}"}}'),
            chunk(CALL % '{"id":"b","function":{"name":"g","arguments":"{}"}}')),
        sse(chunk(CALL % '{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}'),
            chunk(CALL % '{"index":1,"id":"b","function":{"name":"g","arguments":"{}"}}')),
    ),
    (
        "give-indices", "",
        sse(chunk(CALL % '{"index":3,"id":"a","function":{"name":"f","arguments":"{"}}'),
            chunk(CALL % '{"index":null,"id":"a","function":{"arguments":"}"}}')),
        sse(chunk(CALL % '{"index":3,"id":"a","function":{"name":"f","arguments":"{"}}'),
            chunk(CALL % '{"index":3,"id":"a","function":{"arguments":"}"}}')),
    ),
    (
        "number-calls", "",
        sse(chunk(CALL % '{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}'),
            chunk(CALL % '{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}')),
        sse(chunk(CALL % '{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}'),
            chunk(CALL % '{"index":1,"id":"b","function":{"name":"g","arguments":"{}"}}')),
    ),
    (
        "sort-details", "",
        sse(chunk('{"reasoning_details":[{"index":1,"type":"x","text":"b"}, {"index":0,"text":"a"}]}')),
        sse(chunk('{"reasoning_details":[{"index":0,"text":"a"}, {"index":1,"type":"x","text":"b"}]}')),
    ),
    ("sort-details", "", sse(chunk('{"reasoning_details":[{"index":1},{"index":null}]}')),
     sse(chunk('{"reasoning_details":[{"index":1},{"index":null}]}'))),
    ("add-blank-lines", "", sse(HI) + b"data: [DONE]\n", sse(HI, "[DONE]")),
    ("add-blank-lines", "", sse(HI, end="\r\n") + b"data: [DONE]", sse(HI, "[DONE]", end="\r\n")),
    ("add-blank-lines", "", b"data: " + HI.encode() + b"\ndata: " + END.encode() + b"\n\n", sse(HI, END)),
    ("add-blank-lines", "", sse(HI) + b"data: " + END[:30].encode(), sse(HI) + b"data: " + END[:30].encode()),
    ("add-done", "", sse(HI, END), sse(HI, END, "[DONE]")),
    ("add-done", "", sse(HI, "[DONE]"), sse(HI, "[DONE]")),
    ("add-done", "", sse(HI)[:-1], sse(HI, "[DONE]")),
    ("add-done", "", sse(HI)[:-2], sse(HI, "[DONE]")),
    ("unwrap-data", "", sse(f"data: {HI}", f"data:{END}", "data: [DONE]"), sse(HI, END, "[DONE]")),
    (
        "split-events", "",
        b"event: m\n" + sse(chunk('{"content":"a"}', ',"finish_reason":"stop"')),
        b"event: m\n" + sse(chunk('{"content":"a"}')) + b"event: m\n"
        + sse(chunk("{}", ',"finish_reason":"stop"')),
    ),
    (
        "split-events", "",
        sse(chunk(CALL % '{"index":0,"id":"a","function":{"name":"f"}},{"index":1,"id":"b","function":{"name":"g"}}')),
        sse(chunk(CALL % '{"index":0,"id":"a","function":{"name":"f"}}'),
            chunk(CALL % '{"index":1,"id":"b","function":{"name":"g"}}')),
    ),
    ("split-events", "", sse(f"{HI}{END}"), sse(HI, END)),
    ("split-events", "", sse(HI, END), sse(HI, END)),
    (
        "join-events", "",
        sse(chunk('{"content":"a\\n"}'), chunk('{"content":"b"}'), chunk('{"content":"c"}'), END),
        sse(chunk('{"content":"a\\nbc"}'), END),
    ),
    (
        "join-events", "2",
        sse(*(chunk(f'{{"content":"{letter}"}}') for letter in "abc")),
        sse(chunk('{"content":"ab"}'), chunk('{"content":"c"}')),
    ),
    ("join-events", "", sse(chunk('{"content":"a"}'), chunk('{"reasoning":"b"}')),
     sse(chunk('{"content":"a"}'), chunk('{"reasoning":"b"}'))),
]  # fmt: skip


@pytest.mark.parametrize("name, argument, body, expected", CASES)
def test_a_repair_changes_these_bytes_alone(name: str, argument: str, body: bytes, expected: bytes) -> None:
    assert repaired(name, body, argument) == expected


def test_every_repair_has_a_case() -> None:
    assert {name for name, *_ in CASES} == {name for name, module in ALL.items() if module.SORT == "repair"}


LINES = b'{"message":{"content":"a","tool_calls":[]},"done":false}\n{"message":{"content":""},"done":true}\n'


@pytest.mark.parametrize(
    "name, expected",
    [
        ("drop-empty-arrays", LINES.replace(b',"tool_calls":[]', b"")),
        ("drop-empty-strings", LINES.replace(b'"content":""', b"")),
        ("add-done", LINES),
    ],
)
def test_json_lines_are_changed_as_well(name: str, expected: bytes) -> None:
    assert repaired(name, LINES) == expected


def test_a_framing_that_a_repair_does_not_know_is_told() -> None:
    assert unfit(ALL["add-done"], reading_of(LINES)) == "needs server-sent events; this is JSON lines"
    array_ = reading_of(b'[{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}]')
    assert unfit(ALL["drop-nulls"], array_) == "needs server-sent events or JSON lines; this is a JSON array"


def test_an_api_without_a_marker_cannot_lack_it() -> None:
    message = '{"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{}}}'
    assert "no end marker" in unfit(ALL["add-done"], reading_of(b"event: message_start\n" + sse(message)))


@pytest.mark.parametrize(
    "name, argument",
    [("drop-field", " "), ("rename-field", "a"), ("rename-field", "=b"), ("map-value", "a=b"), ("map-value", ""),
     ("rename-field", "a=b.c"), ("rename-field", "x.a=y.b"), ("rename-field", "a[]=b"), ("rename-field", "a=b[0]"),
     ("rename-field", "a=b=c"), ("rename-field", "a..b=c"), ("drop-field", "choices[]"), ("drop-field", "a b"),
     ("map-value", "a.=1:2"), ("drop-nulls", "a,[]"), ("details-as-text", "x[]"),
     ("join-events", "1"), ("join-events", "x")],
)  # fmt: skip
def test_a_wrong_argument_is_told(name: str, argument: str) -> None:
    with pytest.raises(ArgumentFault, match=rf"\A{name} [^\n]+\Z"):
        apply(ALL[name], reading_of(sse(HI)), argument)


def test_several_repairs_follow_one_another() -> None:
    body = b"data:" + chunk('{"content":"a","tool_calls":[]}').encode() + b"\n\n"
    made = vary(reading_of(body), [("space-data", ""), ("drop-empty-arrays", ""), ("add-done", "")], KIT)
    assert made.body.slice(0, len(made.body)) == sse(chunk('{"content":"a"}'), "[DONE]")


BODY = b"abcdefgh"


def exchange_with(**more: Any) -> Exchange:
    return Exchange("x", "recording", MemoryBody(BODY), read_ends=array("q", [3, 3, 6, 8]),
                    read_times=array("q", [10, 20, 30, 40]), **more)  # fmt: skip


@pytest.mark.parametrize(
    "edits, body, ends, times",
    [
        ([], b"abcdefgh", [3, 3, 6, 8], [10, 20, 30, 40]),
        ([Edit(1, 2, b"BBB")], b"aBBBcdefgh", [5, 5, 8, 10], [10, 20, 30, 40]),
        ([Edit(3, 3, b"+")], b"abc+defgh", [4, 4, 7, 9], [10, 20, 30, 40]),
        ([Edit(8, 8, b"+")], b"abcdefgh+", [3, 3, 6, 9], [10, 20, 30, 40]),
        ([Edit(3, 6, b"")], b"abcgh", [3, 3, 5], [10, 20, 40]),
        ([Edit(5, 7, b"X")], b"abcdeXh", [3, 3, 6, 7], [10, 20, 30, 40]),
        ([Edit(0, 8, b"")], b"", [0], [20]),
        ([Edit(6, 6, b"2"), Edit(0, 1, b"")], b"bcdef2gh", [2, 2, 6, 8], [10, 20, 30, 40]),
    ],
)
def test_reads_go_along_with_what_is_changed(edits: list[Edit], body: bytes, ends: list[int], times: list[int]) -> None:
    made = changed(exchange_with(), edits)
    assert (made.body.slice(0, len(made.body)), list(made.read_ends or ()), list(made.read_times or ())) == (
        body, ends, times
    )  # fmt: skip


def test_the_head_and_the_faults_fit_the_new_body() -> None:
    http = Http(200, [("Content-Length", "8"), ("X", "8")])
    before = exchange_with(http=http, faults=[Fault("body-cut", 6, 8, "")], notes=[{"event": 1}])
    made = changed(before, [Edit(0, 2, b"")])
    assert made.http is not None
    assert made.http.headers == [("Content-Length", "6"), ("X", "8")]
    assert made.faults == [Fault("body-cut", 4, 6, "")]
    assert (made.notes, before.notes, http.headers[0][1]) == ([], [{"event": 1}], "8")


def test_a_piece_has_the_time_of_its_last_byte() -> None:
    made = recut(exchange_with(), [1, 4, 8])
    assert (list(made.read_ends or ()), list(made.read_times or ())) == ([1, 4, 8], [10, 30, 40])


def test_what_is_put_out_is_json() -> None:
    for name, argument, body, _ in CASES:
        for line in repaired(name, body, argument).splitlines():
            payload = line.partition(b": ")[2]
            if payload[:1] == b"{" and payload[-1:] == b"}":
                assert json.loads(payload) is not None
