"""LM Studio: named events, tools on the server, the whole answer at the end, which comes after errors too."""

from __future__ import annotations

from typing import Any

import pytest

from inspector_app.core.reading import Reading
from tests.dialects.events import event, read_text, rules_of, texts, told

MCP = {"type": "ephemeral_mcp", "server_label": "s"}
START = event("chat.start", model_instance_id="m")
THOUGHT = event("reasoning.start") + event("reasoning.delta", content="Hm.") + event("reasoning.end")
TEXT = event("message.start") + event("message.delta", content="Ja") + event("message.delta", content=".")
CALL = event("tool_call.start", tool="f", provider_info=MCP)
ARGUMENTS = event("tool_call.arguments", tool="f", arguments={"a": 1}, provider_info=MCP)
WHOLE = [
    {"type": "reasoning", "content": "Hm."},
    {"type": "tool_call", "tool": "f", "arguments": {"a": 1}, "output": "1", "provider_info": MCP},
    {"type": "message", "content": "Ja."},
]


def done(**result: Any) -> str:
    return event("chat.end", result={"model_instance_id": "m", "output": WHOLE} | result)


def result(kind: str = "success") -> str:
    return event("tool_call." + kind, tool="f", arguments={"a": 1}, output="1", provider_info=MCP)


def read(*parts: str) -> Reading:
    return read_text(START + "".join(parts))


BLOCKS = [("reasoning", "Hm."), ("tool_call", '{"a":1}'), ("tool_result", ""), ("text", "Ja.")]


@pytest.mark.parametrize("kind", ["success", "result"])
@pytest.mark.parametrize("arguments", ["", ARGUMENTS])
def test_blocks(kind: str, arguments: str) -> None:
    reading = read(THOUGHT, CALL, arguments, result(kind), TEXT, event("message.end"), done())
    assert (reading.dialect, reading.marker, reading.clean) == ("lmstudio", "chat.end", True)
    assert texts(reading) == BLOCKS
    assert {block.closed_by for block in reading.blocks} == {"explicit"}
    assert reading.meta["model"] == "m"
    assert not reading.findings


def test_the_whole_answer_counts_where_no_other_came() -> None:
    assert texts(read(done())) == BLOCKS


@pytest.mark.parametrize(
    ("info", "kind"), [(MCP, "mcp"), ({"type": "plugin", "plugin_id": "p"}, "server"), (None, "server")]
)
def test_who_runs_a_tool(info: Any, kind: str) -> None:
    [call] = read(event("tool_call.start", tool="f", provider_info=info)).blocks
    assert (call.fields["name"], call.fields["tool_kind"]) == ("f", kind)


def test_two_calls_of_one_tool_are_two() -> None:
    reading = read(CALL, ARGUMENTS, result(), CALL, ARGUMENTS, result(), done())
    assert texts(reading) == BLOCKS[1:3] * 2


def test_a_call_that_fails() -> None:
    metadata = {"type": "invalid_arguments", "tool_name": "f"}
    reading = read(CALL, ARGUMENTS, event("tool_call.failure", reason="no such quay", metadata=metadata), done())
    call, answer = reading.blocks
    assert (call.kind, call.text, call.state) == ("tool_call", '{"a":1}', "complete")
    assert answer.fields["result"]["reason"] == "no such quay"
    assert answer.fields["name"] == "f"


def test_a_failure_without_a_start_leaves_the_call_before_alone() -> None:
    reading = read(CALL, ARGUMENTS, result(), event("tool_call.failure", reason="no", metadata={"tool_name": "g"}))
    assert texts(reading) == [*BLOCKS[1:3], ("tool_result", "")]


def test_the_end_comes_after_an_error_too() -> None:
    error = event("error", error={"type": "internal_error", "message": "The model crashed"})
    reading = read(TEXT, error, done(output=[{"type": "message", "content": "Ja."}]))
    assert reading.errors == [{"event": 4, "type": "internal_error", "code": None, "message": "The model crashed"}]
    assert told(reading)[0] == ("text", "Ja.", "truncated", "error")
    assert not reading.clean


def test_without_the_end() -> None:
    reading = read(TEXT)
    assert told(reading) == [("text", "Ja.", "truncated", "end")]
    assert "end-truncated" in rules_of(reading)


def test_counts() -> None:
    stats = {"input_tokens": 9, "total_output_tokens": 5, "reasoning_output_tokens": 2, "tokens_per_second": 8.5}
    usage = read(TEXT, done(stats=stats)).usage
    assert usage is not None
    assert [usage[key] for key in ("input", "output", "reasoning")] == [9, 5, 2]


def test_progress_is_no_part_of_the_answer() -> None:
    steps = "".join(event(f"{what}.progress", progress=0.5) for what in ("model_load", "prompt_processing"))
    reading = read(steps, TEXT, event("message.end"), done())
    assert [delta.kind for n in (1, 2) for delta in reading.deltas(n)] == ["progress", "progress"]
    assert texts(reading) == [("text", "Ja.")]
