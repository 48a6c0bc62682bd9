"""What kinds of blocks are called and how they are drawn, and what a block is called: "Reasoning 37", "Image 1"."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from inspector_app.core.ends import OWN_TOOLS
from inspector_app.core.json_text import is_prefix
from inspector_app.core.reading import Reading
from inspector_app.core.types import Block
from inspector_app.ui.views.words import MEDIA_ICONS


class BlockKind(NamedTuple):
    """How a kind of block is named and drawn. `meaning` is one of look.md's, `icon` a glyph of the theme."""

    word: str
    meaning: str
    icon: str


KINDS: dict[str, BlockKind] = {
    "reasoning": BlockKind("Reasoning", "reasoning", "reasoning"),
    "text": BlockKind("Text", "text", "text"),
    "refusal": BlockKind("Refusal", "refusal", "refusal"),
    "tool_call": BlockKind("Tool call", "tool", "tool"),
    "tool_result": BlockKind("Tool result", "tool", "tool-result"),
    "media": BlockKind("Media", "info", "media"),
    "citations": BlockKind("Citations", "info", "citation"),
    "error": BlockKind("Error", "error", "error"),
    "state": BlockKind("State", "info", "document"),
    "other": BlockKind("Other", "info", "unknown"),
}
"""The kinds of the vocabulary, in the order of their lanes (dialects.md section 4)."""

MEDIA_WORDS = {"image": "Image", "audio": "Audio", "video": "Video", "file": "File"}


def kind_of_block(kind: str) -> BlockKind:
    """How a kind of block is named and drawn; one that no table knows goes by its own word."""
    return KINDS.get(kind) or BlockKind(kind.replace("_", " ").capitalize(), "info", "unknown")


def word_of(block: Block) -> str:
    """What a block is: its kind, media by what they are."""
    media = MEDIA_WORDS.get(str(block.fields.get("media"))) if block.kind == "media" else None
    return media or kind_of_block(block.kind).word


def icon_of(block: Block) -> str:
    """The mark of a block: that of its kind, of media that of what they are."""
    media = MEDIA_ICONS.get(str(block.fields.get("media"))) if block.kind == "media" else None
    return media or kind_of_block(block.kind).icon


def server_runs(block: Block) -> bool:
    """Whether this is a call that the server runs itself: nothing for the client to do."""
    return block.kind == "tool_call" and block.fields.get("tool_kind", "function") not in OWN_TOOLS


class BlockNames:
    """Names of the blocks of one reading. Blocks of a kind are counted from 1, calls from 0 as in the lanes, whatever
    index they came with: some count blocks of all kinds, others begin anew in each choice.
    """

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
            word = word_of(block)
            count = self._counts[word] = self._counts.get(word, 0) + 1
            count -= block.kind == "tool_call"
            self._names.append(f"{word} {count}")


def cannot_run(block: Block) -> bool:
    """Whether this is a call that has ended and that the client cannot run; what the server runs is no such call."""
    ended = block.kind == "tool_call" and block.state != "open"
    return ended and block.fields.get("executable") is False and not server_runs(block)


def can_run(block: Block) -> bool:
    """Whether this is a call that the client can run."""
    return block.kind == "tool_call" and block.fields.get("executable") is True and not server_runs(block)


BREAK_OFF, NO_JSON = "arguments break off", "arguments are no JSON"
MEASURED = 1 << 16
"""Characters of arguments that are looked at whole, since this is asked whenever a block is painted."""


def is_torn(block: Block) -> bool:
    """Whether a block breaks off: with the stream, or as a call whose arguments end in the middle of a value."""
    return block.state == "truncated" or broken_words(block) == BREAK_OFF


def broken_words(block: Block) -> str:
    """What is wrong with the arguments of a call that cannot be run; empty where they are not what is wrong."""
    if not cannot_run(block) or block.fields.get("arguments_json") is not None or not block.has_text:
        return ""
    text = block.text
    if text.strip() in ("", "null"):
        return ""
    return BREAK_OFF if _ends_midway(text) else NO_JSON


@lru_cache(maxsize=64)
def _ends_midway(text: str) -> bool:
    """Whether JSON ends in the middle of a value; of a long text the last character tells."""
    return is_prefix(text) if len(text) <= MEASURED else text.rstrip()[-1] not in "}]"


def end_words(block: Block) -> tuple[str, str]:
    """What is said at the end of a block that is not whole, and its meaning; empty where nothing is."""
    if block.state != "truncated":
        return broken_words(block), "error"
    stopped = block.fields.get("cancelled")
    return (stopped, "info") if stopped else ("truncated", "error")


def meaning_of(kind: str) -> str:
    """The meaning whose colours a kind of block has."""
    return kind_of_block(kind).meaning
