"""One AWS frame as people read it: its headers as `name: value`, its payload as text; lengths and checksums in full."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

from inspector_app.core.reading import Reading
from inspector_app.core.text import number, visible
from inspector_app.framing.aws_eventstream import Parts, parts_of
from inspector_app.ui.find.marks import Found
from inspector_app.ui.selection import Selection
from inspector_app.ui.views.evidence import Evidence
from inspector_app.ui.views.inside_text import inside_runs
from inspector_app.ui.views.line_text import CURRENT, FOLD, MATCH, TEXT, Run, Text, runs_of, text_runs
from inspector_app.ui.views.sheet import SHOWN, Fact

USUAL = ((":content-type", "application/json"), (":message-type", "event"))
"""Headers that every frame has; they are folded."""
ALARMING = (":exception-type", ":error-code", ":error-message")
PRELUDE, CRC = 12, 4
LARGEST = 1 << 16
"""Bytes of a frame before that are compared."""


def frame_runs(
    reading: Reading, evidence: Evidence, line: int, *, whole: bool = False, found: Sequence[Found] = ()
) -> list[Run]:
    """Frame number `line`; what is no frame is shown like a line. `whole` folds nothing and shows the lengths too."""
    start, end, _ = reading.lines[line]
    raw = reading.body.slice(start, end)
    parts = parts_of(raw)
    if parts is None:
        return runs_of(reading, evidence, line, whole=whole, found=found)
    runs = [Run(TEXT, start, start + PRELUDE, _prelude(raw) + "  ", "ink.3")] if whole else []
    last = start + PRELUDE
    for header in parts.headers:
        named, first, last = last, start + header.start, start + header.end
        match = max((CURRENT if now else MATCH for a, b, now in found if a < last and b > named), default=0)
        if whole or match or (header.name, header.value) not in USUAL:
            runs.append(Run(TEXT, named, first, visible(header.name) + ": ", "ink.3"))
            ink = "error.text" if header.name in ALARMING else "ink.1"
            runs.append(Run(TEXT, first, last, visible(header.value), ink, found=match))
            runs.append(Run(TEXT, last, last, "  "))
        elif runs and runs[-1].kind == FOLD:
            runs[-1] = runs[-1]._replace(end=last)
        else:
            runs.append(Run(FOLD, named, last))
    if runs and runs[-1].kind == FOLD:
        runs.append(Run(TEXT, runs[-1].end, runs[-1].end, " "))
    rest = raw[last - start : parts.payload[0]]
    if rest:
        runs.append(Run(TEXT, last, last + len(rest), visible(rest.decode("utf-8", "replace")), "error.text"))
    first, last = parts.payload
    inside = inside_runs(reading, evidence, line, (start + first, start + last), found) if not whole else None
    if inside is not None:
        runs += inside
    elif last > first:
        text = Text(raw[first:last], start + first, 0)
        runs += text_runs(reading, evidence, text, b"" if whole else _before(reading, line), whole=whole, found=found)
    if whole and end - start > last:
        runs.append(Run(TEXT, start + last, end, "  CRC " + raw[last:].hex(" "), "ink.3"))
    return runs or [Run(TEXT, start, end, _prelude(raw), "ink.3")]


def _prelude(raw: bytes) -> str:
    total, headers = int.from_bytes(raw[:4], "big"), int.from_bytes(raw[4:8], "big")
    return f"{total} bytes, headers {headers}, CRC {raw[8:12].hex(' ')}"


def _before(reading: Reading, line: int) -> bytes:
    """The payload of the frame before; frames are lines and events alike."""
    if line == 0:
        return b""
    start, end = reading.data_range(line - 1)
    return reading.body.slice(start, end) if end - start <= LARGEST else b""


def frame_facts(reading: Reading, n: int) -> list[Fact]:
    """Lengths, checksums and headers of a frame, each with where it stands."""
    start, end = reading.bytes_of(n)
    raw = reading.body.slice(start, end)
    parts = parts_of(raw)
    if parts is None:
        return [Fact("Frame", "", "these bytes are no frame", "head")]
    return list(_facts(n, start, raw, parts))


def _facts(n: int, start: int, raw: bytes, parts: Parts) -> Iterator[Fact]:
    total, headers = int.from_bytes(raw[:4], "big"), int.from_bytes(raw[4:8], "big")
    first, last = parts.payload

    def at(begin: int, end: int) -> Selection:
        return Selection(n, start=start + begin, end=start + end)

    yield Fact("Frame", style="head")
    there = f"only {number(len(raw))} came" if len(raw) < total else ""
    yield Fact("total length", f"{number(total)} bytes", there, leads=at(0, 4))
    yield Fact("headers length", f"{number(headers)} bytes", leads=at(4, 8))
    yield Fact("prelude CRC", raw[8:12].hex(" "), _judged(raw[8:12], raw[:8]), "wire", at(8, 12))
    if len(raw) == total:
        yield Fact("message CRC", raw[-CRC:].hex(" "), _judged(raw[-CRC:], raw[:-CRC]), "wire", at(last, last + CRC))
    yield Fact("Headers", note=f"{len(parts.headers)}", style="head")
    for header in parts.headers:
        yield Fact(header.name, header.value[:SHOWN], header.type, "wire", at(header.start, header.end))
    if parts.fault:
        yield Fact("", parts.fault)
    yield Fact("Payload", note=f"{number(last - first)} bytes", style="head")
    if last > first:
        text = raw[first:last].decode("utf-8", "replace")
        yield Fact("", text[: 2 * SHOWN], "", "wire", at(first, last), lambda: text)


def _judged(crc: bytes, covered: bytes) -> str:
    right = zlib.crc32(covered)
    return (
        "right" if crc == right.to_bytes(CRC, "big") else f"wrong: the bytes give {right.to_bytes(CRC, 'big').hex(' ')}"
    )
