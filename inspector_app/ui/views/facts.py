"""What the pages Event, Read and HTTP of the detail pane say. Credentials are masked, whatever the file held."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import Any

from inspector_app.core.reading import Reading
from inspector_app.core.redact import redact_headers, redact_request, redact_text
from inspector_app.core.text import duration, number
from inspector_app.core.types import NO_TIME, Exchange
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.views.frame_text import frame_facts
from inspector_app.ui.views.sheet import SHOWN, Fact
from inspector_app.ui.views.sides import why_unread

LINES = 2000
EVENTS = 500
"""Lines of an event and events of a read that are listed."""
FLAG_WORDS = {"dangling": "dangling (no blank line ends it)"}
"""Flags that nobody knows without words."""

LINE_ENDS = {
    b"": "no line end", b"\n": "LF", b"\r": "CR", b"\r\n": "CRLF",
}  # fmt: skip


def event_facts(session: Session, n: int) -> list[Fact]:
    """Everything the framing knows about an event, then its lines."""
    reading = session.reference
    assert reading is not None
    event = reading.event(n)
    found = [
        Fact(f"Event {number(n)}", style="head"),
        Fact("bytes", f"{number(event.start)} – {number(event.end)}", f"{_bytes(event.end - event.start)}"),
        *_time_facts(reading, n),
    ]
    if reading.framing == "sse":
        given = "" if n in reading.events.names else "the default"
        found.append(Fact("event name", event.name or "message", given, "wire"))
        found.append(Fact("last event id", event.id, "", "wire") if event.id else Fact("last event id", "none"))
        found.append(Fact("retry", "none" if event.retry is None else f"{number(event.retry)} ms"))
    if reading.framing == "aws-eventstream":
        found.append(Fact("event name", event.name, "", "wire") if event.name else Fact("event name", "none"))
    found.append(Fact("dispatched", "yes" if event.dispatched else "no: a strict client never sees this event"))
    for side in (session.left, session.right):
        own = _own_event(reading, side, n) if side is not None else None
        why = why_unread(side, own) if side is not None and own is not None else None
        if side is not None and why is not None:
            found.append(Fact(f"{session.short_title_of(side.reader)}", f"does not read it: {why}"))
    if event.flags:
        found.append(Fact("flags", ", ".join(FLAG_WORDS.get(flag, flag) for flag in event.flags)))
    if n in reading.payload_faults:
        found.append(Fact("payload", reading.payload_faults[n]))
    if reading.framing == "aws-eventstream":
        return [*found, *frame_facts(reading, n)]
    first, last = event.lines
    found.append(Fact("Lines", note=f"{number(last - first)}", style="head"))
    found += [_line_fact(reading, n, line_number) for line_number in range(first, min(last, first + LINES))]
    if last - first > LINES:
        found.append(Fact(f"{number(last - first - LINES)} more lines: see the raw lines"))
    return found


def _own_event(reference: Reading, side: Reading, n: int) -> int | None:
    """The event of another reading that holds the first byte of the reference's event n."""
    return side.event_at(reference.bytes_of(n)[0]) if len(side.events) else None


def _line_fact(reading: Reading, n: int, line_number: int) -> Fact:
    line = reading.lines[line_number]
    note = f"{LINE_ENDS.get(line.eol, 'another line end')} · {_bytes(line.end - line.start)}"
    text = reading.body.slice(line.start, min(line.end, line.start + 2 * SHOWN)).decode("utf-8", "replace")
    leads = Selection(n, line=line_number, start=line.start, end=line.end + len(line.eol))
    return Fact(f"line {number(line_number)}", text, note, "wire", leads, _bytes_as_text(reading, line.start, line.end))


def _bytes_as_text(reading: Reading, start: int, end: int) -> Callable[[], str]:
    return lambda: reading.body.slice(start, end).decode("utf-8", "replace")


def _time_facts(reading: Reading, n: int) -> Iterator[Fact]:
    time = reading.time_of(n)
    if time is None:
        yield Fact("arrived", "no time was measured", "order only")
        return
    before = reading.time_of(n - 1) if n else None
    gap = f"{duration(time - before)} after the event before" if before is not None else ""
    yield Fact("arrived", f"{duration(time)} after the request", gap)


def read_facts(session: Session, n: int) -> list[Fact]:
    """The read that completed an event; nothing where reads were not recorded."""
    reading = session.reference
    assert reading is not None
    exchange, read = reading.exchange, reading.read_of(n)
    ends, times = exchange.read_ends, exchange.read_times
    if read is None or ends is None:
        return []
    start, end = ends[read - 1] if read else 0, ends[read]
    found = [
        Fact(f"Read {number(read)}", note=f"of {number(len(ends))}", style="head"),
        Fact("bytes", f"{number(start)} – {number(end)}", _bytes(end - start)),
    ]
    time = times[read] if times is not None else NO_TIME
    if time == NO_TIME:
        found.append(Fact("arrived", "no time was measured", "order only"))
    else:
        found.append(Fact("arrived", f"{duration(time)} after the request"))
        before = times[read - 1] if times is not None and read else NO_TIME
        if before != NO_TIME:
            found.append(Fact("gap", f"{duration(time - before)} after the read before"))
    events = range(len(reading.events))
    first = bisect_left(events, read, key=lambda event: reading.read_of(event) or 0)
    last = bisect_right(events, read, key=lambda event: reading.read_of(event) or 0)
    found.append(Fact("Events completed by it", note=number(last - first), style="head"))
    found += [_event_fact(reading, event) for event in range(first, min(last, first + EVENTS))]
    if last - first > EVENTS:
        found.append(Fact(f"{number(last - first - EVENTS)} more events"))
    cut = reading.event_at(end - 1) if end > start else None
    if cut is not None and cut >= last:
        found.append(Fact("", f"It ends inside event {number(cut)}.", leads=Selection(cut)))
    return found


def _event_fact(reading: Reading, n: int) -> Fact:
    start, end = reading.bytes_of(n)
    line = reading.lines[reading.lines_of(n)[0]]
    text = reading.body.slice(line.start, min(line.end, line.start + 2 * SHOWN)).decode("utf-8", "replace")
    leads = Selection(n)
    return Fact(f"event {number(n)}", text, _bytes(end - start), "wire", leads, _bytes_as_text(reading, start, end))


def request_facts(exchange: Exchange) -> list[Fact]:
    """The request and the head of the answer, as far as they are known."""
    found: list[Fact] = []
    if exchange.request is not None:
        request, masked = redact_request(exchange.request)
        line = " ".join(str(request[key]) for key in ("method", "url") if request.get(key))
        found.append(Fact("Request", note=f"masked: {', '.join(masked)}" if masked else "", style="head"))
        found += [Fact("", line, "", "wire")] if line else []
        found += [Fact(str(name), str(value), "", "wire") for name, value in request.get("headers") or ()]
        if request.get("body") is not None:
            found.append(Fact("Request body", style="head"))
            found += [Fact("", text, "", "wire", None, _same(text)) for text in _pretty(_masked(request["body"]))]
    http = exchange.http
    if http is not None:
        headers, masked = redact_headers(http.headers)
        found.append(Fact("Response", note=f"masked: {', '.join(masked)}" if masked else "", style="head"))
        arrived = "" if exchange.head_time is None else f"{duration(exchange.head_time)} after the request"
        found.append(Fact("", f"{http.version} {http.status}", arrived, "wire"))
        found += [Fact(name, value, "", "wire") for name, value in headers]
    if exchange.coding:
        found.append(Fact("content coding", exchange.coding, "undone"))
    if exchange.end:
        arrived = "" if exchange.end_time is None else f"{duration(exchange.end_time)} after the request"
        found.append(Fact("End of the answer", note=arrived, style="head"))
        end = _masked({**exchange.end, "trailers": redact_headers(exchange.end.get("trailers") or [])[0]})
        if "closed_by" in end:
            end["closed_by"] = end["closed_by"] or "not known"
        told = ((key.replace("_", " "), value) for key, value in end.items())
        found += [Fact(key, _words(value), "", "wire") for key, value in told if value not in (None, [], "")]
    return found


def _masked(value: Any) -> Any:
    """A value with the keys in its texts masked."""
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, dict):
        return {name: _masked(member) for name, member in value.items()}
    return [_masked(member) for member in value] if isinstance(value, list) else value


def _pretty(body: Any) -> list[str]:
    if isinstance(body, str):
        return body.split("\n")
    return json.dumps(body, indent=2, ensure_ascii=False, default=str).split("\n")


def _same(text: str) -> Callable[[], str]:
    return lambda: text


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _bytes(count: int) -> str:
    return f"{number(count)} byte{'' if count == 1 else 's'}"
