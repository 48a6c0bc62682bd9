"""What media deltas carry, in the shapes of the dialects, and how long a sound is."""

from __future__ import annotations

import base64
import struct
from typing import Any

import pytest

from inspector_app.core import media
from inspector_app.core.media import dots_of, media_of

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(64))
WAV_HEAD = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 24000, 48000, 2, 16) + b"data"


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def wav(size: int, told: int | None = None) -> bytes:
    """A sound of 48 000 bytes a second; `told` is the size that its head says."""
    return b"RIFF" + bytes(4) + WAV_HEAD + struct.pack("<I", size if told is None else told) + bytes(size)


def ogg(samples: int) -> bytes:
    return b"OggS" + bytes(24) + b"OpusHead" + bytes(40) + b"OggS\0\0" + struct.pack("<Q", samples) + bytes(20)


def flac(samples: int) -> bytes:
    return b"fLaC" + bytes(14) + (44100 << 4).to_bytes(3) + samples.to_bytes(5) + bytes(40)


MP3 = (b"\xff\xfb\x90\x00" + bytes(413)) * 4
"""Four frames of MPEG 1 layer 3, 128 kbit/s, 44.1 kHz: 417 bytes and 1152 samples each."""


@pytest.mark.parametrize(
    "value",
    [
        b64(PNG),
        "data:image/png;base64," + b64(PNG),
        {"mimeType": "image/png", "data": b64(PNG)},
        {"type": "image", "mime_type": "image/png", "data": b64(PNG)},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64," + b64(PNG)}},
        {"image": {"format": "png", "source": {"bytes": b64(PNG)}}},
        {"source": {"type": "base64", "media_type": "image/png", "data": b64(PNG)}},
        {"b64_json": base64.urlsafe_b64encode(PNG).decode()},
        {"type": "image/jpeg", "data": b64(PNG)},
    ],
)
def test_bytes_are_found_in_the_shape_of_any_dialect(value: Any) -> None:
    found = media_of([value], "image")
    assert (found.format, found.data, found.size, found.address) == ("png", PNG, len(PNG), "")


@pytest.mark.parametrize(
    ("value", "address"),
    [
        ("https://pictures.example/1.png", "https://pictures.example/1.png"),
        ({"fileData": {"mimeType": "image/png", "fileUri": "https://files.example/1"}}, "https://files.example/1"),
        ({"mimeType": "image/png", "fileUri": "gs://bucket/1"}, "gs://bucket/1"),
        ({"type": "image_file", "image_file": {"file_id": "file_7"}}, "file_7"),
    ],
)
def test_an_address_is_told_and_nothing_else(value: Any, address: str) -> None:
    found = media_of([value], "image")
    assert (found.address, found.data, found.size) == (address, b"", 0)


@pytest.mark.parametrize("value", [None, 3, "", "png", [], {}, {"data": None}, {"data": "not / base64 !"}, {"a": {}}])
def test_what_carries_nothing_holds_nothing(value: Any) -> None:
    assert media_of([value], "image").data == b""


def test_values_of_any_depth_end() -> None:
    deep: Any = {"data": b64(PNG)}
    for _ in range(5000):
        deep = {"more": deep}
    assert media_of([deep], "image").data == b""


@pytest.mark.parametrize("cut", [1, 3, 4, 7, 64])
def test_sound_is_joined_wherever_its_base64_is_cut(cut: int) -> None:
    text = b64(wav(480))
    found = media_of([text[at : at + cut] for at in range(0, len(text), cut)] if cut > 16 else [
        {"data": text[at : at + cut]} for at in range(0, len(text), cut)
    ], "audio")  # fmt: skip
    assert found.data == wav(480)


def test_pieces_of_sound_may_each_be_padded() -> None:
    pieces = [{"id": "a", "data": b64(part)} for part in (wav(96)[:25], wav(96)[25:])]
    assert media_of(pieces, "audio").data == wav(96)


def test_a_later_picture_takes_the_place_of_the_one_before_and_pieces_are_joined() -> None:
    finer = PNG + b"more"
    assert media_of([b64(PNG), b64(finer)], "image").data == finer
    text = b64(PNG)
    assert media_of([text[:40], text[40:]], "image").data == PNG


@pytest.mark.parametrize(
    ("data", "mime", "seconds"),
    [
        (wav(24000), "", 0.5),
        (wav(24000, told=0xFFFFFFFF), "audio/wav", 0.5),  # the head of a stream, written before its length is known
        (bytes(96000), "audio/L16;codec=pcm;rate=24000", 2.0),
        (bytes(96000), "audio/L16;rate=24000;channels=2", 1.0),
        (bytes(96000), "audio/pcm", None),
        (MP3, "audio/mpeg", 4 * 1152 / 44100),
        (MP3[:-100], "audio/mpeg", 4 * 1152 / 44100),
        (ogg(96000), "audio/ogg", 2.0),
        (flac(44100), "audio/flac", 1.0),
        (wav(0)[:20], "audio/wav", None),
        (b"ID3" + bytes(40), "audio/mpeg", None),
        (b"\xff\xfb\x00\x00" * 8, "audio/mpeg", None),
        (b"RIFF\0\0\0\0WAVEfmt \xff\xff\xff\xff" + bytes(30), "", None),
    ],
)
def test_a_sound_is_as_long_as_its_format_says(data: bytes, mime: str, seconds: float | None) -> None:
    found = media_of([{"mimeType": mime, "data": b64(data)}], "audio")
    assert found.seconds == (seconds if seconds is None else pytest.approx(seconds))
    assert found.size == len(data)


JPEG_HEAD = b"\xff\xd8\xff\xe1\0\x0a" + b"\xff\xc0\0\0\0\1\0\1" + b"\xff\xc2\0\x11\x08\1\x2c\0\xc8" + bytes(20)
"""A segment that holds what looks like a frame header, then the header of a frame of 200 x 300."""


@pytest.mark.parametrize(
    ("form", "data", "dots"),
    [
        ("png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 70000, 3), (70000, 3)),
        ("png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(8), None),
        ("png", b"\x89PNG", None),
        ("gif", b"GIF89a" + struct.pack("<HH", 5, 6), (5, 6)),
        ("gif", b"GIF89a", None),
        ("webp", b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + b"\x0f\0\0\x1f\0\0", (16, 32)),
        ("webp", b"RIFF\0\0\0\0WEBPVP8 " + bytes(10) + struct.pack("<HH", 640, 480), (640, 480)),
        ("webp", b"RIFF\0\0\0\0WEBPVP8L" + bytes(5) + (99 | 49 << 14).to_bytes(4, "little"), (100, 50)),
        ("webp", b"RIFF\0\0\0\0WEBP", None),
        ("jpeg", JPEG_HEAD, (200, 300)),
        ("jpeg", b"\xff\xd8\xff", None),
        ("jpeg", b"\xff\xd8" + b"\xff" * 100, None),
        ("jpeg", b"\xff\xd8\xff\xe1\xff\xff" + bytes(40), None),
        ("tiff", b"II*\0" + bytes(40), None),
    ],
)
def test_a_head_says_how_large_a_picture_is(form: str, data: bytes, dots: tuple[int, int] | None) -> None:
    assert dots_of(data, form) == dots


def test_what_is_too_long_is_counted_and_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media, "MOST", 100)
    found = media_of([b64(PNG * 2)], "image")
    assert (found.format, found.data) == ("png", b"")
    assert abs(found.size - 2 * len(PNG)) <= 2
