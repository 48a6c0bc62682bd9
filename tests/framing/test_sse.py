"""Server-sent events: the shared conformance cases in every cut, and the shapes that decide how a line is read."""

from __future__ import annotations

import base64
import hashlib
import json
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core import flags as F
from inspector_app.core.frame import Frame
from inspector_app.core.rules import ReadingRules
from inspector_app.core.store import Events, Lines
from inspector_app.framing import sse

REFERENCE = ReadingRules()


def cut(data: bytes, size: int | str) -> Iterator[bytes]:
    """The data in reads of one size, whole, or at random places."""
    rng = random.Random(7)
    at = 0
    while at < len(data):
        step = len(data) if size == "whole" else rng.choice((1, 2, 5, 17, 64)) if size == "random" else int(size)
        yield data[at : at + step]
        at += step


def frames(
    data: bytes, size: int | str = "whole", rules: ReadingRules = REFERENCE
) -> tuple[list[Frame], Lines, Events]:
    """Every frame of a body, plain ones too, and the columns."""
    lines, events = Lines(), Events()
    reader = sse.create(rules, lines, events)
    found: list[bytes | Frame] = []
    for piece in cut(data, size):
        found += reader.feed(piece)
    found += reader.close()
    return [frame if isinstance(frame, Frame) else Frame(0, None, frame) for frame in found], lines, events


def dispatched(data: bytes, size: int | str) -> list[tuple[str, str, str]]:
    found, _, events = frames(data, size)
    return [
        (events.names.get(n) or "message", (frame.data or b"").decode("utf-8", "replace"), events.id_at(n) or "")
        for n, frame in enumerate(found)
        if not events.flags[n] & F.UNDISPATCHED
    ]


@pytest.mark.parametrize("size", ["whole", 1, 2, 3, "random"])
def test_the_shared_conformance_cases(shared: Path, size: int | str) -> None:
    wrong = []
    for line in (shared / "sse" / "cases.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        want = [(e.get("event") or "message", e["data"], e.get("id") or "") for e in case["events"]]
        have = dispatched(base64.b64decode(case["input_b64"]), size)
        if have != want:
            wrong.append((case["id"], want, have))
    assert wrong == []


def test_large_inputs_are_read_in_one_pass(shared: Path) -> None:
    for case in json.loads((shared / "sse" / "large.json").read_text("utf-8")):
        data = b"".join(base64.b64decode(part) * repeat for part, repeat in case["parts"])
        want = [(run["event"], run["data_sha256"]) for run in case["events"] for _ in range(run["count"])]
        have = dispatched(data, case.get("chunk_size", 65_536))
        assert [(name, hashlib.sha256(text.encode()).hexdigest()) for name, text, _ in have] == want, case["id"]


EVENTS = st.lists(
    st.sampled_from(
        [
            b'data: {"a":1}', b"data:x", b": ping", b"id: 7", b"id", b"event: message", b"retry: 10", b"", b"",
            b"foo: bar", b"data", "data: \u2028ü".encode(), b'{"error":1}', b"[DONE]", b"data: [DONE]",
        ]
    ),
    max_size=30,
)  # fmt: skip


@given(EVENTS, st.sampled_from([b"\n", b"\r\n", b"\r"]), st.lists(st.integers(0, 200), max_size=8))
def test_no_cut_changes_the_answer(contents: list[bytes], eol: bytes, cuts: list[int]) -> None:
    data = eol.join(contents)
    whole, lines, events = frames(data)
    reader_lines, reader_events = Lines(), Events()
    reader = sse.create(REFERENCE, reader_lines, reader_events)
    again: list[bytes | Frame] = []
    bounds = sorted({0, len(data), *(at for at in cuts if at < len(data))})
    for start, end in pairwise(bounds):
        again += reader.feed(data[start:end])
    again += reader.close()
    assert [frame if isinstance(frame, Frame) else Frame(0, None, frame) for frame in again] == whole
    assert (reader_lines.starts, reader_lines.eols) == (lines.starts, lines.eols)
    assert reader_events.first_lines == events.first_lines
    assert b"".join(data[line.start : line.end] + line.eol for line in (lines[n] for n in range(len(lines)))) == data


FLAGS: list[tuple[bytes, int, bytes | None]] = [
    (b"data: x\n\n", 0, b"x"),
    (b"data:x\n\n", F.NO_SPACE, b"x"),
    (b"data:\n\n", F.EMPTY_DATA, b""),
    (b"data: a\ndata: b\n\n", F.MULTI_DATA, b"a\nb"),
    (b": ping\n\n", F.COMMENT | F.COMMENT_ONLY, None),
    (b"event: x\n\n", F.NO_DATA, None),
    (b"data: x\n", F.DANGLING, b"x"),
    (b"data: x", F.DANGLING | F.PARTIAL_LINE, b"x"),
    (b"data: [DONE]\n", F.DANGLING | F.UNFRAMED_MARKER, b"[DONE]"),
    (b"[DONE]\n\n", F.NO_DATA | F.BARE_MARKER, None),
    (b'{"error":{}}\n\n', F.NO_DATA | F.UNFRAMED_JSON, None),
    (b"Data: x\n\n", F.NO_DATA | F.UNKNOWN_FIELD, None),
    (b"<!DOCTYPE html>\n\n", F.NO_DATA | F.HTML, None),
    (b"\xef\xbb\xbfdata: x\n\n", F.BOM, b"x"),
    (b"id: a\0b\ndata: x\n\n", F.NUL_ID, b"x"),
    (b"retry: 1s\ndata: x\n\n", F.BAD_RETRY, b"x"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "flags", "payload"), FLAGS)
def test_what_is_odd_is_marked(data: bytes, flags: int, payload: bytes | None) -> None:
    for size in ("whole", 1):
        found, _, events = frames(data, size)
        assert (events.flags[0], found[0].data) == (flags, payload)


LENSES: list[tuple[dict[str, Any], bytes, list[bytes | None]]] = [
    ({"space_required": True}, b"data:x\n\ndata: y\n\n", [None, b"y"]),
    ({"framing": "lf-lines"}, b"data: x\r\n\r\n", [b"x\r"]),
    ({"framing": "slice5"}, b"data: x\nevent: y\n\n", [b"x", b": y"]),
    ({"bom": "kept"}, b"\xef\xbb\xbfdata: x\n\ndata: y\n\n", [None, b"y"]),
    ({"multi_data": "last"}, b"data: a\ndata: b\n\n", [b"b"]),
    ({"multi_data": "each"}, b"data: a\ndata: b\n\n", [b"a", b"b"]),
    ({"comment": "drop-event"}, b": c\ndata: x\n\ndata: y\n\n", [None, b"y"]),
    ({"comment": "end"}, b"data: x\n\n: c\n\ndata: y\n\n", [b"x", None]),
    ({"blank_fires": frozenset({"event"})}, b"event: x\n\n", [b""]),
    ({"blank_fires": frozenset({"id"})}, b"id: 1\ndata: x\n\n\n", [b"x", b""]),
    ({"unicode_lines": True}, "data: a\u2028b\n\n".encode(), [b"a"]),
    ({"final_cr": "held"}, b"data: x\r\r", [b"x"]),
]  # fmt: skip


@pytest.mark.parametrize(("keys", "data", "payloads"), LENSES)
def test_a_client_frames_by_its_rules(keys: dict[str, Any], data: bytes, payloads: list[bytes | None]) -> None:
    for size in ("whole", 1):
        found, _, _ = frames(data, size, ReadingRules(**keys))
        assert [frame.data for frame in found] == payloads


def test_a_held_final_cr_leaves_the_last_event_dangling() -> None:
    _, _, events = frames(b"data: x\r\r", 1, ReadingRules(final_cr="held"))
    assert events.flags[0] & F.DANGLING


def test_an_event_is_there_with_the_byte_that_completes_it() -> None:
    for data in (b"data: x\n\n", b"data: x\r\r", b"data: x\r\n\r"):
        reader = sse.create(REFERENCE, Lines(), Events())
        early = [reader.feed(data[n : n + 1]) for n in range(len(data))]
        assert [len(found) for found in early] == [0] * (len(data) - 1) + [1]
