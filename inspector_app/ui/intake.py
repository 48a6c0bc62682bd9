"""What is dropped on the window, pasted or named in the dialog, as the recordings to open."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QMimeData

from inspector_app.files import formats

MOST = 12
"""Tabs that one drop opens."""
LOOKED_AT = 20_000
"""Files of a folder that are looked at."""


class Intake(NamedTuple):
    """The files to open, and one line for the user where that is not all of what was given."""

    paths: list[str]
    note: str = ""


def local_paths(data: QMimeData) -> list[str]:
    """The files and folders that a drop or the clipboard holds."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


def can_take(data: QMimeData) -> bool:
    """Whether something in there may be a recording."""
    return bool(local_paths(data)) or data.hasText()


def intake(given: Sequence[str]) -> Intake:
    """The files to open: those that are named, and those in named folders whose ending is one of a recording's."""
    found: list[str] = []
    empty: list[str] = []
    for path in given:
        if path != "-" and Path(path).is_dir():
            inside = list(_inside(path))
            found += inside
            if not inside:
                empty.append(path)
        else:
            found.append(path)
    notes = []
    if len(found) > MOST:
        notes.append(f"{MOST} of {len(found)} recordings were opened; open the others when these are closed.")
    if empty:
        notes.append(f"{empty[0]}: there is no recording in this folder.")
    return Intake(found[:MOST], " ".join(notes))


def _inside(folder: str) -> Iterator[str]:
    """The recordings under a folder in the order of their names, hidden ones left out."""
    endings = tuple({ending for known in formats() for ending in known.extensions})
    looked_at = 0
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if not name.startswith(".") and name.lower().endswith(endings):
                yield str(Path(parent) / name)
        looked_at += len(files)
        if looked_at > LOOKED_AT:
            return
