"""How fast a live stream comes: tokens a second just now, over the last seconds, and as a whole."""

from __future__ import annotations

from inspector_app.core.rates import SECOND
from inspector_app.ui.lanes import Clock

NOW_NS, RECENT_NS = SECOND, 5 * SECOND
LEAST_NS = SECOND // 10
"""A rate over less time than this says nothing."""


class Speed:
    """Counts by the times of the events, whether they are shown or not. `clock` is that of the page's timeline."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rates = clock.rates

    def extend(self) -> None:
        """Take in what has come."""
        self._clock.extend()
        self._rates.extend()

    @property
    def about(self) -> bool:
        """Whether tokens are only guessed from characters: streams tell them at the end, if at all."""
        return self._rates.tokens.about

    def over(self, now: int, span: int | None = None) -> float | None:
        """Tokens a second in the `span` ns before `now`, or from the first to the last; None before there are any."""
        rates = self._rates
        if not len(rates) or now - rates.times[0] < LEAST_NS:
            return None
        first, last = rates.times[0], rates.times[-1]
        before, time = -1, max(last - first, LEAST_NS)
        if span is not None:
            before, time = rates.entry_at(now - span), min(span, now - first)
        reasoning, other = rates.within(before, len(rates) - 1)
        tokens = rates.tokens
        return (reasoning * tokens.reasoning + other * tokens.other) * SECOND / time
