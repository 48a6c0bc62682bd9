"""What is known of a block that its dialect opens, feeds and closes by a key of its own (dialects.md section 5.8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from inspector_app.core.patches import Patches
from inspector_app.core.states import State
from inspector_app.core.types import Block

NOT_STARTED = "not-started"
NOT_CLOSED = "not-closed"
MISMATCH = "type-mismatch"
AFTER_CLOSE = "after-close"
START_FILLED = "start-filled"
ID_CHANGES = "id-changes"
DONE_ONLY = "done-without-delta"
SNAPSHOT = "snapshot-mismatch"
COUNTS_DELTAS = "index-counts-deltas"
SEVERAL_PARTS = "several-parts"
ENCRYPTED = "encrypted-changed"

COMMON = {AFTER_CLOSE: "meta-delta-after-close"}
"""Faults that are one rule in all dialects; a dialect names its own rules for the others in its table FAULTS, by
fault or by (fault, kind of block)."""

FAULTS = frozenset(
    {NOT_STARTED, NOT_CLOSED, MISMATCH, START_FILLED, ID_CHANGES, DONE_ONLY, SNAPSHOT, COUNTS_DELTAS}
    | {SEVERAL_PARTS, ENCRYPTED, AFTER_CLOSE}
)
"""What the assembler may report of keyed blocks; each is a rule only where the dialect says so."""


def rule_of(fault: str, block: Block | None, dialect: Any) -> str:
    """The rule for a fault of a block, empty where the dialect has none for it."""
    named: dict[str | tuple[str, str], str] = getattr(dialect, "FAULTS", {})
    kind = "" if block is None else block.kind
    return named.get((fault, kind)) or named.get(fault) or COMMON.get(fault, "")


@dataclass(slots=True)
class Part:
    """One keyed block. `ended` is the event of its explicit end, `announced` whether a start opened it."""

    block: Block
    announced: bool
    ended: int | None = None
    item: Any = None
    run: tuple[int, int] | None = None
    """The index that rises with every delta, and how often it did, where nobody announced the part."""
    cuts: list[tuple[Any, int]] = field(default_factory=list)
    """Numbers of the parts inside the block (summary parts), each with the fragment it begins at."""
    held: tuple[str, int] | None = None
    """Arguments that the start brought, and their delta: they count if no other ones come."""
    patches: Patches | None = None
    """Arguments that come by path; the call has them as text once it has ended."""
    state: State = field(default_factory=State)
    """What a state is by now."""
    whole: dict[Any, str] = field(default_factory=dict)
    """Values that an end gave in full and that are not the join of the fragments, by part number."""

    places: dict[Any, list[int]] = field(default_factory=dict)
    """The fragments of each part, as far as they were counted."""
    lengths: dict[Any, int] = field(default_factory=dict)
    counted: int = 0
    cut: int = -1

    def length(self, number: Any = None) -> int:
        """How many characters the fragments of one part have, of all for None. Each fragment is counted once."""
        fragments, cuts = self.block.fragments, self.cuts
        for at in range(self.counted, len(fragments)):
            while self.cut + 1 < len(cuts) and cuts[self.cut + 1][1] <= at:
                self.cut += 1
            name = cuts[self.cut][0] if self.cut >= 0 else None
            self.places.setdefault(name, []).append(at)
            self.lengths[name] = self.lengths.get(name, 0) + len(fragments[at])
        self.counted = len(fragments)
        return sum(self.lengths.values()) if number is None else self.lengths.get(number, 0)

    def text(self, number: Any = None) -> str:
        """What the fragments of one part say, of all for None."""
        fragments = self.block.fragments
        if number is None:
            return "".join(fragments)
        self.length(number)
        return "".join([fragments[at] for at in self.places.get(number, ())])

    def forget(self) -> None:
        """What was said so far is replaced; the place of the block and its key stay."""
        self.block.fragments.clear()
        del self.block.deltas[:]
        self.block.override, self.ended, self.cut, self.counted = None, None, -1, 0
        self.block.state, self.block.closed_by, self.block.closed_at = "open", None, None
        for held in (self.cuts, self.whole, self.places, self.lengths):
            held.clear()

    def differs(self, value: str, number: Any) -> bool:
        """Whether a whole value is not what was said so far; no join where the length tells, so it costs no square."""
        if number in self.whole:
            return self.whole[number] != value
        if number is None and self.whole:
            return self.read() != value
        return len(value) != self.length(number) or value != self.text(number)

    def read(self) -> str:
        """The text with every part as its end gave it."""
        if None in self.whole:
            return self.whole[None]
        self.length()
        told = {places[0]: self.whole[name] for name, places in self.places.items() if name in self.whole}
        left = {at for name, places in self.places.items() if name in self.whole for at in places}
        return "".join([told.get(at, "" if at in left else text) for at, text in enumerate(self.block.fragments)])


@dataclass(slots=True)
class Parts:
    """The keyed blocks of one choice."""

    by_key: dict[Any, Part] = field(default_factory=dict)
    order: list[Part] = field(default_factory=list)
    names: dict[Any, str] = field(default_factory=dict)
    """The wire's id of each item, as it was first."""
    started: int = 0
    """How many blocks a client has that keeps them in a list."""
    beyond: bool = False
    implied: Part | None = None
    """The open block that nothing ends but the next block."""

    def find(self, key: Any, kind: str) -> Part | None:
        """The block of a key; without a key the latest of its kind, an open one first."""
        if key is not None:
            return self.by_key.get(key)
        like = [part for part in self.order if part.block.kind == kind or not kind]
        return next((part for part in reversed(like) if part.ended is None), like[-1] if like else None)

    def nth(self, item: Any, kind: str, at: int) -> Part | None:
        """The block of a kind that stands at a place among those of its item."""
        found = [part for part in self.order if part.item == item and part.block.kind == kind]
        return found[at] if at < len(found) else None

    def open(self) -> Iterator[Part]:
        """Blocks whose explicit end has not come."""
        return (part for part in self.order if part.ended is None)
