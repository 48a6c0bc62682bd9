"""Keyed blocks: opening one, finding the one that a delta names, and readers that count them (R42, R43)."""

from __future__ import annotations

from typing import Any

from inspector_app.core.call_keys import ClientError
from inspector_app.core.parts import COUNTS_DELTAS, ID_CHANGES, NOT_STARTED, Part
from inspector_app.core.runs import Choice, Runs
from inspector_app.core.types import Block, Delta

RUNS_ON = 3
"""Deltas after which an index that rises with each of them is reported."""


def open_part(runs: Runs, choice: Choice, n: int, extra: dict[str, Any], announced: bool) -> Part:
    """A new block for a key; an implicit run beside it ends."""
    kind = extra["block"]
    runs.close(choice, kind, n)
    runs.late(choice, n, kind)
    block = runs.block(kind, choice.number, n)
    part = Part(block, announced, item=extra.get("item"))
    choice.last = block
    if kind == "text":
        choice.text = block
        if choice.citations:
            block.fields["citations"] = list(choice.citations)
            choice.citations.clear()
    elif kind == "reasoning":
        choice.reasoning = block
        if extra.get("form"):
            block.fields["form"] = extra["form"]
    elif kind == "tool_call":
        block.fields |= {"id": None, "name": None, "tool_kind": extra.get("kind", "function"), "type": None}
        block.fields["index"] = extra.get("index")
        if extra.get("nameless"):
            block.fields["id_made_up"] = f"made-up-{choice.number}-{len(choice.parts.order)}"
    label(block, extra)
    choice.parts.order.append(part)
    key = extra["key"]
    choice.parts.by_key[key if key is not None else ("unnamed", len(choice.parts.order))] = part
    return part


def label(block: Block, extra: dict[str, Any]) -> None:
    """Id, name and type of a call or of its result, what media are: the first that is given and not empty."""
    for key in ("id", "name", "type", "phase", "media"):
        if isinstance(extra.get(key), str) and not block.fields.get(key):
            block.fields[key] = extra[key]


def part_of(runs: Runs, choice: Choice, n: int, delta: Delta, extra: dict[str, Any]) -> Part:
    """The block that a delta names; one that nobody started is opened from it."""
    part = choice.parts.find(extra["key"], extra["block"])
    if part is not None:
        return part
    part = _folded(runs, choice, n, delta, extra)
    if part is None:
        part = open_part(runs, choice, n, extra, announced=False)
        runs.note(NOT_STARTED, n, delta.pointer, part.block, f"{extra['block']} {extra.get('index', '')}".rstrip())
        if type(extra.get("run")) is int:
            part.run = extra["run"], 1
    return part


def _folded(runs: Runs, choice: Choice, n: int, delta: Delta, extra: dict[str, Any]) -> Part | None:
    """The part before, where the index counts deltas and announces no part of its own (R43)."""
    run, last = extra.get("run"), choice.parts.order[-1] if choice.parts.order else None
    if type(run) is not int or last is None or last.item != extra.get("item") or last.block.kind != extra["block"]:
        return None
    known = last.run or ((run - 1, 1) if len(last.block.fragments) == 1 else None)
    if known is None or known[0] != run - 1 or len(last.block.fragments) != known[1]:
        return None
    last.run = run, known[1] + 1
    choice.parts.by_key[extra["key"]] = last
    if last.run[1] >= RUNS_ON:
        runs.note(COUNTS_DELTAS, n, delta.pointer, last.block, f"index {run} in delta {last.run[1]} of one part")
    return last


def beyond(runs: Runs, choice: Choice, extra: dict[str, Any]) -> bool:
    """For readers that take an index for a place in a list of blocks: true where the delta is lost to them."""
    mode, index = runs.rules.index_as_position, extra.get("index")
    if mode == "no" or type(index) is not int or index < choice.parts.started:
        return False
    if mode == "error":
        raise ClientError("IndexError: list index out of range", ends=True)
    choice.parts.beyond |= mode == "error-at-end"
    return mode == "drop"


def note_item(runs: Runs, choice: Choice, n: int, delta: Delta, extra: dict[str, Any]) -> None:
    """Note an item whose name on the wire changes; it goes on being one by its key."""
    name, item = extra.get("item_id"), extra.get("item")
    if not name or item is None or not isinstance(name, str):
        return
    held = choice.parts.names.setdefault(item, name)
    if held != name:
        part = next((part for part in reversed(choice.parts.order) if part.item == item), None)
        runs.note(ID_CHANGES, n, delta.pointer, None if part is None else part.block, f"{held} became {name}")
        choice.parts.names[item] = name
