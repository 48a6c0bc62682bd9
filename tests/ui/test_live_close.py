"""A window that is closed in the middle of a stream: it goes at once, and its recording has an end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from inspector_app.files import read_input
from inspector_app.live.unfinished import unfinished
from tests.live.server import CUT, Server
from tests.ui.live_child import KEY

ROOT = Path(__file__).parents[2]
STUCK_S = 60
"""A program that has not ended by then hangs."""


@pytest.mark.parametrize(
    ("how", "stream", "status"),
    [("window", "stall-in-a-line", 0), ("tab", "stall", 0), ("signal", "stall", 130), ("connecting", "no-head", 0)],
)
def test_it_ends_in_order(how: str, stream: str, status: int, tmp_path: Path, home: Path) -> None:
    folder = tmp_path / "kept"
    with Server() as server:
        command = [sys.executable, "-m", "tests.ui.live_child", f"{server.url}/{stream}", str(folder), how]
        ended = subprocess.run(
            command, cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=STUCK_S, check=False
        )
    assert (ended.returncode, ended.stderr) == (status, "")
    assert "closing" in ended.stdout
    (path,) = folder.glob("*.rec.jsonl")
    end = orjson.loads(path.read_bytes().splitlines()[-1])["end"]
    assert (end["how"], end["closed_by"]) == ("cancelled", "client")
    assert unfinished(folder) == []
    (recorded,) = read_input(str(path))
    assert recorded.body.slice(0, len(CUT)) == (b"" if how == "connecting" else CUT)
    assert KEY not in path.read_text()
    assert KEY not in "".join(file.read_text() for file in home.rglob("*.json"))
