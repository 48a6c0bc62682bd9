"""AI SDK UI message stream: ids inside of steps, inputs in pieces and whole, results, data, and the ends."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector_app.core.reading import Reading
from tests.dialects.events import event, read_text, rules_of, texts, told

START = event("start", named=False, messageId="m1") + event("start-step", named=False)
STEP = event("finish-step", named=False) + event("start-step", named=False)


def end(reason: str | None = "stop", done: bool = True) -> str:
    said = {} if reason is None else {"finishReason": reason}
    return event("finish", named=False, **said) + ("data: [DONE]\n\n" if done else "")


def part(kind: str, name: str, *pieces: str, **last: Any) -> str:
    deltas = "".join(event(f"{kind}-delta", named=False, id=name, delta=piece) for piece in pieces)
    closing = event(f"{kind}-end", named=False, id=name, **last)
    return event(f"{kind}-start", named=False, id=name) + deltas + closing


def tool(what: str, **fields: Any) -> str:
    return event(f"tool-{what}", named=False, toolCallId="c1", **fields)


def read(*parts: str, size: int = 1 << 20) -> Reading:
    return read_text("".join((START, *parts)), size=size)


ANSWERS = [
    ((part("text", "0", "Ja", "."), end()), [("text", "Ja.")]),
    ((part("reasoning", "r", "a"), STEP, part("reasoning", "r", "b"), end()), [("reasoning", "a"), ("reasoning", "b")]),
    ((part("reasoning", "r", "a"), part("reasoning", "r", "b"), end()), [("reasoning", "a"), ("reasoning", "b")]),
    (
        (
            tool("input-start", toolName="f"),
            tool("input-delta", inputTextDelta='{"a": '),
            tool("input-delta", inputTextDelta="1}"),
            tool("input-available", toolName="f", input={"a": 1}),
            end("tool-calls"),
        ),
        [("tool_call", '{"a": 1}')],
    ),
    (
        (
            tool("input-start", toolName="f"),
            tool("input-delta", inputTextDelta='{"a": 1'),
            tool("input-available", toolName="f", input={"a": 12}),
            end("tool-calls"),
        ),
        [("tool_call", '{"a":12}')],
    ),
    ((tool("input-available", toolName="f", input={}), end("tool-calls")), [("tool_call", "{}")]),
]


@pytest.mark.parametrize(("parts", "blocks"), ANSWERS)
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_blocks(parts: tuple[str, ...], blocks: list[Any], size: int) -> None:
    reading = read(*parts, size=size)
    assert reading.dialect == "ai-sdk-ui"
    assert texts(reading) == blocks
    assert {(state, by) for _, _, state, by in told(reading)} == {("complete", "explicit")}
    assert (reading.marker, reading.clean) == ("[DONE]", True)
    assert rules_of(reading) <= {"reasoning-interleaved"}


def test_a_step_ends_what_was_left_open() -> None:
    opened = event("text-start", named=False, id="t") + event("text-delta", named=False, id="t", delta="a")
    reading = read(opened, STEP, part("text", "t", "b"), end())
    assert told(reading) == [("text", "a", "complete", "explicit"), ("text", "b", "complete", "explicit")]
    assert rules_of(reading) == set()


def test_the_input_of_a_tool_under_the_name_that_texts_have_is_no_input() -> None:
    reading = read(tool("input-start", toolName="f"), tool("input-delta", delta="{}"), end("tool-calls"))
    assert texts(reading) == [("tool_call", "")]
    assert [delta.kind for delta in reading.deltas(3)] == ["unknown"]


def test_a_preliminary_result_is_replaced_by_the_last_one() -> None:
    outputs = [tool("output-available", output=1, preliminary=True), tool("output-available", output=[2])]
    reading = read(tool("input-available", toolName="f", input={}), *outputs, part("text", "t", "Ja."), end())
    assert [block.kind for block in reading.blocks] == ["tool_call", "tool_result", "text"]
    assert (reading.blocks[1].fields["id"], reading.blocks[1].fields["result"]) == ("c1", [2])
    assert "finish-stop-with-tools" not in rules_of(reading)


@pytest.mark.parametrize(
    ("parts", "result"),
    [
        ((tool("input-error", toolName="f", input="{", errorText="no JSON"),), "no JSON"),
        ((tool("input-available", toolName="f", input={}), tool("output-error", errorText="gone")), "gone"),
        ((tool("input-available", toolName="f", input={}), tool("output-denied")), "tool-output-denied"),
    ],
)
def test_results_that_are_failures(parts: tuple[str, ...], result: str) -> None:
    reading = read(*parts, end())
    assert [block.kind for block in reading.blocks] == ["tool_call", "tool_result"]
    assert reading.blocks[1].fields["result"] == result
    assert not reading.errors


def test_data_of_one_id_is_one_state_and_transient_data_is_none() -> None:
    data = [event("data-x", named=False, id="1", data=n) for n in range(3)]
    data += [event("data-x", named=False, data=8), event("data-x", named=False, data=9, transient=True)]
    reading = read(*data, part("text", "t", "Ja."), end())
    states = [block.fields["result"] for block in reading.blocks if block.kind == "state"]
    assert states == [2, 8]


def test_signatures_go_to_their_thought() -> None:
    own = {"anthropic": {"signature": "c2ln"}}
    reading = read(part("reasoning", "r", "Hm.", providerMetadata=own), part("text", "t", "Ja."), end())
    assert reading.blocks[0].fields["signature"] == "c2ln"
    assert reading.provider == "anthropic"


def test_sources_belong_to_the_text_they_stand_before() -> None:
    source = {"sourceId": "s", "url": "https://a.example"}
    reading = read(event("source-url", named=False, **source), part("text", "t", "Ja."), end())
    assert reading.blocks[0].fields["citations"] == [{"type": "source-url"} | source]


@pytest.mark.parametrize(
    ("wire", "raw", "reason"),
    [
        (end("stop"), "stop", "stop"),
        (end("content-filter"), "content-filter", "content_filter"),
        (end("other"), "other", "error"),
        (end(None), "finish", "stop"),
        (event("abort", named=False, reason="user"), "abort", "cancelled"),
        (end("new"), "new", None),
    ],
)
def test_finish_reasons(wire: str, raw: str, reason: str | None) -> None:
    [finish] = read(part("text", "t", "Ja."), wire).finishes
    assert (finish["raw"], finish["reason"]) == (raw, reason)


def test_an_error_is_of_the_documented_form() -> None:
    reading = read(event("error", named=False, errorText="overloaded"), end("error"))
    assert [error["message"] for error in reading.errors] == ["overloaded"]
    assert not reading.clean
    assert "error-shape" not in rules_of(reading)


def test_a_stream_that_breaks_off() -> None:
    reading = read(event("text-start", named=False, id="t") + event("text-delta", named=False, id="t", delta="a"))
    assert told(reading) == [("text", "a", "truncated", "end")]
    assert {"end-truncated", "end-marker-missing"} <= rules_of(reading)
    assert "end-marker-missing" in rules_of(read(part("text", "t", "Ja."), end(done=False)))


@pytest.mark.parametrize(
    "payload",
    [
        {"type": "error", "error": {"message": "x"}},
        {"type": "start", "model": "m"},
        {"type": "finish", "reason": "stop"},
        {"type": "file", "path": "a"},
        {"type": "data-x"},
    ],
)
def test_words_that_anybody_may_use_are_no_evidence(payload: dict[str, Any]) -> None:
    assert read_text(f"data: {json.dumps(payload)}\n\n" * 2).dialect != "ai-sdk-ui"
