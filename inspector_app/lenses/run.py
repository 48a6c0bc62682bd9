"""Runs readings: the reference, then any client over the same bytes, with what the reference found handed down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from inspector_app.core.actions import NOTHING, Action, Actions
from inspector_app.core.analysis import Analysis
from inspector_app.core.diagnosis import Rule
from inspector_app.core.kit import Kit
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Exchange
from inspector_app.lenses.load import Lens


def analysis_of(
    exchange: Exchange,
    kit: Kit,
    lens: Lens | None = None,
    reference: Reading | None = None,
    *,
    dialect: str | None = None,
    framing: str | None = None,
) -> Analysis:
    """An analysis that waits to be fed: the reference's, or a client's once the reference has been read."""
    if lens is None:
        return Analysis(exchange, kit, dialect=dialect, framing=framing)
    actions = actions_of(lens.rules, reference, kit.rules) if reference is not None else None
    return Analysis(
        exchange, kit, lens.rules, lens.name, dialect=dialect, framing=framing, actions=actions, diagnose=False
    )


def run(analysis: Analysis, size: int = 1 << 18) -> Iterator[int]:
    """Feed an analysis its exchange in pieces of `size` bytes, or in its reads where they are known.

    Yields the bytes read so far; `analysis.reading` is the result.
    """
    done = 0
    for piece in analysis.reading.exchange.chunks(size):
        analysis.feed(piece)
        done += len(piece)
        yield done
    for _ in analysis.finish_steps():
        yield done


def read(exchange: Exchange, kit: Kit, *, dialect: str | None = None, framing: str | None = None) -> Reading:
    """The reference reading of an exchange."""
    analysis = analysis_of(exchange, kit, dialect=dialect, framing=framing)
    for _ in run(analysis):
        pass
    return analysis.reading


def read_as(
    lens: Lens, reference: Reading, kit: Kit, *, dialect: str | None = None, framing: str | None = None
) -> Reading:
    """The same exchange as a client reads it."""
    analysis = analysis_of(reference.exchange, kit, lens, reference, dialect=dialect, framing=framing)
    for _ in run(analysis):
        pass
    return analysis.reading


def actions_of(rules: ReadingRules, reference: Reading, known: Mapping[str, Rule]) -> Actions:
    """What a client does where the reference found something, by the offset of the event.

    The event is the one at each place of the finding, for a finding about the whole stream its last (22.2).
    """
    out: dict[int, Action] = {}
    for finding in reference.findings:
        action = _action(rules, finding.rule)
        if action is NOTHING:
            continue
        whole = known[finding.rule].scope == "stream"
        for n in finding.events[-1:] if whole else finding.events:
            at = reference.bytes_of(n)[0]
            out[at] = out.get(at, NOTHING) | action
    return Actions(out)


def _action(rules: ReadingRules, rule: str) -> Action:
    skip = rule in rules.skips_on
    if rule in rules.stops_on:
        return Action(skip, "stop", rules.stops_on[rule])
    if rule in rules.parts_on:
        return Action(skip, "part", rules.parts_on[rule])
    return Action(skip) if skip else NOTHING


def knows(lens: Lens, reading: Reading) -> bool:
    """True when a lens speaks about the dialect of a stream; a body without a dialect is read by every lens."""
    return reading.dialect in lens.dialects or reading.dialect == "none"


def in_reference(reference: Reading, reading: Reading, n: int | None) -> int | None:
    """An event of a reading in the numbers of the reference; framings may number otherwise."""
    if n is None or reading is reference or len(reading.events) == len(reference.events):
        return n
    return reference.event_at(reading.bytes_of(n)[0]) if n < len(reading.events) else reference.last_event
