"""Blocks with explicit starts and ends: dialects that name the block of each delta by a key (R42 to R45).

A delta whose `extra` has a `key` comes here, whatever its dialect. The keys of one choice are independent of each
other, so blocks may overlap, have gaps between their indexes, start without a start and end without an end. Faults
are notes by the words of `parts.py`; which rule they are is the dialect's to say. `extra` may hold besides:

- `index`: the number on the wire; `item`: what several blocks belong to, and `item_id`, the wire's name of it;
- `part`: the number of a part inside the block (summary parts); `keeps_open`: an end of that part alone;
- `resumes`: a start that opens nothing where its block is open; `block`: the kind, where the delta does not tell;
- `repeats`: an end that comes again in every later event, which is no part of its block unless it says more;
- `alone`: a value that has no deltas by design; `mode`: `start` for arguments that a start brought along, `replace`
  for a text that takes the place of what was said, `snapshot`, `first`, `append` or `patch` for a state;
- `implied`: nothing ends this block but the next one; `closes` of a `step.end`: the kinds of block that end there;
- `nth`: the place among the blocks of its item, where that is all an end tells;
- `starts`: a statement that opens its block itself;
- `nameless`: a call that needs no id and has none, so that one is made up; `path`: the place of a patch;
- `id`, `name`, `kind`, `type` of a call; `run`: the index to fold by where it counts deltas (R43).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from inspector_app.core.arguments import parses_to, text_of
from inspector_app.core.keyed_blocks import beyond, label, note_item, open_part, part_of
from inspector_app.core.keyed_extras import HANDLERS
from inspector_app.core.parts import (
    AFTER_CLOSE,
    DONE_ONLY,
    MISMATCH,
    NOT_CLOSED,
    NOT_STARTED,
    SEVERAL_PARTS,
    SNAPSHOT,
    START_FILLED,
    Part,
)
from inspector_app.core.runs import Choice, Runs
from inspector_app.core.types import Delta

BLOCKS = {
    "text": "text",
    "reasoning": "reasoning",
    "refusal": "refusal",
    "tool": "tool_call",
    "media": "media",
    "state": "state",
    "unknown": "other",
    "noop": "",
}
"""First word of a delta's kind, and the kind of block it speaks of."""


def take(runs: Runs, n: int, number: int, delta: Delta) -> None:
    """One delta with a key. Raises ClientError where this reader's client would."""
    extra = delta.extra or {}
    choice = runs.choice(delta.choice)
    _implied_end(choice, n, delta, extra)
    handler = HANDLERS.get(delta.kind)
    if handler is None:
        stem, _, what = delta.kind.partition(".")
        handler = _start if what == "start" else _end if what == "end" or stem == "noop" else _piece
        extra = extra if "block" in extra else extra | {"block": BLOCKS[stem]}
    part = handler(runs, choice, n, number, delta, extra)
    if part is not None and runs.delta_blocks[number] < 0:
        runs.delta_blocks[number] = part.block.n
        part.block.last_event = max(part.block.last_event, n)
    note_item(runs, choice, n, delta, extra)
    if part is not None and extra.get("implied"):
        choice.parts.implied = part


def _implied_end(choice: Choice, n: int, delta: Delta, extra: dict[str, Any]) -> None:
    """A block without an end of its own ends where another one goes on."""
    held = choice.parts.implied
    if held is None or held.ended is not None:
        return
    kind = extra.get("block") or BLOCKS.get(delta.kind.partition(".")[0], "")
    if choice.parts.find(extra["key"], kind) is not held:
        held.ended, choice.parts.implied = n, None
        by = kind if kind in ("text", "reasoning", "refusal", "tool_call", "media") else "explicit"
        held.block.state, held.block.closed_by, held.block.closed_at = "complete", by, n


def repeat(runs: Runs, n: int, number: int, like: Delta, value: str) -> Part | None:
    """One more text like an earlier delta, given to its block; None when the long way has to decide."""
    extra = like.extra or {}
    choice = runs.choices.get(like.choice)
    kind = extra.get("block") or BLOCKS[like.kind.partition(".")[0]]
    part = choice.parts.find(extra["key"], kind) if choice is not None else None
    if choice is None or part is None or part.ended is not None or choice.finished is not None or part.run is not None:
        return None
    implied = choice.parts.implied
    if implied is not part and (implied is not None or extra.get("implied")):
        return None
    name, item = extra.get("item_id"), extra.get("item")
    if name and isinstance(name, str) and item is not None and choice.parts.names.get(item) != name:
        return None  # The item has had another name since.
    block = part.block
    fits = block.kind == kind and block.fields.get("form") in (None, extra.get("form"))
    if not fits or (part.cuts and part.cuts[-1][0] != extra.get("part")) or block.n in runs.halves:
        return None
    if extra.get("mode") == "replace":
        part.forget()
    block.fragments.append(value)
    runs.feed(block, n, number)
    return part


def close_open(runs: Runs, choice: Choice, by: str, n: int | None) -> None:
    """What is still open closes for a reason that is not its own end: finish, error, end of the data."""
    for part in choice.parts.open():
        if part.block.closed_by is None:
            part.block.closed_by, part.block.closed_at = by, n
            part.block.state = "complete" if by == "finish" else "truncated"


def end_step(runs: Runs, n: int, closes: Collection[str]) -> None:
    """The end of a step ends the blocks of these kinds, whose keys mean something inside of one step only."""
    for choice in runs.choices.values():
        for part in choice.parts.open():
            if part.block.kind in closes:
                part.ended = n
                part.block.state, part.block.closed_by, part.block.closed_at = "complete", "explicit", n
    runs.fast_key = None


def settle_parts(runs: Runs, choice: Choice, n: int) -> None:
    """An answer has ended after event n: ends that never came, arguments that only a start gave, values of ends."""
    for part in choice.parts.order:
        _fill(runs, part)
        if part.ended is None:
            runs.note(NOT_CLOSED, n, "", part.block, part.block.kind)
        if part.whole and part.block.override is None:
            part.block.override = part.read()
    close_open(runs, choice, "finish" if choice.finished is not None else "end", choice.finished)
    if choice.parts.beyond:
        runs.fail(n, "TypeError: a block stands beyond the end of the list", stop=True)


def _start(runs: Runs, choice: Choice, n: int, number: int, delta: Delta, extra: dict[str, Any]) -> Part | None:
    parts = choice.parts
    part = parts.by_key.get(extra["key"])
    if part is not None and part.ended is None and extra.get("resumes"):
        part.announced = True
        label(part.block, extra)
        return part
    part = open_part(runs, choice, n, extra, announced=True)
    parts.started += 1
    if delta.kind == "media.start":
        part.block.fields["media"] = extra.get("media")
    return part


def _piece(runs: Runs, choice: Choice, n: int, number: int, delta: Delta, extra: dict[str, Any]) -> Part | None:
    kind = extra["block"]
    if extra.get("starts"):
        _start(runs, choice, n, number, delta, extra)
    elif beyond(runs, choice, extra):
        return None
    part = part_of(runs, choice, n, delta, extra)
    if part.block.kind != kind:
        runs.note(MISMATCH, n, delta.pointer, part.block, f"{delta.kind} for a block of kind {part.block.kind}")
        if runs.rules.type_mismatch == "drop":
            return None
        part = open_part(runs, choice, n, extra | {"key": None}, announced=False)
        choice.parts.by_key[extra["key"]] = part
    if extra.get("mode") == "start":
        text = text_of(delta.value, runs.rules.args_object) or ""
        part.held = text, number
        if extra.get("kind", "function") == "function":
            runs.note(START_FILLED, n, delta.pointer, part.block, part.block.fields.get("name") or "")
        return part
    if extra.get("mode") == "replace" and kind in ("text", "reasoning"):
        runs.halves.pop(part.block.n, None)
        part.forget()
    elif part.ended is not None:
        runs.note(AFTER_CLOSE, n, delta.pointer, part.block, part.block.kind)
    runs.late(choice, n, kind)
    part = _formed(runs, choice, n, part, extra)
    if "part" in extra and (not part.cuts or part.cuts[-1][0] != extra["part"]):
        part.cuts.append((extra["part"], len(part.block.fragments)))
        _several(runs, n, delta, part)
    _append(runs, part, n, number, delta)
    return part


def _several(runs: Runs, n: int, delta: Delta, part: Part) -> None:
    if len(part.cuts) == 2 and part.block.kind == "reasoning":
        runs.note(SEVERAL_PARTS, n, delta.pointer, part.block, "")


def _formed(runs: Runs, choice: Choice, n: int, part: Part, extra: dict[str, Any]) -> Part:
    """The block for reasoning of this form: plain and summary text of one item are two blocks (R5)."""
    form = extra.get("form")
    block = part.block
    if form is None or block.fields.setdefault("form", form) == form:
        return part
    if not block.fragments:
        block.fields["form"] = form
        return part
    key = (extra["key"], form)
    return choice.parts.by_key.get(key) or open_part(runs, choice, n, extra | {"key": key}, announced=True)


def _append(runs: Runs, part: Part, n: int, number: int, delta: Delta) -> None:
    block = part.block
    text = text_of(delta.value, runs.rules.args_object) if block.kind == "tool_call" else delta.value
    if isinstance(text, str) and (block.kind != "media" or (delta.extra or {}).get("transcript")):
        block.fragments.append(text)
        runs.feed(block, n, number)
        if text:
            runs.odd(block, text, n)
        return
    block.fragments.append("")
    runs.feed(block, n, number)
    if block.kind in ("state", "other"):
        part.state.take(delta.value, (delta.extra or {}).get("mode"))
        block.fields["result"] = part.state.value


def _end(runs: Runs, choice: Choice, n: int, number: int, delta: Delta, extra: dict[str, Any]) -> Part | None:
    """An end of any kind; one whose event does not say of what is a no-op with a key."""
    if delta.kind == "noop":
        delta = delta._replace(value=None)
    value = delta.value if delta.value is None or isinstance(delta.value, str) else text_of(delta.value, "dump")
    part = choice.parts.find(extra["key"], extra["block"])
    if part is None and "nth" in extra:
        part = choice.parts.nth(extra["item"], extra["block"], extra["nth"])
    if part is None:
        if not value and not extra.get("opens"):
            if "whole" not in extra and not extra.get("quiet"):
                runs.note(NOT_STARTED, n, delta.pointer, None, f"the end of {extra.get('index', 'a block')}")
            return None
        part = open_part(runs, choice, n, extra, announced=False)
        if "whole" not in extra:
            runs.note(NOT_STARTED, n, delta.pointer, part.block, f"{extra['block']} {extra.get('index', '')}".rstrip())
    label(part.block, extra)
    _fill(runs, part)
    if value is not None and not isinstance(delta.value, str) and parses_to(part.block.text, delta.value):
        value = None  # The deltas said the same object, in a spelling of their own.
    if extra.get("repeats") and part.ended is not None and (value is None or not part.differs(value, None)):
        return None
    if value is not None:
        part = _formed(runs, choice, n, part, extra) if part.block.kind == "reasoning" else part
        _compare(runs, choice, n, number, delta, part, value, extra)
    if not extra.get("keeps_open") and part.ended is None:
        part.ended = n
        block = part.block
        block.state, block.closed_by, block.closed_at = "complete", "explicit", n
        runs.fast_key = None
    return part


def _compare(
    runs: Runs, choice: Choice, n: int, number: int, delta: Delta, part: Part, value: str, extra: dict[str, Any]
) -> None:
    """An end that gives the whole value: it counts where it differs from what the deltas said (R44)."""
    name = extra.get("part")
    if not part.differs(value, name):
        return
    block, said = part.block, part.length(name)
    if not said:
        if name is not None and name not in part.lengths:
            part.cuts.append((name, len(block.fragments)))
            _several(runs, n, delta, part)
        block.fragments.append(value)
        runs.feed(block, n, number)
        runs.odd(block, value, n)
        if not extra.get("alone") and "whole" not in extra:
            runs.note(DONE_ONLY, n, delta.pointer, block, block.fields.get("name") or block.kind)
        return
    runs.note(SNAPSHOT, n, delta.pointer, block, f"{len(value)} characters where the deltas have {said}")
    part.whole[name] = value


def _fill(runs: Runs, part: Part) -> None:
    """The arguments of the start, where no delta brought any, or those that came by path."""
    if part.patches is not None:
        part.block.override = text_of(part.patches.whole(), "dump")
    if part.held is not None and not any(part.block.fragments):
        text, number = part.held
        part.block.fragments.append(text)
        part.block.deltas.append(number)
        runs.delta_blocks[number] = part.block.n
    part.held = None
