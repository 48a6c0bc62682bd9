"""The comparisons of a session: which of them take long, and how they are made beside the interface."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

from inspector_app.core.reading import Reading
from inspector_app.lenses import Difference, compare
from inspector_app.lenses.clients import is_told as is_told
from inspector_app.lenses.clients import worst_of as worst_of

Result = TypeVar("Result")

MANY_BLOCKS, MANY_DELTAS = 2000, 50_000
"""From so many blocks or deltas on a comparison takes longer than a step may."""
LOOK_S = 0.008
"""How long a step waits for a comparison that is made beside the interface."""


def is_large(a: Reading, b: Reading) -> bool:
    """Whether two readings take longer to compare than a step may."""
    return any(len(one.blocks) >= MANY_BLOCKS or len(one.delta_blocks) >= MANY_DELTAS for one in (a, b))


def compared_beside(a: Reading, b: Reading) -> Iterator[Difference | None]:
    """The difference of two readings as the last of what is given; large ones are compared beside the interface, not
    on its thread, with a rest before each look.
    """
    if not is_large(a, b):
        yield compare(a, b)
        return
    for reading in (a, b):
        for _ in reading.settling():
            yield None
    yield from beside(lambda: compare(a, b))


def beside(work: Callable[[], Result]) -> Iterator[Result | None]:
    """What `work` gives as the last of what is given: it is done in a thread, with a rest before each look at it."""
    found: list[Result | Exception] = []

    def run() -> None:
        try:
            found.append(work())
        except Exception as error:  # raised again below, where it is seen
            found.append(error)

    thread = threading.Thread(target=run, name="beside", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(LOOK_S)
        yield None
    if isinstance(found[0], Exception):
        raise found[0]
    yield found[0]
