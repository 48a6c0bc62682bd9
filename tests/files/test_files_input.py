"""Which format an input has, how it is opened, and what is said when it cannot be."""

from __future__ import annotations

import io
import json
import mmap
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector_app.core.registry import discover
from inspector_app.core.types import Exchange, InputFault
from inspector_app.files import formats, read_input
from inspector_app.files._source import MAP_FROM, BufferBody, open_source

CHUNK = b'{"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hi"}}]}'
OLLAMA = b'{"model":"llama3","created_at":"2026-01-01T00:00:00Z","message":{"content":"Hi"},"done":false}'
AWS = bytes.fromhex("0000008e00000052ee91e142") + bytes(130)

CONTENT = [
    # what it is, bytes, file name, format
    ("an event stream", b"data: " + CHUNK + b"\n\n", "a.sse", "sse-body"),
    ("an event stream in a text file", b"data: " + CHUNK + b"\n\n", "a.txt", "sse-body"),
    ("an event stream under any name", b"event: ping\ndata: {}\n\n", "a.json", "sse-body"),
    ("blank lines, a mark and a comment before the events", b"\xef\xbb\xbf\r\n\r\n: hi\r\n", "a", "sse-body"),
    ("lines that end at CR", b"id: 1\rdata: x\r\r", "a", "sse-body"),
    ("a field name alone", b"data\n\n", "a", "sse-body"),
    ("an error line before the events", b'{"error":"slow"}\n\ndata: ' + CHUNK + b"\n\n", "a.sse", "sse-body"),
    ("a log line before the events", b"* connected\ndata: " + CHUNK + b"\n\n", "a.txt", "sse-body"),
    ("events from line 100 on", b"noise\n" * 99 + b"data: x\n\n", "a", "sse-body"),
    ("events from line 101 on", b"noise\n" * 100 + b"data: x\n\n", "a", "text-body"),
    ("one huge event", b"data: " + b"x" * 300_000 + b"\n\n", "a", "sse-body"),
    ("an event with junk in it", b"data: " + bytes(range(256)) * 4 + b"\n\n", "a", "sse-body"),
    ("HTML", b"<!DOCTYPE html>\n<html><body>502</body></html>\n", "a.sse", "text-body"),
    ("HTML with a line that looks like a field", b"<html>\n<script>\nx = {\ndata: 1,\n}\n</script>", "a", "text-body"),
    ("plain text", b"The answer is 42.\nid est, no field.\n", "a.sse", "text-body"),
    ("text in Latin-1", "Die Größe für die Straße".encode("latin-1"), "a", "text-body"),
    ("a log with brackets", b"[12:00:01] started\n[12:00:02] done\n", "a.txt", "text-body"),
    ("the lines of the AI SDK data protocol", b'0:"Hi"\n0:" there"\n', "a", "text-body"),
    ("one document", b'{"error":{"message":"no"}}', "a.sse", "json-body"),
    ("one document under the name of a log", b'{"error":{"message":"no"}}\n', "a.jsonl", "json-body"),
    ("a whole answer under the name of a log", b'{"object":"chat.completion","choices":[]}', "a.jsonl", "json-body"),
    ("a document over several lines", b'{\n  "error": {\n    "message": "no"\n  }\n}\n', "a", "json-body"),
    ("an array of chunks", b'[{"candidates":[]}\n,\r\n{"candidates":[]}\n]', "a", "json-body"),
    ("an empty array", b"[]", "a", "json-body"),
    ("a cut document", b'{"error": {"mess', "a", "json-body"),
    ("chunk payloads, one a line", CHUNK + b"\n" + CHUNK + b"\n", "a.jsonl", "jsonl-chunks"),
    ("chunk payloads, whatever the name", CHUNK + b"\r\n\r\n" + CHUNK, "a.sse", "jsonl-chunks"),
    ("chunk payloads and an end marker", CHUNK + b"\n[DONE]\n", "a.txt", "jsonl-chunks"),
    ("a damaged first payload", b'{"choices":[\n' + CHUNK + b"\n" + CHUNK, "a.jsonl", "jsonl-chunks"),
    ("one chunk payload", CHUNK, "a.chunks.txt", "jsonl-chunks"),
    ("one chunk payload as a document", CHUNK, "a.json", "json-body"),
    ("payloads of Anthropic", b'{"type":"message_start"}\n{"type":"ping"}\n', "a", "jsonl-chunks"),
    ("payloads of Responses", b'{"type":"response.created"}\n{"type":"response.completed"}\n', "a", "jsonl-chunks"),
    ("payloads of Gemini", b'{"candidates":[]}\n{"candidates":[]}\n', "a", "jsonl-chunks"),
    ("payloads of Converse", b'{"messageStart":{}}\n{"messageStop":{}}\n', "a", "jsonl-chunks"),
    ("Ollama", OLLAMA + b"\n" + OLLAMA + b"\n", "a.jsonl", "ndjson-body"),
    ("Ollama after an error", b'{"error":"x"}\n' + OLLAMA + b"\n", "a", "ndjson-body"),
    ("Ollama from the midst of a line", OLLAMA[9:] + b"\n" + OLLAMA + b"\n" + OLLAMA + b"\n", "a", "ndjson-body"),
    ("Ollama from a colon on", OLLAMA[8:] + b"\n" + OLLAMA + b"\n" + OLLAMA + b"\n", "a.sse", "ndjson-body"),
    ("chunk payloads after a line of a log", b"[10:00] starting\n" + (CHUNK + b"\n") * 2, "a.txt", "jsonl-chunks"),
    ("chunk payloads from the midst of a line", CHUNK[30:] + (b"\n" + CHUNK) * 3, "a.jsonl", "jsonl-chunks"),
    ("text that quotes an object", b"It is:\n" + CHUNK + b"\nas you see.\n", "a.jsonl", "text-body"),
    ("one line of Ollama", OLLAMA, "a.ndjson", "ndjson-body"),
    ("one line of Ollama as a document", OLLAMA, "a.json", "json-body"),
    ("Cohere v1", b'{"is_finished":false,"event_type":"stream-start"}\n{"is_finished":true,"event_type":"e"}', "a",
     "ndjson-body"),
    ("JSON-RPC over stdio", b'{"jsonrpc":"2.0","id":1}\n{"jsonrpc":"2.0","id":2}\n', "a", "ndjson-body"),
    ("objects that nobody knows", b'{"a":1}\n{"b":2}\n', "a", "ndjson-body"),
    ("frames of AWS", AWS, "a.sse", "binary-body"),
    ("junk", bytes(range(256)) * 4, "a.txt", "binary-body"),
    ("text in UTF-16", "data: x\n\n".encode("utf-16"), "a.sse", "binary-body"),
    ("a response head", b"HTTP/1.1 200 OK\r\n\r\ndata: x\n\n", "a.txt", "http-response"),
    ("a recording", b'{"format":"stream-inspector/recording","version":1}\n', "a.txt", "recording"),
]  # fmt: skip


@pytest.mark.parametrize("what, data, name, expected", CONTENT, ids=[row[0] for row in CONTENT])
def test_the_content_decides_the_format(
    what: str, data: bytes, name: str, expected: str, read_one: Callable[..., Exchange]
) -> None:
    exchange = read_one(data, name)
    assert exchange.format == expected
    if expected not in ("http-response", "recording"):
        assert exchange.body.slice(0, len(data)) == data
        assert len(exchange.body) == len(data)
        assert (exchange.read_ends, exchange.timing, exchange.http, exchange.faults) == (None, "none", None, [])


@pytest.mark.parametrize(
    "name, expected",
    [
        ("a.sse", "sse-body"), ("a.ndjson", "ndjson-body"), ("a.json", "json-body"), ("a.bin", "binary-body"),
        ("a.http", "http-response"), ("a.txt", "text-body"), ("a", "text-body"), ("a.rec.jsonl", "recording"),
    ],
)  # fmt: skip
def test_an_empty_file_is_an_empty_body_of_the_format_its_name_says(
    name: str, expected: str, read_one: Callable[..., Exchange]
) -> None:
    exchange = read_one(b"", name)
    assert (exchange.format, len(exchange.body)) == (expected, 0)


def test_a_log_of_payloads_has_its_framing_and_is_marked_as_made_up(read_one: Callable[..., Exchange]) -> None:
    exchange = read_one(CHUNK + b"\n" + CHUNK, "a.jsonl")
    assert (exchange.framing, exchange.synthetic) == ("ndjson", True)
    exchange = read_one(OLLAMA + b"\n" + OLLAMA, "a.jsonl")
    assert (exchange.framing, exchange.synthetic) == (None, False)
    assert read_one(OLLAMA, "a.ndjson").framing == "ndjson"


def test_the_name_is_the_path_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.sse").write_bytes(b"data: x\n\n")
    (exchange,) = read_input("./a.sse")
    assert exchange.name == "./a.sse"


def test_standard_input_is_read_whole() -> None:
    (exchange,) = read_input("-", io.BytesIO(b"data: x\n\n"))
    assert (exchange.name, exchange.format) == ("-", "sse-body")
    assert exchange.body.slice(0, 99) == b"data: x\n\n"


def test_standard_input_is_that_of_the_process_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"error":"x"}')))
    assert read_input("-")[0].format == "json-body"
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(InputFault, match="standard input: it is closed"):
        read_input("-")


def test_a_big_file_is_mapped_and_a_small_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "big.sse"
    path.write_bytes((b"data: " + b"x" * 1000 + b"\n\n") * (MAP_FROM // 1000))
    assert isinstance(open_source(str(path), None).data, mmap.mmap)
    (exchange,) = read_input(str(path))
    assert exchange.format == "sse-body"
    assert exchange.body.slice(1006, 1014) == b"\n\ndata: "
    path.write_bytes(b"data: x\n\n")
    assert isinstance(open_source(str(path), None).data, bytes)


def test_a_slice_of_a_body_is_a_copy_and_never_longer_than_the_body() -> None:
    body = BufferBody(bytearray(b"0123456789"))
    assert (body.slice(2, 4), body.slice(8, 99), body.slice(99, 100), len(body)) == (b"23", b"89", b"", 10)
    assert type(body.slice(2, 4)) is bytes


def complaint(path: str) -> str:
    with pytest.raises(InputFault) as caught:
        read_input(path)
    return str(caught.value)


def test_what_cannot_be_opened_is_named_in_one_line_with_what_to_do(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    assert complaint(str(tmp_path)) == f"{tmp_path}: it is a directory; name a file in it"
    assert complaint(str(tmp_path / "no")) == f"{tmp_path}/no: no such file or directory; check the path"
    assert complaint(str(fifo)) == f"{fifo}: it is no regular file; redirect it to standard input and give `-`"
    assert complaint("a\n\x1b\0b") == "a\\n\\x1b\\x00b: it cannot be a path (it holds a null byte); check the path"
    assert complaint("x" * 5000).endswith(": file name too long; check the file and the disk it is on")


@pytest.mark.parametrize(
    "error, advice", [(PermissionError(13, "Permission denied"), "open a copy"), (OSError(5, "EIO"), "disk")]
)
def test_a_file_that_refuses_to_be_read_says_why(
    error: OSError, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.sse"
    path.write_bytes(b"data: x\n\n")

    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(Path, "open", refuse)
    assert complaint(str(path)).startswith(f"{path}: {error.strerror[:1].lower()}{error.strerror[1:]}; ")
    assert advice in complaint(str(path))


def test_the_list_of_formats_is_what_the_modules_say() -> None:
    rows = {row.name: row for row in formats()}
    assert [row.name for row in formats()] == sorted(rows)
    assert rows["recording"] == ("recording", "Recording of Stream Inspector", (".rec.jsonl",), True, True)
    assert rows["sse-body"].extensions == (".sse", ".txt")
    assert all(row.reads for row in rows.values())


@pytest.mark.parametrize("module", discover("inspector_app.files"), ids=lambda module: module.NAME)
def test_every_format_keeps_the_contract_of_the_room(module: object, read_one: Callable[..., Exchange]) -> None:
    assert module.TITLE[0].isupper()  # type: ignore[attr-defined]
    assert all(extension.startswith(".") for extension in module.EXTENSIONS)  # type: ignore[attr-defined]
    assert module.sniff(b"", "-") in range(4)  # type: ignore[attr-defined]
    assert module.sniff(b"\xff\xfe\x00", "a" + module.EXTENSIONS[0]) in range(100)  # type: ignore[attr-defined]
    exchange = read_one(b"", "a" + module.EXTENSIONS[0])
    assert exchange.format in {row.name for row in formats()}


def test_the_corpus_is_read_as_its_index_says(shared: Path) -> None:
    wrong = []
    bodies = {"sse": "sse-body", "bin": "binary-body", "json": "json-body", "jsonl": "jsonl-chunks"}
    for line in (shared / "corpus" / "index.jsonl").read_bytes().splitlines():
        row = json.loads(line)
        exchange, *others = read_input(str(shared / "corpus" / row["file"]))
        # The answer that another one breaks into is one with it.
        answers = 1 if "spliced" in row["file"] else row.get("multi_response") or 1
        if len(others) + 1 != answers:
            wrong.append((row["file"], f"{len(others) + 1} answers"))
        native = row["dialect"] in ("ollama-chat", "ollama-generate", "cohere-v1")
        if exchange.format != ("ndjson-body" if native else bodies[row["framing"]]):
            wrong.append((row["file"], exchange.format))
    assert not wrong
