"""The lane that shows how fast the answer came: tokens a second where the stream counts them, else characters."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_app.core.rates import CHARACTERS_A_TOKEN, MEANINGS, Rates
from inspector_app.core.text import number
from inspector_app.ui.timeline import Lane
from inspector_app.ui.timeline.rate import Curve, window_of

KEY = "rate"


def rate_lane(rates: Rates, until: int) -> Iterator[Lane]:
    """The lane up to a position; none where nothing was said."""
    if not len(rates):
        return
    tokens = rates.tokens
    if tokens.about or rates.in_characters:
        title, weights, words = "Chars/s", (1.0, 1.0), "characters/s"
        hint = f"about {{}} tokens/s, {CHARACTERS_A_TOKEN} characters each"
    else:
        title, weights, words = "Tokens/s", (tokens.reasoning, tokens.other), "tokens/s"
        hint = f"usage over {number(rates.reasoning[-1] + rates.other[-1])} characters"
    window = window_of(rates.times[0], rates.times[-1])
    curve = Curve(
        rates.times, rates.codes, MEANINGS, (rates.reasoning, rates.other), weights, words, hint, window, until
    )
    yield Lane(KEY, title, curve.note, ticks=rates.times, events=rates.events, curve=curve)
