"""Reasoning tags inside text: `<think>` and its relatives, found although they are cut over deltas.

Source of the rules: dialects.md 8.1. (a) An open tag counts only as the first text of a message or
after a reasoning or tool block. (b) White space around it, and after its close tag, belongs to the
tag. (c) Another open tag inside reasoning is text of the reasoning.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Literal, NamedTuple

TAGS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<reflection>": "</reflection>",
    "[THINK]": "[/THINK]",
    "<mm:think>": "</mm:think>",
    "<seed:think>": "</seed:think>",
    "◁think▷": "◁/think▷",
    "<|START_THINKING|>": "<|END_THINKING|>",
    "<|channel>": "<channel|>",
}
"""Open tag -> close tag. Letter case is exact."""

_OPENS = {close: tag for tag, close in TAGS.items()}
_LONGEST = max(map(len, TAGS))
CLOSES = tuple(_OPENS)
_OPEN_TAG = re.compile("|".join(map(re.escape, TAGS)))
_ANY_TAG = re.compile("|".join(re.escape(tag) for pair in TAGS.items() for tag in pair))
_SPACE = re.compile(r"\s*")
_BACKTICKS = re.compile("`+")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)

Kind = Literal["text", "reasoning", "tag"]


class Piece(NamedTuple):
    """A part of a delta: characters [start, end) of its text, and what they are.

    `size` is the length of the delta's whole text. `turn` is `open` or `close` on the piece that ends
    an open or a close tag, else empty (white space, the first parts of a cut tag).
    """

    kind: Kind
    delta: int
    start: int
    end: int
    text: str
    size: int
    turn: Literal["", "open", "close"] = ""

    @property
    def whole(self) -> bool:
        """Whether the piece is all that its delta said."""
        return self.end - self.start == self.size


class TagSplitter:
    """Splits the text of one choice, delta by delta, into text, reasoning and tags.

    Nothing is dropped: all pieces together, those of `finish` and `reset` included, cover every
    character once and in order. What may still become a tag is held back. While the splitter is
    `dormant` a caller may skip it.

    `inside`: an open tag waits for its close tag. `dormant`: no tag can come before `reset`.
    `tag`: the last open tag met, empty before. `split_over`: the largest number of deltas that one
    tag was cut over; 1 when all came whole, 0 without tag.
    """

    def __init__(self) -> None:
        self.inside = False
        self.dormant = False
        self.tag = ""
        self.split_over = 0
        self._closed = False
        self._blanks: list[Piece] = []
        self._held: list[Piece] = []

    @property
    def opened(self) -> bool:
        """Whether an open tag came."""
        return bool(self.tag)

    def feed(self, delta: int, text: str) -> list[Piece]:
        """The pieces that are sure once delta number `delta` has said `text`."""
        if not text:
            return []
        size = len(text)
        if self.dormant:
            return [Piece("text", delta, 0, size, text, size)]
        if self.inside and not self._held and TAGS[self.tag][0] not in text:
            return [Piece("reasoning", delta, 0, size, text, size)]
        work = _Work([*self._held, Piece("text", delta, 0, size, text, size)])
        self._held = []
        while work.at < len(work.text):
            if self.inside:
                self._read_reasoning(work)
            else:
                self._read_start(work)
        return work.done

    def finish(self) -> list[Piece]:
        """Releases what is held; for the end of the text, and before another kind of block begins."""
        done: list[Piece] = []
        _give(done, [*self._blanks, *self._held], "reasoning" if self.inside else "text")
        if self._held and not self.inside:
            self.dormant = True
        self._blanks = []
        self._held = []
        return done

    def reset(self) -> list[Piece]:
        """Lets an open tag come again: a reasoning or tool block ended. Returns what `finish` would release.

        A tag that is open stays open: a call in the midst of reasoning closes no tag.
        """
        done = self.finish()
        self.dormant = False
        self._closed = False
        return done

    def _read_reasoning(self, work: _Work) -> None:
        close = TAGS[self.tag]
        found = work.text.find(close, work.at)
        if found < 0:
            work.take("reasoning", len(work.text) - _overlap(work.text, work.at, close))
            self._held = work.cut(len(work.text))
            return
        work.take("reasoning", found)
        self._read_tag(work, close, "close")
        self.inside = False
        self._closed = True

    def _read_start(self, work: _Work) -> None:
        """Reads white space, and what follows it if that decides whether a tag opens."""
        text = work.text
        start = _SPACE.match(text, work.at).end()  # type: ignore[union-attr]
        if self._closed:
            work.take("tag", start)
        else:
            self._blanks += work.cut(start)
        if start == len(text):
            return
        tag = _OPEN_TAG.match(text, start)
        if not tag and len(text) - start < _LONGEST and any(tag.startswith(text[start:]) for tag in TAGS):
            self._held = work.cut(len(text))
            return
        _give(work.done, self._blanks, "tag" if tag else "text")
        self._blanks = []
        if tag:
            self.tag = tag.group()
            self._read_tag(work, self.tag, "open")
            self.inside = True
        else:
            self.dormant = True
            work.take("text", len(text))

    def _read_tag(self, work: _Work, tag: str, turn: Literal["open", "close"]) -> None:
        parts = work.cut(work.at + len(tag))
        parts[-1] = parts[-1]._replace(turn=turn)
        _give(work.done, parts, "tag")
        self.split_over = max(self.split_over, len(parts))


class _Work:
    """Text in hand, as the deltas gave it, and how far it has been given out."""

    def __init__(self, sources: list[Piece]) -> None:
        self.text = "".join(source.text for source in sources)
        self.at = 0
        self.done: list[Piece] = []
        self._sources = sources
        self._index = 0
        self._base = 0

    def cut(self, end: int) -> list[Piece]:
        """The part up to `end`, a piece for each delta."""
        parts = []
        while self.at < end:
            source = self._sources[self._index]
            limit = self._base + len(source.text)
            stop = min(end, limit)
            shift = source.start - self._base
            parts.append(source._replace(start=self.at + shift, end=stop + shift, text=self.text[self.at : stop]))
            self.at = stop
            if stop == limit:
                self._index += 1
                self._base = limit
        return parts

    def take(self, kind: Kind, end: int) -> None:
        """Gives out the part up to `end` as `kind`."""
        _give(self.done, self.cut(end), kind)


def stray_close(text: str) -> int | None:
    """Position of a close tag that no open tag stands before in the text of a choice, None without one.

    Tags in inline code and fences do not count, nor do those behind a matched pair.
    """
    if not any(close in text for close in _OPENS):
        return None
    code = code_ranges(text)
    starts = [start for start, _ in code]
    opened: set[str] = set()
    for found in _ANY_TAG.finditer(text):
        at = found.start()
        before = bisect_right(starts, at) - 1
        if before >= 0 and at < code[before][1]:
            continue
        tag = found.group()
        if tag in TAGS:
            opened.add(tag)
        elif _OPENS[tag] in opened:
            return None
        else:
            return at
    return None


def _overlap(text: str, start: int, tag: str) -> int:
    """Length of the longest end of the text, from `start` on, that begins the tag without being it."""
    return next((size for size in range(min(len(tag) - 1, len(text) - start), 0, -1) if text.endswith(tag[:size])), 0)


def _give(done: list[Piece], parts: list[Piece], kind: Kind) -> None:
    """Appends the parts as `kind`; text that goes on within its delta stays one piece."""
    for part in parts:
        last = done[-1] if done else None
        if last and kind != "tag" and last.kind == kind and last.delta == part.delta:
            done[-1] = last._replace(end=part.end, text=last.text + part.text)
        else:
            done.append(part._replace(kind=kind))


def code_ranges(text: str) -> list[tuple[int, int]]:
    """Where Markdown shows text as code, in order: fences, and inline code within a paragraph."""
    ranges: list[tuple[int, int]] = []
    at = 0
    fence: re.Match[str] | None = None
    for line in _FENCE.finditer(text):
        if fence is None:
            if "`" not in line[2] or line[1][0] == "~":
                ranges += _inline_ranges(text, at, line.start())
                fence = line
        elif line[1].startswith(fence[1]) and not line[2].strip():
            ranges.append((fence.start(), line.end()))
            at = line.end()
            fence = None
    if fence is not None:
        ranges.append((fence.start(), len(text)))
    else:
        ranges += _inline_ranges(text, at, len(text))
    return ranges


def _inline_ranges(text: str, start: int, end: int) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    borders = [*(blank.start() for blank in _BLANK_LINE.finditer(text, start, end)), end]
    for border in borders:
        runs = [run.span() for run in _BACKTICKS.finditer(text, start, border)]
        nexts: dict[int, list[int]] = {}
        for index in reversed(range(len(runs))):
            nexts.setdefault(runs[index][1] - runs[index][0], []).append(index)
        index = 0
        while index < len(runs):
            first = runs[index]
            same = nexts[first[1] - first[0]]
            while same and same[-1] <= index:
                same.pop()
            if same:
                index = same[-1]
                ranges.append((first[0], runs[index][1]))
            index += 1
        start = border
    return ranges
