"""How a field filter (`field_filter`) falls into words, and how a field is written in one.

A field is a ledger path, as the page Fields shows it: `choices[].delta.content`, where `[]` is any element. Every
expression here goes over a text once: what is typed key by key must never take longer than it is long.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

import regex

NAMES = {
    "t": "time since the request was sent: t > 2s",
    "gap": "time since the event before: gap > 500ms",
    "event": "number of the event: event >= 100",
    "size": "bytes of the event: size > 4kB",
    "name": "name in its event line: name = ping",
    "kind": "kind of a delta: kind = tool",
    "text": 'text of a delta: text contains "mill"',
    "rule": "finding that points at it: rule = tool-id-missing",
    "severity": "severity of such a finding: severity = error",
}
"""Name -> what it is, with an example."""

MEANT = {
    "wait": "gap", "pause": "gap", "delay": "gap", "time": "t", "elapsed": "t", "bytes": "size", "length": "size",
    "finding": "rule", "number": "event",
}  # fmt: skip
"""What people call some of NAMES. It may be a field as well, so it is no name."""

OPERATORS = {
    "exists": "it is there, whatever its value",
    "missing": "it is not there",
    "is": "its type: null, string, number, boolean, object, array, empty",
    "=": "equal", "!=": "another value", "<": "less", "<=": "at most", ">": "more", ">=": "at least",
    "contains": "a text or a list that holds it",
    "matches": "a regular expression",
}  # fmt: skip
"""Operator -> what it says. A name alone means that it exists."""

JOINERS = ("and", "or", "not", "&&", "||")

_WORD = regex.compile(
    r"\s+|(?P<text>\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+')|(?P<sign><=|>=|!=|==|=|<|>|\(|\)|~)"
    r"|(?P<word>(?:[^\s\"'<>=!()~\[\]]|\[(?:\d*+|\"(?:[^\"\\]|\\.)*+\")\])++)"
)
_STEP = regex.compile(r"\.?(?P<key>[^.\[\]]+)|\[(?P<index>\d*)\]|\[\"(?P<quoted>(?:[^\"\\]|\\.)*+)\"\]")
_APART = regex.compile(r"[\s\"'<>=!()~]")
"""What ends a word: a key with one of them stands in quotes."""

Step = str | int | None
"""A key, an index, or None for any element."""


class Word(NamedTuple):
    """A part of a filter, and the character at which it begins.

    `kind` is "word", "sign", "text" for what stands in quotes, or "open": all that follows from where nothing fits.
    """

    kind: str
    text: str
    at: int

    @property
    def end(self) -> int:
        """The character behind it."""
        return self.at + len(self.text)


def words(text: str) -> Iterator[Word]:
    """The words of a filter; what is between them is blank."""
    at = 0
    while at < len(text):
        found = _WORD.match(text, at)
        if found is None:
            yield Word("open", text[at:], at)
            return
        if found.lastgroup is not None:
            yield Word(found.lastgroup, found[0], at)
        at = found.end()


def steps_of(path: str) -> tuple[Step, ...] | None:
    """Where a path leads, None where it is none."""
    out: list[Step] = []
    at = 0
    while at < len(path):
        found = _STEP.match(path, at)
        if found is None:
            return None
        if found["index"] is not None:
            out.append(int(found["index"][:9]) if found["index"] else None)
        else:
            out.append(found["key"] or _unquoted(found["quoted"] or ""))
        at = found.end()
    return tuple(out)


def with_those_above(path: str) -> Iterator[str]:
    """The lists and objects that a ledger path leads through, and then the path."""
    for found in _STEP.finditer(path):
        yield path[: found.end()]


def filter_path(path: str) -> str:
    """A ledger path as a filter takes it: a key that would end the word in quotes, a name of the filter after a dot."""
    out = ""
    for found in _STEP.finditer(path):
        key = found["key"]
        out += f"[{json.dumps(key)}]" if key is not None and _APART.search(key) else found[0]
    return f".{out}" if out in NAMES or out.lower() in JOINERS else out


def keys_of(steps: tuple[Step, ...]) -> list[str]:
    """The keys of a path in small letters, without the indices."""
    return [step.lower() for step in steps if isinstance(step, str)]


def ending_in(path: str, keys: list[str]) -> str | None:
    """The beginning of a ledger path that ends in these keys, in small letters; None where it has none."""
    met: list[str] = []
    for found in _STEP.finditer(path):
        if found["index"] is None:
            met.append((found["key"] or _unquoted(found["quoted"] or "")).lower())
            if met[-len(keys) :] == keys:
                return path[: found.end()]
    return None


def with_field(text: str, typed: str, path: str) -> str:
    """A filter with a ledger path in place of a field as it was typed."""
    found = list(words(text))
    for n, word in reversed([*enumerate(found)]):
        before = found[n - 1] if n else None
        value = before is not None and (
            before.text.lower() in OPERATORS or (before.kind == "sign" and before.text not in "()")
        )
        if (word.kind, word.text) == ("word", typed) and not value:
            text = f"{text[: word.at]}{filter_path(path)}{text[word.end :]}"
    return text


def reads_as_text(text: str) -> bool:
    """Whether what was typed as a filter looks like words to find: none of them belongs to a filter."""
    found = list(words(text))
    if not found or found[0].text in NAMES or "[" in text:
        return False
    for word in found:
        apostrophe = word.kind == "open" and word.text[0] == "'" and text[word.at - 1 : word.at].isalpha()
        if not apostrophe and (word.kind != "word" or (word.text.lower() in OPERATORS and word.text.lower() != "is")):
            return False
    return len(found) > 1 or "." not in found[0].text.strip(".")


def _unquoted(text: str) -> str:
    """A key that stood in quotes: as in JSON, or with the sign itself after each backslash."""
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return regex.sub(r"\\(.)", r"\1", text)
