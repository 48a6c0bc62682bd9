"""What the media deltas of a block carry: bytes, a format, the length of a sound. Read only, never fetched.

A value comes as base64 text, as a data URI, as an address, or as an object that holds one of these under a name of its
dialect (`data`, `bytes`, `image_url.url`, `source.bytes`, `inlineData`…). The first few levels are looked through; what
fits nothing is left alone. Sound comes in pieces that are encoded each by itself or cut anywhere; pictures come whole,
a later one in place of the one before, or in pieces too.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from inspector_app.core.reading import Reading
from inspector_app.core.text import THIN_SPACE, clip, number, size, visible
from inspector_app.core.types import Block

MOST = 24_000_000
"""Characters of base64 that are decoded of one block; what is longer is only counted."""
PIECES = 4096
"""Deltas of one block that are looked at."""
DEPTH, KEYS = 4, 40
"""Levels of a value, and keys of each, in which bytes are looked for."""
LEAST = 16
"""Characters from which a text under any name may be base64; shorter ones are words."""
NAMES = ("data", "bytes", "b64_json", "base64", "uint8Array", "result", "image_base64")
TYPES = ("mimeType", "mime_type", "mediaType", "media_type", "contentType", "format")
ADDRESSES = ("url", "uri", "fileUri", "file_uri", "file_id", "fileId", "id")
_BASE64 = re.compile(r"[A-Za-z0-9+/_\-\s]+={0,2}\s*")
_DATA_URI = re.compile(r"data:([\w.+-]+/[\w.+-]+)?((?:;[\w.+-]+=[\w.+-]+)*)(;base64)?,", re.ASCII)
_RATE = re.compile(r"rate=(\d{3,6})")
_CHANNELS = re.compile(r"channels=(\d)")
_MAGIC = (
    ("png", b"\x89PNG\r\n\x1a\n", 0), ("jpeg", b"\xff\xd8\xff", 0), ("gif", b"GIF8", 0), ("webp", b"WEBP", 8),
    ("wav", b"WAVE", 8), ("ogg", b"OggS", 0), ("flac", b"fLaC", 0), ("mp3", b"ID3", 0), ("pdf", b"%PDF-", 0),
    ("mp4", b"ftyp", 4), ("webm", b"\x1aE\xdf\xa3", 0),
)  # fmt: skip
PICTURES = frozenset({"png", "jpeg", "gif", "webp"})
_MP3_RATES = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_MP3_RATES_2 = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)
_MP3_HERTZ = {3: (44100, 48000, 32000), 2: (22050, 24000, 16000), 0: (11025, 12000, 8000)}
_L16 = ("audio/l16", "audio/pcm", "audio/raw")


class Media(NamedTuple):
    """What a block of media holds. `data` is empty where it is too long (then `size` alone is known) or is not there;
    `seconds` is None where the format does not tell; `address` is where the dialect says it can be had.
    """

    format: str = ""
    size: int = 0
    data: bytes = b""
    seconds: float | None = None
    address: str = ""


class _Piece(NamedTuple):
    text: str
    mime: str
    address: str


def media_of(values: Iterable[Any], kind: object = None) -> Media:
    """What the values of a block's media deltas hold together; `kind` is the block's "image", "audio"… Never raises."""
    text: list[str] = []
    mime = address = ""
    last = ""
    for value in values:
        piece = _piece(value)
        mime, address = piece.mime or mime, piece.address or address
        if piece.text:
            last = piece.text
            text.append(last)
    if not text:
        return Media(_of_mime(mime), address=address)
    if len(text) > 1 and kind != "audio" and _format(_head(last), "") in PICTURES:
        text = [last]  # A picture that is finer than the one before takes its place.
    length = sum(map(len, text))
    if length > MOST:
        return Media(_format(_head(text[0]), mime), length * 3 // 4, address=address)
    data = b"".join(_decoded(text))
    form = _format(data[:64], mime)
    return Media(form, len(data), data, _seconds(data, form, mime) if kind != "image" else None, address)


def media_in(reading: Reading, block: Block, pieces: int = PIECES) -> Media:
    """What a block of media holds, as far as its first `pieces` deltas say."""
    return media_of(_values(reading, block, pieces), block.fields.get("media"))


def _values(reading: Reading, block: Block, pieces: int) -> Iterator[Any]:
    for number_ in islice(block.deltas, pieces):
        event = reading.event_of_delta(number_)
        deltas, place = reading.deltas(event), number_ - reading.deltas_of(event)[0]
        if place < len(deltas):
            yield deltas[place].value


def media_words(media: Media, whole: bool = True) -> str:
    """Format, dots, length, size and address, as far as they are known: "png · 320 × 200 · 9.7 kB"."""
    dots = dots_of(media.data, media.format)
    words = [visible(media.format)] if media.format else []
    if dots is not None:
        words.append(f"{number(dots[0])}{THIN_SPACE}×{THIN_SPACE}{number(dots[1])}")
    if media.seconds is not None:
        words.append(f"{media.seconds:.2f}{THIN_SPACE}s")
    if media.size:
        words.append(("" if whole else "at least ") + size(media.size))
    elif media.address:
        words.append(visible(clip(media.address, 80)))
    return " · ".join(words)


def _piece(value: Any, depth: int = 0) -> _Piece:
    """The base64, the type and the address in one value."""
    if isinstance(value, str):
        uri = _DATA_URI.match(value[:300])
        if uri is not None:
            return _Piece(value[uri.end() :] if uri[3] else "", f"{uri[1] or ''}{uri[2]}", "")
        if _is_base64(value):
            return _Piece(value, "", "")
        return _Piece("", "", value if re.match(r"[a-z]{2,10}://", value[:20]) else "")
    if not isinstance(value, dict) or depth > DEPTH:
        return _Piece("", "", "")
    mime = next((value[key] for key in TYPES if isinstance(value.get(key), str)), "")
    for key in NAMES:
        held = value.get(key)
        if isinstance(held, str) and held and (held.startswith("data:") or _BASE64.fullmatch(held[:200])):
            found = _piece(held) if held.startswith("data:") else _Piece(held, "", "")
            return _Piece(found.text, mime or found.mime, "")
    address = next((value[key] for key in ADDRESSES if isinstance(value.get(key), str)), "")
    if address.startswith("data:"):
        found = _piece(address)
        return _Piece(found.text, mime or found.mime, "")
    for held in list(value.values())[:KEYS]:
        found = _piece(held, depth + 1) if isinstance(held, dict) else _Piece("", "", "")
        if found.text or found.address:
            return _Piece(found.text, mime or found.mime, found.address)
    return _Piece("", mime, address)


def _is_base64(text: str) -> bool:
    return len(text) >= LEAST and _BASE64.fullmatch(text[:200]) is not None


def _head(text: str) -> bytes:
    return b"".join(_decoded([text[:96]]))


def _decoded(pieces: list[str]) -> Iterator[bytes]:
    """The bytes of pieces of base64, each padded or cut anywhere; from what is none, nothing more."""
    rest = ""
    for piece in pieces:
        rest += "".join(piece.split()) if any(char.isspace() for char in piece[:200]) else piece
        if rest.endswith("="):
            whole, rest = rest, ""
        else:
            end = len(rest) - len(rest) % 4
            whole, rest = rest[:end], rest[end:]
        yield _bytes(whole)
    if len(rest) > 1:
        yield _bytes(rest + "=" * (-len(rest) % 4))


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text.replace("-", "+").replace("_", "/"))
    except (binascii.Error, ValueError):
        return b""


def _format(head: bytes, mime: str) -> str:
    """The format by its first bytes, else as the wire calls it; the bytes are the better witness."""
    for name, magic, at in _MAGIC:
        if head[at : at + len(magic)] == magic:
            return name
    if len(head) > 2 and head[0] == 0xFF and head[1] & 0xE6 == 0xE2 and not mime.lower().startswith(_L16):
        return "mp3"
    return _of_mime(mime)


def _of_mime(mime: str) -> str:
    name = mime.partition(";")[0].rpartition("/")[2].lower()
    return "pcm" if name in ("l16", "pcm", "raw", "pcm16") else name[:20]


def dots_of(data: bytes, form: str) -> tuple[int, int] | None:
    """Width and height of a picture as its head says them, None where it says nothing; nothing is decoded."""
    found = None
    if form == "png" and data[12:16] == b"IHDR":
        found = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    elif form == "gif":
        found = _little(data[6:8]), _little(data[8:10])
    elif form == "webp":
        found = _webp(data)
    elif form == "jpeg":
        found = _jpeg(data)
    return found if found is not None and all(found) else None


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _webp(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return _little(data[24:27]) + 1, _little(data[27:30]) + 1
    if kind == b"VP8L":
        bits = _little(data[21:25])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return (_little(data[26:28]) & 0x3FFF, _little(data[28:30]) & 0x3FFF) if kind == b"VP8 " else None


def _jpeg(data: bytes) -> tuple[int, int] | None:
    """The first frame header; the segments before it are stepped over."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        at += 1 if kind == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4])
    return None


def _seconds(data: bytes, form: str, mime: str) -> float | None:
    """How long a sound is, None where its format does not tell."""
    if form == "wav":
        return _wav(data)
    if form == "ogg":
        return _ogg(data)
    if form == "flac" and len(data) >= 26:
        hertz = int.from_bytes(data[18:21]) >> 4
        count = int.from_bytes(data[21:26]) & 0xFFFFFFFFF
        return count / hertz if hertz and count else None
    if form == "mp3":
        return _mp3(data)
    rate = _RATE.search(mime)
    if form == "pcm" and rate is not None:
        channels = _CHANNELS.search(mime)
        return len(data) / (int(rate[1]) * 2 * max(1, int(channels[1]) if channels else 1))
    return None


def _wav(data: bytes) -> float | None:
    """By the bytes that are there: who streams writes a header before the length is known."""
    at, rate = 12, 0
    while at + 8 <= len(data):
        name, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        if name == b"fmt ":
            rate = int.from_bytes(data[at + 16 : at + 20], "little")
        if name == b"data":
            return min(size, len(data) - at - 8) / rate if rate else None
        at += 8 + size + size % 2
    return None


def _ogg(data: bytes) -> float | None:
    """By the position of the last page; only Opus has one clock for all."""
    last = data.rfind(b"OggS")
    if data.find(b"OpusHead", 0, 128) < 0 or last + 14 > len(data):
        return None
    samples = int.from_bytes(data[last + 6 : last + 14], "little")
    return samples / 48000 if 0 < samples < 1 << 40 else None


def _mp3(data: bytes) -> float | None:
    """The frames one by one, since their rates may differ."""
    at, total, size = 0, 0.0, len(data)
    if data[:3] == b"ID3" and size > 10:
        at = 10 + (data[6] << 21 | data[7] << 14 | data[8] << 7 | data[9])
    while at + 4 <= size and data[at] == 0xFF and data[at + 1] & 0xE6 == 0xE2:
        version, rate, hertz = data[at + 1] >> 3 & 3, data[at + 2] >> 4, data[at + 2] >> 2 & 3
        if version == 1 or rate in (0, 15) or hertz == 3:
            break
        kilobits = (_MP3_RATES if version == 3 else _MP3_RATES_2)[rate]
        samples, per_second = (1152 if version == 3 else 576), _MP3_HERTZ[version][hertz]
        total += samples / per_second
        at += samples * kilobits * 125 // per_second + (data[at + 2] >> 1 & 1)
    return total or None
