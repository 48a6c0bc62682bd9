"""Finds what was meant by a few letters: those that begin words and stand together count most."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

LETTER, TOGETHER, WORD_START, TEXT_START = 10, 8, 7, 10
"""What a found letter is worth, and one that follows the letter found before, begins a word, begins the text."""
TOO_FAR = 12
"""Letters in between cost 1 each, up to this."""
NEVER = float("-inf")
APART = 10
"""What it costs when words were typed in another order than they stand in."""

Thing = TypeVar("Thing")


class Match(NamedTuple):
    """How well a text fits, and the places of the letters that were typed."""

    score: float
    places: tuple[int, ...]


def match(query: str, text: str) -> Match | None:
    """The best way to find all letters of `query` in `text` in their order, or its words in any order."""
    words = query.split()
    if not words:
        return Match(0, ())
    joined = _match("".join(words), text)
    if len(words) == 1:
        return joined
    found = [one for word in words if (one := _match(word, text)) is not None]
    if len(found) < len(words):
        return joined
    apart = Match(
        sum(one.score for one in found) - APART, tuple(sorted({place for one in found for place in one.places}))
    )
    return apart if joined is None or apart.score > joined.score else joined


def ranked(query: str, things: Iterable[tuple[Thing, str]]) -> list[tuple[Thing, Match]]:
    """The things whose text fits, best first; of equal ones in their order."""
    fitting = [(thing, found) for thing, text in things if (found := match(query, text)) is not None]
    return sorted(fitting, key=lambda pair: -pair[1].score)


def _match(letters: str, text: str) -> Match | None:
    letters, folded = letters.lower(), "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    rest = iter(folded)
    if not all(letter in rest for letter in letters):
        return None
    # For each letter and place: the best score of a match that ends there, and where the letter before it stood.
    scores = [0.0] * len(text)
    origins: list[list[int]] = []
    for row, letter in enumerate(letters):
        before, scores, origin = scores, [NEVER] * len(text), [-1] * len(text)
        best, best_at = (NEVER, -1) if row else (0.0, -1)
        for at, found in enumerate(folded):
            if row and at and before[at - 1] >= best - _gap(best_at, at - 1):
                best, best_at = before[at - 1], at - 1
            if found != letter or best == NEVER:
                continue
            came = best - (_gap(best_at, at) if row else min(at, TOO_FAR) / 2)
            near = before[at - 1] + TOGETHER if row and at else NEVER
            scores[at] = LETTER + _start(text, at) + max(came, near)
            origin[at] = at - 1 if near >= came else best_at
        origins.append(origin)
    places = [max(range(len(text)), key=lambda at: scores[at])]
    score = scores[places[0]] - len(text) / 20
    for origin in reversed(origins[1:]):
        places.append(origin[places[-1]])
    return Match(score, tuple(reversed(places)))


def _gap(one: int, other: int) -> int:
    return min(other - one - 1, TOO_FAR)


def _start(text: str, at: int) -> int:
    if not at:
        return TEXT_START
    before, here = text[at - 1], text[at]
    begins = not before.isalnum() or (here.isupper() and before.islower()) or (here.isdigit() and not before.isdigit())
    return WORD_START if begins and here.isalnum() else 0
