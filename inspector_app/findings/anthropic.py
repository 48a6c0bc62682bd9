"""Anthropic Messages: events without names, blocks with wrong numbers, starts and stops that do not pair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspector_app.core import flags as F
from inspector_app.core.diagnosis import Report, Rule, Seen, Watcher
from inspector_app.core.reading import Reading
from inspector_app.findings._places import flagged

ANTHROPIC = frozenset({"anthropic-messages"})
"""Dialects that have its blocks."""

EVERY = frozenset({"*"})


def _no_name(reading: Reading, report: Report) -> None:
    if reading.speaks not in ANTHROPIC or reading.framing != "sse":
        return
    names, layouts = reading.events.names, reading.events.layouts
    said = {layout.number for layout in reading.layouts.all if layout.rows}
    lost = set(flagged(reading, F.NOT_JSON))
    for n, number in enumerate(layouts):
        if number in said and not names.get(n) and n not in lost:
            report(n)


class _Blocks:
    """The indexes of one message as its starts and stops name them."""

    def __init__(self) -> None:
        self.next = 0
        self.open: set[int | None] = set()


def _kind(seen: Seen) -> str:
    """The type of an event of this dialect, "" for any other."""
    if seen.dialect not in ANTHROPIC or type(seen.payload) is not dict:
        return ""
    kind = seen.payload.get("type") or seen.name
    return kind if isinstance(kind, str) else ""


def _index(payload: dict[str, Any]) -> int | None:
    index = payload.get("index")
    return index if type(index) is int else None


def _at_starts(judge: Callable[[_Blocks, int | None], str]) -> Callable[[Report], Watcher]:
    """A watcher that reports what `judge` says of the index of a block that starts, "" for nothing."""

    def watcher(report: Report) -> Watcher:
        blocks = _Blocks()

        def watch(seen: Seen) -> None:
            nonlocal blocks
            kind = _kind(seen)
            if kind in ("message_start", "message_stop"):
                blocks = _Blocks()
            elif kind == "content_block_stop":
                blocks.open.discard(_index(seen.payload))
            elif kind == "content_block_start":
                index = _index(seen.payload)
                if words := judge(blocks, index):
                    report(seen.n, "/index", detail=words)
                if index is not None and index not in blocks.open:
                    blocks.next = index + 1
                blocks.open.add(index)

        return watch

    return watcher


def _gap(blocks: _Blocks, index: int | None) -> str:
    fits = index in blocks.open or index == blocks.next
    return "" if fits else f"{index} where {blocks.next} was due"


def _overlap(blocks: _Blocks, index: int | None) -> str:
    others = ", ".join(sorted(map(str, blocks.open)))
    return f"{index} while {others} is open" if others else ""


def _restart(report: Report) -> Watcher:
    held: str | None = None
    open_message = False

    def watch(seen: Seen) -> None:
        nonlocal held, open_message
        kind = _kind(seen)
        if kind == "message_stop":
            open_message = False
        elif kind == "message_start":
            message = seen.payload.get("message")
            own = message.get("id") if type(message) is dict else None
            if open_message and (not own or not held or own == held):
                report(seen.n, "/type" if "type" in seen.payload else None, detail=str(own or "no id"))
            held, open_message = own or held, True

    return watch


RULES = (
    Rule(
        "anthropic-event-name-missing",
        "error",
        "event",
        "{count} event{s} without an `event:` line.",
        "Write an `event:` line with the type of the payload in front of each data line.",
        why="The official SDKs look at the name alone, so to them these events do not exist; here the type counts.",
        breaks=(
            "anthropic-sdk-python 2.14.0: 0 events, AssertionError in the helper",
            "@anthropic-ai/sdk 1.14.0 helper: says that no chunk ever came",
            "pi #4381: empty answer",
        ),
        end=_no_name,
    ),
    Rule(
        "anthropic-index-gap",
        "error",
        "event",
        "{count} block{s} whose index is not the next one, first {detail}.",
        "Count the blocks of a message from 0 and leave no number out.",
        why="A helper that keeps blocks in a list takes the index for a place in it.",
        breaks=(
            "anthropic-sdk-python 2.14.0 helper: IndexError",
            "@anthropic-ai/sdk 1.14.0 helper: shows empty text and says nothing",
            "new-api #5482, #5483: fail",
        ),
        kinds=EVERY,
        watch=_at_starts(_gap),
    ),
    Rule(
        "anthropic-block-not-started",
        "error",
        "event",
        "{count} event{s} for a block that never started ({detail}).",
        "Send content_block_start ahead of everything else a block has.",
        why="Here a block is opened from the type of its delta; helpers have nothing to add it to.",
        breaks=(
            "anthropic-sdk-python 2.14.0 helper: IndexError",
            "@anthropic-ai/sdk 1.14.0 helper: TypeError",
            "Claude Code: Content block not found",
            "anthropic-sdk-python #1273, sub2api #4286: stop with an error",
        ),
    ),
    Rule(
        "anthropic-block-not-closed",
        "error",
        "block",
        "A block of kind {detail} never gets its stop.",
        "Send content_block_stop for each block, and only then message_delta.",
        why="To a reader that goes by starts and stops the call or the text is never complete.",
        breaks=(
            "fantasy #364: waits for the end of the call",
            "readers that act on the stop: never run the call",
        ),
        under=("error-in-stream", "end-truncated"),
    ),
    Rule(
        "anthropic-block-type-mismatch",
        "error",
        "event",
        "{count} delta{s} of another kind than the block: {detail}.",
        "Start a block of its own for every kind of content.",
        why="What does not fit is shown here and added nowhere; other readers lose it or give up.",
        breaks=(
            "anthropic-sdk-python 2.14.0 helper, @anthropic-ai/sdk 1.14.0 helper: lose it and say nothing",
            "@ai-sdk/anthropic 3.0.140: shows it as reasoning",
            "Claude Code: Mismatched content block type",
            "sglang #24293, claude-code-router #1725: stop with an error",
        ),
    ),
    Rule(
        "anthropic-overlapping-blocks",
        "warning",
        "event",
        "{count} block{s} began inside another one, first {detail}.",
        "End the block at hand, then begin the next.",
        why="Readers that know just one current block put the pieces of two into it.",
        breaks=("cc-switch #2303: mixes two calls",),
        kinds=EVERY,
        watch=_at_starts(_overlap),
    ),
    Rule(
        "anthropic-message-start-repeated",
        "warning",
        "event",
        "The same message starts {count} more time{s} ({detail}).",
        "Send one message_start per message.",
        why="It is read as one message all the same, but the order of events is not what the protocol says.",
        breaks=("Kimi-K2.5 #33: strict readers report a wrong order of events",),
        kinds=EVERY,
        watch=_restart,
    ),
    Rule(
        "anthropic-start-input-filled",
        "warning",
        "block",
        "The input of a call stands in its start: {detail}.",
        "Send the input in input_json_delta events as well.",
        why="It is legal where programs call tools, yet whoever collects deltas alone has an empty object.",
        breaks=("gajae-code #1895: runs the tool without its input",),
    ),
)
"""The rules of this family."""
