"""How fast a stream came, in the three numbers by which two recordings are told apart, as far as they are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from inspector_app.core.reading import Reading
from inspector_app.core.text import duration
from inspector_app.core.timing import ORDER_ONLY, Wait, Waits, ladder, unmeasured
from inspector_app.report.differences import Difference

NO_READ = "before the first byte"
"""What is told as the first event already."""
UNTIMED = ORDER_ONLY.partition(": ")[2]


class Pace(NamedTuple):
    """When the first event came and when all ended, in ns since the request; the longest wait after the first byte."""

    first: int | None
    end: int | None
    wait: Wait | None

    @property
    def words(self) -> str:
        """All of it in one line, empty where nothing was measured."""
        parts = [f"{what} {said}" for what, said in zip(WHAT, _cells(self)) if said]
        return " · ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """As `diff --json` prints it; the names are those of `check --json`, in milliseconds."""
        first, end, wait = self
        return {
            "first_event_ms": None if first is None else first / 1e6,
            "end_ms": None if end is None else end / 1e6,
            "longest_wait_ms": None if wait is None else wait.ns / 1e6,
            "longest_wait_event": None if wait is None else wait.event,
        }


WHAT = ("first event", "end", "longest wait")


def pace_in_steps(reading: Reading) -> Iterator[Pace | None]:
    """Rests now and then (None), and last the pace of a reading."""
    if unmeasured(reading):
        yield Pace(None, None, None)
        return
    waits, times = Waits(reading), ladder(reading)
    for _ in waits.in_steps():
        yield None
    longest = next((wait for wait in waits.longest() if wait.words != NO_READ), None)
    yield Pace(times["first_event"], times["end"], longest)


def pace(reading: Reading) -> Pace:
    """The same at once."""
    return next(found for found in pace_in_steps(reading) if found is not None)


def rows_of(a: Pace, b: Pace) -> list[Difference]:
    """Both side by side, alike or not; the event of a wait is the one after it. No row where neither was measured."""
    found = zip(WHAT, _cells(a), _cells(b))
    out = [
        Difference("times", what, ours or UNTIMED, theirs or UNTIMED) for what, ours, theirs in found if ours or theirs
    ]
    events = [its.wait.event if its.wait is not None else None for its in (a, b)]
    return [row._replace(events=(events[0], events[1])) if row.what == WHAT[-1] else row for row in out]


def _cells(found: Pace) -> Sequence[str]:
    times = found.first, found.end, None if found.wait is None else found.wait.ns
    return ["" if time is None else duration(time) for time in times]
