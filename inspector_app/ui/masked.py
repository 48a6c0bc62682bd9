"""A recording fit for a picture: keys in the body of the answer masked, every byte still in its place.

Keys in the request and in headers are masked wherever they are shown; the body is evidence and stands as it came. A
picture leaves the machine, so it is drawn from a copy whose keys are asterisks, as many as there were bytes.
"""

from __future__ import annotations

import re
from base64 import b64encode
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, pairwise
from zlib import crc32

from inspector_app.core.json_tokens import unquote
from inspector_app.core.pointer import spans, text_bytes
from inspector_app.core.reading import Reading
from inspector_app.core.redact import KEY_SHAPES, secrets_in
from inspector_app.core.types import Block, Exchange, MemoryBody
from inspector_app.core.wrapped import Stretch
from inspector_app.framing import aws_eventstream
from inspector_app.framing.aws_eventstream import parts_of
from inspector_app.ui.views.payload_map import Payload

PIECE = 1 << 18
CRC = 4
BLOCKS = 1000
SIGNS = (
    "-----BEGIN", "eyJ", "sk-", "pk-", "rk-", "xai-", "pplx-", "csk-", "nvapi-", "gsk_", "hf_", "r8_",
    "ghp_", "gho_", "ghs_", "github_pat_", "AIza", "AKIA", "ASIA", "://",
)  # fmt: skip
"""Where none of these stands there is no key and no URL; looking for them is much quicker than for keys."""

_BYTES = tuple(sign.encode() for sign in SIGNS)
_PART = re.compile(rb'[^"\r\n]+')
"""What holds a key in one piece: a JSON string, or a line of plain text."""

_LONG_KEY = re.compile(rb'-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*?(?:-----END [A-Z ]*PRIVATE KEY-----|(?=")|\Z)')
"""The one kind of key that has lines, in a body that is no JSON."""

_COVERED = re.compile(rb"((?:^(?:data|event|id|retry): ?)?)(.+)", re.MULTILINE)
"""A line of what is masked: the name of its field stays, and so do line ends."""


class Mask:
    """Looks for keys in a reading of the reference; `steps` rests after each quarter of a megabyte."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._ranges: list[tuple[int, int]] = []

    def steps(self) -> Iterator[None]:
        """Look on."""
        reading = self._reading
        body, starts = reading.body, reading.lines.starts
        line = 0
        while line < len(starts):
            first = starts[line]
            line = max(line + 1, bisect_right(starts, first + PIECE))
            self._ranges += _in_piece(first, body.slice(first, starts[line] if line < len(starts) else len(body)))
            yield
        for n in range(len(reading.events)) if reading.opened else ():
            if (inside := reading.inside(n)) is not None:
                self._ranges += [inside.span(*found) for found in _in_piece(0, inside.data)]
            if n % BLOCKS == 0:
                yield
        for number, block in enumerate(reading.blocks):
            self._ranges += _in_block(reading, block)
            if number % BLOCKS == 0:
                yield

    def exchange(self) -> Exchange | None:
        """The exchange without its keys; None where its body holds none."""
        if not self._ranges:
            return None
        exchange = self._reading.exchange
        data = bytearray(exchange.body.slice(0, len(exchange.body)))
        held: dict[int, tuple[Stretch, bytearray]] = {}
        for start, end in self._ranges:
            n = self._reading.event_at(start)
            inside = self._reading.inside(n) if n is not None else None
            if n is None or inside is None or start < inside.start:
                data[start:end] = _COVERED.sub(lambda line: line[1] + b"*" * len(line[2]), bytes(data[start:end]))
                continue
            first, last = inside.within(start, end)
            held.setdefault(n, (inside, bytearray(inside.data)))[1][first:last] = b"*" * (last - first)
        for inside, kept in held.values():
            start, end = inside.span(0, len(kept))
            while data[end : end + 1] == b"=":  # the padding, which holds nothing and may not be there
                end += 1
            coded = b64encode(kept)
            coded = coded if len(coded) <= end - start else coded.rstrip(b"=")
            if data[end : end + 1] == b'"':
                # White space behind the string, where its base64 had escapes: no byte changes its place.
                data[start : end + 1] = (coded + b'"').ljust(end + 1 - start)
            else:
                data[start:end] = coded[: end - start].ljust(end - start, b"*")
        if self._reading.framing == aws_eventstream.NAME:
            self._seal(data)
        return replace(exchange, body=MemoryBody(bytes(data)))

    def _seal(self, data: bytearray) -> None:
        """Frames whose checksum was right keep one that is: what is masked is no fault of the stream."""
        lines = self._reading.lines
        for number in sorted({lines.at(start) for start, _ in self._ranges}):
            start, end, _ = lines[number]
            came = self._reading.body.slice(start, end)
            if parts_of(came) is not None and crc32(came[:-CRC]) == int.from_bytes(came[-CRC:], "big"):
                data[end - CRC : end] = crc32(data[start : end - CRC]).to_bytes(CRC, "big")


def masked(reading: Reading) -> Exchange | None:
    """The exchange of a reading of the reference without its keys; None where its body holds none."""
    mask = Mask(reading)
    for _ in mask.steps():
        pass
    return mask.exchange()


def _in_piece(first: int, piece: bytes) -> Iterator[tuple[int, int]]:
    """Keys that stand in one piece, in lines that begin at `first`."""
    if not any(sign in piece for sign in _BYTES):
        return
    for key in _LONG_KEY.finditer(piece):
        yield first + key.start(), first + key.end()
    for part in _PART.finditer(piece):
        if any(sign in part[0] for sign in _BYTES):
            # One byte a character, so that places are those of the bytes; a key is plain ASCII.
            for start, end in secrets_in(part[0].decode("latin-1")):
                yield first + part.start() + start, first + part.start() + end


def _in_block(reading: Reading, block: Block) -> Iterator[tuple[int, int]]:
    """Keys that came in several deltas, or with escapes."""
    text = "".join(block.fragments)
    if len(block.fragments) == len(block.deltas) and any(sign in text for sign in SIGNS):
        for key in KEY_SHAPES.finditer(text):
            yield from _bytes_of(reading, block, key.start(), key.end())


def _bytes_of(reading: Reading, block: Block, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The bytes that became characters [start, end) of a block's fragments."""
    edges = [0, *accumulate(map(len, block.fragments))]
    for number, (left, right) in enumerate(pairwise(edges)):
        if left < end and right > start:
            skipped = block.spans[number][0] if number in block.spans else 0
            first, last = max(start - left, 0) + skipped, min(end, right) - left + skipped
            yield _bytes_in(reading, block.deltas[number], first, last)


def _bytes_in(reading: Reading, delta: int, start: int, end: int) -> tuple[int, int]:
    """The bytes of characters [start, end) of a delta; its whole event where they cannot be told."""
    event = reading.event_of_delta(delta)
    said = reading.deltas(event)[delta - reading.deltas_of(event)[0]]
    pointer = said.pointer
    inside = reading.inside(event)
    if inside is not None:
        found = spans(inside.data, (pointer,)).get(pointer)
        if found is None or inside.data[found.start : found.start + 1] != b'"':
            return inside.span(0, len(inside.data))
        return inside.span(*text_bytes(inside.data, found.start, found.end, start, end))
    span = Payload(reading, event).spans(0, (pointer,)).get(pointer)
    literal = reading.body.slice(span.start, span.end) if span is not None else b""
    if span is None or literal[:1] != b'"':
        return reading.data_range(event) if reading.framing == aws_eventstream.NAME else reading.bytes_of(event)
    if isinstance(said.value, str) and unquote(literal) != said.value:
        return span.start + 1, span.end - 1  # The text came in a coding.
    first, last = text_bytes(literal, 0, len(literal), start, end)
    return span.start + first, span.start + last
