"""Which of two recordings is the earlier one, and by what names they are told apart."""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.ui.page import RecordingPage

Chosen = RecordingPage | str
"""A recording that is open, or the path of one that is not."""

HEAD = 1 << 16
"""Bytes at the beginning of a file that is not open in which its time is looked for."""
_CREATED = re.compile(rb'"created(?:_at)?"\s*:\s*(\d{9,10})\b')


def path_of(one: Chosen) -> str:
    """The path of its file, as it was given."""
    return one if isinstance(one, str) else one.session.path


def is_same(one: Chosen, other: Chosen) -> bool:
    """Whether both are one file, or one tab."""
    return one is other or os.path.realpath(path_of(one)) == os.path.realpath(path_of(other))


def began(one: Chosen) -> float | None:
    """When a recording was made, in seconds since 1970: by its own start time, else by what its payloads say, else by
    the date of its file. None where nobody knows.
    """
    found = _peeked(one) if isinstance(one, str) else _told(one.session.exchange, one.session.reference)
    return found if found is not None else _dated(path_of(one))


def moment(seconds: float | None) -> str:
    """The same on the user's clock, "2026-11-20 10:00"; empty where nobody knows."""
    if seconds is None:
        return ""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC).astimezone():%Y-%m-%d %H:%M}"
    except (OverflowError, ValueError, OSError):
        return ""


def names_of(a: Chosen, b: Chosen) -> tuple[str, str]:
    """The shortest names that tell two recordings apart: of their files, and where these are the same in brackets the
    nearest folder that is not.
    """
    names = _name(a), _name(b)
    if names[0] != names[1]:
        return names
    folders = [Path(os.path.realpath(path_of(one))).parts[:-1][::-1] for one in (a, b)]
    ours, theirs = next(((x, y) for x, y in zip(*folders) if x != y), ("A", "B"))
    return f"{names[0]} ({ours})", f"{names[1]} ({theirs})"


def name_among(one: Chosen, others: list[Chosen]) -> str:
    """Its name in a list, with its folder where another one there is named so."""
    name = _name(one)
    alone = all(other is one or _name(other) != name for other in others)
    return name if alone else f"{name} ({Path(path_of(one)).parent.name or '/'})"


def _name(one: Chosen) -> str:
    return Path(one).name.removesuffix(".rec.jsonl") if isinstance(one, str) else one.title


def _told(exchange: Exchange | None, reading: Reading | None) -> float | None:
    found = _seconds(exchange.created) if exchange is not None else None
    return found if found is not None or reading is None else _seconds(reading.meta.get("created"))


def _peeked(path: str) -> float | None:
    try:
        with Path(path).open("rb") as file:
            head = file.read(HEAD)
    except OSError:
        return None
    line = head.partition(b"\n")[0]
    if line.startswith(b'{"format"'):
        try:
            header = json.loads(line)
        except (ValueError, RecursionError):
            header = None
        if isinstance(header, dict) and (found := _seconds(header.get("created"))) is not None:
            return found
    stated = _CREATED.search(head)
    return float(stated[1]) if stated is not None else None


def _dated(path: str) -> float | None:
    try:
        return Path(path).stat().st_mtime
    except (OSError, ValueError):
        return None


def _seconds(value: Any) -> float | None:
    """A time as recordings and payloads write it: seconds, or ISO 8601 (UTC where it names no zone)."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value) if 0 < value < 1e11 else None
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return (found if found.tzinfo is not None else found.replace(tzinfo=UTC)).timestamp()
