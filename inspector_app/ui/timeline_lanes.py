"""Which lanes of a timeline are pinned to its top and which are hidden, remembered by what they hold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from inspector_app.ui.settings import Settings
from inspector_app.ui.timeline import LaneIndex

NAME = "lanes"
KEPT = 100
"""Lanes that are remembered at most."""
SIDE = re.compile(r"-[01]$")


def name_of(key: str) -> str:
    """What a lane is remembered by: its key without the side, since a reader shows in that of both or in its own."""
    return SIDE.sub("", key) if key.count("-") >= 2 else key


class LaneChoice(QObject):
    """The choice of the user. `changed`: lanes are to be arranged anew. Without settings it lasts no longer."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings: Settings | None = None
        self.pinned: list[str] = []
        self.hidden: list[str] = []
        self.characters = False
        """Whether the rate is told in characters also where tokens are counted."""

    def remember(self, settings: Settings) -> None:
        """Take the choice from the settings, and keep it there from now on."""
        self._settings = settings
        held = settings.value(NAME, {})
        self.pinned, self.hidden = (_names(held.get(name)) for name in ("pinned", "hidden"))
        self.characters = held.get("characters") is True
        self.changed.emit()

    def pin(self, key: str, on: bool = True) -> None:
        """Keep a lane at the top, below those that were pinned before; or no longer."""
        name = name_of(key)
        self.pinned = [other for other in self.pinned if other != name] + ([name] if on else [])
        self._keep()

    def hide(self, key: str, on: bool = True) -> None:
        """Leave a lane out; or no longer."""
        name = name_of(key)
        self.hidden = [other for other in self.hidden if other != name] + ([name] if on else [])
        self._keep()

    def show_all(self) -> None:
        """Leave no lane out."""
        self.hidden = []
        self._keep()

    def count_characters(self, on: bool) -> None:
        """Tell the rate in characters; or in tokens, where the stream counts them."""
        self.characters = on
        self._keep()

    def arranged(self, lanes: Sequence[LaneIndex]) -> list[LaneIndex]:
        """The lanes that are shown, the pinned ones first; all of them where nothing would be left."""
        shown = [index for index in lanes if name_of(index.lane.key) not in self.hidden] or [*lanes]
        place = {name: number for number, name in enumerate(self.pinned)}
        for index in shown:
            index.lane.pinned = name_of(index.lane.key) in place
        return sorted(shown, key=lambda index: place.get(name_of(index.lane.key), len(place)))

    def _keep(self) -> None:
        if self._settings is not None:
            held = {"pinned": self.pinned[-KEPT:], "hidden": self.hidden[-KEPT:], "characters": self.characters}
            self._settings.put(NAME, held)
        self.changed.emit()


def _names(held: object) -> list[str]:
    return [name for name in held if isinstance(name, str)][-KEPT:] if isinstance(held, list) else []
