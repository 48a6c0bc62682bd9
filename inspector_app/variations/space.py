"""One space behind the colon of a field is left out by readers, so it may be there or not; some clients need it."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import TROUBLE, Argument, ArgumentFault, Edit, changed
from inspector_app.variations._payloads import BOM, SSE

NAME = "space"
TITLE = "Write a space behind the colon of each field, or none"
SORT = TROUBLE
KEEPS_MEANING = True
FRAMINGS = frozenset({SSE})
ARGUMENT = Argument("yes|no", "whether there is one", "no", "no")
CASES = {
    "with-space": ("yes", "Write a space behind the colon of each field"),
    "without-space": ("no", "Write no space behind the colon of each field"),
}

_FIELDS = (b"data", b"event", b"id", b"retry")


def apply(reading: Reading, argument: str = "") -> Exchange:
    wanted = argument or ARGUMENT.example
    if wanted not in ("yes", "no"):
        raise ArgumentFault(f"{NAME} needs one of {ARGUMENT.form}; this is {argument!r}")
    return changed(reading.exchange, _edits(reading, wanted == "yes"))


def _edits(reading: Reading, wanted: bool) -> Iterator[Edit]:
    for number in range(len(reading.lines)):
        line = reading.lines[number]
        content = reading.body.slice(line.start, line.end)
        start = line.start
        if number == 0 and content.startswith(BOM):
            content, start = content[len(BOM) :], start + len(BOM)
        name, colon, value = content.partition(b":")
        at = start + len(name) + 1
        if not colon or name not in _FIELDS:
            continue
        # A second space belongs to the value: taking the first one away would make it the one that is left out.
        if not wanted and value[:1] == b" " and value[1:2] != b" ":
            yield Edit(at, at + 1, b"")
        elif wanted and value[:1] != b" ":
            yield Edit(at, at, b" ")
