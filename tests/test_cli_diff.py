"""`diff` of folders: which files are laid side by side, and what is said where none can be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector_app import cli_diff
from inspector_app.cli import main

Capture = pytest.CaptureFixture[str]


def stream(*words: str) -> str:
    chunks = ({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": w}}]} for w in words)
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "last/tea.sse": "tea", "last/more/milk.sse": "milk", "last/gone.sse": "x",
        "now/tea.sse": "coffee", "now/more/milk.sse": "milk", "now/new.sse": "x",
        "one/only.sse": "tea", "other/sugar.sse": "x", "lone.sse": "tea",
    }  # fmt: skip
    for name, word in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(stream(word), "utf-8")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("pair", [("last", "now"), ("last/", "now"), ("last", "now/")])
def test_files_of_one_name_are_laid_side_by_side(pair: tuple[str, str], folder: Path, capsys: Capture) -> None:
    assert main(["diff", *pair, "--json"]) == 0
    out, err = capsys.readouterr()
    rows = [json.loads(line) for line in out.splitlines()]
    names = [(Path(row["a"]).as_posix(), Path(row["b"]).as_posix(), row["verdict"]) for row in rows]
    assert names == [
        ("last/tea.sse", "now/tea.sse", "altered"),
        ("last/more/milk.sse", "now/more/milk.sse", "same"),
    ]
    gone, new = err.splitlines()
    assert "gone.sse" in gone
    assert "new.sse" in new


@pytest.mark.parametrize("pair", [("one", "lone.sse"), ("lone.sse", "one")])
def test_the_only_file_of_a_folder_is_the_one_that_is_meant(
    pair: tuple[str, str], folder: Path, capsys: Capture
) -> None:
    assert main(["diff", *pair]) == 0
    assert ": same\n" in capsys.readouterr().out


def ended(reason: str | None) -> str:
    choice = {"index": 0, "delta": {}, "finish_reason": reason}
    return stream("tea") + f"data: {json.dumps({'object': 'chat.completion.chunk', 'choices': [choice]})}\n\n"


def test_another_finish_reason_is_told_though_the_words_are_the_same(tmp_path: Path, capsys: Capture) -> None:
    paths = [str(tmp_path / name) for name in ("a.sse", "b.sse", "c.sse")]
    for path, reason in zip(paths, ("tool_calls", "stop", None), strict=True):
        Path(path).write_text(ended(reason), "utf-8")
    assert main(["diff", *paths[:2], "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    row = {"what": "finish reason", "a": "tool_calls", "b": "stop", "events": {"a": 1, "b": 1}}
    assert (found["verdict"], found["content"]) == ("same", [row])
    assert main(["diff", *paths[:2]]) == 0
    assert (
        "finish reason\n      a.sse  tool_calls  (event 1)\n      b.sse  stop  (event 1)\n" in capsys.readouterr().out
    )
    assert main(["diff", *paths[1:], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["content"] == [
        row | {"a": "stop", "b": "none", "events": {"a": 1, "b": None}}
    ]
    assert main(["diff", paths[0], paths[0], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["content"] == []


def test_who_reads_one_of_the_two_right_is_told_whichever_it_is(tmp_path: Path, capsys: Capture) -> None:
    paths = [str(tmp_path / name) for name in ("spaced.sse", "bare.sse")]
    for path, head in zip(paths, ("data: ", "data:"), strict=True):
        Path(path).write_text(ended("stop").replace("data: ", head), "utf-8")
    for pair, right in ((paths, "a"), (paths[::-1], "b")):
        assert main(["diff", *pair, "--json"]) == 0
        rows = json.loads(capsys.readouterr().out)["clients"]
        wingmate = next(row for row in rows if row["what"].startswith("Wingmate"))
        assert (wingmate[right], wingmate["events"][right]) == ("right", None)
        assert wingmate["ba"[right == "b"]] != "right"
    assert main(["diff", paths[0], paths[0]]) == 0
    assert "  clients: the same, " in capsys.readouterr().out


def test_a_file_that_is_no_stream_is_called_so(folder: Path, capsys: Capture) -> None:
    Path("bin.dat").write_bytes(b"\x00\xff" * 50)
    assert main(["diff", "lone.sse", "bin.dat"]) == 0
    out = capsys.readouterr().out
    assert out.split("\n")[1] == "  bin.dat is no stream: no event was found in its 100 bytes"
    assert "  clients: " not in out
    assert main(["diff", "bin.dat", "lone.sse", "--json"]) == 0
    out, err = capsys.readouterr()
    assert (err.count("bin.dat is no stream"), json.loads(out)["clients"]) == (1, [])
    assert main(["diff", "lone.sse", "now/tea.sse"]) == 0
    assert "no stream" not in capsys.readouterr().out


COMPLAINTS = [
    (("last", "lone.sse"), "last: diff lays one recording beside one, and this folder holds several files"),
    (("lone.sse", "empty"), "empty: diff lays one recording beside one, and this folder holds no file"),
    (("last", "other"), "no file of last has a name that one of other has too"),
    (("last", "nothing"), "last: diff lays one recording beside one"),
    (("one", "nothing"), "nothing: no such file"),
]


@pytest.mark.parametrize(("pair", "words"), COMPLAINTS)
def test_what_cannot_be_paired_is_said_in_a_line_before_anything_is_analysed(
    pair: tuple[str, str], words: str, folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_diff, "read", lambda *given, **how: pytest.fail("it reads"))
    assert main(["diff", *pair]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err
