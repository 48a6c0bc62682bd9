"""White space that stands as text between two thoughts (dialects.md R8)."""

from __future__ import annotations

from collections.abc import Iterable

from inspector_app.core.types import Block


def between_thoughts(blocks: Iterable[Block]) -> set[int]:
    """The numbers of text blocks without a word that stand between two reasoning blocks of their choice.

    The wire has them as text, so they stay text; but mostly they are the rest of a tag that the server took out, and
    the two thoughts are one.
    """
    found: set[int] = set()
    thoughtful: set[int] = set()
    """Choices whose last block with words is reasoning."""
    blank: dict[int, int] = {}
    """Choice -> the blank text behind its reasoning."""
    for block in blocks:
        choice = block.choice
        if block.kind == "text" and choice in thoughtful and choice not in blank and not block.has_words:
            blank[choice] = block.n
            continue
        if block.kind == "reasoning" and choice in blank:
            found.add(blank[choice])
        blank.pop(choice, None)
        if block.kind == "reasoning":
            thoughtful.add(choice)
        else:
            thoughtful.discard(choice)
    return found
