"""Binary bodies that are named and not decoded."""

from __future__ import annotations

import struct

import pytest

from inspector_app.core.binary import binary_kind
from inspector_app.core.types import MemoryBody


def grpc(flag: int, payload: bytes) -> bytes:
    return struct.pack(">BI", flag, len(payload)) + payload


def websocket(first: int, payload: bytes) -> bytes:
    size = bytes([len(payload)]) if len(payload) < 126 else struct.pack(">BH", 126, len(payload))
    return bytes([first]) + size + payload


GRPC = grpc(0, b"\x0a\x05hello") + grpc(0, b"") + grpc(0x80, b"grpc-status: 0\r\n")
MESSAGES = websocket(0x81, b'{"type":"session.created"}') + websocket(0x81, b'{"type":"x"}' * 20) + websocket(0x88, b"")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (GRPC, "gRPC-web or Connect frames"),
        (grpc(0, b'{"text":"a"}') + grpc(2, b"{}"), "gRPC-web or Connect frames"),
        (MESSAGES, "WebSocket frames"),
        (b"\x81\x85\x01\x02\x03\x04hello" * 2, "WebSocket frames"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "WAVE or another RIFF audio file"),
        (b"OggS\0\2", "Ogg audio"),
        (b"ID3\x04\0", "MP3 audio"),
        (grpc(0, b"alone")[:-1], None),
        (b"\0\0\0\x76\0\0\0\x52" + bytes(100), None),
        (b"data: {}\n\n", None),
        (b'{"a":1}\n', None),
        (b"plain text", None),
        (b"\xff\x00\x12" * 30, None),
        (b"", None),
    ],
)
def test_a_body_is_named_by_its_first_frames(body: bytes, kind: str | None) -> None:
    assert binary_kind(MemoryBody(body)) == kind
