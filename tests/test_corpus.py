"""Recorded bodies of real providers against a naive second reader; every difference left is explained here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.files import read_input
from inspector_app.lenses.run import read

DIALECTS = {
    "openai-chat": "openai-chat",
    "anthropic": "anthropic-messages",
    "openai-responses": "openai-responses",
    "openai-completions": "openai-completions",
    "openai-assistants": "openai-assistants",
    "openai-audio": "openai-audio",
    "replicate": "replicate",
    "watsonx": "watsonx",
}
"""Names of the index, and ours."""

BY_NAME = frozenset({"openai-assistants", "openai-audio", "replicate", "watsonx"})
"""Dialects that the naive reader knows by name alone: it reads none of their text."""

EXPLAINED = {
    "pydantic__pydantic-ai/test_groq__test_groq_model_thinking_part_iter.sse": (
        "the thought stands between <think> tags inside the text; the naive reader counts it as text"
    ),
    "pydantic__pydantic-ai/test_huggingface__test_hf_model_thinking_part_iter.sse": (
        "the thought stands between <think> tags inside the text; the naive reader counts it as text"
    ),
    "social-growth-studio__req_llm/openrouter__meta_llama_llama_3_3_70b_instruct_free__object_streaming.sse": (
        "the only event is an error without choices; no byte says which dialect it was to be, the index knows the URL"
    ),
    "vercel__ai/openai__responses__openai-mcp-tool-approval.3.jsonl": (
        "the model calls a tool and waits for leave (mcp_approval_request); the naive reader knows only calls that run"
    ),
    "vercel__ai/openai__responses__openai-phase.1.jsonl": (
        "most deltas were cut out of this log; the ends give the whole text, and that counts (R44)"
    ),
    "vercel__ai/xai__responses__xai-web-search-tool.1.jsonl": (
        "this search has a name of its own; the naive reader names it by its item type"
    ),
}
"""File -> which reader is right, and why. Where both agree there is no row."""


def differences(folder: Path) -> dict[str, str]:
    kit = load_kit()
    out = {}
    for line in (folder / "index.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["dialect"] not in DIALECTS or row["kind"] != "stream" or row.get("multi_response"):
            continue
        reading = read(read_input(str(folder / row["file"]))[0], kit)
        have = {
            "dialect": reading.dialect,
            "text_chars": sum(len(block.text) for block in reading.blocks if block.kind == "text"),
            "reasoning_chars": sum(len(block.text) for block in reading.blocks if block.kind == "reasoning"),
            "tools": sorted(block.fields["name"] or "" for block in reading.blocks if block.kind == "tool_call"),
        }
        tools = sorted(tool if isinstance(tool, str) else tool.get("name") or "" for tool in row.get("tools") or [])
        for key, value in have.items() if row["dialect"] not in BY_NAME else [("dialect", reading.dialect)]:
            wanted = tools if key == "tools" else DIALECTS[row["dialect"]] if key == "dialect" else row.get(key)
            if wanted is not None and value != wanted:
                out.setdefault(row["file"], f"{key}: {value}, naive reader {wanted}")
    return out


def test_every_difference_from_the_naive_reader_is_explained(shared: Path) -> None:
    folder = shared / "corpus"
    if not folder.is_dir():
        pytest.skip("the recorded bodies are not here")
    assert differences(folder).keys() == EXPLAINED.keys()
