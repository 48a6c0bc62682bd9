"""What the window remembers from one start to the next: one JSON file in the user's configuration folder.

Every change is made on what the file holds at that moment, so two windows do not undo each other's, and the file is
replaced as a whole. What cannot be read is never a fault of the window: it starts as if for the first time, and
`note` says why.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import platformdirs

FORMAT = "stream-inspector/settings"
VERSION = 1
NAME = "settings.json"
SET_ASIDE = "settings.unreadable.json"
KEPT = 40
"""Recordings that are remembered."""
LARGEST = 8 << 20
"""Bytes; a larger file is none of ours."""

Value = TypeVar("Value", str, bool, int, list, dict)
Stamp = tuple[int, int]
"""Size in bytes and time of the last change in ns: another stamp is another content."""


def default_path() -> Path:
    """Where the settings of the person at the keyboard lie; the file need not exist."""
    return Path(platformdirs.user_config_dir("stream-inspector")) / NAME


def stamp_of(path: str) -> Stamp | None:
    """The stamp of a file, None where there is none that can be looked at."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return None
    return status.st_size, status.st_mtime_ns


@dataclass(frozen=True, slots=True)
class Recent:
    """A recording that was opened. `digest` is what its reading gave at `stamp`, as JSON; None before it was read."""

    path: str
    opened: int
    """Seconds since the epoch."""
    stamp: Stamp | None = None
    digest: dict[str, Any] | None = None
    readers: tuple[str, str | None] | None = None
    """What was chosen for "Read as" and "compare with"."""


class Settings:
    """The remembered state. Without a path it lasts as long as the object does (pictures, tests)."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.note = ""
        """One line for the user where the file could not be read or written."""
        self._held: dict[str, Any] = {}
        self._set_aside = self._read_only = False
        self._read()

    # single values

    def value(self, name: str, default: Value) -> Value:
        """What is remembered under a name, `default` where it is nothing or of another type."""
        found = self._held.get(name, default)
        return found if type(found) is type(default) else default

    def put(self, name: str, value: str | bool | int | list | dict) -> None:
        """Remember a value that JSON can hold."""
        self._change(lambda held: held.__setitem__(name, value))

    def reload(self) -> None:
        """Take in what another window has written since."""
        if self.path is not None and not self._set_aside:
            self._read()

    # recordings

    def recent(self) -> list[Recent]:
        """The recordings that were opened, the last one first."""
        return [found for entry in self.value("recent", []) if (found := _recent(entry)) is not None]

    def opened(self, path: str, when: int) -> None:
        """A recording was opened: it moves to the top, with what is known of it."""

        def move(held: dict[str, Any]) -> None:
            entries = _entries(held)
            entry = _entry(entries, path) or {"path": path}
            others = [other for other in entries if other is not entry]
            held["recent"] = [{**entry, "opened": when}, *others][:KEPT]

        self._change(move)

    def learn(self, path: str, **fields: Any) -> None:
        """Keep more of a remembered recording: `stamp`, `digest`, `readers`. One that is not remembered stays so."""

        def add(held: dict[str, Any]) -> None:
            entry = _entry(_entries(held), path)
            if entry is not None:
                entry.update(fields)

        self._change(add)

    def forget(self, path: str | None = None) -> None:
        """Take one recording out of the list, or all of them."""

        def drop(held: dict[str, Any]) -> None:
            held["recent"] = [entry for entry in _entries(held) if path is not None and entry.get("path") != path]

        self._change(drop)

    # the file

    def _change(self, change: Callable[[dict[str, Any]], None]) -> None:
        self.reload()
        change(self._held)
        if self.path is None or self._read_only:
            return
        try:
            self._write(self.path)
        except (OSError, RecursionError) as error:
            self.note = f"{self.path}: the settings could not be written ({getattr(error, 'strerror', None) or error})"

    def _read(self) -> None:
        if self.path is None:
            return
        try:
            if self.path.stat().st_size > LARGEST:
                raise ValueError(f"it is larger than {LARGEST >> 20} MB")
            held = json.loads(self.path.read_bytes())
            if not isinstance(held, dict) or held.get("format") != FORMAT:
                raise ValueError("they are not of this program")
        except FileNotFoundError:
            return
        except OSError as error:
            self._read_only = True
            why = error.strerror or str(error)
            self.note = f"{self.path}: the settings could not be read ({why}); nothing is remembered"
            return
        except (ValueError, RecursionError) as error:
            self._set_aside = True
            why = "they are no JSON" if isinstance(error, json.JSONDecodeError | UnicodeDecodeError) else str(error)
            self.note = f"{self.path}: the settings could not be read ({why}); the file is kept as {SET_ASIDE}"
            return
        version = held.get("version")
        if type(version) is not int or version > VERSION:
            self._read_only = True
            self.note = f"{self.path}: these settings are of a newer version; nothing is remembered"
            return
        self._held = held

    def _write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if self._set_aside:
            with suppress(FileNotFoundError):
                path.replace(path.with_name(SET_ASIDE))
            self._set_aside = False
        text = json.dumps({**self._held, "format": FORMAT, "version": VERSION}, indent=1)
        handle, name = tempfile.mkstemp(prefix=path.name, dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(text)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _entries(held: dict[str, Any]) -> list[dict[str, Any]]:
    entries = held.get("recent")
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _entry(entries: list[dict[str, Any]], path: str) -> dict[str, Any] | None:
    return next((entry for entry in entries if entry.get("path") == path), None)


def _recent(entry: Any) -> Recent | None:
    """An entry of the file as far as it is what it should be; None where it names no recording."""
    if not isinstance(entry, dict) or not isinstance(path := entry.get("path"), str) or not path:
        return None
    fields: list[Any] = [entry.get(name) for name in ("opened", "stamp", "digest", "readers")]
    opened, stamp, digest, readers = fields
    known = isinstance(stamp, list | tuple) and len(stamp) == 2 and all(type(part) is int for part in stamp)
    chosen = isinstance(readers, list | tuple) and len(readers) == 2
    chosen = chosen and isinstance(readers[0], str) and (readers[1] is None or isinstance(readers[1], str))
    return Recent(
        path,
        opened if type(opened) is int and 0 <= opened < 1 << 40 else 0,
        (stamp[0], stamp[1]) if known else None,
        digest if isinstance(digest, dict) else None,
        (readers[0], readers[1]) if chosen else None,
    )
