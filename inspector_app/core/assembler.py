"""Deltas to blocks: the only place with state across events, governed by `ReadingRules` (dialects.md section 5).

Strategy. Each choice has at most one open run (reasoning, text or refusal); everything else closes it or leaves it
alone. Tool calls have their own resolver (`Calls`). What a rule of a client changes is a filter in front (`admit`,
built once from the rules that differ) or a branch where the decision falls. A repair or an odd fact is a note: the
name of its rule, the event, the pointer, the block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from inspector_app.core.admit import admission
from inspector_app.core.calls import ABSENT, ClientError, Fragment
from inspector_app.core.extras import HANDLERS
from inspector_app.core.rules import ReadingRules
from inspector_app.core.runs import KINDS, Choice, Note, Runs
from inspector_app.core.settle import end_generation, settle
from inspector_app.core.sources import ordered, pick
from inspector_app.core.think import exact_tag, take_pieces
from inspector_app.core.types import Delta


class Assembler(Runs):
    """Takes the deltas of one event after another; `blocks`, `finishes`, `usage`, `errors` are the answer so far."""

    def __init__(self, rules: ReadingRules, note: Note) -> None:
        super().__init__(rules, note)
        self.finishes: list[dict[str, Any]] = []
        self.usage: dict[str, Any] | None = None
        self.errors: list[dict[str, Any]] = []
        self._fields = frozenset(rules.reasoning_fields)
        self._admit = admission(rules)
        self._simple_rules = (
            rules.reasoning_join == "append"
            and rules.text_join == "append"
            and rules.reasoning_end != "key-presence"
        )
        self._handlers: dict[str, Callable[[int, int, Delta], None]] = {
            **{kind: partial(handler, self) for kind, handler in HANDLERS.items()},
            "refusal.delta": self._refusal,
            "text.delta": self._text,
            "noop": self._empty,
            "absent": self._empty,
            "finish": self._finish,
            "usage": self._usage,
            "error": self._error,
        }

    # one event

    def apply(self, n: int, deltas: Sequence[Delta], number: int) -> None:
        """Take the deltas of event n; `number` is the delta number of the first that is shown."""
        self.fast_key = None
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

    def _unsaid(self, pairs: list[tuple[int, Delta]]) -> list[tuple[int, Delta]]:
        """Without the message of a choice that has said something in deltas already (R32)."""
        if self.rules.message == "appended":
            return pairs
        said = {number for number, choice in self.choices.items() if choice.last is not None}
        return [pair for pair in pairs if not (pair[1].extra and "whole" in pair[1].extra and pair[1].choice in said)]

    def _apply(self, n: int, pairs: list[tuple[int, Delta]]) -> None:
        reasoning = [pair for pair in pairs if pair[1].kind.startswith("reasoning.") and _from_field(pair[1])]
        if reasoning:
            rest = [pair for pair in pairs if pair not in reasoning] if len(reasoning) < len(pairs) else []
            by_choice: dict[int, list[tuple[int, Delta]]] = {}
            for pair in reasoning:
                by_choice.setdefault(pair[1].choice, []).append(pair)
            for group in by_choice.values():
                self._reasoning(n, group)
            pairs = rest
        handlers = self._handlers
        tools: list[tuple[int, Delta]] = []
        for number, delta in pairs:
            kind = delta.kind
            if kind in ("tool.start", "tool.args"):
                tools.append((number, delta))
                continue
            if tools:
                self._tools(n, tools)
                tools = []
            if kind == "reasoning.delta":
                self._part(n, number, delta)
            else:
                handler = handlers.get(kind)
                if handler is not None:
                    handler(n, number, delta)
        if tools:
            self._tools(n, tools)

    def admits(self, deltas: Sequence[Delta]) -> bool:
        """Whether these deltas pass the client's filters as they are, so that their like need not be asked again."""
        pairs = list(enumerate(deltas))
        return self._admit is None or self._admit(self, 0, list(pairs)) == pairs

    def repeat(self, n: int, number: int, like: Delta, value: str) -> bool:
        """One lone text like an earlier delta; afterwards `fast_key` says whether the next may skip this call.

        False when nothing was done and the event has to be read the long way.
        """
        self.fast_key = None
        choice = self.choices.get(like.choice) or self.choice(like.choice)
        extra = like.extra or {}
        if like.kind == "tool.args":
            block = choice.calls.same(n, extra.get("index"), value, number)
            if block is None:
                return False
            self.delta_blocks[number] = block.n
            self.late(choice, n, "arguments")
            return True
        if like.kind == "reasoning.delta":
            if extra["field"] not in self._fields:
                return True
            self._append_reasoning(choice, n, number, value, extra["field"], extra.get("form", "raw"))
        elif like.kind == "text.delta":
            self._append_text(choice, n, number, value)
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
            self.fast_key = (like.kind, like.choice, extra.get("form"))
            self.fast_block = run
        return True

    def touch(self, number: int, deltas: Sequence[Delta], n: int) -> None:
        """Take only the empty keys of an event whose text went the fast way."""
        for delta in deltas:
            self._empty(n, number, delta)

    # runs

    # reasoning

    def _reasoning(self, n: int, group: list[tuple[int, Delta]]) -> None:
        """All reasoning fields of one choice in one event: pick the source (R10), order the entries, append."""
        choice = self.choice(group[0][1].choice)
        texts: dict[str, str] = {}
        read = []
        for pair in group:
            name = pair[1].extra["field"] if pair[1].extra else ""
            if name not in self._fields and not (name == "reasoning_opaque" or pair[1].kind != "reasoning.delta"):
                continue
            read.append(pair)
            if pair[1].kind == "reasoning.delta":
                texts[name] = texts.get(name, "") + pair[1].value
        skip: set[str] = set()
        if len(texts) > 1:
            skip = pick(self.rules, self.note, n, group, texts)
        for number, delta in ordered(self.rules, read):
            extra = delta.extra or {}
            if delta.kind != "reasoning.delta":
                self._handlers[delta.kind](n, number, delta)
            elif extra["field"] not in skip:
                self._append_reasoning(choice, n, number, delta.value, extra["field"], extra.get("form", "raw"))

    def _part(self, n: int, number: int, delta: Delta) -> None:
        """A thinking part of a content list, in its place among the text parts."""
        extra = delta.extra or {}
        if extra.get("field") in self._fields:
            self._append_reasoning(self.choice(delta.choice), n, number, delta.value, extra["field"], "raw")

    def _append_reasoning(self, choice: Choice, n: int, number: int, text: str, name: str, form: str) -> None:
        if choice.signed and choice.run is not None:
            self.close(choice, "reasoning", n)
        self.late(choice, n, "reasoning")
        if choice.splitter is not None:
            take_pieces(self, choice, n, choice.splitter.reset())
        block = self.run(choice, "reasoning", n, form)
        if self.rules.reasoning_join == "last":
            block.fragments.clear()
            del block.deltas[:]
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
            take_pieces(self, choice, n, splitter.feed(number, text))

    def _refusal(self, n: int, number: int, delta: Delta) -> None:
        choice = self.choice(delta.choice)
        if self.rules.refusal == "lost":
            return
        if self.rules.refusal == "text":
            self._append_text(choice, n, number, delta.value)
            return
        self.late(choice, n, "refusal")
        block = self.run(choice, "refusal", n)
        block.fragments.append(delta.value)
        self.feed(block, n, number)

    # tools, media, citations

    def _tools(self, n: int, pairs: list[tuple[int, Delta]]) -> None:
        """Fragments of calls: start and arguments of one element are one fragment."""
        elements: dict[tuple[int, str], list[tuple[int, Delta]]] = {}
        for pair in pairs:
            extra = pair[1].extra or {}
            elements.setdefault((pair[1].choice, extra["element"]), []).append(pair)
        for (index, pointer), parts in elements.items():
            choice = self.choice(index)
            start = next((number for number, delta in parts if delta.kind == "tool.start"), None)
            args = next((pair for pair in parts if pair[1].kind == "tool.args"), None)
            extra = parts[0][1].extra or {}
            if start is None and args is not None and "legacy" not in extra:
                # The commonest fragment: more arguments for the call that had the last ones.
                same = choice.calls.same(n, extra.get("index"), args[1].value, args[0])
                if same is not None:
                    self.delta_blocks[args[0]] = same.n
                    self.late(choice, n, "arguments")
                    continue
            if extra.get("legacy") and self.rules.legacy_call == "ignored":
                continue
            fragment = Fragment(
                n,
                pointer,
                extra["position"],
                extra["count"],
                extra.get("id", ABSENT),
                extra.get("index", ABSENT),
                extra.get("name", ABSENT),
                ABSENT if args is None else args[1].value,
                extra.get("type", ABSENT),
                start,
                None if args is None else args[0],
                extra.get("kind", "function"),
            )
            block = choice.calls.legacy(fragment) if extra.get("legacy") else choice.calls.fragment(fragment)
            if block is None:
                continue
            for number, _ in parts:
                if self.delta_blocks[number] < 0:
                    self.delta_blocks[number] = block.n
            self.late(choice, n, "arguments")
            if choice.splitter is not None:
                take_pieces(self, choice, n, choice.splitter.reset())
            if not (self.rules.text_end == "reasoning" and choice.run is not None and choice.run.kind == "text"):
                self.close(choice, "tool_call", n)
            choice.last = block

    # what is empty, and how it ends

    def _empty(self, n: int, number: int, delta: Delta) -> None:
        """An empty key: nothing for the reference, an end of reasoning for two families of clients (R5)."""
        rules = self.rules
        if rules.reasoning_end == "non-empty":
            return
        choice = self.choices.get(delta.choice)
        if choice is None or choice.run is None or choice.run.kind != "reasoning":
            return
        name = (delta.extra or {}).get("field")
        if rules.reasoning_end == "non-null-tool-calls":
            ends = name == "tool_calls" and delta.value is not None
        else:
            ends = name in ("tool_calls", "content", "refusal", "function_call")
        if ends:
            by = "text" if name == "content" else "refusal" if name == "refusal" else "tool_call"
            self.close(choice, by, n, f"{name}: {_shown(delta.value)}")

    def _finish(self, n: int, number: int, delta: Delta) -> None:
        choice = self.choice(delta.choice)
        extra = delta.extra or {}
        entry = {"choice": delta.choice, "raw": delta.value, "reason": extra.get("reason"), "event": n}
        entry["pointer"] = delta.pointer
        self.finishes.append(entry)
        if choice.splitter is not None:
            take_pieces(self, choice, n, choice.splitter.finish())
        self.close(choice, "finish", n)
        choice.calls.finish(n)
        if choice.finished is None:
            choice.finished = n

    def _usage(self, n: int, number: int, delta: Delta) -> None:
        """Snapshots: the last value that is not null wins field by field, zeros never replace a count (R35)."""
        mode = self.rules.usage
        if mode == "none":
            return
        held = self.usage or dict.fromkeys(delta.value)
        for key, value in delta.value.items():
            if value is None:
                continue
            old = held.get(key)
            if mode == "sum":
                held[key] = (old or 0) + value
            elif mode == "max":
                held[key] = max(old or 0, value)
            elif value or not old:
                held[key] = value
        raw = (delta.extra or {}).get("raw") or {}
        held["raw"] = (held.get("raw") or {}) | {key: value for key, value in raw.items() if value is not None}
        self.usage = held

    def _error(self, n: int, number: int, delta: Delta) -> None:
        value = delta.value
        rules = self.rules
        if rules.error_key == "ignored":
            return
        if rules.error_key in ("throw", "part"):
            message = value.get("message")
            text = message if isinstance(message, str) else "error in the stream"
            self.fail(n, text, stop=rules.error_key == "throw")
        for choice in self.choices.values():
            self.close(choice, "error", n)
        self.errors.append({"event": n} | {key: value.get(key) for key in ("type", "code", "message")})
        block = self.block("error", delta.choice, n)
        block.state, block.closed_by, block.closed_at = "complete", "explicit", n
        block.fields |= {key: value.get(key) for key in ("type", "code", "message")}
        message = value.get("message")
        block.fragments.append(message if isinstance(message, str) else "")
        self.feed(block, n, number)

    def next_generation(self, n: int) -> None:
        """Another answer begins with event n; the one before is complete, or was given up."""
        self.fast_key = None
        end_generation(self, n - 1, broke_off=any(choice.finished is None for choice in self.choices.values()))

    def end(self, n: int, broke_off: bool) -> None:
        """The data has ended after event n; `broke_off` when no clean end came."""
        settle(self, n, broke_off)


def _from_field(delta: Delta) -> bool:
    """True for reasoning of a field of its own; a part of a content list keeps its place among the text."""
    extra = delta.extra or {}
    return extra.get("field") != "content_parts" and "position" not in extra


def _continues(text: str, previous: str) -> bool:
    return bool(previous) and text.startswith(previous)


def _shown(value: Any) -> str:
    return {"None": "null", "''": '""'}.get(repr(value), repr(value))
