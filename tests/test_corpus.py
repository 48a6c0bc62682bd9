"""Recorded bodies of real providers against a naive second reader; every difference left is explained here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.files import read_input
from inspector_app.lenses.run import read

ALIASES = {"anthropic": "anthropic-messages"}
"""Names of the index that are not ours."""

NOT_KNOWN = "the naive reader does not know this form and counts nothing"

EXPLAINED = {
    "pydantic__pydantic-ai/test_groq__test_groq_model_thinking_part_iter.sse": (
        "the thought stands between <think> tags inside the text; the naive reader counts it as text"
    ),
    "pydantic__pydantic-ai/test_huggingface__test_hf_model_thinking_part_iter.sse": (
        "the thought stands between <think> tags inside the text; the naive reader counts it as text"
    ),
    **dict.fromkeys(
        (
            (
                "crmne__ruby_llm/transcription_basic_functionality_openai_gpt-4o-tr~eams_text_deltas_and_returns_the_final_"
                "transcription-1fc30f.sse"
            ),
            (
                "traceloop__openllmetry/opentelemetry-instrumentation-openai__test_assistant__test_streaming_new_assistant."
                "4.sse"
            ),
            (
                "traceloop__openllmetry/opentelemetry-instrumentation-openai__test_assistant__test_streaming_new_assistant_"
                "with_events_with_content.4.sse"
            ),
            (
                "traceloop__openllmetry/opentelemetry-instrumentation-openai__test_assistant__test_streaming_new_assistant_"
                "with_events_with_no_content.4.sse"
            ),
            (
                "traceloop__openllmetry/opentelemetry-instrumentation-replicate__test_llama__test_replicate_llama_stream_"
                "legacy.1.sse"
            ),
            (
                "traceloop__openllmetry/opentelemetry-instrumentation-watsonx__metrics__test_watsonx_metrics__test_generate_"
                "stream_metrics.6.sse"
            ),
            (
                "traceloop__openllmetry-js/instrumentation-bedrock__Test-Cohere-with-AWS-Bedr~an-for-given-prompt-with-"
                "streaming-result_3091204960-4ca2f3.bin"
            ),
            (
                "Arize-ai__openinference/openinference-instrumentation-bedrock-agent-runtim~entation-integration-agent-"
                "attributes-and_3073832749-5ef9db.bin"
            ),
        ),
        NOT_KNOWN,
    ),
    "Arize-ai__openinference/openinference-instrumentation-google-genai__test_i~trumentation__test_interactions_with_"
    "thinking_stream-0e394c.sse": "the thoughts come as summaries of a step; the naive reader knows no such step",
    "pydantic__pydantic-ai/test_xai__test_xai_builtin_mcp_server_tool_stream.xai.jsonl": (
        "what the tools of the server gave is their result; the naive reader counts it as text of the answer"
    ),
    "pydantic__pydantic-ai/xai__test_attachment_search__test_xai_attachment_search_stream.xai.jsonl": (
        "what the tools of the server gave is their result; the naive reader counts it as text of the answer"
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
    """File -> where the index and our reading differ; of a file of several answers all count together."""
    kit = load_kit()
    out = {}
    for line in (folder / "index.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        dialect = ALIASES.get(row["dialect"], row["dialect"])
        if dialect not in kit.names or row["kind"] != "stream":
            continue
        readings = [read(exchange, kit) for exchange in read_input(str(folder / row["file"]))]
        blocks = [block for reading in readings for block in reading.blocks]
        have = {
            "dialect": {reading.dialect for reading in readings},
            "text_chars": sum(len(block.text) for block in blocks if block.kind == "text"),
            "reasoning_chars": sum(len(block.text) for block in blocks if block.kind == "reasoning"),
            "tools": sorted(block.fields["name"] or "" for block in blocks if block.kind == "tool_call"),
        }
        tools = sorted(tool if isinstance(tool, str) else tool.get("name") or "" for tool in row.get("tools") or [])
        for key, value in have.items():
            wanted = tools if key == "tools" else {dialect} if key == "dialect" else row.get(key)
            if wanted is not None and value != wanted:
                out.setdefault(row["file"], f"{key}: {value}, naive reader {wanted}")
    return out


def test_every_difference_from_the_naive_reader_is_explained(shared: Path) -> None:
    folder = shared / "corpus"
    if not folder.is_dir():
        pytest.skip("the recorded bodies are not here")
    found = differences(folder)
    assert {file: why for file, why in found.items() if file not in EXPLAINED} == {}
    assert EXPLAINED.keys() - found.keys() == set()


def test_every_dialect_of_the_index_is_one_that_is_read(shared: Path) -> None:
    folder = shared / "corpus"
    if not folder.is_dir():
        pytest.skip("the recorded bodies are not here")
    rows = [json.loads(line) for line in (folder / "index.jsonl").read_text("utf-8").splitlines()]
    names = {ALIASES.get(row["dialect"], row["dialect"]) for row in rows if row["kind"] == "stream"}
    assert names - load_kit().names.keys() == {"unknown", "non-llm-sse"}
