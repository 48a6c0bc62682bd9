"""One frame of an AWS event stream: its prelude, and its headers of all ten types (dialects.md section 2.5)."""

from __future__ import annotations

import re
import struct
import uuid
import zlib
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from inspector_app.core.sniff import AWS_LARGEST

PRELUDE = 12
"""Bytes in front of the headers: total length, length of the headers, CRC-32 of these eight."""
CRC = 4
"""Bytes behind the payload: CRC-32 of everything before."""
SMALLEST = PRELUDE + CRC

THREE = struct.Struct(">III")
"""The prelude."""

_NUMBERS = {2: ">b", 3: ">h", 4: ">i", 5: ">q"}
_BYTES, _STRING, _TIMESTAMP, _UUID = 6, 7, 8, 9
TYPES = ("true", "false", "byte", "short", "integer", "long", "bytes", "string", "timestamp", "uuid")
"""Names of the header types by their number."""

_TOTAL = rb"\x00(?:[^\x00]..|\x00[^\x00].|\x00\x00[\x10-\xff])|\x01\x00\x00\x00"
_MAYBE = re.compile(rb"(?=(?:" + _TOTAL + rb")\x00[^\xff])", re.DOTALL)
"""Where a prelude could stand: a length from 16 to 16 MiB, and headers that are shorter."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Header(NamedTuple):
    """One header. `value` is words ready to be shown; its bytes are [start, end) of the header block."""

    name: str
    type: str
    value: str
    start: int
    end: int


class Prelude(NamedTuple):
    """What the first twelve bytes of a frame say."""

    total: int
    headers: int
    crc: int


def prelude_at(data: bytes | bytearray, at: int) -> Prelude:
    """The prelude at a place that has twelve bytes."""
    return Prelude(*THREE.unpack_from(data, at))


def is_possible(prelude: Prelude) -> bool:
    """Whether the two lengths fit each other and the limits."""
    return SMALLEST <= prelude.total <= AWS_LARGEST and prelude.headers <= prelude.total - SMALLEST


def is_frame_at(data: bytes | bytearray, at: int) -> bool:
    """Whether a prelude stands there whose lengths are possible and whose CRC fits."""
    prelude = prelude_at(data, at)
    return is_possible(prelude) and prelude.crc == zlib.crc32(memoryview(data)[at : at + 8])


def next_frame(data: bytes | bytearray, at: int, end: int) -> int:
    """The first place from `at` on where a good prelude stands that lies before `end` whole, -1 without one."""
    for found in _MAYBE.finditer(data, at, end):
        if found.start() + PRELUDE <= end and is_frame_at(data, found.start()):
            return found.start()
    return -1


def headers_of(block: bytes) -> tuple[list[Header], str]:
    """The headers of a block, and what is wrong with it in words, empty where nothing is."""
    found: list[Header] = []
    at = 0
    try:
        while at < len(block):
            found.append(_header(block, at))
            at = found[-1].end
    except (IndexError, struct.error):
        return found, f"header {len(found)} goes beyond its block"
    except ValueError as error:
        return found, f"header {len(found)}: {error}"
    return found, ""


def _header(block: bytes, at: int) -> Header:
    size = block[at]
    name = block[at + 1 : at + 1 + size].decode("utf-8", "replace")
    kind = block[at + 1 + size]
    value, start, end = _value(block, kind, at + 2 + size)
    return Header(name, TYPES[kind], value, start, end)


def _value(block: bytes, kind: int, at: int) -> tuple[str, int, int]:
    """A value in words and where its bytes lie. Raises ValueError for a type that is unknown."""
    if kind < 2:
        return TYPES[kind], at, at
    if kind in _NUMBERS:
        return str(struct.unpack_from(_NUMBERS[kind], block, at)[0]), at, at + struct.calcsize(_NUMBERS[kind])
    if kind in (_BYTES, _STRING):
        start = at + 2
        end = start + struct.unpack_from(">H", block, at)[0]
        value = block[start:end]
        if end > len(block):
            raise IndexError
        return value.decode("utf-8", "replace") if kind == _STRING else value.hex(" "), start, end
    if kind == _TIMESTAMP:
        return _time(struct.unpack_from(">q", block, at)[0]), at, at + 8
    if kind == _UUID:
        if at + 16 > len(block):
            raise IndexError
        return str(uuid.UUID(bytes=block[at : at + 16])), at, at + 16
    raise ValueError(f"type {kind} is none of the ten")


def _time(milliseconds: int) -> str:
    try:
        return (_EPOCH + timedelta(milliseconds=milliseconds)).isoformat(timespec="milliseconds")
    except OverflowError:
        return f"{milliseconds} ms"
