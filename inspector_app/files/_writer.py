"""Writes a recording record by record; what is on the disk is whole up to the last line."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, BinaryIO

import orjson

from inspector_app import __version__
from inspector_app.core.redact import redact_headers, redact_request, redact_text
from inspector_app.core.types import Exchange, InputFault

FORMAT = "stream-inspector/recording"
VERSION = 1

PIECE = 1 << 16
"""Bytes of one record where the reads of a body are unknown."""


class RecordingWriter:
    """A recording in the making. Each call writes one line at once; nothing is kept back, secrets are masked before.

    Give it a file opened without a buffer for a live stream, so that a crash costs the last line at most.
    Times are nanoseconds since the request was sent, None where unknown. OSError of the file (a full disk)
    goes to the caller; a line that it tore does not spoil the next one.
    """

    def __init__(
        self,
        file: BinaryIO,
        *,
        source: str,
        timing: str = "measured",
        exactness: str = "exact",
        request: dict[str, Any] | None = None,
        created: str | None = None,
        about: Mapping[str, str] | None = None,
    ) -> None:
        """Writes the header. `exactness` is its `bytes` member: exact, decoded or synthetic; `about` a title, a story.

        Raises InputFault when the request cannot be written as JSON.
        """
        self.written = 0
        """Bytes of the lines that are written whole."""
        self._file = file
        self._torn = False
        masked: list[str] = []
        try:
            if request is not None:
                request, masked = redact_request(request)
            self._write(
                {
                    "format": FORMAT,
                    "version": VERSION,
                    **(about or {}),
                    "created": created or datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"),
                    "program": f"stream-inspector {__version__}",
                    "source": source,
                    "timing": timing,
                    "bytes": exactness,
                    "request": request,
                    "redacted": masked,
                }
            )
        except RecursionError as error:
            raise InputFault("the request is nested too deep to be recorded; flatten its body") from error

    def head(self, t: int | None, status: int, headers: Sequence[Sequence[str]], version: str = "HTTP/1.1") -> None:
        """The response head, as it arrived at `t`."""
        fields, _ = redact_headers(headers)
        self._write({"t": t, "head": {"status": status, "http_version": version, "headers": fields}})

    def read(self, t: int | None, data: bytes) -> None:
        """One read of the body, after transfer coding and before content coding."""
        self._write(_read(t, data))

    def reads(self, reads: Iterable[tuple[int | None, bytes]]) -> None:
        """Several reads, with one call to the system: each lets the rest of a busy program go first."""
        self._write(*(_read(t, data) for t, data in reads))

    def note(self, t: int | None, note: dict[str, Any]) -> None:
        """A remark of the user: id, event, text, until."""
        self._write({"t": t, "note": note})

    def end(
        self,
        t: int | None,
        how: str,
        terminator: bool | None,
        *,
        closed_by: str | None = "server",
        trailers: Sequence[Sequence[str]] = (),
        detail: str | None = None,
        masked: Sequence[Sequence[int]] = (),
    ) -> None:
        """How the stream ended: `how`, `terminator` and `closed_by` are the words of the recording format.

        Who closed the connection is left out where nobody knows. `masked` are the ranges of the body, as recorded, in
        which a secret of the request stood; left out where there is none.
        """
        end = {
            "how": how,
            "terminator": terminator,
            **({} if closed_by is None else {"closed_by": closed_by}),
            "trailers": redact_headers(trailers)[0],
            "detail": detail and redact_text(detail),
            **({"masked": masked} if masked else {}),
        }
        self._write({"t": t, "end": end})

    def _write(self, *records: dict[str, Any]) -> None:
        rest = memoryview((b"\n" if self._torn else b"") + b"".join(map(record_line, records)))
        taken = 0
        self._torn = True
        try:
            while taken < len(rest):
                written = self._file.write(rest[taken:])
                if not written:
                    raise BlockingIOError("the recording file takes no more bytes")
                taken += written
        finally:
            self.written += bytes(rest[:taken]).rfind(b"\n") + 1
        self._torn = False


def _read(t: int | None, data: bytes) -> dict[str, Any]:
    crc = f"{zlib.crc32(data):08x}"
    try:
        return {"t": t, "text": data.decode(), "crc": crc}
    except UnicodeDecodeError:
        return {"t": t, "b64": base64.b64encode(data).decode(), "crc": crc}


def record_line(record: dict[str, Any]) -> bytes:
    """One record as a line of the file."""
    try:
        return orjson.dumps(record) + b"\n"
    except TypeError:
        # Lone surrogates, numbers beyond 64 bits, deep nesting: legal JSON that the fast writer refuses.
        return json.dumps(record).encode() + b"\n"


def record_ends(exchange: Exchange) -> Iterator[int]:
    """Where the records of a body end: its reads, else pieces that cut no line and no character if they can help it.

    A reader cannot tell a cut that nobody measured from a read, so it must not look like a fault of the wire.
    """
    if exchange.read_ends is not None:
        yield from exchange.read_ends
    start, size = exchange.read_ends[-1] if exchange.read_ends else 0, len(exchange.body)
    while start < size:
        piece = exchange.body.slice(start, start + PIECE)
        start += len(piece) if start + len(piece) >= size else piece.rfind(b"\n") + 1 or _whole_characters(piece)
        yield start


def _whole_characters(piece: bytes) -> int:
    for back in range(1, 5):
        if piece[-back] >= 0xC0:
            return len(piece) - back
        if piece[-back] < 0x80:
            break
    return len(piece)
