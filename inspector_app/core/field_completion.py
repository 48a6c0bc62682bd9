"""What could be typed next in a field filter (`field_filter`): names, fields that were seen, operators."""

from __future__ import annotations

import re
from collections.abc import Iterable

from inspector_app.core.field_filter import TYPES
from inspector_app.core.field_words import JOINERS, NAMES, OPERATORS, Word, filter_path, words

_BEGUN = re.compile(r'\[(?:\d*|"(?:[^"\\]|\\.)*+\\?"?)')
"""A bracket of a field that is still open."""
_INDEX = re.compile(r"\[\d+\]")


def completions(text: str, cursor: int, fields: Iterable[str], most: int = 200) -> tuple[int, list[str]]:
    """What could stand in place of the word before the cursor: where that begins, and names and fields for it.

    `fields` are ledger paths. One fits where the word stands anywhere in it; those that begin with it come first. An
    index that is typed stays as it is. Inside of quotes and behind what is no filter nothing is offered.
    """
    text = text[:cursor]
    before = list(words(text))
    start = cursor
    if before and before[-1].kind == "open":
        if _BEGUN.fullmatch(before[-1].text) is None:
            return cursor, []
        start = before.pop().at
    if before and before[-1].kind == "word" and before[-1].end == start:
        start = before.pop().at
    typed = text[start:]
    if not _takes_field(before):
        return start, [name for name in _after(before) if name.startswith(typed.lower())]
    word = _INDEX.sub("[]", typed.lower())
    names = [*NAMES, *map(filter_path, fields)]
    first = [typed + name[len(word) :] for name in names if name.lower().startswith(word)]
    return start, (first + [name for name in names if word in name.lower()[1:] and not name.lower().startswith(word)])[
        :most
    ]


def _takes_field(before: list[Word]) -> bool:
    """Whether a field comes after these words."""
    if not before or (before[-1].kind, before[-1].text) == ("sign", "("):
        return True
    return before[-1].kind == "word" and before[-1].text.lower() in JOINERS and not _asks_type(before)


def _asks_type(before: list[Word]) -> bool:
    last = [word.text.lower() for word in before[-2:] if word.kind == "word"]
    return last[-1:] == ["is"] or last == ["is", "not"]


def _after(before: list[Word]) -> list[str]:
    """The words that can come after these, where that is no field: none where it is a value."""
    if _asks_type(before):
        return list(TYPES)
    last = before[-1]
    value = last.kind == "sign" or (last.kind == "word" and last.text.lower() in OPERATORS)
    return [] if value else [name for name in sorted(OPERATORS) if name.isalpha()]
