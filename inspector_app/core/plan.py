"""Plans: how a chunk reads that is equal to an earlier one but for one string.

`decode` is pure, so equal payloads give equal deltas, and whether one string says "a" or "b" changes nothing but that
text. A plan keeps a payload that was read the long way with its string taken out; a payload that is equal to it then
needs no decoding. Padding, and metadata whose change has been reported, may differ as well.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import field as default
from typing import Any, NamedTuple

import orjson

from inspector_app.core.json_text import quotes, strings
from inspector_app.core.runs import KINDS
from inspector_app.core.types import Delta

STATIC = frozenset({"absent", "noop", "unknown", "padding", "role", "logprobs", "filter", "stream.meta", "progress"})
"""Kinds that may stand beside the one text of a plan: the assembler heeds at most their emptiness."""

Steps = tuple[str | int, ...]
"""The way from the root of a payload to an object in it."""

HOLE = "\0"
"""Stands in `expected` for the text that may differ."""


class Frame(NamedTuple):
    """The bytes around the text of a payload, and around its padding where there is some.

    The part at `counted` holds NUL where the counter of the payload stands; -1 for none.
    """

    head: bytes
    between: bytes
    tail: bytes
    padding_first: bool
    counted: int = -1


@dataclass(slots=True)
class Plan:
    """Payloads equal to `expected` say one text, under `path` at `field`; `text` is its delta, None for none.

    `layout` and `rows` are those of the deltas, the text is the one at `offset`; `nothing` is a -1 per row. `key` is
    (kind, choice, form, block key) of the text. `quotes` is the number of quotes of such a payload when no key stands
    twice. `volatile` are root keys whose value may differ, `nested` places further down, with what stands there in
    `expected`. `empties` are empty keys, which some readers act on.
    """

    text: Delta | None
    key: tuple[str, int, str | None, Any]
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
    counter: str | None = None
    """A root key whose whole number is one more in each event."""
    expected: dict[str, Any] = default(default_factory=dict)
    volatile: tuple[str, ...] = ()
    nested: tuple[tuple[Steps, str, Any], ...] = ()
    frame: Frame | None = None
    waited: int = 0
    patience: int = 1
    """After how many payloads the bytes around the text are taken anew; doubles while that proves useless."""

    def expect(self, payload: dict[str, Any], free: Iterable[tuple[Steps, str]]) -> None:
        """Take this payload as the one to compare with; what `free` names may differ from now on."""
        for path, key in free:
            node: Any = payload
            for part in path:
                node = node[part]
            if node.get(key) and not isinstance(node[key], bool):
                if path or isinstance(node[key], dict | list):
                    self.nested += ((path, key, node[key]),)
                else:
                    self.volatile += (key,)
        if self.text is not None:
            node = payload
            for part in self.path:
                node = node[part]
            node[self.field] = HOLE
        self.expected = payload

    def may_be(self, payload: Any) -> bool:
        """Whether a payload has the root keys of the expected one, which is quickly seen."""
        return type(payload) is dict and payload.keys() == self.expected.keys()

    def read(self, data: bytes, count: int = 0) -> str:
        """The text of a payload that is equal to the expected one otherwise; empty when it is not.

        Without a text any answer but the empty string means "equal". `count` is what the counter must be.
        """
        frame = self.frame
        if frame is not None:
            head, between, tail, padding_first, counted = frame
            if counted >= 0:
                number = b"%d" % count
                if counted == 0:
                    head = head.replace(b"\0", number)
                elif counted == 1:
                    between = between.replace(b"\0", number)
                else:
                    tail = tail.replace(b"\0", number)
        if frame is not None and data.startswith(head) and data.endswith(tail):
            # Byte for byte the same around one string or two, and those are all they seem: nothing to parse.
            inner = data[len(head) : len(data) - len(tail)]
            if b"\\" not in inner:
                if between:
                    first, _, second = inner.partition(between)
                    text, padding = (second, first) if padding_first else (first, second)
                else:
                    text, padding = inner, b"0"
                if b'"' not in text and _is_padding(padding) and (plain := _plain(text)):
                    self.patience = 1
                    return plain
        expected = self.expected
        value = filler = HOLE
        surplus = 0
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
            for key in self.volatile:
                held, like = payload[key], expected[key]
                if not held or type(held) is not type(like):
                    return ""
                payload[key] = like
                if type(held) is str:
                    filler = held
            for path, key, like in self.nested:
                node = payload
                for part in path:
                    node = node[part]
                held = node[key]
                if not held or type(held) is not type(like):
                    return ""
                surplus += strings(held) - strings(like)
                node[key] = like
        except (ValueError, TypeError, KeyError, IndexError):
            return ""
        if payload != expected or type(value) is not str:
            return ""
        escaped = b"\\" in data
        if (quotes(data) if escaped else data.count(b'"')) != self.quotes + 2 * surplus:
            return ""
        self.waited += 1
        if self.waited >= self.patience and not escaped and self.text is not None and not self.nested:
            self.waited, self.patience = 0, min(2 * self.patience, 256)
            self.frame = _frame(data, value, "" if filler == HOLE else filler, self.counter)
        return value


def _frame(data: bytes, text: str, padding: str, counter: str | None) -> Frame | None:
    """The bytes around the text, and the padding if there is one; None where they cannot be told for sure.

    There are no escapes in `data`, so a string that stands there once, quotes included, stands in its own place.
    """
    spans = []
    for value in (text, padding) if padding else (text,):
        if not value.isprintable():
            return None
        literal = b'"%b"' % value.encode()
        start = data.find(literal)
        if start < 0 or data.find(literal, start + 1) >= 0:
            return None
        spans.append((start + 1, start + len(literal) - 1))
    (first, *rest) = sorted(spans)
    between = data[first[1] : rest[0][0]] if rest else b""
    tail = data[rest[0][1] :] if rest else data[first[1] :]
    parts = [data[: first[0]], between, tail]
    counted = -1
    if counter is not None:
        if b"\0" in data or data.count(b'"%b"' % counter.encode()) != 1:
            return None
        pattern = re.compile(rb'("%b"\s*:\s*)\d+' % re.escape(counter.encode()))
        counted = next((n for n, part in enumerate(parts) if pattern.search(part)), -1)
        if counted < 0:
            return None
        parts[counted] = pattern.sub(rb"\1\0", parts[counted])
    return Frame(parts[0], parts[1], parts[2], bool(rest) and spans[0] != first, counted)


def _is_padding(middle: bytes) -> bool:
    """Whether the inside of a JSON string is plain; padding is letters and digits as a rule."""
    return middle.isalnum() or (b'"' not in middle and _plain(middle) != "")


def _plain(middle: bytes) -> str:
    """The text of a JSON string's inside that has no escape; empty where a parser has to look."""
    try:
        text = middle.decode()
    except UnicodeDecodeError:
        return ""
    return text if text.isprintable() else ""


def make_plan(deltas: Sequence[Delta], value: dict[str, Any], layout: int) -> Plan | None:
    """A plan from a payload and its deltas; None where more than one text may differ."""
    shown = [delta for delta in deltas if delta.kind != "absent"]
    texts = [delta for delta in shown if delta.kind not in STATIC]
    text = texts[0] if texts else None
    if any(delta is not text and delta.extra and "key" in delta.extra for delta in deltas):
        return None
    extra = (text.extra or {}) if text is not None else {}
    path: list[str | int] = []
    name = ""
    if text is not None:
        grows = not extra.keys() & _LABELS if text.kind == "tool.args" else text.kind in KINDS and "mode" not in extra
        alone = len(texts) == 1 and grows
        if not alone or not isinstance(text.value, str) or not text.value or "~" in text.pointer:
            return None
        found = _path(value, text.pointer.split("/")[1:])
        if found is None:
            return None
        path, name = found
    key: tuple[str, int, str | None, Any] = ("", 0, None, None)
    if text is not None:
        key = (text.kind, text.choice, extra.get("form"), extra.get("key"))
    empties = tuple(delta for delta in deltas if delta.kind in ("absent", "noop"))
    offset = 0 if text is None else shown.index(text)
    rows = len(shown)
    nothing = array("i", [-1] * rows)
    return Plan(text, key, tuple(path), name, layout, rows, offset, 2 * strings(value), nothing, empties)


_LABELS = {"id", "name", "legacy", "mode"}
"""Keys of a call's fragment that make it more than a piece of arguments."""


def _path(value: Any, parts: list[str]) -> tuple[list[str | int], str] | None:
    """Where a string stands: the steps to the object that holds it, and its key there."""
    path: list[str | int] = []
    for part in parts[:-1]:
        step: str | int = int(part) if isinstance(value, list) else part
        value = value[step]
        path.append(step)
    return (path, parts[-1]) if isinstance(value, dict) else None
