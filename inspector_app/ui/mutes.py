"""The rules that the user does not want to be told of: remembered, shown as muted, and the same in every window."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal

from inspector_app.core.types import Finding
from inspector_app.ui.settings import Settings

NAME = "muted"

Told = TypeVar("Told", bound=Finding)


class Mutes(QObject):
    """The muted rules. `changed` comes whoever changed them: a pane here, or another window that writes the same file.

    Without `settings` they last as long as the object does.
    """

    changed = Signal()

    def __init__(self, settings: Settings | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings or Settings()
        self._rules = self._remembered()
        self._watcher: QFileSystemWatcher | None = None
        self._watch()

    def __contains__(self, rule: object) -> bool:
        return rule in self._rules

    def mute(self, rule: str, muted: bool = True) -> None:
        """Mute a rule from now on, or no longer."""
        rules = self._remembered()
        rules = rules | {rule} if muted else rules - {rule}
        self._settings.put(NAME, sorted(rules))
        self._watch()
        self._take(rules)

    def heard(self, findings: Iterable[Told]) -> list[Told]:
        """The findings whose rules are not muted, in their order."""
        return [finding for finding in findings if finding.rule not in self._rules]

    def _remembered(self) -> frozenset[str]:
        return frozenset(rule for rule in self._settings.value(NAME, []) if isinstance(rule, str))

    def _take(self, rules: frozenset[str]) -> None:
        if rules != self._rules:
            self._rules = rules
            self.changed.emit()

    # other windows

    def _watch(self) -> None:
        """Follow the folder of the settings: the file itself is replaced at each change."""
        path = self._settings.path
        if self._watcher is None and path is not None and path.parent.is_dir():
            self._watcher = QFileSystemWatcher([str(path.parent)], self)
            self._watcher.directoryChanged.connect(self._look)

    def _look(self) -> None:
        self._settings.reload()
        self._take(self._remembered())
