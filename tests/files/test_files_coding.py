"""Compressed bodies: undone in bounded steps, and told."""

from __future__ import annotations

import gzip
import importlib
import random
import zlib
from array import array
from collections.abc import Callable
from typing import Any

import pytest

from inspector_app.core.types import Exchange
from inspector_app.files._coding import Decoded, Limits, undo_coding

TEXT = b"".join(b'data: {"n":%d}\n\n' % n for n in range(400))
NO_LIMITS = Limits(1 << 40, 1 << 30, 1 << 30)


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def flushed_gzip(pieces: list[bytes]) -> list[bytes]:
    """Each piece as the bytes that a server sends for it when it flushes after every event."""
    packer = zlib.compressobj(wbits=31)
    return [packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH) for piece in pieces] + [packer.flush()]


def brotli(data: bytes) -> bytes:
    package: Any = pytest.importorskip("brotli")
    return bytes(package.compress(data))


def zstd(data: bytes) -> bytes:
    package: Any = pytest.importorskip("zstandard")
    return bytes(package.compress(data))


PACKERS = {"gzip": gzip.compress, "deflate": zlib.compress, "raw": raw_deflate, "br": brotli, "zstd": zstd}


def undo(
    raw: bytes, announced: str | None = None, ends: list[int] | None = None, limits: Limits = NO_LIMITS
) -> Decoded:
    return undo_coding(memoryview(raw), announced, None if ends is None else array("q", ends), limits)


def told(decoded: Decoded) -> list[tuple[str, int, str]]:
    return [(fault.rule, fault.at, fault.detail) for fault in decoded.faults]


@pytest.mark.parametrize(
    "packer, announced, coding, source",
    [
        ("gzip", "gzip", "gzip", "announced by Content-Encoding"),
        ("gzip", "X-GZip", "gzip", "announced by Content-Encoding"),
        ("gzip", None, "gzip", "announced by no header"),
        ("gzip", "identity", "gzip", "announced by no header"),
        ("gzip", "br", "gzip", "though Content-Encoding says br"),
        ("deflate", "deflate", "deflate", "announced by Content-Encoding"),
        ("deflate", None, "deflate", "announced by no header"),
        ("raw", "deflate", "deflate", "announced by Content-Encoding"),
        ("br", "br", "br", "announced by Content-Encoding"),
        ("br", None, "br", "announced by no header and found by trial"),
        ("zstd", "zstd", "zstd", "announced by Content-Encoding"),
        ("zstd", None, "zstd", "announced by no header"),
    ],
)
def test_a_coding_is_undone_and_told(packer: str, announced: str | None, coding: str, source: str) -> None:
    decoded = undo(PACKERS[packer](TEXT), announced)
    assert (decoded.data, decoded.coding) == (TEXT, coding)
    assert told(decoded) == [("http-compressed", 0, f"{coding}, {source}")]


@pytest.mark.parametrize("body", [TEXT, b"", b"{}", "größer".encode(), bytes(range(256))])
def test_a_body_that_is_not_compressed_is_left_alone(body: bytes) -> None:
    ends = [len(body)]
    decoded = undo(body, None, ends)
    assert (decoded.data, decoded.coding, decoded.ends, decoded.faults) == (None, None, array("q", ends), [])


@pytest.mark.parametrize("announced", ["gzip", "deflate", "br", "zstd"])
def test_a_saved_body_whose_coding_was_undone_before_is_left_alone_and_told(announced: str) -> None:
    decoded = undo(TEXT, announced)
    assert (decoded.data, decoded.coding) == (None, None)
    assert told(decoded) == [
        ("http-compressed", 0, f"{announced}, announced by Content-Encoding, though the bytes here are not compressed")
    ]


@pytest.mark.parametrize(
    "packer, announced", [("gzip", None), ("deflate", None), ("raw", "deflate"), ("br", "br"), ("zstd", None)]
)
def test_a_cut_keeps_what_was_decoded(packer: str, announced: str | None) -> None:
    text = b"".join(b"%d " % random.Random(7 * n).getrandbits(60) for n in range(30_000))
    packed = PACKERS[packer](text)
    decoded = undo(packed[: len(packed) * 3 // 4], announced)
    assert decoded.data is not None
    size = len(decoded.data)
    assert len(text) // 2 < size < len(text)
    assert decoded.data == text[:size]
    assert told(decoded)[1:] == [("frame-cut", size, f"the {decoded.coding} data stops before its end")]


@pytest.mark.parametrize("packer", ["gzip", "deflate", "zstd"])
def test_damage_keeps_what_was_decoded_before_it(packer: str) -> None:
    text = b"".join(b"%d " % random.Random(7 * n).getrandbits(60) for n in range(30_000))
    packed = bytearray(PACKERS[packer](text))
    middle = len(packed) // 2
    packed[middle : middle + 400] = bytes([255]) * 400
    decoded = undo(bytes(packed))
    assert decoded.data is not None
    third = len(text) // 3
    assert decoded.data[:third] == text[:third]
    assert [fault.rule for fault in decoded.faults] == ["http-compressed", "frame-cut"]
    assert "damaged at byte" in decoded.faults[1].detail


def test_a_wrong_checksum_costs_no_byte() -> None:
    packed = gzip.compress(TEXT)
    decoded = undo(packed[:-8] + bytes(4) + packed[-4:])
    assert decoded.data == TEXT
    assert told(decoded)[1][2] == f"the gzip data is damaged at byte {len(packed) - 5} of the compressed body"


@pytest.mark.parametrize("body", [b"\x78\x01" + b"no deflate at all" * 9, b"\x1f\x8b" + b"no gzip"])
def test_a_magic_alone_makes_no_coding(body: bytes) -> None:
    decoded = undo(body)
    assert (decoded.data, decoded.coding) == (None, None)
    assert [fault.rule for fault in decoded.faults] == ["http-compressed"]
    assert decoded.faults[0].detail.endswith("the bytes do not decode and are shown as they are")


@pytest.mark.parametrize("packer", ["gzip", "zstd"])
def test_members_one_after_the_other_are_one_body(packer: str) -> None:
    first, second = PACKERS[packer](TEXT), PACKERS[packer](b"data: [DONE]\n\n")
    packed = first + second
    # One read ends inside the magic of the second member.
    decoded = undo(packed, None, [len(first) + 1, len(packed)])
    assert decoded.data == TEXT + b"data: [DONE]\n\n"
    assert [fault.rule for fault in decoded.faults] == ["http-compressed"]
    assert decoded.ends == array("q", [len(TEXT), len(TEXT) + 14])


@pytest.mark.parametrize("packer", ["gzip", "deflate", "br", "zstd"])
def test_bytes_after_the_end_of_the_coding_are_counted(packer: str) -> None:
    decoded = undo(PACKERS[packer](TEXT) + b"rubbish", "br" if packer == "br" else None)
    assert decoded.data == TEXT
    assert decoded.faults[0].detail.endswith("7 bytes after its end are left out")
    assert len(decoded.faults) == 1


def test_read_ends_become_those_of_the_decoded_bytes() -> None:
    events = [b"data: %d\n\n" % n for n in range(5)]
    ends = []
    packed = b""
    for piece in flushed_gzip(events):
        packed += piece
        ends.append(len(packed))
    ends.insert(2, ends[1])
    decoded = undo(packed, "gzip", ends)
    assert decoded.data == b"".join(events)
    assert decoded.ends == array("q", [9, 18, 18, 27, 36, 45, 45])


@pytest.mark.parametrize("packer, announced", [("gzip", None), ("raw", "deflate"), ("br", "br"), ("zstd", None)])
@pytest.mark.parametrize("limits", [NO_LIMITS, Limits(50_000, 1 << 30, 0), Limits(1 << 30, 3, 5000)])
def test_reads_do_not_change_what_comes_out(packer: str, announced: str | None, limits: Limits) -> None:
    rng = random.Random(packer)
    packed = PACKERS[packer](b"".join(b'{"n":%d}' % rng.getrandbits(40) for _ in range(20_000)))
    whole = undo(packed, announced, None, limits)
    for size in (1000, 4097, 70_000):
        ends = [*range(size, len(packed), size), len(packed)]
        cut = undo(packed, announced, ends, limits)
        assert (cut.data, cut.faults) == (whole.data, whole.faults)
        assert cut.ends is not None
        assert len(cut.ends) == len(ends)
        assert cut.ends[-1] == len(cut.data or b"")


@pytest.mark.parametrize("packer, announced", [("gzip", None), ("deflate", None), ("br", "br"), ("zstd", None)])
@pytest.mark.parametrize(
    "limits, size, reached",
    [
        (Limits(1 << 20, 1 << 30, 0), 1 << 20, "1048576 bytes"),
        (Limits(1 << 30, 2, 1 << 19), 1 << 19, "2 times the compressed size"),
    ],
)
def test_a_bomb_stops_at_the_limit(packer: str, announced: str | None, limits: Limits, size: int, reached: str) -> None:
    decoded = undo(PACKERS[packer](b"a" * (8 << 20)), announced, None, limits)
    assert decoded.data == b"a" * size
    assert told(decoded)[1:] == [("meta-limit-reached", size, f"decompressed size, limit {reached}")]


def test_only_one_coding_is_undone() -> None:
    inner = gzip.compress(TEXT)
    decoded = undo(gzip.compress(inner))
    assert decoded.data == inner
    assert [fault.rule for fault in decoded.faults] == ["http-compressed", "meta-limit-reached"]


@pytest.mark.parametrize("packer", ["br", "zstd"])
def test_without_its_package_a_coding_is_told_and_left(packer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = PACKERS[packer](TEXT)

    def refuse(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", refuse)
    decoded = undo(packed, packer)
    assert (decoded.data, decoded.coding) == (None, None)
    assert told(decoded)[0][2].endswith("left as it is: the package that decodes it is not installed")
    assert undo(packed).data is None


@pytest.mark.parametrize("packer", ["gzip", "deflate", "br", "zstd"])
def test_a_compressed_file_is_read_as_what_is_in_it(packer: str, read_one: Callable[..., Exchange]) -> None:
    exchange = read_one(PACKERS[packer](TEXT), "answer.sse.gz")
    assert (exchange.format, exchange.body.slice(0, 9999)) == ("sse-body", TEXT)
    assert [fault.rule for fault in exchange.faults] == ["http-compressed"]


def test_a_body_of_aws_frames_is_no_brotli(read_one: Callable[..., Exchange]) -> None:
    prelude = (120).to_bytes(4, "big") + bytes(4)
    frame = prelude + zlib.crc32(prelude).to_bytes(4, "big") + bytes(108)
    exchange = read_one(frame, "a.bin")
    assert (exchange.format, exchange.faults, len(exchange.body)) == ("binary-body", [], 120)
