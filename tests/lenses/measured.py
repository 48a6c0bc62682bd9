"""The rules of ten clients that were measured: all that is known of them beyond the reference (dialects.md 22.2)."""

from __future__ import annotations

from typing import Any

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
