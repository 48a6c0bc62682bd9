"""The first bytes of a recording as its readers had them: readings that were fed so far and not told of an end."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import Kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Body, Exchange
from inspector_app.core.wrapped import stream_name
from inspector_app.lenses import LITERAL, REFERENCE, Lens, literal
from inspector_app.lenses.run import analysis_of
from inspector_app.ui.live.rows import LiveRows, open_line, tail_of
from inspector_app.ui.playback.course import Course
from inspector_app.ui.playback.known import known_findings
from inspector_app.ui.views.block_index import BlockIndex

PIECE = 1 << 13
"""Bytes that all readers are given between two rests: some milliseconds."""


class Prefix:
    """The first `size` bytes of a body."""

    def __init__(self, whole: Body) -> None:
        self._whole, self.size = whole, 0

    def __len__(self) -> int:
        return self.size

    def slice(self, start: int, end: int) -> bytes:
        """The bytes of [start, end) as far as they have come."""
        return self._whole.slice(start, min(end, self.size)) if start < self.size else b""


class Part:
    """Grows by `advance`, never shrinks: to go back a new one is fed from the start. `readings` holds the reference and
    the chosen readers, by name.
    """

    def __init__(
        self, course: Course, names: Sequence[str], kit: Kit, lenses: Mapping[str, Lens], how: Mapping[str, Any]
    ) -> None:
        self.course, self._kit = course, kit
        whole = course.reading.exchange
        self._body = Prefix(whole.body)
        timed = whole.read_times is not None
        self.exchange: Exchange = replace(
            whole,
            body=self._body,
            read_ends=array("q") if whole.read_ends is not None else None,
            read_times=array("q") if timed else None,
            http=None,
            head_time=None,
            end=None,
            end_time=None,
            faults=[],
        )
        self._analyses = {name: self._analysis(name, lenses, how) for name in dict.fromkeys((REFERENCE, *names))}
        self.readings: dict[str, Reading] = {name: analysis.reading for name, analysis in self._analyses.items()}
        self.reference = self.readings[REFERENCE]
        self.indexes = {id(reading): BlockIndex(reading) for reading in self.readings.values()}
        self.rows = LiveRows()
        self._reads = 0
        """Reads that have come whole."""
        self._open_lines = dict.fromkeys(self.readings, (-1, 0))

    def _analysis(self, name: str, lenses: Mapping[str, Lens], how: Mapping[str, Any]) -> Analysis:
        if name == REFERENCE:
            return analysis_of(self.exchange, self._kit, **how)
        whole = self.course.reading
        lens = literal(whole) if name == LITERAL else lenses[name]
        # What a client does at an event stands in the findings of the whole, but it does it only there.
        return analysis_of(self.exchange, self._kit, lens, whole, **how)

    @property
    def offset(self) -> int:
        """How many bytes have come."""
        return self._body.size

    def advance(self, offset: int) -> Iterator[None]:
        """Feed what comes up to `offset`, with a rest after each piece; usable at each of them."""
        while self.offset < offset:
            start, end = self.offset, min(self.offset + PIECE, offset)
            self._take(end)
            data = self._body.slice(start, end)
            for name, analysis in self._analyses.items():
                # Until all of it is read nobody knows which line is the first of the next event.
                reading = analysis.reading
                reading.open_line = None
                analysis.feed(data)
                self._open_lines[name] = open_line(reading, self._open_lines[name])
                reading.open_line = self._open_lines[name][1]
            self.rows.extend(self.reference)
            for reading in self.readings.values():
                yield from self.indexes[id(reading)].in_steps()
            yield

    def _take(self, end: int) -> None:
        """Bytes up to `end` have come, and with them whole reads; the last one may have come in part."""
        self._body.size = end
        whole, ends, times = self.course.reading.exchange, self.exchange.read_ends, self.exchange.read_times
        if ends is None or whole.read_ends is None:
            return
        first = self._reads
        while self._reads < len(whole.read_ends) and whole.read_ends[self._reads] <= end:
            self._reads += 1
        begun = self._reads < len(whole.read_ends) and (whole.read_ends[self._reads - 1] if self._reads else 0) < end
        upto = self._reads + begun
        del ends[first:]
        ends.extend(min(ends_at, end) for ends_at in whole.read_ends[first:upto])
        if times is not None and whole.read_times is not None:
            del times[first:]
            times.extend(whole.read_times[first:upto])

    def settle(self, moment: int, wait: int) -> bool:
        """Say what is known at `moment`, `wait` ns after the last byte; whether other findings are known now."""
        whole, reference = self.course.reading.exchange, self.reference
        if self.offset or moment >= (whole.head_time or 0):
            self.exchange.http, self.exchange.head_time = whole.http, whole.head_time
        for analysis in self._analyses.values():
            reading = analysis.reading
            name = analysis.statements.name()
            reading.dialect = stream_name(reading, name) if name is not None else "none"
            reading.dialect_module = self._kit.dialects.get(name or "")
        reads = len(self.exchange.read_ends or ())
        self.rows.tail = tail_of(reference, self.offset, reads, wait) if self.offset else None
        known = known_findings(self.course.reading, reference, self._kit.rules)
        changed = known != reference.findings
        if changed:
            reference.findings = known
        return changed
