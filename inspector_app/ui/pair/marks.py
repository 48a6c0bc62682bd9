"""What differs, as the lines and blocks of one recording show it: tinted, underlined, or filled like what is found."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Any

from inspector_app.core import flags as F
from inspector_app.core.pointer import escape, flatten
from inspector_app.core.reading import Reading
from inspector_app.core.search_places import place_of
from inspector_app.core.types import Finding
from inspector_app.lenses import REFERENCE
from inspector_app.report.outline import type_of
from inspector_app.report.survey import comment_fact
from inspector_app.ui.find.marks import Found, Marks
from inspector_app.ui.pair.outcome import CLIENTS, CONTENT, FRAMING, SHAPE, Marked
from inspector_app.ui.session import Session
from inspector_app.ui.views.evidence import Evidence, Evidences, Range, locate_all

HEAD = 80
"""Bytes of a line that tell its field."""
LAYER_MARKS = {
    CLIENTS: ("unread", "error"), FRAMING: ("return", "info"), SHAPE: ("brackets", "warning"),
    CONTENT: ("swap", "error"),
}  # fmt: skip
"""Layer -> its glyph and its meaning, in the list and beside the lines."""
FLAGGED = {
    "no blank line after the last event": F.DANGLING,
    "invalid UTF-8": F.INVALID_UTF8,
}  # fmt: skip
"""Facts of a survey that are flags of events."""
_SPACED = re.compile(rb"[{\[,:]\s+(?=[\"{\[\d\-tfn])")
MOST_NODES = 5000
"""Values of one payload that are looked through."""


class ContentMarks(Marks):
    """The characters that the other recording has not; nothing is worked out before somebody looks."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._content: dict[int, list[tuple[int, int]]] = {}
        self._edges = lru_cache(maxsize=64)(self._edges_of)

    def take(self, content: dict[int, list[tuple[int, int]]]) -> None:
        """Replaces what differs: block -> characters."""
        self._content = content
        self._edges.cache_clear()

    def in_bytes(self, start: int, end: int, most: int = 100) -> list[Found]:
        reading = self._session.reference
        if not self._content or reading is None or not len(reading.events):
            return []
        event = reading.event_at(start)
        found = [] if event is None else self.in_event(event)
        return [Found(max(a, start), min(b, end), False) for a, b in found if a < end and b > start][:most]

    def in_event(self, event: int) -> list[tuple[int, int]]:
        """The bytes of an event that stand for characters which differ."""
        reading = self._session.reference
        if reading is None or not self._content:
            return []
        found = []
        for delta in range(*reading.deltas_of(event)):
            number = reading.delta_blocks[delta]
            if number < 0 or number not in self._content:
                continue
            block = reading.blocks[number]
            at = bisect_right(block.deltas, delta) - 1
            if at < 0 or block.deltas[at] != delta or at >= len(block.fragments):
                continue
            for one in self.in_fragment(REFERENCE, number, at):
                place = place_of(reading, block, at, block.fragments[at], one.start, one.end)
                if place is not None:
                    found.append((place.start, place.end))
        return sorted(found)

    def in_fragment(self, reader: str, block: int, fragment: int) -> list[Found]:
        edges = self._edges(block)
        if fragment + 1 >= len(edges):
            return []
        left, right = edges[fragment], edges[fragment + 1]
        ranges = self._content.get(block, ())
        return [Found(max(a, left) - left, min(b, right) - left, False) for a, b in ranges if a < right and b > left]

    def any_in_block(self, reader: str, block: int) -> bool:
        return block in self._content

    def _edges_of(self, block: int) -> list[int]:
        reading = self._session.reference
        if reading is None or block not in self._content or reading.blocks[block].override is not None:
            return []
        return [0, *accumulate(map(len, reading.blocks[block].fragments))]


class PairEvidences(Evidences):
    """The evidence of one recording, with what differs instead of what was found in it."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.marked = Marked()
        self.found: ContentMarks = ContentMarks(session)

    def take(self, marked: Marked) -> None:
        """Replaces what differs."""
        self.marked = marked
        self.found.take(marked.content)
        self.forget()

    def _sort_findings(self, findings: list[Finding]) -> None:
        """Findings are the matter of the page of each recording."""

    def _of(self, event: int) -> Evidence:
        out = super()._of(event)
        reading = self._session.reference
        assert reading is not None
        told: list[tuple[int, str, str]] = []
        told += [(reading.lines.at(start), CONTENT, "other words") for start, _ in self.found.in_event(event)]
        paths = self.marked.paths | self.marked.first_paths.get(event, frozenset())
        objects = self.marked.objects
        types = self.marked.types
        wanted = dict(_pointers(reading.payload(event), paths, objects, types)) if paths or objects else {}
        for pointer, span in locate_all(reading, event, set(wanted) - {""}).items():
            start = span.start if span.key_start < 0 else span.key_start
            out.ranges.append(Range(start, span.end, "warning", "warning", pointer))
            told.append((reading.lines.at(start), SHAPE, wanted[pointer]))
        for line in range(*reading.lines_of(event)):
            fact, start, end = self._framing(reading, event, line)
            if fact:
                told.append((line, FRAMING, fact))
                if end > start:
                    out.ranges.append(Range(start, end, "value", "info"))
        for line, layer, words in told:
            said = out.told.setdefault(line, [])
            if f"{layer}: {words}" not in said:
                said.append(f"{layer}: {words}")
            out.marks.setdefault(line, LAYER_MARKS[layer])
        return out

    def _framing(self, reading: Reading, event: int, line: int) -> tuple[str, int, int]:
        """What of the framing a line shows that the other recording has otherwise, and the bytes that do."""
        differs, (start, end, _) = self.marked.framing, reading.lines[line]
        if not differs:
            return "", start, start
        first, last = reading.lines_of(event)
        flags = reading.events.flags[event]
        name, colon, value = reading.body.slice(start, min(end, start + HEAD)).partition(b":")
        name = name.removeprefix(b"\xef\xbb\xbf") if line == 0 else name
        after = start + len(name) + 1
        known = reading.framing == "sse" and end > start
        if known and colon and not name:
            said = comment_fact((b":" + value).decode("utf-8", "replace"))
            return next(((fact, start, end) for fact in ("comments", said) if fact in differs), ("", start, start))
        if known and name == b"event" and "event lines" in differs:
            return "event lines", start, end
        if known and name == b"event" and (said := "event: " + _word(value)) in differs:
            return said, start, end
        if known and name in (b"id", b"retry") and f"{name.decode()} lines" in differs:
            return f"{name.decode()} lines", start, end
        if known and name == b"data" and not value.startswith(b" ") and "space after the colon" in differs:
            return "space after the colon", start, after
        if known and name == b"data" and "several data lines in an event" in differs and line > first:
            before = reading.lines[line - 1]
            if reading.body.slice(before.start, min(before.end, before.start + 5)) == b"data:":
                return "several data lines in an event", start, after
        if known and name == b"data" and "spaces in the JSON" in differs and (blank := _SPACED.search(value)):
            return "spaces in the JSON", after + blank.start(), after + blank.end()
        if line == 0 and flags & F.BOM and "byte order mark" in differs:
            return "byte order mark", start, min(end, start + 3)
        if reading.lines.eols[line] in self.marked.ends and "line ends" in differs:
            return "line ends", start, start  # The bytes that differ are no characters of the line.
        for fact, bit in FLAGGED.items():
            if flags & bit and fact in differs and line == last - 1:
                return fact, start, end
        return "", start, start


def _word(value: bytes) -> str:
    return value.decode("utf-8", "replace").removeprefix(" ")


def _pointers(
    value: Any, paths: frozenset[str], objects: frozenset[str], types: Mapping[str, frozenset[str]]
) -> Iterator[tuple[str, str]]:
    """JSON Pointer and ledger path of the values and objects of a payload whose path is one of these, and whose type is
    one of those that are given for the path.
    """
    waiting: list[tuple[str, str, Any]] = [("", "", value)]
    seen = 0
    while waiting and seen < MOST_NODES:
        pointer, path, item = waiting.pop()
        seen += 1
        if path in objects:
            yield pointer, path
        if item and isinstance(item, dict):
            for key, below in item.items():
                # `flatten` knows how a key is written in a path.
                step, _ = next(flatten({key: None}))
                joint = "." if path and not step.startswith("[") else ""
                waiting.append((f"{pointer}/{escape(key)}", f"{path}{joint}{step}", below))
        elif item and isinstance(item, list):
            waiting += [(f"{pointer}/{at}", path + "[]", below) for at, below in enumerate(item)]
        elif path in paths and (path not in types or type_of(item) in types[path]):
            yield pointer, path
