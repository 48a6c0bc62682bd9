"""The files below a folder, named as the user named the folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from inspector_app.core.types import InputFault
from inspector_app.files._source import complaint


def is_folder(path: str) -> bool:
    """Whether a path names a folder; one that cannot be looked at is none."""
    try:
        return bool(path) and path != "-" and Path(path).is_dir()
    except OSError:
        return False


def files_below(folder: str, skip: Callable[[InputFault], None]) -> Iterator[str]:
    """Every file in a folder and below it: the folder exactly as given, joined with the relative path.

    `skip` hears of folders below that cannot be listed. Raises InputFault where this holds for the folder itself.
    """

    def refuse(error: OSError) -> None:
        fault = InputFault(complaint(str(error.filename), error))
        if error.filename == folder:
            raise fault
        skip(fault)

    for parent, below, names in os.walk(folder, onerror=refuse):
        below.sort()
        for name in sorted(names):
            yield f"{parent}{name}" if parent.endswith(os.sep) else f"{parent}{os.sep}{name}"
