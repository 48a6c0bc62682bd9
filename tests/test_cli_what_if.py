"""The command `whatif`: what it lists, what it tries, what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector_app.cli import main
from inspector_app.core.resources import resource
from inspector_app.files import read_input

EMPTY = str(resource("recordings", "empty-tool-calls.rec.jsonl"))
SPACING = str(resource("recordings", "mixed-spacing.rec.jsonl"))


def test_without_a_change_each_is_tried_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["whatif", EMPTY, "--as", "zcode-3.11"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("zcode-3.11: fragmented - 149 reasoning blocks instead of 1")
    assert out[4].split()[:2] == ["drop-empty-arrays", "right"]
    assert out[-1] == "repaired by drop-empty-arrays"


def test_the_same_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["whatif", SPACING, "--as", "wingmate-2026-06", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["schema"], told["verdict"], told["do"]) == ("stream-inspector/what-if/1", "lost", [])
    assert told["repaired_by"] == ["space-data", "drop-empty-strings"]
    assert told["alone"]["space-data"] == "lost"
    assert told["alone"]["drop-field"] == "say which"


@pytest.mark.parametrize(
    ("name", "client"),
    [
        ("mixed-spacing", "wingmate-2026-06"),
        ("reasoning-details", "openclaw"),
        ("cut-in-the-middle", "ai-sdk-openai-compatible-2.0.92"),
    ],
)
def test_without_a_client_it_is_the_one_that_the_window_compares_with(
    name: str, client: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["whatif", str(resource("recordings", f"{name}.rec.jsonl")), "--do", "drop-comments", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["difference"]["b"] == client


def test_where_all_is_right_nothing_is_to_be_repaired(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["whatif", EMPTY, "--as", "zcode-fixed"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "nothing is to be repaired for this reader"


@pytest.mark.parametrize("do, verdict", [("drop-empty-arrays", "right"), ("drop-nulls", "fragmented")])
def test_a_change_is_tried(do: str, verdict: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["whatif", EMPTY, "--as", "zcode-3.11", "--do", do, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["verdict"], told["do"]) == (verdict, [{"name": do, "argument": ""}])


def test_the_copy_is_a_recording_that_says_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "copy.rec.jsonl"
    assert main(["whatif", EMPTY, "--as", "zcode-3.11", "--do", "drop-field=tool_calls", "--out", str(out)]) == 0
    (copy,), (before,) = read_input(str(out)), read_input(EMPTY)
    assert copy.source == "what-if"
    assert copy.about["story"] == "A copy of empty-tool-calls.rec.jsonl that was changed: drop-field tool_calls."
    assert (copy.read_times, copy.timing) == (before.read_times, before.timing)
    assert b'"tool_calls"' not in copy.body.slice(0, len(copy.body))
    capsys.readouterr()
    assert main(["whatif", EMPTY, "--do", "drop-nulls", "--out", str(out)]) == 2
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize(("change", "said"), [("drop-field=nothere", 1), ("drop-empty-arrays", 0)])
def test_a_change_that_changes_nothing_is_told(change: str, said: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["whatif", EMPTY, "--do", change]) == 0
    assert capsys.readouterr().err.count("this changes nothing here") == said


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--do", "drop-nul"], "no change is named 'drop-nul'"),
        (["--do", "add-done=x"], "takes no argument"),
        (["--do", "rename-field=x"], "needs FROM=TO"),
        (["--out", "x.rec.jsonl"], "--out needs --do"),
        (["--as", "nobody"], "no lens is named 'nobody'"),
        (["--as", "anthropic-python-helper-2.14"], "does not read openai-chat streams"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["whatif", EMPTY, *arguments]) == 2
    assert words in (told := capsys.readouterr().err)
    assert told.count("\n") == 1
