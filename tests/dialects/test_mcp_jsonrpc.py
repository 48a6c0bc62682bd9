"""MCP: priming events, the endpoint event, progress, notifications, requests of the server, results, errors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector_app.core.reading import Reading
from tests.dialects.events import read_text, rules_of

PRIMING = "id: 1\ndata:\n\n"
RESULT = {"id": 2, "result": {"content": [{"type": "text", "text": "Ja."}], "isError": False}}


def said(payload: Any, name: str | None = "message") -> str:
    whole = {"jsonrpc": "2.0"} | payload if isinstance(payload, dict) else payload
    return ("" if name is None else f"event: {name}\n") + f"data: {json.dumps(whole)}\n\n"


def told(reading: Reading) -> list[tuple[str, str, Any]]:
    return [(block.kind, block.state, block.fields.get("result")) for block in reading.blocks]


@pytest.mark.parametrize("name", ["message", None])
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_a_result_of_a_tool(name: str | None, size: int) -> None:
    reading = read_text(PRIMING + said(RESULT, name), size=size)
    assert (reading.dialect, reading.clean) == ("mcp-jsonrpc", True)
    assert told(reading) == [("tool_result", "complete", RESULT["result"])]
    assert reading.blocks[0].fields["id"] == "2"
    assert rules_of(reading) == set()


@pytest.mark.parametrize("uri", ["/messages?session_id=7", "https://mcp.example/messages", "?sessionId=7"])
def test_the_endpoint_of_the_old_transport_is_no_json(uri: str) -> None:
    reading = read_text(f"event: endpoint\ndata: {uri}\n\n" + said({"id": 0, "result": {}}) + said(RESULT))
    assert reading.dialect == "mcp-jsonrpc"
    assert [(delta.kind, delta.value) for delta in reading.deltas(0)] == [("stream.meta", uri)]
    assert [kind for kind, _, _ in told(reading)] == ["tool_result"]
    assert (rules_of(reading), reading.clean) == (set(), True)


@pytest.mark.parametrize(
    ("payload", "kind", "value"),
    [
        ({"method": "notifications/progress", "params": {"progress": 1}}, "progress", {"progress": 1}),
        ({"method": "notifications/message", "params": {"data": "x"}}, "stream.meta", {"data": "x"}),
        ({"method": "notifications/tools/list_changed"}, "stream.meta", None),
        ({"id": 3, "method": "ping"}, "keepalive", "ping"),
    ],
)
def test_what_comes_before_the_result(payload: dict[str, Any], kind: str, value: Any) -> None:
    reading = read_text(said(payload) + said(RESULT))
    assert reading.dialect == "mcp-jsonrpc"
    assert [(delta.kind, delta.value) for delta in reading.deltas(0)] == [(kind, value)]
    assert [kind for kind, _, _ in told(reading)] == ["tool_result"]


def test_a_question_to_the_client() -> None:
    params = {"messages": [], "maxTokens": 9}
    reading = read_text(said({"id": "s", "method": "sampling/createMessage", "params": params}) + said(RESULT))
    assert told(reading) == [("other", "complete", params), ("tool_result", "complete", RESULT["result"])]


def test_results_that_are_no_tool_results() -> None:
    listed = {"tools": [{"name": "f"}]}
    reading = read_text(said({"id": 1, "result": listed}) + said({"id": 2, "result": {}}))
    assert told(reading) == [("other", "complete", listed)]


def test_an_error_with_a_number_is_the_documented_form() -> None:
    reading = read_text(said({"id": 2, "error": {"code": -32602, "message": "no such tool"}}))
    assert reading.dialect == "mcp-jsonrpc"
    assert [(error["code"], error["message"]) for error in reading.errors] == [(-32602, "no such tool")]
    assert (rules_of(reading), reading.clean) == ({"error-in-stream"}, False)


def test_a_failed_tool_is_a_result() -> None:
    failed = {"content": [{"type": "text", "text": "gone"}], "isError": True}
    reading = read_text(said({"id": 2, "result": failed}))
    assert told(reading) == [("tool_result", "complete", failed)]
    assert not reading.errors
    assert (reading.deltas(0)[0].extra or {})["is_error"] is True


def test_several_messages_in_one_event() -> None:
    batch = [{"jsonrpc": "2.0"} | RESULT, {"jsonrpc": "2.0", "id": 3, "result": {"content": []}}, 7]
    reading = read_text(said(RESULT) + said(batch))
    assert [delta.pointer for delta in reading.deltas(1)] == ["/0/result", "/1/result", "/2"]
    assert [kind for kind, _, _ in told(reading)] == ["tool_result"] * 3


def test_a_log_of_lines() -> None:
    call = {"id": 5, "method": "tools/call", "params": {"name": "f", "arguments": {"a": 1}}}
    lines = [{"jsonrpc": "2.0"} | one for one in (call, RESULT)]
    reading = read_text("".join(json.dumps(one) + "\n" for one in lines))
    assert (reading.framing, reading.dialect) == ("ndjson", "mcp-jsonrpc")
    assert [(block.kind, block.text) for block in reading.blocks] == [("tool_call", '{"a":1}'), ("tool_result", "")]
    assert reading.blocks[0].fields["tool_kind"] == "mcp"


def test_a_block_that_tells_when_to_poll_again() -> None:
    assert rules_of(read_text(said(RESULT) + "id: 4\ndata:\n\nretry: 500\n\n")) == set()
