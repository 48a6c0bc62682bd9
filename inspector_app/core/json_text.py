"""JSON that the fast parser refused, and exact questions about JSON text.

`plain` is the fast parser. What fails there comes to `parse`, which says what is wrong and where, and reads what a
lenient client could read. All functions take linear time and never raise
RecursionError.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Literal, NamedTuple

import orjson

from inspector_app.core.json_tokens import (
    ARRAY,
    ARRAY_END,
    KEY,
    OBJECT,
    OBJECT_END,
    WORD,
    Scan,
    blank_end,
    scan,
    tokens,
    unquote,
)
from inspector_app.core.pointer import escape

SIZE_LIMIT = 32 << 20
"""Bytes of one payload that are parsed; what is longer is shown as bytes (rule meta-limit-reached)."""

DEPTH_LIMIT = 256
"""Brackets inside each other. Far more than any payload has, and few enough for whatever walks over a value."""

ROOTS_LIMIT = 1 << 20
"""Values in one payload; a stream without blank lines is one payload with a value per event."""

Trouble = Literal["invalid", "roots", "cut", "surrogate", "nonstandard", "utf8", "limit"]

# orjson reads integers beyond 64 bit as floats; 18 digits always fit.
_LONG_NUMBER = re.compile(rb"[0-9]{19}")
_ESCAPE = re.compile(rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(\\u[dD][89a-fA-F])|\\.", re.DOTALL)
_BETWEEN = re.compile(r"[ \t\n\r,:]*")


class Parsed(NamedTuple):
    """What `parse` made of a payload.

    `values` is empty where nothing can be read as JSON. `at` is a byte position: where the valid part
    ends (invalid, cut), where the second value begins (roots), the place of the first lone surrogate,
    NaN or invalid byte, of the bracket or number beyond a limit; -1 without fault. `detail` says it in words.
    """

    values: list[Any]
    fault: Trouble | None
    at: int
    detail: str


def plain(data: bytes) -> Any:
    """The value of plain JSON, fast. Raises ValueError for anything else and beyond DEPTH_LIMIT."""
    value = orjson.loads(data)
    if data.count(b"[") + data.count(b"{") > DEPTH_LIMIT and _is_deep(value):
        raise ValueError(f"nested deeper than {DEPTH_LIMIT}")
    return value


def _is_deep(value: Any) -> bool:
    level: list[Any] = [[value]]
    for _ in range(DEPTH_LIMIT + 1):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if type(outer) is dict else outer)
            if type(inner) is dict or type(inner) is list
        ]
        if not level:
            return False
    return True


def parse(data: bytes, limit: int = SIZE_LIMIT, depth: int = DEPTH_LIMIT, *, tried: bool = False) -> Parsed:
    """Reads a payload strictly, and says what a lenient parser would still read.

    The first that applies is the fault: limit; cut or invalid (no values); nonstandard (NaN and
    Infinity); roots; utf8 (read with U+FFFD); surrogate (a lone half, kept in the value). Integers
    are exact up to 4300 digits. `tried`: it is known that `plain` refuses it.
    """
    if len(data) > limit:
        return Parsed([], "limit", limit, f"{len(data)} bytes, limit {limit}")
    if depth >= DEPTH_LIMIT and not tried:
        try:
            value = plain(data)
        except ValueError:
            pass
        else:
            # Looked for last: it takes longer than to see that a text is no JSON.
            if not _LONG_NUMBER.search(data):
                return Parsed([value], None, -1, "")
    roots, odd, stop = _roots(data, depth)
    if stop is not None:
        return _refusal(data, roots, odd, stop, depth)
    if len(roots) > ROOTS_LIMIT:
        return Parsed([], "limit", roots[-1][0], f"more than {ROOTS_LIMIT} values in one payload")
    try:
        values = [_value(data[start:end]) for start, end in roots]
    except ValueError:
        start, end = _unreadable_number(data)
        return Parsed([], "limit", start, f"a number of {end - start} characters that no parser holds")
    if odd >= 0:
        return Parsed(values, "nonstandard", odd, f"{_word(data, odd)} is not JSON")
    if len(roots) > 1:
        return Parsed(values, "roots", roots[1][0], f"{len(roots)} values")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return Parsed(values, "utf8", error.start, f"byte 0x{data[error.start]:02X} is not UTF-8")
    lone = _lone_surrogate(data)
    if lone >= 0:
        return Parsed(values, "surrogate", lone, f"{data[lone : lone + 6].decode()} has no other half")
    return Parsed(values, None, -1, "")


def loads(text: str) -> Any:
    """The value of the arguments of a call. Strict, but lone surrogates pass and integers are exact.

    Raises ValueError, with the position where the valid part ends.
    """
    data = text.encode("utf-8", "surrogatepass")
    if not _LONG_NUMBER.search(data):
        try:
            return plain(data)
        except ValueError:
            pass
    at = blank_end(data, 0)
    result = scan(data, at, DEPTH_LIMIT)
    if result.deep:
        raise ValueError(f"nested deeper than {DEPTH_LIMIT}")
    if not result.done or result.odd >= 0 or blank_end(data, result.end) < len(data):
        raise ValueError(f"no JSON from character {valid_to(text)} on")
    return _decode(text)


def is_prefix(text: str | bytes) -> bool:
    """Whether the text is a proper beginning of a JSON value: cut, and not wrong so far.

    A whole value is none, except a number, which more digits could follow. Nor is blank text.
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    start = blank_end(data, 0)
    if start == len(data):
        return False
    result = scan(data, start)
    if result.end < len(data) or result.odd >= 0:
        return False
    return not result.done or data[-1] in b"0123456789"


def valid_to(text: str | bytes) -> int:
    """How long the longest part from the start is that is JSON or could become it, in the units of `text`.

    The whole length for valid JSON and for a prefix of it.
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    start = blank_end(data, 0)
    result = scan(data, start)
    end = blank_end(data, result.end) if result.done else result.end
    if result.odd >= 0:
        end = _strict_end(data, result.odd)
    return end if isinstance(text, bytes) else len(data[:end].decode("utf-8", "surrogatepass"))


def quotes(data: bytes) -> int:
    """Number of quotes that delimit strings, in JSON text.

    A payload has duplicate keys if and only if this is not twice `strings` of its values, which is
    the cheap question before `duplicate_keys`.
    """
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    return data.count(b'"')


def strings(value: Any) -> int:
    """Number of strings in a parsed value, keys included."""
    count = 0
    waiting = [value]
    for item in waiting:
        kind = type(item)
        if kind is str:
            count += 1
        elif kind is dict:
            count += len(item)
            waiting += item.values()
        elif kind is list:
            waiting += item
    return count


def duplicate_keys(data: bytes, most: int = 100) -> list[tuple[str, int, int]]:
    """Every repeat of a key in one object of valid JSON: pointer, and byte range of the later key with its quotes.

    Stops after `most` repeats.
    """
    found: list[tuple[str, int, int]] = []
    path: list[str | int] = []
    seen: list[set[str] | None] = []
    for kind, start, end in tokens(data):
        names = seen[-1] if seen else None
        if kind == KEY and names is not None:
            name = unquote(data[start:end])
            path[-1] = name
            if name in names:
                found.append(("".join(f"/{escape(str(part))}" for part in path), start, end))
                if len(found) == most:
                    break
            names.add(name)
        elif kind in (OBJECT_END, ARRAY_END):
            if not seen:
                break
            seen.pop()
            path.pop()
        else:
            if path and isinstance(path[-1], int):
                path[-1] += 1
            if kind == OBJECT:
                seen.append(set())
                path.append("")
            elif kind == ARRAY:
                seen.append(None)
                path.append(-1)
    return found


def _roots(data: bytes, depth: int) -> tuple[list[tuple[int, int]], int, Scan | None]:
    """The byte ranges of the whole values, the first NaN or Infinity or -1, and the scan that failed, if one did."""
    roots: list[tuple[int, int]] = []
    odd = -1
    at = blank_end(data, 0)
    while True:
        result = scan(data, at, depth)
        if odd < 0:
            odd = result.odd
        if not result.done:
            return roots, odd, result
        roots.append((at, result.end))
        at = blank_end(data, result.end)
        if at == len(data) or len(roots) > ROOTS_LIMIT:
            return roots, odd, None
        # `01` and `truefalse` are one wrong word, not two values.
        if at == result.end and data[at - 1] not in b'}]"' and data[at] not in b'{["':
            return roots, odd, Scan(at, False, odd, False, False)


def _refusal(data: bytes, roots: list[tuple[int, int]], odd: int, stop: Scan, depth: int) -> Parsed:
    if stop.deep:
        return Parsed([], "limit", stop.end, f"nested deeper than {depth}")
    if odd >= 0:
        return Parsed([], "invalid", _strict_end(data, odd), f"{_word(data, odd)} is not JSON")
    if roots:
        at = blank_end(data, roots[-1][1])
        return Parsed([], "invalid", at, f"{_shown(data, at)} after the end of the value")
    if stop.end < len(data):
        return Parsed([], "invalid", stop.end, _reason(data, stop))
    if not data.strip(b" \t\n\r"):
        return Parsed([], "invalid", len(data), "empty")
    return Parsed([], "cut", len(data), "cut inside a string" if stop.in_string else "cut before the end of the value")


def _reason(data: bytes, stop: Scan) -> str:
    at = stop.end
    if stop.in_string:
        if data[at] < 0x20:
            return f"raw control character U+{data[at]:04X} in a string"
        return f"wrong escape {data[data.rindex(0x5C, 0, at) : at].decode()}{_character(data, at)} in a string"
    if data[at] in b"}]" and data[:at].rstrip(b" \t\n\r").endswith(b","):
        return f"comma before {_shown(data, at)}"
    return f"unexpected {_shown(data, at)}"


def _character(data: bytes, at: int) -> str:
    return data[at : at + 4].decode("utf-8", "replace")[0]


def _shown(data: bytes, at: int) -> str:
    return repr(_character(data, at))


def _word(data: bytes, at: int) -> str:
    return next(data[start:end].decode() for _, start, end in tokens(data, at))


def _strict_end(data: bytes, odd: int) -> int:
    """Where JSON ends for a strict reader in front of NaN or Infinity: a minus may begin a number."""
    return odd + 1 if data[odd] == 0x2D else odd


def _value(part: bytes) -> Any:
    """The value of one root. Raises ValueError for a number that does not fit."""
    if not _LONG_NUMBER.search(part):
        try:
            return orjson.loads(part)
        except orjson.JSONDecodeError:
            pass
    return _decode(part.decode("utf-8", "replace"))


def _finite(literal: str) -> float:
    value = float(literal)
    if math.isinf(value):
        raise ValueError(f"{literal} is beyond the range of a double")
    return value


_DECODER = json.JSONDecoder(parse_float=_finite)


def _decode(text: str) -> Any:
    """The value of text that is known to be well-formed."""
    try:
        return _DECODER.decode(text)
    except RecursionError:
        # How deep the standard parser gets depends on who called; the answer must not.
        return _build(text)


def _build(text: str) -> Any:
    top: list[Any] = []
    parents: list[dict[str, Any] | list[Any]] = [top]
    name: str | None = None
    at = _next_token(text, 0)
    while at < len(text):
        parent = parents[-1]
        value: Any
        if text[at] in "{[":
            value = {} if text[at] == "{" else []
            parents.append(value)
            at += 1
        elif text[at] in "}]":
            parents.pop()
            at = _next_token(text, at + 1)
            continue
        else:
            value, at = _DECODER.raw_decode(text, at)
        at = _next_token(text, at)
        if isinstance(parent, list):
            parent.append(value)
        elif name is None:
            name = value
        else:
            parent[name] = value
            name = None
    return top[0]


def _next_token(text: str, at: int) -> int:
    return _BETWEEN.match(text, at).end()  # type: ignore[union-attr]


def _unreadable_number(data: bytes) -> tuple[int, int]:
    for kind, start, end in tokens(data):
        if kind == WORD:
            try:
                _DECODER.decode(data[start:end].decode())
            except ValueError:
                return start, end
    raise AssertionError("every number of the text can be read")


def _lone_surrogate(data: bytes) -> int:
    """Position of the first escape of half a character without its other half, -1 without one."""
    return next((found.start() for found in _ESCAPE.finditer(data) if found[1]), -1)
