"""The command `record`, from the command line to what lies on the disk."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from inspector_app.cli import main
from inspector_app.cli_record import percentile
from inspector_app.core.types import Exchange
from inspector_app.files import read_input
from inspector_app.live import recorder
from inspector_app.live.providers import load_providers, providers_file
from inspector_app.live.unfinished import unfinished
from tests.live.server import ANSWER, CHUNKED, CUT, GATE, SCRIPTS, WAITING, Server, Step, chunk, head
from tests.live.streams import CANARY, PATIENCE_S

ROOT = Path(__file__).parents[2]
KEY = "RECORD_TEST_KEY"
ENTRY = """
[providers.{name}]
base_url = "{url}"
path = "/{name}"
dialect = "openai-chat"
model = "m/1"
key_env = "{key}"
timeout_idle_s = {idle}
query = {{ "api-version" = "2026-01-01" }}
"""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv(KEY, CANARY)
    with Server() as running:
        write_providers(running)
        yield running


def write_providers(server: Server, *names: str, idle: float = PATIENCE_S) -> None:
    known = names or (*SCRIPTS, *WAITING)
    entries = [ENTRY.format(name=name.replace(".", "_"), url=server.url, key=KEY, idle=idle) for name in known]
    providers_file().parent.mkdir(parents=True, exist_ok=True)
    providers_file().write_text("".join(entries))


def recorded(path: Path) -> Exchange:
    (exchange,) = read_input(str(path))
    return exchange


def body(path: Path) -> bytes:
    exchange = recorded(path)
    return exchange.body.slice(0, len(exchange.body))


def test_a_prompt_is_sent_and_its_stream_recorded(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "x.rec.jsonl"
    assert main(["record", "plain", "--prompt", "Hello", "--out", str(out), "--set", "reasoning.effort=high"]) == 0
    printed = capsys.readouterr()
    first, second = printed.out.splitlines()
    assert first == str(out)
    assert second.startswith("  HTTP 200 · 8 events · 1.2\u2009kB · first token after ")
    assert second.endswith(" · complete")
    assert printed.err == ""
    assert body(out) == ANSWER
    line, _, sent = server.requests[0]
    assert line == "POST /plain?api-version=2026-01-01 HTTP/1.1"
    assert json.loads(sent) == {
        "model": "m/1",
        "messages": [{"role": "user", "content": "Hello"}],
        "stream": True,
        "reasoning": {"effort": "high"},
    }


def test_a_body_is_sent_as_it_stands_in_a_file(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"model": "other", "messages": [], "stream": True, "n": 2}
    file = tmp_path / "body.json"
    file.write_text(json.dumps(asked))
    assert main(["record", "plain", "--request", str(file)]) == 0
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(json.dumps(asked).encode())))
    assert main(["record", "plain", "--request", "-", "--set", "n=3"]) == 0
    assert [json.loads(sent) for _, _, sent in server.requests] == [asked, asked | {"n": 3}]
    made = sorted(recorder.recordings_folder().iterdir())
    assert [body(path) for path in made] == [ANSWER, ANSWER]
    assert all("-plain-m-1" in path.name for path in made)


ENDS = {
    "plain": (0, ""),
    "clean-cut": (0, ""),
    "no-last-chunk": (0, "broke off: the connection ended before the last chunk"),
    "reset": (0, "reset by the other side: the connection was reset"),
    "401": (2, "HTTP 401: the key was not accepted; it says: Invalid key"),
    "429": (2, "HTTP 429: too many requests; it asks to wait 20 s; it says: Invalid key"),
    "500": (2, "HTTP 500: the server failed; it says: 500 Internal Server Error"),
    "error-cut": (2, "HTTP 502: a server behind it failed; the connection ended after 30 of 75 bytes"),
    "redirect": (
        2,
        "HTTP 307: it redirects to /plain, which is not followed; give --redirects to follow it; it says: moved",
    ),
    "empty": (2, "no stream came but an empty body"),
    "no-content": (2, "no stream came but an empty body"),
    "closed-at-once": (2, "broke off: the server closed the connection without an answer"),
    "stall": (0, "silent too long: no byte came for 0.2 s"),
    "no-head": (2, "silent too long: no byte came for 0.2 s"),
}


@pytest.mark.parametrize("name", ENDS)
def test_each_end_has_its_status_and_one_line(
    name: str, server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, words = ENDS[name]
    if name in WAITING:
        write_providers(server, name, idle=0.2)
    else:
        server.gate.set()
    out = tmp_path / "x.rec.jsonl"
    assert main(["record", name, "--prompt", "x", "--out", str(out)]) == status
    told = capsys.readouterr()
    assert told.err == (f"stream-inspector: {out}: {words}\n" if words else "")
    assert told.out.count("HTTP ") <= 1
    assert body(out) == (SCRIPTS.get(name) or WAITING[name]).body
    assert recorded(out).end is not None


@pytest.mark.parametrize("arguments, said", [
    (["ollama", "--prompt", "x"], "ollama: no model is named; give one with --set model=NAME, or as model in "),
    (["http://localhost:1/v1", "--prompt", "x"], "not an address: put it into "),
    (["custom", "--prompt", "x", "--set", "model=m"], 'preset = "custom" and base_url = "https://llm.example.com/v1"'),
])  # fmt: skip
def test_what_cannot_be_asked_is_said_before_a_recording_is_made(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", *arguments]) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert printed.out == ""
    assert not recorder.recordings_folder().exists() or not list(recorder.recordings_folder().iterdir())


def test_an_entry_as_the_readme_has_it_can_be_asked(tmp_path: Path) -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    start = lines.index("    [providers.local]")
    (tmp_path / "providers.toml").write_text("\n".join(line[4:] for line in lines[start : start + 5]))
    entry = load_providers(tmp_path / "providers.toml")["local"]
    assert (entry.dialect, entry.model, entry.key_env) == ("openai-chat", "qwen3-8b", "LOCAL_API_KEY")


@pytest.mark.parametrize(
    "count, said", [("1", ""), ("2", "so the last run was left out"), ("4", "so the other 3 runs")]
)
def test_runs_that_are_left_out_are_told(
    count: str, said: str, server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "x.rec.jsonl"
    assert main(["record", "closed-at-once", "--prompt", "x", "--count", count, "--out", str(out)]) == 2
    printed = capsys.readouterr().err
    assert said in printed
    assert ("left out" in printed) == bool(said)
    assert len(server.requests) == 1


def test_redirects_are_followed_when_asked_for(server: Server, tmp_path: Path) -> None:
    out = tmp_path / "x.rec.jsonl"
    assert main(["record", "redirect", "--prompt", "x", "--out", str(out), "--redirects"]) == 0
    assert body(out) == ANSWER


def test_several_runs_give_a_table(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "x.rec.jsonl"
    assert main(["record", "plain", "--prompt", "x", "--out", str(out), "--count", "3"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"x-{n}.rec.jsonl" for n in (1, 2, 3)]
    assert {body(path) for path in tmp_path.iterdir()} == {ANSWER}
    lines = capsys.readouterr().out.splitlines()
    title = next(n for n, line in enumerate(lines) if line.startswith("RUN"))
    assert lines[title].split("  ")[0] == "RUN"
    assert [word in lines[title] for word in ("TTFT", "GAP P50", "GAP P95", "GAP MAX", "EVENTS", "END")] == [True] * 6
    assert [line.split()[0] for line in lines[title + 1 :]] == ["1", "2", "3", "median", "least", "most", "3"]
    assert lines[-1] == "3 of 3 complete"


def test_runs_go_on_after_an_error_but_not_without_a_server(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", "429", "--prompt", "x", "--out", str(tmp_path / "a"), "--count", "3"]) == 2
    assert len(server.requests) == 3
    assert main(["record", "closed-at-once", "--prompt", "x", "--out", str(tmp_path / "b.x"), "--count", "3"]) == 2
    assert len(server.requests) == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-1", "a-2", "a-3", "b-1.x"]
    assert "0 of 1 complete" in capsys.readouterr().out


@pytest.mark.parametrize("arguments, words", [
    ("record", "the following arguments are required: PROVIDER"),
    ("record plain", "one of the arguments --prompt --request is required"),
    ("record plain --prompt x --request y", "not allowed with"),
    ("record plian --prompt x", "did you mean 'plain'?"),
    ("record plain --prompt x --count 0", "no number of runs"),
    ("record plain --prompt x --count many", "no number of runs"),
    ("record plain --prompt x --set temperature", "write it as key=value"),
    ("record plain --prompt x --out taken", "taken: the file exists"),
    ("record plain --prompt x --out no/folder/x", "no/folder/x: cannot be written: No such file"),
    ("record plain --request nowhere.json", "nowhere.json: cannot be read: No such file"),
    ("record plain --request taken", "taken: "),
    ("record plain --request list.json", "list.json: this is no JSON object"),
])  # fmt: skip
def test_what_the_user_has_to_mend_is_one_line(
    arguments: str, words: str, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").write_bytes(b"mine")
    (tmp_path / "list.json").write_bytes(b"[]")
    assert main(arguments.split()) == 2
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.err.startswith("stream-inspector: ")
    assert (printed.err.count("\n"), printed.out) == (1, "")
    assert (tmp_path / "taken").read_bytes() == b"mine"
    assert server.requests == []


def test_a_missing_key_is_told(server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip # noqa: E501
    monkeypatch.delenv(KEY)
    assert main(["record", "plain", "--prompt", "x"]) == 2
    assert f"{KEY} (key_env) is not set" in capsys.readouterr().err


def test_a_full_disk_is_told_and_the_stream_goes_on(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write = recorder.RecordingWriter.reads

    def full(self: recorder.RecordingWriter, reads: list[tuple[int | None, bytes]]) -> None:
        if any(b"[DONE]" in data for _, data in reads):
            raise OSError(28, "No space left on device")
        write(self, reads)

    monkeypatch.setattr(recorder.RecordingWriter, "reads", full)
    out = tmp_path / "x.rec.jsonl"
    assert main(["record", "plain", "--prompt", "x", "--out", str(out)]) == 2
    printed = capsys.readouterr()
    assert "the recording stopped: No space left on device" in printed.err
    assert "8 events" in printed.out
    assert [one.path for one in unfinished(tmp_path)] == [out]


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGINT")
@pytest.mark.parametrize("name, stop, status", [
    ("stall", signal.SIGINT, 130), ("no-head", signal.SIGINT, 130), ("stall", signal.SIGTERM, 143),
])  # fmt: skip
def test_a_signal_closes_the_recording(
    name: str, stop: signal.Signals, status: int, server: Server, tmp_path: Path
) -> None:
    out = tmp_path / "x.rec.jsonl"
    command = [sys.executable, "-m", "inspector_app", "record", name, "--prompt", "x", "--out", str(out)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline().decode().strip() == str(out)
        wanted = WAITING[name].body or b""
        while len(server.requests) < 1 or body(out) != wanted:
            assert child.poll() is None
        child.send_signal(stop)
        said = child.stderr.read().decode()
    assert child.returncode == status
    assert said == f"stream-inspector: {out}: cancelled; what had arrived is recorded\n"
    assert body(out) == wanted
    end = recorded(out).end
    assert end is not None
    assert (end["how"], end["closed_by"]) == ("cancelled", "client")
    assert unfinished(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGTERM")
def test_a_signal_leaves_the_table_of_the_runs_before(server: Server, tmp_path: Path) -> None:
    def steps(path: str) -> list[Step]:
        return [*SCRIPTS["plain"].steps] if len(server.requests) < 2 else [head("200 OK", CHUNKED), chunk(CUT), GATE]

    with Server(scripts=steps) as server:
        write_providers(server, "plain")
        command = [sys.executable, "-m", "inspector_app", "record", "plain", "--prompt", "x", "--count", "3"]
        command += ["--out", str(tmp_path / "x.rec.jsonl")]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            while not (tmp_path / "x-2.rec.jsonl").exists() or body(tmp_path / "x-2.rec.jsonl") != CUT:
                assert child.poll() is None
            child.send_signal(signal.SIGTERM)
            printed, _ = child.communicate()
    assert child.returncode == 143
    assert printed.decode().endswith("1 of 1 complete\n")


def echoes(key: str) -> bytes:
    said = json.dumps({"error": {"message": f"Incorrect API key provided: {key}"}}).encode()
    return (
        head("401 Unauthorized", f"Content-Length: {len(said)}", f"X-Your-Key: {key}", kind="application/json") + said
    )


@pytest.mark.parametrize("runs", ["1", "2"])
def test_no_output_shows_the_key(
    runs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """Also from a server that says back what it got, in a header or in the body of its answer."""
    caplog.set_level("DEBUG")
    monkeypatch.setenv(KEY, CANARY)
    with Server(scripts=lambda path: [echoes(CANARY)]) as server:
        write_providers(server, "plain")
        out = tmp_path / "x.rec.jsonl"
        assert main(["record", "plain", "--prompt", "x", "--out", str(out), "--count", runs]) == 2
        assert server.requests[0][1]["authorization"] == f"bearer {CANARY}"
    printed = capfd.readouterr()
    assert f"Incorrect API key provided: redacted{'*' * (len(CANARY) - 8)}; the server repeated the key" in printed.err
    assert CANARY not in printed.out + printed.err + caplog.text
    for path in tmp_path.iterdir():
        text = path.read_text()
        assert CANARY not in text
        assert text.count("redacted*") == 1
        assert main(["check", str(path), "--fail-on", "never"]) == 0
        printed = capfd.readouterr()
        assert "file-key-masked" in printed.out
        assert CANARY not in printed.out + printed.err


@pytest.mark.parametrize("values, p50, p95", [
    ([7], 7, 7), ([1, 2], 1, 2), (list(range(1, 101)), 50, 95), (list(range(1, 21)), 10, 19),
])  # fmt: skip
def test_percentiles(values: list[int], p50: int, p95: int) -> None:
    assert (percentile(values, 50), percentile(values, 95)) == (p50, p95)


def test_other_commands_load_nothing_that_speaks_over_networks() -> None:
    program = "import sys; from inspector_app.cli import main; main(['dialects']); sys.exit('httpx' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, check=False).returncode == 0
    )
