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
from tests.lenses.measured import CLIENTS

KIT = load_kit()


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
    assert {key: words for key, words in found.items() if words} == {}


@pytest.mark.parametrize("name", CLIENTS)
def test_the_rules_of_every_client_are_known(name: str) -> None:
    rules = from_mapping(CLIENTS[name], name)
    for rule in (*rules.skips_on, *rules.parts_on, *rules.stops_on):
        family = rule.partition("-")[0]
        assert rule in KIT.rules or family in ("anthropic", "meta", "usage")
