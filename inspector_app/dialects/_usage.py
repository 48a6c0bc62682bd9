"""Token counts under the names of every Chat-compatible vendor, as one set of names (R35 to R37)."""

from __future__ import annotations

from typing import Any

_NAMES: dict[str, tuple[tuple[str, ...], ...]] = {
    "input": (("prompt_tokens",), ("input_tokens",)),
    "output": (("completion_tokens",), ("output_tokens",)),
    "reasoning": (
        ("completion_tokens_details", "reasoning_tokens"),
        ("output_tokens_details", "reasoning_tokens"),
        ("reasoning_tokens",),
    ),
    "cache_read": (
        ("prompt_tokens_details", "cached_tokens"),
        ("input_tokens_details", "cached_tokens"),
        ("prompt_token_details", "cached_tokens"),
        ("prompt_cache_hit_tokens",),
        ("cached_tokens",),
        ("cache_read_input_tokens",),
    ),
    "cache_write": (("prompt_tokens_details", "cache_write_tokens"), ("cache_creation_input_tokens",)),
    "total": (("total_tokens",),),
}


def normalize_usage(raw: dict[str, Any]) -> dict[str, int | None]:
    """The six counts of the contract, None where the wire has no whole number."""
    return {name: next(_found(raw, paths), None) for name, paths in _NAMES.items()}


def _found(raw: dict[str, Any], paths: tuple[tuple[str, ...], ...]) -> Any:
    for path in paths:
        value: Any = raw
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, int) and not isinstance(value, bool):
            yield value
        elif isinstance(value, float) and value.is_integer():
            yield int(value)


def cohere_usage(raw: dict[str, Any]) -> dict[str, int | None]:
    """The six counts out of Cohere's `tokens`, else `billed_units`: what was billed leaves out its own prompts."""
    value: dict[str, int | None] = dict.fromkeys((*_NAMES,))
    for name in ("billed_units", "tokens"):
        counts = raw[name] if type(raw.get(name)) is dict else {}
        for key, own in (("input", "input_tokens"), ("output", "output_tokens")):
            if type(counts.get(own)) is int or (type(counts.get(own)) is float and counts[own].is_integer()):
                value[key] = int(counts[own])
    if type(raw.get("cached_tokens")) is int:
        value["cache_read"] = raw["cached_tokens"]
    return value
