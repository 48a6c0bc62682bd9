"""AI SDK data stream: what each code says, calls in pieces and whole, steps and the end."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.reading import Reading
from inspector_app.dialects import ai_sdk_data
from tests.dialects.events import read_text, rules_of, texts, told
from tests.dialects.test_conformance import JSON, KINDS, at


def line(code: str, value: Any) -> str:
    return f"{code}:{json.dumps(value, ensure_ascii=False)}\n"


def end(reason: str = "stop", **more: Any) -> str:
    return line("d", {"finishReason": reason} | more)


def said(code: str, *pieces: str) -> str:
    return "".join(line(code, piece) for piece in pieces)


def call(code: str, **fields: Any) -> str:
    return line(code, {"toolCallId": "c1"} | fields)


PIECES = call("b", toolName="f") + call("c", argsTextDelta='{"a": ') + call("c", argsTextDelta="1}")

ANSWERS: list[tuple[tuple[str, ...], list[Any]]] = [
    ((said("0", "Ja", "."), end()), [("text", "Ja.")]),
    ((said("g", "H", "m."), said("0", "Ja."), end()), [("reasoning", "Hm."), ("text", "Ja.")]),
    ((said("0", "", "\u2028d\u00e6g"), end()), [("text", "\u2028d\u00e6g")]),
    ((PIECES, call("9", toolName="f", args={"a": 1}), end("tool-calls")), [("tool_call", '{"a": 1}')]),
    ((call("9", toolName="f", args={"a": 1}), end("tool-calls")), [("tool_call", '{"a":1}')]),
    (
        (said("0", "a"), call("9", toolName="f", args={}), call("a", result=[1]), said("0", "b"), end()),
        [("text", "a"), ("tool_call", "{}"), ("tool_result", ""), ("text", "b")],
    ),
]


@pytest.mark.parametrize(("parts", "blocks"), ANSWERS)
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_blocks(parts: tuple[str, ...], blocks: list[Any], size: int) -> None:
    reading = read_text("".join(parts), size=size)
    assert (reading.framing, reading.dialect) == ("coded-lines", "ai-sdk-data")
    assert texts(reading) == blocks
    assert {state for _, _, state, _ in told(reading)} == {"complete"}
    assert reading.clean
    assert rules_of(reading) <= {"frame-not-sse"}


def read(*parts: str) -> Reading:
    return read_text("".join((said("0", "Ja."), *parts)))


def test_the_usage_of_the_end_counts() -> None:
    step = line("e", {"finishReason": "stop", "usage": {"promptTokens": 9, "completionTokens": 9}})
    reading = read(step, end(usage={"promptTokens": 3, "completionTokens": None}))
    assert reading.usage is not None
    assert (reading.usage["input"], reading.usage["output"]) == (3, None)
    assert [finish["raw"] for finish in reading.finishes] == ["stop"]


def test_opaque_parts_of_a_thought() -> None:
    reading = read_text(said("g", "Hm.") + line("j", {"signature": "c2ln"}) + line("i", {"data": "eA=="}) + end())
    assert [block.fields.get("signature") for block in reading.blocks] == ["c2ln", None]
    assert reading.blocks[1].fields["redacted"] == "eA=="


def test_sources_files_and_data() -> None:
    source = {"sourceType": "url", "url": "https://a.example"}
    file = line("k", {"data": "AAAA", "mimeType": "image/png"})
    reading = read(line("h", source), file, line("2", [1]), line("2", [2, 3]), line("8", ["x"]), end())
    assert reading.blocks[0].fields["citations"] == [source]
    assert [(block.kind, block.fields.get("media"), block.fields.get("result")) for block in reading.blocks[1:]] == [
        ("media", "image", None),
        ("state", None, [1, 2, 3]),
    ]


def test_an_error_is_of_the_documented_form() -> None:
    reading = read(line("3", "overloaded"))
    assert [error["message"] for error in reading.errors] == ["overloaded"]
    assert {"error-in-stream"} <= rules_of(reading)
    assert "error-shape" not in rules_of(reading)


def test_a_piece_of_arguments_without_a_call() -> None:
    assert "meta-ui-delta-without-start" in rules_of(read(call("c", argsTextDelta="{}"), end("tool-calls")))


def test_what_is_no_part_is_shown() -> None:
    reading = read("<html>502</html>\n", line("0", 7), line("z", 1), end())
    assert [[delta.kind for delta in reading.deltas(n)] for n in (1, 2, 3)] == [["unknown"]] * 3
    assert reading.dialect == "ai-sdk-data"
    assert "json-invalid" in rules_of(reading)


def test_a_stream_that_breaks_off() -> None:
    reading = read('0:"cut')
    assert told(reading) == [("text", "Ja.", "truncated", "end")]
    assert {"frame-cut", "end-truncated"} <= rules_of(reading)


OBJECT = st.dictionaries(
    st.sampled_from(["toolCallId", "toolName", "args", "argsTextDelta", "result", "finishReason", "usage", "data"]),
    JSON,
)


@given(st.sampled_from("0123456789abcdefghijklmz"), JSON | OBJECT)
def test_any_value_of_any_code_is_decoded_without_a_fault(code: str, value: Any) -> None:
    deltas = ai_sdk_data.decode(value, code)
    assert deltas
    assert deltas == ai_sdk_data.decode(value, code)
    for delta in deltas:
        assert delta.kind in KINDS
        at(value, delta.pointer)
    body = line("0", "a") + line(code, value) + end()
    assert texts(read_text(body, size=1)) == texts(read_text(body))
