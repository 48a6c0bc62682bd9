"""Where the files lie that are shipped beside the code."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).resolve().parents[1]


def resource(folder: Literal["resources", "recordings"], *parts: str) -> Path:
    """A shipped file or folder: inside the package when it was installed, beside it in a clone.

    Raises FileNotFoundError when it is in neither place.
    """
    installed = _PACKAGE.joinpath(f"_{folder}", *parts)
    if installed.exists():
        return installed
    beside = _PACKAGE.parent.joinpath(folder, *parts)
    if beside.exists():
        return beside
    raise FileNotFoundError(f"{'/'.join((folder, *parts))} is missing from this installation: install it again")
