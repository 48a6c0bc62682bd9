"""What clients make of two recordings, and which of them one did not ask for are worth telling of.

Of one recording told are the clients that reports tell of, and the user's own: libraries leave something out of most
streams, and nobody is to be alarmed by that. Of two recordings every client is asked, since what is told is who reads
the one right and the other not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from inspector_app.core.kit import Kit
from inspector_app.core.reading import Reading
from inspector_app.lenses.changes import VERDICTS, Verdict
from inspector_app.lenses.compare import Difference
from inspector_app.lenses.load import KINDS, Lens, shipped_folder
from inspector_app.lenses.matrix import MATRIX_VERDICTS, Row, matrix
from inspector_app.lenses.run import knows
from inspector_app.lenses.stretches import Told

RIGHT = "right"
"""How a client reads a recording that it reads as the reference does."""


class Asked(NamedTuple):
    """How many clients were asked that speak about both recordings; the rows, on b, of those that read a right and b
    not; and the rows, on a, of those that read b right and a not. Those that reports tell of come first.
    """

    clients: int
    broken: tuple[Row, ...]
    mended: tuple[Row, ...] = ()


def is_told(lens: Lens) -> bool:
    """Whether a client is told of that one did not ask for: a report tells of it, or it is the user's own."""
    return lens.evidence == "report" or lens.path.parent != shipped_folder()


def rank_of(verdict: Verdict, lens: Lens) -> tuple[bool, int, int, int]:
    """How soon a lens is worth telling of: the smallest first, those that read right last."""
    return verdict == "same", KINDS.index(lens.kind), VERDICTS.index(verdict), lens.evidence != "report"


def worst_of(differences: Mapping[str, Difference], lenses: Mapping[str, Lens]) -> str | None:
    """The lens that reads worst of those that have been run and that are told of."""
    told = [name for name in differences if is_told(lenses[name])]
    return min(told, key=lambda name: rank_of(differences[name].verdict, lenses[name]), default=None)


def ask(a: Reading, b: Reading, lenses: Iterable[Lens], kit: Kit, **how: str | None) -> Iterator[Asked | None]:
    """Lets the clients read both recordings; each None before the answer is a rest. `a` and `b` are complete readings
    of the reference, `how` the dialect and the framing where they are given.
    """
    # Who makes nothing of a body without an event reads it "right", which says nothing.
    both = bool(len(a.events)) and bool(len(b.events))
    spoken = [lens for lens in lenses if both and knows(lens, a) and knows(lens, b)]
    sides: list[list[Row]] = []
    for reading in (a, b):
        rows = []
        for row in matrix(reading, spoken, kit, **how):
            rows.append(row)
            yield None
        sides.append(rows)
    yield Asked(len(spoken), _hurt(sides[1], sides[0]), _hurt(sides[0], sides[1]))


def _hurt(rows: Sequence[Row], others: Sequence[Row]) -> tuple[Row, ...]:
    """The rows of those that read this recording otherwise than the reference and the other one as it does."""
    found = [row for row, other in zip(rows, others, strict=True) if row.verdict != "right" == other.verdict]
    return tuple(sorted(found, key=lambda row: (not is_told(row.lens), MATRIX_VERDICTS.index(row.verdict))))


def told_of(asked: Asked) -> Iterator[Told]:
    """A row for each client that reads one of both right and the other not, those that b breaks first: its title, and
    how it reads each of them.
    """
    for row in asked.broken:
        yield Told(row.lens.title, RIGHT, _plain(row), (None, row.event))
    for row in asked.mended:
        yield Told(row.lens.title, _plain(row), RIGHT, (row.event, None))


def _plain(row: Row) -> str:
    return words_of(row).replace("`", "")


def words_of(row: Row) -> str:
    """What a client makes of a recording, in a line: "Reasoning is lost — `reasoning_details` is not read"."""
    found = row.difference
    return ("" if found is None else " — ".join(filter(None, (found.headline, found.cause)))) or row.verdict
