"""What could be typed next in a field filter (`field_filter`): names, fields that were seen, operators."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from inspector_app.core.field_filter import NAMES, OPERATORS

JOINERS = ("and", "or", "not", "&&", "||")
_STEP = r'\.?[^\s"\'()<>=!~.\[\]]+|\[\d*\]|\["(?:[^"\\]|\\.)*"\]'
_WORD = re.compile(rf'(?:{_STEP}|[.\[]|\["(?:[^"\\]|\\.)*)*\Z')
"""What is being typed: a field as far as it goes, maybe with a bracket that is still open."""
_BELOW = re.compile(_STEP)
_INDEX = re.compile(r"\[\d+\]")


def completions(text: str, cursor: int, fields: Iterable[str], most: int = 200) -> tuple[int, list[str]]:
    """What could stand in place of the word before the cursor: where that begins, and names and fields for it.

    A field fits where the word stands anywhere in it; those that begin with it come first. An index that is typed
    stays as it is.
    """
    found = _WORD.search(text[:cursor])
    start = found.start() if found is not None else cursor
    typed = text[start:cursor]
    before = text[:start].split()
    if before and before[-1].lower() not in JOINERS and not before[-1].endswith("("):
        known = sorted(OPERATORS) if before[-1] not in OPERATORS else []
        return start, [name for name in known if name.startswith(typed.lower()) and name.isalpha()]
    word = _INDEX.sub("[]", typed.lower())
    names = [*NAMES, *(f".{path}" if path in NAMES else path for path in fields)]
    first = [typed + name[len(word) :] for name in names if name.lower().startswith(word)]
    return start, (first + [name for name in names if word in name.lower()[1:] and not name.lower().startswith(word)])[
        :most
    ]


def with_those_above(path: str) -> Iterator[str]:
    """The lists and objects that a ledger path leads through, and then the path."""
    above = ""
    for step in _BELOW.findall(path):
        above += step
        yield above
