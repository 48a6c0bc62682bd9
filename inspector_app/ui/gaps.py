"""Which fields of a call are missing and not only absent: many dialects give their calls no id, and nobody misses it.

What is missing in the reference its findings say. A client also lacks what the same stream gave to others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from inspector_app.core.reading import Reading
from inspector_app.core.types import Block
from inspector_app.ui.views.block_names import server_runs

NAMES = ("name", "id")
"""What a call is called, in the order in which it is shown."""
RULES = {"tool-name-missing": "name", "tool-id-missing": "id"}
"""Rule -> the field that it misses."""


class Label(NamedTuple):
    """The name or the id of a call as it is shown. `value` is None where it is missing; `made_up` if a reader invented
    it for a call that came without and may do so.
    """

    name: str
    value: str | None
    made_up: bool = False


def labels_of(block: Block, lacks: Sequence[str]) -> Iterator[Label]:
    """What is shown of the labels of a call that lacks some of them."""
    for name in NAMES:
        value = block.fields.get(name)
        if value or name in lacks:
            yield Label(name, value or None)
        elif name == "id" and block.fields.get("id_made_up") and not server_runs(block):
            yield Label(name, block.fields["id_made_up"], True)


class Gaps:
    """What the findings of a reference miss, for it and for the readings beside it. Made anew with its findings."""

    def __init__(self, reference: Reading) -> None:
        self._reference = reference
        self._found = {
            (finding.block, RULES[finding.rule]) for finding in reference.findings if finding.rule in RULES
        }

    @cached_property
    def _due(self) -> frozenset[str]:
        """What a client's call must have: a name, and what is missed elsewhere or what all calls of the stream have."""
        calls = [block for block in self._reference.blocks if block.kind == "tool_call"]
        usual = [name for name in NAMES if calls and all(block.fields.get(name) for block in calls)]
        return frozenset({"name", *usual, *(name for _, name in self._found)})

    def of(self, reading: Reading, block: Block) -> tuple[str, ...]:
        """The fields that a block of a reading lacks, in the order of NAMES."""
        if block.kind != "tool_call":
            return ()
        absent = (name for name in NAMES if not block.fields.get(name))
        if reading is self._reference:
            return tuple(name for name in absent if (block.n, name) in self._found)
        return tuple(name for name in absent if name in self._due)
