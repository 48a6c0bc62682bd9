"""Over all recorded bodies and cases: none raises or warns, and no text of a payload is left out of its deltas."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.files import read_input
from inspector_app.lenses.run import read

KIT = load_kit()
FEW = 5
"""Characters of a string that may be a code of anything."""

LABELS = frozenset(
    {
        *(
            "type",
            "object",
            "event_type",
            "role",
            "status",
            "channel",
            "phase",
            "execution",
            "truncation",
            "stop_reason",
        ),
        *("id", "item_id", "call_id", "response_id", "responseId", "generation_id", "log_id", "run_id", "thread_id"),
        *("assistant_id", "message_id", "tool_id", "turn_id", "interaction_id", "approval_request_id", "connector_id"),
        *("previous_response_id", "container_id", "user_id", "caller_id", "server_name", "server_label"),
        *("model", "modelVersion", "model_id", "provider", "system_fingerprint", "service_tier"),
        *("created", "createTime", "created_at", "updated"),
    }
)
"""Keys, wherever they stand, whose strings say what a thing is called, of what kind or in what state."""

ECHOES: dict[str, tuple[str, ...]] = {
    "openai-responses": (
        *("response.tools", "response.instructions", "response.reasoning", "response.text", "response.prompt_cache"),
        *("response.tool_choice", "response.metadata", "response.safety_identifier", "response.user"),
        *("item.metadata", "item.internal_chat_message_metadata_passthrough"),
        *(f"{item}.{key}" for item in ("item", "response.output[]") for key in ("size", "quality", "background")),
        *("size", "quality", "background", "item.operation.path", "response.output[].operation.path"),
    ),
    "openai-assistants": ("instructions", "tools"),
    "cohere-v1": ("response.chat_history",),
    "bedrock-agent": ("bytes",),
    "openai-chat": ("choices[].message", "x_groq"),
}
"""What is no text of the answer, by dialect: the starts of ledger paths. It repeats the request or the answer so far
(R32), says what a picture or a file is like, or is text only once its base64 is undone.
"""


def strings(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every string of a JSON value and its ledger path."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from strings(member, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for member in value:
            yield from strings(member, path + "[]")
    elif isinstance(value, str):
        yield path, value


def left_out(reading: Reading) -> list[tuple[int, str, str]]:
    """Event, path and text of strings that no delta holds, except labels, echoes and padding."""
    out = []
    for n in range(len(reading.events)):
        said = None
        for path, text in strings(reading.payload(n)):
            if len(text) <= FEW or path.rpartition(".")[2].removesuffix("[]") in LABELS or _is_known(reading, path):
                continue
            if said is None:
                told = [delta for delta in reading.deltas(n) if delta.kind != "noop"]
                said = {text for delta in told for value in (delta.value, delta.extra) for _, text in strings(value)}
            if text not in said:
                out.append((n, path, text))
    return out


def _is_known(reading: Reading, path: str) -> bool:
    padding: frozenset[str] = getattr(reading.dialect_module, "PADDING", frozenset())
    return path in padding or path.startswith(ECHOES.get(reading.dialect, ()))


def files(shared: Path) -> Iterator[Path]:
    for line in (shared / "corpus" / "index.jsonl").read_text("utf-8").splitlines():
        yield shared / "corpus" / json.loads(line)["file"]
    for line in (shared / "cases" / "index.jsonl").read_text("utf-8").splitlines():
        yield shared / "cases" / json.loads(line)["file"]


def test_no_text_of_a_recorded_body_is_left_out(shared: Path) -> None:
    if not (shared / "corpus").is_dir():
        pytest.skip("the recorded bodies are not here")
    found: dict[tuple[str, str], tuple[str, int, str]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for file in files(shared):
            for exchange in read_input(str(file)):
                reading = read(exchange, KIT)
                for n, path, text in left_out(reading):
                    found.setdefault((reading.dialect, path), (file.name, n, text))
    assert not found


@pytest.mark.parametrize(
    ("payload", "paths"),
    [
        ({"choices": [{"index": 0, "delta": {"content": "visible", "secret_note": "not seen"}}]}, []),
        ({"choices": [{"index": 0, "delta": {}, "message": {"content": "once more"}}]}, []),
        ({"choices": [{"index": 0, "delta": {"content": "visible"}}], "obfuscation": "xxxxxxxxx"}, []),
    ],
)
def test_what_counts_as_left_out(payload: Any, paths: list[str]) -> None:
    body = b"data: " + json.dumps(payload).encode() + b"\n\n"
    reading = read(Exchange("x", "sse-body", MemoryBody(body)), KIT)
    assert [path for _, path, _ in left_out(reading)] == paths


def test_what_no_delta_holds_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.test_unread.ECHOES", {})
    body = b'data: {"choices":[{"index":0,"delta":{"content":"seen by all"},"message":{"content":"seen by none"}}]}\n\n'
    reading = read(Exchange("x", "sse-body", MemoryBody(body)), KIT)
    assert left_out(reading) == [(0, "choices[].message.content", "seen by none")]
