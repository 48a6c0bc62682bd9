"""The numbers that some dialects give their events: gaps, repeats, and the event that has a number."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from inspector_app.core.diagnosis import Diagnosis
from inspector_app.core.reading import Reading
from inspector_app.core.types import Delta

NEAR = 16
"""Events behind the likely place of a number that are looked at: some between have none."""


class Sequence:
    """Follows one number per event. `next` is the one that is due; before the first it means nothing."""

    def __init__(self, reading: Reading, diagnosis: Diagnosis) -> None:
        self._reading = reading
        self._diagnosis = diagnosis
        self._replays: set[int] = set()
        self.next = 0
        self._runs: list[tuple[int, int]] = []
        """Where a run of numbers begins that rise by one with each event: number and event."""
        self._ends: list[int] = []
        """The number behind the last one of each run but the present one."""

    def reset(self) -> None:
        """Another answer begins; it has numbers of its own."""
        self.next = 0
        self._runs, self._ends = [], []

    def checked(self, n: int, value: Any, module: ModuleType | None, deltas: list[Delta]) -> list[Delta]:
        """The deltas of an event that may have a number; one that was there before says nothing."""
        counter = getattr(module, "COUNTER", None)
        if counter is None or type(value) is not dict or type(value.get(counter)) is not int:
            return deltas
        due = self.seen(n, value[counter])
        if due is None:
            return deltas
        rule = module.COUNTER_RULE  # type: ignore[union-attr]
        self._diagnosis.note(rule, n, "/" + counter, None, f"{value[counter]} where {due} was due")
        before = self.event_of(value[counter]) if value[counter] < due else None
        likely = () if before is None else range(before, min(n, before + NEAR))
        said = (payload for at in likely if type(payload := self._reading.payload(at)) is dict)
        if next((payload for payload in said if payload.get(counter) == value[counter]), None) != value:
            return deltas
        self._replays.add(n)
        return [_replay(value)]

    def again(self, n: int) -> list[Delta] | None:
        """The deltas of an event that repeats an earlier one; None of any other event."""
        return [_replay(self._reading.payload(n))] if n in self._replays else None

    def seen(self, n: int, number: int) -> int | None:
        """Take the number of event n; gives the number that was due when it is another one, else None."""
        due = self.next
        known = bool(self._runs)
        if known and number < due:
            # What is told again has its numbers already.
            return due
        self.next = number + 1
        if known and number == due:
            first, event = self._runs[-1]
            if n - event == number - first:
                return None
        if known:
            self._ends.append(due)
        self._runs.append((number, n))
        return due if known and number != due else None

    def event_of(self, number: int) -> int | None:
        """The event that a number was first given to, or one shortly before it; None for one that was left out."""
        for (first, event), end in zip(self._runs, [*self._ends, self.next], strict=True):
            if first <= number < end:
                return event + number - first
        return None


def _replay(value: Any) -> Delta:
    return Delta("noop", 0, "", value, {"field": "replay"})
