"""Which tool call is meant, in words: by its number, its name and its id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector_app.core.text import clip
from inspector_app.core.types import Block

if TYPE_CHECKING:
    from inspector_app.core.reading import Reading

LABEL = 40
"""Characters of a name or an id that tell which call is meant."""


def called(number: int, block: Block) -> str:
    """Which call it is: "call 7 (get_weather, call_ab)". Numbers begin at 0, as in the window."""
    labels = [clip(str(block.fields[key]), LABEL) for key in ("name", "id") if block.fields.get(key)]
    return f"call {number} ({', '.join(labels)})" if labels else f"call {number}"


class Calls:
    """The calls of a reading by their words; they are numbered once, when first asked for."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._numbers: dict[int, int] | None = None

    def named(self, block: Block | None) -> str:
        """Which call a block is; "a call" where it is none of the reading's own."""
        if self._numbers is None:
            calls = (one.n for one in self._reading.blocks if one.kind == "tool_call")
            self._numbers = {n: number for number, n in enumerate(calls)}
        number = None if block is None else self._numbers.get(block.n)
        return "a call" if block is None or number is None else called(number, block)
