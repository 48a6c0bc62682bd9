"""Starts a live stream in a window: its recording on the disk, its capture, and a session that follows both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from inspector_app.core.kit import Kit
from inspector_app.lenses import Lens
from inspector_app.live.capture import Conditions
from inspector_app.live.growth import Growth
from inspector_app.live.recorder import Recorder, create, free_names, recordings_folder
from inspector_app.live.request import Outgoing
from inspector_app.live.running import Running
from inspector_app.ui.live.session import LiveSession
from inspector_app.ui.mutes import Mutes
from inspector_app.ui.settings import Settings

FOLDER = "recordings"
"""The setting that names another folder for recordings."""


def folder_of(settings: Settings) -> Path:
    """Where recordings go."""
    chosen = settings.value(FOLDER, "")
    return Path(chosen) if chosen else recordings_folder()


def live_session(
    request: Outgoing,
    conditions: Conditions,
    words: Sequence[str],
    folder: Path,
    kit: Kit,
    lenses: Mapping[str, Lens],
    *,
    mutes: Mutes | None = None,
    parent: QObject | None = None,
    **how: Any,
) -> LiveSession:
    """A session that waits for `begin`; `words` such as provider and model name the file.

    Raises OSError where no recording can be made: then nothing has been sent.
    """
    path, file = create(free_names(folder, *words))
    recorder = Recorder(file, request.record())
    running = Running(request, kit, conditions, recorder)
    return LiveSession(
        str(path),
        running,
        Growth(str(path), request),
        kit,
        lenses,
        idle_s=conditions.idle_s,
        mutes=mutes,
        parent=parent,
        **how,
    )
