"""Opens an input for the formats: its bytes, mapped where they are many, and its first lines to sniff at."""

from __future__ import annotations

import errno
import mmap
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from inspector_app.core.types import Exchange, Fault, InputFault
from inspector_app.files._coding import undo_coding

MAP_FROM = 4 << 20
"""Bytes from which a file is mapped instead of read."""

HEAD_LINES = 100
HEAD_BYTES = 16 << 20
"""What the sniffers see: so many lines, unless they are longer than so many bytes."""

ADVICE = {
    errno.ENOENT: "check the path",
    errno.EACCES: "change its permissions or open a copy",
    errno.EPERM: "change its permissions or open a copy",
}

Buffer = bytes | bytearray | mmap.mmap


class BufferBody:
    """A body that lies in a buffer: a mapped file, a part of one, or memory. The buffer never changes."""

    def __init__(self, data: Buffer | memoryview) -> None:
        self._view = memoryview(data)

    def __len__(self) -> int:
        return len(self._view)

    def slice(self, start: int, end: int) -> bytes:
        return bytes(self._view[start:end])


@dataclass(slots=True)
class Source:
    """One opened input. Where the whole input was compressed, `data` is what came out of it."""

    name: str
    data: Buffer
    head: bytes
    coding: str | None
    faults: list[Fault]

    def exchange(self, format_name: str, **fields: Any) -> Exchange:
        """The input as a bare body."""
        return Exchange(
            self.name, format_name, BufferBody(self.data), coding=self.coding, faults=list(self.faults), **fields
        )

    def container_faults(self, at: int) -> list[Fault]:
        """What befell the input as a file, where the body is only a part of it: placed at `at` in that body.

        That the file was compressed says nothing of the response inside.
        """
        return [fault._replace(at=at, end=at) for fault in self.faults if fault.rule == "meta-limit-reached"]


def open_source(path: str, stdin: BinaryIO | None) -> Source:
    """Opens a file, or standard input for `-`. Raises InputFault where there is nothing to read."""
    try:
        data = _bytes_of(path, stdin)
    except (OSError, ValueError) as error:
        raise InputFault(complaint(path, error)) from error
    decoded = undo_coding(memoryview(data), None)
    if decoded.data is not None:
        data = decoded.data
    return Source(path, data, _head(data), decoded.coding, decoded.faults)


def printable(path: str) -> str:
    """A path in one line of plain characters, whatever it consists of."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in path)


def _bytes_of(path: str, stdin: BinaryIO | None) -> Buffer:
    if path == "-":
        if stdin is None:
            raise InputFault("standard input: it is closed; give a file")
        return stdin.read()
    if not path:
        raise InputFault("a path is empty; name a file")
    status = Path(path).stat()
    if stat.S_ISDIR(status.st_mode):
        raise InputFault(f"{printable(path)}: it is a directory; name a file in it")
    if not stat.S_ISREG(status.st_mode):
        raise InputFault(f"{printable(path)}: it is no regular file; redirect it to standard input and give `-`")
    with Path(path).open("rb") as file:
        if status.st_size >= MAP_FROM:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return file.read()


def complaint(path: str, error: OSError | ValueError) -> str:
    """One line for the user: which input, what befell it, what to do."""
    name = "standard input" if path == "-" else printable(path)
    if not isinstance(error, OSError):
        # Python's own words for it differ from version to version.
        why = "it holds a null byte" if "\0" in path else str(error)
        return f"{name}: it cannot be a path ({why}); check the path"
    what = error.strerror or str(error) or type(error).__name__
    advice = ADVICE.get(error.errno or 0, "check the file and the disk it is on")
    return f"{name}: {what[:1].lower()}{what[1:]}; {advice}"


def _head(data: Buffer) -> bytes:
    size = 1 << 16
    while size < min(len(data), HEAD_BYTES) and data[:size].count(b"\n") < HEAD_LINES:
        size *= 4
    return bytes(data[:size])
