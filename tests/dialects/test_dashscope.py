"""DashScope: statuses in comments, growing and other texts, runs of tools that are listed again and again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from tests.dialects.events import KIT, rules_of, texts

HEAD = "id:1\nevent:result\n:HTTP_STATUS/200\ndata:"


def framed(output: Any, **fields: Any) -> str:
    return HEAD + json.dumps({"output": output, "request_id": "r1"} | fields) + "\n\n"


def say(content: Any = "", reason: str = "null", thought: str = "", calls: Any = None, **output: Any) -> str:
    message = {"role": "assistant", "content": content, "reasoning_content": thought}
    message |= {"tool_calls": calls} if calls is not None else {}
    return framed({"choices": [{"message": message, "finish_reason": reason}]} | output)


def app(text: str, reason: str = "null") -> str:
    return framed({"text": text, "finish_reason": reason, "session_id": "s1"})


def read(*parts: str, request: Any = None) -> Reading:
    body = MemoryBody("".join(parts).encode())
    analysis = Analysis(Exchange("-", "sse-body", body, request=request), KIT)
    analysis.feed(body.data)
    return analysis.finish()


def run(code: str) -> dict[str, Any]:
    return {"type": "code_interpreter", "code_interpreter": {"code": code}}


def call(arguments: str, **fields: Any) -> list[Any]:
    return [{"index": 0, "type": "function", "function": {"arguments": arguments} | fields}]


FULL = '{"a":1}'


@pytest.mark.parametrize(
    ("parts", "blocks"),
    [
        ((say("Ja"), say("."), say("", "stop")), [("text", "Ja.")]),
        ((say(thought="Hm"), say(thought="."), say("Ja"), say("", "stop")), [("reasoning", "Hm."), ("text", "Ja")]),
        ((say([{"text": "Ja"}]), say([{"text": "."}], "stop")), [("text", "Ja.")]),
        ((say([{"image": "https://example.org/a.png"}], "stop"),), [("media", "")]),
        ((app("Ja"), app("."), app("", "stop")), [("text", "Ja.")]),
        ((say(calls=call('{"a"', name="f")), say(calls=call(":1}")), say("", "tool_calls")), [("tool_call", FULL)]),
    ],
)
def test_blocks(parts: tuple[str, ...], blocks: list[Any]) -> None:
    reading = read(*parts)
    assert (reading.dialect, reading.clean) == ("dashscope", True)
    assert texts(reading) == blocks
    assert not rules_of(reading) - {"sse-no-space", "sse-comment", "dashscope-cumulative"}


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ((say("On"), say("On the"), say("On the quay."), say("On the quay.", "stop")), "On the quay."),
        ((say("On"), say("On the quay.", "stop")), "On the quay."),
        ((app("On"), app("On the quay."), app("On the quay.", "stop")), "On the quay."),
    ],
)
def test_growing_texts_are_read_once_and_told(parts: tuple[str, ...], text: str) -> None:
    reading = read(*parts)
    assert texts(reading) == [("text", text)]
    assert "dashscope-cumulative" in rules_of(reading)
    assert "text-cumulative" not in rules_of(reading)


def test_increments_that_were_asked_for_are_joined() -> None:
    asked = {"body": {"parameters": {"incremental_output": True}}}
    parts = say("1"), say("10", "stop")
    assert texts(read(*parts, request=asked)) == [("text", "110")]
    assert texts(read(*parts)) == [("text", "10")]


def test_growing_texts_against_the_request_are_a_fault() -> None:
    asked = {"body": {"parameters": {"incremental_output": True}}}
    reading = read(say("On"), say("On the"), say("On the quay.", "stop"), request=asked)
    assert texts(reading) == [("text", "On the quay.")]
    assert "text-cumulative" in rules_of(reading)
    assert "dashscope-cumulative" not in rules_of(reading)


def test_growing_arguments_are_read_once() -> None:
    first = call('{"a"', id="c", name="f")
    reading = read(say(calls=first), say(calls=call('{"a":', id="c")), say("", "tool_calls", calls=call(FULL, id="c")))
    assert texts(reading) == [("tool_call", FULL)]
    assert "tool-args-repeated" not in rules_of(reading)


def test_runs_of_a_tool_are_listed_again_and_are_one_block_each() -> None:
    one, two = run("7**5"), run("7*7")
    reading = read(
        say(thought="Hm."),
        say(tool_info=[one]),
        say(thought="So", tool_info=[one]),
        say(thought=".", tool_info=[one]),
        say(tool_info=[one, two]),
        say("Ja", tool_info=[one, two]),
        say("", "stop", tool_info=[one, two]),
    )
    assert texts(reading) == [
        ("reasoning", "Hm."),
        ("tool_call", '{"code":"7**5"}'),
        ("reasoning", "So."),
        ("tool_call", '{"code":"7*7"}'),
        ("text", "Ja"),
    ]
    calls = [block for block in reading.blocks if block.kind == "tool_call"]
    assert [(block.first_event, block.last_event) for block in calls] == [(1, 1), (4, 4)]
    assert {(block.fields["name"], block.fields["tool_kind"]) for block in calls} == {("code_interpreter", "server")}


def test_a_run_that_says_more_later() -> None:
    grown = run("7**5")
    grown["code_interpreter"] = {"code": "7**5", "output": "16807"}
    [block] = read(say(tool_info=[run("7**5")]), say("", "stop", tool_info=[grown])).blocks
    assert json.loads(block.text) == {"code": "7**5", "output": "16807"}


def test_sources_are_listed_once() -> None:
    found = {"search_results": [{"index": 1, "url": "https://example.org"}]}
    [block] = read(say("Ja", search_info=found), say(".", "stop", search_info=found)).blocks
    assert block.fields["citations"] == found["search_results"]


def test_the_last_count_is_the_count() -> None:
    output = {"text": "Ja", "finish_reason": "stop"}
    counts = [{"input_tokens": 5, "output_tokens": n, "total_tokens": 5 + n} for n in (1, 2)]
    reading = read(*(framed(output | {"finish_reason": "null"}, usage=one) for one in counts), app("", "stop"))
    assert reading.usage is not None
    assert [reading.usage[key] for key in ("input", "output", "total")] == [5, 2, 7]
    assert "usage-cumulative" not in rules_of(reading)


FAILURE = '{"code":"DataInspectionFailed","message":"Not this","request_id":"r1"}'


def test_an_error_with_the_status_in_its_comment() -> None:
    reading = read(say("Ja"), f"id:2\nevent:error\n:HTTP_STATUS/400\ndata:{FAILURE}\n\n")
    assert [(error["code"], error["message"]) for error in reading.errors] == [("DataInspectionFailed", "Not this")]
    assert not reading.clean
    [told] = [finding for finding in reading.findings if finding.rule == "dashscope-http-status"]
    assert "400" in told.message
    [place] = told.places
    assert place.event == 1
    assert reading.body.slice(place.start, place.end) == b":HTTP_STATUS/400"


@pytest.mark.parametrize("comment", [":HTTP_STATUS/200", ": HTTP_STATUS/200", ":HTTP_STATUS/", ":HTTP_STATUS/ok"])
def test_no_other_status(comment: str) -> None:
    reading = read(say("Ja").replace(":HTTP_STATUS/200", comment), say("see :HTTP_STATUS/500", "stop"))
    assert "dashscope-http-status" not in rules_of(reading)


def test_a_status_at_the_border_of_a_step_is_seen_once() -> None:
    step = 1 << 20
    for back in range(0, 24, 3):
        head = say("x")
        filler = say("y" * (step - back - len(head) - len(say(""))))
        at = len((head + filler).encode())
        assert at == step - back
        reading = read(head, filler, f":HTTP_STATUS/503\nevent:error\ndata:{FAILURE}\n\n")
        counts = [finding.count for finding in reading.findings if finding.rule == "dashscope-http-status"]
        assert counts == [1]


def test_without_a_reason() -> None:
    assert rules_of(read(say("Ja"), say("."))) >= {"end-truncated"}
