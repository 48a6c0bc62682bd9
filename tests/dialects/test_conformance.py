"""What holds for every dialect: it is pure, raises on nothing, drops nothing, and points at what it read."""

from __future__ import annotations

import copy
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.json_text import parse
from inspector_app.core.kit import load_kit
from inspector_app.core.resources import resource
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.files import read_input
from inspector_app.lenses.run import read

KIT = load_kit()
DIALECTS = [pytest.param(module, id=name) for name, module in KIT.dialects.items()]
STREAMS = Path(__file__).parents[1] / "findings" / "streams"

KINDS = frozenset(
    [
        "stream.start",
        "stream.meta",
        "role",
        "text.start",
        "text.delta",
        "text.end",
        "reasoning.start",
        "reasoning.delta",
        "reasoning.end",
        "reasoning.signature",
        "reasoning.encrypted",
        "reasoning.redacted",
        "refusal.delta",
        "tool.start",
        "tool.name",
        "tool.args",
        "tool.args.patch",
        "tool.end",
        "tool.result",
        "citation",
        "media.start",
        "media.delta",
        "media.end",
        "logprobs",
        "filter",
        "usage",
        "finish",
        "error",
        "step.start",
        "step.end",
        "state",
        "progress",
        "keepalive",
        "padding",
        "stream.end",
        "noop",
        "absent",
        "unknown",
    ]
)
"""The vocabulary of dialects.md section 4, and `absent` for a content key that is there and empty."""

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
NAMES = st.sampled_from(
    [
        "id",
        "object",
        "model",
        "created",
        "choices",
        "index",
        "delta",
        "message",
        "content",
        "text",
        "role",
        "refusal",
        "reasoning",
        "reasoning_content",
        "reasoning_details",
        "thinking_blocks",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "type",
        "finish_reason",
        "usage",
        "error",
        "code",
        "logprobs",
        "audio",
        "images",
        "annotations",
        "data",
        "signature",
        "summary",
        "thinking",
        "x_groq",
        "base_resp",
        "function_call",
    ]
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES | st.text(max_size=4), inner, max_size=5),
    max_leaves=24,
)
CHUNKS = st.fixed_dictionaries(
    {"choices": st.lists(st.fixed_dictionaries({"index": SCALARS, "delta": JSON, "finish_reason": JSON}), max_size=3)},
    optional={"usage": JSON, "error": JSON, "object": JSON, "x_groq": JSON, "id": JSON},
)


def at(value: Any, pointer: str) -> Any:
    """What a JSON Pointer points at; raises where it points at nothing."""
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def check(module: ModuleType, payload: Any) -> list[Delta]:
    before = copy.deepcopy(payload)
    deltas: list[Delta] = module.decode(payload, None)
    assert payload == before
    assert module.decode(payload, None) == deltas
    assert module.evidence(payload, None) in (0, 1, 2)
    for delta in deltas:
        assert delta.kind in KINDS
        at(payload, delta.pointer)
        if delta.kind in ("text.delta", "reasoning.delta", "refusal.delta"):
            assert isinstance(delta.value, str)
            assert delta.value
    return deltas


@pytest.mark.parametrize("module", DIALECTS)
@given(payload=JSON | CHUNKS)
def test_any_json_is_decoded_without_a_fault(module: ModuleType, payload: Any) -> None:
    check(module, payload)
    if isinstance(payload, dict):
        assert set(payload) <= set(module.keys(payload))
        module.provider(payload)


@pytest.mark.parametrize("module", DIALECTS)
def test_what_it_is_called_and_what_it_reads(module: ModuleType) -> None:
    assert module.NAME
    assert module.TITLE
    assert isinstance(module.reads("some.field.of.nobody", ReadingRules()), bool)


def recordings() -> list[Path]:
    return [*sorted(resource("recordings").glob("*.rec.jsonl")), *sorted(STREAMS.glob("*/*.sse"))]


def test_no_string_of_a_recording_is_lost() -> None:
    """Every text in a delta of a recorded chunk comes back in some statement of its event."""
    lost = []
    for path in recordings():
        for exchange in read_input(str(path)):
            reading = read(exchange, KIT)
            module = reading.dialect_module
            if module is None:
                continue
            for n in range(len(reading.events)):
                for value in parse(reading.data(n) or b"").values:
                    said = repr([delta.value for delta in check(module, value)])
                    lost += [(path.name, n, text) for text in _texts(value) if repr(text)[1:-1] not in said]
    assert lost == []


def _texts(payload: Any) -> list[str]:
    """The strings in the deltas of a Chat chunk that are content."""
    out = []
    for choice in payload.get("choices") or [] if isinstance(payload, dict) else []:
        delta = choice.get("delta") if isinstance(choice, dict) else None
        for key, value in delta.items() if isinstance(delta, dict) else ():
            if key in ("content", "reasoning", "reasoning_content", "refusal") and isinstance(value, str) and value:
                out.append(value)
    return out
