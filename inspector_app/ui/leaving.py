"""What nobody looks at any more goes in pieces: to take a million blocks apart at once would hold the window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector_app.core.reading import Reading

TOGETHER = 2000
"""Things, each perhaps with a column or two, that go between two rests."""
LONG = 20_000
"""Fragments of a block that go by themselves."""


def leaving(things: list[Any]) -> Iterator[None]:
    """Empties a list from its end, with a rest after each piece."""
    while things:
        del things[-TOGETHER:]
        yield


def letting_go(reading: Reading) -> Iterator[None]:
    """Give back the memory of a reading that nobody looks at any more."""
    blocks: list[Any] = reading.blocks
    reading.let_go()
    reading.blocks = []
    for n, block in enumerate(blocks):
        if len(block.fragments) > LONG:
            blocks[n], fragments = None, block.fragments
            del block
            yield from leaving(fragments)
    yield from leaving(blocks)
