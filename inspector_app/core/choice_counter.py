"""An index of choices that counts tokens: only the whole stream shows that it is one choice (R33)."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from inspector_app.core.rules import ReadingRules

LEAST = 3
"""Chunks that count up without an exception before this is more than chance."""


class ChoiceCounter:
    """Follows the one choice of each chunk. `events` are the chunks so far, `pointer` is where the index stands."""

    def __init__(self) -> None:
        self.events: list[int] = []
        self.pointer = ""
        self._counts = True

    def take(self, n: int, payload: dict[str, Any], module: ModuleType | None) -> None:
        """The next event; a dialect without `only_choice` has no such index."""
        if not self._counts or not hasattr(module, "only_choice"):
            return
        found = module.only_choice(payload)  # type: ignore[union-attr]
        if found is None:
            return
        index, self.pointer = found
        if index == len(self.events):
            self.events.append(n)
        else:
            self.stop()

    def stop(self) -> None:
        """A chunk was like the one before, its index too."""
        self._counts = False

    def counts_tokens(self, rules: ReadingRules) -> bool:
        """Whether the stream is to be read again as one choice."""
        found = self._counts and len(self.events) >= LEAST
        return found and rules.choice == "by-index" and rules.repairs_rule("choice-index-counter")
