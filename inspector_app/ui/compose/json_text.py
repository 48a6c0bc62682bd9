"""JSON as a person edits it: faults by line and column, numbers kept as they were written, no key twice.

Values are those of Python. A number whose own spelling Python would not give back (`1.50`, `1E5`) is a `Real` or a
`Whole`, which remembers it.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

DEEPEST = 150
"""Levels; no server takes more, and Python could not write them."""
LONGEST_NUMBER = 4000
"""Digits; Python reads no more into an integer."""
LONG = 1000
"""Characters of a text whose written form is worth to be kept."""
PLAIN = "\u3000\u200c\u200d\ufe0e\ufe0f"
"""Characters that count as not printable, and are part of ordinary text: an ideographic space, joiners, emoji forms."""

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORD = re.compile(r"[A-Za-z]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONSTANTS = {"true": True, "false": False, "null": None}
_STRING_FAULTS = {
    "Unterminated": "this text has no closing quote",
    "Invalid control": "a line break or another control character stands in a text: write it as \\n",
    "Invalid \\e": 'there is no such escape: \\n, \\t, \\", \\\\ and \\u0041 are some that there are',
    "Invalid \\u": "\\u wants four hexadecimal digits",
}


class Trouble(ValueError):
    """What is wrong with a text, and where: `line` and `column` count characters from 1, `offset` from 0."""

    def __init__(self, words: str, text: str, offset: int) -> None:
        self.offset = offset
        self.words = words
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - text.rfind("\n", 0, offset)
        super().__init__(f"line {self.line}, column {self.column}: {words}")


class Real(float):
    """A number with a fraction or an exponent, as it was written."""

    literal: str


class Whole(int):
    """A whole number, as it was written."""

    literal: str


def parse(text: str) -> Any:
    """The value of a JSON text. Raises Trouble."""
    reader = _Reader(text)
    value, at = reader.value(reader.skip(0), 0)
    at = reader.skip(at)
    if at < len(text):
        raise Trouble("the JSON is at its end here, and something follows", text, at)
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text

    def skip(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        return found.end() if found else at

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        text = self._text
        sign = text[at : at + 1]
        if depth > DEEPEST:
            raise Trouble(f"this is nested deeper than {DEEPEST} levels", text, at)
        if sign == '"':
            return self._string(at)
        if sign == "{":
            return self._object(at, depth)
        if sign == "[":
            return self._array(at, depth)
        if found := _NUMBER.match(text, at):
            return self._number(found)
        if (found := _WORD.match(text, at)) and found[0] in _CONSTANTS:
            return _CONSTANTS[found[0]], found.end()
        raise Trouble(_unexpected(text, at), text, at)

    def _string(self, at: int) -> tuple[str, int]:
        try:
            return scanstring(self._text, at + 1, True)
        except json.JSONDecodeError as error:
            words = next((words for start, words in _STRING_FAULTS.items() if error.msg.startswith(start)), error.msg)
            raise Trouble(words, self._text, error.pos) from None

    def _number(self, found: re.Match[str]) -> tuple[float | int, int]:
        literal = found[0]
        if len(literal) > LONGEST_NUMBER:
            raise Trouble(f"this number has more than {LONGEST_NUMBER} digits", self._text, found.start())
        if found[1] is None and found[2] is None:
            whole = int(literal)
            if str(whole) != literal:
                whole = Whole(whole)
                whole.literal = literal
            return whole, found.end()
        real = float(literal)
        if repr(real) != literal:
            real = Real(real)
            real.literal = literal
        return real, found.end()

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        text = self._text
        members: dict[str, Any] = {}
        at = self.skip(at + 1)
        if text[at : at + 1] == "}":
            return members, at + 1
        while True:
            if text[at : at + 1] != '"':
                raise Trouble(_missing(text, at, "a key in double quotes belongs here"), text, at)
            begin = at
            key, at = self._string(at)
            if key in members:
                raise Trouble(f"the key {json.dumps(key[:40])} stands here a second time", text, begin)
            at = self.skip(at)
            if text[at : at + 1] != ":":
                raise Trouble("a colon belongs between a key and its value", text, at)
            members[key], at = self.value(self.skip(at + 1), depth + 1)
            at = self.skip(at)
            if text[at : at + 1] == "}":
                return members, at + 1
            if text[at : at + 1] != ",":
                raise Trouble(_missing(text, at, "a comma or a closing } belongs here"), text, at)
            at = self.skip(at + 1)

    def _array(self, at: int, depth: int) -> tuple[list[Any], int]:
        text = self._text
        values: list[Any] = []
        at = self.skip(at + 1)
        if text[at : at + 1] == "]":
            return values, at + 1
        while True:
            value, at = self.value(at, depth + 1)
            values.append(value)
            at = self.skip(at)
            if text[at : at + 1] == "]":
                return values, at + 1
            if text[at : at + 1] != ",":
                raise Trouble(_missing(text, at, "a comma or a closing ] belongs here"), text, at)
            at = self.skip(at + 1)


def _missing(text: str, at: int, words: str) -> str:
    return "the text ends here, and a bracket is still open" if at >= len(text) else words


def _unexpected(text: str, at: int) -> str:
    sign = text[at : at + 1]
    if not sign:
        return "a value belongs here, and the text ends"
    if sign in "}]":
        return f"a value belongs before this {sign}: take the last comma away"
    if sign == "'":
        return "JSON has double quotes only"
    if word := _WORD.match(text, at):
        return f"{word[0][:20]} is no value of JSON: true, false, null, or a text in double quotes"
    return "a value belongs here"


def pretty(value: Any) -> str:
    """The value on lines with two blanks a level, everything that cannot be seen or edited escaped."""
    return "".join(_pieces(value, "\n"))


def compact(value: Any) -> str:
    """The value as it is sent: no blanks, every number as it was written. It can be encoded as UTF-8."""
    return "".join(_pieces(value, ""))


def _pieces(value: Any, line: str) -> list[str]:
    """`line` is what begins a new line at the level of `value`; empty for the compact form."""
    if isinstance(value, dict | list) and value:
        inner = f"{line}  " if line else ""
        pieces = ["{" if isinstance(value, dict) else "["]
        colon = ": " if line else ":"
        for number, item in enumerate(value.items() if isinstance(value, dict) else value):
            pieces.append(f",{inner}" if number else inner)
            if isinstance(value, dict):
                pieces += [_quoted(item[0], line), colon]
                item = item[1]
            pieces += _pieces(item, inner)
        return [*pieces, line, "}" if isinstance(value, dict) else "]"]
    return [_quoted(value, line)] if isinstance(value, str) else [_plain(value)]


def _plain(value: Any) -> str:
    if isinstance(value, Real | Whole):
        return value.literal
    return json.dumps(value, allow_nan=False)


def _quoted(text: str, line: str) -> str:
    return _long_quoted(text, bool(line)) if len(text) > LONG else _as_quoted(text, bool(line))


@lru_cache(maxsize=256)
def _long_quoted(text: str, seen: bool) -> str:
    """The body is written anew with each key; its long texts are not."""
    return _as_quoted(text, seen)


def _as_quoted(text: str, seen: bool) -> str:
    """`seen` says whether people are to see all of it."""
    quoted = json.dumps(text, ensure_ascii=False)
    if quoted.isprintable():
        return quoted
    if not seen:
        return _SURROGATE.sub(lambda found: _escaped(found[0]), quoted)
    return "".join(sign if sign.isprintable() or sign in PLAIN else _escaped(sign) for sign in quoted)


def _escaped(sign: str) -> str:
    return json.dumps(sign)[1:-1]
