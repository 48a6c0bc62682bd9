"""What the timeline draws: plain data, filled by whoever has a reading. It knows no Qt and no analysis.

A position is nanoseconds since the request where times were measured, else an event number.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector_app.ui.timeline.rate import Curve


@dataclass(slots=True)
class Bar:
    """A block. `block` is a number of the caller's choice, unique over all lanes; picks give it back.

    `fragments[i]` is the position of delta i, `events[i]` its event, `words` its text ready for display. `state` is
    "closed", "open", "growing", "truncated", "stopped" (by whoever asked) or "redacted": what is open goes on to the
    edge of the view, what is growing to the `now` of the axis. `missing` names fields that never came; they are drawn
    from `start` to the first fragment, or over the whole bar where there is none. `gap_event` is the event that should
    have brought them, -1 where nobody knows. `cut_at` is the position of what closed a block too early, None for its
    end. `icon` stands for the usual mark of the meaning. `fault` says in a word why a block that came cannot be used.
    """

    start: int
    end: int
    title: str
    meaning: str
    block: int
    fragments: Sequence[int] = ()
    events: Sequence[int] = ()
    words: Callable[[int], str] | Sequence[str] = ()
    state: str = "closed"
    closed_early: bool = False
    missing: tuple[str, ...] = ()
    repaired: bool = False
    gap_event: int = -1
    cut_at: int | None = None
    icon: str = ""
    fault: str = ""

    @property
    def torn(self) -> bool:
        """Whether it breaks off with the stream."""
        return self.state in ("truncated", "stopped")

    @property
    def close(self) -> int:
        """The position of the last that came of it."""
        return max(self.end, self.fragments[-1]) if len(self.fragments) else max(self.end, self.start)

    @property
    def speaks(self) -> bool:
        """Whether its deltas have words to show; media and results have none."""
        return bool(self.words) and len(self.fragments) > 0 and self.state != "redacted"

    def word(self, fragment: int) -> str:
        """What delta number `fragment` of this bar says."""
        if callable(self.words):
            return self.words(fragment)
        return self.words[fragment] if fragment < len(self.words) else ""


@dataclass(slots=True)
class Mark:
    """A finding at a position, or from `position` to `end`. `icon` stands for the usual one of the severity. What is
    `muted` is there, but quiet. A note of the user is one, too: `words` are its beginning.
    """

    position: int
    severity: str
    rule: str
    count: int = 1
    event: int = 0
    end: int | None = None
    icon: str = ""
    muted: bool = False
    words: str = ""


@dataclass(slots=True)
class Span:
    """A stretch of its own kind: a "wait" is nobody's fault (before the first byte), a "silence" is, a "burst" is what
    came all at once.
    """

    start: int
    end: int
    kind: str
    words: str


@dataclass(slots=True)
class Lane:
    """One row. It holds ticks or bars or marks, and may hold spans.

    `ticks` are sorted positions, `events[i]` the event of tick i (i itself when empty), `weights[i]` its size in bytes.
    With a `curve` the ticks are its entries, and not drawn.
    `heaviest` is the greatest weight where that is known already. `unread` are the numbers of ticks that the chosen
    reader skips, sorted. `hollow` says that positions are an order,
    not times. `icon` is a glyph in the colour of `meaning`; one that is named like a meaning has that one's. `bars`
    are sorted by start.
    """

    key: str
    title: str
    note: str = ""
    badge: str | None = None
    badge_meaning: str = "info"
    icon: str = ""
    meaning: str = ""
    ticks: array[int] | None = None
    events: Sequence[int] = ()
    weights: Sequence[int] = ()
    heaviest: int | None = None
    unread: Sequence[int] = ()
    hollow: bool = False
    bars: list[Bar] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    curve: Curve | None = None
    pinned: bool = False
    """Whether it stays at the top while the others scroll; pinned lanes come first."""

    def event_of(self, tick: int) -> int:
        """The event number of a tick."""
        return self.events[tick] if tick < len(self.events) else tick


def _always(event: int) -> bool:
    return True


@dataclass(slots=True)
class Axis:
    """What the level direction means. `span` is the whole recording, ends included.

    `events[n]` is the position of event n; may be left out where positions are event numbers. `end` is where the
    stream ended, `end_words` its marker as sent ("[DONE]"), or why it is none when `truncated`.
    """

    measured: bool
    span: tuple[int, int]
    events: Sequence[int] = ()
    end: int | None = None
    end_words: str = ""
    truncated: bool = False
    order: str = "order only"
    """What is said of positions that are no times."""
    timed: Callable[[int], bool] = field(default=_always, compare=False)
    """Whether an event has a time of its own; one without stands where the event before it does."""

    @property
    def empty(self) -> bool:
        """Whether nothing stands on it: no time and no event."""
        return self.span[0] == self.span[1]

    def position(self, event: int) -> int:
        """Where an event stands."""
        return self.events[event] if event < len(self.events) else event
