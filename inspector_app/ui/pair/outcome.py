"""What two recordings differ in, worked out in steps: the rows of the list, and what to mark in the lines of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from inspector_app.core.pairing import Pairing, along
from inspector_app.core.reading import Reading
from inspector_app.core.text import number
from inspector_app.core.types import EOL
from inspector_app.lenses import Difference as Verdict
from inspector_app.lenses import compare
from inspector_app.lenses.clients import RIGHT, Asked, told_of
from inspector_app.lenses.stretches import Stretch, content_of, told
from inspector_app.report.differences import ABSENT, Difference, differences, finishes, types_alone
from inspector_app.report.moved import by_object, renamed
from inspector_app.report.pace import Pace, pace_in_steps
from inspector_app.report.survey import Survey

CLIENTS, FRAMING, SHAPE, CONTENT = LAYERS = ("clients", "framing", "shape", "content")
LISTED = 200
"""Stretches of content that are listed one by one."""
QUICK = 1 << 20
"""Bytes of both together up to which the clients are asked without a word of the user."""
SLIGHT = ("always ", "in ", "before ", "after ", "empty ", "never ")
"""How the words of a path begin that is there on both sides, with the same types."""
Ask = Callable[[], Iterator[Asked | None]]
"""Lets the clients read both (`lenses.clients.ask`)."""


@dataclass(slots=True)
class Marked:
    """What is to be marked in the lines of one recording."""

    framing: frozenset[str] = frozenset()
    """The facts of a survey that are not the same in the other one."""
    ends: frozenset[int] = frozenset()
    """The codes of line ends that the other one has not."""
    paths: frozenset[str] = frozenset()
    """Ledger paths that came, went, or have another type, in whatever event."""
    types: dict[str, frozenset[str]] = field(default_factory=dict)
    """Of a path that is on both sides the JSON types that are on this side alone: only such values differ."""
    objects: frozenset[str] = frozenset()
    """Paths of whole objects, or of arrays with such, that came or went."""
    first_paths: dict[int, frozenset[str]] = field(default_factory=dict)
    """Event -> paths that differ in another way, marked where they stand first."""
    content: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """Block -> characters [start, end) of its text that are not the same, in order."""


class Outcome(NamedTuple):
    """All that was found. `pairs` are events that belong together since their blocks do; `paces` are the times of both;
    `headline` names the field that went and the one that came in its place, if any; `asked` is how many clients were
    asked, None if nobody has.
    """

    verdict: Verdict
    rows: list[Difference]
    marked: tuple[Marked, Marked]
    pairs: list[tuple[int, int]]
    paces: tuple[Pace, Pace]
    headline: str = ""
    asked: int | None = None

    def count(self, layer: str) -> int:
        """How many rows a layer has."""
        return sum(row.layer == layer for row in self.rows)

    def hurt(self, side: int) -> list[str]:
        """The clients that read a (0) or b (1) otherwise than it is meant, and the other one right."""
        return [row.what for row in self.rows if row.layer == CLIENTS and (row.a, row.b)[1 - side] == RIGHT]

    def leading(self) -> int:
        """The row to show first: that of the difference which the verdict speaks of, else the first one."""
        first = self.verdict.first_difference
        if first is None:
            return 0
        said = [number for number, row in enumerate(self.rows) if row.layer == CONTENT]
        # The verdict has an event of a where a has it, else of b.
        places = [number for side in range(2) for number in said if self.rows[number].events[side] == first.event]
        return next(iter([*places, *said]), 0)

    def with_clients(self, asked: Asked) -> Outcome:
        """The same with a row in front for each client that reads one of both right and the other not."""
        rows = [Difference(CLIENTS, *row) for row in told_of(asked)]
        return self._replace(rows=[*rows, *(row for row in self.rows if row.layer != CLIENTS)], asked=asked.clients)


def outcome_of(a: Reading, b: Reading, names: tuple[str, str], ask: Ask) -> Iterator[int | Outcome]:
    """Compares two complete readings. Yields the events that are done, of both together, and last what was found."""
    surveys = Survey(a), Survey(b)
    done = 0
    for survey in surveys:
        for count in survey.steps():
            yield done + count
        done += len(survey.reading.events)
    paces: list[Pace] = []
    for reading in (a, b):
        for pace in pace_in_steps(reading):
            yield done
            paces += [pace] if pace is not None else []
    fields = differences(*surveys)
    rows = by_object(fields, *surveys)
    objects = frozenset(row.what for row in rows) - {row.what for row in fields}
    verdict = compare(a, b, names)
    stretches, pairs = content_of(a, b)
    content = _content(a, b, verdict, stretches)
    instead = renamed(rows, *surveys)
    headline = instead.words if instead is not None else ""
    marked = _marked(surveys, rows, stretches, objects)
    pairing = along(pairs, len(a.events), len(b.events))
    rows = [_level(row, pairing) if row.layer == FRAMING else row for row in rows]
    outcome = Outcome(verdict, [*rows, *content], marked, pairs, (paces[0], paces[1]), headline)
    if len(a.exchange.body) + len(b.exchange.body) <= QUICK:
        for asked in ask():
            outcome = outcome.with_clients(asked) if asked is not None else outcome
            yield done
    yield outcome


def _level(row: Difference, pairing: Pairing) -> Difference:
    """A row whose events stand beside each other. How lines are written all along shows with the first one already;
    the two part where the later of both shows.
    """
    a, b = row.events
    if a is None or b is None:
        return row
    return row._replace(events=(a, pairing.b_of(a)) if a >= b else (pairing.a_of(b), b))


def _content(a: Reading, b: Reading, verdict: Verdict, stretches: list[Stretch]) -> Iterator[Difference]:
    first = verdict.first_difference
    if first is not None and not stretches:
        # What is no matter of words, as a call that is not there; an event of a where that has it.
        ours, theirs = (f"{number(count)} block{'' if count == 1 else 's'}" for count in verdict.blocks)
        yield Difference(CONTENT, verdict.headline, ours, theirs, (min(first.event, a.last_event), None))
    for row in told(a, b, stretches[:LISTED]):
        yield Difference(CONTENT, *row)
    if len(stretches) > LISTED:
        more = f"and {number(len(stretches) - LISTED)} more places"
        yield Difference(CONTENT, more, "marked in the lines", "marked in the lines")
    yield from finishes(a, b)


def _marked(
    surveys: tuple[Survey, Survey], rows: list[Difference], stretches: list[Stretch], objects: frozenset[str]
) -> tuple[Marked, Marked]:
    a, b = (survey.reading for survey in surveys)
    framing = frozenset(row.what for row in rows if row.layer == FRAMING)
    shape = [row for row in rows if row.layer == SHAPE]
    # A path with the same types on both sides differs in how often it comes, or in its one value.
    slight = {row.what for row in shape if row.a.startswith(SLIGHT)}
    out = []
    ends = [frozenset(code for code in range(len(EOL)) if code in reading.lines.eols) for reading in (a, b)]
    for side in range(2):
        marked = Marked(framing, ends[side] - ends[1 - side])
        if a.dialect != b.dialect:
            # All fields differ then; to underline each would tell nothing.
            shape = []
        marked.paths = frozenset(row.what for row in shape if row.what not in slight) - objects
        for row in shape:
            if row.what in marked.paths and ABSENT not in (row.a, row.b):
                marked.types[row.what] = types_alone(row.what, surveys[side], surveys[1 - side])
        # Of an array its own key is marked too.
        marked.objects = frozenset(row.what.removesuffix("[]") for row in shape if row.what in objects)
        for row in shape:
            event = row.events[side]
            if row.what in slight and event is not None:
                marked.first_paths[event] = marked.first_paths.get(event, frozenset()) | {row.what}
        for stretch in stretches:
            for part in (stretch.a, stretch.b)[side]:
                if part.end > part.start:
                    marked.content.setdefault(part.block, []).append((part.start, part.end))
        for ranges in marked.content.values():
            ranges.sort()
        out.append(marked)
    return out[0], out[1]
