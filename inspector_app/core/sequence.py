"""The numbers that some dialects give their events: gaps, repeats, and the event that has a number."""

from __future__ import annotations


class Sequence:
    """Follows one number per event. `next` is the one that is due; before the first it means nothing."""

    def __init__(self) -> None:
        self.next = 0
        self._runs: list[tuple[int, int]] = []
        """Where a run of numbers begins that rise by one with each event: number and event."""

    def reset(self) -> None:
        """Another answer begins; it has numbers of its own."""
        self.next = 0
        self._runs = []

    def seen(self, n: int, number: int) -> int | None:
        """Take the number of event n; gives the number that was due when it is another one, else None."""
        due = self.next
        self.next = number + 1
        if self._runs and number == due:
            first, event = self._runs[-1]
            if n - event != number - first:
                self._runs.append((number, n))
            return None
        known = bool(self._runs)
        if known and number < due:
            # What is told again has its numbers already.
            self.next = max(due, number + 1)
        else:
            self._runs.append((number, n))
        return due if known else None

    def event_of(self, number: int) -> int | None:
        """The event that a number was first given to, None for one that was left out."""
        for at, (first, event) in enumerate(self._runs):
            last = self._runs[at + 1][0] if at + 1 < len(self._runs) else self.next
            if first <= number < last:
                return event + number - first
        return None
