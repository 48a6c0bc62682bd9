"""What a stream is like, beside what it says: how its lines are written, and which fields its events have.

Two surveys laid side by side tell what a provider changed: `report.differences`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from inspector_app.core import flags as F
from inspector_app.core.reading import Reading
from inspector_app.core.shapes import Shape, Shapes
from inspector_app.core.types import EOL
from inspector_app.report.outline import type_of
from inspector_app.report.paths import STEP
from inspector_app.report.standing import Standing

PIECE = 500
"""Events between two rests of a survey."""
ENDS = {b"\n": "LF", b"\r": "CR", b"\r\n": "CR LF"}
MOST_COMMENTS, LONGEST_COMMENT = 20, 40
"""Comments that are told apart, by so many of their characters."""
MOST_ORDERS, MOST_KEYS = 20, 60
"""Orders of the keys of one object that are told apart, and keys that are looked at."""
HEAD, AT_ONCE = 80, 4 << 20
"""Bytes of a line that tell what it is, and bytes of a body that are taken at once."""
_DIGITS = re.compile(r"\d+")
BEYOND, ESCAPED, PLAIN = "characters beyond ASCII", "escaped", "as they are"
_ESCAPED, _PLAIN = re.compile(rb"\\u(?!00[0-7])[0-9a-fA-F]{4}"), re.compile(rb"[\x80-\xff]")
NONE, SOME, EACH = "none", "some", "each"
WORDS = {NONE: "none", SOME: "on some", EACH: "on each"}


class Fact(NamedTuple):
    """How something is in one stream. `key` is compared, `words` are shown; `event` is where it shows first."""

    key: Any
    words: str
    event: int | None = None


@dataclass(slots=True)
class Field:
    """One ledger path of a stream. `value` is what all events have there, None where they differ; so is `many`."""

    first: int
    events: int = 0
    last: int = -1
    types: dict[str, int] = field(default_factory=dict)
    """JSON type -> the first event that has it."""
    value: Any = None
    many: bool = False
    kind: type | None = None
    """That of the last value, whose type is known already."""


class Survey:
    """The facts and fields of one reading; `steps` gathers them, yielding the events done, and rests in between."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.facts: dict[str, Fact] = {}
        self.fields: dict[str, Field] = {}
        self.payloads = 0
        """Events that have a payload."""
        self._count: dict[str, int] = {}
        self._first: dict[str, int] = {}
        self._comment = ""
        self._comments: set[str] = set()
        """The facts of comments, by what they say."""
        self.orders: dict[str, dict[tuple[str, ...], int]] = {}
        """Path of an object -> the orders in which its keys stand, and where each came first."""
        self.standing = Standing()
        self._shapes = Shapes(reading, lambda path: self.fields[path].many)

    def steps(self) -> Iterator[int]:
        """Look through the whole stream. Yields the number of events done."""
        total = len(self.reading.events)
        for start in range(0, total, PIECE):
            end = min(start + PIECE, total)
            if self.reading.framing == "sse":
                self._lines(start, end)
            self._characters(start, end)
            self._payloads(start, end)
            yield end
        self._conclude()

    # one event

    def _payloads(self, start: int, end: int) -> None:
        """The fields of some events."""
        again: dict[Shape, tuple[int, int]] = {}
        for n, shape, leaves in self._shapes.over(start, end):
            self.payloads += 1
            if shape is not None:
                self._seen("shaped", n)
                if shape.spaced:
                    self._seen("spaced", n)
                if not leaves:
                    again[shape] = again[shape][0] + 1 if shape in again else 1, n
            for path, leaf in leaves:
                self._leaf(n, path, leaf)
            if leaves:
                self.standing.take(n, [path for path, _ in leaves])
            if shape is not None and leaves:
                self._take_order(n, shape.paths)
        for shape, (count, last) in again.items():
            for path in shape.paths:
                known = self.fields[path]
                known.events, known.last = known.events + count, max(known.last, last)
            self.standing.take(last, shape.paths, count)

    def _take_order(self, n: int, paths: Iterable[str]) -> None:
        """In what order the keys of each object stand."""
        orders: dict[str, list[str]] = {}
        for path in paths:
            above = ""
            for step in STEP.findall(path):
                known = orders.setdefault(above, [])
                if step != "[]" and step not in known and len(known) < MOST_KEYS:
                    known.append(step)
                above += step
        for above, keys in orders.items():
            held = self.orders.setdefault(above, {})
            if len(held) < MOST_ORDERS:
                held.setdefault(tuple(keys), n)

    def _characters(self, start: int, end: int) -> None:
        """Whether characters beyond ASCII stand as they are, or escaped."""
        reading = self.reading
        base, stop = reading.bytes_of(start)[0], reading.bytes_of(end - 1)[1]
        if (ESCAPED in self._first and PLAIN in self._first) or stop - base > AT_ONCE:
            return
        piece = reading.body.slice(base, stop)
        places = {ESCAPED: _ESCAPED.search(piece) if b"\\u" in piece else None}
        places[PLAIN] = None if piece.isascii() else _PLAIN.search(piece)
        for what, place in places.items():
            if place is not None and what not in self._first:
                self._seen(what, reading.event_at(base + place.start()) or start)

    def _lines(self, start: int, end: int) -> None:
        """How the lines of some events are written."""
        reading = self.reading
        flags, firsts, starts, eols = (
            reading.events.flags, reading.events.first_lines, reading.lines.starts, reading.lines.eols,
        )  # fmt: skip
        base, stop = reading.bytes_of(start)[0], reading.bytes_of(end - 1)[1]
        whole = reading.body.slice(base, stop) if stop - base <= AT_ONCE else None
        ends = (*starts[firsts[start] + 1 : reading.lines_of(end - 1)[1]], stop)
        offset = firsts[start]
        plain, first_plain = 0, 0
        for n in range(start, end):
            first, last = firsts[n], firsts[n + 1] if n + 1 < len(firsts) else reading.lines_of(n)[1]
            if last - first == 2 and not flags[n]:
                # A line of data with its space, and a blank one: what else two lines can be has a flag.
                first_plain = first_plain if plain else n
                plain += 1
                continue
            data = 0
            for number in range(first, last):
                at, after = starts[number], ends[number - offset] - len(EOL[eols[number]])
                if at == after:
                    continue
                after = min(after, at + HEAD)
                head = reading.body.slice(at, after) if whole is None else whole[at - base : after - base]
                data += self._line(n, head)
            if data:
                self._seen("data", n)
            if data > 1:
                self._seen("several data lines", n)
        if plain:
            for what in ("space", "data"):
                self._seen(what, first_plain, plain)

    def _line(self, n: int, head: bytes) -> bool:
        """One line that is not blank, by its beginning; whether it is one of data."""
        name, colon, value = head.partition(b":")
        if name == b"data":
            self._seen("space" if value.startswith(b" ") else "no space", n)
            return True
        if not name and colon:
            self._seen("comment", n)
            text = head.decode("utf-8", "replace")
            self._comment = self._comment or text
            if len(self._comments) < MOST_COMMENTS or comment_fact(text) in self._comments:
                self._comments.add(comment_fact(text))
                self._seen(comment_fact(text), n)
        elif name in (b"id", b"retry"):
            self._seen(name.decode(), n)
        elif name == b"event":
            self._seen("event", n)
            self._seen("event: " + value.decode("utf-8", "replace").removeprefix(" "), n)
        return False

    def _seen(self, what: str, n: int, count: int = 1) -> None:
        self._count[what] = self._count.get(what, 0) + count
        self._first[what] = min(self._first.get(what, n), n)

    def _leaf(self, n: int, path: str, leaf: Any) -> None:
        known = self.fields.get(path)
        if known is None:
            known = self.fields[path] = Field(n, value=leaf)
        if known.last != n:
            known.events, known.last = known.events + 1, n
        if type(leaf) is not known.kind:
            known.kind = type(leaf)
            known.types.setdefault(type_of(leaf), n)
        if not known.many and leaf != known.value:
            known.many = True

    # the whole

    def _conclude(self) -> None:
        reading, exchange = self.reading, self.reading.exchange
        http, end = exchange.http, exchange.end or {}
        plain: dict[str, Any] = {
            "status": None if http is None else http.status,
            "HTTP version": None if http is None else http.version,
            "content type": None if http is None else http.header("content-type"),
            "content coding": exchange.coding,
            "framing": reading.framing,
            "dialect": reading.dialect,
            "end of the transfer": end.get("how"),
            "end marker": reading.marker,
        }
        self.facts = {what: Fact(value, "none" if value is None else str(value)) for what, value in plain.items()}
        self._line_ends()
        self._beyond()
        self._share("space after the colon", "space", self._count.get("space", 0) + self._count.get("no space", 0))
        if self.facts["space after the colon"].key == SOME:
            # What is odd there are the lines without it.
            odd = self._first["no space"]
            self.facts["space after the colon"] = self.facts["space after the colon"]._replace(event=odd)
        data = self._count.get("data", 0)
        for what in ("id", "retry", "event"):
            self._share(f"{what} lines", what, data)
        for what in sorted(name for name in self._count if name.startswith("event: ")):
            self._share(what, what, data)
        self._share("several data lines in an event", "several data lines", data)
        self._share("spaces in the JSON", "spaced", self._count.get("shaped", 0))
        self._yes("comments", self._count.get("comment", 0), self._first.get("comment"), self._comment)
        for what in sorted(self._comments):
            self.facts[what] = Fact(True, str(self._count[what]), self._first[what])
        self._flag("byte order mark", F.BOM)
        self._flag("no blank line after the last event", F.DANGLING)
        self._flag("invalid UTF-8", F.INVALID_UTF8)

    def _line_ends(self) -> None:
        eols = self.reading.lines.eols
        found = {ENDS[EOL[code]]: eols.count(code) for code in range(len(EOL)) if EOL[code] in ENDS}
        words = ", ".join(f"{name} {count:,}".replace(",", "\u2009") for name, count in found.items() if count)
        known = {name: count for name, count in found.items() if count}
        rarest = min(known, key=known.__getitem__, default=None)
        event = None
        if rarest is not None:  # A stream without a line has no line end.
            line = eols.index(next(code for code in range(len(EOL)) if ENDS.get(EOL[code]) == rarest))
            event = self.reading.event_of_line(line)
        self.facts["line ends"] = Fact(tuple(known), words or "none", event)

    def _beyond(self) -> None:
        """How characters beyond ASCII are written; nothing where there are none."""
        known = [what for what in (ESCAPED, PLAIN) if what in self._first]
        first = min((self._first[what] for what in known), default=None)
        self.facts[BEYOND] = Fact(tuple(known), " and ".join(known) or "none", first)

    def _share(self, what: str, counted: str, of: int) -> None:
        count = self._count.get(counted, 0)
        how = NONE if not count else EACH if count >= of else SOME
        words = WORDS[how] + (f" ({count} of {of})" if how == SOME else "")
        self.facts[what] = Fact(how, words, self._first.get(counted))

    def _yes(self, what: str, count: int, event: int | None, sample: str) -> None:
        self.facts[what] = Fact(bool(count), f"{count}, the first is {sample!r}" if count else "none", event)

    def _flag(self, what: str, bit: int) -> None:
        some = self.reading.raised & bit or not self.reading.ended
        flags = self.reading.events.flags if some else ()
        event = next((n for n, bits in enumerate(flags) if bits & bit), None)
        self.facts[what] = Fact(event is not None, "no" if event is None else "yes", event)


def comment_fact(text: str) -> str:
    """The fact of a comment that begins with `text`: what it says, whatever its numbers are."""
    return f"comment: {_DIGITS.sub('0', text[:LONGEST_COMMENT].removeprefix(':').strip())}"
