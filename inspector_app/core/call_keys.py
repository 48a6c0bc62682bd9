"""How a fragment of a tool call finds its call: a resolver per value of `tool_key` (R15-R19, dialects.md 22.2)."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

from inspector_app.core.arguments import RootScan, grows, parses, text_of
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Block

SECOND_ROOT: Final = "tool-args-second-root"
REPEATED: Final = "tool-args-repeated"

_OBJECT = re.compile(r"[ \t\n\r]*\{")
_VALUE = re.compile(r'[ \t\n\r]*[{\["0-9tfn-]')
_INTEGER = re.compile(r"-?[0-9]{1,15}")


class _Absent:
    """What stands where the wire has no such key."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()
"""Keeps a missing key apart from null and the empty string."""

NOT_GIVEN: Final = (ABSENT, None)


class Fragment(NamedTuple):
    """One element of a `tool_calls` array, or a `function_call`, as the wire has it.

    `position` is its place in the array of `count` elements. `id`, `index`, `name`, `arguments` and `type` are
    the wire's values or ABSENT. `start_delta` and `args_delta` are the numbers of the deltas that say it, None
    where the element has no such delta; `args_delta` goes with `arguments`.
    """

    event: int
    pointer: str
    position: int
    count: int  # type: ignore[assignment]
    id: Any
    index: Any
    name: Any
    arguments: Any
    type: Any
    start_delta: int | None
    args_delta: int | None
    kind: str = "function"


class ClientError(Exception):
    """What the client that is read as would raise. `ends`: its reading stops, else it reports an error part."""

    def __init__(self, message: str, ends: bool) -> None:
        super().__init__(message)
        self.message = message
        self.ends = ends


class Seen(NamedTuple):
    """A fragment in one form (R1): no id and no name are "", no label and no arguments are None."""

    event: int
    pointer: str
    position: int
    several: bool
    """Its array has other elements too."""
    id: str
    label: int | None
    """The index. It is no position (R20)."""
    name: str
    text: str | None
    value: Any
    """Arguments that came as an object or array, else None."""


def seen(fragment: Fragment, rules: ReadingRules) -> Seen | None:
    """The fragment as this reader takes it; None where a missing index makes it lose it.

    Raises ClientError for an index that this reader refuses.
    """
    index = _integer(fragment.index)
    if type(fragment.index) is not int and fragment.index not in NOT_GIVEN and rules.index_not_integer != "read":
        message = f"the index of a tool call is no integer: {fragment.index!r}"
        raise ClientError(message, rules.index_not_integer == "throw")
    if index is None and rules.index_missing == "drop":
        return None
    if index is None and rules.index_missing == "zero":
        index = 0
    arguments = fragment.arguments
    return Seen(
        fragment.event,
        fragment.pointer,
        fragment.position,
        fragment.count > 1,
        fragment.id if isinstance(fragment.id, str) else "",
        index,
        fragment.name if isinstance(fragment.name, str) else "",
        None if arguments is ABSENT else text_of(arguments, rules.args_object),
        arguments if isinstance(arguments, dict | list) and rules.args_object == "dump" else None,
    )


def _integer(value: Any) -> int | None:
    if type(value) is int:
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and _INTEGER.fullmatch(value):
        return int(value)
    return None


class Call:
    """A call under construction: its block, and what finding and testing its fragments needs."""

    __slots__ = (
        "base", "block", "closed", "events", "held", "home", "id", "index", "noted", "pointer", "scan", "scanned",
        "started", "value",
    )  # fmt: skip

    def __init__(self, block: Block, pointer: str) -> None:
        self.block = block
        self.pointer = pointer
        self.events = array("I")
        """The event of each fragment of the block."""
        self.id = ""
        """The last id of the wire that was not empty."""
        self.index: int | None = None
        """The last index of the wire."""
        self.home: int | None = None
        """The index that opened it."""
        self.closed: int | None = None
        """The event from which on this reader gives the call no more fragments (key `finalize`)."""
        self.started = False
        """Some text of arguments came."""
        self.value: Any = None
        """The last arguments, if they came as an object or array."""
        self.noted: set[str] = set()
        self.base = 0
        """The fragment with which the arguments begin; what stands before is a placeholder (R17)."""
        self.scan = RootScan()
        self.scanned = 0
        self.held: str | None = None

    def append(self, text: str, delta: int, event: int) -> None:
        """Take what a delta gives."""
        block = self.block
        block.fragments.append(text)
        block.deltas.append(delta)
        block.last_event = event
        self.events.append(event)

    def whole(self) -> str | None:
        """The held arguments if they are one complete JSON object, array or string, else None."""
        fragments = self.block.fragments
        if self.scanned < len(fragments) and self.block.fields["tool_kind"] != "custom":
            for text in fragments[self.scanned :]:
                self.scan.feed(text)
            self.scanned = len(fragments)
            if self.scan.more or not self.scan.closed:
                self.held = None
            elif self.held is None:
                text = "".join(fragments[self.base :])
                self.held = text if parses(text) else None
                # A value that has ended and is wrong can never become right.
                self.scan.more = self.held is None
        return self.held

    def restart(self) -> None:
        """What was held is a placeholder: the arguments begin with the next fragment."""
        self.base = self.scanned = len(self.block.fragments)
        self.scan = RootScan()
        self.held = None

    def skip(self) -> None:
        """The last fragment was a second copy of what is held."""
        self.scanned = len(self.block.fragments)

    def event_at(self, offset: int) -> int:
        """The event that brought the character at this place of the arguments."""
        for fragment, event in zip(self.block.fragments, self.events, strict=True):
            offset -= len(fragment)
            if offset < 0:
                return event
        return self.block.last_event


@dataclass(slots=True)
class Known:
    """The calls of one choice by everything that a fragment can name."""

    rules: ReadingRules
    order: list[Call] = field(default_factory=list)
    latest: Call | None = None
    by_id: dict[str, Call] = field(default_factory=dict)
    by_index: dict[int, Call] = field(default_factory=dict)
    opened_at: dict[int | None, list[Call]] = field(default_factory=dict)
    by_name: dict[tuple[int | None, str], dict[Call, None]] = field(default_factory=dict)
    """The calls that were opened at an index and have a name now."""
    batch: dict[int, Call] = field(default_factory=dict)
    """The calls that the last delta of several elements opened, by position (R19)."""
    batch_event: int = -1

    def add(self, call: Call, seen: Seen) -> None:
        """Remember a call that this fragment opened."""
        self.order.append(call)
        self.latest = call
        self.opened_at.setdefault(seen.label, []).append(call)
        self.by_name.setdefault((seen.label, ""), {})[call] = None
        call.home = seen.label
        if seen.several:
            if self.batch_event != seen.event:
                self.batch_event, self.batch = seen.event, {}
            self.batch[seen.position] = call

    def spoiled(self, call: Call) -> bool:
        """Whether an empty name takes away a call that waits for its name (`missing_name` = skip-empty)."""
        if self.rules.missing_name != "skip-empty" or call.block.fields["name"]:
            return False
        for index in (index for index, held in list(self.by_index.items()) if held is call):
            del self.by_index[index]
        self.by_name[call.home, ""].pop(call, None)
        self.opened_at[call.home].remove(call)
        self.by_id = {key: held for key, held in self.by_id.items() if held is not call}
        self.latest = next((held for held in reversed(self.order) if held is not call), None)
        return True

    def rename(self, call: Call, old: str | None, new: str) -> None:
        """Remember that a call has a name, or another one."""
        self.by_name[call.home, old or ""].pop(call)
        self.by_name.setdefault((call.home, new), {})[call] = None


Found = tuple[Call | None, str]
"""The call of a fragment, None when it opens one; and the rule to note, LOST when the fragment goes nowhere."""

LOST: Final = "lost"


def _resolve(known: Known, seen: Seen) -> Found:
    """The reference: R15-R19."""
    call = known.by_id.get(seen.id)
    if call is not None:
        found = _continued(known, call, seen)
        moved = seen.label is not None and known.by_index.get(seen.label) is not call
        if found == (call, "") and moved and (call.index is not None or seen.label in known.by_index):
            return call, "tool-index-remapped"
        return found
    if seen.label is None:
        return _in_order(known, seen)
    call = known.by_index.get(seen.label)
    if call is None:
        return None, ""
    if not seen.id or not call.id:
        return _continued(known, call, seen)
    says_args = bool(seen.text) or call.started
    if not seen.name and says_args and known.rules.repairs_rule("tool-id-rotated") and call.whole() is None:
        return call, "tool-id-rotated"
    return None, "tool-index-reused"


def _in_order(known: Known, seen: Seen) -> Found:
    """Neither a known id nor an index: R16, R18, R19."""
    call = known.latest
    if call is None:
        return None, ""
    if seen.name:
        return (None, "") if call.block.fields["name"] or (seen.id and call.id) else _continued(known, call, seen)
    if seen.id:
        return (None, "") if call.id else _continued(known, call, seen)
    if seen.several:
        call = known.batch.get(seen.position, call)
    return _continued(known, call, seen)


def _continued(known: Known, call: Call, seen: Seen) -> Found:
    """The same call, unless the fragment begins a second root behind complete arguments (R17)."""
    held_name = call.block.fields["name"]
    renamed = bool(held_name and seen.name) and seen.name != held_name
    begins = seen.text is not None and _OBJECT.match(seen.text) is not None
    if not (renamed or begins) or not known.rules.repairs_rule(SECOND_ROOT):
        return call, ""
    held = call.whole()
    if held is None or not _OBJECT.match(held):
        return call, ""
    if not renamed:
        if seen.text == held:
            return call, REPEATED if known.rules.repairs_rule(REPEATED) else ""
        if held == "{}":
            return call, SECOND_ROOT
        if call.value and seen.value is not None and grows(call.value, seen.value):
            return call, ""
    return None, SECOND_ROOT


def _by_index(known: Known, seen: Seen) -> Found:
    if seen.label is None:
        return _in_order(known, seen._replace(id=""))
    return known.by_index.get(seen.label), ""


def _by_index_and_id(known: Known, seen: Seen) -> Found:
    call, rule = _by_index(known, seen)
    if call is not None and seen.id and call.id and seen.id != call.id:
        return known.by_id.get(seen.id), ""
    return call, rule


def _by_index_and_id_first(known: Known, seen: Seen) -> Found:
    if seen.label is None:
        return _in_order(known, seen._replace(id=""))
    there = known.opened_at.get(seen.label, [])
    return next((call for call in there if not seen.id or not call.id or seen.id == call.id), None), ""


def _by_index_and_name(known: Known, seen: Seen) -> Found:
    if seen.name:
        named = (known.by_name.get((seen.label, name), {}) for name in (seen.name, ""))
        there = [call for calls in named for call in islice(reversed(calls), 2)]
    else:
        there = known.opened_at.get(seen.label, [])
    if not there:
        return None, ""
    if seen.name and seen.text and _VALUE.match(seen.text) and there[0].whole() is not None:
        return None, ""
    return (there[0], "") if len(there) == 1 else (None, LOST)


def _by_id(known: Known, seen: Seen) -> Found:
    return (known.by_id.get(seen.id) if seen.id else known.latest), ""


def _by_change_of_id(known: Known, seen: Seen) -> Found:
    call = known.latest
    if call is not None and seen.id and call.id and seen.id != call.id:
        return None, ""
    return call, ""


def _latest(known: Known, seen: Seen) -> Found:
    return (None if seen.id else known.latest), ""


RESOLVERS: dict[str, Callable[[Known, Seen], Found]] = {
    "resolve": _resolve,
    "index": _by_index,
    "index-id": _by_index_and_id,
    "index-name": _by_index_and_name,
    "id": _by_id,
    "id-change": _by_change_of_id,
    "latest": _latest,
    "index-id-first": _by_index_and_id_first,
}
