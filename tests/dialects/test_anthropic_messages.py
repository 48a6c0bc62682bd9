"""Anthropic Messages: what each kind of block becomes, and what a broken stream becomes."""

from __future__ import annotations

from typing import Any

import pytest

from inspector_app.core.rules import ReadingRules
from inspector_app.dialects.anthropic_messages import FINISH, decode
from tests.dialects.events import event, read_text, rules_of, texts, told

PIECES = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
    "citations_delta": "citation",
    "compaction_delta": "content",
}


def start(name: str | None = "msg_1", **more: Any) -> str:
    message = {"id": name, "type": "message", "role": "assistant", "model": "demo", "content": [], "stop_reason": None}
    return event("message_start", message=message | {"usage": {"input_tokens": 20, "output_tokens": 1}} | more)


def opens(index: int, kind: str, **more: Any) -> str:
    return event("content_block_start", index=index, content_block={"type": kind} | more)


def piece(index: int, kind: str, value: Any) -> str:
    return event("content_block_delta", index=index, delta={"type": kind, PIECES[kind]: value})


def closes(index: int) -> str:
    return event("content_block_stop", index=index)


def says(index: int, *values: str) -> str:
    return opens(index, "text", text="") + "".join(piece(index, "text_delta", v) for v in values) + closes(index)


def ends(reason: str = "end_turn", usage: Any = None) -> str:
    counts = {"output_tokens": 30} if usage is None else usage
    return event("message_delta", delta={"stop_reason": reason, "stop_sequence": None}, usage=counts) + event(
        "message_stop"
    )


TOOL = {"id": "toolu_1", "name": "tides", "input": {}}
WHOLE = (
    start()
    + opens(0, "thinking", thinking="", signature="")
    + piece(0, "thinking_delta", "Look at ")
    + piece(0, "thinking_delta", "the table.")
    + piece(0, "signature_delta", "c2ln")
    + closes(0)
    + event("ping")
    + says(1, "High water ", "at nine.")
    + opens(2, "tool_use", **TOOL)
    + piece(2, "input_json_delta", "")
    + piece(2, "input_json_delta", '{"port":')
    + piece(2, "input_json_delta", '"Bergen"}')
    + closes(2)
    + ends("tool_use")
)


def test_a_whole_answer() -> None:
    reading = read_text(WHOLE)
    assert told(reading) == [
        ("reasoning", "Look at the table.", "complete", "explicit"),
        ("text", "High water at nine.", "complete", "explicit"),
        ("tool_call", '{"port":"Bergen"}', "complete", "explicit"),
    ]
    thought, _, call = reading.blocks
    assert (thought.fields["form"], thought.fields["signature"]) == ("raw", "c2ln")
    assert (call.fields["id"], call.fields["name"], call.fields["tool_kind"]) == ("toolu_1", "tides", "function")
    assert call.fields["arguments_json"] == {"port": "Bergen"}
    assert call.fields["executable"]
    assert (reading.dialect, reading.marker, reading.clean) == ("anthropic-messages", "message_stop", True)
    assert reading.finishes[0]["reason"] == "tool_calls"
    assert reading.usage is not None
    assert (reading.usage["input"], reading.usage["output"], reading.usage["total"]) == (20, 30, None)
    assert reading.meta == {"id": "msg_1", "model": "demo"}
    assert rules_of(reading) <= {"reasoning-opaque-only"}


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1000])
def test_reads_do_not_matter(size: int) -> None:
    whole, cut = read_text(WHOLE), read_text(WHOLE, size=size)
    assert told(cut) == told(whole)
    assert [list(block.deltas) for block in cut.blocks] == [list(block.deltas) for block in whole.blocks]
    assert list(cut.delta_blocks) == list(whole.delta_blocks)


def test_every_delta_leads_to_its_block() -> None:
    reading = read_text(WHOLE)
    for block in reading.blocks:
        for number, fragment in zip(block.deltas, block.fragments, strict=True):
            n = reading.event_of_delta(number)
            first, _ = reading.deltas_of(n)
            assert reading.deltas(n)[number - first].value == fragment
            assert reading.delta_blocks[number] == block.n


SERVER = (
    opens(0, "server_tool_use", id="srv_1", name="web_search", input={})
    + piece(0, "input_json_delta", '{"query":"tide"}')
    + closes(0)
    + opens(1, "web_search_tool_result", tool_use_id="srv_1", content=[{"type": "web_search_result", "url": "x"}])
    + closes(1)
)
CITED = {"type": "char_location", "cited_text": "Open.", "document_index": 0}


@pytest.mark.parametrize(
    "stream, kinds",
    [
        (opens(0, "redacted_thinking", data="c2VjcmV0") + closes(0), [("reasoning", "")]),
        (SERVER, [("tool_call", '{"query":"tide"}'), ("tool_result", "")]),
        (
            opens(0, "mcp_tool_use", id="m", name="ask", server_name="s", input={})
            + closes(0)
            + opens(1, "mcp_tool_result", tool_use_id="m", is_error=False, content=[])
            + closes(1),
            [("tool_call", ""), ("tool_result", "")],
        ),
        (opens(0, "container_upload", file_id="file_1") + closes(0), [("media", "")]),
        (
            opens(0, "compaction", content=None) + piece(0, "compaction_delta", "So far.") + closes(0),
            [("other", "So far.")],
        ),
        (opens(0, "fallback", **{"from": {"model": "a"}, "to": {"model": "b"}}) + closes(0), [("other", "")]),
        (opens(0, "hologram", size=3) + closes(0), [("other", "")]),
        (
            opens(0, "text", text="Filled ") + piece(0, "text_delta", "already.") + closes(0),
            [("text", "Filled already.")],
        ),
        (opens(0, "text", text="") + closes(0), []),
        (opens(0, "tool_use", **TOOL) + closes(0), [("tool_call", "")]),
        (opens(0, "tool_use", **TOOL | {"input": {"a": 1}}) + closes(0), [("tool_call", '{"a":1}')]),
        (
            opens(0, "tool_use", **TOOL | {"input": {"a": 1}}) + piece(0, "input_json_delta", '{"a":2}') + closes(0),
            [("tool_call", '{"a":2}')],
        ),
        (opens(0, "tool_use", **TOOL) + piece(0, "input_json_delta", {"a": 1}) + closes(0), [("tool_call", '{"a":1}')]),
    ],
)
def test_blocks_of_every_kind(stream: str, kinds: list[tuple[str, str]]) -> None:
    reading = read_text(start() + stream + ends())
    assert texts(reading) == kinds
    assert {(block.state, block.closed_by) for block in reading.blocks} <= {("complete", "explicit")}
    assert reading.clean


def test_a_result_knows_its_call() -> None:
    call, result = read_text(start() + SERVER + ends()).blocks
    assert call.fields["tool_kind"] == "server"
    assert result.fields["id"] == call.fields["id"] == "srv_1"
    assert result.fields["result"]["content"][0]["url"] == "x"


def test_citations_hang_on_the_text_of_their_index() -> None:
    stream = opens(0, "text", text="") + piece(0, "text_delta", "Open.") + opens(1, "text", text="")
    reading = read_text(
        start() + stream + piece(0, "citations_delta", CITED) + piece(1, "text_delta", "Shut.") + ends()
    )
    assert [block.fields.get("citations") for block in reading.blocks] == [[CITED], None]


def test_blocks_may_overlap() -> None:
    two = opens(0, "tool_use", **TOOL) + opens(1, "tool_use", **TOOL | {"id": "toolu_2"})
    stream = two + piece(0, "input_json_delta", '{"a"') + piece(1, "input_json_delta", '{"b":2}')
    reading = read_text(
        start() + stream + piece(0, "input_json_delta", ":1}") + closes(1) + closes(0) + ends("tool_use")
    )
    assert texts(reading) == [("tool_call", '{"a":1}'), ("tool_call", '{"b":2}')]
    assert "anthropic-overlapping-blocks" in rules_of(reading)


@pytest.mark.parametrize(
    "stream, blocks",
    [
        (piece(0, "text_delta", "One."), [("text", "One.", "truncated", "end")]),
        (opens(0, "text", text="") + piece(0, "text_delta", "One"), [("text", "One", "truncated", "end")]),
        (says(0, "One."), [("text", "One.", "complete", "explicit")]),
        (
            opens(0, "text", text="")
            + piece(0, "text_delta", "One")
            + event("error", error={"type": "x", "message": "m"}),
            [("text", "One", "truncated", "error"), ("error", "m", "complete", "explicit")],
        ),
        (
            opens(0, "text", text="") + piece(0, "text_delta", "One.") + ends(),
            [("text", "One.", "complete", "finish")],
        ),
        (says(0, "One. ") + piece(0, "text_delta", "Two.") + ends(), [("text", "One. Two.", "complete", "explicit")]),
        (
            opens(0, "text", text="")
            + piece(0, "thinking_delta", "hm")
            + piece(0, "text_delta", "One.")
            + closes(0)
            + ends(),
            [("text", "One.", "complete", "explicit")],
        ),
    ],
)
def test_blocks_that_do_not_end_well(stream: str, blocks: list[tuple[str, str, str, str]]) -> None:
    assert told(read_text(start() + stream)) == blocks


def test_a_cut_call_must_not_run() -> None:
    reading = read_text(start() + opens(0, "tool_use", **TOOL) + piece(0, "input_json_delta", '{"a": tru'))
    [call] = reading.blocks
    assert (call.state, call.fields["executable"], call.fields["arguments_json"]) == ("truncated", False, None)


def test_another_answer_in_the_same_body() -> None:
    first = start() + opens(0, "text", text="") + piece(0, "text_delta", "One")
    reading = read_text(first + start("msg_2") + says(0, "Two.") + ends())
    assert texts(reading) == [("text", "One"), ("text", "Two.")]
    assert "meta-generation-spliced" in rules_of(reading)
    one_after_the_other = read_text(start() + says(0, "One.") + ends() + start("msg_2") + says(0, "Two.") + ends())
    assert texts(one_after_the_other) == [("text", "One."), ("text", "Two.")]
    assert not rules_of(one_after_the_other)


def test_the_event_name_stands_in_for_a_missing_type() -> None:
    stream = WHOLE.replace('"type":"content_block_delta",', "")
    assert texts(read_text(stream)) == texts(read_text(WHOLE))


def test_nameless_events_are_read_all_the_same() -> None:
    bare = "\n".join(line for line in WHOLE.split("\n") if not line.startswith("event:"))
    assert texts(read_text(bare)) == texts(read_text(WHOLE))


@pytest.mark.parametrize("reason", FINISH)
def test_stop_reasons(reason: str) -> None:
    reading = read_text(start() + says(0, "One.") + ends(reason))
    assert [(entry["raw"], entry["reason"]) for entry in reading.finishes] == [(reason, FINISH[reason])]


def test_null_usage_erases_nothing() -> None:
    reading = read_text(start() + says(0, "One.") + ends(usage={"input_tokens": None, "output_tokens": 5}))
    assert reading.usage is not None
    assert (reading.usage["input"], reading.usage["output"]) == (20, 5)


@pytest.mark.parametrize(
    "rules, blocks, fails",
    [
        ({"index_as_position": "error"}, [], True),
        ({"index_as_position": "error-at-end"}, [("text", "One.")], True),
        ({"index_as_position": "drop"}, [], False),
        ({}, [("text", "One.")], False),
    ],
)
def test_readers_that_keep_blocks_in_a_list(rules: dict[str, str], blocks: list[tuple[str, str]], fails: bool) -> None:
    reading = read_text(start() + says(1, "One.") + ends(), ReadingRules(**rules))  # type: ignore[arg-type]
    assert texts(reading) == blocks
    assert (reading.client_error is not None) == fails


def test_a_reader_that_opens_a_block_for_what_does_not_fit() -> None:
    stream = start() + opens(0, "text", text="") + piece(0, "thinking_delta", "hm") + closes(0) + ends()
    assert texts(read_text(stream, ReadingRules(type_mismatch="open-block"))) == [("reasoning", "hm")]


def test_a_reader_that_needs_event_names_reads_nothing_without_them() -> None:
    bare = "\n".join(line for line in WHOLE.split("\n") if not line.startswith("event:"))
    assert read_text(bare, ReadingRules(named_event="required")).blocks == []


def test_a_message_that_was_not_streamed() -> None:
    content = [{"type": "text", "text": "One."}, {"type": "tool_use"} | TOOL | {"input": {"a": 1}}]
    message = {"type": "message", "role": "assistant", "content": content, "stop_reason": "tool_use"}
    kinds = [delta.kind for delta in decode(message)]
    assert kinds == ["role", "text.start", "text.delta", "noop", "tool.start", "tool.args", "noop", "finish"]


def test_a_finding_of_a_block_that_holds_nothing_names_no_block() -> None:
    reading = read_text(start() + opens(0, "text", text="") + says(1, "One.") + ends())
    found = {finding.rule: finding for finding in reading.findings}
    assert texts(reading) == [("text", "One.")]
    assert found["anthropic-block-not-closed"].block is None
