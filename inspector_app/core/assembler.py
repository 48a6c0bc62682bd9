"""Deltas to blocks: the only place with state across events, governed by `ReadingRules` (dialects.md section 5).

Strategy. Each choice has at most one open run (reasoning, text or refusal); everything else closes it or leaves it
alone. Tool calls have their own resolver (`Calls`). What a rule of a client changes is a filter in front (`admit`,
built once from the rules that differ) or a branch where the decision falls. A repair or an odd fact is a note: the
name of its rule, the event, the pointer, the block.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from inspector_app.core import ends, extras, keyed
from inspector_app.core.admit import NO_PLACES, Pairs, admission
from inspector_app.core.calls import ClientError
from inspector_app.core.counts import Counts
from inspector_app.core.rule_keys import REASONING_FIELDS
from inspector_app.core.rules import ReadingRules
from inspector_app.core.runs import KINDS, MEDIA, STRUCTURED, Choice, Note, Runs, text_key
from inspector_app.core.settle import end_generation, settling
from inspector_app.core.sources import ordered, pick, without_copies
from inspector_app.core.think import exact_tag, release, start_anew, take_pieces
from inspector_app.core.tool_parts import take_tools
from inspector_app.core.types import Block, Delta

IN_PLACE = frozenset({"text.delta", "reasoning.delta", "media.delta", "tool.result"})
"""Kinds that make blocks of their own where they stand among parts with a key."""


class Assembler(Runs):
    """Takes the deltas of one event after another; `blocks`, `finishes`, `usage`, `errors` are the answer so far."""

    def __init__(self, rules: ReadingRules, note: Note) -> None:
        super().__init__(rules, note)
        self._unread = frozenset(REASONING_FIELDS) - frozenset(rules.reasoning_fields)
        self._admit = admission(rules)
        self.places = NO_PLACES
        """Where the dialect that is being read holds what the filters go by."""
        self._counted: tuple[int, Delta, Counts] | None = None
        """Usage that has come and is not held yet: further usage of its kind takes its place."""
        self._by_message: set[int] = set()
        """Choices that have said nothing but in messages."""
        self._simple_rules = (
            rules.reasoning_join == "append"
            and rules.text_join == "append"
            and rules.reasoning_end != "key-presence"
            and rules.think_tags != "exact-delta"
        )
        self._handlers: dict[str, Callable[[int, int, Delta], None]] = {
            **{kind: partial(handler, self) for kind, handler in (extras.HANDLERS | ends.HANDLERS).items()},
            "refusal.delta": self._refusal,
            "text.delta": self._text,
            "noop": self._empty,
            "absent": self._empty,
        }

    # one event

    def apply(self, n: int, deltas: Sequence[Delta], number: int) -> None:
        """Take the deltas of event n; `number` is the delta number of the first that is shown."""
        self.fast_key = None
        self._hold()
        rows = [delta for delta in deltas if delta.kind != "absent"]
        self.delta_blocks.extend([-1] * len(rows))
        numbers: list[int] = []
        for delta in deltas:
            numbers.append(number)
            number += delta.kind != "absent"
        pairs = list(zip(numbers, deltas, strict=True))
        try:
            if self._admit is not None:
                pairs = self._admit(self, n, pairs)
            if any(delta.extra and "whole" in delta.extra for delta in deltas):
                pairs = self._unsaid(pairs)
            self._apply(n, pairs)
        except ClientError as error:
            self.fail(n, error.message, stop=error.ends)

    def _unsaid(self, pairs: Pairs) -> Pairs:
        """Without the message of a choice that speaks in deltas (R32)."""
        if self.rules.message == "appended":
            return pairs
        whole = {d.choice for _, d in pairs if d.extra and "whole" in d.extra and d.kind not in ("role", "absent")}
        said = {number for number in whole - self._by_message if self.choice(number).last is not None}
        self._by_message |= whole - said
        return [pair for pair in pairs if not (pair[1].extra and "whole" in pair[1].extra and pair[1].choice in said)]

    def _apply(self, n: int, pairs: Pairs) -> None:
        named = [pair for pair in pairs if _is_keyed(pair)]
        if named and len(named) < len(pairs) and any(d.kind in IN_PLACE for _, d in pairs if not _is_keyed((0, d))):
            # Parts with a key stand among parts without: all in the order of the wire.
            for _, alike in groupby(pairs, _is_keyed):
                self._apply(n, list(alike))
            return
        if named:
            for number, delta in named:
                keyed.take(self, n, number, delta)
            pairs = [pair for pair in pairs if not _is_keyed(pair)]
        reasoning = [pair for pair in pairs if pair[1].kind.startswith("reasoning.") and _from_field(pair[1])]
        if reasoning:
            rest = [pair for pair in pairs if pair not in reasoning] if len(reasoning) < len(pairs) else []
            by_choice: dict[int, Pairs] = {}
            for pair in reasoning:
                by_choice.setdefault(pair[1].choice, []).append(pair)
            for group in by_choice.values():
                self._reasoning(n, group)
            pairs = without_copies(self.rules, self.note, n, reasoning, rest)
        handlers = self._handlers
        tools: Pairs = []
        for number, delta in pairs:
            kind = delta.kind
            if kind in ("tool.start", "tool.args"):
                tools.append((number, delta))
                continue
            if tools:
                take_tools(self, n, tools)
                tools = []
            if kind == "reasoning.delta":
                self._part(n, number, delta)
            else:
                handler = handlers.get(kind)
                if handler is not None:
                    handler(n, number, delta)
        if tools:
            take_tools(self, n, tools)

    def count(self, n: int, delta: Delta, counts: Counts) -> None:
        """Usage of an event that is like an earlier one but for its text and the numbers of `counts`."""
        if self._counted is not None and (self.rules.usage in ("sum", "max") or self._counted[2] is not counts):
            self._hold()
        # The same counts are told and none is zero, so that nothing is left of what came before.
        self._counted = n, delta, counts

    def _hold(self) -> None:
        if self._counted is not None:
            n, delta, _ = self._counted
            self._counted = None
            self._handlers["usage"](n, -1, delta)

    def admits(self, deltas: Sequence[Delta]) -> bool:
        """Whether these deltas pass the client's filters as they are, so that their like need not be asked again."""
        for delta in deltas:
            extra = delta.extra or {}
            if "whole" in extra or (extra.get("entry") and self.rules.details_entries == "first"):
                return False
        pairs = list(enumerate(deltas))
        return self._admit is None or self._admit(self, 0, list(pairs)) == pairs

    def repeat(self, n: int, number: int, like: Delta, value: str) -> bool:
        """One lone text like an earlier delta; afterwards `fast_key` says whether the next may skip this call.

        False when nothing was done and the event has to be read the long way.
        """
        self.fast_key = None
        extra = like.extra or {}
        if "key" in extra:
            part = keyed.repeat(self, n, number, like, value)
            if part is not None:
                self.fast_key, self.fast_block, self.fast_part = text_key(like), part.block, part
            return part is not None
        choice = self.choices.get(like.choice) or self.choice(like.choice)
        if like.kind == "tool.args":
            block = choice.calls.same(n, extra.get("index"), value, number) if choice.run is None else None
            if block is None:
                return False
            self.delta_blocks[number] = block.n
            self.late(choice, n, "arguments")
            return True
        if like.kind == "reasoning.delta":
            if extra.get("field") in self._unread:
                return True
            self._append_reasoning(choice, n, number, value, extra.get("field", ""), extra.get("form", "raw"))
        elif like.kind == "text.delta":
            self._append_text(choice, n, number, value)
        elif like.kind == MEDIA:
            self._handlers[MEDIA](n, number, like)
            if extra.get("media") == "audio" and choice.finished is None:
                self.fast_key, self.fast_block, self.fast_part = text_key(like), choice.last, None
            return True
        else:
            self._refusal(n, number, like._replace(value=value))
        run = choice.run
        if (
            run is not None
            and self._simple_rules
            and choice.finished is None
            and KINDS[like.kind] == run.kind
            and not choice.signed
            and (run.kind != "text" or choice.splitter is None or choice.splitter.dormant)
            and run.fields.get("form") in (None, extra.get("form"))
        ):
            self.fast_key = text_key(like)
            self.fast_block, self.fast_part = run, None
        return True

    def touch(self, number: int, deltas: Sequence[Delta], n: int) -> None:
        """Take only the empty keys of an event whose text went the fast way."""
        for delta in deltas:
            self._empty(n, number, delta)

    # reasoning

    def _reasoning(self, n: int, group: Pairs) -> None:
        """All reasoning fields of one choice in one event: pick the source (R10), order the entries, append."""
        choice = self.choice(group[0][1].choice)
        read = [pair for pair in group if pair[1].kind != "reasoning.delta" or _is_thought(pair[1], self._unread)]
        skip = pick(self.rules, self.note, n, read) if len(read) > 1 else ()
        thoughts = [delta for _, delta in read if delta.kind == "reasoning.delta"]
        if len(read) > 1 and not any((delta.extra or {}).get("field") in STRUCTURED for delta in thoughts):
            # A signature beside the text of a plain field is the signature of that text.
            read.sort(key=lambda pair: pair[1].kind != "reasoning.delta")
        for number, delta in ordered(self.rules, read):
            extra = delta.extra or {}
            if delta.kind != "reasoning.delta":
                self._handlers[delta.kind](n, number, delta)
            elif (field := extra.get("field", "")) not in skip:
                self._append_reasoning(choice, n, number, delta.value, field, extra.get("form", "raw"))

    def _part(self, n: int, number: int, delta: Delta) -> None:
        """A thinking part of a content list, in its place among the text parts."""
        extra = delta.extra or {}
        if extra.get("field") not in self._unread:
            form = extra.get("form", "raw")
            self._append_reasoning(self.choice(delta.choice), n, number, delta.value, extra.get("field", ""), form)

    def _append_reasoning(self, choice: Choice, n: int, number: int, text: str, name: str, form: str) -> None:
        if choice.signed and choice.run is not None:
            self.close(choice, "reasoning", n)
        self.late(choice, n, "reasoning")
        start_anew(self, choice, n)
        block = self.run(choice, "reasoning", n, form)
        if self.rules.reasoning_join != "append":
            _forget(block)
        block.fragments.append(text)
        block.fields.setdefault("field", name)
        self.feed(block, n, number)
        self.odd(block, text, n)
        choice.reasoning = block

    # text

    def _text(self, n: int, number: int, delta: Delta) -> None:
        self._append_text(self.choice(delta.choice), n, number, delta.value)

    def _append_text(self, choice: Choice, n: int, number: int, text: str) -> None:
        rules = self.rules
        self.late(choice, n, "text")
        if rules.text_join == "strip-prefix":
            whole, text = text, text[len(choice.previous) :] if _continues(text, choice.previous) else text
            choice.previous = whole
        if rules.think_tags == "exact-delta" and exact_tag(self, choice, n, number, text):
            return
        splitter = choice.splitter
        if splitter is None or splitter.dormant:
            self.plain_text(choice, n, number, text)
        else:
            take_pieces(self, choice, n, splitter.feed(number, text), number)

    def _refusal(self, n: int, number: int, delta: Delta) -> None:
        choice = self.choice(delta.choice)
        if self.rules.refusal == "lost":
            return
        if self.rules.refusal == "text":
            self._append_text(choice, n, number, delta.value)
            return
        self.late(choice, n, "refusal")
        release(self, choice, n)
        block = self.run(choice, "refusal", n)
        block.fragments.append(delta.value)
        self.feed(block, n, number)
        self.odd(block, delta.value, n)

    # what is empty, and the end

    def _empty(self, n: int, number: int, delta: Delta) -> None:
        """An empty key: nothing for the reference, an end or a loss of reasoning for some families of clients (R5)."""
        rules = self.rules
        choice = self.choices.get(delta.choice)
        if choice is None or choice.reasoning is None:
            return
        name = (delta.extra or {}).get("field")
        join = rules.reasoning_join
        replaces = join == "last-or-null" or (join == "last" and delta.value is not None)
        if replaces and name == choice.reasoning.fields.get("field"):
            _forget(choice.reasoning)
        if rules.reasoning_end == "non-empty" or choice.run is None or choice.run.kind != "reasoning":
            return
        if rules.reasoning_end == "non-null-tool-calls":
            ends = name == "tool_calls" and delta.value is not None
        else:
            ends = name in ("tool_calls", "content", "refusal", "function_call")
        if ends:
            by = "text" if name == "content" else "refusal" if name == "refusal" else "tool_call"
            self.close(choice, by, n, f"{name}: {_shown(delta.value)}")

    def next_generation(self, n: int) -> None:
        """Another answer begins with event n; the one before is complete, or was given up."""
        self.fast_key = None
        self._by_message = set()
        end_generation(self, n - 1, broke_off=any(choice.finished is None for choice in self.choices.values()))

    def ending(self, n: int, broke_off: bool) -> Iterator[None]:
        """The data has ended after event n; `broke_off` when no clean end came. With a rest now and then."""
        self._hold()
        yield from settling(self, n, broke_off)


def _is_keyed(pair: tuple[int, Delta]) -> bool:
    """True for a delta that names its block by a key."""
    return pair[1].extra is not None and "key" in pair[1].extra


def _from_field(delta: Delta) -> bool:
    """True for reasoning of a field of its own; a part of a content list keeps its place among the text."""
    extra = delta.extra or {}
    return extra.get("field") != "content_parts" and "position" not in extra


def _is_thought(delta: Delta, unread: Container[str]) -> bool:
    """A thought that this reader reads; only the fields of the Chat family can be left unread."""
    return delta.kind == "reasoning.delta" and (delta.extra or {}).get("field", "") not in unread


def _forget(block: Block) -> None:
    """What it held is replaced, and so is the field that it came from."""
    block.fragments.clear()
    block.fields.pop("field", None)
    del block.deltas[:]


def _continues(text: str, previous: str) -> bool:
    return bool(previous) and text.startswith(previous)


def _shown(value: Any) -> str:
    return {"None": "null", "''": '""'}.get(repr(value), repr(value))
