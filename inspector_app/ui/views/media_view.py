"""Media of blocks: what is said of them, and pictures, decoded small and only as far as is safe.

The bytes come from a peer that may mean harm. So: a short list of formats, named to the decoder by their first bytes
and not guessed by it; a limit of bytes; a limit of dots, taken from the head before anything is decoded; a limit of
scans, since a progressive JPEG can ask for thousands. Nothing is fetched: an address is only told.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from inspector_app.core.media import PICTURES, PIECES, Media, dots_of, media_in, media_words
from inspector_app.core.reading import Reading
from inspector_app.core.types import Block

ROOM = QSize(240, 160)
"""The largest a picture is shown, in pixels."""
BYTES, DOTS, SCANS = 16_000_000, 4096 * 4096, 200
"""The most that is decoded: encoded bytes, dots, scans of a JPEG."""
KEPT, MANY = 24, 10_000
"""Pictures that are kept decoded, and blocks whose words are kept."""
SHARP = 2
"""Dots to a pixel that pictures are decoded for."""
_SCAN = b"\xff\xda"
NOUNS = {"image": "The picture", "audio": "The sound", "video": "The film", "file": "The file"}
NOT_SHOWN = {"audio": "is not played here", "video": "is not played here", "file": "is not opened here"}
NOT_FETCHED = "is at its address, and nothing is fetched"


@dataclass(slots=True)
class Shown:
    """What is shown of a block of media: words, the size of its picture (empty for none), why there is none."""

    block: Block
    words: str
    room: QSize
    why: str = ""
    seen: int = 0
    """Deltas that were looked at, and whether the data had ended by then."""
    final: bool = False


class MediaView:
    """The media of blocks, looked at once and again when they have doubled or the data has ended."""

    def __init__(self) -> None:
        self._shown: dict[int, Shown] = {}
        self._pictures: OrderedDict[int, tuple[Shown, QImage]] = OrderedDict()

    def of(self, reading: Reading, block: Block) -> Shown:
        """What is shown of a block of media."""
        key, count = id(block), len(block.deltas)
        held = self._shown.get(key)
        stale = held is None or held.block is not block or (reading.ended and not held.final)
        if held is None or stale or (count != held.seen and count >= 2 * held.seen):
            if len(self._shown) > MANY:
                self._shown.clear()
            held = self._shown[key] = _look(reading, block)
        return held

    def picture(self, reading: Reading, block: Block) -> QImage:
        """The picture of a block, decoded when it is first asked for; a null image where there is none."""
        shown = self.of(reading, block)
        held = self._pictures.pop(id(shown), None)
        if held is None or held[0] is not shown:
            held = shown, QImage() if shown.room.isEmpty() else decoded(media_in(reading, block), shown.room * SHARP)
        self._pictures[id(shown)] = held
        while len(self._pictures) > KEPT:
            self._pictures.popitem(last=False)
        return held[1]


def _look(reading: Reading, block: Block) -> Shown:
    media = media_in(reading, block)
    dots, why = head_of(media)
    kind = block.fields.get("media")
    if not media.size and media.address:
        why = NOT_FETCHED
    elif media.size and media.format not in PICTURES:
        why = "is in no format that is shown" if kind == "image" else NOT_SHOWN.get(str(kind), "")
    room = dots if why == "" and dots.isValid() else QSize()
    if room.width() > ROOM.width() or room.height() > ROOM.height():
        room = room.scaled(ROOM, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1))
    words = media_words(media, len(block.deltas) <= PIECES)
    return Shown(block, words, room, why, len(block.deltas), reading.ended)


def head_of(media: Media) -> tuple[QSize, str]:
    """How many dots a picture has as its head says it, invalid for what is none, and why it is not shown."""
    if media.format not in PICTURES:
        return QSize(), ""
    if not media.data or media.size > BYTES:
        return QSize(), "is too large to be shown"
    told = dots_of(media.data, media.format)
    if told is None:
        return QSize(), "cannot be decoded"
    if max(told) > DOTS:
        return QSize(), "is too large to be shown"
    dots = QSize(*told)
    if dots.width() * dots.height() > DOTS:
        return dots, "is too large to be shown"
    if media.format == "jpeg" and media.data.count(_SCAN) > SCANS:
        return dots, "has too many scans to be shown"
    return dots, ""


def decoded(media: Media, room: QSize) -> QImage:
    """The picture, no larger than `room`; a null image where it cannot or may not be decoded."""
    dots, why = head_of(media)
    if why or not dots.isValid():
        return QImage()
    buffer = QBuffer()
    buffer.setData(QByteArray(media.data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(media.format.encode()))
    reader.setAutoDetectImageFormat(False)
    if reader.size() != dots:
        return QImage()  # the decoder reads another size than was checked
    if dots.width() > room.width() or dots.height() > room.height():
        reader.setScaledSize(dots.scaled(room, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1)))
    return reader.read()
