"""Ollama chat and generate: JSON lines, the last of which is done."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector_app.core.reading import Reading
from tests.dialects.events import read_text, rules_of, texts, told

CALL = {"function": {"name": "f", "arguments": {"a": 1}}}


def line(done: bool = False, **fields: Any) -> dict[str, Any]:
    return {"model": "m", "created_at": "2026-01-01T00:00:00Z", "done": done} | fields


def chat(done: bool = False, **message: Any) -> dict[str, Any]:
    return line(done, message={"role": "assistant", "content": ""} | message)


def read(*lines: dict[str, Any]) -> Reading:
    return read_text("".join(json.dumps(one) + "\n" for one in lines))


DONE = chat(True) | {"done_reason": "stop", "prompt_eval_count": 3, "eval_count": 4}

MESSAGES = [
    ([{"thinking": "Hm."}, {"content": "Ja."}], [("reasoning", "Hm."), ("text", "Ja.")]),
    ([{"thinking": "Hm.", "content": "Ja."}], [("reasoning", "Hm."), ("text", "Ja.")]),
    ([{"thinking": "H", "content": ""}, {"thinking": "m."}], [("reasoning", "Hm.")]),
    (
        [{"content": "Ja.", "tool_calls": [CALL, CALL]}],
        [("text", "Ja."), ("tool_call", '{"a":1}'), ("tool_call", '{"a":1}')],
    ),
    ([{"tool_calls": [CALL]}, {"tool_calls": [CALL]}], [("tool_call", '{"a":1}')] * 2),
    ([{"content": "Ja.", "tool_calls": []}, {"content": "Ne."}], [("text", "Ja.Ne.")]),
    ([{"content": "<think>Hm.</think>Ja."}], [("reasoning", "Hm."), ("text", "Ja.")]),
    ([{"images": ["AA=="]}], [("media", "")]),
]


@pytest.mark.parametrize(("messages", "blocks"), MESSAGES)
def test_what_a_message_makes(messages: list[Any], blocks: list[Any]) -> None:
    reading = read(*(chat(**message) for message in messages), DONE)
    assert (reading.dialect, reading.framing) == ("ollama-chat", "ndjson")
    assert texts(reading) == blocks


def test_generate() -> None:
    reading = read(line(response="", thinking="Hm."), line(response="Ja."), line(True, response="", context=[1, 2]))
    assert reading.dialect == "ollama-generate"
    assert texts(reading) == [("reasoning", "Hm."), ("text", "Ja.")]


@pytest.mark.parametrize(
    ("fields", "raw", "reason"),
    [
        ({"done_reason": "stop"}, "stop", "stop"),
        ({"done_reason": "length"}, "length", "length"),
        ({"done_reason": "load"}, "load", None),
        ({"done_reason": ""}, "done", "stop"),
        ({}, "done", "stop"),
    ],
)
def test_the_last_line(fields: dict[str, Any], raw: str, reason: str | None) -> None:
    reading = read(chat(content="Ja."), chat(True) | fields)
    [finish] = reading.finishes
    assert (finish["raw"], finish["reason"]) == (raw, reason)
    assert (reading.marker, reading.clean) == ("done", True)


def test_stop_after_a_call_means_the_call() -> None:
    reading = read(chat(tool_calls=[CALL]), DONE)
    assert reading.finishes[0]["reason"] == "tool_calls"
    assert "finish-stop-with-tools" not in rules_of(reading)
    assert "tool-args-object" not in rules_of(reading)


def test_an_id_is_made_up_where_there_is_none() -> None:
    reading = read(chat(tool_calls=[CALL, CALL | {"id": "x"}]), DONE)
    assert [(block.fields["id"], block.fields.get("id_made_up")) for block in reading.blocks] == [
        (None, "made-up-0-0"),
        ("x", None),
    ]


def test_counts_and_times() -> None:
    usage = read(chat(content="Ja."), DONE | {"eval_duration": 7}).usage
    assert usage is not None
    assert (usage["input"], usage["output"], usage["total"]) == (3, 4, None)
    assert usage["raw"] == {"prompt_eval_count": 3, "eval_count": 4, "eval_duration": 7}


def test_an_error_ends_it() -> None:
    reading = read(chat(content="Ja"), {"error": "model runner has stopped"})
    assert [error["message"] for error in reading.errors] == ["model runner has stopped"]
    assert told(reading)[0] == ("text", "Ja", "truncated", "error")


def test_without_its_last_line_it_is_cut() -> None:
    reading = read(chat(content="Ja"), chat(content="."))
    assert {"end-truncated", "finish-missing"} <= rules_of(reading)
    assert "end-marker-missing" not in rules_of(reading)
    assert not reading.clean
