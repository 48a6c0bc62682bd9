"""The command `shot` as a person runs it: without a screen, in a process of its own, one line where it cannot."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from inspector_app.cli import main
from inspector_app.core.qt_libraries import missing_libraries
from inspector_app.core.resources import resource
from inspector_app.ui.shot_plan import Shot, size_of

needs_qt = pytest.mark.skipif(bool(missing_libraries("offscreen")), reason="Qt lacks libraries of the system")
RECORDING = str(resource("recordings", "mixed-spacing.rec.jsonl"))
OUT = "picture.png"


def shot(folder: Path, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Runs the command where there is no screen, and with what some people set for their own."""
    environ = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environ |= {"QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": "2", "QT_FONT_DPI": "200"}
    command = [sys.executable, "-m", "inspector_app", "shot", *arguments]
    root = Path(__file__).parents[1]
    environ["PYTHONPATH"] = str(root)
    return subprocess.run(command, cwd=folder, env=environ, input=given, capture_output=True, timeout=120)


def size_in(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@needs_qt
def test_it_needs_no_screen_says_nothing_and_always_makes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.png", "two.png"):
        done = shot(tmp_path, RECORDING, name)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    first, second = (tmp_path / "one.png").read_bytes(), (tmp_path / "two.png").read_bytes()
    assert size_in(first) == (1280, 800)
    assert first == second


@needs_qt
def test_an_svg_is_whole_and_says_what_it_shows(tmp_path: Path) -> None:
    done = shot(tmp_path, RECORDING, "picture.SVG", "--pane", "blocks", "--theme", "dark", "--as", "wingmate-2026-06")
    assert (done.returncode, done.stderr) == (0, b"")
    words = (tmp_path / "picture.SVG").read_text("utf-8")
    title = re.search("<title>(.*)</title>", words)
    assert title is not None
    assert title[1].startswith("mixed-spacing.rec.jsonl · read as Wingmate, build of 29 June 2026 · Stream Inspector ")
    assert 'width="1280" height="800"' in words
    assert "<text" not in words


@needs_qt
def test_the_comparison_is_a_picture_too(tmp_path: Path) -> None:
    done = shot(tmp_path, RECORDING, OUT, "--pane", "comparison", "--size", "1000x700")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert size_in((tmp_path / OUT).read_bytes()) == (1000, 700)


@needs_qt
def test_an_empty_standard_input_is_drawn_too(tmp_path: Path) -> None:
    done = shot(tmp_path, "-", OUT, "--size", "640x400", "--scale", "2")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert size_in((tmp_path / OUT).read_bytes()) == (1280, 800)


@needs_qt
def test_standard_input_has_a_name(tmp_path: Path) -> None:
    done = shot(tmp_path, "-", "picture.svg", "--pane", "lines", given=b"data: hello\n\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "<title>standard input · read as Reference · " in (tmp_path / "picture.svg").read_text("utf-8")


@needs_qt
def test_what_cannot_be_used_is_said_in_one_line(tmp_path: Path) -> None:
    """More of these in ui/test_shot.py, in the process of the tests."""
    done = shot(tmp_path, RECORDING, OUT, "--event", "15")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
    assert "there is no event 15; it has 15, counted from 0" in done.stderr.decode()
    assert not (tmp_path / OUT).exists()


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((RECORDING,), "OUT"),
        ((RECORDING, "picture.jpg"), "ends neither in .png nor in .svg"),
        ((RECORDING, OUT, "--pane", "panorama"), "panorama"),
        ((RECORDING, OUT, "--theme", "pink"), "pink"),
        ((RECORDING, OUT, "--scale", "3"), "3"),
        ((RECORDING, OUT, "--size", "wide"), "'wide' is no size such as 1280x800"),
        ((RECORDING, OUT, "--size", "10x10"), "320x200 to 16000x16000"),
        ((RECORDING, OUT, "--size", "16000x16000"), "256 million dots is too large"),
        ((RECORDING, OUT, "--event", "last"), "last"),
        ((RECORDING, OUT, "--as", "nobody"), "no lens is named 'nobody'"),
        ((RECORDING, OUT, "--with", "nobody"), "no lens is named 'nobody'"),
        ((RECORDING, OUT, "--as", "none"), "no lens is named 'none'"),
        ((RECORDING, OUT, "--dialect", "latin"), "no dialect is named 'latin'"),
    ],
)
def test_a_wrong_command_line_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    assert main(["shot", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert words in told.err


def test_the_defaults_are_those_of_the_contract() -> None:
    assert Shot() == Shot("window", "light", 1, 1280, 800, None, None, None)
    assert size_of("1920X1200") == (1920, 1200)


def test_the_usage_names_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "stream-inspector shot PATH OUT.(png|svg)" in capsys.readouterr().out


@needs_qt
def test_two_recordings_are_drawn_side_by_side_without_keys(tmp_path: Path) -> None:
    secret = "sk-proj-canary7f3a9d0123456789abcdef"
    chunk = 'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"%s "}}]}\n\n'
    (tmp_path / "old.sse").write_text(chunk % "ferry" + chunk % secret)
    (tmp_path / "new.sse").write_text(chunk % "boat")
    done = shot(tmp_path, "old.sse", "two.svg", "--diff", "new.sse", "--event", "1", "--theme", "dark")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    words = (tmp_path / "two.svg").read_text("utf-8")
    title = re.search("<title>(.*)</title>", words)
    assert title is not None
    assert title[1].startswith("A old.sse · B new.sse · aligned by block · keys masked · Stream Inspector ")
    assert "canary7f3a9d" not in words
    done = shot(tmp_path, "old.sse", OUT, "--diff", "-", "--size", "1000x700", given=(chunk % "boat").encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert size_in((tmp_path / OUT).read_bytes()) == (1000, 700)
