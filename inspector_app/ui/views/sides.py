"""A reading beside the reference: whose event and whose delta stand in which display row.

The rows of the window are those of the reference. A client that frames otherwise numbers its events otherwise; bytes
lead from one to the other.
"""

from __future__ import annotations

from inspector_app.core.reading import Reading

CONTENT = ("reasoning.", "text.", "refusal.", "tool.", "media.", "citation")
"""Kinds of deltas that a reader can fail to read."""


class Side:
    """One chosen reading, seen with the event numbers of the reference."""

    def __init__(self, reading: Reading, reference: Reading) -> None:
        self.reading = reading
        self.reference = reference
        self._same = reading is reference
        self._compared = -1
        """Lines that both had when they were compared."""

    @property
    def same(self) -> bool:
        """Whether both number their events alike, as far as they have come."""
        reading, reference = self.reading, self.reference
        if reading is not reference and self._compared != (lines := len(reference.lines)):
            self._compared = lines
            self._same = (
                reading.lines.starts == reference.lines.starts
                and reading.events.first_lines == reference.events.first_lines
            )
        return self._same

    def own_event(self, event: int) -> int | None:
        """The reading's event that holds the first byte of the reference's `event`."""
        if self.same:
            return event if event < len(self.reading.events) else None
        return self.reading.event_at(self.reference.bytes_of(event)[0])

    def shown_event(self, own: int) -> int:
        """The reference's event that holds the first byte of the reading's event `own`."""
        if self.same:
            return own
        return self.reference.event_at(self.reading.bytes_of(own)[0]) or 0

    def own_delta(self, event: int, index: int) -> int | None:
        """The reading's number of the delta that is number `index` of the reference's `event`; None if it has none."""
        own = self.own_event(event)
        if own is None:
            return None
        first = self.reading.deltas_of(own)[0]
        if self.reading is self.reference:
            return first + index
        wanted, mine = _rows(self.reference, event), _rows(self.reading, own)
        if mine is wanted or mine == wanted:
            return first + index
        row = wanted[index] if index < len(wanted) else None
        return first + mine.index(row) if row in mine else None

    def place_of(self, delta: int) -> tuple[int, int]:
        """The reference's event, and the place among its deltas, of the reading's delta number `delta`."""
        own = self.reading.event_of_delta(delta)
        index = delta - self.reading.deltas_of(own)[0]
        event = self.shown_event(own)
        if self.reading is self.reference:
            return event, index
        wanted, mine = _rows(self.reference, event), _rows(self.reading, own)
        if mine is wanted or mine == wanted:
            return event, index
        return event, wanted.index(mine[index]) if mine[index] in wanted else min(index, max(0, len(wanted) - 1))

    def unread(self, event: int) -> str | None:
        """Why the reading never got to read the reference's `event`; None when it did."""
        reading, own = self.reading, self.own_event(event)
        if not self.same and reading.ended and self.reference.bytes_of(event)[0] >= reading.lines.size:
            # Its framing went no further than this.
            own = len(reading.events)
        return None if own is None else why_unread(reading, own)

    def reads(self, event: int, index: int, kind: str) -> bool:
        """Whether the delta in this place went into a block, where the reference has put it into one."""
        if self.reading is self.reference or not kind.startswith(CONTENT):
            return True
        mine = self.reference.deltas_of(event)[0] + index
        if self.reference.delta_blocks[mine] < 0:
            return True
        own = self.own_delta(event, index)
        return own is not None and self.reading.delta_blocks[own] >= 0


def why_unread(reading: Reading, n: int) -> str | None:
    """Why a client never got to read its event n: that one alone, or the rest behind where it stopped."""
    why = reading.unread.get(n)
    if why is None and reading.stopped_at is not None and n > reading.stopped_at:
        return f"the client stopped at event {reading.stopped_at}"
    return why


def not_read(reference: Reading, readings: list[Reading]) -> int:
    """How many deltas that went into a block of the reference go into none of one of these readings."""
    if all(reading is reference for reading in readings):
        return 0
    fed = [len(reading.delta_blocks) - reading.delta_blocks.count(-1) for reading in (reference, *readings)]
    return max(0, fed[0] - min(fed))


def _rows(reading: Reading, event: int) -> tuple[tuple[str, int, str], ...]:
    return reading.layouts[reading.events.layouts[event]].rows
