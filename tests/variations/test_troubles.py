"""Each trouble on a short stream: which bytes it changes, when they come, and how it ends."""

from __future__ import annotations

import gzip
import zlib
from array import array
from dataclasses import replace
from typing import Any

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, Http, MemoryBody
from inspector_app.lenses.run import read
from inspector_app.variations import ArgumentFault, apply, unfit, variations
from tests.live.server import ANSWER, EVENTS, event
from tests.variations.test_all import DIALECTS, reference

KIT = load_kit()
ALL = variations()
MIDDLE = EVENTS[3]
"""Of six events with text."""
TO_THE_MIDDLE = b"".join(EVENTS[:4])
ERROR = b'data: {"error": {"message": "The server had an error while it answered (made by the replay server)"'
ENDS = {"how": "done", "terminator": True, "closed_by": "server", "trailers": [["a", "b"]], "detail": None}


def exchange(pieces: tuple[bytes, ...] = EVENTS, step: int = 10) -> Exchange:
    ends = array("q")
    for piece in pieces:
        ends.append(len(piece) + (ends[-1] if ends else 0))
    times = array("q", [(n + 1) * step for n in range(len(pieces))])
    return Exchange(
        "a.rec.jsonl", "recording", MemoryBody(b"".join(pieces)), timing="measured", read_ends=ends, read_times=times,
        http=Http(200, [("content-type", "text/event-stream")]), head_time=5, end=dict(ENDS),
        end_time=len(pieces) * step,
    )  # fmt: skip


def reading_of(made: Exchange) -> Reading:
    return read(made, KIT)


def changed(name: str, argument: str = "", pieces: tuple[bytes, ...] = EVENTS) -> Exchange:
    return apply(ALL[name], reading_of(exchange(pieces)), argument)


def body_of(made: Exchange) -> bytes:
    return made.body.slice(0, len(made.body))


BODIES: list[tuple[str, str, bytes]] = [
    ("eol", "lf", ANSWER),
    ("eol", "crlf", ANSWER.replace(b"\n", b"\r\n")),
    ("eol", "", ANSWER.replace(b"\n", b"\r\n")),
    ("eol", "cr", ANSWER.replace(b"\n", b"\r")),
    ("space", "no", ANSWER.replace(b"data: ", b"data:")),
    ("space", "yes", ANSWER),
    ("bom", "", b"\xef\xbb\xbf" + ANSWER),
    ("keepalive", "", b": keep-alive\n\n".join(EVENTS)),
    ("gzip", "", ANSWER),
    ("slow-first-byte", "", ANSWER),
    ("split", "3", ANSWER),
    ("split", "crlf", ANSWER.replace(b"\n", b"\r\n")),
    ("cut", "7", ANSWER[:7]),
    ("cut", "byte", TO_THE_MIDDLE[: (len(b"".join(EVENTS[:3])) + len(TO_THE_MIDDLE)) // 2]),
    ("cut", "event", TO_THE_MIDDLE),
    ("break-off", "", TO_THE_MIDDLE),
    ("break-off", "reset", TO_THE_MIDDLE),
    ("stall", "", TO_THE_MIDDLE),
    ("no-done", "", b"".join(EVENTS[:-1])),
    ("no-finish", "", b"".join([*EVENTS[:-2], EVENTS[-1]])),
    ("repeat-event", "", b"".join([*EVENTS[:4], MIDDLE, *EVENTS[4:]])),
]


@pytest.mark.parametrize("name, argument, expected", BODIES, ids=[f"{one[0]}-{one[1]}" for one in BODIES])
def test_the_bytes(name: str, argument: str, expected: bytes) -> None:
    assert body_of(changed(name, argument)) == expected


@pytest.mark.parametrize(
    "name, argument, how, terminator, closed_by",
    [
        ("cut", "event", "eof", True, "server"),
        ("break-off", "", "truncated", False, "server"),
        ("break-off", "reset", "reset", False, "server"),
        ("stall", "", "timeout", None, "client"),
        ("error-event", "", "eof", True, "server"),
    ],
)
def test_the_end(name: str, argument: str, how: str, terminator: bool | None, closed_by: str) -> None:
    made = changed(name, argument)
    assert made.end is not None
    assert (made.end["how"], made.end["terminator"], made.end["closed_by"], made.end["trailers"]) == (
        how, terminator, closed_by, [],
    )  # fmt: skip
    assert made.end_time == 40
    assert list(made.read_times or ()) == [10, 20, 30, 40]


def test_an_error_comes_in_the_form_of_the_dialect_and_is_the_last_event() -> None:
    made = changed("error-event")
    assert body_of(made).startswith(TO_THE_MIDDLE + ERROR)
    after = reading_of(made)
    assert len(after.events) == 5
    assert [error["event"] for error in after.errors] == [4]


@pytest.mark.parametrize("dialect", sorted(KIT.dialects))
def test_an_error_event_is_an_error_in_every_dialect(dialect: str) -> None:
    for path in DIALECTS:
        before = reference(path)
        if before.dialect != dialect or unfit(ALL["error-event"], before):
            continue
        after = read(apply(ALL["error-event"], before), KIT)
        assert after.errors, path.name


def test_half_of_one_event_is_lost() -> None:
    body = body_of(changed("malformed-json"))
    assert len(body) < len(ANSWER)
    after = reading_of(replace(exchange(), body=MemoryBody(body), read_ends=None, read_times=None))
    assert [finding.count for finding in after.findings if "json" in finding.rule] == [1]
    assert len(after.events) == len(EVENTS)


@pytest.mark.parametrize("argument", ["1", "7", "event", "line", "all", "utf8"])
def test_other_writes_hold_the_same_bytes_and_come_when_their_last_byte_came(argument: str) -> None:
    before = exchange((ANSWER[:50], ANSWER[50:700], ANSWER[700:]))
    made = apply(ALL["split"], reading_of(before), argument)
    assert body_of(made) == ANSWER
    assert made.read_ends is not None
    for end, time in zip(made.read_ends, made.read_times or (), strict=True):
        assert time == (10 if end <= 50 else 20 if end <= 700 else 30)


def test_writes_end_inside_of_each_line_end() -> None:
    made = changed("split", "crlf")
    pieces = list(made.chunks())
    assert all(piece.endswith(b"\r") for piece in pieces[:-1])
    assert all(piece.startswith(b"\n") for piece in pieces[1:])


def test_each_compressed_write_can_be_read_by_itself() -> None:
    made = changed("gzip")
    assert made.coded is not None
    assert made.http is not None
    assert made.http.header("content-encoding") == "gzip"
    wire = made.coded.body.slice(0, len(made.coded.body))
    assert gzip.decompress(wire) == ANSWER
    decoder = zlib.decompressobj(31)
    start = 0
    for end, piece in zip(made.coded.read_ends or (), EVENTS, strict=True):
        assert decoder.decompress(wire[start:end]) == piece
        start = end


def test_the_first_byte_waits_and_all_that_follows() -> None:
    made = changed("slow-first-byte", "2")
    assert list(made.read_times or ())[:2] == [2_000_000_010, 2_000_000_020]
    assert made.end_time == 2_000_000_000 + len(EVENTS) * 10
    untimed = Exchange("a.sse", "sse-body", MemoryBody(ANSWER))
    assert list(apply(ALL["slow-first-byte"], reading_of(untimed)).read_times or ()) == [3_000_000_000]


def test_comments_fill_silences_between_events_only() -> None:
    slow = exchange((EVENTS[0], EVENTS[1][:9], EVENTS[1][9:], EVENTS[2]), step=1_000_000_000)
    made = apply(ALL["keepalive"], reading_of(slow), "0.4")
    comment = b": keep-alive\n\n"
    assert list(made.chunks()) == [
        comment, comment, EVENTS[0], comment, comment, EVENTS[1][:9], EVENTS[1][9:], comment, comment, EVENTS[2],
    ]  # fmt: skip
    assert [round(time / 1e8) for time in made.read_times or ()] == [4, 8, 10, 14, 18, 20, 30, 34, 38, 40]


def test_a_finish_beside_text_becomes_null() -> None:
    last = event("end", finish_reason="stop")
    made = changed("no-finish", "", (*EVENTS[:2], last, EVENTS[-1]))
    assert body_of(made) == b"".join([*EVENTS[:2], last.replace(b'"stop"', b"null"), EVENTS[-1]])


@pytest.mark.parametrize("name", ["split", "eol", "space", "keepalive", "slow-first-byte", "cut", "break-off"])
@pytest.mark.parametrize("argument", ["nonsense", "-1"])
def test_a_wrong_argument_is_refused(name: str, argument: str) -> None:
    with pytest.raises(ArgumentFault, match=r"needs .*this is"):
        changed(name, argument)


@pytest.mark.parametrize(
    "name, body, words",
    [
        ("no-done", EVENTS[0], "end marker"),
        ("no-finish", EVENTS[0], "finish reason"),
        ("stall", b": nothing\n\n", "text, reasoning or a tool call"),
        ("bom", b"\xef\xbb\xbf" + ANSWER, "begins with one"),
        ("eol", b'{"model":"m","response":"a","done":false}\n{"response":"","done":true}\n', "server-sent events"),
    ],
)
def test_what_does_not_fit_says_why(name: str, body: bytes, words: str) -> None:
    reading = reading_of(Exchange("a", "sse-body", MemoryBody(body)))
    assert words in unfit(ALL[name], reading)
    unchanged: Any = apply(ALL[name], reading)
    assert unchanged is reading.exchange


@pytest.mark.parametrize(
    "body",
    [
        b"<!doctype html>\n<html><body>502 Bad Gateway</body></html>\n" * 4,
        b"no event at all " * 30,
        b'{"a": [1, 2, 3]}',
        b": a\n\n: comment\n\n",
    ],
    ids=["html", "text", "json", "comment"],
)
@pytest.mark.parametrize("size", [0, 1, 5])
def test_any_body_is_cut_at_the_byte(size: int, body: bytes) -> None:
    reading = reading_of(Exchange("a", "sse-body", MemoryBody(body)))
    assert unfit(ALL["cut"], reading) == ""
    made = apply(ALL["cut"], reading, str(size))
    assert made.body.slice(0, 1 << 20) == body[:size]
    assert (made.end or {})["how"] == "eof"
    assert apply(ALL["cut"], reading, "event") is reading.exchange
