"""The blocks under construction and what can be done with them: open, feed, close.

Each choice has at most one open run (reasoning, text or refusal). What decides is in assembler.py and its neighbours.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from inspector_app.core.calls import Calls
from inspector_app.core.parts import Part, Parts
from inspector_app.core.rules import ReadingRules
from inspector_app.core.tags import Piece, TagSplitter
from inspector_app.core.types import Block, Delta

STRUCTURED = ("reasoning_details", "thinking_blocks")
"""Reasoning fields with entries of their own, which carry signatures."""

KINDS = {"reasoning.delta": "reasoning", "text.delta": "text", "refusal.delta": "refusal"}
"""Kinds of delta that carry text of a run, and the kind of block they feed."""

MEDIA = "media.delta"

LATEST = ("latest",)
"""Stands for the key of a delta that belongs to the latest block of its kind, and has a key of None."""

TextKey = tuple[str, int, str | None, Any]
"""Kind, choice, form and block key of a text: texts with one such key go to one block while nothing comes between."""


def text_key(delta: Delta) -> TextKey:
    """The key of a delta with text."""
    extra = delta.extra or {}
    key = extra.get("key")
    form = extra.get("form" if delta.kind != MEDIA else "media")
    return delta.kind, delta.choice, form, LATEST if key is None and "key" in extra else key


Note = Callable[[str, int, str, "Block | None", str], None]
"""Reports a repair or an odd fact: rule, event, pointer, block, words."""


@dataclass(slots=True)
class Choice:
    """What one choice has so far."""

    number: int
    calls: Calls
    run: Block | None = None
    """The open reasoning, text or refusal block."""
    last: Block | None = None
    reasoning: Block | None = None
    """The latest reasoning block, open or not: signatures belong to it (R9)."""
    text: Block | None = None
    signed: bool = False
    finished: int | None = None
    splitter: TagSplitter | None = None
    slots: dict[str, Block] = field(default_factory=dict)
    previous: str = ""
    citations: list[Any] = field(default_factory=list)
    parts: Parts = field(default_factory=Parts)
    """Blocks with a key."""
    open_tag: list[Piece] = field(default_factory=list)
    """The open tag without its close so far, and the white space around it."""
    opened_at: int = 0
    """The first block that may stand behind the last open tag."""


class Runs:
    """The state of all choices. `delta_blocks` is a column over delta numbers: the first block it fed, -1 for none."""

    def __init__(self, rules: ReadingRules, note: Note) -> None:
        self.rules = rules
        self.note = note
        self.event_of: Callable[[int], int] = lambda number: 0
        """The event of a delta."""
        self.blocks: list[Block] = []
        self.delta_blocks: array[int] = array("i")
        self.choices: dict[int, Choice] = {}
        self.finishes: list[dict[str, Any]] = []
        self.usage: dict[str, Any] | None = None
        self.errors: list[dict[str, Any]] = []
        self.client_error: dict[str, Any] | None = None
        self.stopped = False
        """True once this reader's client reads no further."""
        self.fast_key: TextKey | None = None
        self.fast_block: Any = None
        self.fast_part: Part | None = None
        """While the key is set, a lone text that has it may be given to the block unasked."""
        self.halves: dict[int, tuple[int, int]] = {}
        """Blocks that have a fragment with the first half of a surrogate pair at its end: its event and place."""
        self.split: set[int] = set()
        """Blocks in which a pair was cut in two (R13)."""
        self.grows = False
        """Whether texts may come as growing snapshots by design, so that two are enough to know them and it is no fault
        (R25): the dialect or the request says so."""
        self.settled = 0
        """How many blocks belong to answers that have ended."""
        self.tagged: list[Block] = []
        """Text blocks with a key that begin with a reasoning tag."""
        self.dropped: set[int] = set()
        """Blocks that are no part of the answer after all."""

    def choice(self, number: int) -> Choice:
        """The state of a choice, made when it is first needed."""
        found = self.choices.get(number)
        if found is None:
            calls = Calls(self.rules, number, lambda event: self.block("tool_call", number, event), self.note)
            found = self.choices[number] = Choice(number, calls)
            if self.rules.think_tags == "split":
                found.splitter = TagSplitter()
        return found

    def block(self, kind: str, choice: int, n: int) -> Block:
        """A new block of a choice."""
        block = Block(len(self.blocks), kind, choice, n, n)
        self.blocks.append(block)
        return block

    def run(self, choice: Choice, kind: str, n: int, form: str | None = None) -> Block:
        """The open run of a kind; another one is closed first."""
        run = choice.run
        if run is not None and run.kind == kind and run.fields.get("form") == form:
            return run
        self.close(choice, kind, n)
        block = self._resumed(choice, kind, form)
        if block is None:
            block = self.block(kind, choice.number, n)
            if form:
                block.fields["form"] = form
        else:
            block.state = "open"
            block.closed_by = block.closed_at = None
        if self.rules.block_form == "slots":
            choice.slots[kind] = block
        choice.run = choice.last = block
        return block

    def _resumed(self, choice: Choice, kind: str, form: str | None) -> Block | None:
        """The block that goes on although its run has ended, None for a new one."""
        if self.rules.block_form == "slots":
            return choice.slots.get(kind)
        text, reasoning = choice.text, choice.reasoning
        if kind == "text" and self.rules.text_end != "any" and text is not None:
            return text if self.rules.text_end == "never" or reasoning is None or reasoning.n < text.n else None
        last = choice.last
        if choice.finished is None or last is None or last.kind != kind or last.fields.get("form") != form:
            return None
        # What comes late goes on where the finish reason cut it off; a signed thought does not go on (R5, R14).
        return last if last.closed_by != "reasoning" else None

    def close(self, choice: Choice, by: str, n: int | None, on: str | None = None) -> None:
        """End the open run: `by` is the contract's word, `on` the characters that did it when they were empty."""
        self.fast_key = None
        run = choice.run
        if run is None:
            return
        choice.run = None
        choice.signed = False
        run.closed_by = by
        run.closed_at = n
        if on is not None:
            run.fields["closed_on"] = on
        if run.state == "open":
            run.state = "truncated" if by == "error" else "complete"

    def feed(self, block: Block | None, n: int, number: int) -> None:
        """Tie a delta to the block that its text went to."""
        assert block is not None
        block.deltas.append(number)
        block.last_event = n
        if self.delta_blocks[number] < 0:
            self.delta_blocks[number] = block.n

    def plain_text(self, choice: Choice, n: int, number: int, text: str) -> Block:
        """Text of a delta that holds no tag."""
        block = self.run(choice, "text", n)
        block.fragments.append(text)
        self.feed(block, n, number)
        self.odd(block, text, n)
        choice.text = block
        if choice.citations:
            block.fields.setdefault("citations", []).extend(choice.citations)
            choice.citations.clear()
        return block

    def odd(self, block: Block, text: str, n: int) -> None:
        """Remember blocks whose last fragments were cut inside a surrogate pair (R13)."""
        if text.isascii():
            return
        at = len(block.fragments) - 1
        half = self.halves.pop(block.n, None)
        if half is not None and half[1] == at - 1 and "\udc00" <= text[0] <= "\udfff":
            self.split.add(block.n)
            self.note("text-split-surrogate", half[0], "", block, "")
        if "\ud800" <= text[-1] <= "\udbff":
            self.halves[block.n] = n, at

    def late(self, choice: Choice, n: int, what: str) -> None:
        """Note content that comes after the finish reason (R14, R26)."""
        if choice.finished is not None and choice.finished != n:
            self.note("finish-content-after", n, "", choice.last, what)

    def fail(self, n: int, message: str, stop: bool) -> None:
        """This reader's client raises here (`stop`) or reports an error part and goes on."""
        if self.client_error is None:
            self.client_error = {"event": n, "message": message, "part": not stop}
        self.stopped = self.stopped or stop
