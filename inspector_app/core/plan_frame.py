"""The bytes of a payload around what may differ in it, so that most payloads are read without parsing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from inspector_app.core.counts import Steps, at
from inspector_app.core.json_tokens import ARRAY, KEY, STRING, WORD, tokens
from inspector_app.core.pointer import escape, spans

_ASCII = rb'"[ !#-\[\]-~]%b"'
_INTEGER = rb"[1-9][0-9]{0,14}"
_FLOAT = rb"(?:0|[1-9][0-9]{0,14})\.[0-9]{0,24}[1-9][0-9]{0,24}(?:[eE][+-]?[0-9]{1,2})?"
_NUMBER = rb"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,24})?(?:[eE][+-]?[0-9]{1,2})?"
_TEXT = rb'([^"\\\x00-\x1f]+)'
_COUNTER = rb"(0|[1-9][0-9]{0,14})"


class Frame(NamedTuple):
    """What is the same at the start and at the end, and between them the text alone, or what `pattern` tells.

    `text` and `counter` are groups of the pattern (-1 without a counter), and so are `counts` with their types.
    """

    head: bytes
    tail: bytes
    pattern: re.Pattern[bytes] | None
    text: int = 0
    counter: int = -1
    counts: tuple[tuple[int, type], ...] = ()


def make_frame(
    data: bytes,
    payload: Any,
    text: Steps,
    counter: str | None,
    free: Sequence[Steps],
    counts: Sequence[Steps],
) -> Frame | None:
    """The frame of a payload without duplicate keys; None where its bytes are not as plain as most are.

    `text` is the way to the string that differs, `counter` the root key of a number, `free` and `counts` the ways to
    what may differ besides.
    """
    holes: dict[str, tuple[str, Any, int]] = {_pointer(text): ("text", None, 0)}
    if counter is not None:
        holes[_pointer((counter,))] = ("counter", None, 0)
    for steps in free:
        holes[_pointer(steps)] = ("free", at(payload, steps), 0)
    for number, steps in enumerate(counts):
        holes[_pointer(steps)] = ("count", at(payload, steps), number)
    places = spans(data, holes)
    if len(places) != len(holes):
        return None
    patterns: list[bytes] = []
    groups: list[tuple[str, int]] = []
    ordered = sorted((span.start, span.end, *holes[pointer]) for pointer, span in places.items())
    first, last = ordered[0][0], ordered[-1][1]
    end = first
    for start, stop, what, value, number in ordered:
        if start < end:
            return None  # One stands inside of the other.
        patterns.append(re.escape(data[end:start]))
        end = stop
        inside = data[start:stop]
        if what == "text":
            patterns.append(b'"' + _TEXT + b'"')
        elif what == "counter":
            patterns.append(_COUNTER)
        elif what == "count":
            patterns.append(b"(" + (_INTEGER if type(value) is int else _FLOAT) + b")")
        else:
            pattern = _free(inside, value)
            if pattern is None:
                return None
            patterns.append(pattern)
            continue
        groups.append((what, number))
    if len(ordered) == 1:
        return Frame(data[: first + 1], data[last - 1 :], None)
    kinds = [what for what, _ in groups]
    numbers = sorted((number, n) for n, (what, number) in enumerate(groups) if what == "count")
    types = tuple((n, type(at(payload, counts[number]))) for number, n in numbers)
    counted = kinds.index("counter") if counter is not None else -1
    return Frame(data[:first], data[last:], re.compile(b"".join(patterns)), kinds.index("text"), counted, types)


def _free(data: bytes, value: Any) -> bytes | None:
    """A pattern for values that may stand in place of this one; None where only a parser can tell."""
    if type(value) is str:
        return _ASCII % b"+"
    if type(value) is int:
        return b"-?" + _INTEGER
    if type(value) is float:
        return b"-?" + _FLOAT
    out: list[bytes] = []
    end, before = 0, 0
    for kind, start, stop in tokens(data):
        gap, word = data[end:start], data[start:stop]
        number = kind == WORD and word[:1] in b"-0123456789"
        if number and before == WORD and out[-1].endswith(b")*"):
            end = stop  # One more number of a list that may have any number of them.
            continue
        out.append(re.escape(gap))
        if kind == STRING:
            out.append(_ASCII % b"*")
        elif number:
            out.append(_NUMBER + (rb"(?:, ?" + _NUMBER + rb")*" if before == ARRAY else b""))
        else:
            out.append(re.escape(word))
        end, before = stop, kind if kind != WORD or number else KEY
    return b"".join(out)


def _pointer(steps: Steps) -> str:
    return "".join(f"/{escape(str(part))}" for part in steps)
