"""The command line under lenses: every client at once, and advice to both sides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector_app.cli import main
from inspector_app.core.resources import resource

ZCODE = str(resource("recordings", "empty-tool-calls.rec.jsonl"))

Capture = pytest.CaptureFixture[str]


def objects(capsys: Capture) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_check_under_all_lenses(capsys: Capture) -> None:
    assert main(["check", ZCODE, "--all-lenses", "--json"]) == 0
    found = objects(capsys)[0]
    rows = {row["lens"]: row for row in found["lenses"]}
    assert found["reader"] == "reference"
    assert (rows["zcode-3.11"]["verdict"], rows["zcode-3.11"]["first_difference"]["event"]) == ("fragmented", 1)
    assert (rows["zcode-fixed"]["verdict"], rows["zcode-fixed"]["first_difference"]) == ("right", None)
    assert rows["google-genai-3.6"]["verdict"] == "n/a"
    assert main(["check", ZCODE, "--all-lenses"]) == 0
    out = capsys.readouterr().out.splitlines()
    table = [line.split() for line in out[out.index(next(line for line in out if "VERDICT" in line)) + 1 : -1]]
    assert "zcode-3.11" in [name for name, verdict, *_ in table if verdict == "fragmented"]
    verdicts = [verdict for _, verdict, *_ in table]
    assert verdicts == sorted(verdicts, key=["failed", "lost", "merged", "fragmented", "altered", "right"].index)
    assert main(["check", ZCODE, "--all-lenses", "--as", "zcode-3.11"]) == 2


@pytest.mark.parametrize("command", [["check", ZCODE, "--as", "zcode-3.11"], ["diff", ZCODE, "--with", "zcode-3.11"]])
def test_advice_goes_to_both_sides(command: list[str], capsys: Capture) -> None:
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()[-2:]
    sides = [line.strip().partition(":")[0] for line in lines]
    assert sides == ["to the client's author", "to the gateway's author"]


def test_advice_stands_in_the_object_of_diff(capsys: Capture) -> None:
    assert main(["diff", ZCODE, "--with", "zcode-3.11", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["advice"]["rule"] == "reasoning_end"
