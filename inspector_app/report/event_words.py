"""How many events a stream has, in words: what was dispatched, and what an engineer would not call an event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from inspector_app.core import flags as F
from inspector_app.core.text import number

_BESIDES = (
    (F.COMMENT_ONLY, "comment", "comments"),
    (F.DANGLING, "without its blank line", "without their blank line"),
    (F.NO_DATA, "without data", "without data"),
)
"""Flag of what is never dispatched -> words for one and for several; the first that an event has counts."""


def counted_events(flags: Mapping[int, int] | Counter[int]) -> tuple[int, list[str]]:
    """How many events were dispatched, what came besides ("3 comments"). `flags` counts the events by flag bits."""
    besides: Counter[int] = Counter()
    dispatched = 0
    for bits, count in flags.items():
        for place, (flag, _, _) in enumerate(_BESIDES):
            if bits & flag:
                besides[place] += count
                break
        else:
            dispatched += count
    words = [
        f"{number(besides[place])} {one if besides[place] == 1 else many}"
        for place, (_, one, many) in enumerate(_BESIDES)
        if besides[place]
    ]
    return dispatched, words


def event_words(flags: Mapping[int, int] | Counter[int]) -> str:
    """"50 events + 3 comments"."""
    dispatched, besides = counted_events(flags)
    return " + ".join([f"{number(dispatched)} event{'' if dispatched == 1 else 's'}", *besides])
