"""What a command that goes on for long says: where nobody can be told any more, the command goes on all the same."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO


def say(words: str) -> None:
    """Print on standard output. Once that cannot be written any more it is told once on standard error, and what
    would follow is thrown away.
    """
    try:
        print(words, flush=True)
    except (OSError, ValueError) as error:
        _throw_away(sys.stdout)
        why = (getattr(error, "strerror", None) or str(error)).lower()
        complain(f"standard output cannot be written ({why}); it goes on without")


def complain(words: str) -> None:
    """Print a line on standard error, as far as that can be written."""
    tell(f"stream-inspector: {words}")


def tell(words: str) -> None:
    """Print on standard error, as far as that can be written."""
    try:
        print(words, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        _throw_away(sys.stderr)


def _throw_away(stream: TextIO) -> None:
    """Let a stream of the process lead nowhere: what is still in its buffer would fail again, at the latest at exit."""
    with suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())
