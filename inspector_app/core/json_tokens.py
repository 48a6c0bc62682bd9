"""The one reader of JSON's grammar: where a value ends, where it stops being JSON, which tokens it has.

All of it works on bytes, in linear time and without recursion. Bytes above 0x7F are taken as they
are inside strings; whether they are UTF-8 is somebody else's question. `NaN`, `Infinity` and
`-Infinity` pass as values and are reported, because lenient parsers read them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

OBJECT, ARRAY, OBJECT_END, ARRAY_END, KEY, STRING, WORD = b'{[}]:"w'
"""Kinds of token: brackets, a member's name, any other string, a number or literal."""

_SPACE = rb"[ \t\n\r]*"
_PLAIN = rb"[^\"\\\x00-\x1f]*"
_ESCAPE = rb"\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4})"
_NUMBER = rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
_SIMPLE = rb'(?:"' + _PLAIN + rb'"|' + _NUMBER + rb"|true|false|null)"

# The counts bound what the regex engine keeps for backtracking; the callers match again.
_BODY = re.compile(_PLAIN + rb"(?:" + _ESCAPE + _PLAIN + rb"){0,500}")
_ELEMENTS = re.compile(rb"(?:" + _SPACE + _SIMPLE + _SPACE + rb",){1,500}")
_MEMBERS = re.compile(rb"(?:" + _SPACE.join((b"", b'"' + _PLAIN + b'"', b":", _SIMPLE, b",")) + rb"){1,500}")
_BEGUN_ESCAPE = re.compile(rb"(?:\\(?:u[0-9a-fA-F]{0,3})?)?")
_WHOLE_WORD = re.compile(_NUMBER + rb"|true|false|null|NaN|-?Infinity")
_BEGUN_WORD = re.compile(
    rb"t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?"
    rb"|(?:-?(?:0|[1-9][0-9]*)(?:\.(?:[0-9]+(?:[eE](?:[+-]?[0-9]*)?)?)?|[eE](?:[+-]?[0-9]*)?)?|-)?"
)
_BLANKS = re.compile(_SPACE)
_BETWEEN = re.compile(rb"[ \t\n\r,:]*")
_COLON = re.compile(_SPACE + rb":")
_ANY_WORD = re.compile(rb"[-+.0-9A-Za-z]+")

_VALUE, _FIRST_VALUE, _NAME, _FIRST_NAME, _NAME_END, _VALUE_END = range(6)


class Scan(NamedTuple):
    """How far a value goes.

    Everything before `end` is a beginning of JSON; with `done` a whole value ends there. `odd` is the
    position of the first NaN or Infinity, -1 without one. `deep`: stopped at a bracket beyond the
    depth that was asked for. `in_string`: stopped inside a string.
    """

    end: int
    done: bool
    odd: int
    deep: bool
    in_string: bool


def blank_end(data: bytes, at: int) -> int:
    """Where the white space that begins at `at` ends."""
    return _BLANKS.match(data, at).end()  # type: ignore[union-attr]


def string_end(data: bytes, at: int) -> tuple[int, bool]:
    """Where the string whose quote stands at `at` ends, and whether it is whole.

    A string that is not whole ends before the first byte that JSON does not allow in it.
    """
    at += 1
    while True:
        end = _BODY.match(data, at).end()  # type: ignore[union-attr]
        if data[end : end + 1] == b'"':
            return end + 1, True
        if end == at:
            return _BEGUN_ESCAPE.match(data, at).end(), False  # type: ignore[union-attr]
        at = end


def scan(data: bytes, at: int, depth: int | None = None) -> Scan:
    """Reads the value that begins at `at` (no white space before it), at most `depth` brackets deep."""
    closing = bytearray()
    odd = -1
    size = len(data)
    state = _VALUE
    while True:
        at = _BLANKS.match(data, at).end()  # type: ignore[union-attr]
        if at == size:
            return Scan(at, False, odd, False, False)
        byte = data[at]
        if state in (_VALUE, _FIRST_VALUE):
            if closing and closing[-1] == ARRAY_END and (run := _ELEMENTS.match(data, at)):
                at = run.end()
                state = _VALUE
                continue
            if byte in (OBJECT, ARRAY):
                if depth is not None and len(closing) >= depth:
                    return Scan(at, False, odd, True, False)
                closing.append(OBJECT_END if byte == OBJECT else ARRAY_END)
                state = _FIRST_NAME if byte == OBJECT else _FIRST_VALUE
                at += 1
                continue
            if byte == STRING:
                at, whole = string_end(data, at)
                if not whole:
                    return Scan(at, False, odd, False, True)
            elif byte == ARRAY_END and state == _FIRST_VALUE:
                closing.pop()
                at += 1
            else:
                begun = _BEGUN_WORD.match(data, at).end()  # type: ignore[union-attr]
                word = _WHOLE_WORD.match(data, at)
                if word is None or word.end() < begun:
                    return Scan(begun, False, odd, False, False)
                if odd < 0 and word.group().endswith((b"NaN", b"Infinity")):
                    odd = at
                at = word.end()
        elif state in (_NAME, _FIRST_NAME):
            if run := _MEMBERS.match(data, at):
                at = run.end()
                state = _NAME
                continue
            if byte == STRING:
                at, whole = string_end(data, at)
                if not whole:
                    return Scan(at, False, odd, False, True)
                state = _NAME_END
                continue
            if byte != OBJECT_END or state == _NAME:
                return Scan(at, False, odd, False, False)
            closing.pop()
            at += 1
        elif state == _NAME_END:
            if byte != KEY:
                return Scan(at, False, odd, False, False)
            at += 1
            state = _VALUE
            continue
        elif byte == closing[-1]:
            closing.pop()
            at += 1
        elif byte == 0x2C:
            at += 1
            state = _VALUE if closing[-1] == ARRAY_END else _NAME
            continue
        else:
            return Scan(at, False, odd, False, False)
        if not closing:
            return Scan(at, True, odd, False, False)
        state = _VALUE_END


def tokens(data: bytes, at: int = 0) -> Iterator[tuple[int, int, int]]:
    """Kind, start and end of each token of well-formed JSON from `at` on; commas and colons are left out.

    Several roots simply follow each other. Ends at the first byte that begins no token.
    """
    size = len(data)
    while True:
        at = _BETWEEN.match(data, at).end()  # type: ignore[union-attr]
        if at == size:
            return
        kind = data[at]
        if kind == STRING:
            end, whole = string_end(data, at)
            if not whole:
                return
            if _COLON.match(data, end):
                kind = KEY
        elif kind in b"{}[]":
            end = at + 1
        else:
            word = _ANY_WORD.match(data, at)
            if word is None:
                return
            kind = WORD
            end = word.end()
        yield kind, at, end
        at = end


def unquote(literal: bytes) -> str:
    """What a whole string literal, quotes included, says. Invalid UTF-8 becomes U+FFFD."""
    if b"\\" not in literal:
        return literal[1:-1].decode("utf-8", "replace")
    value: str = json.loads(literal.decode("utf-8", "replace"))
    return value
