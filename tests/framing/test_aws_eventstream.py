"""AWS event-stream frames: headers of all types, both checksums, and reading on behind what is damaged."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector_app.core import flags as F
from inspector_app.core.frame import Frame
from inspector_app.core.rules import ReadingRules
from inspector_app.core.store import Events, Lines
from inspector_app.framing import aws_eventstream
from inspector_app.framing._aws_frames import headers_of
from tests.framing.aws_frames import error, event, exception, frame, header, text

FRAMES = [
    event("messageStart", {"role": "assistant"}),
    event("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Grüße"}}),
    event("contentBlockStop", {"contentBlockIndex": 0}),
    event("messageStop", {"stopReason": "end_turn"}),
]
NAMES = ["messageStart", "contentBlockDelta", "contentBlockStop", "messageStop"]
STREAM = b"".join(FRAMES)
FIRST, SECOND = len(FRAMES[0]), len(FRAMES[0] + FRAMES[1])


class Read:
    """Everything that the framing makes of a body, fed in reads of some sizes, the last one repeating."""

    def __init__(self, body: bytes, *sizes: int) -> None:
        self.lines, self.events = Lines(), Events()
        reader = aws_eventstream.create(ReadingRules(), self.lines, self.events)
        self.frames: list[bytes | Frame] = []
        at = number = 0
        while at < len(body):
            size = sizes[min(number, len(sizes) - 1)] if sizes else len(body)
            self.frames += reader.feed(body[at : at + size])
            at, number = at + size, number + 1
        self.early = len(self.frames)
        self.frames += reader.close()
        self.notes = list(reader.notes)

    @property
    def names(self) -> list[str | None]:
        return [self.events.names.get(n) for n in range(len(self.events.first_lines))]

    @property
    def told(self) -> list[tuple[str, int, int, int, str]]:
        return [tuple(note) for note in self.notes]  # type: ignore[misc]

    def all(self) -> tuple[Any, ...]:
        lines, events = self.lines, self.events
        columns = (lines.starts, lines.eols, events.first_lines, events.flags, events.data_starts, events.data_ends)
        return self.frames, list(map(list, columns)), lines.size, self.notes, events.names


def flipped(at: int, body: bytes = STREAM) -> bytes:
    return body[:at] + bytes([body[at] ^ 4]) + body[at + 1 :]


@pytest.mark.parametrize("size", [1, 2, 5, 64, 10_000])
def test_a_frame_is_a_line_and_an_event(size: int) -> None:
    read = Read(STREAM, size)
    assert read.early == 4
    assert read.names == NAMES
    assert list(read.lines.starts) == [0, FIRST, SECOND, SECOND + len(FRAMES[2])]
    assert (read.lines.size, bytes(read.lines.eols), read.notes) == (len(STREAM), bytes(4), [])
    places = zip(read.events.data_starts, read.events.data_ends, strict=True)
    assert [STREAM[start:end] for start, end in places][3] == b'{"stopReason":"end_turn"}'
    assert read.frames[3] == Frame(0, "messageStop", b'{"stopReason":"end_turn"}')


def test_a_frame_is_there_with_its_last_byte() -> None:
    lines, events = Lines(), Events()
    reader = aws_eventstream.create(ReadingRules(), lines, events)
    assert reader.feed(STREAM[: FIRST - 1]) == []
    assert len(reader.feed(STREAM[FIRST - 1 : FIRST])) == 1


@pytest.mark.parametrize(
    ("made", "type_", "value"),
    [
        (header("h", 0), "true", "true"),
        (header("h", 1), "false", "false"),
        (header("h", 2, b"\xff"), "byte", "-1"),
        (header("h", 3, struct.pack(">h", -300)), "short", "-300"),
        (header("h", 4, struct.pack(">i", 77)), "integer", "77"),
        (header("h", 5, struct.pack(">q", 1 << 40)), "long", str(1 << 40)),
        (header("h", 6, b"\0\3\0\xff\x10"), "bytes", "00 ff 10"),
        (text("h", "Grüße"), "string", "Grüße"),
        (header("h", 8, struct.pack(">q", 1767607200123)), "timestamp", "2026-01-05T10:00:00.123+00:00"),
        (header("h", 8, struct.pack(">q", 1 << 62)), "timestamp", f"{1 << 62} ms"),
        (header("h", 9, bytes(range(16))), "uuid", "00010203-0405-0607-0809-0a0b0c0d0e0f"),
    ],
)
def test_all_ten_types_of_headers_are_read(made: bytes, type_: str, value: str) -> None:
    found, fault = headers_of(made + text(":event-type", "x"))
    assert fault == ""
    assert [(one.name, one.type, one.value) for one in found] == [("h", type_, value), (":event-type", "string", "x")]
    for size in range(1, len(made)):
        assert headers_of(made[:size]) == ([], "header 0 goes beyond its block")


def test_a_header_of_an_unknown_type_ends_the_headers_and_not_the_frame() -> None:
    block = text(":event-type", "chunk") + header("odd", 10) + text(":message-type", "event")
    assert headers_of(block)[1] == "header 1: type 10 is none of the ten"
    assert Read(frame(block, b"{}")).frames == [Frame(0, "chunk", b"{}")]


def test_exceptions_and_errors_are_marked_and_named() -> None:
    body = exception("throttlingException", b'{"message":"slow down"}') + error("InternalError", "It broke")
    assert Read(body).frames == [
        Frame(F.EXCEPTION, "throttlingException", b'{"message":"slow down"}'),
        Frame(F.EXCEPTION, "InternalError", b"It broke"),
    ]


CRC = "frame-aws-crc"
DAMAGED: list[tuple[str, bytes, list[str | None], list[tuple[str, int, int, int, str]]]] = [
    ("message", flipped(SECOND - 9), NAMES, [(CRC, 1, FIRST, SECOND, "the message CRC")]),
    ("message CRC itself", flipped(SECOND - 1), NAMES, [(CRC, 1, FIRST, SECOND, "the message CRC")]),
    ("prelude CRC", flipped(FIRST + 9), NAMES, [(CRC, 1, FIRST, SECOND, "the prelude CRC")]),
    ("length", flipped(FIRST + 3), [NAMES[0], None, *NAMES[2:]], [(CRC, 1, FIRST, SECOND, "the prelude CRC")]),
    ("first prelude", flipped(9), NAMES, [(CRC, 0, 0, FIRST, "the prelude CRC")]),
    (
        "bytes between frames",
        FRAMES[0] + b"<html>" + FRAMES[1],
        [NAMES[0], None, NAMES[1]],
        [(CRC, 1, FIRST, FIRST + 6, "the prelude CRC")],
    ),
    (
        "bytes lost from a frame",
        FRAMES[0] + FRAMES[1][:40] + FRAMES[1][60:] + FRAMES[2] + FRAMES[3],
        [NAMES[0], None, *NAMES[2:]],
        [(CRC, 1, FIRST, SECOND - 20, "it is shorter than it says")],
    ),
    (
        "bytes lost from the frame before the last",
        STREAM[: SECOND - 50] + FRAMES[3],
        [NAMES[0], None, NAMES[3]],
        [(CRC, 1, FIRST, SECOND - 50, "it is shorter than it says")],
    ),
    (
        "half a prelude",
        STREAM[: FIRST + 7],
        [NAMES[0], None],
        [("frame-cut", 1, FIRST, FIRST + 7, "7 bytes of a frame")],
    ),
]


@pytest.mark.parametrize(("body", "names", "told"), [row[1:] for row in DAMAGED], ids=[row[0] for row in DAMAGED])
def test_a_fault_costs_the_frame_that_it_hit(body: bytes, names: list[str | None], told: list[Any]) -> None:
    whole = Read(body)
    assert whole.names == names
    assert whole.told == told
    for size in (1, 3, 50, 150):
        assert Read(body, size).all() == whole.all()


def test_a_cut_frame_keeps_what_came_of_its_payload() -> None:
    read = Read(STREAM[:-9])
    assert read.told == [
        (
            "frame-cut",
            3,
            len(STREAM) - len(FRAMES[3]),
            len(STREAM) - 9,
            f"{len(FRAMES[3]) - 9} bytes of a frame of {len(FRAMES[3])}",
        )
    ]
    assert read.frames[3] == Frame(F.CUT | F.DANGLING, "messageStop", b'{"stopReason":"end_t')


def test_what_a_relay_made_text_of_is_named() -> None:
    body = STREAM.decode("utf-8", "replace").encode()
    [note] = Read(body).notes
    assert note.rule == CRC
    assert "EF BF BD in it, so it was passed on as text" in note.detail


def test_an_error_among_the_frames_is_read() -> None:
    body = FRAMES[0] + b'{"error":{"message":"upstream gone"}}'
    assert Read(body).frames[1] == Frame(F.NO_DATA, None, None, None, (b'{"error":{"message":"upstream gone"}}',))


def test_what_no_frame_follows_is_one_damaged_unit() -> None:
    body = STREAM + bytes(5000) + b"\0\0\0\x20\0\0\0\x08" * 500
    read = Read(body, 700)
    assert read.told == [(CRC, 4, len(STREAM), len(body), "the prelude CRC")]
    assert read.all() == Read(body).all()


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """Whole streams and damaged ones: bytes changed, lost and added anywhere."""
    body = bytearray(
        b"".join(draw(st.lists(st.sampled_from([*FRAMES, exception("x", b""), error("E", "no")]), max_size=5)))
    )
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(body)))
        body[at : at + draw(st.integers(0, 30))] = draw(st.binary(max_size=20))
    return bytes(body)


@settings(deadline=None)
@given(bodies(), st.lists(st.integers(1, 200), min_size=1, max_size=12))
def test_any_cut_of_anything_gives_the_same(body: bytes, sizes: list[int]) -> None:
    whole = Read(body)
    assert Read(body, *sizes).all() == whole.all()
    assert whole.lines.size == len(body)
    assert len(whole.lines) == len(whole.frames)


@given(st.binary(max_size=60))
def test_any_bytes_are_headers_or_say_why_not(block: bytes) -> None:
    found, fault = headers_of(block)
    assert fault or (found[-1].end if found else 0) == len(block)
