"""Which fields of a stream hold its reasoning, and which of them a reader takes as a string."""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.core.rule_keys import REASONING_STRINGS
from inspector_app.core.rules import ReadingRules

DETAILS = "reasoning_details"


def string_fields(reading: Reading) -> list[str]:
    """The fields in which reasoning comes as a string."""
    sent = {pointer.rpartition("/")[2] for pointer in _pointers(reading)}
    return [name for name in REASONING_STRINGS if name in sent]


def has_details(reading: Reading) -> bool:
    """Whether reasoning comes in entries of reasoning_details."""
    return any(f"/{DETAILS}/" in pointer for pointer in _pointers(reading))


def taken(rules: ReadingRules) -> list[str]:
    """The fields that hold a string in which a reader looks for reasoning, the first one first."""
    return [name for name in rules.reasoning_fields if name in REASONING_STRINGS]


def _pointers(reading: Reading) -> set[str]:
    return {row[2] for layout in reading.layouts.all for row in layout.rows if row[0] == "reasoning.delta"}
