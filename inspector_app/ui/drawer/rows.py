"""What the drawer says, row by row and as text: the kinds of a range, its key figures, what begins and ends in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from inspector_app.core.ranges import ENDS, FOUND, STARTS, Happening, Numbers, Part, order_share, share
from inspector_app.core.rates import Tokens
from inspector_app.core.reading import Reading
from inspector_app.core.text import THIN_SPACE, clip, duration, number, size, visible
from inspector_app.core.timing import BINS, Wait, unmeasured
from inspector_app.core.types import Block
from inspector_app.ui.selection import Selection
from inspector_app.ui.timeline import LaneIndex, Mark
from inspector_app.ui.timeline.clock import SECOND, moment
from inspector_app.ui.timeline.rate import rounded_rate
from inspector_app.ui.views.block_names import BlockNames, icon_of, kind_of_block
from inspector_app.ui.views.timing_range import counted_tokens, tokens_words

NONE, NOTHING = "–", "—"
"""Where a number makes no sense, and where it was not measured."""
KINDS = {"reasoning": "Reasoning", "text": "Text", "refusal": "Refusal", "tool": "Tool calls"}
TITLES = ("kind", "blocks", "deltas", "chars", "chars/s", "share of the range")
IN_TIME, IN_ORDER = ("first, s", "last, s"), ("first event", "last event")
RANGE, SIGHT, EVERYTHING = "Range A – B", "In sight", "Whole recording"
SHARES = {RANGE: "share of the range", SIGHT: "share in sight", EVERYTHING: "share of the whole"}
WAITS = {RANGE: "Waits in the range", SIGHT: "Waits in sight", EVERYTHING: "Waits between reads"}
HAPPENS = {RANGE: "In this range", SIGHT: "In sight", EVERYTHING: "In the recording"}
"""What the parts of the drawer are called, by whose numbers are shown."""
ORDER_ONLY = "order only"
FEW_READS, NEEDS_READS = "fewer than two reads", "needs two reads"
FIRST_BYTE = "first byte after"
LONGEST_NAME = 60
MOST_WAITS = 400
"""Waits that are drawn one by one in their row."""


class Line(NamedTuple):
    """A row of the table of kinds: its `cells` are blocks, deltas, characters and characters a second, `first` and
    `last` its ends in seconds or events; `spans` are parts of the range from 0 to 1.
    """

    words: str
    cells: tuple[str, str, str, str]
    first: str = NONE
    last: str = NONE
    spans: tuple[tuple[float, float], ...] = ()
    icon: str = ""
    style: str = "kind"
    """How its spans are drawn: "kind", "waits", or "all" for none."""
    leads: Selection | None = None
    note: str = ""
    titles: tuple[str, ...] = (*TITLES, *IN_TIME)

    @property
    def empty(self) -> bool:
        """Whether nothing of it is in the range."""
        return self.style == "kind" and self.cells[0] == "0"

    @property
    def spoken(self) -> str:
        """The row as a screen reader says it."""
        names = (*self.titles[1:5], *self.titles[6:])
        said = [f"{name} {cell}" for name, cell in zip(names, (*self.cells, self.first, self.last)) if cell != NONE]
        return f"{self.words}: {', '.join(said)}".replace(THIN_SPACE, " ")

    @property
    def columns(self) -> tuple[str, ...]:
        """The row as text, without what is drawn."""
        return (self.words, *self.cells, self.first, self.last)


class Item(NamedTuple):
    """A row of what happens in the range: `meaning` colours the mark. `rule` is a finding or a note to go to, in place
    of what it `leads` to.
    """

    event: int
    words: str
    value: str
    icon: str
    meaning: str = ""
    wire: bool = False
    leads: Selection | None = None
    rule: str = ""
    note: str = ""

    @property
    def spoken(self) -> str:
        """The row as a screen reader says it."""
        return f"{self.words}, {self.value}".strip(", ").replace(THIN_SPACE, " ")


class Figure(NamedTuple):
    """A key figure: the value large, its unit small, what it is, and how much that is of the whole, or why none is."""

    value: str
    unit: str
    name: str
    whole: str

    @property
    def spoken(self) -> str:
        """The figure as a screen reader says it."""
        return f"{self.name} {self.value} {self.unit}, {self.whole}".replace(THIN_SPACE, " ").replace("  ", " ")


class Waits(NamedTuple):
    """The waits that stand out, in order and none over another: where they end, and from where to where they are."""

    note: str
    ends: Sequence[int]
    spans: Sequence[tuple[int, int]]
    events: Sequence[int]


def waits_of(index: LaneIndex | None) -> Waits:
    """The waits of their lane; none where no wait stands out."""
    if index is None:
        return Waits("", (), (), ())
    lane = index.lane
    spans = [(span.start, span.end) for span in lane.spans]
    return Waits(lane.note.partition(",")[0], index.ticks, spans, lane.events)


def within(waits: Waits, part: Part) -> range:
    """The waits that reach into a part, by number."""
    if part.ns is None:
        return range(0)
    first, end = bisect_right(waits.ends, part.start), part.start + part.ns
    return range(first, max(first, bisect_right([span[0] for span in waits.spans[first:]], end - 1) + first))


def place_words(part: Part, whole: int | None) -> str:
    """Where a range lies and how long it is: "2.420 – 3.320 s · 900 ms · 3.7 % of the recording"."""
    if part.ns is None:
        last = max(part.first, part.last - 1)
        said = f"events {number(part.first)} – {number(last)}" if part.last > part.first else "no event"
        return f"{said} · {ORDER_ONLY}"
    said = f"{seconds(part.start)} – {seconds(part.start + part.ns)}{THIN_SPACE}s · {duration(part.ns)}"
    return said if not whole else f"{said} · {_percent(part.ns / whole)} of the recording"


def _percent(value: float) -> str:
    percent = min(value, 1) * 100
    return f"{percent:.0f}{THIN_SPACE}%" if percent >= 99.95 or not percent else f"{percent:.1f}{THIN_SPACE}%"


def seconds(ns: int) -> str:
    """2.420"""
    return f"{ns / SECOND:.3f}"


def lines_of(found: Numbers, positions: Sequence[int], waits: Waits) -> list[Line]:
    """The rows of the table: a kind each that the recording has, the waits, and all of it."""
    part = found.part
    timed = part.ns is not None
    titles = (*TITLES, *(IN_TIME if timed else IN_ORDER))

    def at(event: int) -> str:
        return NONE if event < 0 else seconds(positions[event]) if timed else number(event)

    def rate(amount: int) -> str:
        a_second = found.a_second(amount)
        return NOTHING if not timed else NONE if a_second is None or not amount else rounded_rate(a_second)

    def spans(stretches: Sequence[tuple[int, int]]) -> tuple[tuple[float, float], ...]:
        if timed:
            return tuple(share(positions[first], positions[last], part) for first, last in stretches)
        return tuple(order_share(first, last, part) for first, last in stretches)

    known = {kind.meaning: kind for kind in found.kinds}
    lines = []
    for meaning, words in KINDS.items():
        kind = known.get(meaning)
        if kind is not None:
            cells = (number(kind.blocks), number(kind.deltas), number(kind.characters), rate(kind.characters))
            ends = at(kind.first), at(kind.last)
            lines.append(
                Line(words, cells, *ends, spans(kind.stretches), meaning, leads=Selection(kind.first), titles=titles)
            )
        elif meaning in found.absent:
            lines.append(Line(words, ("0", "0", "0", NONE if timed else NOTHING), icon=meaning, titles=titles))
    lines.append(_waits_line(part, waits, positions, titles))
    blocks, deltas = (sum(getattr(kind, name) for kind in found.kinds) for name in ("blocks", "deltas"))
    cells = number(blocks), number(deltas), number(found.characters), rate(found.characters)
    leads = Selection(part.first) if found.events else None
    ends = (at(part.first), at(part.last - 1)) if found.events else (NONE, NONE)
    return [*lines, Line("All", cells, *ends, style="all", leads=leads, titles=titles)]


def _waits_line(part: Part, waits: Waits, positions: Sequence[int], titles: tuple[str, ...]) -> Line:
    cells = (NONE, NONE, NONE, NONE)
    if part.ns is None:
        why = "No times were measured: there are no waits to tell."
        return Line("Waits not measured", cells, icon="clock", style="waits", titles=titles, note=why)
    numbers = within(waits, part)
    count = f"{number(len(numbers)) if numbers else 'no'} wait{'' if len(numbers) == 1 else 's'}"
    words = f"{count[:1].upper()}{count[1:]} {waits.note}" if waits.note else "No wait stands out"
    if not numbers:
        return Line(words, cells, icon="clock", style="waits", titles=titles)
    end = part.start + part.ns
    first, last = max(waits.spans[numbers[0]][0], part.start), min(waits.spans[numbers[-1]][1], end)
    spans = tuple(share(*waits.spans[at], part) for at in numbers[:MOST_WAITS])
    event = waits.events[numbers[0]] if numbers[0] < len(waits.events) else None
    leads = None if event is None else Selection(event)
    return Line(words, cells, seconds(first), seconds(last), spans, "clock", "waits", leads, titles=titles)


def remark_of(reading: Reading, found: Numbers, tokens: Tokens | None) -> str:
    """What the table cannot tell: the tokens, as the page Timing tells them, or why there are no times."""
    if found.part.ns is None:
        return "No times were measured: the bars show the order of events, and there are no rates and no waits."
    if tokens is None or not found.kinds:
        return "Tokens: none came here."
    return "Tokens {}, {}.".format(*tokens_words(found, tokens, counted_tokens(reading, found)))


def figures_of(reading: Reading, found: Numbers, whole: Numbers | None) -> list[Figure]:
    """The five figures that tell most of a range."""
    timed = found.part.ns is not None
    beside = "whole" if reading.ended else "so far"

    def of(words: str) -> str:
        return f"{beside} {words}" if whole is not None else f"{beside} …"

    def rate(numbers: Numbers) -> str:
        a_second = numbers.a_second(numbers.characters)
        return NOTHING if a_second is None else rounded_rate(a_second)

    def wait(name: str, of_range: int | None, of_whole: int | None) -> Figure:
        if of_range is None:
            return Figure(NOTHING, "", name, NEEDS_READS if timed and not unmeasured(reading) else ORDER_ONLY)
        value, _, unit = duration(of_range).rpartition(THIN_SPACE)
        return Figure(value, unit, name, of(NOTHING if of_whole is None else duration(of_whole)))

    medians = [_median(numbers) for numbers in (found, whole)]
    longest = wait("longest wait", *(_longest(numbers) for numbers in (found, whole)))
    most = _most_waited(found)
    if most is not None and _longest(found) != most.ns:
        longest = longest._replace(whole=f"of {duration(most.ns)}")
    if found.first_byte is not None and found.first_byte > (_longest(found) or 0):
        longest = longest._replace(whole=f"{FIRST_BYTE} {duration(found.first_byte)}")
    speed = Figure(rate(found), "/s", "characters", of(f"{rate(whole)}{THIN_SPACE}/s" if whole is not None else ""))
    return [
        Figure(number(found.events), "", "events", of(number(len(reading.events)))),
        Figure(number(found.size), "", "bytes", of(size(len(reading.body)))),
        speed if timed else Figure(NOTHING, "", "characters/s", ORDER_ONLY),
        wait("median wait", *medians),
        longest,
    ]


def _median(numbers: Numbers | None) -> int | None:
    found = numbers.waits.percentiles() if numbers is not None and numbers.waits is not None else None
    return None if found is None else found[50]


def _longest(numbers: Numbers | None) -> int | None:
    """How long of the wait between reads that takes most of a range lies in it."""
    most = _most_waited(numbers) if numbers is not None else None
    return None if numbers is None or most is None else numbers.inside(most)


def _most_waited(numbers: Numbers) -> Wait | None:
    waits = numbers.waits.longest() if numbers.waits is not None else []
    return max(waits, key=numbers.inside, default=None)


def items_in_steps(
    reading: Reading, names: BlockNames, happenings: Sequence[Happening], positions: Sequence[int], timed: bool
) -> Iterator[list[Item] | None]:
    """The rows of what happens, as the last of what is given; each None before is a rest."""
    last = max((one.number for one in happenings if one.kind != FOUND), default=-1)
    for n in range(0, last + 1, 2000):
        names.reach(n)
        yield None
    items = []
    for one in happenings:
        when = moment(positions[one.event]) if timed else f"event {number(one.event)}"
        if one.kind == FOUND:
            finding = reading.findings[one.number]
            event = f"event {number(one.event)}"
            items.append(Item(one.event, finding.rule, event, finding.severity, finding.severity, True,
                              rule=finding.rule))  # fmt: skip
            continue
        block = reading.blocks[one.number]
        kind = kind_of_block(block.kind)
        leads = Selection(one.event, block=block.n, reader=reading.reader)
        hidden = bool(block.fields.get("redacted") or block.fields.get("encrypted"))
        words = _words(block, names[block.n], one.kind, hidden)
        items.append(Item(one.event, words, when, "lock" if hidden else icon_of(block), kind.meaning, leads=leads))
    yield items


def _words(block: Block, name: str, happens: str, hidden: bool) -> str:
    called = block.fields.get("name") if block.kind == "tool_call" else None
    if isinstance(called, str) and called:
        name = f"{name} {clip(visible(called[: 2 * LONGEST_NAME]), LONGEST_NAME)}"
    torn = block.state == "truncated"
    if happens == STARTS:
        return f"{name} starts"
    if happens == ENDS:
        return f"{name} {'breaks off' if torn else 'ends'}"
    count = len(block.deltas)
    deltas = f"{number(count)} delta{'' if count == 1 else 's'}"
    if torn:
        return f"{name}, breaks off, {deltas}"
    return f"{name}, {'redacted' if hidden else 'complete'}, {deltas}"


def wait_items(waits: Waits, part: Part, most: int) -> list[Item]:
    """The waits that end in the range, and the one that goes on at its end: the first `most`."""
    items = []
    for at in told_waits(waits, part)[:most]:
        start, end = waits.spans[at]
        event = waits.events[at]
        # No wait between two reads, of which the figures tell.
        words = f"wait of {duration(end - start)}" if start else f"{FIRST_BYTE} {duration(end)}"
        until = part.start + (part.ns or 0)
        here = min(end, until) - max(start, part.start)
        words += f", {duration(here)} here" if start and here < end - start else ""
        words += ", goes on" if end > until else ""
        when = f"{seconds(start)} – {seconds(end)}{THIN_SPACE}s" if start else moment(end)
        items.append(Item(event, words, when, "clock", leads=Selection(event)))
    return items


def told_waits(waits: Waits, part: Part) -> range:
    """The waits of a part that `wait_items` tells of, by number: those that an event ended."""
    found = within(waits, part)
    return range(found.start, min(found.stop, len(waits.events)))


def note_items(notes: Sequence[Mark], part: Part) -> list[Item]:
    """The notes that begin in the range, by the marks of their lane."""
    return [
        Item(mark.event, mark.words, f"event {number(mark.event)}", mark.icon, rule=mark.rule)
        for mark in notes
        if part.first <= mark.event < part.last
    ]


def as_text(
    title: str, lines: Sequence[Line], figures: Sequence[Figure], counts: Sequence[int], items: Sequence[Item]
) -> str:
    """All of it as a table, columns set off by tabs."""
    titles = lines[0].titles if lines else (*TITLES, *IN_TIME)
    rows = [(title,), (*titles[:5], *titles[6:]), *(line.columns for line in lines)]
    rows += [(figure.name, f"{figure.value} {figure.unit}".strip(), figure.whole) for figure in figures]
    if any(counts):
        rows.append(("waits up to", *BINS))
        rows.append(("count", *(str(count) for count in counts)))
    rows += [(item.words, item.value) for item in items]
    return "\n".join("\t".join(row) for row in rows).replace(THIN_SPACE, " ")
