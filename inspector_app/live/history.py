"""What was asked before: one line a request, secrets masked, the oldest forgotten."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import platformdirs

from inspector_app.core.redact import has_mask
from inspector_app.live.request import Outgoing

MOST = 200
"""Requests that are kept."""
LARGEST = 1 << 20
"""Bytes of a request beyond which it is not kept: pictures in it would fill the file."""
LARGEST_FILE = 16 << 20
"""Bytes of the file beyond which the oldest requests are forgotten even if there are fewer than MOST."""


@dataclass(frozen=True, slots=True)
class Past:
    """One request of before. `request` is as in a recording; `masked` when something has to be given anew."""

    at: str
    provider: str
    request: dict[str, Any]

    @property
    def masked(self) -> bool:
        """Whether the body has a mask where a secret stood."""
        return has_mask(json.dumps(self.request.get("body")))


def history_file() -> Path:
    """Where the requests of before stand; the file need not exist."""
    return Path(platformdirs.user_data_dir("stream-inspector")) / "requests.jsonl"


def remember(path: Path, provider: str, sent: Outgoing, at: datetime | None = None) -> bool:
    """Adds a request, without its secrets; False when it is too large to be kept. Raises OSError."""
    when = (at or datetime.now(UTC)).isoformat(timespec="seconds").replace("+00:00", "Z")
    line = json.dumps({"at": when, "provider": provider, "request": sent.record()}).encode() + b"\n"
    if len(line) > LARGEST:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "ab", opener=_private) as file:
        if file.tell() and not _ends_a_line(path):
            line = b"\n" + line
        file.write(line)
        size = file.tell()
    # Not at each request: the file may hold a quarter more than is kept.
    if size > LARGEST_FILE or _count(path) > MOST + MOST // 4:
        _forget(path)
    return True


def recall(path: Path) -> list[Past]:
    """The requests of before, the newest first; lines that are damaged are left out. Raises OSError."""
    found = []
    for line in _lines(path):
        try:
            one = json.loads(line)
            past = Past(one["at"], one["provider"], one["request"])
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
        if isinstance(past.request, dict) and isinstance(past.at, str) and isinstance(past.provider, str):
            found.append(past)
    return found[: -MOST - 1 : -1]


def _forget(path: Path) -> None:
    kept: list[bytes] = []
    room = LARGEST_FILE // 2
    for line in reversed(_lines(path)[-MOST:]):
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    _replace(path, kept[::-1])


def _replace(path: Path, lines: Sequence[bytes]) -> None:
    fresh = path.with_suffix(".new")
    with open(fresh, "wb", opener=_private) as file:
        file.write(b"".join(line + b"\n" for line in lines))
    fresh.replace(path)


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().splitlines()
    except FileNotFoundError:
        return []


def _count(path: Path) -> int:
    return len(_lines(path))


def _ends_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)
