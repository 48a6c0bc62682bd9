"""What to find in texts: some characters as they are, or a regular expression. Long texts are searched in pieces.

Letter by letter, without regard to case, means: each character in small letters where that is one character, and the
two small sigmas as one. Expressions are those of the `regex` package, which can be told to give up: the standard one
holds the whole program for as long as a pattern such as `(a|a)*b` likes.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import regex

from inspector_app.core.text import join_halves

WINDOW, LEAST = 1 << 14, 1 << 9
"""Characters that are searched at a time, and the least that are tried where more take too long."""
OVERLAP = 8
"""A match that begins in the last of so many parts of a piece is looked for in the next piece."""
BUDGET_S = 0.004
"""How long one piece may take an expression before its text is given up."""

Spans = list[tuple[int, int]]


class Query(NamedTuple):
    """What the user asked for. `scope` is one of `search.SCOPES`."""

    text: str
    case: bool = False
    expression: bool = False
    scope: str = "everything"


class PatternFault(ValueError):
    """An expression that is none. The message says what is wrong with it, and where."""


def fold(text: str) -> str:
    """The text without regard to case, a character for a character."""
    small = text.lower()
    if text.isascii():
        return small
    if len(small) != len(text):
        small = "".join(low if len(low := character.lower()) == 1 else character for character in text)
    return small.replace("ς", "σ")


class Pattern:
    """A query made ready. Finds matches from left to right that do not overlap and are not empty."""

    def __init__(self, query: Query) -> None:
        """Raises PatternFault."""
        self.given_up = 0
        """Texts that took the expression too long."""
        self.plain = not query.expression
        self.case = query.case
        self.needle = query.text if query.case else fold(query.text)
        self._expression: regex.Pattern[str] | None = None
        if query.expression:
            try:
                self._expression = regex.compile(query.text, 0 if query.case else regex.IGNORECASE)
            except regex.error as error:
                raise PatternFault(_complaint(error)) from error
            except (OverflowError, RecursionError, ValueError) as error:
                raise PatternFault("it is too large") from error

    def pieces(self, text: str) -> Iterator[Spans]:
        """The matches in a text, those of one piece after those of another, so that the caller may rest in between."""
        whole = join_halves(text)
        found = self._literal(whole) if self._expression is None else self._windows(whole)
        if len(whole) == len(text):
            yield from found
            return
        # Halves of characters that met here count two in the text as it came.
        before = _joints(text)
        for spans in found:
            yield [(start + bisect_left(before, start), end + bisect_left(before, end)) for start, end in spans]

    def _literal(self, text: str) -> Iterator[Spans]:
        needle = self.needle
        size, longer = len(needle), len(needle) - 1
        at = 0
        while at + size <= len(text):
            end = at + WINDOW
            piece = text[at : end + longer]
            spans = literal_spans(piece if self.case else fold(piece), needle, at)
            yield spans
            at = max(end, spans[-1][1]) if spans else end

    def _windows(self, text: str) -> Iterator[Spans]:
        expression = self._expression
        assert expression is not None
        at, width, size = 0, WINDOW, len(text)
        patience = 2
        while at < size:
            end = min(at + width, size)
            safe = size if end == size else max(at + 1, end - width // OVERLAP)
            try:
                # An expression can ask to be tried from the end, `(?r)`.
                found = sorted(match.span() for match in expression.finditer(text, at, end, timeout=BUDGET_S))
            except (TimeoutError, MemoryError):
                # The machine may have been busy with something else: a smaller piece, and that once more.
                patience -= min(width, end - at) <= LEAST
                if not patience:
                    self.given_up += 1
                    return
                width = max(LEAST, min(width, end - at) // 4)
                yield []
                continue
            patience = 2
            spans: Spans = []
            after, width = safe, WINDOW
            for start, to in found:
                if start == to:
                    continue
                if start >= safe:
                    break
                if to == end < size:  # it may go on: once more from here, in a larger piece
                    after, width = start, 2 * (end - start) + WINDOW
                    break
                spans.append((start, to))
                after = max(safe, to)
            yield spans
            at = after


def _complaint(error: Exception) -> str:
    at = getattr(error, "pos", None)
    return str(getattr(error, "msg", error)) + ("" if at is None else f" at character {at + 1}")


def literal_spans(text: str, needle: str, shift: int = 0) -> Spans:
    """Every place of `needle` in `text` that does not overlap the one before, moved by `shift`."""
    spans: Spans = []
    size = len(needle)
    at = text.find(needle)
    while at >= 0:
        spans.append((shift + at, shift + at + size))
        at = text.find(needle, at + size)
    return spans


def _joints(text: str) -> array[int]:
    """For each two halves that became one character: which character it is in the joined text."""
    found: array[int] = array("q")
    halves = False
    for at, (one, other) in enumerate(pairwise(text)):
        if halves:
            halves = False
        elif "\ud800" <= one <= "\udbff" and "\udc00" <= other <= "\udfff":
            found.append(at - len(found))
            halves = True
    return found
