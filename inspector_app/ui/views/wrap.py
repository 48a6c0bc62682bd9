"""Text broken into lines of a width, with the way back from a character to the fragment that brought it."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice

from PySide6.QtGui import QFont, QFontMetricsF

from inspector_app.core.joiners import ZWJ, ZWNJ, picture_at, starts_picture
from inspector_app.core.text import NEAR, visible
from inspector_app.ui import fonts
from inspector_app.ui.views.bidi import SEARCHED, Way, has_right_to_left, places, stretches, way_of

MOST = 50_000
"""Characters of one text that are laid out; Qt and the reader's patience end somewhere."""
TOGETHER = 250
"""Fragments that are taken in, and words that are measured, between two rests."""
FAR = 8
"""Fragments around one in which the neighbours of its first and last character are looked for."""
_CJK = (
    "\u2e80-\u2fff\u3001-\u31ff\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60"
    "\U00020000-\U0003ffff"
)
_CLOSING = (
    "、。，．：；？！」』）］｝】〉》〕〗’”ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョヶ"
    "\u3099\u309a\ufe00-\ufe0f\U000e0100-\U000e01ef"
)
# A line may break between any two characters of Chinese or Japanese, but does not begin with what closes.
_WORD = re.compile(rf"\n|[{_CJK}][{_CLOSING}]*[^\S\n]*|[^\s{_CJK}]+[{_CLOSING}]*[^\S\n]*|[^\S\n]+")
_WIDE = 48
"""Words longer than this are broken before they are measured."""


def _shown(text: str, before: str = "", after: str = "") -> str:
    # CR LF ends a line like LF; that it does, the lines of the stream show.
    return visible(text.replace("\r\n", "\n"), "\n", before, after).replace("\t", "    ")


class Flow:
    """The text of some fragments in lines of `width` pixels; `extend` takes in fragments that came since.

    `wire` text keeps the order of its bytes from left to right. `lines` are character ranges [start, end) of `text`.
    What is not laid out is counted in `left_out`.
    """

    def __init__(self, font: QFont, width: int, wire: bool = False) -> None:
        self.font, self.width, self.wire = font, max(24, width), wire
        self.text = ""
        self.lines: list[tuple[int, int]] = []
        self.left_out = 0
        self.characters = 0
        """All of the fragments, laid out or not."""
        self._metrics = QFontMetricsF(font)
        self._waits = self._two_ways = False
        self._starts: array[int] = array("I")
        """Where in the text each fragment begins."""

    def extend(self, fragments: Sequence[str]) -> None:
        """`fragments` are all there are so far; those taken in already have not changed."""
        for _ in self.extending(fragments):
            pass

    def extending(self, fragments: Sequence[str]) -> Iterator[None]:
        """The same with rests. What is begun here is to be ended before anything else is asked."""
        new: list[str] = []
        if self._waits and len(fragments) > len(self._starts):
            self._take_back(fragments[len(self._starts) - 1])
        size = len(self.text)
        taken = len(self._starts)
        for number, fragment in enumerate(islice(fragments, taken, None), taken):
            if size >= MOST:
                break
            if number % TOGETHER == TOGETHER - 1:
                yield
            self._starts.append(size)
            self.characters += len(fragment)
            around = ("", "") if fragment.isascii() else (_before(fragments, number), _after(fragments, number))
            shown = _shown(fragment[: MOST - size + 1], *around)
            # Whether a joiner at the end is part of the writing, only what comes next can tell.
            self._waits = fragment[-1:] in (ZWJ, ZWNJ)
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
            self._two_ways = self._two_ways or has_right_to_left(self.text)
            begin = self.lines.pop()[0] if self.lines else 0
            yield from self._breaking(begin)

    def _take_back(self, fragment: str) -> None:
        """Forgets the last fragment, to take it in again."""
        start = self._starts.pop()
        self.characters -= len(fragment)
        self.text = self.text[:start]
        while self.lines and self.lines[-1][0] >= start:
            self.lines.pop()
        if self.lines:
            for _ in self._breaking(self.lines.pop()[0]):
                pass

    def fragment_at(self, position: int) -> int:
        """The fragment that a character belongs to."""
        return max(0, bisect_right(self._starts, position) - 1)

    def range_of(self, fragment: int) -> tuple[int, int]:
        """The characters of a fragment."""
        starts = self._starts
        if not 0 <= fragment < len(starts):
            return 0, 0
        return starts[fragment], starts[fragment + 1] if fragment + 1 < len(starts) else len(self.text)

    def shown(self, fragment: str, count: int) -> int:
        """How many characters of the laid out text the first `count` of a fragment are."""
        return len(_shown(fragment[:count]))

    def line(self, number: int) -> str:
        """The characters of a line."""
        start, end = self.lines[number]
        return self.text[start:end].rstrip("\n")

    def way(self, number: int) -> Way:
        """How a line is written; those of a paragraph from right to left end at the right edge."""
        if not self._two_ways:
            return Way.LEFT_TO_RIGHT
        if self.wire:
            return Way.WIRE
        paragraph = self.text.rfind("\n", 0, self.lines[number][0]) + 1
        return way_of(self.text[paragraph : paragraph + SEARCHED])

    def left_of(self, number: int) -> float:
        """Where the line begins at the left."""
        way = self.way(number)
        if way != Way.RIGHT_TO_LEFT:
            return 0.0
        return max(0.0, self.width - places(self.font, self.line(number), way).width)

    def x_of(self, number: int, position: int) -> float:
        """How far from the left edge a character of a line begins."""
        text, start = self.line(number), self.lines[number][0]
        if text.isascii():
            return self._metrics.horizontalAdvance(self.text[start:position])
        return self.left_of(number) + places(self.font, text, self.way(number)).x_of(position - start)

    def boxes(self, number: int, start: int, end: int) -> list[tuple[float, float]]:
        """The stretches of a line that characters [start, end) of the text fill, from the left edge."""
        first, left = self.lines[number][0], self.left_of(number)
        text = self.line(number)
        begin, stop = max(start - first, 0), min(end - first, len(text))
        return [(left + one, left + two) for one, two in stretches(self.font, text, begin, stop, self.way(number))]

    def position_at(self, number: int, x: float) -> int:
        """The character of a line at a distance from the left edge."""
        start, text = self.lines[number][0], self.line(number)
        if not text.isascii():
            return start + places(self.font, text, self.way(number)).position_at(x - self.left_of(number))
        low, high = 0, len(text)
        while low < high:
            middle = (low + high) // 2
            if self._metrics.horizontalAdvance(text[: middle + 1]) <= x:
                low = middle + 1
            else:
                high = middle
        return start + low

    def _breaking(self, begin: int) -> Iterator[None]:
        text, width, font = self.text, self.width, self.font
        start, used = begin, 0.0
        space = fonts.text_width(font, " ")
        # To ask with a font takes longer than to measure: what is known of this text is kept by its words alone.
        widths: dict[str, float] = {}
        for number, found in enumerate(_WORD.finditer(text, begin), 1):
            word, at = found[0], found.start()
            if number % TOGETHER == 0:
                yield
            if word == "\n":
                self.lines.append((start, found.end()))
                start, used = found.end(), 0.0
                continue
            bare = word.rstrip()
            size = widths.get(bare, -1.0)
            if size < 0:
                measured = len(bare) <= _WIDE
                size = fonts.text_width(font, bare) if measured else self._metrics.horizontalAdvance(bare[:4000])
                widths[bare] = size
            if used and used + size > width and starts_picture(text, at):
                self.lines.append((start, at))
                start, used = at, 0.0
            if size > width:
                start, used = self._split(at, at + len(bare), start)
                size = 0.0
            used += size + space * (len(word) - len(bare))
        if start < len(text) or not self.lines:
            self.lines.append((start, len(text)))

    def _split(self, at: int, end: int, start: int) -> tuple[int, float]:
        """Breaks a word that is wider than a line, between what is drawn as one; gives the start and the width of the
        rest.
        """
        text = self.text
        used = 0.0
        while at < end:
            after = min(picture_at(text, at)[1], end)
            size = fonts.text_width(self.font, text[at:after])
            full = used + size > self.width and at > start and starts_picture(text, at)
            # Joined letters are narrower than the same letters one by one.
            if full and fonts.text_width(self.font, text[start:after]) > self.width:
                self.lines.append((start, at))
                start, used = at, 0.0
            used += size
            at = after
        # Measured as a whole, as it will be when more is added to the line.
        return start, fonts.text_width(self.font, text[start:end])


def _before(fragments: Sequence[str], number: int) -> str:
    return "".join(fragments[max(0, number - FAR) : number])[-NEAR:]


def _after(fragments: Sequence[str], number: int) -> str:
    return "".join(fragment[:NEAR] for fragment in fragments[number + 1 : number + 1 + FAR])[:NEAR]
