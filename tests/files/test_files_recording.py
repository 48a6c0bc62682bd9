"""The recording file: what is written is read again, and damage costs what it hit and no more."""

from __future__ import annotations

import base64
import gzip
import io
import json
import zlib
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.notes import Note, notes_in
from inspector_app.core.types import NO_TIME, Exchange, Http, InputFault, MemoryBody
from inspector_app.files import read_input
from inspector_app.files._writer import PIECE
from inspector_app.files.recording import RecordingWriter, add_note, write

CANARY = "sk-canary0123456789abcdef"


def header(**fields: Any) -> dict[str, Any]:
    return {
        "format": "stream-inspector/recording", "version": 1, "created": "2026-11-29T17:18:52.123456Z",
        "program": "stream-inspector 0.1.0", "source": "live", "timing": "measured", "bytes": "exact",
        "request": None, "redacted": [], **fields,
    }  # fmt: skip


def text(t: int | None, data: str) -> dict[str, Any]:
    return {"t": t, "text": data, "crc": f"{zlib.crc32(data.encode()):08x}"}


def b64(t: int | None, data: bytes) -> dict[str, Any]:
    return {"t": t, "b64": base64.b64encode(data).decode(), "crc": f"{zlib.crc32(data):08x}"}


def end(**fields: Any) -> dict[str, Any]:
    return {"how": "done", "terminator": True, "closed_by": "server", "trailers": [], "detail": None, **fields}


HEAD = {"t": 310, "head": {"status": 200, "http_version": "HTTP/2", "headers": [["content-type", "text/event-stream"]]}}
READS = [text(400, "data: größer\n\nda"), b64(500, b"ta: \xe4\xb8"), b64(None, b"\xad\n\n")]
END = {"t": 900, "end": end()}
BODY = "data: größer\n\ndata: 中\n\n".encode()


def tape(*records: dict[str, Any] | bytes) -> bytes:
    return b"".join(row if isinstance(row, bytes) else json.dumps(row).encode() + b"\n" for row in records)


def told(exchange: Exchange) -> list[tuple[str, int, str]]:
    return [(fault.rule, fault.at, fault.detail) for fault in exchange.faults]


def body_of(exchange: Exchange) -> bytes:
    return exchange.body.slice(0, len(exchange.body))


def test_all_records_come_back(read_one: Callable[..., Exchange]) -> None:
    request = {"method": "POST", "url": "https://h/v1", "headers": [["accept", "*/*"]], "body": {"stream": True}}
    note = {"id": "n1", "event": 17, "text": "here", "until": None}
    exchange = read_one(tape(header(request=request), HEAD, *READS, {"t": 600, "note": note}, END), "a.rec.jsonl")
    assert (exchange.format, exchange.timing, exchange.source) == ("recording", "measured", "live")
    assert body_of(exchange) == BODY
    assert list(exchange.read_ends or []) == [18, 24, 27]
    assert list(exchange.read_times or []) == [400, 500, NO_TIME]
    assert exchange.http == Http(200, [("content-type", "text/event-stream")], "HTTP/2")
    assert (exchange.head_time, exchange.end, exchange.end_time) == (310, end(), 900)
    assert (exchange.request, exchange.created) == (request, "2026-11-29T17:18:52.123456Z")
    assert exchange.notes == [{**note, "t": 600}]
    assert (exchange.faults, exchange.synthetic, exchange.framing) == ([], False, None)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: b"\n\n" + data.replace(b"\n", b"\n\n"),
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.rstrip(b"\n"),
        lambda data: data.replace(b'"crc"', b'"CRC"'),
        lambda data: gzip.compress(data),
    ],
)
def test_what_editors_and_tools_do_to_a_file_is_no_damage(
    change: Callable[[bytes], bytes], read_one: Callable[..., Exchange]
) -> None:
    exchange = read_one(change(tape(header(), HEAD, *READS, END)), "a.txt")
    assert (exchange.format, exchange.faults, exchange.coding) == ("recording", [], None)
    assert body_of(exchange) == BODY


def test_the_response_may_stand_in_the_header(read_one: Callable[..., Exchange]) -> None:
    exchange = read_one(tape(header(response={"status": 404, "headers": []}), *READS, END))
    assert exchange.http == Http(404, [], "HTTP/1.1")
    assert exchange.head_time is None


@pytest.mark.parametrize(
    "said, times, timing, known",
    [
        ("measured", [1, 2], "measured", [1, 2]),
        ("per-line", [1, None], "per-line", [1, NO_TIME]),
        ("none", [1, 2], "none", None),
        ("measured", [None, None], "none", None),
        (None, [1, 2], "measured", [1, 2]),
        ("exact", [None, None], "none", None),
        ("measured", [], "measured", None),
    ],
)
def test_no_time_is_made_up(
    said: str | None, times: list[int | None], timing: str, known: list[int] | None, read_one: Callable[..., Exchange]
) -> None:
    exchange = read_one(tape(header(timing=said), *(text(t, "x") for t in times), END))
    assert exchange.timing == timing
    assert exchange.read_times == (None if known is None else array("q", known))
    assert list(exchange.read_ends or []) == [*range(1, len(times) + 1)]


DAMAGED = [
    # what is wrong, the record in the middle, what is said of it, what is left of the body
    ("no JSON", b'{"t": 5, "text": "x\n', "line 4: it is no JSON object", b"ab"),
    ("no object", b"[1]\n", "line 4: it is no JSON object", b"ab"),
    ("too deep", b'{"t":' + b"[" * 100_000 + b"\n", "line 4: it is no JSON object", b"ab"),
    ("another CRC", {"t": 5, "text": "x", "crc": "00000000"},
     "line 4: its bytes have the CRC 8cdc1683, it says 00000000", b"ab"),
    ("a CRC that is none", {"t": 5, "text": "x", "crc": 7},
     "line 4: its bytes have the CRC 8cdc1683, it says 7", b"ab"),
    ("no data", {"t": 5}, "line 4: it holds no data, and nothing else that this program knows", b"ab"),
    ("data of another kind", {"t": 5, "text": ["x"]}, "line 4: its data is no text", b"ab"),
    ("bad base64", {"t": 5, "b64": "%%%"}, "line 4: its bytes cannot be decoded", b"ab"),
    ("half a surrogate", b'{"t": 5, "text": "\\ud83d"}\n', "line 4: its bytes cannot be decoded", b"ab"),
    ("a time of another kind", {**text(5, "x"), "t": "soon"}, "line 4: its time is no number of nanoseconds", b"axb"),
    ("a time beyond all clocks", {**text(5, "x"), "t": 1 << 63},
     "line 4: its time is no number of nanoseconds", b"axb"),
    ("a head without status", {"t": 5, "head": {}}, "line 4: its response head has no status", b"ab"),
    ("header fields that are none", {"t": 5, "head": {"status": 200, "headers": {"a": "b"}}},
     "line 4: its header fields are no pairs of name and value", b"ab"),
    ("an end without how", {"t": 5, "end": {}}, "line 4: its end does not say how", b"ab"),
    ("a note that is none", {"t": 5, "note": "x"}, "line 4: its note is no object", b"ab"),
    ("zeros", bytes(300) + b"\n", "line 4: it is no JSON object", b"ab"),
    ("several lines", b"one\ntwo\nthree\n", "lines 4 to 6: it is no JSON object", b"ab"),
]  # fmt: skip


@pytest.mark.parametrize("what, record, detail, body", DAMAGED, ids=[row[0] for row in DAMAGED])
def test_a_damaged_record_is_named_with_its_place_and_reading_goes_on(
    what: str, record: dict[str, Any] | bytes, detail: str, body: bytes, read_one: Callable[..., Exchange]
) -> None:
    exchange = read_one(tape(header(), {**HEAD, "t": 1}, text(1, "a"), record, text(9, "b"), END))
    assert body_of(exchange) == body
    assert told(exchange) == [("file-record-damaged", 1, detail)]
    assert exchange.end == end()


@pytest.mark.parametrize(
    "first, detail",
    [
        (b'{"format": "stream-inspector/recording", "version": 1, "cre\n', "line 1: it is no JSON object"),
        (b"\x00\x00\x00\n", "line 1: it is no JSON object"),
        (b"", "line 1: it is no header of a recording"),
        (tape(header(request=[])), "line 1: its request is no object"),
        (tape(header(request={"headers": [1]})), "line 1: its header fields are no pairs of name and value"),
        (tape(header(response={"status": "ok"})), "line 1: its response head has no status"),
    ],
)
def test_a_damaged_header_costs_the_header_only(first: bytes, detail: str, read_one: Callable[..., Exchange]) -> None:
    exchange = read_one(first + tape(*READS, END))
    assert (exchange.format, body_of(exchange)) == ("recording", BODY)
    assert told(exchange) == [("file-record-damaged", 0, detail)]


@pytest.mark.parametrize(
    "tail, detail",
    [
        (b"", "there is no end record"),
        (b'{"t": 5, "te', "the last line is incomplete"),
        (bytes(4096), "the last line is incomplete"),
        (tape(END) + b'{"t": 5, "note": {', "the last line is incomplete"),
    ],
)
def test_a_torn_tail_costs_the_last_line(tail: bytes, detail: str, read_one: Callable[..., Exchange]) -> None:
    exchange = read_one(tape(header(), *READS) + tail)
    assert body_of(exchange) == BODY
    assert told(exchange) == [("file-torn-tail", len(BODY), detail)]


def test_a_file_cut_anywhere_gives_the_reads_before_the_cut(read_one: Callable[..., Exchange]) -> None:
    whole = tape(header(), HEAD, *READS, END)
    for size in range(len(tape(header())), len(whole) - 1):
        exchange = read_one(whole[:size])
        assert [fault.rule for fault in exchange.faults] == ["file-torn-tail"]
        assert body_of(exchange) == BODY[: len(exchange.body)]
        assert len(exchange.read_ends or []) >= whole[:size].count(b"\n") - 2


@pytest.mark.parametrize("version", [2, 99, 1.5])
def test_a_newer_version_is_refused(version: float, read_one: Callable[..., Exchange]) -> None:
    with pytest.raises(InputFault, match=rf"answer.sse: byte 0: .* version {version}, .* version 1; update"):
        read_one(tape(header(version=version), *READS, END))


@pytest.mark.parametrize("version", [0, 1, True, None, "1"])
def test_older_and_odd_versions_are_read(version: object, read_one: Callable[..., Exchange]) -> None:
    assert body_of(read_one(tape(header(version=version), *READS, END))) == BODY


@pytest.mark.parametrize(
    "fields, rules",
    [
        ({"how": "truncated", "terminator": False}, ["frame-cut"]),
        ({"how": "reset", "terminator": False, "detail": "by peer"}, ["frame-cut"]),
        ({"how": "cancelled", "terminator": False, "closed_by": "client"}, []),
        ({"how": "eof", "terminator": None}, []),
        ({"how": "done", "terminator": True}, []),
    ],
)
def test_a_transfer_that_broke_off_is_a_cut_unless_we_broke_it(
    fields: dict[str, Any], rules: list[str], read_one: Callable[..., Exchange]
) -> None:
    exchange = read_one(tape(header(), *READS, {**END, "end": end(**fields)}))
    assert [fault.rule for fault in exchange.faults] == rules
    for fault in exchange.faults:
        assert fault.detail == (fields.get("detail") or "the connection ended before the response did")


def test_encoded_bytes_are_decoded_and_reads_and_places_with_them(read_one: Callable[..., Exchange]) -> None:
    packer = zlib.compressobj(wbits=31)
    pieces = [packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH) for piece in (b"data: 1\n\n", b"data: 2\n\n")]
    head = {"t": 1, "head": {"status": 200, "headers": [["Content-Encoding", "gzip"]]}}
    records = [b64(2, pieces[0]), b"junk\n", b64(3, pieces[1]), b64(4, packer.flush())]
    exchange = read_one(tape(header(), head, *records, END))
    assert (body_of(exchange), exchange.coding) == (b"data: 1\n\ndata: 2\n\n", "gzip")
    assert list(exchange.read_ends or []) == [9, 18, 18]
    assert [(fault.rule, fault.at) for fault in exchange.faults] == [("http-compressed", 0), ("file-record-damaged", 9)]


def test_decoded_bytes_are_not_decoded_again(read_one: Callable[..., Exchange]) -> None:
    inner = gzip.compress(b"data")
    head = {"t": 1, "head": {"status": 200, "headers": [["Content-Encoding", "gzip"]]}}
    exchange = read_one(tape(header(bytes="decoded"), head, b64(2, inner), END))
    assert (body_of(exchange), exchange.coding, exchange.coded) == (inner, "gzip", None)
    assert [fault.rule for fault in exchange.faults] == ["http-compressed"]
    assert read_one(tape(header(bytes="synthetic"), text(1, "{}"), END)).synthetic


def test_bytes_of_the_wire_are_kept_where_they_were_decoded(read_one: Callable[..., Exchange]) -> None:
    wire = gzip.compress(b"data")
    head = {"t": 1, "head": {"status": 200, "headers": [["Content-Encoding", "gzip"]]}}
    exchange = read_one(tape(header(), head, b64(2, wire[:5]), b64(3, wire[5:]), END))
    assert (body_of(exchange), exchange.coding) == (b"data", "gzip")
    assert exchange.coded is not None
    assert exchange.coded.body.slice(0, 1 << 10) == wire
    assert list(exchange.coded.read_ends or ()) == [5, len(wire)]


class Disk:
    """A file that takes a few bytes at a time, and nothing where `full`."""

    def __init__(self, step: int = 1 << 30) -> None:
        self.data = b""
        self.step = step
        self.room = 1 << 30

    def write(self, data: memoryview) -> int:
        taken = bytes(data[: min(self.step, self.room)])
        if not taken:
            raise OSError(28, "No space left on device")
        self.data += taken
        self.room -= len(taken)
        return len(taken)


def test_each_call_is_one_line_on_the_disk_at_once() -> None:
    disk = Disk(step=7)
    writer = RecordingWriter(disk, source="live", created="2026-01-01T00:00:00Z")  # type: ignore[arg-type]
    writer.head(1, 200, [("Set-Cookie", CANARY)], "HTTP/2")
    writer.read(2, b"data: \xff")
    writer.end(None, "eof", None)
    rows = [json.loads(line) for line in disk.data.splitlines()]
    assert rows[0]["redacted"] == []
    assert rows[0]["timing"] == "measured"
    assert rows[1]["head"]["headers"][0][1].startswith("<redacted: sha256:")
    assert rows[2] == b64(2, b"data: \xff")
    assert rows[3] == {"t": None, "end": end(how="eof", terminator=None)}


def test_a_full_disk_is_told_and_does_not_spoil_what_comes_after() -> None:
    disk = Disk()
    writer = RecordingWriter(disk, source="live")  # type: ignore[arg-type]
    writer.read(1, b"a")
    disk.room = 10
    with pytest.raises(OSError, match="No space left"):
        writer.read(2, b"lost")
    disk.room = 1 << 30
    writer.read(3, b"b")
    writer.end(4, "eof", True)
    (exchange,) = read_input("-", io.BytesIO(disk.data))
    assert body_of(exchange) == b"ab"
    assert told(exchange) == [("file-record-damaged", 1, "line 3: it is no JSON object")]


def copy(exchange: Exchange) -> Exchange:
    file = io.BytesIO()
    write(exchange, file)
    (again,) = read_input("-", io.BytesIO(file.getvalue()))
    return again


@given(st.lists(st.tuples(st.binary(max_size=20), st.none() | st.integers(0, 1 << 59)), max_size=8))
def test_any_reads_are_written_and_read_again(reads: list[tuple[bytes, int | None]]) -> None:
    ends, times, body = array("q"), array("q"), b""
    last = 5
    for data, wait in reads:
        body += data
        ends.append(len(body))
        last += wait or 0
        times.append(NO_TIME if wait is None else last)
    exchange = Exchange(
        "x", "har", MemoryBody(body), "measured", ends, times, Http(200, [("a", "b")], "HTTP/2"), 5,
        {"url": "https://h", "headers": [], "body": {"n": 1}}, "2026-01-01T00:00:00Z", "br", end(detail="d"), last + 77,
    )  # fmt: skip
    again = copy(exchange)
    known = any(time != NO_TIME for time in times)
    assert (body_of(again), again.read_ends, again.read_times) == (body, ends, times if known else None)
    for name in ("http", "head_time", "request", "created", "end", "end_time"):
        assert getattr(again, name) == getattr(exchange, name)
    assert (again.source, again.faults) == ("import:har", [])


@pytest.mark.parametrize("body", ["中".encode() * PIECE, b"data: x\r\n\r\n" * PIECE, b"\xff" * 3 * PIECE, b"x" * PIECE])
def test_a_body_without_reads_is_cut_at_no_line_and_no_character(body: bytes) -> None:
    again = copy(Exchange("x", "sse-body", MemoryBody(body)))
    assert body_of(again) == body
    assert again.read_ends is not None
    assert (again.timing, again.read_times) == ("none", None)
    for stop in again.read_ends[:-1]:
        assert body[stop - 1 : stop] == b"\n" or b"\n" not in body
        assert body[stop] & 0xC0 != 0x80
    assert max(b - a for a, b in zip([0, *again.read_ends], again.read_ends)) <= PIECE


def test_a_copy_claims_no_end_that_the_recording_lost(read_one: Callable[..., Exchange]) -> None:
    again = copy(read_one(tape(header(source="proxy"), *READS)))
    assert (again.end, again.source) == (None, "proxy")
    assert [fault.rule for fault in again.faults] == ["file-torn-tail"]


def test_notes_keep_their_time_and_odd_text() -> None:
    exchange = Exchange("x", "har", MemoryBody(b""), notes=[{"id": "n", "text": "half \ud83d", "t": 6}, {"id": "m"}])
    assert copy(exchange).notes == exchange.notes


def test_no_secret_reaches_the_file() -> None:
    request = {
        "method": "POST", "url": f"https://h/v1?key={CANARY}", "headers": [["Authorization", f"Bearer {CANARY}"]],
        "body": {"api_key": CANARY},
    }  # fmt: skip
    exchange = Exchange("x", "har", MemoryBody(b""), request=request, http=Http(200, [("set-cookie", CANARY)]))
    exchange.end = end(trailers=[["x-api-key", CANARY]], detail=f"cannot reach https://h/v1?key={CANARY}")
    file = io.BytesIO()
    write(exchange, file)
    assert CANARY.encode() not in file.getvalue()
    first = json.loads(file.getvalue().splitlines()[0])
    assert first["redacted"] == ["authorization", "url", "body"]
    assert first["request"]["headers"][0][1].startswith("<redacted: sha256:")


def test_a_request_that_is_nested_too_deep_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InputFault, match="nested too deep"):
        RecordingWriter(io.BytesIO(), source="live", request={"body": deep})


# notes


def recording_on_disk(tmp_path: Path) -> Path:
    path = tmp_path / "a.rec.jsonl"
    with path.open("wb") as file:
        write(Exchange("a.sse", "sse", MemoryBody(b"data: 1\n\n"), http=Http(200, [])), file)
    return path


def test_a_note_is_added_to_the_end_and_read_again(tmp_path: Path) -> None:
    path = recording_on_disk(tmp_path)
    before = path.read_bytes()
    add_note(str(path), Note("n1", 0, "here it breaks").to_json())
    assert path.read_bytes().startswith(before)
    (exchange,) = read_input(str(path))
    assert notes_in(exchange.notes) == [Note("n1", 0, "here it breaks")]
    assert (exchange.faults, exchange.body.slice(0, 9)) == ([], b"data: 1\n\n")


def test_a_note_stands_on_a_line_of_its_own_behind_a_torn_one(tmp_path: Path) -> None:
    path = recording_on_disk(tmp_path)
    path.write_bytes(path.read_bytes() + b'{"t": 5, "te')
    add_note(str(path), Note("n1", 0, "x").to_json())
    (exchange,) = read_input(str(path))
    assert notes_in(exchange.notes) == [Note("n1", 0, "x")]
    assert [fault.rule for fault in exchange.faults] == ["file-record-damaged"]


def test_a_secret_in_a_note_is_masked(tmp_path: Path) -> None:
    path = recording_on_disk(tmp_path)
    add_note(str(path), Note("n1", 0, "sent with Bearer sk-proj-abcdefghijklmnopqrstuvwxyz0123456789").to_json())
    assert b"abcdefghijkl" not in path.read_bytes()


def test_notes_are_kept_in_recordings_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.sse"
    path.write_bytes(b"data: 1\n\n")
    with pytest.raises(InputFault, match=r"a\.sse: this is no recording; .*save it as one"):
        add_note(str(path), Note("n1", 0, "x").to_json())
    assert path.read_bytes() == b"data: 1\n\n"
