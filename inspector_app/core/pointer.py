"""Where the parts of a payload lie in its bytes: JSON Pointers (RFC 6901), characters of strings, ledger paths."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Any, NamedTuple

from inspector_app.core.json_tokens import ARRAY, ARRAY_END, OBJECT, OBJECT_END, STRING, scan, string_end, unquote

_GAP = re.compile(rb"[ \t\n\r,:]*")
_LEAF_MEMBER = re.compile(
    rb'"([^"\\\x00-\x1f]*)"[ \t\n\r]*:[ \t\n\r]*(?:"[^"\\\x00-\x1f]*"|[-+.0-9A-Za-z]+)[ \t\n\r]*(?:,[ \t\n\r]*|(?=\}))'
)
_PLAIN_KEY = re.compile(r"[^\"\\.\[\]\x00-\x20\x7f]+")

# One character of the decoded string each. What is not UTF-8 counts as decoders with U+FFFD count it:
# a beginning that could have become a character is one, any other byte is one.
_CHARACTER = (
    rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\."
    rb"|[\xc2-\xdf][\x80-\xbf]?"
    rb"|(?:\xe0[\xa0-\xbf]|\xed[\x80-\x9f]|[\xe1-\xec\xee\xef][\x80-\xbf])[\x80-\xbf]?"
    rb"|(?:\xf0[\x90-\xbf]|\xf4[\x80-\x8f]|[\xf1-\xf3][\x80-\xbf])(?:[\x80-\xbf][\x80-\xbf]?)?"
    rb"|."
)
_ONE = re.compile(_CHARACTER, re.DOTALL)
_BLOCK = 256
_PARSE = json.JSONDecoder().raw_decode
LONG = 1 << 14
"""Bytes from which on it is worth the while to let a parser look for the end of a value."""
_MANY = re.compile(rb"(?:" + _CHARACTER + rb"){0,%d}" % _BLOCK, re.DOTALL)


class Span(NamedTuple):
    """Byte ranges of a value and of the key in front of it, quotes included; -1, -1 where there is no key."""

    key_start: int
    key_end: int
    start: int
    end: int


class _Wanted:
    """A value on the way to what is looked for: the parts below it, by name or by index in digits."""

    __slots__ = ("below", "met", "pointer")

    def __init__(self) -> None:
        self.below: dict[str, _Wanted] = {}
        self.pointer: str | None = None
        self.met = False

    def forget(self, found: dict[str, Span]) -> None:
        """Takes back what was found here and below: the same key came again, and the last one counts."""
        waiting = [self]
        while waiting:
            wanted = waiting.pop()
            if wanted.pointer is not None:
                found.pop(wanted.pointer, None)
            waiting += wanted.below.values()


@dataclass(slots=True)
class _Open:
    """An object or array that the walk is in; `index` is that of the element it has come to."""

    wanted: _Wanted
    closing: int
    key: tuple[int, int]
    start: int
    index: int = -1


def escape(key: str) -> str:
    """A key as one part of a pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def locate(data: bytes, pointer: str, root: int = 0) -> Span | None:
    """Where a pointer leads in JSON text, None if nowhere. Of equal keys the last one counts, as in parsers.

    `root` is the number of the value in a payload that holds several. In text that is cut, what is
    whole is found.
    """
    return spans(data, (pointer,), root).get(pointer)


def spans(data: bytes, pointers: Iterable[str], root: int = 0) -> dict[str, Span]:
    """`locate` for many pointers in one pass; those that lead nowhere are missing from the answer."""
    found: dict[str, Span] = {}
    at = _gap_end(data, 0)
    for _ in range(root):
        at = _gap_end(data, scan(data, at).end)
    size = len(data)
    skip = _skipping(data)
    opened: list[_Open] = []
    wanted: _Wanted | None = _wish(pointers)
    key = (-1, -1)
    while at < size:
        byte = data[at]
        if wanted is not None and wanted.below and byte in (OBJECT, ARRAY):
            opened.append(_Open(wanted, OBJECT_END if byte == OBJECT else ARRAY_END, key, at))
            at += 1
        elif byte in (OBJECT, ARRAY) and size - at > LONG and (end := skip(at)):
            if wanted is not None and wanted.pointer is not None:
                found[wanted.pointer] = Span(*key, at, end)
            at = end
        else:
            value = scan(data, at)
            # A number at the very end of text that goes on may have lost digits.
            if not value.done or (value.end == size and opened and data[value.end - 1] not in b'"]}'):
                break
            if wanted is not None and wanted.pointer is not None:
                found[wanted.pointer] = Span(*key, at, value.end)
            at = value.end
        at = _leave(data, at, opened, found)
        if not opened or at == size:
            break
        parent = opened[-1]
        if parent.closing == ARRAY_END:
            parent.index += 1
            key = (-1, -1)
            wanted = parent.wanted.below.get(str(parent.index))
            continue
        end, whole = string_end(data, at) if data[at] == STRING else (at, False)
        if not whole:
            break
        key = (at, end)
        wanted = parent.wanted.below.get(unquote(data[at:end]))
        if wanted is not None:
            if wanted.met:
                wanted.forget(found)
            wanted.met = True
        at = _gap_end(data, end)
    return found


def _skipping(data: bytes) -> Callable[[int], int]:
    """Finds the end of an object or array at the speed of C, 0 where it is not whole or the parser refuses it."""
    text = ""

    def skip(at: int) -> int:
        nonlocal text
        # Byte by byte a character: what matters here is ASCII.
        text = text or data.decode("latin-1")
        try:
            return _PARSE(text, at)[1]
        except (ValueError, RecursionError):
            return 0

    return skip


def _leave(data: bytes, at: int, opened: list[_Open], found: dict[str, Span]) -> int:
    """Goes on to the next key or element, over members that nobody wants and out of what ends here."""
    while opened:
        at = _gap_end(data, at)
        inner = opened[-1]
        if inner.closing == OBJECT_END:
            names = inner.wanted.below
            while (member := _LEAF_MEMBER.match(data, at)) and member[1].decode("utf-8", "replace") not in names:
                at = member.end()
        if data[at : at + 1] != inner.closing.to_bytes():
            break
        at += 1
        opened.pop()
        if inner.wanted.pointer is not None:
            found[inner.wanted.pointer] = Span(*inner.key, inner.start, at)
    return at


def text_bytes(data: bytes, start: int, end: int, from_char: int, to_char: int) -> tuple[int, int]:
    """Byte range of characters [from_char, to_char) of a string whose literal, quotes included, is [start, end).

    Characters are those of the decoded value: an escape is one, a pair of \\u escapes is one. What
    lies behind the end of the string counts as its end.
    """
    last = end - 1
    first = _advance(data, start + 1, last, from_char)
    return first, _advance(data, first, last, to_char - from_char)


def flatten(value: Any) -> Iterator[tuple[str, Any]]:
    """The leaves and empty containers of a value, in order, each with its ledger path: `choices[].delta.content`.

    All elements of an array share one path. Keys that the notation could not tell apart stand as
    JSON: `headers["x.y"]`.
    """
    # Iterators, not lists of what is left: a path is made when its turn comes.
    waiting: list[Iterator[tuple[str, Any]]] = [iter((("", value),))]
    while waiting:
        for path, item in waiting[-1]:
            if item and isinstance(item, dict):
                waiting.append(_members(path, item))
                break
            if item and isinstance(item, list):
                waiting.append(zip(repeat(path + "[]"), item))
                break
            yield path, item
        else:
            waiting.pop()


def _members(path: str, item: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, below in item.items():
        if not _PLAIN_KEY.fullmatch(key):
            yield f"{path}[{json.dumps(key)}]", below
        else:
            yield f"{path}.{key}" if path else key, below


def _wish(pointers: Iterable[str]) -> _Wanted:
    top = _Wanted()
    for pointer in pointers:
        head, *parts = pointer.split("/")
        if head:
            continue
        wanted = top
        for part in parts:
            wanted = wanted.below.setdefault(part.replace("~1", "/").replace("~0", "~"), _Wanted())
        wanted.pointer = pointer
    return top


def _gap_end(data: bytes, at: int) -> int:
    return _GAP.match(data, at).end()  # type: ignore[union-attr]


def _advance(data: bytes, at: int, end: int, count: int) -> int:
    """The position `count` characters of a string literal behind `at`."""
    straight = data[at : min(at + count, end)]
    if straight.isascii() and b"\\" not in straight:
        return at + len(straight)
    while count >= _BLOCK:
        stop = _MANY.match(data, at, end).end()  # type: ignore[union-attr]
        if stop == end:
            break
        at = stop
        count -= _BLOCK
    while count > 0 and at < end:
        at = _ONE.match(data, at, end).end()  # type: ignore[union-attr]
        count -= 1
    return at
