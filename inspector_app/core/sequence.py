"""The numbers that some dialects give their events: gaps, repeats, and the event that has a number."""

from __future__ import annotations


class Sequence:
    """Follows one number per event. `next` is the one that is due; before the first it means nothing."""

    def __init__(self) -> None:
        self.next = 0
        self._runs: list[tuple[int, int]] = []
        """Where a run of numbers begins that rise by one with each event: number and event."""
        self._ends: list[int] = []
        """The number behind the last one of each run but the present one."""

    def reset(self) -> None:
        """Another answer begins; it has numbers of its own."""
        self.next = 0
        self._runs, self._ends = [], []

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
