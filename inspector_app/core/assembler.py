"""Deltas to blocks: the only place with state across events, governed by `ReadingRules` (dialects.md section 5).

Strategy. Each choice has at most one open run (reasoning, text or refusal); everything else closes it or leaves it
alone. Tool calls have their own resolver (`Calls`). What a rule of a client changes is a filter in front (`admit`,
built once from the rules that differ) or a branch where the decision falls. A repair or an odd fact is a note: the
name of its rule, the event, the pointer, the block.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector_app.core.admit import admission
from inspector_app.core.arguments import outcome
from inspector_app.core.calls import ABSENT, Calls, ClientError, Fragment
from inspector_app.core.joins import is_cumulative
from inspector_app.core.rules import ReadingRules
from inspector_app.core.tags import Piece, TagSplitter
from inspector_app.core.text import join_halves
from inspector_app.core.types import Block, Delta

KINDS = {"reasoning.delta": "reasoning", "text.delta": "text", "refusal.delta": "refusal"}
STRUCTURED = ("reasoning_details", "thinking_blocks")
PICK_ORDER = ("reasoning_content", "reasoning", "reasoning_text", "thinking")

Note = Callable[[str, int, str, "Block | None", str], None]


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
    tag_from: int = 0
    previous: str = ""
    content_event: int = -1
    citations: list[Any] = field(default_factory=list)
    open_tag: list[tuple[str, int, int, int]] = field(default_factory=list)


class Assembler:
    """Takes the deltas of one event after another; `blocks`, `finishes`, `usage`, `errors` are the answer so far.

    `delta_blocks` is a column over delta numbers: the first block that a delta fed, -1 for none.
    """

    def __init__(self, rules: ReadingRules, note: Note) -> None:
        self.rules = rules
        self.note = note
        self.blocks: list[Block] = []
        self.delta_blocks: array[int] = array("i")
        self.choices: dict[int, Choice] = {}
        self.finishes: list[dict[str, Any]] = []
        self.usage: dict[str, Any] | None = None
        self.errors: list[dict[str, Any]] = []
        self.client_error: dict[str, Any] | None = None
        self.stopped = False
        """True once this reader's client reads no further."""
        self.fast_kind: str | None = None
        self.fast_block: Block | None = None
        """While set, a lone text of `fast_kind` in choice 0 may be appended to `fast_block` without asking."""
        self._fields = frozenset(rules.reasoning_fields)
        self._admit = admission(rules)
        self._halves: dict[int, int] = {}
        self._split: set[int] = set()
        self._dropped: set[int] = set()
        self._simple_rules = (
            self._admit is None
            and rules.reasoning_join == "append"
            and rules.text_join == "append"
            and rules.reasoning_end != "key-presence"
        )
        self._handlers: dict[str, Callable[[int, int, Delta], None]] = {
            "refusal.delta": self._refusal,
            "text.delta": self._text,
            "reasoning.signature": self._signature,
            "reasoning.encrypted": self._opaque,
            "reasoning.redacted": self._opaque,
            "media.delta": self._media,
            "citation": self._citation,
            "tool.result": self._tool_result,
            "noop": self._empty,
            "absent": self._empty,
            "finish": self._finish,
            "usage": self._usage,
            "error": self._error,
        }

    # one event

    def apply(self, n: int, deltas: Sequence[Delta], number: int) -> None:
        """Take the deltas of event n; `number` is the delta number of the first that is shown."""
        self.fast_kind = None
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
            self._apply(n, pairs)
        except ClientError as error:
            self.fail(n, error.message, stop=error.ends)

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

    def simple(self, n: int, number: int, kind: str, value: str, name: str) -> None:
        """One lone text of choice 0; afterwards `fast_block` says whether the next may skip this call."""
        choice = self.choices.get(0) or self.choice(0)
        self.fast_kind = None
        if kind == "reasoning.delta":
            if name not in self._fields:
                return
            self._append_reasoning(choice, n, number, value, name, "raw")
        elif kind == "text.delta":
            self._append_text(choice, n, number, value)
        else:
            self._run(choice, "refusal", n).fragments.append(value)
            self._feed(choice.run, n, number)
        run = choice.run
        if (
            run is not None
            and self._simple_rules
            and choice.finished is None
            and KINDS[kind] == run.kind
            and not choice.signed
            and (run.kind != "text" or choice.splitter is None or choice.splitter.dormant)
            and run.fields.get("form") != "inline_tag"
        ):
            self.fast_kind = kind
            self.fast_block = run

    def touch(self, number: int, deltas: Sequence[Delta], n: int) -> None:
        """Take only the empty keys of an event whose text went the fast way."""
        for delta in deltas:
            self._empty(n, number, delta)

    # runs

    def choice(self, number: int) -> Choice:
        """The state of a choice, made when it is first needed."""
        found = self.choices.get(number)
        if found is None:
            calls = Calls(self.rules, number, lambda event: self._block("tool_call", number, event), self.note)
            found = self.choices[number] = Choice(number, calls)
            if self.rules.think_tags == "split":
                found.splitter = TagSplitter()
        return found

    def _block(self, kind: str, choice: int, n: int) -> Block:
        block = Block(len(self.blocks), kind, choice, n, n)
        self.blocks.append(block)
        return block

    def _feed(self, block: Block | None, n: int, number: int) -> None:
        """Tie a delta to the block that its text went to."""
        assert block is not None
        block.deltas.append(number)
        block.last_event = n
        if self.delta_blocks[number] < 0:
            self.delta_blocks[number] = block.n

    def _run(self, choice: Choice, kind: str, n: int, form: str | None = None) -> Block:
        """The open run of a kind; another one is closed first."""
        run = choice.run
        if run is not None and run.kind == kind and run.fields.get("form") == form:
            return run
        if self.rules.block_form == "slots":
            block = choice.slots.get(kind)
            if block is None:
                block = choice.slots[kind] = self._block(kind, choice.number, n)
                if form:
                    block.fields["form"] = form
        elif choice.finished is not None and choice.last is not None and choice.last.kind == kind and run is None:
            block = choice.last
            block.closed_by = block.closed_at = None
        else:
            self.close(choice, kind, n)
            block = self._block(kind, choice.number, n)
            if form:
                block.fields["form"] = form
        choice.run = choice.last = block
        return block

    def close(self, choice: Choice, by: str, n: int | None, on: str | None = None) -> None:
        """End the open run: `by` is the contract's word, `on` the characters that did it when they were empty."""
        self.fast_kind = None
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
            skip = self._pick(n, choice, group, texts)
        for number, delta in self._ordered(read):
            extra = delta.extra or {}
            if delta.kind != "reasoning.delta":
                self._handlers[delta.kind](n, number, delta)
            elif extra["field"] not in skip:
                self._append_reasoning(choice, n, number, delta.value, extra["field"], extra.get("form", "raw"))

    def _pick(
        self, n: int, choice: Choice, group: list[tuple[int, Delta]], texts: dict[str, str]
    ) -> set[str]:
        """The fields that say the same thing a second time."""
        rules = self.rules
        if rules.reasoning_pick == "all":
            return set()
        order = [name for name in rules.reasoning_fields if name in texts]
        if rules.reasoning_pick == "structured-then-first":
            order = [name for name in (*STRUCTURED, *PICK_ORDER) if name in texts]
        if rules.reasoning_pick == "first":
            return set(order[1:])
        chosen = order[0]
        pointer = next(d.pointer for _, d in group if d.extra and d.extra["field"] == order[1])
        same = [name for name in order[1:] if texts[name] == texts[chosen]]
        detail = f"{order[1]} repeats {chosen}" if same else f"{order[1]} differs from {chosen}"
        self.note("reasoning-double-delivery", n, pointer, None, detail)
        return set(same)

    def _ordered(self, pairs: list[tuple[int, Delta]]) -> list[tuple[int, Delta]]:
        """`reasoning_details` of one delta in index order; entries without index keep their place."""
        mode = self.rules.details_entries
        places = []
        for i, (_, delta) in enumerate(pairs):
            extra = delta.extra or {}
            if extra.get("field") == "reasoning_details" and type(extra.get("index")) is int:
                places.append(i)
        if mode == "first":
            return [p for p in pairs if (p[1].extra or {}).get("entry", 0) == 0]
        if mode == "wire-order" or len(places) < 2:
            return pairs
        out = list(pairs)
        for i, pair in zip(places, sorted((pairs[i] for i in places), key=_detail_index), strict=True):
            out[i] = pair
        return out

    def _part(self, n: int, number: int, delta: Delta) -> None:
        """A thinking part of a content list, in its place among the text parts."""
        extra = delta.extra or {}
        if extra.get("field") in self._fields:
            self._append_reasoning(self.choice(delta.choice), n, number, delta.value, extra["field"], "raw")

    def _append_reasoning(
        self, choice: Choice, n: int, number: int, text: str, name: str, form: str
    ) -> None:
        if choice.signed and choice.run is not None:
            self.close(choice, "reasoning", n)
        self._late(choice, n, "reasoning")
        if choice.splitter is not None:
            self._pieces(choice, n, choice.splitter.reset())
        block = self._run(choice, "reasoning", n, form)
        if self.rules.reasoning_join == "last":
            block.fragments.clear()
            del block.deltas[:]
        block.fragments.append(text)
        block.fields.setdefault("field", name)
        self._feed(block, n, number)
        self._odd(block, text, n)
        choice.reasoning = block

    def _signature(self, n: int, number: int, delta: Delta) -> None:
        """Opaque values belong to the latest reasoning block, or to their call; they never reopen a block (R9)."""
        extra = delta.extra or {}
        choice = self.choice(delta.choice)
        copilot = extra.get("mode") == "append"
        if ("opaque" if copilot else "signature") not in self.rules.extras:
            return
        if "position" in extra:
            block = choice.calls.at_position(extra["position"]) or self._holder(choice, n)
        else:
            block = self._holder(choice, n)
        key = "opaque" if copilot else "signature"
        held = block.fields.get(key)
        if held is not None and copilot:
            block.fields[key] = held + delta.value
        elif held is not None and held != delta.value and not copilot:
            block.fields.setdefault("signatures", [held]).append(delta.value)
            block.fields[key] = delta.value
        else:
            block.fields[key] = delta.value
        self.delta_blocks[number] = block.n
        block.last_event = max(block.last_event, n)
        if choice.run is block and extra.get("field") in STRUCTURED:
            choice.signed = True

    def _holder(self, choice: Choice, n: int) -> Block:
        block = choice.reasoning
        if block is None or block.n in self._dropped:
            block = choice.reasoning = self._block("reasoning", choice.number, n)
            block.fields["form"] = "raw"
            block.state = "complete"
            block.closed_by, block.closed_at = "explicit", n
            if choice.splitter is not None:
                self._pieces(choice, n, choice.splitter.reset())
        return block

    def _opaque(self, n: int, number: int, delta: Delta) -> None:
        key = delta.kind.partition(".")[2]
        choice = self.choice(delta.choice)
        if "opaque" not in self.rules.extras:
            return
        if key == "redacted":
            self.close(choice, "reasoning", n)
            choice.reasoning = None
        block = self._holder(choice, n)
        held = block.fields.get(key)
        block.fields[key] = delta.value if held is None else [*(held if isinstance(held, list) else [held]), delta.value]
        self.delta_blocks[number] = block.n
        block.last_event = max(block.last_event, n)

    # text

    def _text(self, n: int, number: int, delta: Delta) -> None:
        self._append_text(self.choice(delta.choice), n, number, delta.value)

    def _append_text(self, choice: Choice, n: int, number: int, text: str) -> None:
        rules = self.rules
        self._late(choice, n, "text")
        if rules.text_join == "strip-prefix":
            whole, text = text, text[len(choice.previous) :] if _continues(text, choice.previous) else text
            choice.previous = whole
        if rules.think_tags == "exact-delta" and self._exact_tag(choice, n, number, text):
            return
        splitter = choice.splitter
        if splitter is None or splitter.dormant:
            self._plain(choice, n, number, text)
        else:
            self._pieces(choice, n, splitter.feed(number, text), number, len(text))

    def _plain(self, choice: Choice, n: int, number: int, text: str) -> Block:
        block = self._run(choice, "text", n)
        block.fragments.append(text)
        self._feed(block, n, number)
        self._odd(block, text, n)
        choice.text = block
        if choice.citations:
            block.fields.setdefault("citations", []).extend(choice.citations)
            choice.citations.clear()
        return block

    def _pieces(self, choice: Choice, n: int, pieces: Sequence[Piece], number: int = -1, size: int = 0) -> None:
        """Pieces of text that the tag splitter let go: plain text, thoughts, and the tags themselves.

        Delta `number` has `size` characters: a piece that is all of it needs no span.
        """
        for piece in pieces:
            if piece.kind == "text":
                block = self._plain(choice, n, piece.delta, piece.text)
            elif piece.kind == "reasoning":
                block = self._run(choice, "reasoning", n, "inline_tag")
                block.fragments.append(piece.text)
                self._feed(block, n, piece.delta)
                choice.reasoning = block
            else:
                self._tag(choice, n, piece)
                continue
            if piece.delta != number or piece.start or piece.end != size:
                block.spans[len(block.deltas) - 1] = (piece.start, piece.end)

    def _tag(self, choice: Choice, n: int, piece: Piece) -> None:
        """White space around a tag and the tag itself feed no block, but say where the thought begins and ends."""
        splitter = choice.splitter
        assert splitter is not None
        if splitter.inside or not (choice.run is not None and choice.run.fields.get("form") == "inline_tag"):
            choice.open_tag.append((piece.text, piece.delta, piece.start, piece.end))
            if piece.text.strip():
                self.note("think-tag-inline", n, "", choice.run, piece.text)
        if choice.run is not None and choice.run.fields.get("form") == "inline_tag" and not splitter.inside:
            block = choice.run
            self.close(choice, "explicit", n)
            choice.open_tag.clear()
            said = "".join(b.text for b in self.blocks if b.kind == "reasoning" and b.choice == choice.number and b is not block)
            if said and block.text.strip() == said.strip():
                self._dropped.add(block.n)
                self.note("reasoning-double-delivery", n, "", None, "inline tags repeat a reasoning field")
        elif choice.run is not None and choice.run.kind == "text":
            self.close(choice, "reasoning", n)

    def _exact_tag(self, choice: Choice, n: int, number: int, text: str) -> bool:
        """pydantic-ai: a delta that is exactly the tag switches, everything else is what was open."""
        inside = choice.run is not None and choice.run.fields.get("form") == "inline_tag"
        if text == "<think>" and not inside:
            self.close(choice, "reasoning", n)
            choice.run = choice.reasoning = self._block("reasoning", choice.number, n)
            choice.run.fields["form"] = "inline_tag"
            return True
        if text == "</think>" and inside:
            self.close(choice, "explicit", n)
            return True
        if inside and choice.run is not None:
            choice.run.fragments.append(text)
            self._feed(choice.run, n, number)
            return True
        return False

    def _refusal(self, n: int, number: int, delta: Delta) -> None:
        choice = self.choice(delta.choice)
        if self.rules.refusal == "lost":
            return
        if self.rules.refusal == "text":
            self._append_text(choice, n, number, delta.value)
            return
        self._late(choice, n, "refusal")
        block = self._run(choice, "refusal", n)
        block.fragments.append(delta.value)
        self._feed(block, n, number)

    def _odd(self, block: Block, text: str, n: int) -> None:
        """Remember blocks whose fragments were cut inside a surrogate pair (R13)."""
        if text.isascii():
            return
        if "\udc00" <= text[0] <= "\udfff" and block.n in self._halves:
            self._split.add(block.n)
            self.note("text-split-surrogate", self._halves.pop(block.n), "", block, "")
        if "\ud800" <= text[-1] <= "\udbff":
            self._halves[block.n] = n

    def _late(self, choice: Choice, n: int, what: str) -> None:
        choice.content_event = n
        if choice.finished is not None and choice.finished != n:
            self.note("finish-content-after", n, "", choice.last, what)

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
            self._late(choice, n, "arguments")
            if choice.splitter is not None:
                self._pieces(choice, n, choice.splitter.reset())
            if not (self.rules.text_end == "reasoning" and choice.run is not None and choice.run.kind == "text"):
                self.close(choice, "tool_call", n)
            choice.last = block

    def _media(self, n: int, number: int, delta: Delta) -> None:
        choice = self.choice(delta.choice)
        extra = delta.extra or {}
        self._late(choice, n, "media")
        last = choice.last
        same = last is not None and last.kind == "media" and extra.get("media") == "audio" == last.fields.get("media")
        if same and last is not None:
            block = last
        else:
            self.close(choice, "media", n)
            block = self._block("media", choice.number, n)
            block.fields["media"] = extra.get("media")
            block.state, block.closed_by, block.closed_at = "complete", "explicit", n
            choice.last = block
        transcript = delta.value.get("transcript") if isinstance(delta.value, dict) else None
        block.fragments.append(transcript if isinstance(transcript, str) else "")
        self._feed(block, n, number)

    def _citation(self, n: int, number: int, delta: Delta) -> None:
        choice = self.choice(delta.choice)
        if "citations" not in self.rules.extras:
            return
        held = choice.citations if choice.text is None else choice.text.fields.setdefault("citations", [])
        if delta.value not in held:
            held.append(delta.value)
        if choice.text is not None:
            self.delta_blocks[number] = choice.text.n

    def _tool_result(self, n: int, number: int, delta: Delta) -> None:
        choice = self.choice(delta.choice)
        self.close(choice, "tool_call", n)
        block = self._block("tool_result", choice.number, n)
        block.fields["result"] = delta.value
        block.state, block.closed_by, block.closed_at = "complete", "explicit", n
        block.fragments.append("")
        self._feed(block, n, number)

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
            self._pieces(choice, n, choice.splitter.finish())
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
            self.fail(n, message if isinstance(message, str) else "error in the stream", stop=rules.error_key == "throw")
        for choice in self.choices.values():
            self.close(choice, "error", n)
        self.errors.append({"event": n} | {key: value.get(key) for key in ("type", "code", "message")})
        block = self._block("error", delta.choice, n)
        block.state, block.closed_by, block.closed_at = "complete", "explicit", n
        block.fields |= {key: value.get(key) for key in ("type", "code", "message")}
        message = value.get("message")
        block.fragments.append(message if isinstance(message, str) else "")
        self._feed(block, n, number)

    def fail(self, n: int, message: str, stop: bool) -> None:
        """This reader's client raises here (`stop`) or reports an error part and goes on."""
        if self.client_error is None:
            self.client_error = {"event": n, "message": message}
        self.stopped = self.stopped or stop

    def end(self, n: int, broke_off: bool) -> None:
        """The data has ended after event n; `broke_off` when no clean end came."""
        for choice in list(self.choices.values()):
            if choice.splitter is not None:
                self._unsplit(choice, n)
                self._pieces(choice, n, choice.splitter.finish())
            finished = choice.finished is not None
            self.close(choice, "finish" if finished else "end", choice.finished)
            try:
                choice.calls.end()
            except ClientError as error:
                self.fail(n, error.message, stop=False)
            self._dropped.update(block.n for block in choice.calls.dropped)
            if choice.citations:
                block = self._block("other", choice.number, n)
                block.fields["citations"] = list(choice.citations)
                block.state, block.closed_by = "complete", "explicit"
        self._settle(broke_off)

    def _settle(self, broke_off: bool) -> None:
        """Last words on every block: state, repaired joins, whether a call can run; then empty ones go."""
        for block in self.blocks:
            choice = self.choices.get(block.choice)
            cut = broke_off and (choice is None or choice.finished is None)
            if block.kind == "tool_call":
                last = choice is not None and choice.last is block
                block.fields |= outcome(block, self.rules, cut and last)
                if block.closed_by is None:
                    block.closed_by = "end" if cut else "finish"
                    block.closed_at = None if cut or choice is None else choice.finished
                block.state = "truncated" if cut and last else "complete"
            elif cut and block.closed_by == "end":
                block.state = "truncated"
            if block.kind in ("text", "reasoning", "refusal"):
                self._repair(block)
        keep = [block for block in self.blocks if block.n not in self._dropped and _says_something(block)]
        if len(keep) != len(self.blocks):
            numbers = {block.n: n for n, block in enumerate(keep)}
            for n, value in enumerate(self.delta_blocks):
                if value >= 0:
                    self.delta_blocks[n] = numbers.get(value, -1)
            for block in keep:
                block.n = numbers[block.n]
            self.blocks[:] = keep

    def _repair(self, block: Block) -> None:
        rules = self.rules
        if len(block.fragments) > 2 and rules.repairs_rule("text-cumulative") and is_cumulative(block.fragments):
            block.override = block.fragments[-1]
            block.fields["repaired"] = "text-cumulative"
            self.note("text-cumulative", block.first_event, "", block, block.kind)
        elif block.n in self._split and rules.repairs_rule("text-split-surrogate"):
            block.override = join_halves(block.text)

    def _unsplit(self, choice: Choice, n: int) -> None:
        """An open tag without its close: the literal text is the reading (section 8.1)."""
        splitter = choice.splitter
        assert splitter is not None
        if not splitter.inside:
            return
        self._pieces(choice, n, splitter.finish())
        run = choice.run
        lead = choice.open_tag
        self.note("think-tag-unbalanced", n, "", run, "open")
        if run is None or run.fields.get("form") != "inline_tag":
            run = self._run(choice, "text", n)
        run.kind = "text"
        run.fields.pop("form", None)
        run.fields["likely_reasoning"] = run.text
        run.fragments[:0] = [text for text, _, _, _ in lead]
        run.deltas = array("I", [delta for _, delta, _, _ in lead]) + run.deltas
        run.spans = {i + len(lead): span for i, span in run.spans.items()}
        run.spans |= {i: (start, end) for i, (_, _, start, end) in enumerate(lead)}
        for _, delta, _, _ in lead:
            if self.delta_blocks[delta] < 0:
                self.delta_blocks[delta] = run.n
        choice.open_tag = []


def _from_field(delta: Delta) -> bool:
    """True for reasoning of a field of its own; a part of a content list keeps its place among the text."""
    extra = delta.extra or {}
    return extra.get("field") != "content_parts" and "position" not in extra


def _detail_index(pair: tuple[int, Delta]) -> int:
    index = (pair[1].extra or {}).get("index")
    return index if isinstance(index, int) else 0


def _continues(text: str, previous: str) -> bool:
    return bool(previous) and text.startswith(previous)


def _shown(value: Any) -> str:
    return {"None": "null", "''": '""'}.get(repr(value), repr(value))


def _says_something(block: Block) -> bool:
    if block.kind in ("text", "refusal"):
        return bool(block.text)
    if block.kind == "reasoning":
        return bool(block.text or block.fields.keys() & {"signature", "opaque", "redacted", "encrypted"})
    return True
