"""Binary bodies that are recognised and named, but not decoded (dialects.md section 2.6)."""

from __future__ import annotations

from collections.abc import Callable

from inspector_app.core.types import Body

LOOKED_AT = 3
"""Frames that must follow each other, unless the body ends before."""
LARGEST = 1 << 24
"""Bytes of a frame that is believed."""

_MAGIC = (
    (b"RIFF", "WAVE or another RIFF audio file"),
    (b"OggS", "Ogg audio"),
    (b"fLaC", "FLAC audio"),
    (b"ID3", "MP3 audio"),
    (b"\xff\xfb", "MP3 audio"),
    (b"\xff\xf1", "AAC audio"),
    (b"\x1aE\xdf\xa3", "WebM or Matroska media"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
)
_GRPC_FLAGS = frozenset({0, 1, 2, 3, 0x80, 0x81})
"""Data, compressed, end of the stream (Connect), trailers (gRPC-web)."""
_WEBSOCKET = frozenset({0x01, 0x02, 0x81, 0x82, 0x88, 0x89, 0x8A})
"""First bytes of frames without extensions that may open a message: text, binary, close, ping, pong."""


def binary_kind(body: Body) -> str | None:
    """What a binary body is, in words; None for text and for what nobody knows."""
    head = body.slice(0, 16)
    found = next((words for magic, words in _MAGIC if head.startswith(magic)), None)
    if found is not None:
        return found
    if _is_chain(body, _grpc_size):
        return "gRPC-web or Connect frames"
    return "WebSocket frames" if _is_chain(body, _websocket_size) else None


def _is_chain(body: Body, size_of: Callable[[bytes], int]) -> bool:
    """Whether frames follow each other from the first byte on; a body of one frame must end with it."""
    at = 0
    for number in range(LOOKED_AT):
        if at == len(body):
            return number > 0
        size = size_of(body.slice(at, at + 14))
        if size < 0:
            return False
        at += size
    return at <= len(body)


def _grpc_size(head: bytes) -> int:
    """Bytes of a frame with a five-byte prefix, -1 where none stands."""
    if len(head) < 5 or head[0] not in _GRPC_FLAGS:
        return -1
    size = int.from_bytes(head[1:5], "big")
    return 5 + size if size <= LARGEST else -1


def _websocket_size(head: bytes) -> int:
    """Bytes of a frame as a browser or a server sends it, -1 where none stands."""
    if len(head) < 2 or (head[0] not in _WEBSOCKET and head[0] not in (0x00, 0x80)):
        return -1
    masked, size, prefix = head[1] & 0x80, head[1] & 0x7F, 2
    if head[0] & 0x08 and size > 125:
        return -1
    if size >= 126:
        prefix = 4 if size == 126 else 10
        size = int.from_bytes(head[2:prefix], "big")
    if size > LARGEST or len(head) < prefix:
        return -1
    return prefix + (4 if masked else 0) + size
