"""AWS event-stream frames, made by the letter of the format."""

from __future__ import annotations

import json
import struct
import zlib
from typing import Any

STRING = 7


def header(name: str, kind: int, value: bytes = b"") -> bytes:
    """One header; `value` is what stands behind the type byte."""
    return bytes([len(name)]) + name.encode() + bytes([kind]) + value


def text(name: str, value: str) -> bytes:
    """A header of type string, the only one that LLM streams have."""
    return header(name, STRING, struct.pack(">H", len(value.encode())) + value.encode())


def frame(headers: bytes, payload: bytes) -> bytes:
    """A whole frame with both CRCs right."""
    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    start = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + payload
    return start + struct.pack(">I", zlib.crc32(start))


def event(kind: str, payload: Any) -> bytes:
    """A frame of an event with a JSON payload."""
    headers = text(":event-type", kind) + text(":content-type", "application/json") + text(":message-type", "event")
    return frame(headers, json.dumps(payload, separators=(",", ":")).encode())


def exception(kind: str, payload: bytes) -> bytes:
    """A frame of an exception, as a service ends a stream with."""
    return frame(text(":exception-type", kind) + text(":message-type", "exception"), payload)


def error(code: str, message: str) -> bytes:
    """A frame of an error, which has no payload."""
    return frame(text(":error-code", code) + text(":error-message", message) + text(":message-type", "error"), b"")
