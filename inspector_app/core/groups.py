"""The places of one rule, and the finding that they become once all of them are known."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from inspector_app.core.call_words import Calls
from inspector_app.core.text import clip
from inspector_app.core.types import Block, Finding, Place

if TYPE_CHECKING:
    from inspector_app.core.diagnosis import Rule
    from inspector_app.core.reading import Reading

SHOWN = 20
"""Places kept of one finding; the count goes on (contract.md section 2)."""
DETAIL = 160
"""Characters of a detail in a message; it may come from the wire, so it may be anything."""
WIRE = ("http-", "sse-", "frame-", "end-marker-")
"""Rules about the envelope: silent for a log of payloads that has lost it (contract.md section 2)."""
TOGETHER = 100_000
"""Events of a rule that are looked at between two rests."""
RANK = {"error": 0, "warning": 1, "info": 2}
_BLANKS = re.compile(r"\s+")

Hit = tuple[int, str | None, int | None, int | None]
"""Event, pointer, and the bytes [start, end) where they are known."""


@dataclass(slots=True)
class Group:
    """The places of one rule: those of one block, or of the whole stream."""

    block: Block | None
    count: int = 0
    events: array[int] = field(default_factory=lambda: array("I"))
    hits: list[Hit] = field(default_factory=list)
    detail: str = ""
    case: str = ""


def settling(reading: Reading, rule: Rule, group: Group) -> Iterator[Group]:
    """The hits that count, whole as the last of what is given, with a rest before each; a rule may have a million. The
    group itself stays, since a live stream is settled again and again.
    """
    wire = reading.exchange.synthetic and rule.name.startswith(WIRE)
    if wire or rule.name in getattr(reading.dialect_module, "BY_DESIGN", ()):
        yield Group(None)
        return
    if rule.settle is None:
        yield group
        return
    found = array("I", rule.settle(reading, group.events))
    yield group
    if len(found) == len(group.events):
        yield group  # Nothing was left out.
        return
    kept: set[int] = set()
    for start in range(0, len(found), TOGETHER):
        kept.update(found[start : start + TOGETHER])
        yield group
    events = array("I")
    for start in range(0, len(group.events), TOGETHER):
        events.extend(array("I", filter(kept.__contains__, group.events[start : start + TOGETHER])))
        yield group
    hits = [hit for hit in group.hits if hit[0] in kept]
    seen = {hit[0] for hit in hits}
    hits += islice(((n, None, None, None) for n in events if n not in seen), max(0, SHOWN - len(hits)))
    count = group.count - len(group.events) + len(events)
    yield Group(group.block, count, events, hits, group.detail, group.case)


def finding_of(
    reading: Reading, rule: Rule, group: Group, raised: Mapping[str, str], ordered: array[int], calls: Calls
) -> Finding:
    """The finding of a rule. `ordered` are its events, sorted; `raised` leads from a rule to the one that speaks;
    `calls` names the call that a message speaks of.
    """
    places = []
    pointer = None
    for event, where, start, end in sorted(group.hits, key=lambda hit: hit[0]):
        if start is None or end is None:
            start, end = reading.place(event, where)
        if pointer is None:
            pointer = where
        places.append(Place(event, start, end))
    detail = _BLANKS.sub(" ", clip(group.detail, DETAIL))
    call = calls.named(group.block) if "{call}" in rule.message else ""
    message = rule.message.format(count=group.count, detail=detail, s="" if group.count == 1 else "s", call=call)
    return Finding(
        rule.name,
        rule.severity,
        message,
        rule.cases.get(group.case, rule.advice),
        group.count,
        places,
        ordered,
        pointer,
        group.block.n if group.block is not None and rule.scope == "block" and group.block.n >= 0 else None,
        next((raised[cause] for cause in rule.under if cause in raised), None),
        rule.heuristic,
    )


def by_severity(findings: list[Finding]) -> list[Finding]:
    """The most severe first, then by first place."""
    return sorted(findings, key=lambda f: (RANK[f.severity], f.places[0].start if f.places else 0, f.rule))


def joined(one: Group, other: Group) -> Group:
    """A rule that was noted as well as found: both as one."""
    events = array("I", sorted([*one.events, *other.events]))
    return Group(one.block, one.count + other.count, events, [*one.hits, *other.hits][:SHOWN], one.detail, one.case)
