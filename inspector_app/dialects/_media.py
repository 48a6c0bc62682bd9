"""What a file is, by its media type."""

from __future__ import annotations

from typing import Any


def media_of(mime: Any) -> str:
    """The kind of media that deltas and blocks name: image, audio, video, or file for anything else."""
    stem = mime.partition("/")[0] if isinstance(mime, str) else ""
    return stem if stem in ("image", "audio", "video") else "file"
