"""Text broken into lines of a width, with the way back from a character to the fragment that brought it."""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice

from PySide6.QtGui import QFont, QFontMetricsF

from inspector_app.core.text import visible
from inspector_app.ui import fonts

MOST = 50_000
"""Characters of one text that are laid out; Qt and the reader's patience end somewhere."""
_WORD = re.compile(r"\n|[^\s]+[^\S\n]*|[^\S\n]+")
_WIDE = 48
"""Words longer than this are broken before they are measured."""


class Flow:
    """The text of some fragments in lines of `width` pixels; `extend` takes in fragments that came since.

    `lines` are character ranges [start, end) of `text`. What is not laid out is counted in `left_out`.
    """

    def __init__(self, font: QFont, width: int) -> None:
        self.font, self.width = font, max(24, width)
        self.text = ""
        self.lines: list[tuple[int, int]] = []
        self.left_out = 0
        self.characters = 0
        """All of the fragments, laid out or not."""
        self._metrics = QFontMetricsF(font)
        self._starts: array[int] = array("I")
        """Where in the text each fragment begins."""

    def extend(self, fragments: Sequence[str]) -> None:
        """`fragments` are all there are so far; those taken in already have not changed."""
        new = []
        size = len(self.text)
        taken = len(self._starts)
        for fragment in islice(fragments, taken, None):
            if size >= MOST:
                break
            self._starts.append(size)
            self.characters += len(fragment)
            shown = visible(fragment[: MOST - size + 1], keep="\n").replace("\t", "    ")
            self.left_out += max(0, len(fragment) - (MOST - size + 1))
            new.append(shown)
            size += len(shown)
        rest = fragments[len(self._starts) :]
        if rest:
            more = sum(map(len, rest))
            self._starts.extend(array("I", [size]) * len(rest))
            self.characters += more
            self.left_out += more
        if new:
            self.text += "".join(new)
            begin = self.lines.pop()[0] if self.lines else 0
            self._break(begin)

    def fragment_at(self, position: int) -> int:
        """The fragment that a character belongs to."""
        return max(0, bisect_right(self._starts, position) - 1)

    def range_of(self, fragment: int) -> tuple[int, int]:
        """The characters of a fragment."""
        starts = self._starts
        if not 0 <= fragment < len(starts):
            return 0, 0
        return starts[fragment], starts[fragment + 1] if fragment + 1 < len(starts) else len(self.text)

    def line(self, number: int) -> str:
        """The characters of a line."""
        start, end = self.lines[number]
        return self.text[start:end].rstrip("\n")

    def x_of(self, number: int, position: int) -> float:
        """How far from the left edge a character of a line stands."""
        return self._metrics.horizontalAdvance(self.text[self.lines[number][0] : position])

    def position_at(self, number: int, x: float) -> int:
        """The character of a line at a distance from the left edge."""
        start = self.lines[number][0]
        low, high = 0, len(self.line(number))
        while low < high:
            middle = (low + high) // 2
            if self._metrics.horizontalAdvance(self.text[start : start + middle + 1]) <= x:
                low = middle + 1
            else:
                high = middle
        return start + low

    def _break(self, begin: int) -> None:
        text, width, font = self.text, self.width, self.font
        start, used = begin, 0.0
        for found in _WORD.finditer(text, begin):
            word, at = found[0], found.start()
            if word == "\n":
                self.lines.append((start, found.end()))
                start, used = found.end(), 0.0
                continue
            bare = word.rstrip()
            size = fonts.text_width(font, bare) if len(bare) <= _WIDE else self._metrics.horizontalAdvance(bare[:4000])
            if used and used + size > width:
                self.lines.append((start, at))
                start, used = at, 0.0
            if size > width:
                start, used = self._split(at, at + len(bare), start)
                size = 0.0
            used += size + fonts.text_width(font, " ") * (len(word) - len(bare))
        if start < len(text) or not self.lines:
            self.lines.append((start, len(text)))

    def _split(self, at: int, end: int, start: int) -> tuple[int, float]:
        """Breaks a word that is wider than a line, as of Chinese; gives the start and the width of the rest."""
        text = self.text
        used = 0.0
        for n in range(at, end):
            size = fonts.text_width(self.font, text[n])
            if used + size > self.width and n > start and not unicodedata.combining(text[n]):
                self.lines.append((start, n))
                start, used = n, 0.0
            used += size
        return start, used
