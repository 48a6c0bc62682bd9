"""One space behind the colon of a field is left out by readers, so it may be there or not; some clients need it."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import TROUBLE, Argument, Edit, changed, one_of
from inspector_app.variations._payloads import SSE, fields

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


def apply(reading: Reading, argument: str = "") -> Exchange:
    wanted = one_of(NAME, ARGUMENT, argument, ("yes", "no"))
    return changed(reading.exchange, _edits(reading, wanted == "yes"))


def _edits(reading: Reading, wanted: bool) -> Iterator[Edit]:
    for at, value in fields(reading):
        # A second space belongs to the value: taking the first one away would make it the one that is left out.
        if not wanted and value[:1] == b" " and value[1:2] != b" ":
            yield Edit(at, at + 1, b"")
        elif wanted and value[:1] != b" ":
            yield Edit(at, at, b" ")
