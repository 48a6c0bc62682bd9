"""Pieces of tool calls without an index: a client that goes by the index loses them or glues them together."""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.core.types import Block, Exchange
from inspector_app.variations._change import REPAIR
from inspector_app.variations._indices import Numbers, calls_of, element_of, numbered, unfit
from inspector_app.variations._payloads import BY_LINES

NAME = "give-indices"
TITLE = "Give each piece of a tool call that has no index the one of its call"
SORT = REPAIR
KEEPS_MEANING = True
FRAMINGS = BY_LINES
__all__ = ["FRAMINGS", "KEEPS_MEANING", "NAME", "SORT", "TITLE", "apply", "unfit"]


def apply(reading: Reading) -> Exchange:
    return numbered(reading, _numbers(reading), lambda held, right: held is None)


def _numbers(reading: Reading) -> Numbers:
    """The index that other pieces of the call carry; for calls without any the next one that is free."""
    found: Numbers = {}
    taken: dict[int, set[int]] = {}
    for block in calls_of(reading):
        index = _carried(reading, block)
        if index is not None:
            found[block.n] = index
            taken.setdefault(block.choice, set()).add(index)
    for block in calls_of(reading):
        if block.n not in found:
            used = taken.setdefault(block.choice, set())
            found[block.n] = next(number for number in range(len(used) + 1) if number not in used)
            used.add(found[block.n])
    return found


def _carried(reading: Reading, block: Block) -> int | None:
    for number in block.deltas:
        event = reading.event_of_delta(number)
        delta = reading.deltas(event)[number - reading.deltas_of(event)[0]]
        index = (delta.extra or {}).get("index")
        if element_of(delta) and type(index) is int:
            return index
    return None
