"""Gemini: parts without numbers, calls whole and in pieces, signatures, refused prompts, numbers for reasons."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector_app.core.patches import Patches
from inspector_app.core.reading import Reading
from tests.dialects.events import read_text, rules_of, texts, told


def chunk(*parts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": list(parts)}} | fields], "modelVersion": "gem"}


def call(**fields: Any) -> dict[str, Any]:
    return {"functionCall": fields}


def patch(path: str, **fields: Any) -> dict[str, Any]:
    return call(partialArgs=[{"jsonPath": path} | fields], willContinue=True)


def sse(*payloads: Any) -> str:
    return "".join(f"data: {json.dumps(payload)}\n\n" for payload in payloads)


def read(*payloads: Any) -> Reading:
    return read_text(sse(*payloads))


THOUGHT = {"text": "Hm.", "thought": True}
TEXT = {"text": "Ja."}
STOP = chunk(finishReason="STOP")

PARTS = [
    ([THOUGHT, TEXT], [("reasoning", "Hm."), ("text", "Ja.")]),
    ([TEXT, THOUGHT, TEXT], [("text", "Ja."), ("reasoning", "Hm."), ("text", "Ja.")]),
    ([TEXT, call(name="f", args={"a": 1}), TEXT], [("text", "Ja."), ("tool_call", '{"a":1}'), ("text", "Ja.")]),
    ([call(name="f"), call(name="f", args={})], [("tool_call", ""), ("tool_call", "{}")]),
    ([{"text": "", "thoughtSignature": "c2ln"}], [("reasoning", "")]),
    (
        [{"executableCode": {"code": "1"}}, {"codeExecutionResult": {"output": "1"}}],
        [("tool_call", '{"code":"1"}'), ("tool_result", "")],
    ),
    ([TEXT, {"inlineData": {"mimeType": "image/png", "data": "AA=="}}], [("text", "Ja."), ("media", "")]),
    ([{"audioTranscription": {"text": "So."}}], [("media", "So.")]),
]


@pytest.mark.parametrize(("parts", "blocks"), PARTS)
@pytest.mark.parametrize("apart", [False, True], ids=["one event", "an event each"])
def test_parts_are_blocks_in_the_order_of_the_wire(parts: list[Any], blocks: list[Any], apart: bool) -> None:
    payloads = [chunk(part) for part in parts] if apart else [chunk(*parts)]
    assert texts(read(*payloads, STOP)) == blocks


def test_text_goes_on_over_what_says_nothing() -> None:
    reading = read(chunk(TEXT), chunk({"text": ""}), {"usageMetadata": {"promptTokenCount": 1}}, chunk(TEXT), STOP)
    assert told(reading) == [("text", "Ja.Ja.", "complete", "finish")]
    assert reading.clean


def test_a_signature_stays_with_its_part() -> None:
    payloads = [chunk(THOUGHT), chunk({"text": "Ja.", "thoughtSignature": "dGV4dA=="})]
    payloads.append(chunk(call(name="f", args={}) | {"thoughtSignature": "Y2FsbA=="}, call(name="g", args={})))
    reading = read(*payloads, STOP)
    assert [block.fields.get("signature") for block in reading.blocks] == [None, "dGV4dA==", "Y2FsbA==", None]


def test_arguments_by_path() -> None:
    start = call(name="f", willContinue=True) | {"thoughtSignature": "c2ln"}
    pieces = [
        patch("$.a.b[0]", stringValue="x", willContinue=True),
        patch("$.a.b[0]", stringValue="y", willContinue=True),
        patch("$.a.b[0]", stringValue=""),
        patch("$.a['c d']", numberValue=2),
        patch("$.n", nullValue="NULL_VALUE"),
        call(willContinue=True),
        call(),
    ]
    reading = read(chunk(start), *map(chunk, pieces), STOP)
    [block] = reading.blocks
    assert block.text == '{"a":{"b":["xy"],"c d":2},"n":null}'
    assert (block.state, block.closed_by, block.fields["signature"]) == ("complete", "explicit", "c2ln")
    assert block.fields["executable"]
    assert "gemini-partial-args-unterminated" not in rules_of(reading)


@pytest.mark.parametrize(
    ("path", "whole"),
    [
        ("$.a", {"a": 1}),
        ("$.a[2]", {"a": [None, None, 1]}),
        ("a", {"a": 1}),
        ("$", {"$": 1}),
        ("$[0]", {"$[0]": 1}),
        ("$.a[99999999]", {"a": [], "$.a[99999999]": 1}),
        ("$..a", {"$..a": 1}),
        ("$" + ".a" * 200, {"$" + ".a" * 200: 1}),
    ],
)
def test_a_path_that_leads_nowhere_is_a_key(path: str, whole: dict[str, Any]) -> None:
    patches = Patches()
    patches.take(path, 1)
    assert patches.whole() == whole


@pytest.mark.parametrize(
    ("wire", "raw", "reason"),
    [
        ("STOP", "STOP", "stop"),
        (2, "MAX_TOKENS", "length"),
        (3, "SAFETY", "content_filter"),
        (9, "9", None),
        ("MALFORMED_FUNCTION_CALL", "MALFORMED_FUNCTION_CALL", "error"),
        ("NEWS", "NEWS", None),
    ],
)
def test_finish_reasons(wire: Any, raw: str, reason: str | None) -> None:
    [finish] = read(chunk(TEXT), chunk(finishReason=wire)).finishes
    assert (finish["raw"], finish["reason"]) == (raw, reason)


@pytest.mark.parametrize("none", [0, "FINISH_REASON_UNSPECIFIED", None, ""])
def test_no_reason(none: Any) -> None:
    reading = read(chunk(TEXT), chunk(finishReason=none))
    assert reading.finishes == []
    assert not reading.clean


def test_stop_after_a_call_means_the_call() -> None:
    [finish] = read(chunk(call(name="f", args={})), STOP).finishes
    assert (finish["raw"], finish["reason"]) == ("STOP", "tool_calls")


def test_a_refused_prompt_is_an_end() -> None:
    reading = read({"promptFeedback": {"blockReason": "SAFETY"}, "modelVersion": "gem"})
    assert rules_of(reading) == {"gemini-prompt-blocked", "gemini-no-candidates"}


def test_array_and_sse_say_the_same() -> None:
    payloads = [chunk(THOUGHT), chunk(TEXT, call(name="f", args={"a": [1]})), STOP]
    array = read_text(json.dumps(payloads, indent=2))
    assert (array.framing, array.dialect, array.marker, array.clean) == ("json-array", "gemini", "]", True)
    assert told(array) == told(read(*payloads))


def test_an_error_in_the_array() -> None:
    payloads = [chunk(TEXT), {"error": {"code": 503, "message": "Busy.", "status": "UNAVAILABLE"}}]
    reading = read_text(json.dumps(payloads))
    assert [(error["type"], error["code"], error["message"]) for error in reading.errors] == [
        ("UNAVAILABLE", 503, "Busy.")
    ]


def test_the_wrapper_of_code_assist() -> None:
    reading = read({"response": chunk(TEXT), "traceId": "t"}, {"response": STOP, "traceId": "t"})
    assert (reading.dialect, texts(reading)) == ("gemini", [("text", "Ja.")])


def test_thoughts_beside_the_output_add_up() -> None:
    usage = {"promptTokenCount": 5, "candidatesTokenCount": 2, "thoughtsTokenCount": 9, "totalTokenCount": 16}
    assert "usage-inconsistent" not in rules_of(read(chunk(TEXT), STOP | {"usageMetadata": usage}))
    assert "usage-inconsistent" in rules_of(read(chunk(TEXT), STOP | {"usageMetadata": usage | {"totalTokenCount": 3}}))
