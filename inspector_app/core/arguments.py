"""The arguments of tool calls: where a JSON value ends, second copies and second roots, what can be run (R17, R23-R27).

Everything here costs linear time, also on text that somebody made to be slow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import orjson

from inspector_app.core.json_text import is_prefix, loads
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Block

_BLANK_RUN = re.compile(r"[ \t\n\r]*")
_IN_STRING = re.compile(r'["\\]')
_OUTSIDE = re.compile(r'["{}\[\]]')
_WHOLE_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_STEP = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\],]', re.DOTALL)


class RootScan:
    """Follows the brackets of a JSON text that comes in pieces, and finds where its first value ends.

    Each character is looked at once. Whether the value is valid is not checked; numbers and words are
    passed over, so the value is an object, an array or a string.
    """

    __slots__ = ("closed", "depth", "escaped", "inside", "more")

    def __init__(self) -> None:
        self.closed = False
        """The value has ended."""
        self.more = False
        """Something that is not blank stands behind it."""
        self.depth = 0
        self.inside = False
        self.escaped = False

    def feed(self, text: str) -> None:
        """Take the next piece."""
        at = 0 if self.closed else self.walk(text, 0)
        if self.closed and _after_blanks(text, at) < len(text):
            self.more = True

    def walk(self, text: str, at: int) -> int:
        """Go on from `at` to the end of the value, or of the text; gives the place reached."""
        size = len(text)
        while at < size:
            if self.escaped:
                self.escaped = False
                at += 1
                continue
            found = (_IN_STRING if self.inside else _OUTSIDE).search(text, at)
            if found is None:
                return size
            at = found.end()
            mark = found[0]
            if mark == "\\":
                self.escaped = True
                continue
            if mark == '"':
                self.inside = not self.inside
            else:
                self.depth += 1 if mark in "{[" else -1
            if self.depth <= 0 and not self.inside:
                self.closed = True
                return at
        return size


def parses_to(text: str, value: Any) -> bool:
    """Whether the text is this JSON value, however it is spelled."""
    try:
        return bool(loads(text) == value)
    except ValueError:
        return False


def parses(text: str) -> bool:
    """Whether the text is one whole JSON value."""
    try:
        loads(text)
    except ValueError:
        return False
    return True


def roots(text: str) -> list[tuple[int, int]]:
    """The range [start, end) of each JSON object or array when two or more stand one behind the other, else [].

    The last one may be cut; what cannot be JSON behind a later one is counted to it.
    """
    found: list[tuple[int, int]] = []
    size = len(text)
    start = _after_blanks(text, 0)
    while start < size and text[start] in "{[":
        scan = RootScan()
        end = scan.walk(text, start)
        piece = text[start:end]
        if not (parses(piece) if scan.closed else is_prefix(piece)):
            break
        found.append((start, end))
        start = _after_blanks(text, end)
    if len(found) < 2:
        return []
    if start < size:
        found[-1] = (found[-1][0], size)
    return found


def snapshots(fragments: Sequence[str]) -> str | None:
    """The last fragment where every one repeats the whole previous one and the last is JSON (R25), else None."""
    pieces = [fragment for fragment in fragments if fragment]
    if len(pieces) < 2 or len(pieces[0]) == len(pieces[-1]):
        return None
    if all(later.startswith(earlier) for earlier, later in pairwise(pieces)) and parses(pieces[-1]):
        return pieces[-1]
    return None


def grows(old: Any, new: Any) -> bool:
    """Whether a JSON value says all that an earlier one said, and maybe more (objects sent as snapshots, R23)."""
    todo = [(old, new)]
    while todo:
        old, new = todo.pop()
        if type(old) is not type(new):
            return False
        if isinstance(old, dict):
            if not old.keys() <= new.keys():
                return False
            todo += [(value, new[key]) for key, value in old.items()]
        elif isinstance(old, list):
            if len(old) > len(new):
                return False
            todo += zip(old, new, strict=False)
        elif isinstance(old, str):
            if not new.startswith(old):
                return False
        elif old != new:
            return False
    return True


def dump(value: Any) -> str:
    """A JSON value as text, without blanks; deep nesting is no error."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return _dump_deep(value)


def text_of(value: Any, how: str) -> str | None:
    """What a reader appends for the wire's `arguments`; None where they say nothing (R23, key `args_object`)."""
    if isinstance(value, str):
        return value
    if value is None or how == "drop":
        return None
    return "[object Object]" if how == "js-text" and isinstance(value, dict | list) else dump(value)


def partial_json(text: str) -> Any:
    """The first whole JSON value of the text, or what is whole before the cut (`args_parse = "partial"`).

    A last member that is cut is left out. Raises ValueError for text that is neither.
    """
    scan = RootScan()
    end = scan.walk(text, 0)
    if scan.closed or not is_prefix(text):
        return loads(text[:end])
    brackets: list[str] = []
    whole = 0
    for step in _STEP.finditer(text):
        mark = step[0]
        if mark in "{[":
            brackets.append("}" if mark == "{" else "]")
        elif mark in "}]":
            brackets.pop()
        elif mark != ",":
            continue
        whole = step.start() if mark == "," else step.end()
    closers = "".join(reversed(brackets))
    try:
        return loads(text + closers)
    except ValueError:
        return loads(text[:whole] + closers)


ATTEMPTS = 200
"""How often `beginning` tries: each attempt costs the length of the text."""


def beginning(text: str) -> Any:
    """The longest beginning that is JSON once its string and brackets are closed (`args_parse = "partial-or-text"`).

    Raises ValueError where brackets do not match, and where nothing is left.
    """
    brackets: list[str] = []
    inside = ""
    for step in _STEP.finditer(text):
        mark = step[0]
        if mark in "{[":
            brackets.append("}" if mark == "{" else "]")
        elif mark in "}]":
            if not brackets or brackets.pop() != mark:
                raise ValueError(f"no bracket is open for {mark}")
        elif mark[0] == '"':
            inside = "" if _WHOLE_STRING.fullmatch(mark) else '"'
    closers = "".join(reversed(brackets))
    held = text.removesuffix("\\") + inside
    for _ in range(ATTEMPTS):
        try:
            return json.loads(held + closers, strict=False)
        except json.JSONDecodeError as error:
            held = held[: min(error.pos, len(held) - 1)]
        except RecursionError:
            break
        if not held:
            break
    raise ValueError("no beginning of it is JSON")


_PARSERS: dict[str, Callable[[str], Any]] = {"partial": partial_json, "partial-or-text": beginning}
"""How a reader parses arguments, by `args_parse`."""


_STRICT: dict[str, Callable[[str], Any]] = {"partial": partial_json, "throw": orjson.loads}
"""How a reader parses that raises where it cannot, by `args_parse`."""


def parse_fault(block: Block, how: str) -> str:
    """Why a reader raises that parses the arguments of a call so (`args_parse`); empty where it does not.

    Readers of several languages are read by one rule, so the words are those of none of them.
    """
    parse = _STRICT.get(how)
    if parse is None or block.fields["tool_kind"] == "custom" or not block.text:
        return ""
    try:
        parse(block.text)
    except ValueError as error:
        why = f"{error.msg} at character {error.pos}" if isinstance(error, json.JSONDecodeError) else str(error)
        return f"the arguments do not parse as JSON: {why}"
    return ""


def outcome(block: Block, rules: ReadingRules, broke_off: bool) -> dict[str, Any]:
    """`arguments_json` and `executable` of a call (contract.md section 2).

    `broke_off`: the stream ended inside this call. The text of a custom tool is no JSON and needs to be none.
    """
    ready = bool(block.fields.get("name")) and not broke_off
    if block.fields.get("tool_kind") == "custom":
        return {"arguments_json": None, "executable": ready}
    text = block.text
    value: Any = None
    if text:
        try:
            value = _PARSERS.get(rules.args_parse, loads)(text)
        except ValueError:
            ready = False
    elif rules.empty_args == "object":
        value = {}
    else:
        ready = False
    return {"arguments_json": value, "executable": ready}


def _after_blanks(text: str, at: int) -> int:
    found = _BLANK_RUN.match(text, at)
    return found.end() if found else at


class _Mark(str):
    """Punctuation among the values that `_dump_deep` still has to write."""

    __slots__ = ()


def _dump_deep(value: Any) -> str:
    out: list[str] = []
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, _Mark):
            out.append(item)
        elif isinstance(item, dict):
            todo.append(_Mark("}"))
            for n, key in reversed(list(enumerate(item))):
                todo += [item[key], _Mark(("," if n else "") + json.dumps(key, ensure_ascii=False) + ":")]
            todo.append(_Mark("{"))
        elif isinstance(item, list):
            todo.append(_Mark("]"))
            for n, element in reversed(list(enumerate(item))):
                todo += [element, _Mark("," if n else "")]
            todo.append(_Mark("["))
        else:
            out.append(json.dumps(item, ensure_ascii=False))
    return "".join(out)
