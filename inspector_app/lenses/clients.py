"""Which clients a change of the stream breaks: those that read the recording before it right, and the one after it not.

Asked are the clients that reports tell of, and the user's own. Libraries leave something out of most streams, and
nobody is to be alarmed by that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from inspector_app.core.kit import Kit
from inspector_app.core.reading import Reading
from inspector_app.lenses.load import Lens, shipped_folder
from inspector_app.lenses.matrix import Row, row_of
from inspector_app.lenses.run import knows, read_as


class Asked(NamedTuple):
    """How many clients were asked that speak about both recordings, and the rows, on b, of those that b breaks."""

    clients: int
    broken: tuple[Row, ...]


def is_told(lens: Lens) -> bool:
    """Whether a client is told of that one did not ask for: a report tells of it, or it is the user's own."""
    return lens.evidence == "report" or lens.path.parent != shipped_folder()


def ask(a: Reading, b: Reading, lenses: Iterable[Lens], kit: Kit, **how: str | None) -> Iterator[Asked | None]:
    """Lets the clients read both recordings; each None before the answer is a rest. `a` and `b` are complete readings
    of the reference, `how` the dialect and the framing where they are given.
    """
    clients, broken = 0, []
    for lens in lenses:
        if not (is_told(lens) and knows(lens, a) and knows(lens, b)):
            continue
        clients += 1
        # Who reads as the reference does reads both right; who reads a wrong was not broken by a change since.
        if lens.rules != b.rules and row_of(lens, a, read_as(lens, a, kit, **how)).verdict == "right":
            yield None
            row = row_of(lens, b, read_as(lens, b, kit, **how))
            broken += [row] if row.verdict != "right" else []
        yield None
    yield Asked(clients, tuple(broken))


def words_of(row: Row) -> str:
    """What a client makes of a recording, in a line: "Reasoning is lost — `reasoning_details` is not read"."""
    found = row.difference
    return ("" if found is None else " — ".join(filter(None, (found.headline, found.cause)))) or row.verdict
