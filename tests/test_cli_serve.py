"""The command `serve`, as a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from inspector_app import cli_serve
from inspector_app.cli import main
from inspector_app.files import read_input
from inspector_app.live.serve_suite import cases
from tests.live.server import ANSWER, EVENTS

ROOT = Path(__file__).parents[1]
CALL = ROOT / "recordings" / "mixed-spacing.rec.jsonl"
CHAT = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "hi"}]}
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

Start = Callable[..., tuple["subprocess.Popen[str]", str]]


@pytest.fixture
def start() -> Iterator[Start]:
    running: list[subprocess.Popen[str]] = []

    def run(*arguments: str) -> tuple[subprocess.Popen[str], str]:
        command = [sys.executable, "-m", "inspector_app", "serve", *arguments]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        running.append(process)
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("listening on http://127.0.0.1:"), line
        return process, line.split()[-1]

    yield run
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def answer(tmp_path: Path) -> str:
    path = tmp_path / "tea.sse"
    path.write_bytes(ANSWER)
    return str(path)


def rest(process: subprocess.Popen[str]) -> tuple[str, str]:
    """All that it still says until it ends: what was read ahead would be lost to `communicate`."""
    assert process.stdout is not None
    assert process.stderr is not None
    said = process.stdout.read(), process.stderr.read()
    process.wait(20)
    return said


def post(url: str, path: str = "/v1/chat/completions") -> bytes:
    return httpx.post(url + path, json=CHAT, timeout=20).content


def test_once_ends_by_itself(start: Start, answer: str) -> None:
    process, url = start(answer, "--once")
    assert post(url) == ANSWER
    out, err = rest(process)
    assert (process.returncode, err) == (0, "")
    assert f'OpenAI(base_url="{url}/v1", api_key="any")' in out


def test_once_ends_when_a_slow_client_has_all(start: Start, tmp_path: Path) -> None:
    body = ANSWER * 8000
    (tmp_path / "long.sse").write_bytes(body)
    process, url = start(str(tmp_path / "long.sse"), "--once")
    with httpx.stream("POST", url, json=CHAT, timeout=20) as response:
        assert b"".join(response.iter_raw(1 << 16)) == body
    rest(process)
    assert process.returncode == 0


@POSIX
@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_without_a_word_of_python(start: Start, answer: str, number: int, status: int) -> None:
    process, url = start(answer)
    assert post(url) == ANSWER
    process.send_signal(number)
    _, err = rest(process)
    assert (process.returncode, err) == (status, "")


OPTIONS: list[tuple[str, bytes]] = [
    ("--eol crlf", ANSWER.replace(b"\n", b"\r\n")),
    ("--eol cr", ANSWER.replace(b"\n", b"\r")),
    ("--space no", ANSWER.replace(b"data: ", b"data:")),
    ("--space yes", ANSWER),
    ("--cut 100", ANSWER[:100]),
    ("--cut 0", b""),
    ("--cut 1000000", ANSWER),
    ("--end no-done", b"".join(EVENTS[:-1])),
    ("--eol crlf --space no --cut 60", ANSWER.replace(b"\n", b"\r\n").replace(b"data: ", b"data:")[:60]),
]


@pytest.mark.parametrize("options, expected", OPTIONS, ids=[options for options, _ in OPTIONS])
def test_options_change_what_they_say(options: str, expected: bytes, answer: str, tmp_path: Path) -> None:
    assert main(["serve", answer, *options.split(), "--out", str(tmp_path / "out")]) == 0
    [made] = read_input(str(tmp_path / "out" / "tea.rec.jsonl"))
    assert made.body.slice(0, 1 << 20) == expected


@pytest.mark.parametrize(
    "options, how, terminator",
    [
        ("--end as-recorded", "eof", None),
        ("--end clean", "eof", None),
        ("--end reset", "reset", False),
        ("--cut 100 --end no-terminator", "truncated", False),
    ],
)
def test_a_recording_of_what_is_served_ends_as_it_is_served(
    options: str, how: str, terminator: bool | None, answer: str, tmp_path: Path
) -> None:
    assert main(["serve", answer, *options.split(), "--out", str(tmp_path / "out")]) == 0
    [made] = read_input(str(tmp_path / "out" / "tea.rec.jsonl"))
    assert made.end is not None
    assert (made.end["how"], made.end["terminator"]) == (how, terminator)


LINES = b'{"message":{"content":"a"},"done":false}\n{"message":{"content":"b"},"done":true}\n'
IDLE: list[tuple[str, bytes, str]] = [
    ("--eol lf", ANSWER, "--eol lf changes nothing"),
    ("--eol crlf", LINES, "--eol crlf changes nothing: needs server-sent events; this is JSON lines"),
    ("--space yes", ANSWER, "--space yes changes nothing"),
    ("--space no", LINES, "--space no changes nothing: needs server-sent events; this is JSON lines"),
    ("--keepalive 5", ANSWER, "--keepalive 5 changes nothing"),
    ("--end no-done", b"".join(EVENTS[:-1]), "--end no-done changes nothing: needs a stream with an end marker"),
    ("--cut 1000000", ANSWER, "--cut 1000000 changes nothing"),
    ("--split utf8", LINES, "--split utf8 changes nothing"),
    ("--speed 2", ANSWER, "--speed 2 changes nothing: no times are known, so it goes out at once"),
    ("--eol crlf --cut 9", ANSWER, ""),
    ("--split 1 --space no", ANSWER, ""),
    ("--speed max", ANSWER, ""),
]


@pytest.mark.parametrize("options, body, words", IDLE, ids=[f"{one[0]}{one[2][-9:]}" for one in IDLE])
def test_an_option_that_changes_nothing_is_told(
    options: str, body: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_bytes(body)
    assert main(["serve", str(tmp_path / "a.txt"), *options.split(), "--out", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().err == (f"stream-inspector: {words}\n" if words else "")


def test_what_changes_nothing_in_some_of_many_names_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in "abcde":
        (tmp_path / f"{name}.ndjson").write_bytes(LINES)
    (tmp_path / "f.sse").write_bytes(ANSWER)
    assert main(["serve", str(tmp_path), "--eol", "crlf", "--out", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().err == (
        "stream-inspector: --eol crlf changes nothing in a, b, c and 2 more: "
        "needs server-sent events; this is JSON lines\n"
    )


def test_that_many_files_are_read_first_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for n in range(3):
        (folder / f"{n}.sse").write_text("data: {}\n\n", "utf-8")
    for most, said in ((3, ""), (2, f"reading the 3 files of {folder} first\n")):
        monkeypatch.setattr(cli_serve, "MANY", most)
        assert main(["serve", str(folder), "--out", str(tmp_path / str(most))]) == 0
        assert capsys.readouterr().err == said


def test_what_lies_in_a_folder_and_is_no_stream_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, body in (("a.sse", ANSWER), ("notes.txt", b"Take the blue one.\n"), ("empty.log", b"")):
        (tmp_path / name).write_bytes(body)
    assert main(["serve", str(tmp_path), "--out", str(tmp_path / "out")]) == 0
    out, err = capsys.readouterr()
    assert [Path(line).name for line in out.splitlines()] == ["a.rec.jsonl"]
    assert f"skipped: {tmp_path / 'notes.txt'}: there is no stream in it\n" in err
    assert main(["serve", str(tmp_path / "notes.txt"), "--out", str(tmp_path / "named")]) == 0
    (tmp_path / "a.sse").unlink()
    (tmp_path / "out" / "a.rec.jsonl").unlink()
    (tmp_path / "named" / "notes.rec.jsonl").unlink()
    assert main(["serve", str(tmp_path), "--out", str(tmp_path / "again")]) == 2


SPLITS: list[tuple[str, list[bytes]]] = [
    ("event", list(EVENTS)),
    ("line", [line for event in EVENTS for line in (event[:-1], b"\n")]),
    ("1", [ANSWER[at : at + 1] for at in range(len(ANSWER))]),
    ("1000", [ANSWER[:1000], ANSWER[1000:]]),
]


@pytest.mark.parametrize("split, expected", SPLITS, ids=[split for split, _ in SPLITS])
def test_split_ends_writes_there(split: str, expected: list[bytes], answer: str, tmp_path: Path) -> None:
    assert main(["serve", answer, "--split", split, "--out", str(tmp_path)]) == 0
    [made] = read_input(str(tmp_path / "tea.rec.jsonl"))
    assert list(made.chunks()) == expected


def test_split_cuts_every_character_of_several_bytes(answer: str, tmp_path: Path) -> None:
    assert main(["serve", answer, "--split", "utf8", "--out", str(tmp_path)]) == 0
    [made] = read_input(str(tmp_path / "tea.rec.jsonl"))
    pieces = list(made.chunks())
    assert b"".join(pieces) == ANSWER
    assert sum(len(piece) for piece in pieces) == len(ANSWER)
    for piece in pieces:
        assert not any(byte >= 0xC0 for byte in piece[:-1])


def test_keepalive_fills_the_silence_of_a_recording(tmp_path: Path) -> None:
    path = str(ROOT / "recordings" / "half-a-minute-of-silence.rec.jsonl")
    assert main(["serve", path, "--keepalive", "10", "--out", str(tmp_path)]) == 0
    [before], [made] = read_input(path), read_input(str(next(tmp_path.iterdir())))
    body = made.body.slice(0, 1 << 20)
    assert body.count(b": keep-alive\n\n") == 3
    assert body.replace(b": keep-alive\n\n", b"") == before.body.slice(0, 1 << 20)
    assert made.read_times is not None
    assert list(made.read_times) == sorted(made.read_times)


def test_the_suite_names_its_paths_and_keeps_a_score(start: Start) -> None:
    process, url = start(str(CALL), "--suite", "--speed", "max")
    wanted = {"Accept": "application/json"}
    answers = httpx.get(url + "/index.json").json()["answers"]
    names = [one["variation"] for one in answers]
    assert names[0] == "as-recorded"
    assert set(names[1:]) <= {name for name, *_ in cases()}
    assert len(names) > 20
    assert all(f"/{name} " in httpx.get(url).text for name in names)
    plain = post(url, "/as-recorded/v1/chat/completions")
    assert plain == read_input(str(CALL))[0].body.slice(0, 1 << 20)
    assert post(url, "/crlf/v1/chat/completions") == plain.replace(b"\n", b"\r\n")
    for _ in range(3):
        assert len(post(url, "/cut-in-event/v1/chat/completions")) < len(plain)
    messages = [*CHAT["messages"], {"role": "assistant", "content": "x" * 7}, {"role": "user", "content": "more"}]
    for name in ("as-recorded", "crlf"):
        httpx.post(f"{url}/{name}/v1/chat/completions", json={**CHAT, "messages": messages}, timeout=20)
    held = {one["variation"]: one for one in httpx.get(url + "/score", headers=wanted).json()["answers"]}
    assert held["cut-in-event"]["retries"] == 2
    assert held["crlf"]["next_like_plain"] is True
    assert [one["did"] for one in held["crlf"]["requests"]] == ["drained", "drained"]
    assert held["bom"]["requests"] == []
    if sys.platform != "win32":
        process.send_signal(signal.SIGINT)
        out, err = rest(process)
        assert (process.returncode, err) == (130, "")
        card = out[out.index("WHAT THE CLIENT DID") :]
        assert "tried again 2x" in card
        assert "assistant: 7 characters; user: 4 characters" in card
        assert "as after /as-recorded" in card


def test_every_case_of_the_suite_can_be_exported_and_read(tmp_path: Path) -> None:
    assert main(["serve", str(CALL), "--suite", "--out", str(tmp_path)]) == 0
    made = {path.name: read_input(str(path)) for path in tmp_path.iterdir()}
    assert "mixed-spacing.as-recorded.rec.jsonl" in made
    assert len(made) > 20
    [before] = read_input(str(CALL))
    [gzip] = made["mixed-spacing.gzip.rec.jsonl"]
    assert gzip.coding == "gzip"
    assert gzip.body.slice(0, 1 << 20) == before.body.slice(0, 1 << 20)
    assert gzip.coded is not None
    [stalled] = made["mixed-spacing.stall.rec.jsonl"]
    assert stalled.end is not None
    assert stalled.end["how"] == "timeout"


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["nowhere.sse"], "no such file"),
        ([".", "--suite", "--eol", "lf"], "--suite makes all variations by itself"),
        ([".", "--suite", "--once"], "--once stops after one answer, and --suite has many"),
        (["-", "--speed", "fast"], "'fast' is no speed"),
        (["-", "--speed", "0"], "'0' is no speed"),
        (["-", "--split", "0"], "'0' is none of original"),
        (["-", "--port", "70000"], "no port from 0 to 65535"),
        (["-", "--cut", "-1"], "no number of bytes"),
        (["-", "--keepalive", "0"], "no number of seconds"),
        ([], "PATH"),
    ],
)
def test_what_cannot_be_is_one_line(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sse").write_bytes(ANSWER)
    assert main(["serve", *arguments]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


def test_an_exported_recording_is_never_overwritten(
    answer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", answer, "--out", str(tmp_path)]) == 0
    assert main(["serve", answer, "--out", str(tmp_path)]) == 2
    assert "no recording is overwritten" in capsys.readouterr().err


def test_a_folder_is_all_that_can_be_read_in_it(start: Start, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.sse").write_bytes(f"data: {json.dumps({'name': name})}\n\n".encode())
    _, url = start(str(tmp_path))
    assert [b"one" in post(url, "/one"), b"two" in post(url, "/two/v1/chat/completions")] == [True, True]
