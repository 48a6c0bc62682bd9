"""Bedrock Converse: blocks without starts, calls without input, results and sources, and what lost its frame."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.dialects import bedrock_converse
from tests.dialects.events import KIT, read_text, rules_of, texts, told
from tests.framing.aws_frames import event, exception

Events = tuple[tuple[str, dict[str, Any]], ...]

START = ("messageStart", {"role": "assistant"})
USAGE = {"inputTokens": 5, "outputTokens": 8, "totalTokens": 13}
META = ("metadata", {"usage": USAGE, "metrics": {"latencyMs": 9}})


def delta(index: int, **value: Any) -> tuple[str, dict[str, Any]]:
    return "contentBlockDelta", {"contentBlockIndex": index, "delta": value}


def begin(index: int, **value: Any) -> tuple[str, dict[str, Any]]:
    return "contentBlockStart", {"contentBlockIndex": index, "start": value}


def stop(index: int) -> tuple[str, dict[str, Any]]:
    return "contentBlockStop", {"contentBlockIndex": index}


def end(reason: str = "end_turn", **more: Any) -> tuple[str, dict[str, Any]]:
    return "messageStop", {"stopReason": reason} | more


def call(index: int, *pieces: str) -> Events:
    start = begin(index, toolUse={"toolUseId": f"t{index}", "name": "f"})
    return (start, *(delta(index, toolUse={"input": piece}) for piece in pieces), stop(index))


def read(*events: tuple[str, dict[str, Any]], size: int = 1 << 20, tail: bytes = b"") -> Reading:
    """The reading of frames, fed in pieces of `size` bytes."""
    body = b"".join(event(kind, payload | {"p": "abcd"}) for kind, payload in events) + tail
    analysis = Analysis(Exchange("-", "binary-body", MemoryBody(body)), KIT)
    for start in range(0, len(body), size):
        analysis.feed(body[start : start + size])
    return analysis.finish()


THOUGHT = delta(0, reasoningContent={"text": "Hm."})
TEXT = delta(0, text="Ja."), stop(0)

ANSWERS: list[tuple[Events, list[tuple[str, str]]]] = [
    (TEXT, [("text", "Ja.")]),
    ((begin(0), *TEXT), [("text", "Ja.")]),
    ((THOUGHT, stop(0), delta(1, text="Ja"), delta(1, text="."), stop(1)), [("reasoning", "Hm."), ("text", "Ja.")]),
    ((*TEXT, *call(1, '{"a":', "1}")), [("text", "Ja."), ("tool_call", '{"a":1}')]),
    (call(0, ""), [("tool_call", "")]),
    ((delta(0, text=""), stop(0), delta(1, text="Ja."), stop(1)), [("text", "Ja.")]),
    (
        (begin(0, toolUse={"toolUseId": "a", "name": "f"}), *call(1, "{}"), stop(0)),
        [("tool_call", ""), ("tool_call", "{}")],
    ),
]


@pytest.mark.parametrize(("events", "blocks"), ANSWERS)
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_blocks(events: Events, blocks: list[tuple[str, str]], size: int) -> None:
    called = any(kind == "tool_call" for kind, _ in blocks)
    reading = read(START, *events, end("tool_use" if called else "end_turn"), META, size=size)
    assert (reading.dialect, reading.provider) == ("bedrock-converse", "bedrock")
    assert texts(reading) == blocks
    assert {(state, closed) for _, _, state, closed in told(reading)} == {("complete", "explicit")}
    assert (reading.marker, reading.clean) == (None, True)
    assert rules_of(reading) == {"frame-not-sse"}


@pytest.mark.parametrize("named", [True, False])
def test_a_log_of_payloads_says_the_same(named: bool) -> None:
    events = (START, *TEXT, *call(1, "{}"), META, end("tool_use"))
    wrapped = [{kind: payload} if named else payload for kind, payload in events]
    reading = read_text("".join(json.dumps(payload) + "\n" for payload in wrapped))
    assert reading.dialect == "bedrock-converse"
    assert texts(reading) == [("text", "Ja."), ("tool_call", "{}")]
    assert [finish["reason"] for finish in reading.finishes] == ["tool_calls"]
    assert reading.usage is not None
    assert reading.usage["total"] == 13
    assert "usage-missing" not in rules_of(reading)


def test_reasoning_keeps_what_is_sent_back() -> None:
    signed = delta(0, reasoningContent={"signature": "ab"}), delta(0, reasoningContent={"signature": "cd"}), stop(0)
    hidden = delta(1, reasoningContent={"redactedContent": "eA=="}), stop(1)
    reading = read(START, THOUGHT, *signed, *hidden, delta(2, text="Ja."), stop(2), end(), META)
    fields = [block.fields for block in reading.blocks]
    assert (fields[0]["signature"], fields[0]["form"], fields[1]["redacted"]) == ("abcd", "raw", "eA==")


def test_tools_of_the_server_and_their_results() -> None:
    used = begin(0, toolUse={"toolUseId": "s", "name": "search", "type": "server_tool_use"})
    result = begin(1, toolResult={"toolUseId": "s", "type": "found", "status": "success"})
    pieces = delta(1, toolResult=[{"text": "a"}]), delta(1, toolResult=[{"json": {}}]), stop(1)
    reading = read(START, used, delta(0, toolUse={"input": "{}"}), stop(0), result, *pieces, end(), META)
    one, other = (block.fields for block in reading.blocks)
    assert (one["tool_kind"], one["id"], one["name"]) == ("server", "s", "search")
    assert (other["id"], other["result"]) == ("s", [{"text": "a"}, {"json": {}}])


SOURCE = {"title": "t"}


@pytest.mark.parametrize(
    ("events", "cited"),
    [
        ((delta(0, citation=SOURCE), *TEXT), [1]),
        ((*TEXT, delta(1, citation=SOURCE), delta(1, text="Ja."), stop(1)), [0, 1]),
        ((*TEXT, delta(1, citation=SOURCE), stop(1), delta(2, text="Ja."), stop(2)), [1, 0]),
    ],
)
def test_a_source_belongs_to_the_text_of_its_block_or_to_the_one_before(events: Events, cited: list[int]) -> None:
    reading = read(START, *events, end(), META)
    assert [len(block.fields.get("citations", ())) for block in reading.blocks] == cited
    assert {block.text for block in reading.blocks} == {"Ja."}


def test_images() -> None:
    image = begin(0, image={"format": "png"}), delta(0, image={"source": {"bytes": "iVBO"}}), stop(0)
    [block] = read(START, *image, end(), META).blocks
    assert (block.kind, block.fields["media"]) == ("media", "image")


@pytest.mark.parametrize(
    ("wire", "reason"),
    [
        ("end_turn", "stop"),
        ("max_tokens", "length"),
        ("guardrail_intervened", "content_filter"),
        ("malformed_tool_use", "error"),
        ("new", None),
    ],
)
def test_finish_reasons(wire: str, reason: str | None) -> None:
    fields = {"stop_sequence": "x"}
    [finish] = read(START, *TEXT, end(wire, additionalModelResponseFields=fields), META).finishes
    assert (finish["raw"], finish["reason"]) == (wire, reason)


NAMES = ("input", "output", "reasoning", "cache_read", "cache_write", "total")


def test_usage_in_the_order_of_the_contract() -> None:
    counts = USAGE | {"cacheReadInputTokens": 3, "cacheWriteInputTokens": 2}
    usage = read(START, *TEXT, end(), ("metadata", {"usage": counts})).usage
    assert usage is not None
    assert list(usage.items())[:6] == list(zip(NAMES, (5, 8, None, 3, 2, 13), strict=True))


def test_an_exception_ends_it() -> None:
    reading = read(START, *TEXT, tail=exception("throttlingException", b'{"message":"Too many requests"}'))
    assert [(error["type"], error["message"]) for error in reading.errors] == [
        ("throttlingException", "Too many requests")
    ]
    assert not reading.clean
    assert "end-truncated" not in rules_of(reading)


def test_an_exception_in_a_log() -> None:
    body = [
        {"messageStart": START[1]},
        {"contentBlockDelta": TEXT[0][1]},
        {"modelStreamErrorException": {"message": "no"}},
    ]
    reading = read_text("".join(json.dumps(payload) + "\n" for payload in body))
    assert [(error["type"], error["message"]) for error in reading.errors] == [("modelStreamErrorException", "no")]


def test_without_its_end_it_is_cut() -> None:
    assert {"end-truncated", "finish-missing"} <= rules_of(read(START, delta(0, text="Ja.")))


def test_two_answers_in_one_log_are_two() -> None:
    reading = read(START, *TEXT, end(), META, START, *TEXT, end(), META)
    assert texts(reading) == [("text", "Ja."), ("text", "Ja.")]
    assert rules_of(reading) == {"frame-not-sse"}


def test_what_is_unknown_is_shown() -> None:
    payload = {"contentBlockIndex": 0, "delta": {"text": "Ja.", "video": {"x": 1}}, "more": [1], "p": "ab"}
    said = [(delta.kind, delta.pointer) for delta in bedrock_converse.decode(payload, "contentBlockDelta")]
    assert said == [("text.delta", "/delta/text"), ("unknown", "/delta/video"), ("unknown", "/more")]


@pytest.mark.parametrize(
    ("payload", "name"),
    [
        ({"usage": {"total_tokens": 1}}, "metadata"),
        ({"run_id": "x"}, "metadata"),
        ({"metadata": {"run_id": "x"}}, None),
        ({"role": "assistant", "content": "x"}, None),
        ({"type": "x"}, "messageStop"),
        ([], "metadata"),
    ],
)
def test_what_others_call_metadata_is_theirs(payload: Any, name: str | None) -> None:
    assert bedrock_converse.evidence(payload, name) == 0
