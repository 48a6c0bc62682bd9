"""xAI's gRPC chunks as JSON: steps by index, calls of the server and the client, and both spellings of names."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector_app.core.reading import Reading
from inspector_app.dialects.xai_grpc import decode
from tests.dialects.events import read_text, rules_of, texts, told


def chunk(index: int = 0, finish: str | None = None, n: int = 3, role: str = "ROLE_ASSISTANT", **delta: Any) -> str:
    output: dict[str, Any] = {"delta": {"role": role} | delta}
    output |= {"finish_reason": finish} if finish else {}
    output |= {"index": index} if index else {}
    usage = {"prompt_tokens": 5, "completion_tokens": n, "reasoning_tokens": 2, "total_tokens": 7 + n}
    root = {"id": "i", "outputs": [output], "created": f"2026-01-01T00:00:00.{n:03d}Z", "model": "grok"}
    return json.dumps(root | {"usage": usage}) + "\n"


def call(kind: str | None = None, arguments: str = '{"a":1}', **more: Any) -> dict[str, Any]:
    typed = {"type": f"TOOL_CALL_TYPE_{kind}"} if kind else {}
    return {"id": "c1", "function": {"name": "f", "arguments": arguments}} | typed | more


END = chunk(finish="REASON_STOP")
DONE = {"status": "TOOL_CALL_STATUS_COMPLETED"}


def read(*lines: str, size: int = 1 << 20) -> Reading:
    return read_text("".join(lines), size=size)


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_a_thought_and_a_text(size: int) -> None:
    pieces = [f"w{n} " for n in range(30)]
    thought = [chunk(n=n, reasoning_content=piece) for n, piece in enumerate(pieces, 1)]
    text = [chunk(n=n, content=piece) for n, piece in enumerate(pieces, 40)]
    reading = read(*thought, *text, chunk(finish="REASON_STOP", n=99), size=size)
    assert (reading.dialect, reading.provider, reading.clean) == ("xai-grpc", "xai", True)
    assert texts(reading) == [("reasoning", "".join(pieces)), ("text", "".join(pieces))]
    assert {state for _, _, state, _ in told(reading)} == {"complete"}
    assert reading.usage is not None
    assert [reading.usage[key] for key in ("input", "output", "reasoning", "total")] == [5, 99, 2, 106]
    assert reading.meta == {"id": "i", "model": "grok"}
    assert rules_of(reading) == {"frame-not-sse"}


def test_what_it_cost_is_told_with_each_chunk_and_in_the_end() -> None:
    lines = [json.loads(chunk(n=n, content=f"w{n} ", reasoning_content="")) for n in range(1, 20)]
    lines.append(json.loads(chunk(n=20, finish="REASON_STOP")))
    for n, line in enumerate(lines):
        line["usage"]["cost_in_usd_ticks"] = str(1000 + n)
    reading = read(*(json.dumps(line) + "\n" for line in lines))
    assert [delta.value for n in range(19) for delta in reading.deltas(n) if delta.kind == "stream.meta"] == [
        str(1000 + n) for n in range(19)
    ]
    assert reading.usage is not None
    assert (reading.usage["output"], reading.usage["raw"]["cost_in_usd_ticks"]) == (20, "1019")


def test_a_tool_of_the_server_is_a_step() -> None:
    answered = chunk(1, role="ROLE_TOOL", content="out", tool_calls=[call("MCP_TOOL", **DONE)])
    reading = read(
        chunk(reasoning_content="Hm."),
        chunk(tool_calls=[call("MCP_TOOL")]),
        chunk(finish="REASON_TOOL_CALLS"),
        answered,
        chunk(2, content="Ja."),
        chunk(2, finish="REASON_STOP"),
    )
    assert [block.kind for block in reading.blocks] == ["reasoning", "tool_call", "tool_result", "text"]
    _, tool, result, _ = (block.fields for block in reading.blocks)
    assert (tool["id"], tool["name"], tool["tool_kind"], reading.blocks[1].text) == ("c1", "f", "mcp", '{"a":1}')
    assert (result["id"], result["result"]) == ("c1", "out")
    assert [finish["raw"] for finish in reading.finishes] == ["REASON_STOP"]
    assert rules_of(reading) == {"frame-not-sse"}


def test_a_step_is_no_end() -> None:
    reading = read(chunk(tool_calls=[call("WEB_SEARCH_TOOL")]), chunk(finish="REASON_TOOL_CALLS"))
    assert (reading.finishes, reading.clean) == ([], False)
    assert "finish-missing" in rules_of(reading)


@pytest.mark.parametrize("kind", [None, "CLIENT_SIDE_TOOL"])
def test_a_call_of_the_client_ends_the_answer(kind: str | None) -> None:
    reading = read(chunk(tool_calls=[call(kind)]), chunk(finish="REASON_TOOL_CALLS"))
    [block] = reading.blocks
    assert (block.fields["tool_kind"], block.text, block.state) == ("function", '{"a":1}', "complete")
    assert [finish["reason"] for finish in reading.finishes] == ["tool_calls"]
    assert reading.clean


def test_a_call_in_pieces_and_whole_once_more() -> None:
    part = {"status": "TOOL_CALL_STATUS_IN_PROGRESS"}
    pieces = [{"id": "c1", "function": {"name": "f"}} | part] + [
        {"id": "c1", "function": {"arguments": piece}} | part for piece in ('{"a"', ":1}")
    ]
    lines = [chunk(tool_calls=[piece]) for piece in pieces]
    reading = read(*lines, chunk(tool_calls=[call(**DONE)]), chunk(finish="REASON_TOOL_CALLS"))
    [block] = reading.blocks
    assert (block.fields["name"], block.text, len(block.fragments)) == ("f", '{"a":1}', 2)
    assert rules_of(reading) == {"frame-not-sse"}


def test_several_samples_do_not_mix() -> None:
    reading = read(chunk(content="a"), chunk(1, content="x"), chunk(content="b"), chunk(1, content="y"), END)
    assert texts(reading) == [("text", "ab"), ("text", "xy")]


def test_what_is_sealed_and_what_is_cited() -> None:
    url = {"id": "1", "web_citation": {"url": "https://a.example"}}
    reading = read(chunk(encrypted_content="c2VhbA==", content="Ja."), chunk(citations=[url]), END)
    assert [block.fields.get("encrypted") for block in reading.blocks] == ["c2VhbA==", None]
    assert reading.blocks[1].fields["citations"] == [url]


def test_names_in_camel_case() -> None:
    output = {"delta": {"reasoningContent": "Hm.", "role": "ROLE_ASSISTANT"}, "finishReason": "REASON_MAX_LEN"}
    line = {
        "id": "i",
        "outputs": [output],
        "systemFingerprint": "f",
        "usage": {"promptTokens": 3, "completionTokens": 4},
    }
    reading = read(json.dumps(line) + "\n" + json.dumps(line | {"outputs": []}) + "\n")
    assert texts(reading) == [("reasoning", "Hm.")]
    assert reading.finishes[0]["reason"] == "length"
    assert reading.usage is not None
    assert (reading.usage["input"], reading.usage["output"]) == (3, 4)
    assert not [delta for delta in decode(line) if delta.kind == "unknown"]


@pytest.mark.parametrize(
    ("payload", "unknown"),
    [
        ({"outputs": 7}, ["/outputs"]),
        ({"outputs": [{"delta": 7}]}, ["/outputs/0"]),
        (
            {"outputs": [{"delta": {"novel": 1}, "more": 2}], "root": 3},
            ["/outputs/0/delta/novel", "/outputs/0/more", "/root"],
        ),
        ({"outputs": [{"delta": {"tool_calls": [1]}}]}, ["/outputs/0/delta/tool_calls/0"]),
    ],
)
def test_what_is_unknown_is_shown(payload: Any, unknown: list[str]) -> None:
    assert [delta.pointer for delta in decode(payload) if delta.kind == "unknown"] == unknown
