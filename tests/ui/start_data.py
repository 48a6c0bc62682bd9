"""What the tests of the start page share: a window with settings of its own, and files to open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from inspector_app.core.resources import resource
from inspector_app.lenses import load_lenses, shipped_folder
from inspector_app.ui.settings import Settings
from inspector_app.ui.window import Window

LENSES = load_lenses([shipped_folder()])
CHUNK = b'data: {"object":"chat.completion.chunk","model":"m-1","choices":[{"index":0,"delta":{"content":"x"}}]}\n\n'
GALLERY = sorted(path.name for path in resource("recordings").glob("*.rec.jsonl"))

Open = Callable[..., Window]
"""Makes a window, by default with settings that begin empty."""


def recording(name: str) -> str:
    """The path of a recording of the gallery."""
    return str(resource("recordings", name))


def streams(folder: Path, count: int) -> list[str]:
    """Small files that can be opened."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"run-{number:02}.sse" for number in range(count)]
    for path in paths:
        path.write_bytes(CHUNK * 3)
    return [str(path) for path in paths]


def remembered(*paths: str, start: int = 1_000_000) -> Settings:
    """Settings in which these were opened one after the other."""
    settings = Settings()
    for number, path in enumerate(paths):
        settings.opened(path, start + number)
    return settings
