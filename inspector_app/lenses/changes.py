"""What two readings differ in, one change at a time, and the words for it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from inspector_app.core.types import Block
from inspector_app.lenses.align import Strand
from inspector_app.lenses.neglect import Neglect, Neglected, neglected

Verdict = Literal["failed", "lost", "merged", "fragmented", "altered", "same"]

VERDICTS: tuple[Verdict, ...] = ("failed", "lost", "merged", "fragmented", "altered", "same")
"""From the worst to none."""

LABELS = {
    "reasoning": "reasoning", "text": "text", "refusal": "refusal", "tool_call": "tool call",
    "tool_result": "tool result", "media": "media", "error": "error", "state": "state", "other": "other",
}  # fmt: skip

CLOSERS = {
    "text": "text", "refusal": "a refusal", "tool_call": "a tool call", "media": "media", "reasoning": "reasoning",
    "finish": "the finish reason", "error": "an error", "explicit": "an explicit end", "end": "the end of the data",
}  # fmt: skip
"""`Block.closed_by` in words."""

EMPTY_CLOSERS = {
    "text": "an empty content", "refusal": "an empty refusal", "tool_call": "`tool_calls: []`",
    "media": "an empty media field", "reasoning": "an empty reasoning field",
}  # fmt: skip
"""The same where no block of that kind stands at the place: then only an empty field of it can have been the cause."""


class Comparable(Neglect, Protocol):
    """What of a reading is compared (`core.reading.Reading`)."""

    @property
    def reader(self) -> str: ...
    @property
    def client_error(self) -> Mapping[str, Any] | None: ...
    @property
    def last_event(self) -> int: ...
    @property
    def unread(self) -> Mapping[int, str]: ...
    def lines_of(self, n: int, /) -> tuple[int, int]: ...


class Side(NamedTuple):
    """One of the two readings, under the name that it has in this comparison."""

    name: str
    reading: Comparable

    @property
    def blocks(self) -> Sequence[Block]:
        return self.reading.blocks


class Change(NamedTuple):
    """One difference: where it starts, one sentence about it, and a headline with its cause for the window.

    `lacks` is what is missing, in words, where something is. `reason` is the cause where more than a place is known.
    """

    verdict: Verdict
    event: int
    why: str
    headline: str
    cause: str
    lacks: str = ""
    reason: str = ""


def lost(
    a: Side,
    b: Side,
    what: str,
    headline: str,
    blocks: Sequence[Block],
    event: int,
    cause: str | None = None,
    besides: str = "",
) -> Change:
    """b lacks `what`, which stands in these blocks of a. What b did not read of what built them is the reason: an event
    or a field; else `cause` is, and the loss is seen from `event` on. `besides` is what would make b lack it even if it
    read that event.
    """
    skipped, fields = _first_unread(a, b, blocks), neglected(a.reading, b.reading, blocks)
    if fields and (skipped is None or fields[0].event < skipped):
        event, cause = fields[0].event, " and ".join(map(_told, fields))
    elif skipped is not None:
        event, words = skipped, b.reading.unread[skipped]
        others = sum(other == words for other in b.reading.unread.values()) - 1
        more = f", nor {'is 1 other' if others == 1 else f'are {others} others'}" if others else ""
        told = f"line {b.reading.lines_of(event)[0]} is not read ({words}){more}"
        cause = ", and ".join(filter(None, (told, besides)))
    why = f"{b.name} lacks {what}: {cause or f'from event {event} on'}"
    return Change("lost", event, why, headline, cause or f"from event {event} on", what, cause or "")


def _told(field: Neglected) -> str:
    """'`reasoning_details` is not read (47 events, from event 2)'."""
    events = f"{field.events} event{'' if field.events == 1 else 's'}"
    return f"`{field.name}` is not read ({events}, from event {field.event})"


def merged(a: Side, b: Side, pieces: Sequence[Block], headline: str) -> Change:
    """b holds in one block what are several (`pieces`, in order of appearance) for a."""
    second = pieces[1]
    label, event = LABELS[second.kind], second.first_event
    why = f"{b.name} goes on in one block at event {event}, where {a.name} begins a new one: {label}"
    cause = f"{label} begins anew at event {event}"
    if any(piece.fields.get("form") == "inline_tag" for piece in pieces) and second.kind == "text":
        cause = f"the tags around the thought are read as text; the answer begins at event {event}"
    return Change("merged", event, why, headline, cause)


def fragmented(a: Side, b: Side, pieces: Sequence[Block], headline: str) -> Change:
    """b holds in several blocks (`pieces`) what is one for a."""
    first, second = pieces[:2]
    event = second.first_event if first.closed_at is None else first.closed_at
    closer = _closer(b, first)
    label = LABELS[first.kind]
    why = f"{b.name} ends the {label} block at event {event}" + (f" because of {closer}" if closer else "")
    where = f"from event {event} on" if len(pieces) > 2 else f"at event {event}"
    cause = f"closed by {closer} {where}" if closer else where
    return Change("fragmented", event, f"{why}, where {a.name} goes on", headline, cause)


def altered(a: Side, b: Side, what: str, headline: str, event: int) -> Change:
    """b has `what` where a has something else."""
    return Change("altered", event, f"{b.name} has {what}, unlike {a.name}", headline, f"from event {event} on")


def _closer(b: Side, block: Block) -> str:
    """What closed a block, in words; the empty string when that is not known."""
    by, at = block.closed_by, block.closed_at
    if by is None:
        return ""
    if by in EMPTY_CLOSERS and at is not None:
        real = any(
            other.kind == by and other is not block and other.first_event <= at <= other.last_event
            for other in b.blocks
        )
        if real:
            return CLOSERS[by]
        field = block.fields.get("closed_on")
        return f"`{field}`" if field else EMPTY_CLOSERS[by]
    return CLOSERS.get(by, by)


def _first_unread(a: Side, b: Side, blocks: Iterable[Block]) -> int | None:
    """The first event that b did not read among those that built these blocks of a."""
    if not b.reading.unread or a.reading.last_event != b.reading.last_event:
        return None  # another number of events: the framings differ, and so do the numbers of one and the same event
    unread = sorted(b.reading.unread)
    for block in blocks:
        for event in unread[bisect_left(unread, block.first_event) : bisect_right(unread, block.last_event)]:
            first, end = a.reading.deltas_of(event)
            at = bisect_left(block.deltas, first)
            if at < len(block.deltas) and block.deltas[at] < end:
                return event
    return None


def event_at(side: Side, strand: Strand, position: int) -> int:
    """The event that brought the character at `position` of a strand; past its end, the strand's last event."""
    index = min(bisect_right(strand.starts, position), len(strand.blocks)) - 1
    block = strand.blocks[index]
    offset = position - strand.starts[index]
    if offset >= len(strand.texts[index]):
        return block.last_event
    for fragment, delta in zip(block.fragments if block.override is None else (), block.deltas):
        if offset < len(fragment):
            return side.reading.event_of_delta(delta)
        offset -= len(fragment)
    return block.first_event


def parts_at(a: Side, b: Side, strands: tuple[Strand, Strand], position: int) -> int:
    """The event at which two strands part that are the same up to `position`.

    What a mended block of a holds came in no event alone: then it is the event at which b has what a has not.
    """
    ours, theirs = strands
    mended = ours.blocks[min(bisect_right(ours.starts, position), len(ours.blocks)) - 1].override is not None
    as_came = theirs.blocks and position < theirs.starts[-1] and a.reading.last_event == b.reading.last_event
    return event_at(b, theirs, position) if mended and as_came else event_at(a, ours, position)


def blocks_of(count: int, kind: str) -> str:
    """'1 reasoning block', '3 tool calls'."""
    noun = LABELS[kind] if kind in ("tool_call", "tool_result") else f"{LABELS[kind]} block"
    return f"{count} {noun}{'' if count == 1 else 's'}"


def characters(count: int) -> str:
    return f"{count} character{'' if count == 1 else 's'}"
