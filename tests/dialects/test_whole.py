"""The whole answer as one document: read again, it says what the stream said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.files import read_input
from inspector_app.lenses.run import read

KIT = load_kit()
ROOT = Path(__file__).parents[2]
NAMES = [name for name, module in KIT.dialects.items() if hasattr(module, "whole")]
NOT_READ = {"cohere-v2"}
RECORDINGS = [
    path
    for path in sorted([*(ROOT / "tests/dialects/recordings").iterdir(), *(ROOT / "recordings").iterdir()])
    if read(read_input(str(path))[0], KIT).dialect in NAMES
]


def said(reading: Reading, *kinds: str) -> dict[str, str]:
    """All that blocks of a kind say, by the kind."""
    return {kind: "".join(block.text for block in reading.blocks if block.kind == kind) for kind in kinds}


def calls(reading: Reading) -> list[Any]:
    return [
        (block.fields.get("name"), block.fields.get("arguments_json") if block.text else {})
        for block in reading.blocks
        if block.kind == "tool_call" and block.fields.get("tool_kind") == "function"
    ]


def test_the_dialects_that_clients_ask_for_no_stream_are_known() -> None:
    expected = {"openai-chat", "openai-responses", "anthropic-messages", "gemini", "ollama-chat", "cohere-v2"}
    assert expected | {"openai-completions", "ollama-generate"} == set(NAMES)
    assert {read(read_input(str(path))[0], KIT).dialect for path in RECORDINGS} == set(NAMES)


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.name.removesuffix(".rec.jsonl"))
def test_the_document_says_what_the_stream_said(path: Path) -> None:
    streamed = read(read_input(str(path))[0], KIT)
    if streamed.errors or streamed.dialect in NOT_READ:
        pytest.skip("an answer that failed has no document, and some documents are no streams to us")
    assert streamed.dialect_module is not None
    data = json.dumps(streamed.dialect_module.whole(streamed)).encode()
    again = read(Exchange("a.json", "json-body", MemoryBody(data)), KIT)
    assert again.dialect == streamed.dialect
    assert said(again, "text", "reasoning", "refusal") == said(streamed, "text", "reasoning", "refusal")
    assert calls(again) == calls(streamed)
    first = {finish["choice"]: finish["raw"] for finish in reversed(streamed.finishes)}
    assert {finish["choice"]: finish["raw"] for finish in again.finishes} == first
    if streamed.usage is not None:
        assert again.usage is not None
        assert (again.usage["input"], again.usage["output"]) == (streamed.usage["input"], streamed.usage["output"])


def test_a_document_of_cohere() -> None:
    streamed = read(read_input(str(ROOT / "tests/dialects/recordings/cohere-v2.rec.jsonl"))[0], KIT)
    whole = KIT.dialects["cohere-v2"].whole(streamed)
    message = whole["message"]
    assert (whole["id"], whole["finish_reason"]) == ("9c4c-demo", "TOOL_CALL")
    assert [part["type"] for part in message["content"]] == ["thinking", "text"]
    assert message["content"][1]["text"].startswith("Low water is at 06:41.")
    assert message["tool_plan"] == "I will look up the gates."
    assert [call["function"] for call in message["tool_calls"]] == [
        {"name": "gate_times", "arguments": '{"harbour": "North Quay"}'},
        {"name": "gate_log", "arguments": "{}"},
    ]


def test_an_empty_stream_is_a_document_too() -> None:
    for name in NAMES:
        reading = read(Exchange("a.sse", "sse-body", MemoryBody(b": nothing\n\n")), KIT, dialect=name)
        assert isinstance(json.loads(json.dumps(KIT.dialects[name].whole(reading))), dict)
