"""Where the blocks of a reading lie among its deltas, so that those in view are found without looking at all."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from inspector_app.core.reading import Reading
from inspector_app.core.types import Block
from inspector_app.ui.views.block_names import BlockNames, can_run

CHUNK = 256
STEP = 1000
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
        self.closed: dict[str, set[int]] = {}
        """Kind -> the events that closed its blocks, once the reading has ended."""
        self.runnable = self.fed = 0
        """How many of them can be run, and how many deltas went into a block."""
        self.lanes = bytearray()
        self._order: list[int] | None = None
        """Block numbers by first delta, where the blocks themselves are not in that order."""
        self._reach: list[int] = []
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
            self.calls, self.closed, self.runnable = [], {}, 0
            self.fed = len(reading.delta_blocks) - reading.delta_blocks.count(-1)
            yield
        settled = self._settled
        for column in (self.firsts, self.lasts, self.closes, self.lanes, self._groups):
            del column[settled:]
        blocks = reading.blocks
        state = self._state
        for count, block in enumerate(blocks[settled:], 1):
            if count % STEP == 0:
                yield
            if settled == len(self.firsts) and block.state != "open":
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
            if self._final and block.closed_at is not None:
                self.closed.setdefault(block.kind, set()).add(block.closed_at)
            if self._final and block.kind == "tool_call":
                self.calls.append(count - 1)
                self.runnable += can_run(block)
        from_chunk = self._settled // CHUNK
        self._settled = settled
        for n in range(0, len(blocks) if self._final else 0, STEP):
            self.names.reach(n)
            yield
        for reach, column in ((self._reach, self.lasts), (self._close_reach, self.closes)):
            del reach[from_chunk:]
            reach += [max(column[at : at + CHUNK]) for at in range(from_chunk * CHUNK, len(column), CHUNK)]
        if self._final and any(after < before for before, after in zip(self.firsts, self.firsts[1:])):
            self._order = sorted(range(len(self.firsts)), key=self.firsts.__getitem__)

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
        if self._order is not None:
            yield from (n for n in self._order if self.firsts[n] <= last and self.lasts[n] >= first)
            return
        until = min(bisect_right(self.firsts, last), self._there())
        for chunk in range((until + CHUNK - 1) // CHUNK):
            if self._reach[chunk] >= first:
                for n in range(chunk * CHUNK, min(until, (chunk + 1) * CHUNK)):
                    if self.lasts[n] >= first:
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
