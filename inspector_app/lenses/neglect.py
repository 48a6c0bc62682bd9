"""What a client leaves unread: fields that built a block of one reading and that the other passes over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Block

CONTAINERS = ("choices[].delta.", "choices[].message.", "choices[].", "delta.")
"""What stands before the name by which people know a field."""
TOGETHER = 4096
"""Deltas of a block that are looked at together."""


class Neglect(Protocol):
    """What of a reading tells which fields it took (`core.reading.Reading`)."""

    @property
    def blocks(self) -> Sequence[Block]: ...
    @property
    def rules(self) -> ReadingRules: ...
    @property
    def dialect_module(self) -> ModuleType | None: ...
    @property
    def delta_blocks(self) -> Any: ...
    @property
    def last_event(self) -> int: ...
    @property
    def layouts(self) -> Any: ...
    @property
    def events(self) -> Any: ...
    def deltas_of(self, n: int, /) -> tuple[int, int]: ...
    def event_of_delta(self, number: int, /) -> int: ...


class Neglected(NamedTuple):
    """A field that is not read: its name, how many events brought it, the first one of them."""

    name: str
    events: int
    event: int


def neglected(a: Neglect, b: Neglect, blocks: Sequence[Block]) -> list[Neglected]:
    """The fields that gave these blocks of a and that b does not read, by first event.

    An event does not count where b has the same kind of content out of it, from a mirror of the field.
    """
    module = a.dialect_module
    if module is None or module is not b.dialect_module or a.last_event != b.last_event:
        return []
    passed = {
        (layout.number, place): name
        for layout in a.layouts.all
        for place, row in enumerate(layout.rows)
        if (name := _unread(module, row[2], a.rules, b.rules))
    }
    # A mark for each event: there may be a million of them, and a field may be in all.
    found: dict[str, bytearray] = {}
    for block in blocks if passed else ():
        for at in range(0, len(block.deltas), TOGETHER):
            for name, event in _passed_over(a, b, block.kind, block.deltas[at : at + TOGETHER], passed):
                if name not in found:
                    found[name] = bytearray(a.last_event + 1)
                found[name][event] = 1
    fields = (Neglected(name, marks.count(1), marks.index(1)) for name, marks in found.items())
    return sorted(fields, key=lambda field: field.event)


def _passed_over(
    a: Neglect, b: Neglect, kind: str, deltas: Sequence[int], passed: Mapping[tuple[int, int], str]
) -> Iterator[tuple[str, int]]:
    """The fields among these deltas of a that b passes over, each with its event."""
    first, last = a.event_of_delta(min(deltas)), a.event_of_delta(max(deltas))
    layouts = a.events.layouts[first : last + 1]
    concerned = {layout for layout, _ in passed}.intersection(layouts)
    if not concerned:
        return
    # Mostly b has nothing of the kind out of any of these events: then no single one is asked.
    fed = set(b.delta_blocks[b.deltas_of(first)[0] : b.deltas_of(last)[1]])
    some = any(number >= 0 and b.blocks[number].kind == kind for number in fed)
    begin = a.deltas_of(first)[0]
    if begin == deltas[0] and a.deltas_of(last)[1] - begin == len(layouts) == len(deltas) and not some:
        # One delta an event, none left out.
        for event, layout in enumerate(layouts, first):
            if layout in concerned and (name := passed.get((layout, 0), "")):
                yield name, event
        return
    for number in deltas:
        event = a.event_of_delta(number)
        if layouts[event - first] in concerned:
            name = passed.get((layouts[event - first], number - a.deltas_of(event)[0]), "")
            if name and not (some and _has(b, event, kind)):
                yield name, event


def _unread(module: ModuleType, pointer: str, ours: ReadingRules, theirs: ReadingRules) -> str:
    """The name of the field at a pointer where these rules read it and those do not, else empty."""
    path = "".join("[]" if part.isdigit() else f".{part}" for part in pointer.split("/")[1:]).removeprefix(".")
    if not module.reads(path, ours) or module.reads(path, theirs):
        return ""
    start = next((len(holder) for holder in CONTAINERS if path.startswith(holder)), 0)
    name = path[start:].partition("[")[0].partition(".")[0]
    # `content` is read as a text and not as a list: then it is the list that has no name of its own.
    return f"{name}[]" if module.reads(path[:start] + name, theirs) else name


def _has(reading: Neglect, event: int, kind: str) -> bool:
    fed = (reading.delta_blocks[delta] for delta in range(*reading.deltas_of(event)))
    return any(number >= 0 and reading.blocks[number].kind == kind for number in fed)
