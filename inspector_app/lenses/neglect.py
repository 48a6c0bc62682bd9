"""What a client leaves unread: fields that built a block of one reading and that the other passes over."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Block

CONTAINERS = ("choices[].delta.", "choices[].message.", "choices[].", "delta.")
"""What stands before the name by which people know a field."""


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
    found: dict[str, set[int]] = {}
    for block in blocks if passed else ():
        for number in block.deltas:
            event = a.event_of_delta(number)
            name = passed.get((a.events.layouts[event], number - a.deltas_of(event)[0]), "")
            if name and not _has(b, event, block.kind):
                found.setdefault(name, set()).add(event)
    fields = (Neglected(name, len(events), min(events)) for name, events in found.items())
    return sorted(fields, key=lambda field: field.event)


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
