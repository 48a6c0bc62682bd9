"""Ten clients that were measured, each as nothing but rules, against what they really made of the shared cases."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.rules import from_mapping
from inspector_app.files import read_input
from inspector_app.lenses import Lens
from inspector_app.lenses.run import read, read_as
from inspector_app.report.outline import finish

KIT = load_kit()

PYTHON_SDK: dict[str, Any] = {
    "bom": "kept", "blank_fires": ["event", "id", "retry"], "dangling": "drop", "bad_json": "throw",
    "bare_error_line": "ignored", "error_key": "throw", "repairs": [],
}  # fmt: skip
"""What the clients on the decoder of the Python SDKs have in common."""

OVER_OPENAI_PYTHON = PYTHON_SDK | {"empty_data": "parse", "done": "prefix", "finish_pick": "last"}

CLIENTS: dict[str, dict[str, Any]] = {
    "openai-python-helper-3.57": OVER_OPENAI_PYTHON | {
        "not_sse": "error", "delta_missing": "error-if-finish",
        "reasoning_fields": ["reasoning_content", "reasoning", "reasoning_text"], "reasoning_pick": "first",
        "block_form": "slots", "think_tags": "literal", "content_types": "string", "extras": ["signature"],
        "tool_key": "index", "index_as_position": "error", "id_policy": "concat", "name_policy": "concat",
        "empty_args": "text", "finish_raises": ["length", "content_filter"],
        "stops_on": {
            "tool-index-missing": "TypeError: list indices must be integers or slices, not NoneType",
            "choice-null": "TypeError",
        },
    },
    "openai-node-helper-6.49": {
        "blank_fires": ["event"], "empty_data": "parse", "dangling": "drop", "not_sse": "error", "done": "prefix",
        "bad_json": "throw", "bare_error_line": "ignored", "error_key": "throw",
        "reasoning_fields": ["reasoning_content", "reasoning", "reasoning_text"], "reasoning_pick": "first",
        "reasoning_join": "last", "block_form": "slots", "think_tags": "literal", "content_types": "js-text",
        "extras": [], "tool_key": "index", "index_missing": "drop", "index_as_position": "error-at-end",
        "id_policy": "last", "name_policy": "last", "missing_id": "made-up", "args_object": "js-text",
        "empty_args": "text", "missing_finish": "error", "finish_pick": "last", "repairs": [],
        "parts_on": {"tool-type-missing": "missing type"}, "stops_on": {"choice-null": "TypeError"},
    },
    "ai-sdk-openai-compatible-2.0.92": {
        "final_cr": "held", "empty_data": "parse", "dangling": "drop", "not_sse": "error", "done": "ignored",
        "bad_json": "part", "bare_error_line": "ignored", "error_key": "part", "choice": "by-position-0",
        "legacy_call": "ignored", "reasoning_fields": ["reasoning_content", "reasoning", "content_parts"],
        "reasoning_pick": "first", "text_end": "reasoning", "think_tags": "literal", "refusal": "text", "extras": [],
        "tool_key": "index-name", "index_not_integer": "part", "name_policy": "first", "missing_id": "made-up",
        "missing_name": "skip-empty", "missing_finish": "error", "finish_pick": "last", "repairs": [],
        "skips_on": ["tool-args-object", "reasoning-non-string", "choice-null"],
        "parts_on": {
            "tool-args-object": "AI_TypeValidationError", "reasoning-non-string": "AI_TypeValidationError",
            "choice-null": "AI_TypeValidationError",
        },
    },
    "pydantic-ai-2.68": OVER_OPENAI_PYTHON | {
        "not_sse": "error", "choice": "by-position-0", "delta_missing": "skip", "legacy_call": "ignored",
        "reasoning_fields": ["reasoning_content", "reasoning"], "reasoning_pick": "first",
        "think_tags": "exact-delta", "refusal": "lost", "extras": [], "tool_key": "index", "id_policy": "last",
        "name_policy": "concat", "missing_id": "made-up", "empty_args": "text", "usage": "sum",
    },
    "litellm-1.110": OVER_OPENAI_PYTHON | {
        "not_sse": "nothing", "reasoning_fields": ["reasoning_content", "reasoning"], "reasoning_pick": "first",
        "block_form": "slots", "think_tags": "literal", "content_types": "string", "refusal": "lost", "extras": [],
        "tool_key": "index", "index_missing": "zero", "id_policy": "last", "name_policy": "last",
        "missing_id": "drop-call", "missing_finish": "error", "finish_default": "stop",
        "finish_rewrite": "tool-calls",
    },
    "sse-devtools-panel-1.2": {
        "dangling": "flush", "bad_json": "skip", "bare_error_line": "ignored", "error_key": "ignored",
        "choice": "merged", "message": "appended", "legacy_call": "ignored",
        "reasoning_fields": ["reasoning_content", "reasoning"], "reasoning_pick": "first", "block_form": "slots",
        "think_tags": "literal", "content_types": "string", "refusal": "lost", "extras": [], "tool_key": "index",
        "index_missing": "zero", "id_policy": "non-null-overwrite", "name_policy": "concat", "args_object": "drop",
        "empty_args": "text", "finish_pick": "last", "repairs": [],
    },
    "anthropic-python-helper-2.14": PYTHON_SDK | {
        "named_event": "required", "index_as_position": "error", "args_parse": "partial", "empty_turn": "error",
        "empty_turn_error": "AssertionError",
        "stops_on": {"usage-missing": "AttributeError: 'NoneType' object has no attribute 'output_tokens'"},
    },
    "anthropic-node-helper-1.14": {
        "dangling": "drop", "end_marker": "error", "named_event": "required", "bad_json": "throw",
        "bare_error_line": "ignored", "error_key": "throw", "index_as_position": "drop", "args_parse": "partial",
        "empty_turn": "error", "empty_turn_error": "request ended without sending any chunks", "repairs": [],
        "stops_on": {
            "usage-missing": "Cannot read properties of undefined (reading 'output_tokens')",
            "anthropic-message-start-repeated": "Unexpected event order",
            "meta-generation-spliced": "Unexpected event order",
        },
    },
    "ai-sdk-anthropic-3.0": {
        "final_cr": "held", "empty_data": "parse", "dangling": "drop", "end_marker": "holds-finish",
        "bad_json": "part", "bare_error_line": "ignored", "error_key": "part", "extras": ["signature"],
        "type_mismatch": "open-block", "repairs": ["anthropic-block-not-started"],
        "skips_on": ["usage-missing", "meta-unknown-value"],
        "parts_on": {
            "usage-missing": "AI_TypeValidationError", "meta-unknown-value": "AI_TypeValidationError",
            "anthropic-block-not-started": "text part not found",
            "anthropic-block-type-mismatch": "text part not found",
        },
    },
    "google-genai-3.6": {
        "dangling": "drop", "not_sse": "error", "bad_json": "throw", "extras": [], "repairs": [],
        "skips_on": ["sse-comment", "sse-event-name-mismatch", "sse-no-space"],
        "stops_on": {
            "sse-comment": "UnknownApiResponseError", "sse-event-name-mismatch": "UnknownApiResponseError",
            "sse-no-space": "UnknownApiResponseError",
        },
    },
}  # fmt: skip
"""Client -> the rules in which it differs from the reference. Nothing else is known of it."""

DIFFERENT: dict[tuple[str, str], str] = {}
"""(client, case) -> why the rules cannot say what the client did."""


def lens(name: str, dialect: str) -> Lens:
    rules = from_mapping(CLIENTS[name], name)
    return Lens(name, name, "sdk", (dialect,), "measured", "run", "measured", rules, Path(name))


@cache
def reference(path: Path) -> Reading:
    return read(read_input(str(path))[0], KIT)


def rows(folder: Path) -> list[tuple[dict[str, Any], Path, str]]:
    """What was measured on the cases whose dialect is read: row, body, dialect."""
    index = {row["id"]: row for row in map(json.loads, (folder / "index.jsonl").read_text("utf-8").splitlines())}
    out = []
    for row in map(json.loads, (folder / "clients.jsonl").read_text("utf-8").splitlines()):
        case = index[row["case"]]
        dialect = json.loads((folder / case["expect"]).read_text("utf-8"))["dialect"]
        if dialect in KIT.dialects:
            out.append((row, folder / case["file"], dialect))
    return out


def difference(row: dict[str, Any], path: Path, dialect: str) -> str:
    """What the lens reads otherwise than the client did; empty when they agree."""
    client = lens(row["lens"], dialect)
    reading = read_as(client, reference(path), KIT)
    have = [_plain(block.kind, block.fields, block.text) for block in reading.blocks if block.kind != "error"]
    want = [_plain(block["kind"], block, block.get("text", block.get("arguments"))) for block in row["blocks"]]
    if row["order"] == "none":
        have.sort(key=lambda block: block[0])
        want.sort(key=lambda block: block[0])
    # An id that the client made up is its own.
    wire = path.read_text("utf-8", "replace")
    want = [
        (kind, None if have_id is None and call_id and call_id not in wire else call_id, *rest)
        for (kind, call_id, *rest), (_, have_id, *_) in zip(want, [*have, *[("", "", "", "")] * len(want)])
    ]
    if have != want:
        return f"blocks {have}, measured {want}"
    finished = next((entry["raw"] for entry in finish(reading) if entry["choice"] == 0), None)
    if finished != row["finish"]:
        return f"finish {finished}, measured {row['finish']}"
    if (reading.client_error is None) != (row["error"] is None):
        return f"error {reading.client_error}, measured {row['error']}"
    return ""


def _plain(kind: str, fields: dict[str, Any], text: Any) -> tuple[Any, ...]:
    """A block as it is compared: arguments parsed where they parse, since clients print them again."""
    if kind != "tool_call":
        return kind, None, None, text
    try:
        text = json.loads(text) if isinstance(text, str) else text
    except ValueError:
        pass
    return kind, fields["id"], fields["name"], text


def test_every_measured_row_is_what_the_rules_say(shared: Path) -> None:
    measured = rows(shared / "cases")
    assert measured
    found = {(row["lens"], row["case"]): difference(row, path, dialect) for row, path, dialect in measured}
    wrong = {key: words for key, words in found.items() if words}
    assert {key: words for key, words in wrong.items() if key not in DIFFERENT} == {}
    assert wrong.keys() == DIFFERENT.keys()


@pytest.mark.parametrize("name", CLIENTS)
def test_the_rules_of_every_client_are_known(name: str) -> None:
    rules = from_mapping(CLIENTS[name], name)
    for rule in (*rules.skips_on, *rules.parts_on, *rules.stops_on):
        family = rule.partition("-")[0]
        assert rule in KIT.rules or family in ("anthropic", "meta", "usage")
