"""Which index the pieces of tool calls should carry: the place of their call among the calls of its choice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from inspector_app.core.json_tokens import OBJECT
from inspector_app.core.reading import Reading
from inspector_app.core.types import Block, Delta, Exchange
from inspector_app.variations._change import Edit
from inspector_app.variations._json import Node
from inspector_app.variations._payloads import Payload, edited

LIST = "/tool_calls/"
"""The list whose elements carry an index; other dialects number whole blocks, and a missing number is no use there."""

Numbers = dict[int, int]
"""Block -> the index of its call."""


def unfit(reading: Reading) -> str:
    """Why there is nothing to number, in words."""
    some = any(LIST in row[2] for layout in reading.layouts.all for row in layout.rows if row[0].startswith("tool."))
    return "" if some else "there are no pieces of tool calls in a list called tool_calls"


def numbered(reading: Reading, numbers: Numbers, wrong: Callable[[Any, int], bool]) -> Exchange:
    """The exchange with the right index in each piece of a call whose index is `wrong(what it is, what it should be)`.

    What it is is None for one that is missing, too.
    """

    def edits(payload: Payload) -> Iterator[Edit]:
        root = payload.root
        for element, number in _elements(reading, payload.n, numbers).items():
            node = root.at(element) if root is not None else None
            if node is not None and node.kind == OBJECT:
                yield from _set(payload, node, number, wrong)

    return edited(reading, edits)


def _elements(reading: Reading, n: int, numbers: Numbers) -> dict[str, int]:
    """The pieces of calls in an event, by pointer, with their index."""
    first, end = reading.deltas_of(n)
    found: dict[str, int] = {}
    for number, delta in zip(range(first, end), reading.deltas(n), strict=False):
        block = reading.delta_blocks[number] if number < len(reading.delta_blocks) else -1
        element = element_of(delta)
        if element and block in numbers:
            found.setdefault(element, numbers[block])
    return found


def element_of(delta: Delta) -> str:
    """The pointer of the piece of a call that a delta is of, empty for any other delta."""
    if not delta.kind.startswith("tool.") or LIST not in delta.pointer:
        return ""
    head, _, tail = delta.pointer.rpartition(LIST)
    return f"{head}{LIST}{tail.partition('/')[0]}"


def _set(payload: Payload, node: Node, number: int, wrong: Callable[[Any, int], bool]) -> Iterator[Edit]:
    held = node.member("index")
    value = None if held is None else json.loads(payload.data[held.start : held.end].decode("utf-8", "replace"))
    if not wrong(value, number):
        return
    if held is not None:
        yield payload.edit(held.start, held.end, str(number).encode())
    else:
        comma = "," if node.children else ""
        yield payload.edit(node.start + 1, node.start + 1, f'"index":{number}{comma}'.encode())


def calls_of(reading: Reading) -> list[Block]:
    """The tool calls that were made of pieces, in their order."""
    return [block for block in reading.blocks if block.kind == "tool_call"]
