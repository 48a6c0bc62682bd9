"""What a client does at events that raised a finding: skip it, report an error part, or stop (22.2, `skips_on`…)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Literal, NamedTuple


class Action(NamedTuple):
    """`skip`: the event has no effect. `act` and `text`: the error that follows it, and whether the reading ends."""

    skip: bool = False
    act: Literal["", "part", "stop"] = ""
    text: str = ""

    def __or__(self, other: Action) -> Action:
        """Both at one event: what ends the reading weighs more, else the first error stands."""
        first = other if other.act == "stop" != self.act or not self.act else self
        return Action(self.skip or other.skip, first.act, first.text)


NOTHING = Action()


class Actions:
    """Actions by an offset in the body: framings number events differently, but bytes are the same for all."""

    def __init__(self, by_offset: Mapping[int, Action]) -> None:
        self._by_offset = by_offset
        self._offsets = sorted(by_offset)

    def __bool__(self) -> bool:
        return bool(self._offsets)

    def within(self, start: int, end: int) -> Action:
        """What to do at an event that has these bytes."""
        found = NOTHING
        for at in range(bisect_left(self._offsets, start), bisect_left(self._offsets, end)):
            found |= self._by_offset[self._offsets[at]]
        return found
