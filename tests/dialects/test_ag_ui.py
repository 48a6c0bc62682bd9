"""AG-UI: messages, thoughts and calls by id, chunks that only the next event ends, states and patches, runs."""

from __future__ import annotations

from typing import Any

import pytest

from inspector_app.core.reading import Reading
from tests.dialects.events import event, read_text, rules_of, texts, told


def say(kind: str, **fields: Any) -> str:
    return event(kind, named=False, **fields)


RUN = {"threadId": "t1", "runId": "r1"}
START = say("RUN_STARTED", **RUN)
END = say("RUN_FINISHED", **RUN)


def message(name: str, *pieces: str, stem: str = "TEXT_MESSAGE") -> str:
    deltas = "".join(say(f"{stem}_CONTENT", messageId=name, delta=piece) for piece in pieces)
    return say(f"{stem}_START", messageId=name, role="assistant") + deltas + say(f"{stem}_END", messageId=name)


def call(name: str, *pieces: str) -> str:
    deltas = "".join(say("TOOL_CALL_ARGS", toolCallId=name, delta=piece) for piece in pieces)
    return say("TOOL_CALL_START", toolCallId=name, toolCallName="f") + deltas + say("TOOL_CALL_END", toolCallId=name)


def text_chunk(delta: str | None = None, name: str | None = None) -> str:
    named = {} if name is None else {"messageId": name}
    return say("TEXT_MESSAGE_CHUNK", **named, **({} if delta is None else {"delta": delta}))


def call_chunk(delta: str | None = None, name: str | None = None) -> str:
    named = {} if name is None else {"toolCallId": name, "toolCallName": "f"}
    return say("TOOL_CALL_CHUNK", **named, **({} if delta is None else {"delta": delta}))


def read(*parts: str, size: int = 1 << 20) -> Reading:
    return read_text("".join((START, *parts, END)), size=size)


def thought_chunk(**fields: str) -> str:
    return say("REASONING_MESSAGE_CHUNK", **fields)


RESULT = say("TOOL_CALL_RESULT", messageId="m", toolCallId="c", content="1")
THINKING = [
    say("THINKING_START", title="Plan"),
    say("THINKING_TEXT_MESSAGE_START"),
    say("THINKING_TEXT_MESSAGE_CONTENT", delta="Hm."),
    say("THINKING_TEXT_MESSAGE_END"),
    say("THINKING_END"),
]

ANSWERS: list[tuple[list[str], list[Any]]] = [
    ([message("m", "Ja", ".")], [("text", "Ja.", "explicit")]),
    (
        [message("m", "Hm.", stem="REASONING_MESSAGE"), message("m", "Ja.")],
        [("reasoning", "Hm.", "explicit"), ("text", "Ja.", "explicit")],
    ),
    ([*THINKING, *THINKING], [("reasoning", "Hm.", "explicit"), ("reasoning", "Hm.", "explicit")]),
    ([call("a", '{"x":', "1}"), call("b")], [("tool_call", '{"x":1}', "explicit"), ("tool_call", "", "explicit")]),
    ([text_chunk("J", "m"), text_chunk("a"), text_chunk(".", "m")], [("text", "Ja.", "finish")]),
    ([text_chunk(None, "m"), text_chunk("Ja.")], [("text", "Ja.", "finish")]),
    ([text_chunk("a", "m"), text_chunk("b", "n"), text_chunk("c")], [("text", "a", "text"), ("text", "bc", "finish")]),
    (
        [text_chunk("a", "m"), call_chunk("{", "c"), call_chunk("}"), text_chunk("b", "m")],
        [("text", "a", "tool_call"), ("tool_call", "{}", "text"), ("text", "b", "finish")],
    ),
    (
        [call_chunk('{"x"', "c"), call_chunk(":1}"), call_chunk(None, "d"), RESULT],
        [("tool_call", '{"x":1}', "tool_call"), ("tool_call", "", "tool_call"), ("tool_result", "", "explicit")],
    ),
    (
        [thought_chunk(messageId="r", delta="H"), thought_chunk(delta="m"), message("m", "a")],
        [("reasoning", "Hm", "text"), ("text", "a", "explicit")],
    ),
]


@pytest.mark.parametrize(("parts", "blocks"), ANSWERS)
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_blocks(parts: list[str], blocks: list[Any], size: int) -> None:
    reading = read(*parts, size=size)
    assert reading.dialect == "ag-ui"
    assert [(kind, text, by) for kind, text, _, by in told(reading)] == blocks
    assert {state for _, _, state, _ in told(reading)} == {"complete"}
    assert reading.clean
    assert rules_of(reading) <= {"reasoning-interleaved"}


def test_calls_have_their_labels() -> None:
    reading = read(call("a", "{}"), call_chunk("{", "b"), call_chunk("}"), call_chunk(None, "c"))
    assert [(block.fields["id"], block.fields["name"]) for block in reading.blocks] == [
        ("a", "f"),
        ("b", "f"),
        ("c", "f"),
    ]


@pytest.mark.parametrize("answered", [True, False])
def test_a_run_that_leaves_a_call_to_its_client(answered: bool) -> None:
    result = say("TOOL_CALL_RESULT", messageId="m", toolCallId="a", content="1") if answered else ""
    [finish] = read(call("a", "{}"), result).finishes
    assert (finish["raw"], finish["reason"]) == ("RUN_FINISHED", "stop" if answered else "tool_calls")


def test_a_state_is_what_its_patches_made_of_it() -> None:
    states = [
        say("STATE_SNAPSHOT", snapshot={"a": [1], "b": 0}),
        say("STATE_DELTA", delta=[{"op": "add", "path": "/a/-", "value": 2}, {"op": "remove", "path": "/b"}]),
        say("ACTIVITY_SNAPSHOT", messageId="x", activityType="plan", content={"n": 1}),
        say("ACTIVITY_SNAPSHOT", messageId="x", activityType="plan", content={"n": 9}, replace=False),
        say("ACTIVITY_DELTA", messageId="x", activityType="plan", patch=[{"op": "replace", "path": "/n", "value": 2}]),
        say("STATE_DELTA", delta=[{"op": "replace", "path": "/none", "value": 2}]),
        say("STATE_DELTA", delta=[{"op": "add", "path": "/c", "value": 3}]),
    ]
    reading = read(*states, message("m", "Ja."))
    assert [block.fields.get("result") for block in reading.blocks] == [{"a": [1, 2], "c": 3}, {"n": 2}, None]
    assert reading.deltas(1)[0].value == {"a": [1], "b": 0}


def test_what_a_model_wants_back_goes_to_its_owner() -> None:
    def sealed(kind: str, name: str) -> str:
        return say("REASONING_ENCRYPTED_VALUE", subtype=kind, entityId=name, encryptedValue=f"for {name}")

    thought = message("r", "Hm.", stem="REASONING_MESSAGE")
    reading = read(thought, sealed("message", "r"), call("c", "{}"), sealed("tool-call", "c"))
    assert [block.fields["encrypted"] for block in reading.blocks] == ["for r", "for c"]


@pytest.mark.parametrize(
    ("outcome", "raw", "reason"),
    [
        ({"outcome": {"type": "success"}}, "success", "stop"),
        ({"outcome": {"type": "interrupt", "interrupts": [{"id": "i"}]}}, "interrupt", "pause"),
        ({"outcome": "interrupt"}, "interrupt", "pause"),
        ({}, "RUN_FINISHED", "stop"),
        ({"outcome": {"type": "new"}}, "new", None),
    ],
)
def test_how_a_run_ends(outcome: dict[str, Any], raw: str, reason: str | None) -> None:
    [finish] = read_text(START + message("m", "Ja.") + say("RUN_FINISHED", **RUN, **outcome)).finishes
    assert (finish["raw"], finish["reason"]) == (raw, reason)


def test_a_run_that_fails() -> None:
    opened = say("TEXT_MESSAGE_START", messageId="m") + say("TEXT_MESSAGE_CONTENT", messageId="m", delta="a")
    reading = read_text(START + opened + say("RUN_ERROR", message="quota", code=429))
    assert [(error["message"], error["code"]) for error in reading.errors] == [("quota", 429)]
    assert texts(reading) == [("text", "a"), ("error", "quota")]
    assert not reading.clean
    assert rules_of(reading) == {"error-in-stream", "finish-missing"}


def test_a_second_run_is_another_answer() -> None:
    second = {"threadId": "t1", "runId": "r2"}
    later = say("RUN_STARTED", **second) + message("m", "b") + say("RUN_FINISHED", **second)
    reading = read_text(START + message("m", "a") + END + later)
    assert texts(reading) == [("text", "a"), ("text", "b")]
    assert rules_of(reading) == set()


def test_a_stream_that_breaks_off() -> None:
    reading = read_text(START + text_chunk("a", "m"))
    assert told(reading) == [("text", "a", "truncated", "end")]
    assert "end-truncated" in rules_of(reading)
