"""Compares the tool calls of two readings: which call became which, and what it lost on the way."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterator, Sequence

from inspector_app.core.ends import OWN_TOOLS
from inspector_app.core.types import Block
from inspector_app.lenses.align import Links, Strand, common_prefix, link
from inspector_app.lenses.changes import (
    Change,
    Side,
    altered,
    blocks_of,
    characters,
    fragmented,
    lost,
    merged,
    parts_at,
)

CALL = "tool_call"
MEMBERS = ("id", "name")
OVERWRITES = "non-null-overwrite"
"""The policy by which an empty id or name wipes out the one that was there (`core.rule_keys`)."""


def compare_calls(a: Side, b: Side) -> Iterator[Change]:
    """The differences between the tool calls: lost, glued, split, or other in id, name or arguments."""
    own = [block for block in a.blocks if block.kind == CALL]
    others = [block for block in b.blocks if block.kind == CALL]
    links = _pair(own, others)
    a_blocks, b_blocks = {block.n: block for block in own}, {block.n: block for block in others}
    instead = f"{blocks_of(len(others), CALL)} instead of {len(own)}"
    gone = [number for number, block in enumerate(own) if block.n not in links.parts]
    if gone:
        what = f"tool call {gone[0]}" if len(gone) == 1 else blocks_of(len(gone), CALL)
        headline = f"{what.capitalize()} {'is' if len(gone) == 1 else 'are'} lost"
        yield lost(a, b, what, headline, [own[number] for number in gone], own[gone[0]].first_event)
    glued = next((held for held in links.holders.values() if len(held) > 1), None)
    if glued:
        yield merged(a, b, [a_blocks[n] for n in sorted(glued)], instead)
    split = next((parts for parts in links.parts.values() if len(parts) > 1), None)
    if split:
        yield fragmented(a, b, [b_blocks[n] for n in split], instead)
    for number, block in enumerate(own):
        parts = links.parts.get(block.n, [])
        if parts and all(len(links.holders[n]) == 1 for n in parts):
            yield from _call(a, b, number, block, [b_blocks[n] for n in parts])
    new = [block for block in others if block.n not in links.holders]
    if new:
        yield altered(a, b, f"{blocks_of(len(new), CALL)} more", instead, new[0].first_event)


def _call(a: Side, b: Side, number: int, call: Block, parts: Sequence[Block]) -> Iterator[Change]:
    """Id, name, arguments and readiness of one call against the call, or the pieces, that the other reading has."""
    title = f"tool call {number}"
    missing = []
    for member in MEMBERS:
        held, got = _member(call, member), next(filter(None, (_member(part, member) for part in parts)), "")
        if held and not got:
            missing.append(member)
        elif held != got:
            headline = f"{title.capitalize()} has another {member}"
            yield altered(a, b, f"another {member} for {title}", headline, call.first_event)
    if missing:
        what = " and ".join(f"the {member}" for member in missing)
        headline = f"{title.capitalize()} lost " + " and ".join(f"its {member}" for member in missing)
        wiped = all(part.fields.get(member) == "" for part in parts for member in missing)
        empty = f"an empty {' and '.join(missing)}"
        cause, besides = f"wiped out by {empty}" if wiped else None, ""
        if wiped and all(getattr(b.reading.rules, f"{member}_policy") == OVERWRITES for member in missing):
            # To read the line would not be enough: what came behind it overwrites.
            besides = f"{empty} would wipe {'it' if len(missing) == 1 else 'them'} out too"
        # The label stands where the call begins, in both: they part where it goes.
        at = min((part.fields["wiped_at"] for part in parts if "wiped_at" in part.fields), default=call.first_event)
        yield lost(a, b, f"{what} of {title}", headline, [call], at if wiped else call.first_event, cause, besides)
    if len(parts) == 1:
        yield from _arguments_of(a, b, title, call, parts[0])


def _arguments_of(a: Side, b: Side, title: str, call: Block, other: Block) -> Iterator[Change]:
    held, got = call.text, other.text
    if held != got:
        event = parts_at(a, b, (Strand([call]), Strand([other])), common_prefix(held, got))
        if len(got) < len(held):
            short = characters(len(held) - len(got))
            headline = f"{title.capitalize()}: arguments {short} short"
            yield lost(a, b, f"{short} of the arguments of {title}", headline, [call], event)
        else:
            yield altered(a, b, f"other arguments for {title}", f"{title.capitalize()} has other arguments", event)
    ready, runs = call.fields.get("executable"), other.fields.get("executable")
    own = call.fields.get("tool_kind", "function") in OWN_TOOLS
    if own and ready is not None and runs is not None and ready != runs:
        state = "can be run" if runs else "cannot be run"
        yield altered(a, b, f"{title} as one that {state}", f"{title.capitalize()} {state}", call.last_event)


def _pair(own: Sequence[Block], others: Sequence[Block]) -> Links:
    """Pairs calls: equal ones first, then by the text of their arguments, then by id, name and order.

    Arguments come before the id, else calls that were glued under the id of the first would look like
    one whole call and lost ones.
    """
    links = Links()
    for key in (_whole, _name_and_arguments, _arguments):
        _join_equal(own, others, key, links)
    rest, free = _unpaired(own, others, links)
    by_text = link({(CALL, 0): Strand(rest)}, {(CALL, 0): Strand(free)})
    links.parts.update(by_text.parts)
    links.holders.update(by_text.holders)
    for key in (_id, _name, _any):
        _join_equal(own, others, key, links)
    return links


def _join_equal(own: Sequence[Block], others: Sequence[Block], key: Callable[[Block], Hashable], links: Links) -> None:
    """Pairs, in order, the calls not yet paired that have the same key; an empty key pairs nothing."""
    rest, free = _unpaired(own, others, links)
    waiting: defaultdict[Hashable, deque[Block]] = defaultdict(deque)
    for block in free:
        waiting[key(block)].append(block)
    for block in rest:
        same = key(block)
        if same and waiting[same]:
            links.join(block, waiting[same].popleft())


def _unpaired(own: Sequence[Block], others: Sequence[Block], links: Links) -> tuple[list[Block], list[Block]]:
    rest = [block for block in own if block.n not in links.parts]
    return rest, [block for block in others if block.n not in links.holders]


def _member(call: Block, member: str) -> str:
    """The id or the name; null, missing and empty are one (R1)."""
    return call.fields.get(member) or ""


def _whole(call: Block) -> Hashable:
    return _member(call, "id"), _member(call, "name"), call.text


def _name_and_arguments(call: Block) -> Hashable:
    return _member(call, "name"), call.text


def _arguments(call: Block) -> Hashable:
    return call.text


def _id(call: Block) -> Hashable:
    return _member(call, "id")


def _name(call: Block) -> Hashable:
    return _member(call, "name")


def _any(call: Block) -> Hashable:
    return True
