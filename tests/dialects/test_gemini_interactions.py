"""Gemini Interactions: steps, calls in pieces, calls of the server, statuses, errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inspector_app.core.reading import Reading
from inspector_app.files import read_input
from inspector_app.lenses.run import read as read_exchange
from tests.dialects.events import KIT, read_text, rules_of, texts, told

DONE = "data: [DONE]\n\n"


def event(kind: str, **fields: Any) -> str:
    return "data: " + json.dumps(fields | {"event_type": kind}) + "\n\n"


def start(index: int, kind: str, **fields: Any) -> str:
    return event("step.start", index=index, step={"type": kind} | fields)


def delta(index: int, kind: str, **fields: Any) -> str:
    return event("step.delta", index=index, delta={"type": kind} | fields)


def stop(index: int, **fields: Any) -> str:
    return event("step.stop", index=index, **fields)


def end(status: str = "completed", **fields: Any) -> str:
    return event("interaction.completed", interaction={"id": "i1", "status": status} | fields) + DONE


def read(*parts: str) -> Reading:
    return read_text(event("interaction.created", interaction={"id": "i1", "status": "in_progress"}) + "".join(parts))


THOUGHT = start(0, "thought"), delta(0, "thought_summary", content={"type": "text", "text": "Hm."}), stop(0)
TEXT = start(1, "model_output"), delta(1, "text", text="Ja"), delta(1, "text", text="."), stop(1)
CALL = start(2, "function_call", id="c1", name="f", arguments={}), stop(2)

EARLIER = event("content.start", index=0, content={"type": "text"})


def pieces(*texts: str) -> tuple[str, ...]:
    return CALL[0], *(delta(2, "arguments_delta", arguments=text) for text in texts), CALL[1]


@pytest.mark.parametrize(
    ("parts", "blocks"),
    [
        (THOUGHT + TEXT, [("reasoning", "Hm."), ("text", "Ja.")]),
        (pieces('{"a"', ":1}"), [("tool_call", '{"a":1}')]),
        (CALL, [("tool_call", "{}")]),
        ((start(0, "model_output", content=[{"type": "text", "text": "J"}]), delta(0, "text", text="a")), ["text Ja"]),
        ((start(0, "thought", summary=[{"type": "text", "text": "H"}]),), ["reasoning H"]),
        ((end(output_text="Ja."),), ["text Ja."]),
        ((end(steps=[{"type": "model_output", "content": [{"type": "text", "text": "Ja."}]}]),), ["text Ja."]),
        ((*TEXT, end(output_text="Ja.")), ["text Ja."]),
        ((start(0, "model_output"), delta(0, "image", data="QQ=="), stop(0)), ["media "]),
        ((start(0, "model_output"), delta(0, "audio", data="QQ=="), delta(0, "audio", data="Qg==")), ["media "]),
        ((start(0, "weather_report", sky="grey"), stop(0)), ["other "]),
        ((EARLIER, delta(0, "text", text="J").replace("step.", "content."), stop(0)), ["text J"]),
    ],
)
def test_blocks(parts: tuple[str, ...], blocks: list[Any]) -> None:
    found = texts(read(*parts))
    assert found == [tuple(block.split(" ", 1)) if isinstance(block, str) else block for block in blocks]


def test_a_step_ends_with_its_stop_and_not_before() -> None:
    reading = read(*THOUGHT, *TEXT, end())
    assert told(reading) == [
        ("reasoning", "Hm.", "complete", "explicit"),
        ("text", "Ja.", "complete", "explicit"),
    ]
    assert (reading.dialect, reading.marker, reading.clean) == ("gemini-interactions", "[DONE]", True)
    assert reading.blocks[0].fields["form"] == "summary"
    assert not reading.findings


def test_a_call_is_labelled() -> None:
    [block] = read(*pieces('{"a":1}'), end("requires_action")).blocks
    assert [block.fields[key] for key in ("id", "name", "tool_kind")] == ["c1", "f", "function"]
    assert block.fields["arguments_json"] == {"a": 1}


def test_signatures_stand_on_thoughts_and_calls() -> None:
    signed = delta(0, "thought_signature", signature=""), delta(0, "thought_signature", signature="S1")
    thought, call = read(
        THOUGHT[0], *signed, THOUGHT[2], start(2, "function_call", id="c", name="f", signature="S2")
    ).blocks
    assert (thought.fields["signature"], call.fields["signature"]) == ("S1", "S2")


def test_a_search_of_the_server_and_its_result() -> None:
    asked, found = {"queries": ["quay"]}, [{"url": "https://example.org"}]
    reading = read(
        start(0, "google_search_call", id="s", arguments={}),
        delta(0, "google_search_call", arguments=asked, signature="S"),
        stop(0),
        start(1, "google_search_result", call_id="s", result=[]),
        delta(1, "google_search_result", call_id="s", result=found),
        stop(1),
        end(),
    )
    call, result = reading.blocks
    assert [call.fields[key] for key in ("name", "tool_kind", "signature")] == ["google_search_call", "server", "S"]
    assert json.loads(call.text) == asked
    assert (result.kind, result.fields["id"], result.fields["result"]["result"]) == ("tool_result", "s", found)
    assert result.closed_by == "explicit"


def test_an_mcp_call_has_its_own_name() -> None:
    [call] = read(start(0, "mcp_server_tool_call", id="m", name="look", arguments={"a": 1}), stop(0)).blocks
    assert (call.fields["name"], call.fields["tool_kind"], call.text) == ("look", "mcp", '{"a":1}')


@pytest.mark.parametrize("kind", ["text_annotation", "text_annotation_delta"])
def test_annotations_belong_to_their_text(kind: str) -> None:
    one = {"type": "url_citation", "url": "https://example.org"}
    [block] = read(*TEXT[:2], delta(1, kind, annotations=[one]), TEXT[3]).blocks
    assert block.fields["citations"] == [one]


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("completed", "stop"),
        ("requires_action", "tool_calls"),
        ("incomplete", "length"),
        ("budget_exceeded", "length"),
        ("cancelled", "cancelled"),
        ("failed", "error"),
    ],
)
def test_statuses(status: str, reason: str) -> None:
    update = event("interaction.status_update", interaction_id="i1", status=status)
    for parts in ((end(status),), (update, DONE), (event("interaction." + status), DONE), (update, end(status))):
        reading = read(*TEXT, *parts)
        assert (reading.finishes[0]["raw"], reading.finishes[0]["reason"]) == (status, reason)
        assert "finish-repeated" not in rules_of(reading)


@pytest.mark.parametrize("status", ["in_progress", "queued"])
def test_a_status_on_the_way_ends_nothing(status: str) -> None:
    assert read(event("interaction.status_update", status=status), event("interaction." + status)).finishes == []


def test_the_last_count_is_the_count() -> None:
    usage = {"total_input_tokens": 5, "total_output_tokens": 2, "total_thought_tokens": 4, "total_tokens": 11}
    early = {"usage": {"total_input_tokens": 5, "total_output_tokens": 1, "total_tokens": 6}}
    reading = read(*TEXT[:3], stop(1, metadata=early), end(usage=usage))
    assert reading.usage is not None
    assert [reading.usage[key] for key in ("input", "output", "reasoning", "total")] == [5, 2, 4, 11]
    assert not reading.findings


@pytest.mark.parametrize(
    "part",
    [
        event("error", error={"code": "gateway_timeout", "message": "Deadline expired"}),
        "data: " + json.dumps({"error": {"code": 400, "message": "Deadline expired", "status": "BLOCKED"}}) + "\n\n",
        json.dumps({"error": {"code": 400, "message": "Deadline expired"}}) + "\n\n",
        event("interaction.failed", interaction={"status": "failed", "error": {"message": "Deadline expired"}}),
    ],
)
def test_errors_framed_or_bare(part: str) -> None:
    reading = read(*TEXT[:2], part)
    assert [error["message"] for error in reading.errors] == ["Deadline expired"]
    assert (reading.dialect, reading.clean) == ("gemini-interactions", False)
    assert reading.blocks[0].state == "truncated"


def test_without_its_marker() -> None:
    reading = read(*TEXT, event("interaction.completed", interaction={"id": "i1", "status": "completed"}))
    assert "end-marker-missing" in rules_of(reading)


def test_cut_inside_a_call() -> None:
    reading = read(*pieces('{"a"')[:2])
    assert "end-truncated" in rules_of(reading)
    assert (reading.blocks[0].state, reading.blocks[0].fields["executable"]) == ("truncated", False)


def test_recorded_bodies(shared: Path) -> None:
    """Text and calls as the naive reader has them; it does not know thought summaries."""
    rows = [json.loads(line) for line in (shared / "corpus" / "index.jsonl").read_text("utf-8").splitlines()]
    mine = [row for row in rows if row["dialect"] == "gemini-interactions"]
    for row in mine:
        reading = read_exchange(read_input(str(shared / "corpus" / row["file"]))[0], KIT)
        assert reading.dialect == "gemini-interactions"
        assert sum(len(block.text) for block in reading.blocks if block.kind == "text") == row["text_chars"]
        assert [block.fields["name"] for block in reading.blocks if block.kind == "tool_call"] == row["tools"]
        assert any(block.kind == "reasoning" and block.fields.get("signature") for block in reading.blocks)
        assert reading.finishes
        assert reading.usage
        assert not [finding for finding in reading.findings if finding.severity == "error"]
