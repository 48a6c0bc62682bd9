"""What each field of a payload is to the chosen readers: which block it fed, what it ended, who does not read it."""

from __future__ import annotations

from typing import Any, NamedTuple

from inspector_app.core.pointer import flatten
from inspector_app.core.types import Delta
from inspector_app.lenses import REFERENCE
from inspector_app.ui.session import Session
from inspector_app.ui.views.evidence import Evidences
from inspector_app.ui.views.sides import Side
from inspector_app.ui.views.words import kind_of

LEAVES = 2000
"""Leaves of a container that are asked before it counts as not read."""


class Mark(NamedTuple):
    """`meaning` colours the value, `remark` stands at the right, `cuts`: it ended a block although it is empty."""

    meaning: str = ""
    remark: str = ""
    cuts: bool = False


class FieldMarks:
    """The marks of one event. `unread` says why a client got nothing of the whole event, None when it did."""

    def __init__(self, session: Session, evidences: Evidences, event: int) -> None:
        self._sides = [side for side in evidences.sides if side.reading.reader != REFERENCE] or evidences.sides
        self._event = event
        self._module = session.reference.dialect_module if session.reference is not None else None
        self._known: dict[str, bool] = {}
        self._read: dict[tuple[str, str], bool] = {}
        evidence = evidences.of(event)
        self.unread = evidence.unread
        self.clients = [session.short_title_of(side.reading.reader) for side in self._sides]
        self.by_pointer: dict[str, Mark] = {}
        self._skipped: set[str] = set()
        left = evidences.sides[0] if evidences.sides else None
        for place, delta in enumerate(evidence.deltas):
            for pointer in pointers(delta):
                if place in evidence.skipped:
                    self._skipped.add(pointer)
                self.by_pointer[pointer] = _mark(evidences, left, event, place, delta)
        self._empty(session)
        for side in evidences.sides:
            self._cuts(session, evidences, side, side is left)

    def _empty(self, session: Session) -> None:
        """Fields that are there and say nothing, which the reading leaves out of its deltas."""
        reference = session.reference
        for delta in reference.decode(self._event) if reference is not None else ():
            if delta.kind in ("absent", "noop") and delta.value is not None and delta.value in ("", [], {}):
                self.by_pointer.setdefault(delta.pointer, Mark(remark="nothing to show"))
                if not self.by_pointer[delta.pointer].remark:
                    self.by_pointer[delta.pointer] = Mark(remark="nothing to show")

    def _cuts(self, session: Session, evidences: Evidences, side: Side, chosen: bool) -> None:
        own = side.own_event(self._event)
        if own is None:
            return
        index = evidences.index_of(side)
        for block in index.closed_at(own):
            name = block.fields["closed_on"].partition(":")[0]
            for delta in side.reading.decode(own):
                if delta.choice == block.choice and delta.pointer.rpartition("/")[2] == name:
                    whose = "" if chosen else f" for {session.short_title_of(side.reading.reader)}"
                    self.by_pointer[delta.pointer] = Mark("error", f"ends {index.names[block.n]}{whose}", True)

    # who reads what

    def readers(self, pointer: str, path: str, value: Any) -> list[str]:
        """The clients that do not read the value at a pointer; `path` is its path in the field ledger."""
        return [name for side, name in zip(self._sides, self.clients) if not self._reads(side, pointer, path, value)]

    def _reads(self, side: Side, pointer: str, path: str, value: Any) -> bool:
        if side.unread(self._event) is not None:
            return False
        if pointer in self._skipped and len(self._sides) == 1:
            return False
        if not value or not isinstance(value, dict | list):
            return self._reads_path(side, path)
        key = f"{side.reading.reader} {pointer}"
        if key not in self._known:
            leaves = (leaf for _, (leaf, _) in zip(range(LEAVES), flatten(value)))
            self._known[key] = any(self._reads_path(side, below(path, leaf)) for leaf in leaves)
        return self._known[key]

    def _reads_path(self, side: Side, path: str) -> bool:
        """The elements of an array share one path, and there may be thousands."""
        key = (side.reading.reader, path)
        if key not in self._read:
            self._read[key] = self._module is None or bool(self._module.reads(path, side.reading.rules))
        return self._read[key]


def below(path: str, leaf: str) -> str:
    """The ledger path of what stands at `leaf` inside of `path`."""
    return f"{path}.{leaf}" if path and leaf and not leaf.startswith("[") else path + leaf


def pointers(delta: Delta) -> tuple[str, ...]:
    """Where the values of a delta stand: a call that begins has an id and a name."""
    element = (delta.extra or {}).get("element")
    if delta.kind == "tool.start" and element:
        below = (f"{element}{part}" for part in ("/id", "/function/name", "/name"))
        return tuple(dict.fromkeys((delta.pointer, *below)))
    return (delta.pointer,)


def _mark(evidences: Evidences, left: Side | None, event: int, place: int, delta: Delta) -> Mark:
    number = left.own_delta(event, place) if left is not None else None
    if left is None or number is None or number >= len(left.reading.delta_blocks):
        return Mark(kind_of(delta).meaning if delta.kind != "noop" else "")
    block = left.reading.delta_blocks[number]
    if block < 0:
        return Mark(kind_of(delta).meaning if delta.kind not in ("noop", "role", "finish") else "")
    return Mark(kind_of(delta).meaning, evidences.index_of(left).names[block])
