"""The command line against its contract (contract.md sections 1 to 3): objects, statuses, names, complaints."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from inspector_app import __version__, cli_check
from inspector_app.cli import main
from inspector_app.core.resources import resource
from inspector_app.files import formats
from tests.contract import check_object

RECORDINGS = resource("recordings", "mixed-spacing.rec.jsonl").parent
STREAMS = Path(__file__).parent / "findings" / "streams"
ZCODE = str(RECORDINGS / "empty-tool-calls.rec.jsonl")
OPENCLAW = str(RECORDINGS / "reasoning-details.rec.jsonl")
WINGMATE = str(RECORDINGS / "mixed-spacing.rec.jsonl")

Capture = pytest.CaptureFixture[str]


def chunk(delta: dict[str, Any], reason: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return f"data: {json.dumps({'object': 'chat.completion.chunk', 'choices': [choice]})}\n\n"


FINE = chunk({"content": "hi"}) + chunk({}, "stop") + "data: [DONE]\n\n"
WARNS = FINE.replace("data: {", "data:{", 1)
FAILS = FINE.replace('"stop"', '"tool_calls"')


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a stream of each severity."""
    for name, text in (("fine.sse", FINE), ("warns.sse", WARNS), ("fails.sse", FAILS), ("empty", "")):
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def objects(capsys: Capture) -> list[dict[str, Any]]:
    return [json.loads(line, parse_constant=pytest.fail) for line in capsys.readouterr().out.splitlines()]


# objects


@pytest.mark.parametrize("reader", ["reference", "zcode-3.11", "openclaw", "wingmate-2026-06"])
def test_every_recording_keeps_the_contract(reader: str, capsys: Capture) -> None:
    assert main(["check", str(RECORDINGS), "--json", "--events", "--fields", "--fail-on", "never", "--as", reader]) == 0
    found = objects(capsys)
    assert len(found) == len(list(RECORDINGS.glob("*.rec.jsonl")))
    for one in found:
        assert one["reader"] == reader
        assert one["format"] == "recording"
        check_object(one)


def test_every_stream_of_the_rules_keeps_the_contract(capsys: Capture) -> None:
    assert main(["check", str(STREAMS), "--json", "--events", "--fields", "--fail-on", "never"]) == 0
    for one in objects(capsys):
        check_object(one)


def test_events_and_fields_stand_there_only_when_asked_for(folder: Path, capsys: Capture) -> None:
    main(["check", "fine.sse", "--json"])
    assert not objects(capsys)[0].keys() & {"events", "fields", "client_error"}


def test_an_event_is_told_whole(folder: Path, capsys: Capture) -> None:
    Path("a.sse").write_bytes(b"\n: x\nid: 7\nretry: 9\nevent: e\ndata: \xff\ndata:y\n\n\ndata: z")
    main(["check", "a.sse", "--json", "--events", "--fail-on", "never"])
    first, last = objects(capsys)[0]["events"]
    assert first | {"deltas": None} == {
        "n": 0, "lines": [0, 9], "bytes": [0, 46], "t_ms": None, "name": "e", "data": "\ufffd\ny", "id": "7",
        "retry": 9, "dispatched": True, "flags": ["invalid-utf8", "not-json"], "deltas": None,
    }  # fmt: skip
    assert (last["name"], last["id"], last["dispatched"]) == ("message", "7", False)
    assert last["flags"] == ["dangling", "not-json"]


def test_what_the_file_holds_of_a_client_error(capsys: Capture) -> None:
    main(["check", OPENCLAW, "--json", "--as", "openclaw"])
    (found,) = objects(capsys)
    assert (found["counts"]["blocks"], found["client_error"]["event"]) == (0, found["counts"]["events"] - 1)
    assert "incomplete turn detected" in found["client_error"]["message"]
    assert found["client_error"]["message"].endswith("payloads=0")


def test_findings_are_the_reference_s_whoever_reads(capsys: Capture) -> None:
    found = []
    for reader in ("reference", "wingmate-2026-06"):
        assert main(["check", WINGMATE, "--json", "--as", reader]) == 0
        found.append(objects(capsys)[0])
    assert found[0]["findings"] == found[1]["findings"]
    call = found[1]["blocks"][-1]
    assert [call["id"], call["name"], len(call["arguments"]), call["executable"]] == ["", "", 17, False]


def test_the_ledger_is_the_client_s(capsys: Capture) -> None:
    path = "choices[].delta.reasoning_details[].text"
    read = []
    for reader in ("reference", "openclaw"):
        main(["check", OPENCLAW, "--json", "--fields", "--as", reader])
        read += [field["read"] for field in objects(capsys)[0]["fields"] if field["path"] == path]
    assert read == [True, False]


def test_a_lone_surrogate_is_printed_as_the_replacement_character(folder: Path, capsys: Capture) -> None:
    Path("a.sse").write_text(chunk({"content": "a\ud800b", "\udfff": "\udfff"}), "utf-8")
    main(["check", "a.sse", "--json", "--events", "--fields"])
    (found,) = objects(capsys)
    assert found["blocks"][0]["text"] == "a\ufffdb"
    main(["check", "a.sse"])
    assert "a\ufffdb" in capsys.readouterr().out


def test_an_object_is_one_line_for_every_reader_of_lines(folder: Path, capsys: Capture) -> None:
    text = "a\u2028b\u2029c\x85d\x0be\x1cf"
    Path("a.sse").write_text(chunk({"content": text}).replace("\\u2028", "\u2028"), "utf-8")
    main(["check", "a.sse", "--json", "--events", "--fields"])
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["blocks"][0]["text"] == text


def test_an_empty_file_is_an_answer(folder: Path, capsys: Capture) -> None:
    assert main(["check", "empty", "--json", "--events", "--fields"]) == 0
    (found,) = objects(capsys)
    assert (found["dialect"], found["framing"], found["events"]) == ("none", "none", [])
    check_object(found)


def test_several_responses_in_one_file_are_several_objects(folder: Path, capsys: Capture) -> None:
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    Path("log.http").write_text((head + FINE) * 2, "utf-8", newline="")
    assert main(["check", "log.http", "--json"]) == 0
    assert [(one["exchange"], one["exchanges"], one["http"]["status"]) for one in objects(capsys)] == [
        (0, 2, 200),
        (1, 2, 200),
    ]


# names


@pytest.mark.parametrize(
    "given, named",
    [
        ("fine.sse", ["fine.sse"]),
        ("./fine.sse", ["./fine.sse"]),
        ("sub/../fine.sse", ["sub/../fine.sse"]),
        ("sub", ["sub/a.sse", "sub/deep/b.sse"]),
        ("sub/", ["sub/a.sse", "sub/deep/b.sse"]),
        ("./sub", ["./sub/a.sse", "./sub/deep/b.sse"]),
        ("sub/deep/..", ["sub/deep/../a.sse", "sub/deep/../deep/b.sse"]),
    ],
)
def test_a_file_is_named_as_it_was_given(given: str, named: list[str], folder: Path, capsys: Capture) -> None:
    (folder / "sub" / "deep").mkdir(parents=True)
    (folder / "sub" / "a.sse").write_text(FINE, "utf-8")
    (folder / "sub" / "deep" / "b.sse").write_text(FINE, "utf-8")
    assert main(["check", given, "--json"]) == 0
    assert [one["file"] for one in objects(capsys)] == named


def test_standard_input(folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FINE.encode())))
    assert main(["check", "-", "--json"]) == 0
    assert objects(capsys)[0]["file"] == "-"


# statuses and complaints


@pytest.mark.parametrize(
    "arguments, status",
    [
        (["fine.sse"], 0),
        (["warns.sse"], 0),
        (["fails.sse"], 1),
        (["fine.sse", "fails.sse", "fine.sse"], 1),
        (["fails.sse", "--json"], 1),
        (["fails.sse", "--fail-on", "never"], 0),
        (["warns.sse", "--fail-on", "warning"], 1),
        (["warns.sse", "--fail-on", "info"], 1),
        (["fine.sse", "--fail-on", "info"], 0),
        (["fails.sse", "--as", "zcode-3.11"], 1),
        (["fine.sse", "--dialect", "openai-chat", "--framing", "sse"], 0),
        (["missing.sse", "fails.sse"], 2),
        (["fine.sse", "--as", "nobody"], 2),
        (["fine.sse", "--dialect", "nothing"], 2),
        (["fine.sse", "--framing", "nothing"], 2),
        (["fine.sse", "--fail-on", "sometimes"], 2),
        (["fine.sse", "--no-such-option"], 2),
        ([], 2),
        ([""], 2),
    ],
)
def test_the_exit_status(arguments: list[str], status: int, folder: Path, capsys: Capture) -> None:
    assert main(["check", *arguments]) == status
    err = capsys.readouterr().err
    assert err.count("\n") == (status == 2)
    assert err.startswith("stream-inspector: ") == (status == 2)


def test_the_other_inputs_are_still_read(folder: Path, capsys: Capture) -> None:
    assert main(["check", "missing.sse", "fine.sse", "a\x1b.sse", "fails.sse", "--json"]) == 2
    out, err = capsys.readouterr()
    assert [json.loads(line)["file"] for line in out.splitlines()] == ["fine.sse", "fails.sse"]
    lines = err.splitlines()
    assert lines[0].startswith("stream-inspector: missing.sse: no such file")
    assert lines[1].startswith(r"stream-inspector: a\x1b.sse: no such file")
    assert len(lines) == 2


def test_a_newer_recording_is_refused_with_file_and_byte(folder: Path, capsys: Capture) -> None:
    header = {"format": "stream-inspector/recording", "version": 99, "created": "2099-01-01T00:00:00Z"}
    Path("new.rec.jsonl").write_text(json.dumps(header), "utf-8")
    assert main(["check", "new.rec.jsonl", "fine.sse"]) == 2
    out, err = capsys.readouterr()
    assert err.startswith("stream-inspector: new.rec.jsonl: byte 0: ")
    assert out.startswith("fine.sse\n")


def test_a_lens_for_another_dialect(folder: Path, capsys: Capture) -> None:
    Path("other.sse").write_text('data: {"type":"something_else"}\n\n', "utf-8")
    assert main(["check", "other.sse", "fine.sse", "--json", "--as", "zcode-3.11"]) == 2
    out, err = capsys.readouterr()
    assert [json.loads(line)["file"] for line in out.splitlines()] == ["fine.sse"]
    assert err == "stream-inspector: other.sse: lens zcode-3.11 does not read unknown streams\n"


def test_what_is_no_file_is_skipped_in_a_directory(folder: Path, capsys: Capture) -> None:
    os.mkfifo("pipe")
    Path("broken").symlink_to("nowhere")
    assert main(["check", ".", "--json", "--fail-on", "never"]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 4
    assert [line.split(": ")[1:3] for line in err.splitlines()] == [["skipped", "./broken"], ["skipped", "./pipe"]]
    assert main(["check", "pipe"]) == 2
    assert capsys.readouterr().err.startswith("stream-inspector: pipe: it is no regular file")


def deny(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Lets nobody list this folder, nor look into it; as root no permission would do."""
    scan, stat = os.scandir, Path.stat

    def scandir(path: Any) -> Any:
        if Path(path).name == name:
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    def look(path: Path, **how: Any) -> Any:
        if path.parent.name == name:
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, **how)

    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(Path, "stat", look)


def test_folders_without_permission(folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "sub" / "locked").mkdir(parents=True)
    (folder / "sub" / "a.sse").write_text(FINE, "utf-8")
    deny(monkeypatch, "locked")
    assert main(["check", "sub", "--json"]) == 0
    out, err = capsys.readouterr()
    assert [json.loads(line)["file"] for line in out.splitlines()] == ["sub/a.sse"]
    assert err.startswith("stream-inspector: skipped: sub/locked: permission denied")
    for path in ("sub/locked", "sub/locked/a.sse"):
        assert main(["check", path, "fine.sse", "--json"]) == 2
        out, err = capsys.readouterr()
        assert err.startswith(f"stream-inspector: {path}: permission denied")
        assert [json.loads(line)["file"] for line in out.splitlines()] == ["fine.sse"]


def test_an_interruption(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli_check, "read", interrupted)
    assert main(["check", "fine.sse"]) == 130


def test_nobody_listens(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert main(["check", "fine.sse", "missing.sse"]) == 2
    sys.stdout.close()
    sys.stderr.close()


def start(*arguments: str, out: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "inspector_app", *arguments]
    return subprocess.Popen(
        command, cwd=Path(__file__).parents[1], stdout=out, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


def test_a_broken_pipe_is_quiet() -> None:
    with start("check", "--json", "--events", *[str(RECORDINGS)] * 3, out=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("{")
        process.stdout.close()
        assert process.stderr.read() == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to write to")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full, start("rules", out=full) as process:
        assert process.stderr is not None
        assert process.stderr.read() == "stream-inspector: standard output: No space left on device\n"
    assert process.returncode == 2


# comparisons and lists


@pytest.mark.parametrize(
    "path, lens, verdict, blocks",
    [
        (ZCODE, "zcode-3.11", "fragmented", {"a": 2, "b": 150}),
        (ZCODE, "zcode-fixed", "same", {"a": 2, "b": 2}),
        (OPENCLAW, "openclaw", "failed", {"a": 1, "b": 0}),
        (OPENCLAW, "openclaw-fixed", "same", {"a": 1, "b": 1}),
        (WINGMATE, "wingmate-2026-06", "lost", {"a": 2, "b": 2}),
        (WINGMATE, "wingmate-fixed", "same", {"a": 2, "b": 2}),
    ],
)
def test_diff(path: str, lens: str, verdict: str, blocks: dict[str, int], capsys: Capture) -> None:
    assert main(["diff", path, "--as", "reference", "--with", lens, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    keys = ["schema", "a", "b", "verdict", "first_difference", "blocks", "chars"]
    assert list(found)[: len(keys)] == keys
    assert (found["schema"], found["a"], found["b"]) == ("stream-inspector/diff/1", "reference", lens)
    assert (found["verdict"], found["blocks"]) == (verdict, blocks)
    assert (found["first_difference"] is None) == (verdict == "same")
    assert main(["diff", path, "--as", "reference", "--with", lens]) == 0
    assert f"{lens} against reference: {verdict}" in capsys.readouterr().out


def test_diff_of_two_recordings(capsys: Capture) -> None:
    pair = [str(resource("recordings", f"{name}.rec.jsonl")) for name in ("empty-tool-calls", "mixed-spacing")]
    assert main(["diff", *pair, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["a"], found["b"]) == ("empty-tool-calls.rec.jsonl", "mixed-spacing.rec.jsonl")
    assert (found["verdict"], found["blocks"]) == ("lost", {"a": 2, "b": 2})
    spaces = {"what": "space after the colon", "a": "on each", "b": "on some (14 of 15)", "events": {"a": 0, "b": 8}}
    nowhere = {"events": {"a": None, "b": None}}
    heads = [
        {"what": "header server", "a": "nginx", "b": "uvicorn"} | nowhere,
        {"what": "header x-request-id", "a": "there", "b": "not there"} | nowhere,
    ]
    assert found["framing"] == [spaces, *heads]
    assert "choices[].delta.reasoning_content" in [row["what"] for row in found["shape"]]
    assert main(["diff", *pair]) == 0
    out = capsys.readouterr().out
    assert "framing: 3 differences\n" in out
    # What came as an object is one there, and each field in the JSON.
    assert (len(found["shape"]), "shape: 9 differences\n" in out) == (13, True)
    wingmate = next(row for row in found["clients"] if row["what"] == "Wingmate, build of 29 June 2026")
    assert (wingmate["a"], wingmate["events"]) == ("right", {"a": None, "b": 8})
    assert f"    {wingmate['what']}\n      {found['a']}  right\n" in out
    assert f"  clients: {len(found['clients'])} differences, " in out
    rows = found["content"]
    assert [row["what"] for row in rows][:1] == ["reasoning"]
    assert (rows[0]["b"], rows[0]["events"]["b"]) == ("not there", None)
    assert all(row["a"] in out and row["b"] in out for row in rows[:20])


@pytest.mark.parametrize(
    ("pair", "verdict"), [("fine.sse empty", "lost"), ("empty fine.sse", "altered"), ("empty empty", "same")]
)
def test_diff_with_an_empty_recording(pair: str, verdict: str, folder: Path, capsys: Capture) -> None:
    assert main(["diff", *pair.split(), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == verdict
    ends = [(row["a"], row["b"]) for row in found["framing"] if row["what"] == "line ends"]
    assert len(ends) == (verdict != "same")
    assert all("none" in row for row in ends)


@pytest.mark.parametrize(
    "arguments",
    [["fine.sse"], ["fine.sse", "--with", "nobody"], ["fine.sse"] * 3, ["missing", "--with", "zcode-3.11"], []],
)
def test_diff_complains(arguments: list[str], folder: Path, capsys: Capture) -> None:
    assert main(["diff", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


@pytest.mark.parametrize(
    "command, keys, some",
    [
        ("rules", {"rule", "severity", "message", "advice"}, "tool-name-missing"),
        ("lenses", {"name", "title", "kind", "dialects", "evidence", "source", "summary", "rules"}, "wingmate-fixed"),
        ("dialects", {"name"}, "openai-chat"),
        ("formats", {"name", "reads", "writes"}, "recording"),
    ],
)
def test_the_lists(command: str, keys: set[str], some: str, capsys: Capture) -> None:
    assert main([command, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert all(keys <= row.keys() for row in rows)
    names = [row["rule" if command == "rules" else "name"] for row in rows]
    assert some in names
    assert main([command]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in names)


def test_formats_have_the_contract_s_names() -> None:
    assert {found.name for found in formats()} <= {
        *("sse-body", "text-body", "jsonl-chunks", "ndjson-body", "json-body", "http-response", "binary-body"),
        *("recording", "har", "cassette", "curl-trace", "mitmproxy", "timestamped-lines", "pcap", "sse-devtools-panel"),
    }


@pytest.mark.parametrize("option, says", [("--version", __version__), ("--help", "check PATH")])
def test_what_it_is(option: str, says: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as stop:
        main([option])
    assert stop.value.code == 0
    assert says in capsys.readouterr().out
