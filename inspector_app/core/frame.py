"""What a framing hands to the analysis for an event that is more than one plain data line."""

from __future__ import annotations

from collections import Counter, deque
from typing import NamedTuple, Protocol


class Frame(NamedTuple):
    """`data` is None where nothing is to be read, `lost` says why this reader's client never got it, `stray` holds
    lines outside any field that carry an error or the end marker. `flags`: bits of core/flags.py.
    """

    flags: int
    name: str | None
    data: bytes | None
    lost: str | None = None
    stray: tuple[bytes, ...] = ()


class Note(NamedTuple):
    """What a framing reports by the name of a rule: an event, and the bytes [start, end) of the body it rests on."""

    rule: str
    event: int
    start: int
    end: int
    detail: str


class Framer(Protocol):
    """A framing at work on one body: fills the line and event columns, returns events as they complete.

    A plain event comes back as its payload alone (bytes), any other as a `Frame`. `counts` has how many lines raised
    each flag, `stopped` why a client stopped reading. `notes` are taken out by the reader,
    they stand in the order of their events. `marker` is the end that the
    framing itself has, with the event it follows, once it has come.
    """

    counts: Counter[int]
    stopped: str | None
    notes: deque[Note]
    marker: tuple[str, int] | None

    def feed(self, data: bytes) -> list[bytes | Frame]: ...

    def close(self) -> list[bytes | Frame]: ...
