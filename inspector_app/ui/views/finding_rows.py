"""The rows of the findings pane: the comparison first, then each finding with what follows from it below it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from inspector_app.core.reading import Reading
from inspector_app.core.text import clip, number, visible
from inspector_app.core.types import NO_TIME, Block, Finding, Place
from inspector_app.lenses import REFERENCE, Difference
from inspector_app.report.comparison import concerning
from inspector_app.ui.mended import mended_by
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.verdict_words import literal_words

COLUMNS = 120
"""Columns of the strip that shows where in the stream the places lie."""
JOIN = 12
"""Places this many columns apart are drawn as one run."""
LONGEST = 300
SHORT = 76
"""Characters of headline and cause that a usual pane shows whole."""

VERDICT_WORDS = {
    "failed": "fails on it", "lost": "loses", "merged": "merges blocks", "fragmented": "reads it fragmented",
    "altered": "reads it otherwise",
}  # fmt: skip
VERDICT_ICONS = {"failed": "error", "lost": "brackets", "fragmented": "scissors"}
LOSSES = {
    "tool call": "a tool call", "reasoning": "reasoning", "text": "text", "refusal": "a refusal", "media": "media",
    "all ": "everything",
}  # fmt: skip
"""A word of a headline -> what is lost."""
ORDERS = {"severity": "by severity", "place": "by place"}


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `rule` is None for the comparison. `events` are all events concerned, in order, `places` the bytes of
    the first of them, `where` says where it begins.
    """

    rule: str | None
    title: str
    message: str
    severity: str
    icon: str
    count: int
    events: Sequence[int]
    places: Sequence[Place]
    where: str
    pointer: str | None = None
    advice: str = ""
    breaks: str = ""
    follows: str = ""
    mended: str = ""
    """"repaired" or "inferred" where the reference did so; empty where it read what stands there."""
    block: int | None = None
    muted: bool = False
    known: str = ""
    """How sure it is that a client reads so, and where that was seen."""

    @property
    def counted(self) -> str:
        """The count as it stands at the right."""
        return f"×{number(self.count)}" if self.count > 1 else f"{self.count}"

    def holds(self, event: int) -> bool:
        """Whether one of the places lies in this event."""
        at = bisect_left(self.events, event)
        return at < len(self.events) and self.events[at] == event

    @property
    def remarks(self) -> list[str]:
        """What the chips of the row say."""
        return [*(["muted"] if self.muted else []), *([self.mended] if self.mended else [])]

    def spoken(self) -> str:
        """The whole row in words, for screen readers."""
        times = "once" if self.count == 1 else f"{self.count} times"
        parts = [f"{self.severity}: {self.title}, {times}, first at {self.where}", self.message]
        parts += [f"follows from {self.follows}"] if self.follows else []
        parts += self.remarks
        parts += [words for words in (self.advice, self.known) if words]
        return ". ".join(part.replace("`", "").rstrip(".") for part in parts) + "."


def rows_of(session: Session, order: str = "severity") -> list[Row]:
    """All rows of a session, by severity or by the place where each begins; those of muted rules are the last."""
    reference = session.reference
    if reference is None:
        return []
    rows = [_finding_row(session, reference, finding) for finding in reference.findings]
    if order == "place":
        rows.sort(key=lambda row: row.places[0].start if row.places else 0)
    compared = comparison_row(session)
    heard, muted = ([row for row in rows if row.muted is silent] for silent in (False, True))
    return [*([compared] if compared is not None else []), *_below_their_causes(heard), *_below_their_causes(muted)]


def _below_their_causes(rows: list[Row]) -> Iterable[Row]:
    """What only follows stands right below its cause; a cause that is not there leaves a row on its own."""
    causes = {row.title: row.follows for row in rows}
    titles = {row.title for row in rows if not row.follows}
    following: dict[str, list[Row]] = {}
    for row in rows:
        if row.follows and _first_cause(row, causes) in titles:
            following.setdefault(row.follows, []).append(row)

    def below(title: str) -> Iterable[Row]:
        for row in following.pop(title, ()):
            yield row
            yield from below(row.title)

    last = {row.title: index for index, row in enumerate(rows) if not row.follows}
    for index, row in enumerate(rows):
        if row.follows and _first_cause(row, causes) in titles:
            continue
        yield replace(row, follows="")
        if last.get(row.title) == index:
            yield from below(row.title)


def _first_cause(row: Row, causes: Mapping[str, str]) -> str:
    """What stands at the beginning of the chain that a row follows from; empty where it follows from nothing here."""
    cause, seen = row.follows, {row.title}
    while causes.get(cause) and cause not in seen:
        seen.add(cause)
        cause = causes[cause]
    return cause


def _finding_row(session: Session, reference: Reading, finding: Finding) -> Row:
    rule = session.kit.rules.get(finding.rule)
    first = finding.places[0] if finding.places else None
    where = "the whole stream"
    if first is not None:
        by_line = rule is not None and rule.scope == "line"
        if len(reference.events) and not by_line:
            where = f"event {number(first.event)}"
        elif len(reference.lines) and (first.start, first.end) != (0, len(reference.body)):
            where = f"line {number(reference.lines.at(first.start))}"
        else:
            where = "the whole body"
    return Row(
        finding.rule,
        finding.rule,
        _shown(finding.message),
        finding.severity,
        finding.severity,
        finding.count,
        finding.events,
        finding.places,
        where,
        finding.pointer,
        _shown(finding.advice),
        _shown(" · ".join(rule.breaks)) if rule is not None else "",
        finding.under or "",
        mended_by(reference, finding),
        finding.block,
        finding.rule in session.mutes,
    )


def _shown(text: str) -> str:
    return clip(visible(text), 4 * LONGEST)


def client_of(session: Session) -> str | None:
    """The reader that is judged: the one compared with, or the chosen one when it is compared with the reference."""
    if session.secondary is None:
        return session.primary if session.primary != REFERENCE else None
    return session.secondary if session.secondary != REFERENCE else session.primary


def comparison_row(session: Session) -> Row | None:
    """The row of the comparison, None while there is none or nothing differs."""
    difference, client = session.story, client_of(session)
    if difference is None or difference.verdict == "same" or client is None or session.reference is None:
        return None
    others = session.left, session.right
    theirs = session.readings.get(client)
    ours = next((reading for reading in others if reading is not None and reading.reader != client), None)
    if ours is None or theirs is None:
        return None
    events = session.partings.of(session.reference, ours, theirs, difference)
    start = events[0] if events else 0
    where = f"event {number(start)}"
    if any(literally := literal_words(session)):
        words = _shown(", ".join(literally))
        return Row(None, "Literal reading", words, "info", "wand", max(1, len(events)), events, (), where)
    return Row(
        None,
        f"{session.short_title_of(client)} {_verdict(difference)}",
        _shown(_told(difference)),
        "error",
        VERDICT_ICONS.get(difference.verdict, "swap"),
        max(1, len(events)),
        events,
        (),
        where,
        advice=_shown(_consequence(session, difference, start)),
        known=_shown(_known(session, client)),
    )


def _told(difference: Difference) -> str:
    """What differs and why on one line; where both are long the cause comes first, since the end may not be seen."""
    headline, cause = difference.headline, difference.cause
    if cause and len(headline) + len(cause) > SHORT:
        return f"{cause}: {headline[:1].lower()}{headline[1:]}"
    return ", ".join(filter(None, (headline, cause)))


def _consequence(session: Session, difference: Difference, event: int) -> str:
    """What comes of a difference, and what to do about the stream where a finding lies at its place."""
    name = session.short_title_of(difference.b)
    parts = [f"{name} lacks {difference.lacks}."] if difference.lacks else []
    if difference.error is not None:
        parts.append(f"{name} ends in an error at event {number(difference.error[0])}.")
    advice = session.advising.on(session.lenses.get(difference.b))
    found = concerning(session.reference, event) if session.reference is not None else []
    words = advice.gateway if advice is not None else found[0].advice if found else ""
    parts += [f"For whoever sends it: {words}"] if words else []
    return " ".join(parts)


def _known(session: Session, client: str) -> str:
    """How sure it is that this client reads so, and where that was seen."""
    lens = session.lenses.get(client)
    return f"{lens.title}: {lens.summary} Known by {lens.evidence}: {lens.source}" if lens is not None else ""


def _verdict(difference: Difference) -> str:
    words = VERDICT_WORDS[difference.verdict]
    if difference.verdict != "lost":
        return words
    headline = difference.headline.lower()
    return f"{words} {next((what for word, what in LOSSES.items() if word in headline), 'a part of it')}"


def cut_by(reading: Reading, event: int) -> Iterable[Block]:
    """The blocks of a reading that end at an event because of an empty field."""
    return (block for block in reading.blocks if block.closed_at == event and "closed_on" in block.fields)


# the places of a row, one after the other


def stops(row: Row) -> int:
    """How many places a row can be walked through: those with bytes, then the other events."""
    return len(row.places) + len(row.events) - rest_of(row)


def stop(session: Session, row: Row, index: int) -> Selection:
    """Place number `index` of a row as a selection."""
    reference = session.reference
    assert reference is not None
    if index < len(row.places):
        place = row.places[index]
        pointer = row.pointer if index == 0 or _leads(reference, place, row.pointer) else None
        return Selection(
            place.event, pointer=pointer, start=place.start, end=place.end, finding=row.rule,
            block=row.block, reader=None if row.block is None else reference.reader,
        )  # fmt: skip
    event = row.events[rest_of(row) + index - len(row.places)]
    pointer = row.pointer if row.rule is not None else _cutting(session, event)
    start, end = reference.place(event, pointer)
    return Selection(event, pointer=pointer, start=start, end=end, finding=row.rule)


def _leads(reference: Reading, place: Place, pointer: str | None) -> bool:
    return pointer is not None and reference.place(place.event, pointer) == (place.start, place.end)


def rest_of(row: Row) -> int:
    """Where among the events of a row those begin whose bytes are not known."""
    return bisect_right(row.events, row.places[-1].event) if row.places else 0


def _cutting(session: Session, event: int) -> str | None:
    """The pointer of the empty field that ends a block of the compared reading at an event."""
    client = session.readings.get(client_of(session) or "")
    reference = session.reference
    if client is None or reference is None or len(client.events) != len(reference.events):
        return None
    fields = {block.fields["closed_on"].partition(":")[0] for block in cut_by(client, event)}
    for delta in client.decode(event) if fields else ():
        if delta.pointer.rpartition("/")[2] in fields:
            return delta.pointer
    return None


# where the places lie


def edges(reading: Reading) -> list[int]:
    """The first event of each column of the strip, and the end: by time where all times are known, else in order.

    Times count once the data has ended: before that the strip would move with each read.
    """
    count = len(reading.events)
    times = reading.exchange.read_times
    end = reading.time_of(count - 1) if count else None
    if not reading.ended or end is None or end <= 0 or times is None or NO_TIME in times:
        if count < 2:
            return [0, *[count] * COLUMNS]
        return [*(-(-column * (count - 1) // (COLUMNS - 1)) for column in range(COLUMNS)), count]
    marks = [end * column // (COLUMNS - 1) for column in range(COLUMNS)]
    return [0, *(_first_at(reading, bisect_left(times, mark)) for mark in marks[1:]), count]


def _first_at(reading: Reading, read: int) -> int:
    """The first event that this read completed, or a later one."""
    before = (reading.exchange.read_ends or ())[read - 1] if read else 0
    count, n = len(reading.events), reading.event_at(max(0, before - 1)) or 0
    while n and reading.complete_at(n - 1) > before:
        n -= 1
    while n < count and reading.complete_at(n) <= before:
        n += 1
    return n


def runs(edges: Sequence[int], events: Sequence[int]) -> list[tuple[int, int]]:
    """The columns [from, to) that hold places; small gaps are closed."""
    found: list[tuple[int, int]] = []
    before = 0
    for column in range(len(edges) - 1):
        until = bisect_left(events, edges[column + 1], before)
        if until > before:
            if found and column - found[-1][1] < JOIN:
                found[-1] = (found[-1][0], column + 1)
            else:
                found.append((column, column + 1))
        before = until
    return found
