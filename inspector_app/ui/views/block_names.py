"""What a block is called where there is no room for its text: "Reasoning 37", "Tool call 0"."""

from __future__ import annotations

from inspector_app.core.reading import Reading
from inspector_app.core.types import Block

WORDS = {
    "reasoning": "Reasoning", "text": "Text", "refusal": "Refusal", "tool_call": "Tool call",
    "tool_result": "Tool result", "media": "Media", "error": "Error", "state": "State",
}  # fmt: skip

MEANINGS = {
    "reasoning": "reasoning", "text": "text", "refusal": "refusal", "tool_call": "tool", "tool_result": "tool",
    "error": "error",
}  # fmt: skip
"""Block kind -> its meaning in look.md; everything else is `info`."""


class BlockNames:
    """Names of the blocks of one reading. Blocks of a kind are counted from 1, calls go by their index, from 0."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._names: list[str] = []
        self._counts: dict[str, int] = {}

    def __getitem__(self, n: int) -> str:
        self.reach(n)
        return self._names[n]

    def reach(self, n: int) -> None:
        """Count up to block n."""
        blocks = self._reading.blocks
        while len(self._names) <= n:
            block = blocks[len(self._names)]
            count = self._counts[block.kind] = self._counts.get(block.kind, 0) + 1
            index = block.fields.get("index")
            if block.kind == "tool_call":
                count = index if type(index) is int else count - 1
            self._names.append(f"{WORDS.get(block.kind, 'Other')} {count}")


def cannot_run(block: Block) -> bool:
    """Whether this is a call that has ended and cannot be run."""
    return block.kind == "tool_call" and block.state != "open" and block.fields.get("executable") is False


def is_torn(block: Block) -> bool:
    """Whether a block breaks off: with the stream, or as a call whose arguments are no whole JSON."""
    broken = cannot_run(block) and bool(block.text) and block.fields.get("arguments_json") is None
    return block.state == "truncated" or broken


def meaning_of(kind: str) -> str:
    """The meaning whose colours a kind of block has."""
    return MEANINGS.get(kind, "info")
