"""Where rules look: events by flag or by layout, lines by content. Columns are searched in C, never event by event."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain, islice
from typing import Any

from inspector_app.core import flags as F
from inspector_app.core.diagnosis import Report
from inspector_app.core.groups import SHOWN
from inspector_app.core.reading import Reading

BOM = b"\xef\xbb\xbf"
NO_PAYLOAD = F.COMMENT_ONLY | F.NO_DATA | F.EMPTY_DATA
TEXT_KINDS = frozenset({"text.delta", "reasoning.delta", "tool.args"})
"""Deltas that bring a part of the answer's text, thought or arguments."""

Row = tuple[str, int, str]


def flagged(reading: Reading, flag: int, unless: int = 0) -> list[int]:
    """The events that have one of the bits `flag` and none of `unless`."""
    if not reading.raised & flag:
        return []
    groups = reading.events_by_flags()
    return sorted(chain.from_iterable(groups[bits] for bits in groups if bits & flag and not bits & unless))


def layouts_where(reading: Reading, test: Callable[[Row], bool]) -> frozenset[int]:
    """The layouts that have a row which passes: kind, choice, pointer."""
    return frozenset(layout.number for layout in reading.layouts.all if any(map(test, layout.rows)))


def positions(reading: Reading, layouts: Collection[int], start: int = 0) -> Iterator[int]:
    """The events from `start` on that have one of these layouts; in ascending order for each layout."""
    groups = reading.events_by_layout()
    for number in layouts:
        places = groups.get(number, ())
        yield from islice(places, bisect_left(places, start), None)


def first_position(reading: Reading, layouts: Collection[int]) -> int | None:
    """The first event that has one of these layouts."""
    groups = reading.events_by_layout()
    return min((groups[number][0] for number in layouts if number in groups), default=None)


def last_position(reading: Reading, layouts: Collection[int]) -> int | None:
    """The last event that has one of these layouts."""
    groups = reading.events_by_layout()
    return max((groups[number][-1] for number in layouts if number in groups), default=None)


def content(reading: Reading, line: int, most: int = 1 << 62) -> bytes:
    """A line, at most so many bytes of it, without its terminator and the byte-order mark before the first one."""
    start, end, _ = reading.lines[line]
    data = reading.body.slice(start, min(end, start + most))
    return data.removeprefix(BOM) if line == 0 else data


def field(line: bytes) -> tuple[bytes, bytes]:
    """Name and value of an SSE line; one space after the colon is no part of the value."""
    name, _, value = line.partition(b":")
    return name, value.removeprefix(b" ")


def field_line(reading: Reading, n: int, name: bytes) -> tuple[int, int] | None:
    """The byte range of the last line of an event that sets a field."""
    for number in reversed(range(*reading.lines_of(n))):
        if field(content(reading, number, 16))[0] == name:
            return reading.lines[number][:2]
    return None


def report_all(
    report: Report, reading: Reading, offsets: Iterable[tuple[int, int]], count: int, detail: str = "", case: str = ""
) -> None:
    """Report byte ranges, the first of them one by one, and `count` in all; `offsets` may be lazy."""
    left = count
    for number, (start, end) in enumerate(offsets, 1):
        last = number == SHOWN or left == 1
        report(reading.event_at(start) or 0, start=start, end=end, count=left if last else 1, detail=detail, case=case)
        left -= 1
        if last:
            return


def is_plain_text(reading: Reading, n: int) -> bool:
    """Whether the data of an event is text that was never meant as JSON; no dialect that is known sends any."""
    return reading.dialect_module is None and (reading.data(n) or b"").lstrip()[:1] not in (b"{", b"[")


def lone_element(reading: Reading) -> Any:
    """The one element of an array that is the whole body, None where there are more or the array is not closed."""
    alone = reading.framing == "json-array" and len(reading.events) == 1 and reading.marker is not None
    return reading.payload(0) if alone and not reading.events.flags[0] & F.NOT_JSON else None


def media_type(reading: Reading) -> str | None:
    """The media type of the answer in lower case, without parameters; None where no header says one."""
    header = reading.exchange.http.header("content-type") if reading.exchange.http is not None else None
    return header.partition(";")[0].strip().lower() or None if header else None
