"""How fast the answer came: characters a second, and tokens where the stream counts them."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from inspector_app.core.reading import Reading
from inspector_app.core.types import Block

MEANINGS = ("reasoning", "text", "refusal", "tool")
CODES = {"reasoning": 0, "text": 1, "refusal": 2, "tool_call": 3}
"""Kind of block -> its meaning's number; what else there is was not written by the model word by word."""

CHARACTERS_A_TOKEN = 4
STEP = 4000
"""Fragments after which the caller may rest."""
SECOND = 1_000_000_000


class Tokens(NamedTuple):
    """Tokens a character of reasoning and of all else. `about` says that the stream counts none and 4 is a guess."""

    reasoning: float
    other: float
    about: bool


class Rates:
    """What was said up to which moment: one entry per event and kind, in the order of events.

    `positions` gives the time of every event (ns since the request, never falling). `reasoning[i]` and `other[i]` are
    the characters up to and with entry i, which came at `times[i]` with event `events[i]`; `codes[i]` is its meaning.
    """

    def __init__(self, reading: Reading, positions: Sequence[int]) -> None:
        self.reading = reading
        self._positions = positions
        self.in_characters = False
        """Whether whoever shows it was asked for characters, though tokens may be counted."""
        self._empty()

    def _empty(self) -> None:
        self.times: array[int] = array("q")
        self.events: array[int] = array("I")
        self.codes = bytearray()
        self.reasoning: array[int] = array("Q", [0])
        self.other: array[int] = array("Q", [0])
        self._open: list[tuple[Block, int]] = []
        self._seen = 0
        self._whole = False

    def __len__(self) -> int:
        return len(self.times)

    def extend(self) -> None:
        """Take in what has come."""
        for _ in self.in_steps():
            pass

    def in_steps(self) -> Iterator[None]:
        """Take in what has come, with a rest now and then."""
        if self.reading.ended and not self._whole:
            # The end may take blocks away and repair others: all is counted anew.
            self._empty()
            self._whole = True
        blocks = self.reading.blocks
        waiting = self._open + [(block, 0) for block in blocks[self._seen :] if block.kind in CODES]
        self._seen = len(blocks)
        self._open = waiting
        kept: list[tuple[Block, int]] = []
        batch: dict[tuple[int, int], int] = {}
        for at, (block, done) in enumerate(waiting, 1):
            while taken := self._gather(block, done, batch):
                done += taken
                if len(batch) >= STEP:
                    self._merge(batch)
                    batch = {}
                    # Whoever is not called again here goes on from this state.
                    self._open = [*kept, (block, done), *waiting[at:]]
                    yield
            if done < len(block.fragments) or (block.state == "open" and not self._whole):
                kept.append((block, done))
        self._merge(batch)
        self._open = kept

    def _gather(self, block: Block, done: int, batch: dict[tuple[int, int], int]) -> int:
        """Count fragments from number `done` on, and give how many; none where all are, or their time is not known."""
        code, known = CODES[block.kind], len(self._positions)
        until, taken = min(len(block.fragments), done + STEP), 0
        for size, delta in zip(_sizes(block, done, until), block.deltas[done:until], strict=False):
            event = self.reading.event_of_delta(delta)
            if event >= known:
                break
            if size:
                batch[event, code] = batch.get((event, code), 0) + size
            taken += 1
        return taken

    def _merge(self, batch: dict[tuple[int, int], int]) -> None:
        """Add entries; parallel calls and held back text may belong before the last ones."""
        if not batch:
            return
        cut = bisect_left(self.events, min(batch)[0])
        sums = (self.reasoning, self.other)
        for place in range(cut, len(self.events)):
            key = (self.events[place], self.codes[place])
            size = sum(column[place + 1] - column[place] for column in sums)
            batch[key] = batch.get(key, 0) + size
        for column in (self.times, self.events, self.codes):
            del column[cut:]
        for column in sums:
            del column[cut + 1 :]
        for (event, code), size in sorted(batch.items()):
            self.times.append(self._positions[event])
            self.events.append(event)
            self.codes.append(code)
            self.reasoning.append(self.reasoning[-1] + (0 if code else size))
            self.other.append(self.other[-1] + (size if code else 0))

    @property
    def tokens(self) -> Tokens:
        """What a character counts for."""
        return tokens_of(self.reading.usage, self.reasoning[-1], self.other[-1])

    def entry_at(self, time: float) -> int:
        """The last entry up to a moment, -1 before the first."""
        return bisect_right(self.times, time) - 1

    def within(self, before: int, last: int) -> tuple[int, int]:
        """Characters of reasoning and of all else in the entries after number `before` up to number `last`."""
        reasoning, other = self.reasoning, self.other
        return reasoning[last + 1] - reasoning[before + 1], other[last + 1] - other[before + 1]


def tokens_of(usage: Mapping[str, Any] | None, reasoning: int, other: int) -> Tokens:
    """The tokens of the usage spread evenly over the characters they were paid for (R35 to R37).

    Hidden reasoning was written before, or never: its tokens are not spread over words that can be read.
    """
    output = (usage or {}).get("output")
    total = reasoning + other
    if not isinstance(output, int) or output <= 0 or not total:
        return Tokens(1 / CHARACTERS_A_TOKEN, 1 / CHARACTERS_A_TOKEN, True)
    thought = (usage or {}).get("reasoning")
    if not isinstance(thought, int) or thought < 0:
        return Tokens(output / total, output / total, False)
    # Some count reasoning beside the output instead of in it: only then it can be more.
    said = output - thought if thought <= output else output
    if (reasoning and not thought) or (other and not said):
        return Tokens(output / total, output / total, False)
    return Tokens(thought / reasoning if reasoning else 0.0, said / other if other else 0.0, False)


def _sizes(block: Block, start: int, end: int) -> list[int]:
    """How much each fragment from `start` to `end` adds: of growing snapshots what is new (R25)."""
    fragments = block.fragments
    if block.override is None or len(fragments) < 2 or block.override != fragments[-1]:
        return [len(fragment) for fragment in fragments[start:end]]
    lengths = [len(fragments[start - 1]) if start else 0, *(len(fragment) for fragment in fragments[start:end])]
    return [max(0, after - before) for before, after in pairwise(lengths)]
