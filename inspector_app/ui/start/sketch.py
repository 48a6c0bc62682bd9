"""A reading as a handful of strokes, for a thumbnail: when something came, what it became, where it went wrong.

Where a client reads the worst of it, its blocks are drawn, not the reference's: the defect is the picture. At most a
few hundred places are looked at, however long the recording is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from inspector_app.core.reading import Reading
from inspector_app.core.types import NO_TIME, Block, Finding
from inspector_app.ui.views.block_names import meaning_of

SPAN = 1000
"""Strokes lie between 0 and this: the whole recording."""
TICKS = 84
"""Ticks that can be told apart."""
HOLLOW_TICKS = 36
PIECE = 16
"""The least distance between two pieces of a block that is in many."""
LEAST = 10
SAMPLES, SCANNED = 400, 20_000
"""Blocks and places that are drawn; blocks that are looked at."""
TAIL = 12
"""How far a block is drawn behind its last delta, at most."""
MANY = 4
"""Places of a finding from which they are one dashed line."""
MISSING = 120
WAITED, LONG_WAIT = 500, 700
"""Waits for the first event that are drawn, and that are drawn shorter."""
LEAST_ERROR = 50

SHAPES = ("bar", "pieces", "missing", "unread", "torn", "silence", "wait", "fault", "line", "tick")
ICONS = {"time-burst": "rays", "time-stall": "hourglass"}
"""Rules whose place has a mark of its own."""


class Stroke(NamedTuple):
    """A stroke in row 0 (ticks), 1, 2 (blocks) or 3 (below), from `start` to `end`; `shape` of `SHAPES` or a glyph."""

    shape: str
    row: int
    start: int
    end: int
    meaning: str


class Sketch(NamedTuple):
    """What a thumbnail is drawn from. `hollow`: the ticks are an order, not times."""

    ticks: tuple[int, ...]
    hollow: bool
    strokes: tuple[Stroke, ...]


class Scale:
    """Where the events of any reading of one exchange stand."""

    def __init__(self, reference: Reading) -> None:
        exchange = reference.exchange
        times = exchange.read_times
        last = next((time for time in reversed(times or ()) if time != NO_TIME), None)
        self.reference = reference
        self.measured = exchange.timing != "none" and last is not None
        self.end = max(1, exchange.end_time or 0, last or 0) if self.measured else max(1, len(reference.events))
        first = reference.time_of(0) if self.measured and len(reference.events) else None
        self.wait = first if first is not None and first > self.end * LONG_WAIT // SPAN else 0
        """A wait that would squeeze all the rest: it is drawn shorter than it was, in dashes."""

    def at(self, reading: Reading, event: int) -> int:
        """The place of an event. A time that was not measured is that of the event before."""
        if self.measured:
            for n in range(min(event, reading.last_event), max(-1, event - 50), -1):
                time = reading.time_of(n)
                if time is not None:
                    return self.of(time)
            return 0
        if reading is not self.reference and event < len(reading.events):
            event = self.reference.event_at(reading.bytes_of(event)[0]) or 0
        return self.of(event)

    def of(self, position: int) -> int:
        """A time in ns, or the number of an event, on the scale."""
        if self.wait:
            behind = position - self.wait
            if behind < 0:
                return max(0, position * LONG_WAIT // self.wait)
            return min(SPAN, LONG_WAIT + behind * (SPAN - LONG_WAIT) // max(1, self.end - self.wait))
        return min(SPAN, max(0, position * SPAN // self.end))


def sketch_of(reference: Reading, client: Reading | None, worst: Finding | None) -> Sketch:
    """The thumbnail of a recording. `client` is the reading that differs most, `worst` the finding to name first."""
    scale = Scale(reference)
    strokes = [*_blocks(scale, client or reference)]
    if client is not None:
        strokes = _with_unread(scale, strokes, client)
    strokes += _stretches(scale, reference, strokes)
    if not len(reference.events) and len(reference.body):
        strokes.append(Stroke("fault", 1, SPAN // 20, SPAN // 2, "error"))
    if worst is not None and not any(stroke.shape in ("missing", "unread", "fault", "torn") for stroke in strokes):
        strokes += _places(scale, reference, worst, strokes)
    return Sketch(_ticks(scale), not scale.measured, tuple(strokes))


def _ticks(scale: Scale) -> tuple[int, ...]:
    """Reads where their times are known, else events."""
    if scale.measured:
        times = [time for time in _sampled(scale.reference.exchange.read_times or (), 8 * SAMPLES) if time != NO_TIME]
        columns = {scale.of(time) * TICKS // SPAN for time in times}
        return tuple(sorted(column * SPAN // TICKS for column in columns))
    count = len(scale.reference.events)
    shown = min(count, HOLLOW_TICKS)
    return tuple(place * SPAN // shown for place in range(shown))


def _blocks(scale: Scale, reading: Reading) -> Iterator[Stroke]:
    kinds: dict[str, list[Block]] = {}
    for block in _sampled(reading.blocks, SCANNED):
        kinds.setdefault(block.kind, []).append(block)
    for row, blocks in enumerate(kinds.values()):
        yield from _of_kind(scale, reading, blocks, min(row, 1) + 1)


def _of_kind(scale: Scale, reading: Reading, blocks: Sequence[Block], row: int) -> Iterator[Stroke]:
    meaning = meaning_of(blocks[0].kind)
    in_pieces = len(blocks) > 3 and "closed_on" in blocks[0].fields
    before = -PIECE
    for block in _sampled(blocks, SAMPLES):
        start, end = _extent(scale, reading, block)
        if in_pieces:
            if start - before >= PIECE:
                yield Stroke("pieces", row, start, start + PIECE - 3, meaning)
                before = start
            continue
        if start - before < LEAST and len(blocks) > MANY:
            continue
        before = start
        missing = block.kind == "tool_call" and "legacy" not in block.fields
        missing = missing and not (block.fields.get("id") and block.fields.get("name"))
        if missing:
            start = min(start, SPAN - 2 * MISSING)
            middle = start + MISSING
            yield Stroke("missing", row, start, middle, "error")
            start, end = middle + 6, max(end, middle + MISSING)
            if not block.text:
                continue
        yield Stroke("torn" if block.state == "truncated" else "bar", row, start, min(end, SPAN), meaning)


def _extent(scale: Scale, reading: Reading, block: Block) -> tuple[int, int]:
    start, last = scale.at(reading, block.first_event), scale.at(reading, block.last_event)
    following = scale.at(reading, block.last_event + 1) if block.last_event < reading.last_event else SPAN
    least = LEAST_ERROR if block.kind == "error" else LEAST
    start = min(start, SPAN - least)
    return start, max(last, min(following, last + TAIL), start + least)


def _with_unread(scale: Scale, strokes: list[Stroke], client: Reading) -> list[Stroke]:
    """What the reference has and the client has nothing of, as it would be if it were read."""
    known = {block.kind for block in _sampled(client.blocks, SCANNED)}
    lost = [
        stroke._replace(shape="unread", meaning="unread")
        for stroke in _blocks(scale, scale.reference)
        if stroke.meaning not in {meaning_of(kind) for kind in known}
    ]
    return [*lost, *strokes]


def _stretches(scale: Scale, reference: Reading, strokes: Sequence[Stroke]) -> Iterator[Stroke]:
    """A long wait for the first event, and silences."""
    if not scale.measured or not len(reference.events):
        return
    first = scale.at(reference, 0)
    if first >= WAITED:
        yield Stroke("wait", 0, 0, first, "info")
    for finding in reference.findings:
        if finding.rule == "time-stall":
            for n in _sampled(finding.events, MANY):
                start, end = sorted((scale.at(reference, max(0, n - 1)), scale.at(reference, n)))
                if end - start < LEAST:
                    start, end = scale.at(reference, n), scale.at(reference, min(n + 1, reference.last_event))
                row = next((stroke.row for stroke in strokes if stroke.start <= start < stroke.end), 1)
                yield Stroke("silence", row, start + 4, max(end - 4, start + 6), "warning")
                yield Stroke("hourglass", 3 - row, (start + end) // 2, (start + end) // 2, "warning")


def _places(scale: Scale, reference: Reading, worst: Finding, strokes: Sequence[Stroke]) -> Iterator[Stroke]:
    """Where the worst finding rests: a mark each, or a line along many places; in a row that is free there."""
    if any(stroke.shape in ("pieces", "silence") for stroke in strokes):
        return
    at = sorted(scale.at(reference, n) for n in _sampled(worst.events, 40))
    if not at:
        return
    icon = ICONS.get(worst.rule, worst.severity)
    if len(at) > MANY and icon == worst.severity:
        row = 2 if _free(strokes, 2, at[0], at[-1]) else 3
        yield Stroke("line", row, at[0], max(at[-1], at[0] + LEAST), worst.severity)
        return
    before = -SPAN
    for place in at if icon == worst.severity else at[:1]:
        row = next((row for row in (2, 1) if _free(strokes, row, place - 30, place + 30)), 3)
        if place - before < (60 if row < 3 else LEAST):
            continue
        before = place
        yield Stroke(icon if row < 3 else "tick", row, place, place, worst.severity)


def _free(strokes: Sequence[Stroke], row: int, start: int, end: int) -> bool:
    return not any(stroke.row == row and stroke.start <= end and stroke.end >= start for stroke in strokes)


def _sampled(values: Sequence, most: int) -> Sequence:
    """At most `most` of the values, evenly chosen, the last among them."""
    count = len(values)
    if count <= most:
        return values
    return [values[place * (count - 1) // (most - 1)] for place in range(most)]
