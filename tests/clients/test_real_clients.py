"""The lenses against the real clients, which read the same bytes from a server on this machine.

Runs where the clients are: `pip install -e .[clients]`, and for those of Node a folder named by STREAM_INSPECTOR_NODE,
into which this installs package.json if it is not there. STREAM_INSPECTOR_PYTHON may name another interpreter.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from inspector_app.core.reading import Reading
from inspector_app.core.resources import resource
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.files import read_input
from inspector_app.lenses import load_lenses, shipped_folder
from inspector_app.lenses.run import knows, read
from tests.clients.agree import KIT, difference
from tests.clients.bodies import BODIES
from tests.lenses.test_measured_shapes import SHAPES

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared"
LENSES = load_lenses([shipped_folder()])
LEAST = 0.99
"""The part of the streams that has to be read as the clients do, over all clients."""

PYTHON = {
    "openai-python-3.57": "openai", "openai-python-helper-3.57": "openai", "pydantic-ai-2.68": "pydantic_ai",
    "litellm-1.110": "litellm", "langchain-openai-1.7": "langchain_openai", "openai-agents": "agents", "llm": "llm",
    "anthropic-python-2.14": "anthropic", "anthropic-python-helper-2.14": "anthropic",
    "google-genai-3.6": "google.genai", "httpx-sse-0.4": "httpx_sse",
}  # fmt: skip
"""Lens -> the module that has to be there."""

NODE = (
    "openai-node-helper-6.49", "ai-sdk-openai-compatible-2.0.92", "ai-sdk-openai-compatible-2.0.41",
    "ai-sdk-openai-3.0", "ai-sdk-anthropic-3.0", "anthropic-node-helper-1.14", "eventsource-parser-3.1",
    "browser-eventsource",
)  # fmt: skip

DIFFERENT = {
    ("openai-python-helper-3.57", "shape content is a list, then a text"):
        "it keeps the list as the content and loses the text behind it",
    ("pydantic-ai-2.68", "shape a refusal"): "it reports no reason of the wire behind a refusal",
    ("litellm-1.110", "shape reasoning is an object"): "it fails when it joins the chunks, and has no answer at all",
    ("litellm-1.110", "shape the text in choice 0, the call in choice 1"):
        "it reports the reason of the choice that it does not read",
    ("litellm-1.110", "B14"): "it makes up a finish reason for a body without events",
    ("litellm-1.110", "shape one JSON object"): "it makes up a finish reason for a body without events",
    ("litellm-1.110", "gallery web-page-instead"): "it makes up a finish reason for a body without events",
}  # fmt: skip
"""(lens, stream) -> why the client reads otherwise than its lens, where no rule says it."""


@pytest.fixture
def cases() -> Path | None:
    """The shared cases, where they are."""
    folder = SHARED / "cases"
    return folder if folder.is_dir() else None


@cache
def streams(cases: Path | None) -> dict[str, tuple[bytes, Reading]]:
    """Name -> the answer as it goes over the wire, and what the reference reads."""
    found: dict[str, tuple[bytes, Reading]] = {}
    rows = (cases / "index.jsonl").read_text("utf-8").splitlines() if cases is not None else []
    for row, folder in ((json.loads(line), cases) for line in rows if cases is not None):
        path = folder / row["file"]
        body = path.read_bytes()
        answer = body if path.suffix == ".http" else answer_with(body)
        found[row["id"]] = answer, read(read_input(str(path))[0], KIT)
    own = {f"shape {name}": body for name, (body, _) in SHAPES.items()}
    for name, body in (own | {f"body {name}": body for name, body in BODIES.items()}).items():
        found[name] = answer_with(body), read(Exchange("x.sse", "sse-body", MemoryBody(body)), KIT)
    for path in sorted(resource("recordings").glob("*.rec.jsonl")):
        exchange = read_input(str(path))[0]
        http = exchange.http
        if http is None or http.status == 200:
            kind = (http.header("content-type") if http is not None else None) or "text/event-stream"
            body = exchange.body.slice(0, len(exchange.body))
            found[f"gallery {path.name.partition('.')[0]}"] = answer_with(body, kind), read(exchange, KIT)
    return found


def answer_with(body: bytes, kind: str = "text/event-stream") -> bytes:
    return f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n".encode() + body


def asked(name: str, cases: Path | None) -> dict[str, tuple[bytes, Reading]]:
    """The streams of the dialects that a client reads."""
    lens = LENSES[name]
    chat = "openai-chat" in lens.dialects
    every = streams(cases).items()
    return {key: pair for key, pair in every if knows(lens, pair[1]) and (chat or pair[1].dialect != "none")}


def run(command: list[str], folder: Path, jobs: dict[str, bytes]) -> dict[str, dict[str, Any]]:
    lines = [json.dumps({"case": str(n), "raw": base64.b64encode(raw).decode()}) for n, raw in enumerate(jobs.values())]
    done = subprocess.run(
        command, input="\n".join(lines) + "\n", capture_output=True, text=True, cwd=folder, timeout=600, check=False
    )
    rows = [json.loads(line) for line in done.stdout.split("\n") if line]
    assert len(rows) == len(jobs), done.stderr[-2000:]
    return {list(jobs)[int(row["case"])]: row for row in rows}


def command_of(name: str, tmp: Path) -> tuple[list[str], Path]:
    """How to run a client, and in which folder; skips the test where it is not there."""
    if name in PYTHON:
        python = os.environ.get("STREAM_INSPECTOR_PYTHON", sys.executable)
        there = subprocess.run([python, "-c", f"import {PYTHON[name]}"], capture_output=True, cwd=tmp, check=False)
        if there.returncode:
            pytest.skip(f"{PYTHON[name]} is not installed")
        return [python, str(HERE / "drive.py"), name], tmp
    folder, node, npm = os.environ.get("STREAM_INSPECTOR_NODE"), shutil.which("node"), shutil.which("npm")
    if not folder or node is None or npm is None:
        pytest.skip("STREAM_INSPECTOR_NODE names no folder, or there is no Node")
    home = Path(folder)
    if not (home / "node_modules").is_dir():
        home.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / "package.json", home)
        subprocess.run([npm, "install", "--no-audit", "--no-fund"], cwd=home, check=True, capture_output=True)
    return [node, str(HERE / "drive.mjs"), name], home


@pytest.mark.parametrize("name", [*PYTHON, *NODE])
def test_a_lens_reads_as_the_client(name: str, cases: Path | None, tmp_path: Path) -> None:
    command, folder = command_of(name, tmp_path)
    mine = asked(name, cases)
    rows = run(command, folder, {key: raw for key, (raw, _) in mine.items()})
    found = {key: difference(LENSES[name], mine[key][1], rows[key]) for key in mine}
    listed = {key for lens, key in DIFFERENT if lens == name} & set(mine)
    assert {key: words for key, words in found.items() if words and key not in listed} == {}
    assert [key for key in listed if not found[key]] == [], "these agree now"


def test_nearly_all_agree(cases: Path | None) -> None:
    number = sum(len(asked(name, cases)) for name in (*PYTHON, *NODE))
    assert len(DIFFERENT) <= (1 - LEAST) * number


def test_every_client_that_was_run_says_so() -> None:
    run_by_hand = {"sse-devtools-panel-1.2"}
    measured = {lens.name for lens in LENSES.values() if lens.evidence == "measured"}
    assert measured - run_by_hand == {*PYTHON, *NODE} - {"browser-eventsource"}
