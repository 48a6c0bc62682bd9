"""The shipped lenses of ten measured clients against what these really made of the shared cases."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.rules import from_mapping
from inspector_app.files import read_input
from inspector_app.lenses import load_lenses, shipped_folder
from inspector_app.lenses.run import read, read_as
from inspector_app.report.outline import finish

KIT = load_kit()
LENSES = load_lenses([shipped_folder()], dialects=KIT.names, findings=KIT.rules)


@cache
def reference(path: Path) -> Reading:
    return read(read_input(str(path))[0], KIT)


MORE = {
    "openai-python-helper-3.57": {
        "object_required": "chat.completion.chunk", "empty_turn": "error-if-silent",
        "empty_turn_error": "AssertionError",
    },
    "openai-node-helper-6.49": {"missing_role": "error", "reasoning_join": "last-or-null"},
    "ai-sdk-openai-compatible-2.0.92": {"id_policy": "opening"},
    "litellm-1.110": {
        "choice": "index-0-only", "finish_pick": "first", "reasoning_types": "string",
        "stops_on": {"reasoning-non-string": "stream_chunk_builder fails"},
    },
    "pydantic-ai-2.68": {"reasoning_types": "string"},
    # Not seen: it drops content and arguments that are no string.
    "sse-devtools-panel-1.2": {"reasoning_types": "string"},
    "anthropic-node-helper-1.14": {"empty_turn": "error-if-silent"},
    "anthropic-python-helper-2.14": {"empty_turn": "error-if-silent"},
}  # fmt: skip
"""What was seen beyond the specification when these clients were run on further streams."""
NOT_UTF8 = "body-invalid-utf8"


def rows(folder: Path) -> list[tuple[dict[str, Any], Path]]:
    """What was measured: row and body."""
    index = {row["id"]: row for row in map(json.loads, (folder / "index.jsonl").read_text("utf-8").splitlines())}
    measured = map(json.loads, (folder / "clients.jsonl").read_text("utf-8").splitlines())
    return [(row, folder / index[row["case"]]["file"]) for row in measured]


def difference(row: dict[str, Any], path: Path) -> str:
    """What the lens reads otherwise than the client did; empty when they agree."""
    reading = read_as(LENSES[row["lens"]], reference(path), KIT)
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
    assert len(measured) >= 205
    found = {(row["lens"], row["case"]): difference(row, path) for row, path in measured}
    assert {key: words for key, words in found.items() if words} == {}


def test_the_measured_clients_are_shipped_as_specified(shared: Path) -> None:
    text = (shared / "dialects.md").read_text("utf-8")
    clients = re.findall(r"^- `([\w.-]+)`: `(.*?)`$", text, re.MULTILINE)
    assert len(clients) == 10
    for name, rules in clients:
        assert LENSES[name].evidence == "measured"
        given = tomllib.loads(f"rules = {{ {rules} }}")["rules"] | MORE.get(name, {})
        if NOT_UTF8 in (words := LENSES[name].rules.stops_on):
            # Seen on streams of this project, see test_not_utf8.py.
            given["stops_on"] = given.get("stops_on", {}) | {NOT_UTF8: words[NOT_UTF8]}
            given["skips_on"] = [*given.get("skips_on", []), NOT_UTF8]
        assert LENSES[name].rules == from_mapping(given, name)
