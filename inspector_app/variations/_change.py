"""Changes bytes of an exchange, or where its reads end, and keeps everything else in its place."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from inspector_app.core.types import NO_TIME, Exchange, Http, MemoryBody

REPAIR, TROUBLE = "repair", "trouble"


class ArgumentFault(ValueError):
    """An argument that a variation cannot use: one line."""


@dataclass(frozen=True, slots=True)
class Argument:
    """What a variation takes. `form` shows its shape, as "FROM=TO", `example` is one that works, `words` say what it
    is. Where it is not `needed` the empty text stands for `usual`, in words.
    """

    form: str
    words: str
    example: str
    usual: str = ""

    @property
    def needed(self) -> bool:
        """Whether nothing can be done without it."""
        return not self.usual


def one_of(name: str, argument: Argument, given: str, values: Collection[str]) -> str:
    """What was given, or the example where nothing was. Raises ArgumentFault for what is none of the values."""
    wanted = given or argument.example
    if wanted not in values:
        raise ArgumentFault(f"{name} needs one of {argument.form}; this is {given!r}")
    return wanted


def seconds_of(name: str, argument: Argument, given: str) -> float:
    """What was given, or the example where nothing was, in seconds. Raises ArgumentFault."""
    try:
        seconds = float(given or argument.example)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e6:
        raise ArgumentFault(f"{name} needs a number of seconds, as {argument.example}; this is {given!r}")
    return seconds


class Edit(NamedTuple):
    """Bytes [start, end) of the body become `new`; nothing is taken away where both are the same."""

    start: int
    end: int
    new: bytes


def changed(exchange: Exchange, edits: Iterable[Edit]) -> Exchange:
    """A copy with these edits, which must not overlap; the exchange itself without any.

    What is put in belongs to the read whose bytes stand before it. Reads that have become empty are gone. Notes of the
    user, which speak of events by number, are left behind.
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    if not ordered:
        return exchange
    size = len(exchange.body)
    old = exchange.body.slice(0, size)
    pieces: list[bytes] = []
    at = 0
    for edit in ordered:
        pieces += [old[at : edit.start], edit.new]
        at = edit.end
    body = b"".join([*pieces, old[at:]])
    move = _Move(ordered)
    faults = [fault._replace(at=move.to(fault.at), end=move.to(fault.end)) for fault in exchange.faults]
    made = replace(
        exchange, body=MemoryBody(body), coded=None, faults=faults, notes=[], http=_head(exchange.http, len(body))
    )
    if exchange.read_ends is not None:
        _set_reads(made, exchange, [move.to(end) for end in exchange.read_ends])
    return made


def recut(exchange: Exchange, ends: Sequence[int]) -> Exchange:
    """A copy with the same bytes in other reads; the exchange itself where they are the same. A piece has the time of
    the read that brought its last byte.
    """
    known, times = exchange.read_ends, exchange.read_times
    if known is not None and list(known) == list(ends) and exchange.coded is None:
        return exchange
    made = replace(exchange, coded=None)
    made.read_ends = array("q", ends)
    made.read_times = None
    if known is not None and times is not None and len(known):
        last = len(known) - 1
        made.read_times = array("q", [times[min(bisect_left(known, end), last)] for end in ends])
    return made


def times_of(exchange: Exchange) -> list[int | None]:
    """The times of the reads, None where one is not known."""
    times = exchange.read_times
    if times is None:
        return [None] * len(exchange.read_ends or ())
    return [None if time == NO_TIME else time for time in times]


class _Move:
    """Where the places of a body are after some edits. A place inside a stretch that was replaced stays inside."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._starts = [edit.start for edit in edits]
        self._edits = edits
        self._shifts = [0]
        for edit in edits:
            self._shifts.append(self._shifts[-1] + len(edit.new) - (edit.end - edit.start))

    def to(self, place: int) -> int:
        # What is put in at a place comes before it: it ends what was there.
        number = bisect_left(self._starts, place)
        while number < len(self._edits) and self._edits[number].start == self._edits[number].end == place:
            number += 1
        if not number:
            return place
        edit = self._edits[number - 1]
        if place >= edit.end:
            return place + self._shifts[number]
        start = edit.start + self._shifts[number - 1]
        return start + min(place - edit.start, len(edit.new))


def _set_reads(made: Exchange, before: Exchange, ends: Sequence[int]) -> None:
    old, times = before.read_ends, before.read_times
    assert old is not None
    kept = [
        number
        for number, end in enumerate(ends)
        if end > (ends[number - 1] if number else 0) or old[number] == (old[number - 1] if number else 0)
    ]
    made.read_ends = array("q", [ends[number] for number in kept])
    if times is not None:
        made.read_times = array("q", [times[number] for number in kept])


def _head(http: Http | None, size: int) -> Http | None:
    """The response head, whose length must fit the new body."""
    if http is None or http.header("content-length") is None:
        return http
    fit = [(name, str(size) if name.lower() == "content-length" else value) for name, value in http.headers]
    return replace(http, headers=fit)
