"""Undoes the content coding of a body, in bounded steps, and says what it met.

One level is undone. Output is capped: at 256 MiB, and past the first MiB at 200 times the coded bytes
read so far, counted in whole steps of 64 KiB, so that the cap never depends on how the bytes were cut into reads.
"""

from __future__ import annotations

import importlib
import zlib
from array import array
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from inspector_app.core.types import Fault

STEP = 1 << 16
PROBE = 4096

MAGIC = (
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\x78\x01", "deflate"),
    (b"\x78\x9c", "deflate"),
    (b"\x78\xda", "deflate"),
)
ANNOUNCED = {"gzip": "gzip", "x-gzip": "gzip", "deflate": "deflate", "br": "br", "zstd": "zstd"}
"""Content-Encoding -> the coding meant; other values leave the body as it is."""

WITHOUT_MAGIC = ("deflate", "br")


class Limits(NamedTuple):
    """How much a coded body may grow: `total` bytes, and `ratio` times its size once past `free` bytes."""

    total: int = 256 << 20
    ratio: int = 200
    free: int = 1 << 20


DEFAULT_LIMITS = Limits()


class Decoded(NamedTuple):
    """What came of a body. `data` is None where nothing was undone; `ends` are the read ends in decoded bytes."""

    data: bytearray | None
    coding: str | None
    ends: array[int] | None
    faults: list[Fault]


def undo_coding(
    raw: memoryview, announced: str | None, ends: array[int] | None = None, limits: Limits = DEFAULT_LIMITS
) -> Decoded:
    """Decodes a body that is compressed by its first bytes or by `announced`, the value of Content-Encoding.

    `ends` are the ends of the reads in `raw`. Nothing raises: damage, a cut and a reached limit are
    faults (`frame-cut`, `meta-limit-reached`), with everything decoded before them.
    """
    start = bytes(raw[:PROBE])
    said = announced_coding(announced)
    coding = magic_coding(start)
    if coding is None and said in WITHOUT_MAGIC and start and not is_text(start):
        coding = said
    if coding is None:
        if said is not None:
            return _untouched(ends, f"{said}, announced by Content-Encoding, though the bytes here are not compressed")
        return _guess_brotli(raw, start, ends, limits)
    if said == coding:
        source = "announced by Content-Encoding"
    elif said is not None:
        source = f"though Content-Encoding says {said}"
    else:
        source = "announced by no header"
    make = maker(coding, start)
    if make is None:
        return _untouched(ends, f"{coding}, {source}; left as it is: the package that decodes it is not installed")
    run = _Run(make, raw, ends, limits)
    if run.damaged_at is not None and not run.out:
        return _untouched(ends, f"{coding}, {source}; the bytes do not decode and are shown as they are")
    return Decoded(run.out, coding, run.ends, _faults(run, coding, source, limits))


def announced_coding(value: str | None) -> str | None:
    """The coding that a value of Content-Encoding means, None where it means none that is known."""
    named = [ANNOUNCED[name] for word in (value or "").split(",") if (name := word.strip().lower()) in ANNOUNCED]
    return named[-1] if named else None


def magic_coding(start: bytes) -> str | None:
    """The coding that the first bytes of a body give away."""
    return next((coding for magic, coding in MAGIC if start.startswith(magic)), None)


def is_text(start: bytes) -> bool:
    """Whether the first bytes of a body are UTF-8 without control characters."""
    try:
        start.decode()
    except UnicodeDecodeError as error:
        if error.start < len(start) - 3 or error.reason != "unexpected end of data":
            return False
    return not _controls(start)


def is_binary(start: bytes) -> bool:
    """Whether more than a fifth of the first bytes of a body are control characters or no UTF-8."""
    broken = start.decode(errors="replace").count("�") - start.count("�".encode())
    return 5 * (_controls(start) + broken) > len(start)


def is_aws_frame(start: bytes) -> bool:
    """Whether a body opens with the prelude of an AWS event-stream frame: lengths and their CRC-32."""
    if len(start) < 12 or zlib.crc32(start[:8]) != int.from_bytes(start[8:12], "big"):
        return False
    return 16 <= int.from_bytes(start[:4], "big") <= 16 << 20


def _controls(start: bytes) -> int:
    return len(start) - len(start.translate(None, delete=_CONTROLS))


_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\x1b") | {127})


def _untouched(ends: array[int] | None, detail: str) -> Decoded:
    return Decoded(None, None, ends, [Fault("http-compressed", 0, 0, detail)])


def _guess_brotli(raw: memoryview, start: bytes, ends: array[int] | None, limits: Limits) -> Decoded:
    """Brotli has no magic: a body is taken for it that looks like nothing else and decodes to text, to its end."""
    make = maker("br", start)
    if make is not None and start and is_binary(start) and not is_aws_frame(start):
        run = _Run(make, raw, ends, limits)
        # Nothing that is no brotli decodes as far as a limit.
        to_its_end = (run.finished and not run.surplus) or run.limited
        if to_its_end and run.out and is_text(bytes(run.out[:PROBE])):
            source = "announced by no header and found by trial"
            return Decoded(run.out, "br", run.ends, _faults(run, "br", source, limits))
    return Decoded(None, None, ends, [])


def _faults(run: _Run, coding: str, source: str, limits: Limits) -> list[Fault]:
    end = len(run.out)
    extra = f"; {run.surplus} bytes after its end are left out" if run.surplus else ""
    faults = [Fault("http-compressed", 0, 0, f"{coding}, {source}{extra}")]
    if run.limited:
        reached = f"{limits.total} bytes" if end >= limits.total else f"{limits.ratio} times the compressed size"
        faults.append(Fault("meta-limit-reached", end, end, f"decompressed size, limit {reached}"))
    elif run.damaged_at is not None:
        detail = f"the {coding} data is damaged at byte {run.damaged_at} of the compressed body"
        faults.append(Fault("frame-cut", end, end, detail))
    elif not run.finished:
        faults.append(Fault("frame-cut", end, end, f"the {coding} data stops before its end"))
    if magic_coding(bytes(run.out[:8])):
        faults.append(Fault("meta-limit-reached", 0, end, "content codings one over another, limit 1"))
    return faults


class Decoder(Protocol):
    """Decodes one body. `error` is what `feed` raises for damaged data, `surplus` the bytes after the end."""

    @property
    def error(self) -> type[Exception]: ...
    @property
    def finished(self) -> bool: ...
    @property
    def surplus(self) -> int: ...
    def feed(self, data: bytes) -> Iterator[bytes]: ...


class _Run:
    """One decoding of a whole body: the output so far, and how it ended."""

    def __init__(self, make: Callable[[], Decoder], raw: memoryview, ends: array[int] | None, limits: Limits) -> None:
        self.out = bytearray()
        self.ends: array[int] | None = None if ends is None else array("q")
        self.limited = False
        self.damaged_at: int | None = None
        self._make = make
        self._decoder = make()
        self._raw = raw
        self._limits = limits
        start = 0
        for end in ends if ends is not None else (len(raw),):
            while start < end and not self.limited and self.damaged_at is None:
                # A piece never crosses a multiple of STEP, whatever the reads are: the cap counts in steps.
                stop = min(end, (start // STEP + 1) * STEP)
                self._decode(start, stop)
                start = stop
            if self.ends is not None:
                self.ends.append(len(self.out))

    @property
    def finished(self) -> bool:
        return self._decoder.finished

    @property
    def surplus(self) -> int:
        return self._decoder.surplus

    def _decode(self, start: int, stop: int) -> None:
        before = len(self.out)
        try:
            self._take(self._decoder.feed(bytes(self._raw[start:stop])), start)
        except self._decoder.error:
            del self.out[before:]
            self._decode_to_the_damage(start, stop)

    def _decode_to_the_damage(self, start: int, stop: int) -> None:
        """A decoder that fails keeps the output of its last step: a fresh one takes that step byte by byte."""
        self._decoder = self._make()
        for at in range(0, start, STEP):
            for _ in self._decoder.feed(bytes(self._raw[at : min(at + STEP, start)])):
                pass
        for at in range(start, stop):
            try:
                self._take(self._decoder.feed(bytes(self._raw[at : at + 1])), at)
            except self._decoder.error:
                self.damaged_at = at
                return
            if self.limited:
                return

    def _take(self, pieces: Iterator[bytes], consumed: int) -> None:
        total, ratio, free = self._limits
        allowed = min(total, max(free, ratio * min(len(self._raw), (consumed // STEP + 1) * STEP)))
        for piece in pieces:
            self.out += piece
            if len(self.out) > allowed:
                del self.out[allowed:]
                self.limited = True
                return


class _Members:
    """gzip members, zstd frames or one piece of deflate data; `step` decodes a bounded part of the input."""

    def __init__(
        self,
        make: Callable[[], Any],
        step: Callable[[Any, bytes], tuple[bytes, bytes]],
        error: type[Exception],
        magic: bytes = b"",
    ) -> None:
        self.error = error
        self.surplus = 0
        self._make = make
        self._step = step
        self._magic = magic
        self._inner = make()
        self._kept = b""

    @property
    def finished(self) -> bool:
        return bool(self._inner.eof)

    def feed(self, data: bytes) -> Iterator[bytes]:
        piece = b""
        while data or len(piece) >= STEP:
            if self._inner.eof:
                data = self._next_member(data)
                if not data:
                    return
            piece, data = self._step(self._inner, data)
            if piece:
                yield piece

    def _next_member(self, data: bytes) -> bytes:
        data = self._kept + data
        self._kept = b""
        if self._magic and data.startswith(self._magic) and not self.surplus:
            self._inner = self._make()
            return data
        if len(data) < len(self._magic) and self._magic.startswith(data):
            self._kept = data
        else:
            self.surplus += len(data)
        return b""


def _zlib_step(inner: Any, data: bytes) -> tuple[bytes, bytes]:
    piece = inner.decompress(data, STEP)
    return piece, inner.unused_data if inner.eof else inner.unconsumed_tail


def _zstd_step(inner: Any, data: bytes) -> tuple[bytes, bytes]:
    # Four coded bytes give at most 128 KiB: what one step can make is bounded by feeding it little.
    piece = inner.decompress(data[:512])
    return piece, (inner.unused_data if inner.eof else b"") + data[512:]


class _Brotli:
    """A brotli stream, read through the `brotli` package."""

    def __init__(self, package: Any) -> None:
        self.error: type[Exception] = package.error
        self.surplus = 0
        self.finished = False
        self._inner = package.Decompressor()

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self.finished:
            self.surplus += len(data)
            return
        # A piece shorter than the limit is not yet the last one: only an empty one is.
        while not self.finished and ((piece := self._inner.process(data, output_buffer_limit=STEP)) or data):
            data = b""
            if piece:
                yield piece
            self.finished = self._inner.is_finished()


def maker(coding: str, start: bytes) -> Callable[[], Decoder] | None:
    """What makes a fresh decoder, or None where its package is missing (or too old to be bounded)."""
    if coding in ("gzip", "deflate"):
        wrapped = len(start) > 1 and start[0] & 15 == 8 and int.from_bytes(start[:2], "big") % 31 == 0
        bits = 31 if coding == "gzip" else 15 if wrapped else -15
        magic = MAGIC[0][0] if coding == "gzip" else b""
        return lambda: _Members(lambda: zlib.decompressobj(bits), _zlib_step, zlib.error, magic)
    try:
        package: Any = importlib.import_module({"br": "brotli", "zstd": "zstandard"}[coding])
    except ImportError:
        return None
    if coding == "br":
        return (lambda: _Brotli(package)) if hasattr(package.Decompressor, "can_accept_more_data") else None

    def frame() -> Any:
        return package.ZstdDecompressor(max_window_size=1 << 27).decompressobj()

    return lambda: _Members(frame, _zstd_step, package.ZstdError, MAGIC[1][0])
