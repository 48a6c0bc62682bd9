"""What holds for every dialect: it is pure, raises on nothing, drops nothing, and points at what it read."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector_app.core.analysis import Analysis
from inspector_app.core.diagnosis import shape_of
from inspector_app.core.identity import keys_of
from inspector_app.core.json_text import parse
from inspector_app.core.kit import load_kit
from inspector_app.core.parts import FAULTS
from inspector_app.core.reading import Reading
from inspector_app.core.resources import resource
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta, Exchange, MemoryBody
from inspector_app.files import read_input
from inspector_app.lenses.run import read
from inspector_app.report.outline import ledger

KIT = load_kit()
DIALECTS = [pytest.param(module, id=name) for name, module in KIT.dialects.items()]
FEW = settings(max_examples=30)
"""Of each dialect; there are dozens."""
STREAMS = Path(__file__).parents[1] / "findings" / "streams"
OWN = Path(__file__).parent / "recordings"

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
@FEW
@given(payload=JSON | CHUNKS)
def test_any_json_is_decoded_without_a_fault(module: ModuleType, payload: Any) -> None:
    check(module, payload)
    if isinstance(payload, dict):
        assert set(payload) <= set(keys_of(payload, module))
        module.provider(payload)


@pytest.mark.parametrize("module", DIALECTS)
def test_what_it_is_called_and_what_it_reads(module: ModuleType) -> None:
    assert module.NAME
    assert module.TITLE
    assert isinstance(module.reads("some.field.of.nobody", ReadingRules()), bool)


REASONS = frozenset({"stop", "tool_calls", "length", "content_filter", "pause", "error", "cancelled"})
"""Normalized finish reasons (dialects.md section 20)."""

TABLES: dict[str, Callable[[Any], bool]] = {
    "FINISH": lambda table: all(key == key.lower() and value in REASONS for key, value in table.items()),
    "META": lambda table: all(isinstance(path, tuple) and path for path in table.values()),
    "PADDING": lambda table: isinstance(table, frozenset),
    "NAMED_EVENTS": lambda table: isinstance(table, frozenset),
    "TEXT_EVENTS": lambda table: isinstance(table, frozenset),
    "NAMED_BY": lambda key: isinstance(key, str),
    "MARKERS": lambda table: all(isinstance(marker, bytes) for marker in table),
    "IGNORED_MARKERS": lambda table: table <= set(KIT.markers),
    "END_MARKER": lambda marker: isinstance(marker, str),
    "COUNTER": lambda key: isinstance(key, str),
    "COUNTER_RULE": lambda rule: rule in KIT.rules,
    "FAULTS": lambda table: _faults(table) <= FAULTS and set(table.values()) <= set(KIT.rules),
    "CHOICES": lambda value: value is True,
    "PROMISES_USAGE": lambda value: value is True,
    "SIGNS_REASONING": lambda value: value is True,
    "BY_DESIGN": lambda table: table <= set(KIT.rules),
    "ENDS_WITHOUT_FINISH": lambda table: isinstance(table, frozenset),
}
"""What a dialect may say of itself, and what makes it well formed."""

REQUIRED = {"NAME", "TITLE"}


def _faults(table: dict[Any, str]) -> set[Any]:
    """The faults of a table, without the kinds of block that some are for."""
    return {key[0] if isinstance(key, tuple) else key for key in table}


@pytest.mark.parametrize("module", DIALECTS)
def test_tables_are_well_formed(module: ModuleType) -> None:
    said = {name for name in vars(module) if name.isupper() and not name.startswith("_")}
    assert said >= REQUIRED
    for name in said & TABLES.keys():
        assert TABLES[name](getattr(module, name)), name
    assert ("COUNTER" in said) == ("COUNTER_RULE" in said)


@cache
def recordings(name: str = "") -> tuple[Path, ...]:
    """Recordings that the dialect of this name speaks in, all without a name."""
    everywhere = (*sorted(resource("recordings").glob("*.rec.jsonl")), *sorted(OWN.glob("*.rec.jsonl")))
    return tuple(path for path in everywhere if not name or dialect_of(path) == name)


@cache
def dialect_of(path: Path) -> str:
    return read_path(path).dialect


def read_path(path: Path) -> Reading:
    return read(read_input(str(path))[0], KIT)


@pytest.mark.parametrize("module", DIALECTS)
def test_there_is_a_recording(module: ModuleType) -> None:
    assert recordings(module.NAME)


def essence(reading: Reading) -> object:
    blocks = [(b.kind, b.state, b.closed_by, b.closed_at, b.text, list(b.deltas)) for b in reading.blocks]
    findings = [(f.rule, f.message, f.count, f.places, list(f.events), f.pointer) for f in reading.findings]
    return reading.dialect, reading.marker, blocks, list(reading.delta_blocks), reading.usage, findings


@pytest.mark.parametrize("module", DIALECTS)
def test_where_the_reads_end_changes_nothing(module: ModuleType) -> None:
    path = recordings(module.NAME)[0]
    [exchange] = read_input(str(path))
    body = exchange.body.slice(0, len(exchange.body))
    whole = essence(read_path(path))
    for size in (1, 13, 4096):
        analysis = Analysis(exchange, KIT)
        for start in range(0, len(body), size):
            analysis.feed(body[start : start + size])
        assert essence(analysis.finish()) == whole


@pytest.mark.parametrize("module", DIALECTS)
def test_every_delta_leads_to_its_block_and_back(module: ModuleType) -> None:
    reading = read_path(recordings(module.NAME)[0])
    for block in reading.blocks:
        for number, fragment in zip(block.deltas, block.fragments, strict=True):
            n = reading.event_of_delta(number)
            delta = reading.deltas(n)[number - reading.deltas_of(n)[0]]
            assert reading.delta_blocks[number] >= 0
            if isinstance(delta.value, str) and fragment:
                assert fragment in delta.value


@pytest.mark.parametrize("module", DIALECTS)
@FEW
@given(data=st.data())
def test_a_payload_with_something_odd_in_it_is_decoded_without_a_fault(module: ModuleType, data: st.DataObject) -> None:
    payload = copy.deepcopy(data.draw(st.sampled_from(payloads(module.NAME))))
    node, depth = payload, 0
    while depth < 6 and isinstance(node, dict | list) and node:
        key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        if isinstance(node[key], dict | list) and node[key] and data.draw(st.booleans()):
            node, depth = node[key], depth + 1
            continue
        if data.draw(st.booleans()) and isinstance(node, dict):
            del node[key]
        else:
            node[key] = data.draw(JSON)
        break
    check(module, payload)
    recorded = events(module.NAME)
    place = data.draw(st.integers(0, len(recorded)))
    odd = f"data: {json.dumps(payload)}\n\n".encode()
    read(Exchange("-", "sse-body", MemoryBody(b"".join([*recorded[:place], odd, *recorded[place:]]))), KIT)


@cache
def events(name: str) -> list[bytes]:
    """The events of the recording of a dialect, cut in the middle of the body where they are many."""
    body = read_path(recordings(name)[0]).body
    return [part + b"\n\n" for part in body.slice(0, len(body)).split(b"\n\n")[:90] if part]


@cache
def payloads(name: str) -> list[dict[str, Any]]:
    """One payload of each shape and type in the recordings of a dialect."""
    found: dict[str, dict[str, Any]] = {}
    for path in recordings(name):
        reading = read_path(path)
        for n in range(len(reading.events)):
            for value in parse(reading.text(n) or b"").values:
                if isinstance(value, dict):
                    found.setdefault(f"{value.get('type')} {shape_of(value)}"[:2000], value)
    return list(found.values())


CONTENT = frozenset(
    {"content", "text", "delta", "reasoning", "reasoning_content", "thinking", "refusal", "partial_json", "arguments"}
    | {"input", "summary", "signature", "encrypted_content", "citation", "annotation", "data", "output", "tool_calls"}
)
"""Last keys of paths where an answer's content stands, in whatever dialect."""

ELSEWHERE = re.compile(r"(?:logprobs|bytes|usage|metadata|tools|instructions)\b")
"""Objects that have such keys and are no answer."""


def bodies(shared: Path, name: str, most: int = 60) -> Iterator[Path]:
    folder = shared / "corpus"
    names = {"anthropic": "anthropic-messages"}
    found = 0
    for line in (folder / "index.jsonl").read_text("utf-8").splitlines() if folder.is_dir() else ():
        row = json.loads(line)
        mine = names.get(row["dialect"], row["dialect"]) == name and row["kind"] == "stream"
        if mine and row["bytes"] < 60_000 and found < most:
            found += 1
            yield folder / row["file"]


@pytest.mark.parametrize("module", DIALECTS)
def test_no_content_of_a_recorded_body_is_left_unread(module: ModuleType, shared: Path) -> None:
    unread = set()
    for path in bodies(shared, module.NAME):
        for exchange in read_input(str(path)):
            for row in ledger(read(exchange, KIT)):
                last = row["path"].replace("[]", "").rpartition(".")[2]
                strings = "string" in row["types"] and row["sample"]
                if last in CONTENT and strings and not row["read"] and not ELSEWHERE.search(row["path"]):
                    unread.add((path.name, row["path"]))
    assert unread == set()


def test_no_string_of_a_recording_is_lost() -> None:
    """Every text in a delta of a recorded chunk comes back in some statement of its event."""
    lost = []
    for path in [*recordings(), *sorted(STREAMS.glob("*/*.sse"))]:
        for exchange in read_input(str(path)):
            reading = read(exchange, KIT)
            module = reading.dialect_module
            if module is None:
                continue
            for n in range(len(reading.events)):
                for value in parse(reading.text(n) or b"").values:
                    said = repr([delta.value for delta in check(module, value)])
                    lost += [(path.name, n, text) for text in _texts(value) if repr(text)[1:-1] not in said]
    assert lost == []


TEXT_KEYS = frozenset({"content", "reasoning", "reasoning_content", "refusal", "text", "thinking", "partial_json"})


def _texts(payload: Any) -> Iterator[str]:
    """The strings in the deltas of a payload that are content, in whatever dialect."""
    if not isinstance(payload, dict):
        return
    choices = payload.get("choices")
    holders = [choice.get("delta") for choice in choices or [] if isinstance(choice, dict)]
    for holder in (*holders, payload.get("delta")):
        if isinstance(holder, str) and holder:
            yield holder
        for key, value in holder.items() if isinstance(holder, dict) else ():
            if key in TEXT_KEYS and isinstance(value, str) and value:
                yield value
