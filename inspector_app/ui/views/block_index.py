"""Where the blocks of a reading lie among its deltas, so that those in view are found without looking at all."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from inspector_app.core.in_order import rising, sorting
from inspector_app.core.reading import Reading
from inspector_app.core.types import Block
from inspector_app.ui.views.block_names import BlockNames, can_run

CHUNK = 256
STEP = 1000
FAR = 1 << 16
"""Entries of a column that are looked at between two rests."""
LANES = 4
"""Blocks that go on at the same time stand side by side, at most so many."""


class BlockIndex:
    """Columns over the blocks of one reading; `extend` after it has grown.

    `firsts` and `lasts` are delta numbers, `lanes` the place of a block beside others that go on at the same time.
    """

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.names = BlockNames(reading)
        self.firsts: array[int] = array("q")
        self.lasts: array[int] = array("q")
        self.closes: array[int] = array("q")
        """The event that closed each block, or its last one."""
        self.calls: list[int] = []
        """The blocks that are tool calls, once the reading has ended."""
        self.runnable = self.fed = 0
        """How many of them can be run, and how many deltas went into a block."""
        self.lanes = bytearray()
        self._order: array[int] | None = None
        """Block numbers by first delta, where the blocks themselves are not in that order."""
        self._ordered: array[int] = self.firsts
        """Their first deltas in that order."""
        self._reach: list[int] = []
        """How far each chunk of blocks reaches, in that order; `_close_reach` in the order of the blocks themselves."""
        self._close_reach: list[int] = []
        self._settled = 0
        self._final = False
        self._groups: array[int] = array("I")
        """Which run of overlapping blocks each belongs to."""
        self._group_lanes = bytearray()
        self._state = _Lanes()
        """The lanes after the blocks that are settled."""
        self._work: Iterator[None] | None = None

    def __len__(self) -> int:
        return len(self.firsts)

    def extend(self) -> None:
        """Take in what was read since the last call."""
        for _ in self.in_steps():
            pass

    def in_steps(self) -> Iterator[None]:
        """The same, with a rest after each thousand blocks. `extend` finishes what was begun here."""
        if self._work is None:
            self._work = self._extended()
        work = self._work
        yield from work
        if self._work is work:
            self._work = None

    def _extended(self) -> Iterator[None]:
        reading = self.reading
        if self._final:
            return
        if reading.ended:
            self._final = True
            self.names = BlockNames(reading)
            self._settled = 0
            self._state = _Lanes()
            self.calls, self.runnable = [], 0
            self.fed = 0
            for start in range(0, len(reading.delta_blocks), FAR):
                some = reading.delta_blocks[start : start + FAR]
                self.fed += len(some) - some.count(-1)
                yield
        settled = self._settled
        for column in (self.firsts, self.lasts, self.closes, self.lanes, self._groups):
            del column[settled:]
        blocks = reading.blocks
        state = self._state
        for start in range(settled, len(blocks), STEP):
            for block in blocks[start : start + STEP]:
                number = len(self.firsts)
                if settled == number and block.state != "open":
                    settled += 1
                elif state is self._state:
                    state = state.copy()  # what is still open may grow: next time its lane is looked for again
                first, last = self._deltas(block)
                self.firsts.append(first)
                self.lasts.append(last)
                self.closes.append(max(block.last_event, block.closed_at or 0))
                self.lanes.append(state.take(first, last))
                del self._group_lanes[state.group :]
                self._group_lanes.append(state.lanes)
                self._groups.append(state.group)
                if self._final and block.kind == "tool_call":
                    self.calls.append(number)
                    self.runnable += can_run(block)
            if start + STEP < len(blocks):
                yield
        from_chunk = self._settled // CHUNK
        self._settled = settled
        for n in range(0, len(blocks) if self._final else 0, STEP):
            self.names.reach(n)
            yield
        for reach, column in ((self._reach, self.lasts), (self._close_reach, self.closes)):
            yield from _reaching(reach, column, from_chunk)
        if self._final:
            yield from self._sorted()

    def _sorted(self) -> Iterator[None]:
        """Blocks that go on at the same time may not stand in the order of their first deltas."""
        falls = False
        for rises in rising(self.firsts):
            falls = not rises
            yield
        if not falls:
            return
        order: array[int] = array("I")
        for found in sorting(self.firsts):
            order = found
            yield
        ordered, lasts = array("q"), array("q")
        for start in range(0, len(order), FAR):
            some = order[start : start + FAR]
            ordered.extend(array("q", map(self.firsts.__getitem__, some)))
            lasts.extend(array("q", map(self.lasts.__getitem__, some)))
            yield
        reach: list[int] = []
        yield from _reaching(reach, lasts, 0)
        self._order, self._ordered, self._reach = order, ordered, reach

    def _deltas(self, block: Block) -> tuple[int, int]:
        if len(block.deltas):
            return block.deltas[0], block.deltas[-1]
        first = self.reading.deltas_of(block.first_event)[0]
        return first, max(first, self.reading.deltas_of(block.last_event)[1] - 1)

    def _there(self) -> int:
        """How many blocks can be looked at: at its end a reading drops those that hold nothing, and whoever paints
        before the next `extend` must not look for them.
        """
        return min(len(self.firsts), len(self.reading.blocks))

    def over(self, first: int, last: int) -> Iterator[int]:
        """The numbers of the blocks that have deltas in [first, last], in order."""
        order, known = self._order, self._there()
        until = min(bisect_right(self._ordered, last), known)
        for chunk, reach in enumerate(islice(self._reach, (until + CHUNK - 1) // CHUNK)):
            if reach >= first:
                for at in range(chunk * CHUNK, min(until, (chunk + 1) * CHUNK)):
                    n = at if order is None else order[at]
                    if self.lasts[n] >= first and n < known:
                        yield n

    def closed_at(self, event: int) -> Iterator[Block]:
        """The blocks that an empty field closed at an event."""
        blocks, known = self.reading.blocks, self._there()
        for chunk, reach in enumerate(self._close_reach):
            if reach < event or chunk * CHUNK >= known:
                continue
            if self._order is None and blocks[chunk * CHUNK].first_event > event:
                return
            for n in range(chunk * CHUNK, min(known, (chunk + 1) * CHUNK)):
                block = blocks[n]
                if block.closed_at == event and "closed_on" in block.fields:
                    yield block

    def lanes_beside(self, n: int) -> int:
        """How many lanes block n and those that go on at the same time need."""
        return self._group_lanes[self._groups[n]]

    def fragment_range(self, n: int, first: int, last: int) -> range:
        """Which fragments of block n came with deltas in [first, last]."""
        deltas = self.reading.blocks[n].deltas
        return range(bisect_left(deltas, first), bisect_right(deltas, last))


def _reaching(reach: list[int], column: array[int], chunk: int) -> Iterator[None]:
    """How far the chunks of a column reach, from number `chunk` on, with a rest now and then."""
    del reach[chunk:]
    for start in range(chunk * CHUNK, len(column), FAR):
        some = column[start : start + FAR]
        reach += [max(some[at : at + CHUNK]) for at in range(0, len(some), CHUNK)]
        if start + FAR < len(column):
            yield


@dataclass(slots=True)
class _Lanes:
    """What is known of the lanes after some blocks: where each is free again, and the run of blocks that overlap.

    Places are twice the delta number; a block of one delta takes all of its place, others leave half of their last one.
    """

    ends: list[int] = field(default_factory=lambda: [-1] * LANES)
    group: int = -1
    lanes: int = 0
    """Lanes that the blocks of this run need so far."""

    def copy(self) -> _Lanes:
        return _Lanes([*self.ends], self.group, self.lanes)

    def take(self, first: int, last: int) -> int:
        """The leftmost lane where nothing goes on beyond `first`; what only touches gives way."""
        ends, begin = self.ends, 2 * first
        if max(ends) <= begin:
            self.group += 1
            self.lanes = 0
        lane = next((lane for lane in range(LANES) if ends[lane] <= begin), LANES - 1)
        ends[lane] = max(ends[lane], 2 * last + (first == last))
        self.lanes = max(self.lanes, lane + 1)
        return lane
