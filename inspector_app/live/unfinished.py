"""Recordings that nobody writes any more and that have no end: what a crash, a kill or a full disk left behind."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import orjson

from inspector_app.files._writer import FORMAT

TAIL = 1 << 20
"""Bytes at the end of a file where its end record is looked for; remarks of the user may follow it."""
LONGEST_HEADER = 16 << 20

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30
    """Locks are mandatory there: a byte is locked that no recording has, so that all may read it."""

    def lock(file: BinaryIO) -> bool:
        """Mark a file as being written, until it is closed or its process ends. False when another has it."""
        at = file.tell()
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            file.seek(at)
        return True
else:
    import fcntl

    def lock(file: BinaryIO) -> bool:
        """Mark a file as being written, until it is closed or its process ends. False when another has it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            # Some network file systems have no locks: then nobody is known to write.
            return False
        return True


class Unfinished(NamedTuple):
    """A recording without an end. `created` and `source` are its header's, `size` in bytes."""

    path: Path
    size: int
    created: str
    source: str


def unfinished(folder: Path) -> list[Unfinished]:
    """The unfinished recordings in a folder, the newest first. One that is being written now, also by another
    program of ours, is none; a file that cannot be read is left out.

    Nothing is changed: such a recording opens like any other, and says in a finding that it was cut. Who offers them
    remembers which ones the user has seen.
    """
    found = []
    try:
        paths = sorted(folder.glob("*.rec.jsonl"))
    except OSError:
        return []
    for path in paths:
        try:
            with path.open("rb") as file:
                one = _look_at(path, file)
        except OSError:
            continue
        if one is not None:
            found.append(one)
    return sorted(found, key=lambda one: (one.created, one.path.name), reverse=True)


def _look_at(path: Path, file: BinaryIO) -> Unfinished | None:
    header = _record(file.readline(LONGEST_HEADER))
    if header.get("format") != FORMAT or header.get("source") not in ("live", "proxy"):
        return None
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - TAIL))
    if any("end" in _record(line) for line in reversed(file.read().split(b"\n")) if b'"end"' in line):
        return None
    if not lock(file):
        return None
    return Unfinished(path, size, str(header.get("created") or ""), header["source"])


def _record(line: bytes) -> dict[str, Any]:
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        return {}
    return record if isinstance(record, dict) else {}
