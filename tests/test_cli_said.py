"""Standard output and standard error that cannot be written stop neither `proxy` nor `serve`."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from inspector_app.files import read_input
from tests.live.server import ANSWER, Server

ROOT = Path(__file__).parents[1]
FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
ASKED = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "hi"}]}
WAIT_S = 30


@pytest.fixture
def running() -> Iterator[list[subprocess.Popen[bytes]]]:
    found: list[subprocess.Popen[bytes]] = []
    yield found
    for process in found:
        process.kill()
        process.communicate()


def start(command: list[str], **streams: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "inspector_app", *command], cwd=ROOT, **streams)


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        return int(taken.getsockname()[1])


def ask(url: str, process: subprocess.Popen[bytes]) -> bytes:
    """An answer, as soon as somebody listens there."""
    until = time.monotonic() + WAIT_S
    while True:
        try:
            return httpx.post(f"{url}/content-length", json=ASKED, timeout=WAIT_S).content
        except httpx.ConnectError:
            if process.poll() is not None or time.monotonic() > until:
                raise
            time.sleep(0.05)


def ended(folder: Path, many: int) -> list[str]:
    """How the recordings of a folder end, once there are so many that have an end."""
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        ends = [read_input(str(path))[0].end for path in sorted(folder.glob("*.rec.jsonl"))]
        found = [str(end["how"]) for end in ends if end]
        if len(found) == many:
            return found
        time.sleep(0.05)
    raise AssertionError(f"there are not {many} recordings that have an end")


@pytest.mark.parametrize("sort", ["full", "closed"])
def test_a_proxy_goes_on_when_nobody_hears_it(
    sort: str, tmp_path: Path, running: list[subprocess.Popen[bytes]]
) -> None:
    with Server() as server, FULL.open("wb") as full:
        command = ["proxy", "--to", server.url, "--out", str(tmp_path), "--port", str(port := free_port())]
        stdout = full if sort == "full" else subprocess.PIPE
        process = start(command, stdout=stdout, stderr=subprocess.PIPE)
        running.append(process)
        if process.stdout is not None:
            assert process.stdout.readline().startswith(b"listening on")
            process.stdout.close()
        for number in (1, 2):
            assert ask(f"http://127.0.0.1:{port}", process)
            assert len(ended(tmp_path, number)) == number
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(WAIT_S) == 130
        assert process.stderr is not None
        said = process.stderr.read().decode()
    assert said.count("standard output cannot be written") == 1
    assert said.count("\n") == 1


@pytest.mark.parametrize("both", [False, True])
def test_serve_answers_when_nobody_hears_it(both: bool, tmp_path: Path, running: list[subprocess.Popen[bytes]]) -> None:
    (tmp_path / "tea.sse").write_bytes(ANSWER)
    with FULL.open("wb") as full:
        command = ["serve", str(tmp_path / "tea.sse"), "--log", "--port", str(port := free_port())]
        process = start(command, stdout=full if both else subprocess.DEVNULL, stderr=full)
        running.append(process)
        for _ in range(2):
            assert ask(f"http://127.0.0.1:{port}", process) == ANSWER
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(WAIT_S) == 130
