"""The pytest fixture, as another project uses it."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import httpx
import pytest

from inspector_app import pytest_plugin
from inspector_app.pytest_plugin import StreamReplay
from tests.live.server import ANSWER

ROOT = Path(__file__).parents[2]
GALLERY = ROOT / "recordings"
CHAT = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "hi"}]}


def post(url: str, body: object = CHAT) -> httpx.Response:
    return httpx.post(url + "/v1/chat/completions", json=body, timeout=20)


def test_a_recording_is_served_without_waiting(stream_replay: StreamReplay) -> None:
    replay = stream_replay(GALLERY / "half-a-minute-of-silence.rec.jsonl")
    answer = post(replay.url)
    assert (answer.status_code, answer.headers["server"]) == (200, "uvicorn")
    assert answer.text.endswith("data: [DONE]\n\n")
    [request] = replay.requests
    assert (request.method, request.path, request.json, request.sent) == (
        "POST", "/v1/chat/completions", CHAT, len(answer.content),
    )  # fmt: skip
    assert request.headers["content-type"] == "application/json"
    assert request.did == "drained"


def test_what_a_client_did_is_known_at_once(stream_replay: StreamReplay) -> None:
    for _ in range(30):
        replay = stream_replay(ANSWER)
        post(replay.url)
        assert replay.requests[0].did == "drained"
    slow = stream_replay(GALLERY / "half-a-minute-of-silence.rec.jsonl", speed=1)
    with httpx.stream("POST", slow.url, json=CHAT) as answer:
        pieces = answer.iter_raw()
        next(pieces)
        assert slow.requests[0].did == "waiting"
    assert slow.requests[0].did == "left early"


def test_bytes_are_a_recording_too(stream_replay: StreamReplay) -> None:
    assert post(stream_replay(ANSWER).url).content == ANSWER


def test_troubles_have_the_names_of_the_suite(stream_replay: StreamReplay) -> None:
    assert post(stream_replay(ANSWER, variation="crlf").url).content == ANSWER.replace(b"\n", b"\r\n")
    assert b"[DONE]" not in post(stream_replay(ANSWER, variation="no-done").url).content
    assert post(stream_replay(ANSWER, changes=[("cut", "40")]).url).content == ANSWER[:40]
    with pytest.raises(httpx.RemoteProtocolError):
        post(stream_replay(ANSWER, variation="break-off").url)
    assert {"one-byte", "gzip", "stall", "malformed-json"} < set(stream_replay.variations())


def test_what_cannot_be_is_said(stream_replay: StreamReplay) -> None:
    with pytest.raises(ValueError, match="no variation is named 'nonsense'; known: "):
        stream_replay(ANSWER, variation="nonsense")
    with pytest.raises(ValueError, match="no variation is named 'nonsense'; known: "):
        stream_replay(ANSWER, changes=[("nonsense", "")])
    for speed in (0, -1):
        with pytest.raises(ValueError, match="speed is a number above 0"):
            stream_replay(ANSWER, speed=speed)
    with pytest.raises(ValueError, match="end is one of as-recorded, clean, no-terminator, reset; this is 'nope'"):
        stream_replay(ANSWER, end="nope")
    with pytest.raises(ValueError, match="no-done does not fit body: it needs a stream with an end marker"):
        stream_replay(b'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n', variation="no-done")


def test_a_change_that_changes_nothing_is_warned_of(stream_replay: StreamReplay) -> None:
    with pytest.warns(UserWarning, match="^eol lf in body: changes nothing here$"):
        stream_replay(ANSWER, changes=[("eol", "lf")])
    with pytest.warns(UserWarning, match="^space no in body: needs server-sent events; this is JSON lines$"):
        stream_replay(b'{"message":{"content":"a"},"done":true}\n' * 2, changes=[("space", "no")])


def test_several_are_chosen_by_path_or_in_turn(stream_replay: StreamReplay) -> None:
    replay = stream_replay(GALLERY / "think-tags.rec.jsonl", GALLERY / "framed-twice.rec.jsonl")
    bodies = [post(replay.url + "/framed-twice").content, post(replay.url).content, post(replay.url).content]
    assert bodies[0] == bodies[2] != bodies[1]


def test_no_stream_is_one_document(stream_replay: StreamReplay) -> None:
    answer = post(stream_replay(ANSWER).url, {**CHAT, "stream": False}).json()
    assert answer["choices"][0]["message"]["content"] == "Grüner Tee, 日本語 und 🙂👍🏽."


def test_after_the_test_nothing_listens() -> None:
    from contextlib import ExitStack

    with ExitStack() as stack:
        url = StreamReplay(stack)(ANSWER).url
        assert post(url).status_code == 200
    with pytest.raises(httpx.ConnectError):
        post(url)


THEIRS = """
import sys
import urllib.request


def test_theirs(stream_replay):
    replay = stream_replay(r"{path}", variation="one-byte")
    data = urllib.request.urlopen(replay.url + "/v1/chat/completions", timeout=20).read()
    assert data.endswith(b"data: [DONE]\\n\\n"), data
    assert not [name for name in sys.modules if name.split(".")[0] in ("PySide6", "shiboken6")]
"""


def test_another_project_needs_no_line_to_use_it_and_no_qt(tmp_path: Path) -> None:
    if not [one for one in entry_points(group="pytest11") if one.value == pytest_plugin.__name__]:
        pytest.skip("the package was installed before it had the plugin: install it again")
    (tmp_path / "test_theirs.py").write_text(THEIRS.replace("{path}", str(GALLERY / "think-tags.rec.jsonl")), "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:pytest-qt", "-p", "no:xdist", str(tmp_path)]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "1 passed" in ran.stdout


def test_the_plugin_loads_little(tmp_path: Path) -> None:
    program = (
        "import sys, inspector_app.pytest_plugin; "
        "print([n for n in sys.modules if n.startswith(('inspector_app.', 'httpx', 'PySide6'))])"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "['inspector_app.pytest_plugin']"
