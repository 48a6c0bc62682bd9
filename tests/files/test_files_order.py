"""Times of a recording that run backwards: unknown, and told with their place."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import load_kit
from inspector_app.core.types import NO_TIME as UNKNOWN
from inspector_app.core.types import Exchange
from inspector_app.files._order import out_of_order

HEADER = {"format": "stream-inspector/recording", "version": 1, "timing": "measured", "bytes": "exact"}
HEAD = {"status": 200, "headers": [["content-type", "text/event-stream"]]}


def text(t: int | None, data: str) -> dict[str, Any]:
    return {"t": t, "text": data, "crc": f"{zlib.crc32(data.encode()):08x}"}


def tape(head: int | None, reads: list[tuple[int | None, str]], end: int | None) -> bytes:
    """The file: lines 1 and 2 are the header and the head; a note stands before the end."""
    records = [
        HEADER,
        {"t": head, "head": HEAD},
        *(text(time, data) for time, data in reads),
        {"t": 1, "note": {"id": "n1", "event": 0, "text": "a note has a time of its own"}},
        {"t": end, "end": {"how": "done", "terminator": True, "closed_by": "server"}},
    ]
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


DISORDERED = [
    # what is wrong, times of head, reads and end as they stand; what is left of them; what is told: byte range, line
    ("in order", 3, [4, 4, 9], 9, 3, [4, 4, 9], 9, []),
    ("one too early", 3, [4, 8, 5, 9], 9, 3, [4, 8, UNKNOWN, 9], 9, [(2, 3, 5)]),
    ("one too late costs none behind it", 3, [4, 90, 5, 9], 9, 3, [4, UNKNOWN, 5, 9], 9, [(1, 2, 4)]),
    ("a clock that was set back", 3, [4, 8, 9, 1, 2], 9, 3, [4, 8, 9, UNKNOWN, UNKNOWN], 9, [(3, 4, 6), (4, 5, 7)]),
    ("the later one of two", None, [9, 4], None, None, [9, UNKNOWN], None, [(1, 2, 4)]),
    ("before the request", None, [-4, 9], None, None, [UNKNOWN, 9], None, [(0, 1, 3)]),
    ("unknown ones between", 3, [8, None, 5, 8], 9, 3, [8, UNKNOWN, UNKNOWN, 8], 9, [(2, 3, 5)]),
    ("the head", 70, [4, 8], 9, None, [4, 8], 9, [(0, 0, 2)]),
    ("the end", 3, [4, 8], 1, 3, [4, 8], None, [(2, 2, 6)]),
]


@pytest.mark.parametrize(
    "what, head, reads, ended, known_head, known, known_end, lines", DISORDERED, ids=[row[0] for row in DISORDERED]
)
def test_a_time_that_runs_backwards_is_unknown_and_told(
    what: str,
    head: int | None,
    reads: list[int | None],
    ended: int | None,
    known_head: int | None,
    known: list[int],
    known_end: int | None,
    lines: list[tuple[int, int, int]],
    read_one: Callable[..., Exchange],
) -> None:
    exchange = read_one(tape(head, [(time, "x") for time in reads], ended), "a.rec.jsonl")
    assert exchange.body.slice(0, 99) == b"x" * len(reads)
    assert (exchange.head_time, list(exchange.read_times or []), exchange.end_time) == (known_head, known, known_end)
    faults = [("file-time-order", at, to, f"line {line}") for at, to, line in lines]
    assert [(fault.rule, fault.at, fault.end, fault.detail) for fault in exchange.faults] == faults


@given(st.lists(st.integers(-3, 30), max_size=12))
def test_no_more_times_are_doubted_than_must_be(times: list[int]) -> None:
    doubted = set(out_of_order(times))
    kept = [time for n, time in enumerate(times) if n not in doubted]
    assert kept == sorted(kept)
    assert all(time >= 0 for time in kept)
    longest: list[int] = []
    for n, time in enumerate(times):
        before = [longest[m] for m in range(n) if 0 <= times[m] <= time]
        longest.append(1 + max(before, default=0) if time >= 0 else 0)
    assert len(kept) == max(longest, default=0)


def test_the_finding_names_the_events_and_the_first_line(read_one: Callable[..., Exchange]) -> None:
    times = [10, 20, 30, 15, 16, 40]
    reads = [(time, f'data: {{"choices":[{{"index":0,"delta":{{"content":"{time}"}}}}]}}\n\n') for time in times]
    exchange = read_one(tape(5, [*reads], 50), "a.rec.jsonl")
    analysis = Analysis(exchange, load_kit())
    for piece in exchange.chunks():
        analysis.feed(piece)
    reading = analysis.finish()
    (finding,) = [one for one in reading.findings if one.rule == "file-time-order"]
    assert (finding.severity, finding.count, list(finding.events)) == ("warning", 2, [3, 4])
    assert "line 6" in finding.message
    assert [reading.time_of(n) for n in range(6)] == [10, 20, 30, None, None, 40]
