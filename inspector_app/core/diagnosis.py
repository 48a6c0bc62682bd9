"""The engine of findings: who sees what, how places add up to one finding, what only follows from something else.

A rule says where it looks; the engine looks there for all of them in one pass:

- `flag`: bits that the framing sets on an event (core/flags.py);
- `shape`: runs once per shape of a payload, so it may look only at keys, types and emptiness;
- `kinds` and `watch`: a function made per stream that sees the events whose deltas have one of these kinds;
- a note: the file layer, the framing or the assembler names the rule when it repairs or meets something;
- `end`: looks at the whole reading once the data has ended; where that takes long as a generator, with rests.

Only the last waits for the end (findings.md general rule 9).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from inspector_app.core.call_words import Calls
from inspector_app.core.groups import SHOWN, Group, Hit, by_severity, finding_of, joined, settling
from inspector_app.core.in_order import ordering
from inspector_app.core.types import Block, Delta, Finding

if TYPE_CHECKING:
    from inspector_app.core.reading import Reading

MANY = 2_000
"""Events of one finding that are sorted again while it grows; of more they come in order as it is."""

SHAPES = 5_000
"""Shapes of payloads whose hits are remembered."""

DEEP = 60
"""Levels of a payload that make up its shape; no rule looks further down."""

Hits = tuple[tuple[str, str], ...]
"""(rule, pointer) each."""


def shape_of(value: Any, depth: int = 0) -> Any:
    """Keys, types and emptiness of a JSON value: what rules by shape may look at. None where it is nested too deep."""
    if depth > DEEP:
        return None
    if type(value) is dict:
        return tuple([(key, shape_of(member, depth + 1)) for key, member in value.items()])
    if type(value) is list:
        return (list, *[shape_of(member, depth + 1) for member in value])
    return type(value), not value


class Seen(NamedTuple):
    """What a watching rule sees of one event: its first JSON value, all deltas, and what the stream is by now."""

    n: int
    payload: Any
    deltas: list[Delta]
    name: str | None
    framing: str = "sse"
    dialect: str = ""


class Report:
    """Where one rule puts its hits."""

    __slots__ = ("_diagnosis", "rule")

    def __init__(self, diagnosis: Diagnosis, rule: str) -> None:
        self._diagnosis = diagnosis
        self.rule = rule

    def __call__(
        self,
        event: int,
        pointer: str | None = None,
        *,
        start: int | None = None,
        end: int | None = None,
        block: Block | None = None,
        detail: str = "",
        count: int = 1,
        case: str = "",
    ) -> None:
        """One place: an event, and in it a JSON Pointer or a byte range [start, end) of the body, or all of it.

        `case` picks the advice, where the rule has several.
        """
        self._diagnosis.hit(self.rule, event, pointer, start, end, block, detail, count, case)


Watcher = Callable[[Seen], None]


@dataclass(frozen=True, slots=True)
class Rule:
    """One diagnostic. `message` may use {count}, {detail}, {s} (plural s) and, of a block, {call} (which tool call it
    is); advice and message are our own words.

    `under` names the rules that this one only follows from. `line` finds the place inside a line for rules by
    flag: it gets the line's content and returns the range there, or None when this line is not the one. An event with
    a bit of `unless` is none of theirs. `settle` has the last word once the stream is known: of the events that were
    hit it returns those that count. `cases`: other advice by case, that a report names, or `case_of` by its detail.
    `instead_of` names rules that say nothing where this one speaks: what they accuse somebody of is told by it.
    """

    name: str
    severity: str
    scope: str
    message: str
    advice: str
    why: str = ""
    breaks: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    instead_of: frozenset[str] = frozenset()
    heuristic: bool = False
    flag: int = 0
    unless: int = 0
    line: Callable[[bytes], tuple[int, int] | None] | None = None
    keys: frozenset[str] = frozenset()
    shape: Callable[[Any], Iterable[str]] | None = None
    kinds: frozenset[str] = frozenset()
    watch: Callable[[Report], Watcher] | None = None
    end: Callable[[Reading, Report], Iterator[None] | None] | None = None
    settle: Callable[[Reading, array[int]], Iterable[int]] | None = None
    cases: Mapping[str, str] = field(default_factory=dict, hash=False)
    case_of: Callable[[str], str] | None = None


class Diagnosis:
    """Collects hits while a stream is read; `findings` makes them findings."""

    def __init__(self, rules: Mapping[str, Rule], enabled: bool = True) -> None:
        self.rules = rules
        self.enabled = enabled
        self._groups: dict[tuple[str, int], Group] = {}
        self._growing: dict[str, Group] = {}
        """What `so_far` has found by shape and by flag; the end finds it anew."""
        self._judged = 0
        self._told: dict[int, tuple[tuple[int, int], Finding]] = {}
        self._known: dict[Any, Hits] = {}
        self._shapes = [rule for rule in rules.values() if rule.shape is not None] if enabled else []
        self._watchers: dict[str, list[Watcher]] = {}
        for rule in rules.values() if enabled else ():
            if rule.watch is not None:
                watcher = rule.watch(Report(self, rule.name))
                for kind in rule.kinds:
                    self._watchers.setdefault(kind, []).append(watcher)

    def hit(
        self,
        rule: str,
        event: int,
        pointer: str | None,
        start: int | None,
        end: int | None,
        block: Block | None,
        detail: str,
        count: int = 1,
        case: str = "",
    ) -> None:
        """One place of one rule. Block rules are grouped by block, all others by stream."""
        if not self.enabled:
            return
        known = self.rules.get(rule)
        by_block = known is not None and known.scope == "block" and block is not None
        key = (rule, id(block) if by_block else 0)
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = Group(block)
        group.count += count
        group.events.append(event)
        if len(group.hits) < SHOWN:
            group.hits.append((event, pointer, start, end))
        if detail and not group.detail:
            group.detail = detail
        group.case = group.case or case

    def has(self, rule: str, event: int) -> bool:
        """Whether a rule was raised in an event already."""
        group = self._groups.get((rule, 0))
        return group is not None and event in group.events

    def take_faults(self, reading: Reading) -> None:
        """What the file layer saw. Where the piece that a cut left is named already, the cause of the cut is added."""
        last = max(0, len(reading.body) - 1)
        found = [(fault, reading.event_at(min(fault.at, last)) or 0) for fault in reading.exchange.faults]
        for (fault, event), named in zip(found, [self.has(fault.rule, event) for fault, event in found], strict=True):
            case_of = getattr(self.rules.get(fault.rule), "case_of", None)
            case = case_of(fault.detail) if case_of is not None else ""
            if not named:
                self.hit(fault.rule, event, None, fault.at, fault.end, None, fault.detail, case=case)
            elif fault.detail:
                group = self._groups[fault.rule, 0]
                group.detail, group.case = "; ".join(filter(None, [fault.detail, group.detail])), group.case or case

    def note(self, rule: str, event: int, pointer: str, block: Block | None, detail: str) -> None:
        """A repair or a fact that the assembler or the analysis reports by the name of its rule."""
        self.hit(rule, event, pointer or None, None, None, block, detail)

    def shape_hits(self, payload: Any, keys: Callable[[Any], Iterable[str]]) -> Hits:
        """The rules that the shape of a payload raises, with pointers. `keys` gives the keys that rules ask for."""
        shape = shape_of(payload)
        found = self._known.get(shape) if shape is not None else None
        if found is None:
            present = frozenset(keys(payload))
            out: list[tuple[str, str]] = []
            for rule in self._shapes:
                assert rule.shape is not None
                if not rule.keys or rule.keys & present:
                    out.extend((rule.name, pointer) for pointer in rule.shape(payload))
            found = tuple(out)
            if shape is not None and len(self._known) < SHAPES:
                self._known[shape] = found
        return found

    def watch(self, seen: Seen) -> None:
        """Show one event to the rules that asked for a kind of its deltas; "*" asks for every event shown here."""
        told: dict[Watcher, None] = dict.fromkeys(self._watchers.get("*", ()))
        for delta in seen.deltas:
            told.update(dict.fromkeys(self._watchers.get(delta.kind, ())))
        for watcher in told:
            watcher(seen)

    def count(self, seen: Seen) -> None:
        """Show the usage of an event that is like an earlier one otherwise, to those that asked for usage by name."""
        for watcher in self._watchers.get("usage", ()):
            watcher(seen)

    def end(self, reading: Reading) -> Iterator[None]:
        """The data has ended: run the rules about ends, absences and whole blocks, and those by flag and shape.

        A generator: each step is one rule or a part of it, so that a window can repaint in between.
        """
        if not self.enabled:
            return
        yield from self._collect(reading)
        for rule in self.rules.values():
            if rule.end is not None:
                yield from rule.end(reading, Report(self, rule.name)) or ()
                yield

    def _collect(self, reading: Reading) -> Iterator[None]:
        """Hits by shape and by flag lie in the event columns; here they become groups."""
        yield from reading.settling()
        yield from reading.grouping()
        for number, places in reading.events_by_layout().items():
            for rule, pointer in reading.layouts[number].hits:
                self._add(rule, places, pointer)
        yield
        yield from reading.flagging()
        raised = 0
        for bits in reading.events_by_flags():
            raised |= bits
        reading.raised = raised
        for rule_ in self.rules.values():
            if rule_.flag & raised:
                yield from self._by_flag(reading, rule_)

    def _add(self, rule: str, events: array[int], pointer: str) -> None:
        """One place of a rule in each of these events."""
        group = self._groups.setdefault((rule, 0), Group(None))
        group.count += len(events)
        group.events.extend(events)
        hits = [*group.hits, *((n, pointer, None, None) for n in events[:SHOWN])]
        group.hits = sorted(hits, key=lambda hit: hit[0])[:SHOWN]

    def _by_flag(self, reading: Reading, rule: Rule) -> Iterator[None]:
        events = array("I")
        for bits, places in reading.events_by_flags().items():
            if bits & rule.flag and not bits & rule.unless:
                events.extend(places)
        for found in ordering(events):
            yield
            events = found
        if not events:
            return
        group = self._groups.setdefault((rule.name, 0), Group(None))
        lines = sum(count for flag, count in reading.line_counts.items() if flag & rule.flag)
        group.count += lines if rule.scope == "line" and lines else len(events)
        group.events.extend(events)
        for n in events[:SHOWN]:
            group.hits += _flagged_places(reading, rule, n)[: SHOWN - len(group.hits)]

    def findings_in_steps(self, reading: Reading) -> Iterator[list[Finding]]:
        """All findings, most severe first, then by first place; what only follows stands under its cause. They are the
        last of what is given, with a rest before each: a rule may have a million places.
        """
        settled = []
        for (name, _), group in self._groups.items():
            kept = group
            for found in settling(reading, self._rule(name), group):
                kept = found
                yield []
            settled.append((self._rule(name), kept))
        silenced = {name: rule.name for rule, group in settled if group.count for name in rule.instead_of}
        standing = [(rule, group) for rule, group in settled if group.count and rule.name not in silenced]
        # What follows from a silenced rule follows from the one that speaks instead.
        raised = {rule.name: rule.name for rule, _ in standing} | silenced
        out, calls = [], Calls(reading)
        for rule, group in standing:
            ordered = array("I")
            for found_ in ordering(group.events) if len(reading.events) else ():
                ordered = found_
                yield []
            out.append(finding_of(reading, rule, group, raised, ordered, calls))
            yield []
        yield by_severity(out)

    def so_far(self, reading: Reading) -> list[Finding]:
        """The findings of a stream that is live, in the same order; each call costs what has come since the last one.

        Rules that look at the whole wait for the end: those about ends and absences, and those that settle their hits.
        """
        events = reading.events
        flagged = [rule for rule in self.rules.values() if rule.flag and rule.settle is None]
        for n in range(self._judged, len(events)):
            for name, pointer in reading.layouts[events.layouts[n]].hits:
                self._grow(name, n, [(n, pointer, None, None)])
            bits = events.flags[n]
            for rule in flagged if bits else ():
                if bits & rule.flag and not bits & rule.unless:
                    self._grow(rule.name, n, _flagged_places(reading, rule, n))
        self._judged = len(events)
        groups = {key: group for key, group in self._groups.items() if self._rule(key[0]).settle is None}
        for name, group in self._growing.items():
            if self._rule(name).settle is not None:
                continue
            known = groups.get((name, 0))
            groups[name, 0] = group if known is None else joined(known, group)
        raised = {name: name for name, _ in groups}
        found, calls = [], Calls(reading)
        for (name, _), group in groups.items():
            # What was told already is told again as long as nothing was added to it.
            stamp = group.count, len(raised)
            told = self._told.get(id(group))
            if told is None or told[0] != stamp:
                many = len(group.events) > MANY
                ordered = group.events[:] if many else array("I", sorted(set(group.events)))
                told = stamp, finding_of(reading, self._rule(name), group, raised, ordered, calls)
                self._told[id(group)] = told
            found.append(told[1])
        return by_severity(found)

    def _grow(self, name: str, n: int, hits: list[Hit]) -> None:
        group = self._growing.setdefault(name, Group(None))
        group.count += 1
        group.events.append(n)
        group.hits += hits[: SHOWN - len(group.hits)]

    def _rule(self, name: str) -> Rule:
        rule = self.rules.get(name)
        if rule is None:
            raise LookupError(f"no rule is named {name!r}")
        return rule


def _flagged_places(reading: Reading, rule: Rule, n: int) -> list[Hit]:
    """The places of a rule by flag in an event: inside its lines where the rule can tell, else all of it."""
    if rule.line is None:
        return [(n, None, None, None)]
    hits: list[Hit] = []
    first, last = reading.lines_of(n)
    for number in range(first, last):
        start, end, _ = reading.lines[number]
        if number == 0 and reading.body.slice(0, 3) == b"\xef\xbb\xbf":
            start += 3
        found = rule.line(reading.body.slice(start, end))
        if found is not None:
            hits.append((n, None, start + found[0], start + found[1]))
    return hits
