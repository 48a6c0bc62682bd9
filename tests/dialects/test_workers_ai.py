"""Workers AI: text under `response`, padding, whole calls, an end without a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector_app.core.reading import Reading
from tests.dialects.events import read_text, rules_of, texts, told

DONE = "data: [DONE]\n\n"


def chunk(response: Any = "", **fields: Any) -> str:
    return "data: " + json.dumps({"response": response, "p": "abcd"} | fields) + "\n\n"


def read(*parts: str) -> Reading:
    return read_text("".join(parts))


@pytest.mark.parametrize(
    ("parts", "blocks"),
    [
        ((chunk("Ja"), chunk("."), DONE), [("text", "Ja.")]),
        ((chunk("Room "), chunk(9), DONE), [("text", "Room 9")]),
        ((chunk(tool_calls=[{"name": "f", "arguments": {"a": 1}}]), DONE), [("tool_call", '{"a":1}')]),
        (
            (chunk(tool_calls=[{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]), DONE),
            [("tool_call", "{}")],
        ),
    ],
)
def test_blocks(parts: tuple[str, ...], blocks: list[Any]) -> None:
    reading = read(*parts)
    assert (reading.dialect, reading.marker, reading.clean) == ("workers-ai", "[DONE]", True)
    assert texts(reading) == blocks
    assert not reading.findings


def test_a_call_is_named() -> None:
    reading = read(chunk(tool_calls=[{"name": "f", "arguments": {}}]), chunk(tool_calls=[{"name": "g"}]), DONE)
    assert [block.fields["name"] for block in reading.blocks] == ["f", "g"]


def test_the_marker_is_the_end() -> None:
    assert told(read(chunk("Ja"), DONE)) == [("text", "Ja", "complete", "end")]
    cut = read(chunk("Ja"))
    assert told(cut) == [("text", "Ja", "truncated", "end")]
    assert not cut.clean
    assert "end-truncated" in rules_of(cut)
    assert "finish-missing" not in rules_of(cut)


def test_counts() -> None:
    usage = read(chunk("Ja"), chunk(usage={"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}), DONE).usage
    assert usage is not None
    assert [usage[key] for key in ("input", "output", "total")] == [3, 2, 5]


@pytest.mark.parametrize(
    "error", [{"error": {"message": "No"}}, {"success": False, "result": {}, "errors": [{"code": 7, "message": "No"}]}]
)
def test_errors(error: dict[str, Any]) -> None:
    reading = read(chunk("Ja"), "data: " + json.dumps(error) + "\n\n")
    assert [one["message"] for one in reading.errors] == ["No"]
    assert not reading.clean


def test_other_dialects_have_a_response_too() -> None:
    line = json.dumps({"model": "m", "created_at": "t", "response": "Ja", "done": False}) + "\n"
    assert read_text(line * 2).dialect == "ollama-generate"
