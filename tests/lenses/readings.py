"""Readings built by hand."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Block
from inspector_app.lenses import Difference, compare


@dataclass
class Reading:
    """A reading whose deltas came one an event, in two lines each: all numbers follow from the event's."""

    reader: str
    blocks: list[Block]
    client_error: Mapping[str, Any] | None = None
    last_event: int = 99
    unread: dict[int, str] = field(default_factory=dict)
    rules: ReadingRules = field(default_factory=ReadingRules)
    dialect_module: None = None
    delta_blocks: Any = ()
    layouts: Any = ()
    events: Any = ()

    def lines_of(self, n: int) -> tuple[int, int]:
        return 2 * n, 2 * n + 2

    def deltas_of(self, n: int) -> tuple[int, int]:
        return n, n + 1

    def event_of_delta(self, number: int) -> int:
        return number


def reading(*blocks: Block, reader: str = "b", **more: Any) -> Reading:
    for number, block in enumerate(blocks):
        block.n = number
    return Reading(reader, list(blocks), **more)


def block(
    kind: str, *fragments: str, at: int = 1, choice: int = 0, closed: tuple[str, int] | None = None, **more: Any
) -> Block:
    """A block whose fragments came one an event, from event `at` on."""
    end = at + max(len(fragments), 1) - 1
    made = Block(
        0,
        kind,
        choice,
        at,
        end,
        fragments=list(fragments),
        deltas=array("I", range(at, at + len(fragments))),
        fields=more,
    )
    if closed:
        made.closed_by, made.closed_at = closed
    return made


def reasoning(*fragments: str, **more: Any) -> Block:
    return block("reasoning", *fragments, **more)


def text(*fragments: str, **more: Any) -> Block:
    return block("text", *fragments, **more)


def call(*fragments: str, **more: Any) -> Block:
    return block("tool_call", *fragments, **{"id": "c1", "name": "f", **more})


def compared(a: list[Block], b: list[Block], **more: Any) -> Difference:
    return compare(reading(*a, reader="a"), reading(*b, **more))
