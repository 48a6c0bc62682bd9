"""Runs readings: the reference, then any client over the same bytes, with what the reference found handed down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from inspector_app.core.analysis import Analysis
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
    actions = actions_of(lens.rules, reference) if reference is not None else {}
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


def actions_of(rules: ReadingRules, reference: Reading) -> dict[int, tuple[str, str]]:
    """What a client does at an event, by an offset in it: skip, part, stop, or skip-part, skip-stop; and the text.

    The event is the one at each place of the finding, for a finding about the whole stream its last (22.2). It is
    named by its bytes, because another framing numbers events differently.
    """
    named = {*rules.skips_on, *rules.parts_on, *rules.stops_on}
    out: dict[int, tuple[str, str]] = {}
    for finding in reference.findings:
        if finding.rule not in named or not len(finding.events):
            continue
        act = "stop" if finding.rule in rules.stops_on else "part" if finding.rule in rules.parts_on else ""
        text = rules.stops_on.get(finding.rule) or rules.parts_on.get(finding.rule) or ""
        skip = "skip" if finding.rule in rules.skips_on else ""
        for n in finding.events:
            with suppress(IndexError):
                at = reference.bytes_of(n)[0]
                before = out.get(at, ("", ""))
                word = "-".join(filter(None, (skip or ("skip" if "skip" in before[0] else ""), act or before[0][-4:])))
                out[at] = (word.replace("skip-skip", "skip"), text or before[1])
    return dict(sorted(out.items()))


def knows(lens: Lens, reading: Reading) -> bool:
    """True when a lens speaks about the dialect of a stream; a body without a dialect is read by every lens."""
    return reading.dialect in lens.dialects or reading.dialect == "none"
