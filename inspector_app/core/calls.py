"""The tool calls of one choice: fragments to blocks (dialects.md 5.4, R15-R29).

Strategy. A fragment is brought into one form (empty is absent), a resolver of `call_keys` finds its call or says that
it opens one, and tables say what id, name and text do to it: one engine for all readers. Held arguments are joined
only when a test is due and their brackets are followed piece by piece, so thousands of fragments cost linear time;
`same` is the short way for the commonest fragment. A repair or an odd fact is a note that names its rule.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Collection, Iterator
from typing import Any

from inspector_app.core.arguments import grows, outcome, parse_fault, parses, roots, snapshots
from inspector_app.core.call_keys import (
    ABSENT,
    LOST,
    NOT_GIVEN,
    REPEATED,
    RESOLVERS,
    SECOND_ROOT,
    Call,
    ClientError,
    Fragment,
    Known,
    Seen,
    seen,
)
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Block

__all__ = ["ABSENT", "Calls", "ClientError", "Fragment", "outcome"]


class Calls:
    """The tool calls of one choice, as one reader builds them.

    `open_block(event)` makes and registers a block of kind tool_call. `note(rule, event, pointer, block, detail)`
    reports repairs and facts. `tools` are the names of the request's tools, if it is known (R21).
    """

    def __init__(
        self,
        rules: ReadingRules,
        choice: int,
        open_block: Callable[[int], Block],
        note: Callable[[str, int, str, Block | None, str], None],
        tools: Collection[str] = (),
    ) -> None:
        self.rules = rules
        self.choice = choice
        self.dropped: list[Block] = []
        """The blocks that this reader throws away at the end of the data."""
        self._open_block = open_block
        self._note = note
        self._tools = tools
        self._find = RESOLVERS[rules.tool_key]
        self._known = Known(rules)
        self._legacy: Call | None = None
        self._placed: dict[int, Block] = {}
        self._placed_event = -1
        self._last_args: Call | None = None
        self._made_up = 0
        self._quick: Call | None = None
        self._quick_index = 0

    def same(self, event: int, index: Any, arguments: Any, delta: int) -> Block | None:
        """The short way for one more piece of the arguments that came last: an element with index and arguments only.

        `delta` is its tool.args delta. None means that nothing was done and `fragment` must decide.
        """
        call = self._quick
        if (
            call is None
            or index != self._quick_index
            or type(index) is not int
            or type(arguments) is not str
            or arguments >= "\udc00"
            or arguments[:1] == "{"
        ):
            return None
        block = call.block
        block.fragments.append(arguments)
        block.deltas.append(delta)
        block.last_event = event
        call.events.append(event)
        return block

    def fragment(self, fragment: Fragment) -> Block | None:
        """Give a fragment to its call, or open one. None: this reader loses it.

        Raises ClientError where the client would (keys `index_not_integer`, `index_as_position`).
        """
        rules = self.rules
        self._quick = None
        part = seen(fragment, rules)
        if part is None:
            return None
        call: Call | None = None
        rule = ""
        starts = rules.id_policy == "any-non-null-starts-new" and isinstance(fragment.id, str)
        if not starts and (part.label is not None or rules.index_missing != "opens"):
            call, rule = self._find(self._known, part)
        if rule == LOST or (call is not None and fragment.name == "" and self._known.spoiled(call)):
            return None
        opens = call is None
        if call is None:
            call = self._open(fragment, part, rule)
            if call is None:
                return None
        elif call.closed is not None or (rules.index_as_position == "drop" and self._beyond(part)):
            return None
        if rule:
            if not opens:
                call.noted.add(rule)
            self._note(rule, part.event, part.pointer, call.block, _DETAILS[rule](call, part))
        self._label(call, fragment, part, opens)
        self._take(call, fragment, part, rule, opens)
        if self._placed_event != part.event:
            self._placed_event, self._placed = part.event, {}
        self._placed[part.position] = call.block
        if rules.index_as_position == "error" and self._beyond(part):
            raise ClientError("IndexError: list index out of range", ends=True)
        bare = fragment.id in NOT_GIVEN and fragment.name in NOT_GIVEN and type(fragment.index) is int
        if bare and part.text and part.value is None and rules.finalize != "parsable":
            # Nothing but its text could send another fragment of this shape elsewhere.
            self._quick, self._quick_index = call, fragment.index
        return call.block

    def legacy(self, fragment: Fragment) -> Block | None:
        """Give a `function_call` to the one call that a choice can have (R29). None: it is closed for this reader."""
        self._quick = None
        call = self._legacy
        opens = call is None
        if call is None:
            call = self._legacy = self._new(fragment.event, fragment.pointer)
            call.block.fields["legacy"] = True
        elif call.closed is not None:
            return None
        part = seen(fragment._replace(id=ABSENT, index=0), self.rules)
        assert part is not None
        if isinstance(fragment.name, str):
            self._name(call, fragment.name, part, opens)
        self._take(call, fragment, part, "", opens)
        return call.block

    def at_position(self, position: int) -> Block | None:
        """The call that the element at this place of the last array went to."""
        return self._placed.get(position)

    def finish(self, event: int) -> None:
        """A finish reason of this choice came."""
        if self.rules.finalize == "finish":
            self._quick = None
            for call in self._all():
                if call.closed is None:
                    call.closed = event

    def ending(self) -> Iterator[None]:
        """The data has ended: read copies, snapshots and second roots, make up ids, drop calls. A rest after each.

        Raises ClientError where the client would (keys `index_as_position`, `args_parse`), when all is done.
        """
        self._quick = None
        for call in self._all():
            self._settle(call)
            yield
        error = self._position_error()
        for call in self._all():
            block = call.block
            if any(drops(self.rules, block) for drops in _DROPS):
                self.dropped.append(block)
                continue
            if self.rules.missing_id == "made-up" and _without_id(block):
                self._make_up_id(block)
            if error is None and (why := parse_fault(block, self.rules.args_parse)):
                error = ClientError(why, ends=True)
            yield
        if error is not None:
            raise error

    def _all(self) -> list[Call]:
        return [*self._known.order, self._legacy] if self._legacy is not None else list(self._known.order)

    # opening

    def _new(self, event: int, pointer: str) -> Call:
        block = self._open_block(event)
        block.fields |= {"id": None, "name": None, "index": None, "tool_kind": "function", "type": None}
        return Call(block, pointer)

    def _open(self, fragment: Fragment, part: Seen, rule: str) -> Call | None:
        rules = self.rules
        if rules.tool_key == "resolve" and not (part.id or part.name or part.text):
            # An element that says nothing resolves to no call (R1, R5).
            return None
        if rules.missing_id == "ignore-until-id" and not part.id:
            return None
        if rules.missing_name in ("skip-empty", "skip-or-throw") and fragment.name == "":
            return None
        for policy, given, word in ((rules.missing_id, fragment.id, "id"), (rules.missing_name, fragment.name, "name")):
            if policy.endswith("throw") and given in NOT_GIVEN:
                raise ClientError(f"a tool call begins without its {word}", ends=True)
        known = self._known
        if rules.finalize == "next" and known.latest is not None:
            known.latest.closed = part.event
        call = self._new(part.event, part.pointer)
        known.add(call, part)
        fields = call.block.fields
        fields["tool_kind"] = fragment.kind
        fields["type"] = fragment.type if isinstance(fragment.type, str) else None
        if rule == SECOND_ROOT and not part.id:
            self._make_up_id(call.block)
        # A second root without a name is a continuation by its shape, and those need no type.
        if not fields["type"] and (part.name or rule != SECOND_ROOT):
            self._note("tool-type-missing", part.event, part.pointer, call.block, "")
        return call

    def _make_up_id(self, block: Block) -> None:
        block.fields["id_made_up"] = f"made-up-{self.choice}-{self._made_up}"
        self._made_up += 1

    # labels

    def _label(self, call: Call, fragment: Fragment, part: Seen, opens: bool) -> None:
        """Index, id and name of a fragment, by the policies of this reader (R20-R22)."""
        known = self._known
        fields = call.block.fields
        if part.label is not None:
            known.by_index[part.label] = call
            call.index = part.label
            if fields["index"] is None:
                fields["index"] = part.label
        if isinstance(fragment.id, str) and (opens or self.rules.id_policy != "opening"):
            joined = _JOINS[self.rules.id_policy](fields["id"], fragment.id)
            _wiped(fields, fields["id"], joined, part.event)
            fields["id"] = joined
        if part.id:
            if not opens and known.by_id.get(part.id) is call:
                self._note("tool-id-repeated", part.event, part.pointer, call.block, part.id)
            known.by_id[part.id] = call
            call.id = part.id
            fields.pop("id_made_up", None)
        if isinstance(fragment.name, str):
            self._name(call, fragment.name, part, opens)

    def _name(self, call: Call, name: str, part: Seen, opens: bool) -> None:
        fields = call.block.fields
        held = fields["name"]
        policy = self.rules.name_policy
        if name and not opens:
            if name == held:
                self._note("tool-name-repeated", part.event, part.pointer, call.block, repr(name))
            else:
                detail = f"{held!r} then {name!r}" if held else repr(name)
                self._note("tool-name-late", part.event, part.pointer, call.block, detail)
        if policy == "append-unless-equal" and held and name in self._tools and held + name not in self._tools:
            policy = "last"
        joined = held if policy == "opening" and not opens else _JOINS[policy](held, name)
        _wiped(fields, held, joined, part.event)
        fields["name"] = joined
        if joined != held and call is not self._legacy:
            self._known.rename(call, held, joined)

    # arguments

    def _take(self, call: Call, fragment: Fragment, part: Seen, rule: str, opens: bool) -> None:
        if rule == SECOND_ROOT and not opens:
            call.restart()
        if fragment.start_delta is not None:
            call.append("", fragment.start_delta, part.event)
        text = part.text
        if text:
            if self._last_args is not call:
                if call.started:
                    self._note("tool-args-interleaved", part.event, part.pointer, call.block, "")
                self._last_args = call
            call.started = True
            text = self._paired(call, text, part)
            self._compare_objects(call, part)
        if fragment.args_delta is not None:
            call.append(text or "", fragment.args_delta, part.event)
        if rule == REPEATED:
            call.skip()
        if text and self.rules.finalize == "parsable" and call.whole() is not None:
            call.closed = part.event

    def _compare_objects(self, call: Call, part: Seen) -> None:
        """Objects that say again what the last one said, and more: the last is the value (R23)."""
        # An empty object before is a placeholder; the end of the data finds it.
        repeats = bool(call.value) and part.value is not None and self.rules.repairs_rule(REPEATED)
        if repeats and grows(call.value, part.value):
            call.block.override = part.text
            self._note_once(REPEATED, call, part.event, "objects that grow")
        else:
            call.block.override = None
        call.value = part.value

    def _paired(self, call: Call, text: str, part: Seen) -> str:
        """The text, with the whole character in front if it begins with the second half of one (R13)."""
        if not "\udc00" <= text[0] <= "\udfff" or not self.rules.repairs_rule("text-split-surrogate"):
            return text
        block = call.block
        at = next((n for n in range(len(block.fragments) - 1, -1, -1) if block.fragments[n]), -1)
        if at < 0 or not "\ud800" <= block.fragments[at][-1] <= "\udbff":
            return text
        pair = block.fragments[at][-1] + text[0]
        block.fragments[at] = block.fragments[at][:-1]
        block.spans[at] = (0, len(block.fragments[at]))
        self._note("text-split-surrogate", call.events[at], part.pointer, block, "")
        return pair.encode("utf-16-le", "surrogatepass").decode("utf-16-le") + text[1:]

    # end of the data

    def _settle(self, call: Call) -> None:
        """Snapshots, second copies, placeholders and second roots of arguments that do not parse as they are (R25)."""
        block = call.block
        text = block.text
        if block.fields["tool_kind"] == "custom" or block.override is not None or not text or parses(text):
            return
        repeats = self.rules.repairs_rule(REPEATED)
        splits = self.rules.repairs_rule(SECOND_ROOT)
        if repeats and (last := snapshots(block.fragments)) is not None:
            block.override = last
            self._note_once(REPEATED, call, block.last_event, "growing snapshots")
            return
        found = roots(text)
        pieces = [text[start:end] for start, end in found]
        placeholders = next((n for n, piece in enumerate(pieces) if piece != "{}"), 0) if splits else 0
        if placeholders:
            del found[:placeholders], pieces[:placeholders]
            block.override = pieces[0]
            self._note_once(SECOND_ROOT, call, call.event_at(found[0][0]), "{} stands before them")
        if len(pieces) < 2:
            return
        if len(set(pieces)) == 1:
            if repeats:
                block.override = pieces[0]
                self._note_once(REPEATED, call, call.event_at(found[1][0]), "a second copy")
        elif splits and "legacy" not in block.fields:
            self._cut(call, deque(start for start, _ in found[1:]))

    def _note_once(self, rule: str, call: Call, event: int, detail: str) -> None:
        if rule not in call.noted:
            call.noted.add(rule)
            self._note(rule, event, call.pointer, call.block, detail)

    def _cut(self, call: Call, starts: deque[int]) -> None:
        """Make a call of its own of what begins at each of these places of the arguments."""
        block = call.block
        pieces = list(zip(block.fragments, block.deltas, call.events, strict=True))
        spans = block.spans
        block.fragments, block.deltas, block.spans, call.events = [], array("I"), {}, array("I")
        target = call
        begin = 0
        for n, (fragment, delta, event) in enumerate(pieces):
            skipped = spans[n][0] if n in spans else 0
            at = 0
            while starts and starts[0] < begin + len(fragment):
                cut = starts.popleft() - begin
                if cut > at:
                    target.block.spans[len(target.events)] = (skipped + at, skipped + cut)
                    target.append(fragment[at:cut], delta, event)
                target = self._tail(call, event)
                at = cut
            if at or n in spans:
                target.block.spans[len(target.events)] = (skipped + at, skipped + len(fragment))
            target.append(fragment[at:], delta, event)
            begin += len(fragment)

    def _tail(self, call: Call, event: int) -> Call:
        tail = self._new(event, call.pointer)
        tail.block.fields["index"] = call.block.fields["index"]
        self._known.order.append(tail)
        self._make_up_id(tail.block)
        self._note(SECOND_ROOT, event, call.pointer, tail.block, _ANOTHER_CALL)
        return tail

    def _beyond(self, part: Seen) -> bool:
        return part.label is not None and part.label >= len(self._known.order)

    def _position_error(self) -> ClientError | None:
        by_index = self._known.by_index
        if self.rules.index_as_position == "error-at-end" and by_index and max(by_index) >= len(by_index):
            return ClientError("TypeError: the list of tool calls has a hole", ends=True)
        return None


_ANOTHER_CALL = "the rest is a call of its own"

_DETAILS: dict[str, Callable[[Call, Seen], str]] = {
    "tool-index-reused": lambda call, part: f"index {part.label}, new id {part.id!r}",
    "tool-index-remapped": lambda call, part: f"id {part.id!r}: index {part.label} after {call.index}",
    "tool-id-rotated": lambda call, part: f"{part.id!r} after {call.id!r}",
    SECOND_ROOT: lambda call, part: "{} stands before them" if call.started else _ANOTHER_CALL,
    REPEATED: lambda call, part: "a second copy",
}
"""What a note of each rule says besides its place."""


def _append_unless_equal(held: str | None, new: str) -> str:
    return new if not held else held if held == new else held + new


def _wiped(fields: dict[str, Any], held: str | None, joined: str | None, event: int) -> None:
    """Remembers the first event at which a label that was held became empty (`wiped_at`)."""
    if held and not joined:
        fields.setdefault("wiped_at", event)


_JOINS: dict[str, Callable[[str | None, str], str]] = {
    "append-unless-equal": _append_unless_equal,
    "first": lambda held, new: held or new,
    "last": lambda held, new: new or held or "",
    "concat": lambda held, new: (held or "") + new,
    "non-null-overwrite": lambda held, new: new,
    "any-non-null-starts-new": lambda held, new: new,
    "opening": lambda held, new: new,
}
"""What becomes of a held id or name when the wire gives one again, by `id_policy` and `name_policy`."""


def _without_id(block: Block) -> bool:
    return not block.fields["id"] and "legacy" not in block.fields


_DROPS: tuple[Callable[[ReadingRules, Block], bool], ...] = (
    lambda rules, block: rules.missing_id == "drop-call" and _without_id(block),
    lambda rules, block: rules.missing_name in ("drop-call", "skip-empty") and not block.fields["name"],
    lambda rules, block: rules.empty_args == "drop-call" and not block.text,
)
"""When a reader throws a call away at the end."""
