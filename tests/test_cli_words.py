"""What the command line says to a person: help, complaints, several inputs, lens files that are not right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector_app.cli import COMMANDS, main
from inspector_app.core.resources import resource
from inspector_app.lenses import user_folder

SPACING = str(resource("recordings", "mixed-spacing.rec.jsonl"))
HTML = str(resource("recordings", "web-page-instead.rec.jsonl"))


@pytest.fixture
def broken_lens() -> Path:
    path = user_folder() / "mine.toml"
    path.parent.mkdir(parents=True)
    path.write_text('name = "mine"\nkind =\n', "utf-8")
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert f"stream-inspector {command}" in capsys.readouterr().out


def test_a_complaint_names_the_help_of_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", SPACING, "--nope"]) == 2
    assert capsys.readouterr().err == (
        "stream-inspector: unrecognized arguments: --nope; see stream-inspector check --help\n"
    )


def test_the_help_of_the_lenses_names_the_folder_of_your_own(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["lenses", "--help"])
    assert str(user_folder()) in capsys.readouterr().out


def test_the_help_of_a_picture_says_which_lens_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["shot", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "of your own lenses and the clients of which a report tells the one that reads worst" in said


def test_a_broken_lens_is_in_nobodys_way(broken_lens: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", SPACING]) == 0
    assert main(["diff", SPACING, "--with", "reference"]) == 0
    assert main(["lenses", "--explain", "reference"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["check", SPACING, "--as", "zcode-3.11"]) == 0
    assert capsys.readouterr().err.startswith(f"stream-inspector: skipped: {broken_lens}: ")


def test_a_broken_lens_is_told_by_the_list_and_to_who_asks_for_it(
    broken_lens: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lenses"]) == 2
    out, err = capsys.readouterr()
    assert "zcode-3.11" in out
    assert err.startswith(f"stream-inspector: {broken_lens}: ")
    assert main(["check", SPACING, "--as", "mine"]) == 2
    skipped, refused = capsys.readouterr().err.splitlines()
    assert str(broken_lens) in skipped
    assert refused.startswith("stream-inspector: no lens is named 'mine'; ")


@pytest.mark.parametrize(
    ("option", "words"),
    (
        (("--as", "wingmate"), "no lens is named 'wingmate'; did you mean 'wingmate-2026-06'?"),
        (("--as", "zcode-3.1"), "no lens is named 'zcode-3.1'; did you mean 'zcode-3.11'?"),
        (("--as", "qqq"), "no lens is named 'qqq'; known: reference, "),
        (("--dialect", "anthropic"), "no dialect is named 'anthropic'; did you mean 'anthropic-completions'?"),
        (("--framing", "nd-json"), "no framing is named 'nd-json'; did you mean 'ndjson'?"),
    ),
)
def test_a_name_that_is_almost_one_is_met_with_the_one_that_was_meant(
    capsys: pytest.CaptureFixture[str], option: tuple[str, str], words: str
) -> None:
    assert main(["check", SPACING, *option]) == 2
    assert capsys.readouterr().err.startswith(f"stream-inspector: {words}")


def test_a_folder_without_a_stream_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"stream-inspector: skipped: {tmp_path}: no stream is in there\n")


def test_the_reference_is_listed_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lenses"]) == 0
    assert capsys.readouterr().out.split("\n")[1].startswith("reference ")
    assert main(["lenses", "--explain", "reference", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rules"]["space_required"]["default"] is False


def test_several_inputs_stand_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", SPACING, HTML]) == 1
    assert f"\n\n{HTML}\n" in capsys.readouterr().out


OTHERS = {"a.py": b"import os\n", "b.md": b"# Notes\n", "c.txt": b"words", "below/d.png": b"\x89PNG\r\n\x1a\n\xff\0"}


def test_what_is_plainly_no_stream_is_counted_in_a_directory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "below").mkdir()
    told = {"fine.sse": b"data: [DONE]\n\n", "empty.txt": b"", "page.html": b"<html></html>"}
    for name, data in (told | OTHERS).items():
        (tmp_path / name).write_bytes(data)
    assert main(["check", str(tmp_path), "--json", "--fail-on", "never"]) == 0
    out, err = capsys.readouterr()
    assert [Path(json.loads(line)["file"]).name for line in out.splitlines()] == ["empty.txt", "fine.sse", "page.html"]
    named = ", ".join(str(tmp_path / name) for name in ("a.py", "b.md", "c.txt"))
    assert err == f"stream-inspector: skipped: 4 files that are no stream: {named} and 1 more\n"
    # Who names a file, or says what it is, is told of it.
    assert main(["check", str(tmp_path / "a.py"), str(tmp_path / "below"), "--framing", "text", "--json"]) == 0
    out, err = capsys.readouterr()
    assert (len(out.splitlines()), err) == (2, "")


def test_diff_reads_every_file_of_a_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.sse", "b.sse", "unknown.json"):
        (tmp_path / name).write_text('{"a": 1}' if name.startswith("u") else "data: [DONE]\n\n", "utf-8")
    assert main(["diff", str(tmp_path), "--with", "zcode-3.11", "--json"]) == 2
    out, err = capsys.readouterr()
    rows = [json.loads(line) for line in out.splitlines()]
    assert [(row["file"], row["verdict"]) for row in rows] == [
        (str(tmp_path / "a.sse"), "same"), (str(tmp_path / "b.sse"), "same")
    ]  # fmt: skip
    assert err == f"stream-inspector: {tmp_path / 'unknown.json'}: lens zcode-3.11 does not read unknown streams\n"
