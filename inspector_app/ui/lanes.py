"""A recording as lanes of the timeline: reads, events, one lane per kind or call, findings (look.md, Timeline).

With two readings a lane splits in two where they differ, the chosen reader above; equal lanes stay one, marked "both".
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import pairwise

from inspector_app.core.reading import Reading
from inspector_app.core.text import clip, duration, number, visible
from inspector_app.core.types import NO_TIME, Block
from inspector_app.ui.session import Session
from inspector_app.ui.timeline import Axis, Bar, Lane, Mark, Span

TITLES = {
    "reasoning": "Reasoning",
    "text": "Text",
    "refusal": "Refusal",
    "tool_call": "Tool call",
    "tool_result": "Tool result",
    "media": "Media",
    "error": "Error",
    "state": "State",
    "other": "Other",
}
MEANINGS = {"tool_call": "tool", "tool_result": "tool", "media": "info", "state": "info", "other": "info"}
STALL_NS = 30_000_000_000
"""A gap between two reads from which silence is drawn (rule time-stall)."""
WORD = 60
MARKS = 400
"""Places of one finding that get a mark of their own."""


class Clock:
    """Where every event stands on the axis; grows with its reading. Positions are ns, or numbers without times."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        exchange = reading.exchange
        times = exchange.read_times
        self.measured = exchange.timing != "none" and times is not None and any(time != NO_TIME for time in times)
        self.positions: array[int] = array("q")
        self._read = 0

    def extend(self) -> None:
        """Take in the events that are complete."""
        reading = self.reading
        done, known = len(self.positions), len(reading.events)
        if not self.measured:
            self.positions.extend(range(done, known))
            return
        ends, times = reading.exchange.read_ends, reading.exchange.read_times
        assert ends is not None
        assert times is not None
        firsts, starts = reading.events.first_lines, reading.lines.starts
        read, last = self._read, len(ends) - 1
        size = reading.lines.size
        before = self.positions[-1] if done else 0
        for n in range(done, known):
            line = firsts[n]
            after = firsts[n + 1] if n + 1 < known else len(starts)
            at = (starts[after] if after < len(starts) else size) if after - line <= 2 else reading.complete_at(n)
            while read < last and ends[read] < at:
                read += 1
            # A read without a time stands where the one before it stood; nothing else is known of it.
            before = times[read] if times[read] != NO_TIME else before
            self.positions.append(before)
        self._read = read


def axis_of(reading: Reading, clock: Clock) -> Axis:
    """The axis of a recording: times where measured, else the order of events."""
    positions = clock.positions
    last = positions[-1] if len(positions) else 0
    exchange = reading.exchange
    words = reading.marker or ("truncated" if reading.ended and not reading.clean else "")
    if not clock.measured:
        return Axis(False, (0, max(1, len(positions))), positions, len(positions) or None, words, words == "truncated")
    times = [time for time in (exchange.read_times or ()) if time != NO_TIME]
    end = max(exchange.end_time or 0, times[-1] if times else 0, last)
    return Axis(True, (0, max(1, end)), positions, end, words, words == "truncated")


def lanes_of(session: Session, clock: Clock, whole: bool) -> list[Lane]:
    """All lanes, top down. `whole` is False while the reference is still being read: bars without their deltas."""
    reference = session.reference
    if reference is None:
        return []
    left, right = session.left or reference, session.right
    lanes = [*_reads(reference, clock), _events(reference, left, clock)]
    lanes += _blocks(session, left, right, clock, whole)
    if whole:
        lanes.append(_findings(session, reference, clock))
    return lanes


def _reads(reading: Reading, clock: Clock) -> Iterable[Lane]:
    exchange = reading.exchange
    ends, times = exchange.read_ends, exchange.read_times
    if ends is None or not clock.measured or times is None:
        return
    known = [n for n, time in enumerate(times) if time != NO_TIME]
    ticks = array("q", [times[n] for n in known])
    sizes = [ends[n] - (ends[n - 1] if n else 0) for n in known]
    lane = Lane("reads", "Reads", number(len(ends)), ticks=ticks, weights=sizes)
    offsets = [ends[n] - 1 for n in known]
    lane.events = [reading.event_at(max(0, at)) or 0 for at in offsets] if len(known) < 50_000 else ()
    if ticks and ticks[0] > 0:
        lane.spans.append(Span(0, ticks[0], "wait", f"waiting {duration(ticks[0])}"))
    for before, after in pairwise(ticks):
        if after - before >= STALL_NS:
            lane.spans.append(Span(before, after, "silence", duration(after - before)))
    yield lane


def _events(reference: Reading, left: Reading, clock: Clock) -> Lane:
    unread = sorted({event for n in left.unread if (event := _in_reference(reference, left, n)) is not None})
    return Lane(
        "events",
        "Events",
        number(len(clock.positions)),
        ticks=clock.positions,
        unread=unread,
        hollow=not clock.measured,
    )


def _in_reference(reference: Reading, other: Reading, n: int) -> int | None:
    """The reference's number of another reading's event: framings number differently, bytes do not."""
    if other is reference or (
        n < len(reference.events) and other.events.first_lines[n] == reference.events.first_lines[n]
    ):
        return n
    return reference.event_at(other.bytes_of(n)[0])


def _blocks(session: Session, left: Reading, right: Reading | None, clock: Clock, whole: bool) -> Iterable[Lane]:
    groups = _grouped(left)
    others = _grouped(right) if right is not None else {}
    for key in sorted({*groups, *others}, key=_order):
        mine, theirs = groups.get(key, []), others.get(key, [])
        if right is None:
            yield _lane(session, left, mine, key, "", 0, clock, whole)
        elif _alike(mine, theirs):
            yield _lane(session, left, mine, key, "both", 0, clock, whole)
        else:
            for reading, blocks, side in ((left, mine, 0), (right, theirs, 1)):
                title = session.short_title_of(reading.reader)
                lane = _lane(session, reading, blocks, key, title, side, clock, whole)
                worse = len(blocks) > len(theirs if side == 0 else mine) or any(bar.missing for bar in lane.bars)
                lane.badge_meaning = "error" if worse or not blocks else "info"
                yield lane


_ORDER = list(TITLES)


def _order(key: tuple[str, int]) -> tuple[int, int]:
    return _ORDER.index(key[0]) if key[0] in _ORDER else len(_ORDER), key[1]


def _grouped(reading: Reading) -> dict[tuple[str, int], list[Block]]:
    """Blocks by lane: one lane per kind, and one per call."""
    out: dict[tuple[str, int], list[Block]] = {}
    calls = 0
    for block in reading.blocks:
        place = 0
        if block.kind == "tool_call":
            place, calls = calls, calls + 1
        out.setdefault((block.kind, min(place, 11)), []).append(block)
    return out


def _alike(mine: list[Block], theirs: list[Block]) -> bool:
    return len(mine) == len(theirs) and all(
        a.text == b.text and a.fields.get("id") == b.fields.get("id") and a.fields.get("name") == b.fields.get("name")
        for a, b in zip(mine, theirs, strict=True)
    )


def _lane(
    session: Session,
    reading: Reading,
    blocks: list[Block],
    key: tuple[str, int],
    note: str,
    side: int,
    clock: Clock,
    whole: bool,
) -> Lane:
    kind, place = key
    meaning = MEANINGS.get(kind, kind)
    title = TITLES.get(kind, kind)
    if kind == "tool_call":
        title = f"Tool {place}"
        note = note or next((visible(clip(str(b.fields["name"]), 24)) for b in blocks if b.fields.get("name")), "")
    lane = Lane(
        f"{kind}-{place}-{side}", title, note, badge=number(len(blocks)), icon="media" if meaning == "info" else meaning
    )
    events = session.delta_column(reading) if whole else None
    lane.bars = [_bar(reading, block, side, meaning, clock, events) for block in blocks]
    lane.bars.sort(key=lambda bar: bar.start)
    return lane


def _bar(reading: Reading, block: Block, side: int, meaning: str, clock: Clock, events: array[int] | None) -> Bar:
    positions = clock.positions
    last = len(positions) - 1

    def at(event: int) -> int:
        return positions[min(event, last)] if last >= 0 else 0

    start, end = at(block.first_event), at(block.last_event)
    state = "closed"
    if block.state == "truncated":
        state = "truncated"
    elif block.fields.keys() & {"redacted", "encrypted"} and not block.text:
        state = "redacted"
    missing: tuple[str, ...] = ()
    if block.kind == "tool_call" and "legacy" not in block.fields:
        missing = tuple(name for name in ("id", "name") if not block.fields.get(name))
    bar = Bar(
        start,
        end,
        title_of(block),
        meaning,
        block.n * 2 + side,
        state=state,
        closed_early="closed_on" in block.fields,
        missing=missing,
        repaired="repaired" in block.fields or block.fields.get("id_made_up") is not None or block.override is not None,
    )
    if events is not None and len(block.deltas):
        of = [min(events[delta], last) for delta in block.deltas]
        bar.events = array("I", of)
        bar.fragments = array("q", [positions[n] for n in of])
        fragments = block.fragments
        bar.words = lambda i: visible(clip(fragments[i], WORD)) if i < len(fragments) else ""
        bar.end = max(bar.end, bar.fragments[-1])
    return bar


def title_of(block: Block, counts: bool = True) -> str:
    """A block's title: Reasoning 1 · 149 deltas · 707 chars. Calls by their name."""
    deltas, chars = len(block.deltas), sum(map(len, block.fragments)) if block.override is None else len(block.override)
    if block.kind == "tool_call":
        name = block.fields.get("name")
        title = visible(clip(name, 40)) if name else "arguments only" if block.text else "call"
    else:
        title = TITLES.get(block.kind, block.kind)
    if not counts:
        return title
    words = f" · {number(chars)} char{'' if chars == 1 else 's'}" if chars else ""
    return f"{title} · {number(deltas)} delta{'' if deltas == 1 else 's'}{words}"


def _findings(session: Session, reading: Reading, clock: Clock) -> Lane:
    positions = clock.positions
    lane = Lane("findings", "Findings", number(len(reading.findings)), icon="filter")
    last = len(positions) - 1
    if last < 0:
        return lane
    difference = session.difference
    if difference is not None and difference.first_difference is not None:
        event = min(difference.first_difference.event, last)
        icon = "scissors" if difference.verdict == "fragmented" else "brackets"
        lane.marks.append(Mark(positions[event], "error", "comparison", 1, event, icon=icon))
    for finding in reading.findings:
        if not len(finding.events):
            continue
        first, final = min(finding.events[0], last), min(finding.events[-1], last)
        end = positions[final] if finding.count > 1 and final > first else None
        lane.marks.append(Mark(positions[first], finding.severity, finding.rule, finding.count, first, end))
    lane.marks.sort(key=lambda mark: mark.position)
    return lane
