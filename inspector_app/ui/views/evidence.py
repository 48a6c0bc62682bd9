"""What is to be said about the bytes of one event: which became a delta, who did not read them, what closed a block."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from inspector_app.core import flags as F
from inspector_app.core.pointer import Span
from inspector_app.core.reading import Reading
from inspector_app.core.types import Block, Delta, Finding
from inspector_app.ui.find.marks import Marks
from inspector_app.ui.gaps import Gaps
from inspector_app.ui.session import Session
from inspector_app.ui.views.block_index import BlockIndex
from inspector_app.ui.views.payload_map import Payload
from inspector_app.ui.views.sides import Side
from inspector_app.ui.views.words import kind_of

NARROW = 80
"""A finding that points at more bytes than this is not underlined: it speaks of a part, not of characters."""
TAIL = 48
"""Bytes at a torn end among which the last key or value is looked for."""
RARE = 1000
OFTEN = 3
"""A note that is made more often than this is marked where it was made first, so that it does not fill the gutter."""
SEVERITIES = ("error", "warning", "info")
MUTED = "muted"
CHIPS = {
    "file-record-damaged": ("damaged record", "error"), "body-utf8-split-read": ("character split by reads", "info"),
}  # fmt: skip
"""Rule -> what stands as a chip in the line, and its meaning: what was found there has no characters of its own."""


class Range(NamedTuple):
    """Bytes [start, end) of the body and what they are: "value", "key", "cut", "unread" or a severity."""

    start: int
    end: int
    what: str
    meaning: str = ""
    pointer: str | None = None
    delta: int | None = None
    """Which of the event's deltas this is."""


@dataclass(slots=True)
class Evidence:
    """All that is known about one event. `unread`: why a chosen reader got nothing of it; `readers`: which ones."""

    event: int
    deltas: list[Delta] = field(default_factory=list)
    ranges: list[Range] = field(default_factory=list)
    unread: str | None = None
    readers: tuple[str, ...] = ()
    no_space: bool = False
    skipped: frozenset[int] = frozenset()
    """Places of the deltas that a chosen reader does not read."""
    marks: dict[int, tuple[str, str]] = field(default_factory=dict)
    """Line -> (glyph, meaning) of the worst that was found in it; the meaning of a muted rule is MUTED."""
    chips: list[tuple[str, str]] = field(default_factory=list)
    """Words and meaning of what stands behind the first line."""
    told: dict[int, list[str]] = field(default_factory=dict)
    """Line -> the rules and causes behind its mark, worst first."""
    values: dict[int, tuple[str, bool]] = field(default_factory=dict)
    """Place of a delta -> its value as `value_of` words it, once it was painted: it may be a megabyte of JSON."""


class Evidences:
    """Works out the evidence of events as they are looked at; `forget` when readings or findings have changed."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.sides: list[Side] = []
        """The chosen readings, left first."""
        self.found = Marks()
        """What was looked for and found."""
        self.gaps: Gaps | None = None
        """What calls lack; None before there is a reading."""
        self._rare: dict[int, list[Finding]] = {}
        self._wide: list[Finding] = []
        self._findings: object = None
        self.of = lru_cache(maxsize=512)(self._of)

    def forget(self) -> None:
        """What the session shows has changed."""
        self.of.cache_clear()
        self.extend()

    def extend(self) -> bool:
        """More was read. What is known of complete events stays as it is, unless it is another exchange (then True)."""
        session, reference = self._session, self._session.reference
        chosen = [reading for reading in (session.left, session.right) if reading is not None]
        if reference is None:
            self.sides = []
            return False
        other = any(side.reference is not reference for side in self.sides)
        if other:
            self.of.cache_clear()
        kept = {id(side.reading): side for side in self.sides if side.reference is reference}
        self.sides = [kept.get(id(reading)) or Side(reading, reference) for reading in chosen]
        for side in self.sides:
            self.index_of(side).extend()
        if self._findings is not reference.findings:
            self._findings = reference.findings
            self._sort_findings(reference.findings)
            self.gaps = Gaps(reference)
        return other

    def lacks(self, side: Side, block: Block) -> tuple[str, ...]:
        """The fields of a call that are missing in a chosen reading."""
        return self.gaps.of(side.reading, block) if self.gaps is not None else ()

    def index_of(self, side: Side) -> BlockIndex:
        """Where the blocks of a chosen reading lie."""
        return self._session.index_of(side.reading)

    def _sort_findings(self, findings: list[Finding]) -> None:
        self._rare, self._wide = {}, []
        for finding in findings:
            if len(finding.events) > RARE:
                self._wide.append(finding)
                continue
            for event in finding.events:
                self._rare.setdefault(event, []).append(finding)

    def _of(self, event: int) -> Evidence:
        reference = self._session.reference
        assert reference is not None
        out = Evidence(event, reference.deltas(event))
        flaws: dict[int, list[tuple[int, str, str, str]]] = {}
        findings = [*self._rare.get(event, ()), *(finding for finding in self._wide if _holds(finding, event))]
        cuts = self._cuts(event)
        wanted = {pointer for delta in out.deltas for pointer in _pointers(delta)}
        wanted |= {finding.pointer for finding in findings if finding.pointer} | set(cuts)
        found = locate_all(reference, event, wanted - {""})
        self._unread(out, flaws, reference)
        for place, delta in enumerate(out.deltas):
            out.ranges += _delta_ranges(delta, place, found, place in out.skipped)
            if not delta.pointer and delta.kind != "noop" and isinstance(delta.value, str) and delta.value:
                out.ranges += _whole_ranges(reference, event, delta, place, place in out.skipped)
        for pointer, cause in cuts.items():
            if pointer in found:
                span = found[pointer]
                out.ranges.append(Range(_first(span), span.end, "cut", "error", pointer))
                flaws.setdefault(reference.lines.at(span.start), []).append((0, "scissors", "error", cause))
        for finding in findings:
            self._finding(out, flaws, reference, finding, found)
        out.ranges += _torn_end(reference, event)
        for line, list_ in flaws.items():
            list_.sort(key=lambda flaw: flaw[0])
            out.marks[line] = list_[0][1:3]
            out.told[line] = list(dict.fromkeys(flaw[3] for flaw in list_))
        return out

    def of_body(self) -> Evidence:
        """What findings say of the lines of a body that has no events."""
        reference = self._session.reference
        assert reference is not None
        out = Evidence(0)
        for finding in reversed(reference.findings):
            for place in finding.places:
                line = reference.lines.at(place.start)
                out.marks[line] = (finding.severity, finding.severity)
                out.told.setdefault(line, []).insert(0, finding.rule)
                if place.end - place.start <= NARROW and finding.severity != "info":
                    out.ranges.append(Range(place.start, place.end, finding.severity, finding.severity))
        return out

    def _unread(self, out: Evidence, flaws: dict, reference: Reading) -> None:
        skipped: set[int] = set()
        readers: list[str] = []
        for side in self.sides:
            if side.reading is reference:
                continue
            why = side.unread(out.event)
            out.unread = out.unread or why
            missed = {place for place, delta in enumerate(out.deltas) if not side.reads(out.event, place, delta.kind)}
            skipped |= missed
            if missed or why is not None:
                readers.append(self._session.short_title_of(side.reading.reader))
            if why is not None and side.reading.rules.space_required:
                out.no_space = out.no_space or _without_space(reference, out.event)
        out.skipped, out.readers = frozenset(skipped), tuple(readers)
        if readers:
            cause = f"not read by {' and '.join(readers)}" + (f": {out.unread}" if out.unread else "")
            flaws.setdefault(_speaking_line(reference, out.event), []).append((1, "unread", "unread", cause))

    def _cuts(self, event: int) -> dict[str, str]:
        """Pointers of the empty fields at which a chosen reader closed a block here, with the cause in words."""
        cuts: dict[str, str] = {}
        for side in self.sides:
            own = side.own_event(event)
            if own is None:
                continue
            for block in self.index_of(side).closed_at(own):
                pointer = _closing_pointer(side.reading, own, block)
                if pointer is not None:
                    reader = self._session.short_title_of(side.reading.reader)
                    cuts[pointer] = f"{block.fields['closed_on']} ends a block for {reader}"
        return cuts

    def _finding(
        self, out: Evidence, flaws: dict, reference: Reading, finding: Finding, found: dict[str, Span]
    ) -> None:
        first, last = reference.bytes_of(out.event)
        place = next((place for place in finding.places if place.event == out.event), None)
        start, end = (place.start, place.end) if place is not None else (first, last)
        if place is None and finding.pointer in found:
            start, end = _first(found[finding.pointer]), found[finding.pointer].end
        whole = (start, end) == (first, last) or not first <= start < last
        line = _speaking_line(reference, out.event) if whole else reference.lines.at(start)
        if finding.severity == "info" and finding.count > OFTEN and out.event != finding.events[0]:
            return
        if finding.rule in self._session.mutes:
            last_of_all = 2 * len(SEVERITIES)
            flaws.setdefault(line, []).append((last_of_all, finding.severity, MUTED, f"{finding.rule} (muted)"))
            return
        if finding.rule in CHIPS and place is not None:
            words, meaning = CHIPS[finding.rule]
            out.chips.append((f"{words} before this" if start == end == first else words, meaning))
        rank = 2 * SEVERITIES.index(finding.severity)
        flaws.setdefault(line, []).append((rank, finding.severity, finding.severity, finding.rule))
        if not whole and end - start <= NARROW and (finding.severity != "info" or finding.rule in CHIPS):
            out.ranges.append(Range(start, end, finding.severity, finding.severity, finding.pointer))


def _torn_end(reading: Reading, event: int) -> list[Range]:
    """The last bytes of an event that the end of the data cut in two, from the last key or value on."""
    flags = reading.events.flags[event]
    if not (flags & F.DANGLING and flags & (F.CUT | F.NOT_JSON)):
        return []
    line = reading.lines[reading.lines_of(event)[1] - 1]
    begin = max(line.start, line.end - TAIL)
    tail = reading.body.slice(begin, line.end)
    at = max(tail.rfind(b","), tail.rfind(b"{")) + 1
    return [Range(begin + at, line.end, "error", "error")] if begin + at < line.end else []


def locate_all(reading: Reading, event: int, pointers: set[str]) -> dict[str, Span]:
    """Where these pointers lead, in offsets of the body; like `Reading.spans` for many at once, key and value apart."""
    return reading.located(event, frozenset(pointers))


def _first(span: Span) -> int:
    return span.start if span.key_start < 0 else span.key_start


def _holds(finding: Finding, event: int) -> bool:
    at = bisect_left(finding.events, event)
    return at < len(finding.events) and finding.events[at] == event


def _field_pointer(delta: Delta) -> str | None:
    """The field of the delta that its value lies in, where that is not the value itself: `reasoning_details`."""
    field = (delta.extra or {}).get("field")
    before, found, after = delta.pointer.partition(f"/{field}/") if field else ("", "", "")
    return f"{before}/{field}" if found and after else None


def _pointers(delta: Delta) -> list[str]:
    """Where the values of a delta stand: a call that starts has an id and a name."""
    element, outer = (delta.extra or {}).get("element"), _field_pointer(delta)
    if outer is not None:
        return [delta.pointer, outer]
    if delta.kind == "tool.start" and element:
        return [delta.pointer, *(f"{element}{part}" for part in ("/id", "/function/name", "/name"))]
    return [delta.pointer]


def _delta_ranges(delta: Delta, place: int, found: dict[str, Span], unread: bool) -> list[Range]:
    meaning = kind_of(delta).meaning
    ranges = []
    outer = _field_pointer(delta)
    for pointer in dict.fromkeys(_pointers(delta)):
        span = found.get(pointer)
        if span is None:
            continue
        if pointer == outer:
            if unread:
                ranges.append(Range(span.key_start, span.key_end, "unread", "unread", pointer, place))
        elif unread:
            ranges.append(Range(_first(span), span.end, "unread", "unread", pointer, place))
        elif span.end - span.start > 2 and delta.kind != "noop":
            if span.key_start >= 0 and meaning:
                ranges.append(Range(span.key_start, span.start, "key", "", pointer, place))
            ranges.append(Range(span.start, span.end, "value", meaning, pointer, place))
    return ranges


def _whole_ranges(reading: Reading, event: int, delta: Delta, place: int, unread: bool) -> Iterator[Range]:
    """The lines of a payload that is the value of a delta: plain text, or a string of JSON."""
    what, meaning = ("unread", "unread") if unread else ("value", kind_of(delta).meaning)
    for start, end in Payload(reading, event).whole():
        yield Range(start, end, what, meaning, delta.pointer, place)


def _closing_pointer(reading: Reading, event: int, block: Block) -> str | None:
    name = block.fields["closed_on"].partition(":")[0]
    for delta in reading.decode(event):
        if delta.choice == block.choice and delta.pointer.rpartition("/")[2] == name:
            return delta.pointer
    return None


def _without_space(reading: Reading, event: int) -> bool:
    first, last = reading.lines_of(event)
    starts = (reading.body.slice(reading.lines[n].start, reading.lines[n].start + 6) for n in range(first, last))
    return any(start[:5] == b"data:" and start[5:] != b" " for start in starts)


def _speaking_line(reading: Reading, event: int) -> int:
    """The first line of an event that is not blank."""
    first, last = reading.lines_of(event)
    for number in range(first, last):
        line = reading.lines[number]
        if line.end > line.start:
            return number
    return first
