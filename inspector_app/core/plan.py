"""Plans: how a chunk reads that is equal to an earlier one but for one string.

`decode` is pure, so equal payloads give equal deltas, and whether one string says "a" or "b" changes nothing but that
text. A plan keeps a payload that was read the long way with its string taken out; a payload that is equal to it then
needs no decoding. Padding, and metadata whose change has been reported, may differ as well.
"""

from __future__ import annotations

from array import array
from binascii import a2b_base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import field as default
from typing import Any

import orjson

from inspector_app.core.counts import Counts, Steps, at, steps_of
from inspector_app.core.json_text import quotes, strings
from inspector_app.core.parts import Part
from inspector_app.core.plan_frame import Frame, make_frame
from inspector_app.core.runs import KINDS, MEDIA, TextKey, text_key
from inspector_app.core.types import Block, Delta

STATIC = frozenset({"absent", "noop", "unknown", "padding", "role", "logprobs", "filter", "stream.meta", "progress"})
"""Kinds that may stand beside the one text of a plan: the assembler heeds at most their emptiness."""

REPLACE = "replace"
"""How a text is given that takes the place of what its block has."""

HOLE = "\0"
"""Stands in `expected` for the text that may differ."""


@dataclass(slots=True, eq=False)
class Plan:
    """Payloads equal to `expected` say one text, under `path` at `field`; `text` is its delta, None for none.

    `layout` and `rows` are those of the deltas, the text is the one at `offset`; `nothing` is a -1 per row. `key` tells
    where the text goes. `quotes` is the number of quotes of such a payload when no key stands
    twice. `free` are places whose value may differ, with what stands there in `expected`. `empties` are empty keys,
    which some readers act on.
    """

    text: Delta | None
    key: TextKey
    path: Steps
    field: str
    layout: int
    rows: int
    offset: int
    quotes: int
    nothing: array[int]
    empties: tuple[Delta, ...]
    name: str | None = None
    """The name of the events."""
    replaces: bool = False
    """Whether its texts take the place of what their block has."""
    appends: bool = False
    """Whether its texts are appended to what their block has."""
    besides: bool = False
    """Whether its events have something besides the text."""
    rivals: Sequence[Plan] = ()
    """Other plans, which may fit a payload better that does not look like those of this one."""
    counter: str | None = None
    """A root key whose whole number is one more in each event."""
    counts: Counts | None = None
    """The usage of each payload."""
    numbers: list[int | float] = default(default_factory=list)
    """The numbers of `counts` in the payload that was read last."""
    whole: str = ""
    """What all of the data is where it is nothing but the text: "text" or "json" (a string)."""
    markers: tuple[bytes, ...] = ()
    """Data that is no text then, but an end."""
    expected: Any = None
    written: bytes | None = None
    """`expected` as JSON: in Python 0, 0.0 and false are equal, on the wire they are not."""
    free: tuple[tuple[Steps, str, Any], ...] = ()
    frame: Frame | None = None
    waited: int = 0
    patience: int = 4
    """After how many payloads that had to be parsed the bytes around the text are taken anew; doubles each time."""

    def expect(self, payload: dict[str, Any], free: Iterable[tuple[Steps, str]]) -> None:
        """Take this payload as the one to compare with; what `free` names may differ from now on."""
        for path, key in free:
            node: Any = at(payload, path)
            if node.get(key) and not isinstance(node[key], bool):
                self.free += ((path, key, node[key]),)
        if self.text is not None:
            at(payload, self.path)[self.field] = HOLE
        self.expected = payload
        self.written = _written(payload)

    def settle(self, rivals: Sequence[Plan]) -> None:
        """All is known of its payloads."""
        self.replaces = self.text is not None and (self.text.extra or {}).get("mode") == REPLACE
        self.appends = self.key[0] != MEDIA and not self.replaces
        self.besides = self.counts is not None or self.whole == "text"
        self.rivals = rivals

    def looks_like(self, data: bytes) -> bool:
        """Whether a payload begins and ends as those of this plan do."""
        frame = self.frame
        return frame is not None and data.startswith(frame.head) and data.endswith(frame.tail)

    def give(self, block: Block, part: Part | None, value: str) -> None:
        """A text that goes to the block of the one before, in whatever manner; media are not kept in blocks."""
        if self.replaces and part is not None:
            part.forget()
        block.fragments.append("" if self.key[0] == MEDIA else value)

    def may_be(self, payload: Any) -> bool:
        """Whether a payload has the root keys of the expected one, which is quickly seen."""
        return type(payload) is dict and payload.keys() == self.expected.keys()

    def read(self, data: bytes, count: int = 0) -> str:
        """The text of a payload that is equal to the expected one otherwise; empty when it is not.

        Without a text any answer but the empty string means "equal". `count` is what the counter must be. The counts
        of the payload are in `numbers` afterwards.
        """
        frame = self.frame
        if frame is not None:
            head, tail, pattern, text, counter, counts = frame
            if data.startswith(head) and data.endswith(tail):
                # Byte for byte the same around the text, and that is all it seems: nothing to parse.
                inner = data[len(head) : len(data) - len(tail)]
                if pattern is None:
                    if b"\\" not in inner and b'"' not in inner and (plain := _plain(inner)):
                        return plain
                elif (found := pattern.fullmatch(inner)) is not None:
                    groups = found.groups()
                    if (counter < 0 or groups[counter] == b"%d" % count) and (plain := _plain(groups[text])):
                        if counts:
                            self.numbers = [kind(groups[group]) for group, kind in counts]
                        return plain
            elif any(rival.looks_like(data) for rival in self.rivals):
                return ""
        return self._parsed(data, count) if not self.whole else self._all_of(data)

    def _parsed(self, data: bytes, count: int) -> str:
        expected = self.expected
        value = HOLE
        surplus = 0
        numbers: list[int | float] = []
        try:
            node = payload = orjson.loads(data)
            if self.text is not None:
                for part in self.path:
                    node = node[part]
                value = node[self.field]
                node[self.field] = HOLE
            if self.counter is not None:
                if payload[self.counter] != count or type(payload[self.counter]) is not int:
                    return ""
                payload[self.counter] = expected[self.counter]
            for place in self.counts.places if self.counts is not None else ():
                node, like = payload, expected
                for part in place[:-1]:
                    node, like = node[part], like[part]
                number, like = node[place[-1]], like[place[-1]]
                if type(number) is not type(like) or number <= 0:
                    return ""
                numbers.append(number)
                node[place[-1]] = like
            for path, key, like in self.free:
                node = payload
                for part in path:
                    node = node[part]
                held = node[key]
                if not held or type(held) is not type(like):
                    return ""
                if type(like) is dict or type(like) is list:
                    surplus += strings(held) - strings(like)
                node[key] = like
        except (ValueError, TypeError, KeyError, IndexError):
            return ""
        if payload != expected or type(value) is not str or self.written is None or _written(payload) != self.written:
            return ""
        if (quotes(data) if b"\\" in data else data.count(b'"')) != self.quotes + 2 * surplus:
            return ""
        self.numbers = numbers
        self.waited += 1
        if self.waited >= self.patience and self.text is not None:
            self.waited, self.patience = 0, min(2 * self.patience, 1024)
            places = self.counts.places if self.counts is not None else ()
            free = [(*path, key) for path, key, _ in self.free]
            self.frame = make_frame(data, orjson.loads(data), (*self.path, self.field), self.counter, free, places)
        return value

    def _all_of(self, data: bytes) -> str:
        """The text that the data is."""
        try:
            if self.whole == "text":
                return "" if data.startswith(b"data:") else data.decode()  # A file in place of words is no text.
            value = orjson.loads(data)
        except ValueError:
            return ""
        return value if type(value) is str and data.strip() not in self.markers else ""


class Encoded(Plan):
    """Payloads whose text stands in them as base64."""

    __slots__ = ()

    def read(self, data: bytes, count: int = 0) -> str:
        """The text of a payload that is equal to the expected one otherwise; empty when it is not."""
        held = Plan.read(self, data, count)
        return _undone(held) if held else ""


def _undone(held: str) -> str:
    """The text that base64 stands for, empty where it is none, or begins like an object, which may be no text."""
    try:
        text = a2b_base64(held, strict_mode=True).decode()
    except ValueError:
        return ""
    return text if not text.lstrip().startswith("{") else ""


def _written(payload: Any) -> bytes | None:
    """A payload as JSON, whatever the order of its keys; None for one that cannot be written."""
    try:
        return orjson.dumps(payload, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return None


def _plain(middle: bytes) -> str:
    """The text of a JSON string's inside that has no escape; empty where a parser has to look."""
    try:
        text = middle.decode()
    except UnicodeDecodeError:
        return ""
    return text if text.isprintable() else ""


def make_plan(deltas: Sequence[Delta], value: Any, layout: int, counts: Counts | None = None) -> Plan | None:
    """A plan from a payload, an object or a string, and its deltas; None where more than one text may differ, and
    where there is usage without `counts`.
    """
    shown = [delta for delta in deltas if delta.kind != "absent"]
    heard = STATIC if counts is None else STATIC | {"usage"}
    texts = [delta for delta in shown if delta.kind not in heard]
    text = texts[0] if texts else None
    if any(delta is not text and delta.extra and "key" in delta.extra for delta in deltas):
        return None
    extra = (text.extra or {}) if text is not None else {}
    encoded = extra.get("encoding") == "base64"
    steps: Steps | None = ()
    if text is not None:
        if len(texts) > 1 or not _is_usual(text, extra) or not isinstance(text.value, str) or not text.value:
            return None
        steps = steps_of(value, text.pointer)
        held = at(value, steps) if steps is not None else None
        wire = _undone(held) if encoded and isinstance(held, str) else held
        if steps is None or wire != text.value or (steps and type(at(value, steps[:-1])) is not dict):
            return None
    if type(value) is str and (text is None or len(shown) > 1):
        return None
    key = text_key(text) if text is not None else ("", 0, None, None)
    empties = tuple(delta for delta in deltas if delta.kind in ("absent", "noop"))
    offset = 0 if text is None else shown.index(text)
    rows = len(shown)
    nothing = array("i", [-1] * rows)
    path, field = (steps[:-1], str(steps[-1])) if steps else ((), "")
    kind = Encoded if encoded else Plan
    return kind(text, key, path, field, layout, rows, offset, 2 * strings(value), nothing, empties, counts=counts)


def _is_usual(text: Delta, extra: dict[str, Any]) -> bool:
    """Whether a text goes on with what its block has, or takes the place of that."""
    if text.kind == "tool.args":
        return not extra.keys() & _LABELS
    if text.kind == MEDIA:
        return "key" not in extra
    return text.kind in KINDS and ("mode" not in extra or (extra["mode"] == REPLACE and "key" in extra))


_LABELS = {"id", "name", "legacy", "mode"}
"""Keys of a call's fragment that make it more than a piece of arguments."""
