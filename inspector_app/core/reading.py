"""What one reader made of one exchange: the tables, the blocks, the findings, and the links between them."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import ModuleType
from typing import Any

from inspector_app.core import flags as F
from inspector_app.core.json_text import parse
from inspector_app.core.pointer import Span, locate, spans
from inspector_app.core.rules import ReadingRules
from inspector_app.core.store import Events, Layouts, Lines, RowCounts
from inspector_app.core.types import NO_TIME, Block, Body, Delta, Event, Exchange, Finding
from inspector_app.core.wrapped import Stretch, open_payload

GROUPED = 100_000
"""Events that are put to their layouts, or whose rows are counted, between two rests."""


class Reading:
    """Grows while its analysis is fed; everything in it is append-only until the end of the data.

    Any two views link through it: byte -> line -> event -> delta -> block and back, each by one bisect or one column.
    """

    def __init__(self, exchange: Exchange, rules: ReadingRules, reader: str) -> None:
        self.exchange = exchange
        self.rules = rules
        self.reader = reader
        self.framing = "none"
        self.dialect = "none"
        self.provider: str | None = None
        self.lines = Lines()
        self.events = Events()
        self.layouts = Layouts()
        self.blocks: list[Block] = []
        self.delta_blocks: Any = ()
        """Column over delta numbers: the first block that the delta fed, -1 for none."""
        self.finishes: list[dict[str, Any]] = []
        self.usage: dict[str, Any] | None = None
        self.errors: list[dict[str, Any]] = []
        self.findings: list[Finding] = []
        self.client_error: dict[str, Any] | None = None
        self.unread: dict[int, str] = {}
        """Events that this reader's client never got to read, and why."""
        self.stopped_at: int | None = None
        """The event after which this reader's client read no further."""
        self.markers: tuple[bytes, ...] = ()
        """Data that is an end marker in some dialect."""
        self.marker: str | None = None
        self.marker_event: int | None = None
        self.follows: list[int] = []
        """Events at which another answer begins after a complete one."""
        self.named = False
        """Whether an event said what its answer is called."""
        self.clean = False
        self.ended = False
        self.open_line: int | None = None
        """While data still comes: the first line after the last event, where that is known. It belongs to the next."""
        self.meta: dict[str, Any] = {}
        self.line_counts: Counter[int] = Counter()
        self.raised = 0
        """Every flag bit that some event has, known once the data has ended."""
        self.breaks: list[int] = []
        """Offsets of raw Unicode line breaks and other control characters that some readers split at."""
        self.marker_texts: list[int] = []
        """Offsets of the characters [DONE]."""
        self.invalid: list[tuple[int, int]] = []
        """Byte ranges that are no valid UTF-8, the first hundred."""
        self.invalid_count = 0
        self.payload_faults: dict[int, str] = {}
        """Events whose payload is not plain JSON: what is wrong, in words."""
        self.envelopes: tuple[ModuleType, ...] = ()
        """Those that payloads of this framing may be."""
        self.opened: Counter[str] = Counter()
        """How many payloads were envelopes, by the name of the envelope."""
        self.decode: Callable[[int], list[Delta]] = lambda n: []
        self.dialect_module: ModuleType | None = None
        self.framing_module: ModuleType | None = None
        self._rows = RowCounts()
        self._grouped: tuple[int, dict[int, array[int]]] = (-1, {})
        self._flagged: tuple[int, dict[int, array[int]]] = (-1, {})
        self._decoded = lru_cache(maxsize=4096)(self._decode)
        self._found = lru_cache(maxsize=256)(self._find)
        self._located = lru_cache(maxsize=512)(self._locate)

    @property
    def name(self) -> str:
        """The reader's name."""
        return self.reader

    @property
    def speaks(self) -> str:
        """The dialect of its payloads by that dialect's own name, whatever they come in: what rules ask for."""
        return self.dialect if self.dialect_module is None else str(self.dialect_module.NAME)

    @property
    def body(self) -> Body:
        """The decoded body that all offsets speak of."""
        return self.exchange.body

    @property
    def cancelled(self) -> bool:
        """Whether whoever asked stopped the answer (contract.md section 4) before its marker or a finish reason."""
        return (self.exchange.end or {}).get("how") == "cancelled" and self.marker is None and not self.finishes

    def let_go(self) -> None:
        """Nobody looks at it any more: its memory is given back at once, without a search for what refers to itself."""
        reader = getattr(self.decode, "__self__", None)
        for part in (getattr(reader, "assembler", None), reader):
            if part is not None:
                vars(part).clear()
        del self._decoded, self._found, self._located, self.decode

    # events and lines

    @property
    def last_event(self) -> int:
        """The number of the last event, 0 when there is none."""
        return max(0, len(self.events) - 1)

    def lines_of(self, n: int) -> tuple[int, int]:
        """The lines [first, last) of an event; blank lines that follow it are its own."""
        firsts = self.events.first_lines
        if n + 1 < len(firsts):
            return firsts[n], firsts[n + 1]
        return firsts[n], len(self.lines) if self.open_line is None else self.open_line

    def bytes_of(self, n: int) -> tuple[int, int]:
        """The byte range [start, end) of an event, terminators included."""
        first, last = self.lines_of(n)
        starts = self.lines.starts
        return starts[first], starts[last] if last < len(starts) else self.lines.size

    def event_of_line(self, line: int) -> int | None:
        """The event that a line belongs to, None before the first event exists."""
        found = bisect_right(self.events.first_lines, line) - 1
        return found if found >= 0 else None

    def event_at(self, offset: int) -> int | None:
        """The event that a byte belongs to."""
        return self.event_of_line(self.lines.at(offset)) if len(self.lines) else None

    def contents(self, n: int) -> list[bytes]:
        """The lines of an event without their terminators."""
        first, last = self.lines_of(n)
        lines = (self.lines[number] for number in range(first, last))
        out = [self.body.slice(line.start, line.end) for line in lines]
        if n == 0 and out:
            out[0] = out[0].removeprefix(b"\xef\xbb\xbf")
        return out

    def data(self, n: int) -> bytes | None:
        """The data of an event as its lines say it, None when it has none."""
        if len(self.events.data_ends):
            return self.body.slice(*self.data_range(n)) if not self.events.flags[n] & F.NO_DATA else None
        module = self.framing_module
        data_at = getattr(module, "data_at", None)
        found: bytes | None = None
        if data_at is not None:
            found = data_at(self.body, *self.bytes_of(n))
        elif module is not None:
            found = module.data_of(self.contents(n))
        return found

    def text(self, n: int) -> bytes | None:
        """The data of an event as it was read: what is inside where it is an envelope."""
        inside = self.inside(n)
        return self.data(n) if inside is None else inside.data

    def inside(self, n: int) -> Stretch | None:
        """What an envelope in the data of an event holds, None where the data is none."""
        if not self.events.flags[n] & F.WRAPPED:
            return None
        data = self.data(n) or b""
        found = open_payload(self.envelopes, data, self.events.names.get(n))
        outer = next(self._json_texts(n), None)
        if found is None or outer is None:
            return None
        inside, place = found[1], outer.start - data.find(outer.data[:1])
        return Stretch(inside.data, place + inside.start, True, inside.escapes)

    def data_range(self, n: int) -> tuple[int, int]:
        """Where the data of an event lies, in framings that keep it in one piece (see `Events.data_starts`)."""
        return self.events.data_starts[n], self.events.data_ends[n]

    def stray(self, n: int) -> tuple[bytes, ...]:
        """The lines of an event outside any field that carry an error or the end marker."""
        stray_of = getattr(self.framing_module, "stray_of", None)
        found: tuple[bytes, ...] = stray_of(self.contents(n)) if stray_of is not None else ()
        return found

    def event(self, n: int) -> Event:
        """The event as the contract prints it."""
        bits = self.events.flags[n]
        start, end = self.bytes_of(n)
        retry_of = getattr(self.framing_module, "retry_of", None)
        default = "message" if self.framing == "sse" else None
        return Event(
            n,
            self.lines_of(n),
            start,
            end,
            self.events.names.get(n) or default,
            self.data(n),
            self.events.id_at(n),
            retry_of(self.contents(n)) if retry_of is not None else None,
            not bits & F.UNDISPATCHED,
            F.words(bits),
        )

    # deltas

    def settle_rows(self) -> None:
        """Bring the prefix sums of delta rows up to the events read so far."""
        if len(self._rows) < len(self.events.layouts):
            for _ in self.settling():
                pass

    def settling(self) -> Iterator[None]:
        """`settle_rows` with a rest now and then."""
        layouts = self.events.layouts
        sizes = [len(layout.rows) for layout in self.layouts.all]
        while (done := len(self._rows)) < len(layouts):
            self._rows.extend([sizes[number] for number in layouts[done : done + GROUPED]])
            yield

    def deltas_of(self, n: int) -> tuple[int, int]:
        """The delta numbers [first, last) of an event."""
        self.settle_rows()
        return self._rows.starts[n], self._rows.starts[n + 1]

    def event_of_delta(self, number: int) -> int:
        """The event that a delta belongs to."""
        self.settle_rows()
        return self._rows.owner(number)

    @property
    def delta_count(self) -> int:
        """All deltas, those that say nothing included."""
        self.settle_rows()
        return self._rows.total

    def events_by_layout(self) -> dict[int, array[int]]:
        """The events of each layout, by its number: rules that look at layouts need not walk over all events."""
        for _ in self.grouping():
            pass
        return self._grouped[1]

    def grouping(self) -> Iterator[None]:
        """Make `events_by_layout` ready, with a rest now and then."""
        layouts = self.events.layouts
        if self._grouped[0] == len(layouts):
            return
        columns = [array("I") for _ in self.layouts.all]
        add = [column.append for column in columns]
        for start in range(0, len(layouts), GROUPED):
            for n, number in enumerate(layouts[start : start + GROUPED], start):
                add[number](n)
            yield
        found = {number: column for number, column in enumerate(columns) if column}
        # The layout that came first stands first.
        self._grouped = (len(layouts), dict(sorted(found.items(), key=lambda one: one[1][0])))

    def events_by_flags(self) -> dict[int, array[int]]:
        """The events of each set of flag bits, but for those without any; for rules, once the data has ended."""
        for _ in self.flagging():
            pass
        return self._flagged[1]

    def flagging(self) -> Iterator[None]:
        """Make `events_by_flags` ready, with a rest now and then."""
        flags = self.events.flags
        if self._flagged[0] == len(flags):
            return
        found: dict[int, array[int]] = {}
        for start in range(0, len(flags), GROUPED):
            some = flags[start : start + GROUPED]
            for n, bits in enumerate(some, start) if any(some) else ():
                if bits:
                    if bits not in found:
                        found[bits] = array("I")
                    found[bits].append(n)
            yield
        self._flagged = (len(flags), found)

    def said_count(self) -> int:
        """Deltas that say something (contract: no no-ops)."""
        sizes = [sum(row[0] != "noop" for row in layout.rows) for layout in self.layouts.all]
        return sum(sizes[number] * count for number, count in Counter(self.events.layouts).items())

    def deltas(self, n: int) -> list[Delta]:
        """The deltas of an event, decoded again; a few thousand events are kept."""
        return self._decoded(n)

    def _decode(self, n: int) -> list[Delta]:
        return [delta for delta in self.decode(n) if delta.kind != "absent"]

    # places and times

    def place(self, n: int, pointer: str | None) -> tuple[int, int]:
        """The byte range that a pointer of an event's payload rests on (key and value), or the event's whole range."""
        if not len(self.events):
            return 0, len(self.body)
        start, end = self.bytes_of(n)
        if pointer is None or pointer == "":
            return start, end
        span = self.spans(n, pointer)
        return span if span is not None else (start, end)

    def spans(self, n: int, pointer: str) -> tuple[int, int] | None:
        """Body offsets of key and value at a pointer; None where the payload is not one line of the body."""
        return self._found(n, pointer)

    def located(self, n: int, pointers: frozenset[str]) -> dict[str, Span]:
        """`spans` for many pointers at once, key and value apart; a long payload is gone through once."""
        return self._located(n, self.bytes_of(n)[1], pointers) if pointers else {}

    def _locate(self, n: int, _end: int, pointers: frozenset[str]) -> dict[str, Span]:
        found: dict[str, Span] = {}
        for text in self.json_texts(n):
            for pointer, span in spans(text.data, pointers).items():
                key = text.span(span.key_start, span.key_end) if span.key_start >= 0 else (-1, -1)
                found.setdefault(pointer, Span(*key, *text.span(span.start, span.end)))
        return found

    def json_texts(self, n: int) -> Iterator[Stretch]:
        """Where JSON may begin in an event, and the bytes from there to the end of its line or of its data.

        What an envelope holds comes first.
        """
        if self.events.flags[n] & F.WRAPPED and (inside := self.inside(n)) is not None:
            yield inside
        yield from self._json_texts(n)

    def _json_texts(self, n: int) -> Iterator[Stretch]:
        if len(self.events.data_ends):
            start, end = self.data_range(n)
            yield Stretch(self.body.slice(start, end), start)
            return
        for number in range(*self.lines_of(n)):
            line = self.lines[number]
            content = self.body.slice(line.start, line.end)
            at = content.find(b"{")
            if at >= 0:
                yield Stretch(content[at:], line.start + at)

    def _find(self, n: int, pointer: str) -> tuple[int, int] | None:
        for stretch in self.json_texts(n):
            found = locate(stretch.data, pointer)
            if found is not None:
                return stretch.span(found.start if found.key_start < 0 else found.key_start, found.end)
        return None

    def read_of(self, n: int) -> int | None:
        """The read that completed an event, None where reads are unknown."""
        ends = self.exchange.read_ends
        if ends is None or not len(ends):
            return None
        return min(bisect_left(ends, self.complete_at(n)), len(ends) - 1)

    def complete_at(self, n: int) -> int:
        """The offset just after the byte that completed an event (blank lines that follow do not count)."""
        if len(self.events.data_ends):
            return self.events.data_ends[n] if self.framing == "json-array" else self.bytes_of(n)[1]
        first, last = self.lines_of(n)
        for number in range(first, last):
            line = self.lines[number]
            if line.start == line.end and number > first:
                return line.start + 1
        return self.bytes_of(n)[1]

    def time_of(self, n: int) -> int | None:
        """When an event was complete, ns since the request was sent; None where no time was measured."""
        times = self.exchange.read_times
        read = self.read_of(n)
        if times is None or read is None or times[read] == NO_TIME:
            return None
        return times[read]

    def payload(self, n: int) -> Any:
        """The first JSON value of an event's data, None when it has none."""
        data = self.text(n) if not self.events.flags[n] & F.PLAIN_TEXT else None
        values = parse(data).values if data else []
        return values[0] if values else None
