"""The recording file of Stream Inspector (`.rec.jsonl`): a header, then one JSON line per read.

A damaged line is a fault with its place, and reading goes on: the bytes of that line are missing, no more. A time that
runs backwards is one too; it counts as unknown.
"""

from __future__ import annotations

import binascii
import json
import os
import re
import zlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from inspector_app.core.redact import redact_text
from inspector_app.core.types import NO_TIME, Coded, Exchange, Fault, Http, InputFault, Mark
from inspector_app.files._coding import announced_coding, undo_coding
from inspector_app.files._content import BOM, named_like, parse_object, text_lines
from inspector_app.files._order import out_of_order
from inspector_app.files._source import Buffer, BufferBody, Source, printable
from inspector_app.files._writer import FORMAT, PIECE, VERSION, RecordingWriter, record_ends, record_line

__all__ = [
    "EXTENSIONS", "NAME", "TITLE", "RecordingWriter", "add_note", "is_marked", "mark_of", "read", "sniff", "write",
]  # fmt: skip

NAME = "recording"
TITLE = "Recording of Stream Inspector"
EXTENSIONS = (".rec.jsonl",)

HEADER = re.compile(rb'\s*\{\s*"format"\s*:\s*"stream-inspector/recording"')
TIMINGS = ("measured", "per-line", "none")
ABOUT = ("title", "story")
"""Words for people that a header may hold."""

ENDS = 1 << 16
"""Bytes at the beginning and at the end of what was read by which a file is known again."""


class _Damage(ValueError):
    """What is wrong with a record."""


@dataclass(slots=True)
class _Tape:
    """What the lines gave so far."""

    header: dict[str, Any] = field(default_factory=dict)
    body: bytearray = field(default_factory=bytearray)
    ends: array[int] = field(default_factory=lambda: array("q"))
    times: array[int] = field(default_factory=lambda: array("q"))
    http: Http | None = None
    head_time: int | None = None
    end: dict[str, Any] | None = None
    end_time: int | None = None
    notes: list[dict[str, Any]] = field(default_factory=list)
    damages: list[tuple[int, int, int, str]] = field(default_factory=list)
    """(number of reads before, first line, last line, what is wrong); lines count from 1."""
    torn: bool = False
    latest: int = 0
    backwards: bool = False
    """Whether a time is lower than the latest before it."""
    read_lines: array[int] = field(default_factory=lambda: array("q"))
    head_line: int = 0
    end_line: int = 0
    doubted: list[tuple[int, int, int]] = field(default_factory=list)
    """(first read, read behind the last, line) of every time that runs backwards: it counts as unknown."""

    def damage(self, line: int, what: str) -> None:
        """Notes a damaged line; neighbours at the same place in the body are one damage."""
        reads, first = len(self.ends), line
        if self.damages and self.damages[-1][0] == reads and self.damages[-1][2] >= line - 1:
            _, first, _, what = self.damages.pop()
        self.damages.append((reads, first, line, what))


def sniff(head: bytes, name: str) -> int:
    if HEADER.match(head.removeprefix(BOM)):
        return 120
    # The header may be lost or damaged: the records after it are as good as a name.
    if any(_is_record(line) for line in text_lines(head[:PIECE])[:3]):
        return 110
    return 3 if not head and named_like(name, EXTENSIONS) else 0


def read(source: Source) -> list[Exchange]:
    """Reads what is whole. Raises InputFault for a file of a newer version."""
    tape = _Tape()
    for number, line, terminated in _lines(source.data):
        record = _parse(line)
        try:
            if number == 1 and record is not None and record.get("format") == FORMAT:
                _read_header(tape, record, source)
            elif record is not None:
                if number == 1:
                    tape.damage(number, "it is no header of a recording")
                _read_record(tape, number, record)
            elif terminated:
                raise _Damage("it is no JSON object")
            else:
                tape.torn = True
        except ValueError as error:
            tape.damage(number, str(error) if isinstance(error, _Damage) else "its bytes cannot be decoded")
    return [_exchange(tape, source)]


def write(exchange: Exchange, file: BinaryIO) -> None:
    """Writes an exchange as a recording. Raises InputFault for a request that is no JSON, OSError for a full disk."""
    coded = exchange.coded
    if coded is not None:
        exchange = replace(exchange, body=coded.body, read_ends=coded.read_ends)
    writer = RecordingWriter(
        file,
        source=exchange.source or f"import:{exchange.format}",
        timing=exchange.timing,
        exactness="synthetic" if exchange.synthetic else "decoded" if exchange.coding and not coded else "exact",
        request=exchange.request,
        created=exchange.created,
        about=exchange.about,
    )
    if (http := exchange.http) is not None:
        writer.head(exchange.head_time, http.status, http.headers, http.version)
    times = exchange.read_times
    start = 0
    for number, end in enumerate(record_ends(exchange)):
        time = times[number] if times is not None and number < len(times) else NO_TIME
        writer.read(None if time == NO_TIME else time, exchange.body.slice(start, end))
        start = end
    for note in exchange.notes:
        writer.note(note.get("t"), {name: value for name, value in note.items() if name != "t"})
    if exchange.end is None and exchange.format == NAME:
        # The recording had lost its end; a copy must not claim to know it.
        return
    end_record = {"how": "eof", "terminator": None, "closed_by": None, **(exchange.end or {})}
    writer.end(exchange.end_time, **end_record)


def add_note(path: str, note: dict[str, Any], mark: Mark | None = None) -> bool:
    """Add a note to the end of a recording (`core.notes`), on the disk when this returns; secrets in it are masked.
    False where the file is not the one with this mark: nothing is written then.

    Raises InputFault where the file is no recording, OSError where it cannot be written.
    """
    with Path(path).open("r+b", buffering=0) as file:
        if HEADER.match(file.read(PIECE)) is None:
            raise InputFault(f"{path}: this is no recording; notes are kept in recordings alone, save it as one first")
        if not _has_mark(file, mark):
            return False
        end = file.seek(0, os.SEEK_END)
        file.seek(end - 1)
        torn = file.read(1) != b"\n"
        text = note.get("text")
        held = note | {"text": redact_text(text)} if isinstance(text, str) else note
        file.write((b"\n" if torn else b"") + record_line({"t": None, "note": held}))
        os.fsync(file.fileno())
    return True


def is_marked(path: str, mark: Mark | None) -> bool:
    """Whether a file is still the one that was read; notes may have been added to it. Raises OSError."""
    with Path(path).open("rb") as file:
        return _has_mark(file, mark)


def _has_mark(file: BinaryIO | FileIO, mark: Mark | None) -> bool:
    if mark is None:
        return True
    size = mark[0]
    return file.seek(0, os.SEEK_END) >= size and mark == (size, _ends(file, size))


def mark_of(file: BinaryIO | FileIO) -> Mark:
    """By what a file is known again as it is now. Raises OSError."""
    size = file.seek(0, os.SEEK_END)
    return size, _ends(file, size)


def _ends(file: BinaryIO | FileIO, size: int) -> int:
    """The checksum of the first and the last bytes of those up to `size`."""
    found = 0
    for start in (0, max(0, size - ENDS)):
        file.seek(start)
        found = zlib.crc32(file.read(min(ENDS, size)), found)
    return found


def _mark_of(data: Buffer) -> Mark:
    return len(data), zlib.crc32(data[max(0, len(data) - ENDS) :], zlib.crc32(data[:ENDS]))


def _is_record(line: bytes) -> bool:
    record = parse_object(line)
    if record is None or "t" not in record:
        return False
    return "crc" in record or any(isinstance(record.get(kind), dict) for kind in ("head", "note", "end"))


def _lines(data: Buffer) -> Iterator[tuple[int, bytes | bytearray, bool]]:
    """The lines that are not blank: number (from 1), content, and whether a line end follows."""
    at, number, size = (len(BOM) if data[:3] == BOM else 0), 0, len(data)
    while at < size:
        newline = data.find(b"\n", at)
        end = size if newline < 0 else newline
        line = data[at:end].strip()
        # Blank lines before the header are not counted: it is line 1.
        number += bool(line or number)
        if line:
            yield number, line, newline >= 0
        at = end + 1


def _parse(line: bytes | bytearray) -> dict[str, Any] | None:
    try:
        record = orjson.loads(line)
    except ValueError:
        # Notes and requests may hold what the fast reader refuses, such as a lone surrogate.
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            return None
    return record if isinstance(record, dict) else None


def _read_header(tape: _Tape, header: dict[str, Any], source: Source) -> None:
    version = header.get("version")
    if isinstance(version, int | float) and version > VERSION:
        raise InputFault(
            f"{printable(source.name)}: byte 0: it is a recording of version {version}, and this program reads up to "
            f"version {VERSION}; update the program"
        )
    tape.header = header
    request = header.get("request")
    if request is not None and not isinstance(request, dict):
        header["request"] = None
        raise _Damage("its request is no object")
    if header.get("response") is not None:
        tape.http = _http(header["response"])
    for name in ("created", "source"):
        if not isinstance(header.get(name), str):
            header[name] = None
    if request is not None and request.get("headers") is not None:
        pairs = request["headers"]
        request["headers"] = []
        request["headers"] = [list(pair) for pair in _pairs(pairs)]


def _read_record(tape: _Tape, number: int, record: dict[str, Any]) -> None:
    """Adds one record. Raises ValueError for a damaged one."""
    time = record.get("t")
    if type(time) is not int or not NO_TIME < time < -NO_TIME:
        if time is not None:
            tape.damage(number, "its time is no number of nanoseconds")
        time = None
    elif "note" not in record:
        tape.backwards |= time < tape.latest
        tape.latest = max(tape.latest, time)
    if "text" in record or "b64" in record:
        piece = _bytes(record)
        tape.body += piece
        tape.ends.append(len(tape.body))
        tape.times.append(NO_TIME if time is None else time)
        tape.read_lines.append(number)
    elif "head" in record:
        tape.http, tape.head_time, tape.head_line = _http(record["head"]), time, number
    elif "note" in record:
        if not isinstance(record["note"], dict):
            raise _Damage("its note is no object")
        tape.notes.append(record["note"] if time is None else {**record["note"], "t": time})
    elif "end" in record:
        tape.end, tape.end_time, tape.end_line = _end(record["end"]), time, number
    else:
        raise _Damage("it holds no data, and nothing else that this program knows")


def _bytes(record: dict[str, Any]) -> bytes:
    text = record.get("text")
    if type(text) is str:
        piece = text.encode()
    elif isinstance(coded := record.get("b64"), str):
        piece = binascii.a2b_base64(coded, strict_mode=True)
    else:
        raise _Damage("its data is no text")
    crc = record.get("crc")
    if crc is not None and crc != (actual := f"{zlib.crc32(piece):08x}") and str(crc).lower() != actual:
        raise _Damage(f"its bytes have the CRC {actual}, it says {str(crc)[:20]}")
    return piece


def _http(value: Any) -> Http:
    if not isinstance(value, dict) or type(value.get("status")) is not int:
        raise _Damage("its response head has no status")
    version = value.get("http_version")
    headers = _pairs(value.get("headers") or [])
    return Http(value["status"], headers, version if isinstance(version, str) else "HTTP/1.1")


def _pairs(value: Any) -> list[tuple[str, str]]:
    if isinstance(value, list):
        pairs = [tuple(pair) for pair in value if isinstance(pair, list) and len(pair) == 2]
        if len(pairs) == len(value) and all(isinstance(text, str) for pair in pairs for text in pair):
            return pairs
    raise _Damage("its header fields are no pairs of name and value")


def _end(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or not isinstance(value.get("how"), str):
        raise _Damage("its end does not say how")
    terminator, closed_by, detail = (value.get(name) for name in ("terminator", "closed_by", "detail"))
    return {
        "how": value["how"],
        "terminator": terminator if isinstance(terminator, bool) else None,
        "closed_by": closed_by if isinstance(closed_by, str) else None,
        "trailers": [list(pair) for pair in _pairs(value.get("trailers") or [])],
        "detail": detail if isinstance(detail, str) else None,
        **({"masked": masked} if (masked := _ranges(value.get("masked"))) else {}),
    }


def _ranges(value: Any) -> list[list[int]]:
    if not isinstance(value, list):
        return []
    pairs = [pair for pair in value if isinstance(pair, list) and [type(one) for one in pair] == [int, int]]
    return [pair for pair in pairs if 0 <= pair[0] <= pair[1]]


def _doubt(tape: _Tape) -> None:
    """Makes the times that run backwards unknown: there is no telling what they were."""
    reads = [(line, time, n) for n, (line, time) in enumerate(zip(tape.read_lines, tape.times, strict=True))]
    known = [stamp for stamp in reads if stamp[1] != NO_TIME]
    if tape.head_time is not None:
        known.append((tape.head_line, tape.head_time, -1))
    if tape.end_time is not None:
        known.append((tape.end_line, tape.end_time, len(reads)))
    known.sort()
    for number in out_of_order([time for _, time, _ in known]):
        line, _, read = known[number]
        if read < 0:
            tape.head_time = None
        elif read == len(reads):
            tape.end_time = None
        else:
            tape.times[read] = NO_TIME
        tape.doubted.append((max(0, read), min(read + 1, len(reads)), line))


def _exchange(tape: _Tape, source: Source) -> Exchange:
    if tape.backwards:
        _doubt(tape)
    announced = tape.http.header("content-encoding") if tape.http else None
    exact = tape.header.get("bytes") not in ("decoded", "synthetic")
    # A recording of decoded bytes still tells, by its head, that they were compressed on the wire.
    decoded = undo_coding(memoryview(tape.body if exact else b""), announced, tape.ends if exact else None)
    body = tape.body if decoded.data is None else decoded.data
    ends = tape.ends if decoded.ends is None else decoded.ends
    measured = any(time != NO_TIME for time in tape.times)
    timing = tape.header.get("timing")
    if timing not in TIMINGS or (tape.times and not measured):
        timing = "measured" if measured else "none"
    return Exchange(
        source.name,
        NAME,
        BufferBody(body),
        timing=timing,
        read_ends=ends,
        read_times=tape.times if measured and timing != "none" else None,
        http=tape.http,
        head_time=tape.head_time,
        request=tape.header.get("request"),
        created=tape.header.get("created"),
        coding=decoded.coding if exact else announced_coding(announced),
        coded=None if decoded.data is None else Coded(BufferBody(tape.body), tape.ends),
        end=tape.end,
        end_time=tape.end_time,
        synthetic=tape.header.get("bytes") == "synthetic",
        faults=_faults(tape, source, decoded.faults, ends, len(body)),
        notes=tape.notes,
        source=tape.header.get("source"),
        mark=_mark_of(source.data),
        about={name: words for name in ABOUT if isinstance(words := tape.header.get(name), str)},
    )


def _faults(tape: _Tape, source: Source, coding: list[Fault], ends: array[int], size: int) -> list[Fault]:
    faults = list(coding)
    for reads, first, last, what in tape.damages:
        at = ends[reads - 1] if reads else 0
        where = f"lines {first} to {last}" if first < last else f"line {last}"
        faults.append(Fault("file-record-damaged", at, at, f"{where}: {what}"))
    for first, last, line in tape.doubted:
        at, to = (ends[reads - 1] if reads else 0 for reads in (first, last))
        faults.append(Fault("file-time-order", at, to, f"line {line}"))
    end = tape.end
    faults = faults_of_end(faults, end, size, headed=tape.http is not None)
    if tape.torn:
        faults.append(Fault("file-torn-tail", size, size, "the last line is incomplete"))
    elif end is None:
        faults.append(Fault("file-torn-tail", size, size, "there is no end record"))
    return faults + source.container_faults(size)


def faults_of_end(faults: list[Fault], end: dict[str, Any] | None, size: int, *, headed: bool = True) -> list[Fault]:
    """The faults of a body of `size` bytes, and those that its end record tells of: a cut, keys that were masked.

    Without a head and a body nothing was cut: no answer came (`end-no-answer`).
    """
    if end is None:
        return faults
    masked = [Fault("file-key-masked", min(at, size), min(to, size), "") for at, to in end.get("masked") or ()]
    broken = end["how"] == "truncated" or end["terminator"] is False
    if not broken or end["closed_by"] == "client" or not (headed or size):
        return [*faults, *masked]
    # The broken transfer is why compressed data stops: one cut, one fault.
    others = [fault for fault in faults if fault.rule != "frame-cut"]
    cut = Fault("frame-cut", size, size, end["detail"] or "the connection ended before the response did")
    return [*others, cut, *masked]
