"""What a provider changed: two surveys side by side. Contents are compared by `lenses.compare`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any, NamedTuple

from inspector_app.core.pointer import flatten
from inspector_app.core.reading import Reading
from inspector_app.core.text import number
from inspector_app.report.headers import changed_headers
from inspector_app.report.outline import finish
from inspector_app.report.paths import STEP, above
from inspector_app.report.standing import Stand
from inspector_app.report.survey import BEYOND, NONE, Fact, Field, Survey

FEW = 5
"""Events below which it says nothing that a field stands in each of them."""
HELD = 3
"""Events that have an object below which it says nothing that a field of it is in each of them."""
LOOKED_AT = 2000
"""Events of which the first is looked for that has a field where the other stream has not."""
LONGEST = 64
"""Characters of a value that can be one that all events share; longer ones are content."""
OWN = {"id", "created", "created_at", "responseId", "obfuscation", "timestamp", "createTime"}
"""Keys whose values are another in each answer and say nothing of the provider; so are those that end in `_id`."""
ABSENT = "not there"
MANY = 20
"""Keys of one object that came or went and are told one by one."""
OF_SSE = (
    "space after the colon", "id lines", "retry lines", "event lines", "event: ", "several data lines in an event",
    "comments", "comment: ", "no blank line after the last event",
)  # fmt: skip
"""How the facts begin that only a stream of SSE has."""


class Difference(NamedTuple):
    """One thing in which two streams differ, in their `framing`, `shape` or `content`. `a` and `b` say how it is there,
    `events` where it shows first in each.
    """

    layer: str
    what: str
    a: str
    b: str
    events: tuple[int | None, int | None] = (None, None)

    def to_json(self) -> dict[str, Any]:
        """The row as `diff --json` prints it."""
        return {"what": self.what, "a": self.a, "b": self.b, "events": dict(zip("ab", self.events))}


def differences(a: Survey, b: Survey) -> list[Difference]:
    """How stream b is written and shaped otherwise than stream a: framing first, then paths in order of appearance."""
    return [*_framing(a, b), *_heads(a, b), *_folded([*_shape(a, b)]), *_orders(a, b)]


def no_stream(reading: Reading, name: str) -> str:
    """That a recording has not one event, in words; else nothing."""
    count = len(reading.exchange.body)
    if len(reading.events):
        return ""
    if not count:
        return f"{name} is empty: not one byte came"
    return f"{name} is no stream: no event was found in its {number(count)} byte{'' if count == 1 else 's'}"


def finishes(a: Reading, b: Reading) -> Iterator[Difference]:
    """The finish reasons, in the words of the wire, where they are not the same."""
    ours, theirs = _finish(a), _finish(b)
    if ours != theirs:
        yield Difference("content", "finish reason", ours, theirs, (_finished(a), _finished(b)))


def _finished(reading: Reading) -> int | None:
    return int(reading.finishes[0]["event"]) if reading.finishes else None


def _finish(reading: Reading) -> str:
    return ", ".join(str(entry["raw"]) if entry["raw"] else "none" for entry in finish(reading)) or "none"


def _framing(a: Survey, b: Survey) -> Iterator[Difference]:
    nothing = Fact(NONE, "none")
    # In another container there are no such lines: that is told once, as the container.
    both = a.reading.framing == b.reading.framing
    for what in dict.fromkeys((*a.facts, *b.facts)):
        if not both and what.startswith(OF_SSE):
            continue
        ours, theirs = a.facts.get(what, nothing), b.facts.get(what, nothing)
        if what.startswith("comment: ") and not (a.facts["comments"].key and b.facts["comments"].key):
            continue
        if what == BEYOND and not (ours.key and theirs.key):
            continue
        if ours.key != theirs.key:
            yield Difference("framing", what, ours.words, theirs.words, (ours.event, theirs.event))


def _heads(a: Survey, b: Survey) -> Iterator[Difference]:
    for row in changed_headers(a.reading.exchange.http, b.reading.exchange.http):
        yield Difference("framing", *row)


def _shape(a: Survey, b: Survey) -> Iterator[Difference]:
    enough = min(a.payloads, b.payloads) >= FEW
    often: list[str] = []
    for path in dict.fromkeys((*a.fields, *b.fields)):
        sides = a.standing.paths.get(path), b.standing.paths.get(path)
        fields = a.fields.get(path), b.fields.get(path)
        events = (None if sides[0] is None else sides[0].first, None if sides[1] is None else sides[1].first)
        types = _types(fields[0], sides[0]), _types(fields[1], sides[1])
        if sides[0] is None or sides[1] is None or types[0].keys() != types[1].keys():
            if sides[0] is not None and sides[1] is not None:
                # Where it shows is the first value of a type that the other has not.
                events = _first_but(types[0], types[1]), _first_but(types[1], types[0])
            yield Difference("shape", path, _said(types[0], sides[0]), _said(types[1], sides[1]), events)
            continue
        counts = sides[0].events, sides[1].events
        each = (counts[0] >= a.payloads, counts[1] >= b.payloads)
        if enough and each[0] != each[1]:
            yield Difference("shape", path, _often(counts[0], a), _often(counts[1], b), events)
        elif counts[0] != counts[1] and a.payloads == b.payloads:
            often.append(path)
        elif said := _among(path, a, b):
            yield Difference("shape", path, *said, events)
        elif fields[0] is None or fields[1] is None:
            # Types are the same, so that one is full where the other is empty.
            ours, theirs = fields
            empty = (None if ours is None else ours.first, None if theirs is None else theirs.first)
            yield Difference("shape", path, _emptiness(ours), _emptiness(theirs), empty)
        elif _shared(path, fields[0]) and _shared(path, fields[1]) and fields[0].value != fields[1].value:
            yield Difference("shape", path, f"always {fields[0].value!r}", f"always {fields[1].value!r}", events)
    yield from _oftener(often, a, b)


def _oftener(paths: Iterable[str], a: Survey, b: Survey) -> Iterator[Difference]:
    """Fields that came or went in some events of two streams that have as many; an object that did is one of them."""
    tops = dict.fromkeys(_outermost(path, a, b) for path in paths)
    places = _unlike(tops, a.reading, b.reading)
    for path in tops:
        sides = a.standing.paths[path], b.standing.paths[path]
        events = places.get(path, (sides[0].first, sides[1].first))
        yield Difference("shape", path, _often(sides[0].events, a), _often(sides[1].events, b), events)


def _outermost(path: str, a: Survey, b: Survey) -> str:
    """The outermost of what holds a field that is in just as many events as the field is, in each of both."""
    counts = _counts(path, a, b)
    while (holder := above(path)) != path and _counts(holder, a, b) == counts:
        path = holder
    return path


def _counts(path: str, a: Survey, b: Survey) -> tuple[int, int] | None:
    """In how many events of each a field is, None where one of both has not got it at all."""
    ours, theirs = a.standing.paths.get(path), b.standing.paths.get(path)
    return None if ours is None or theirs is None else (ours.events, theirs.events)


def _unlike(paths: Iterable[str], a: Reading, b: Reading) -> dict[str, tuple[int, int]]:
    """The first events, of one number, of which one has a field and the other has not; of the first events alone."""
    left, found = set(paths), dict[str, tuple[int, int]]()
    for n in range(min(len(a.events), len(b.events), LOOKED_AT)):
        if not left:
            break
        ours, theirs = ({path for path, _ in flatten(reading.payload(n))} for reading in (a, b))
        if ours != theirs:
            found |= {path: (n, n) for path in left if _stands(path, ours) != _stands(path, theirs)}
            left -= found.keys()
    return found


def _stands(path: str, leaves: Iterable[str]) -> bool:
    return any(leaf.startswith(path) and leaf[len(path) : len(path) + 1] in ("", ".", "[") for leaf in leaves)


def _among(path: str, a: Survey, b: Survey) -> tuple[str, str] | None:
    """How often a field is in what holds it, where that is always so in one stream and not in the other."""
    holder = above(path)
    counts, held = _counts(path, a, b), _counts(holder, a, b)
    if holder == path or counts is None or held is None or min(held) < HELD:
        return None
    if (counts[0] >= held[0]) == (counts[1] >= held[1]):
        return None
    name = holder.rpartition(".")[2]
    said = [f"in {count} of {_events(all_)} with {name}" for count, all_ in zip(counts, held)]
    return said[0], said[1]


def _folded(rows: list[Difference]) -> Iterator[Difference]:
    """Many keys of one object that came or went are one difference: they are values rather than names."""
    groups: dict[str, list[Difference]] = {}
    for row in rows:
        if ABSENT in (row.a, row.b):
            groups.setdefault(above(row.what), []).append(row)
    for row in rows:
        group = groups.get(above(row.what), []) if ABSENT in (row.a, row.b) else []
        if len(group) <= MANY:
            yield row
        elif row is group[0]:
            ours, theirs = ([one for one in group if one[side] == ABSENT] for side in (3, 2))
            events = (ours[0].events[0] if ours else None, theirs[0].events[1] if theirs else None)
            yield Difference("shape", above(row.what), _such_as(ours), _such_as(theirs), events)


def _such_as(rows: list[Difference]) -> str:
    """How many keys of its own an object has on one side."""
    return f"{len(rows)} keys of its own, such as {STEP.findall(rows[0].what)[-1]}" if rows else "none of its own"


def _orders(a: Survey, b: Survey) -> Iterator[Difference]:
    """Of each object whose keys stand in another order the key that moved past most of the others."""
    for path in a.orders:
        ours, theirs = _before(a.orders[path]), _before(b.orders.get(path, {}))
        turned = [(x, y) for x, y in ours if (y, x) in theirs and (y, x) not in ours and (x, y) not in theirs]
        if turned:
            times = Counter(key for pair in turned for key in pair)
            moved = max(times, key=lambda key: (times[key], key))
            x, y = min((pair for pair in turned if moved in pair), key=sorted)
            words = ("before", "after") if x == moved else ("after", "before")
            other = (y if x == moved else x).removeprefix(".")
            said = (f"{words[0]} {other}", f"{words[1]} {other}")
            yield Difference("shape", (path + moved).removeprefix("."), *said, (ours[x, y], theirs[y, x]))


def _before(orders: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """Which key stands before which, and in which event first."""
    found: dict[tuple[str, str], int] = {}
    for keys, n in orders.items():
        for pair in combinations(keys, 2):
            found.setdefault(pair, n)
    return found


def types_alone(path: str, a: Survey, b: Survey) -> frozenset[str]:
    """The JSON types that a field has in stream a and not in stream b, where both have it."""
    ours, theirs = (_types(its.fields.get(path), its.standing.paths.get(path)) for its in (a, b))
    return frozenset(ours.keys() - theirs.keys()) if ours and theirs else frozenset()


def _first_but(ours: Mapping[str, int], theirs: Mapping[str, int]) -> int | None:
    return min((event for kind, event in ours.items() if kind not in theirs), default=None)


def _types(known: Field | None, stand: Stand | None) -> dict[str, int]:
    """The types of a field and the first event of each."""
    out = dict(known.types) if known is not None else {}
    for kind, event in stand.full.items() if stand is not None else ():
        out[kind] = min(event, out.get(kind, event))
    return out


def _said(types: Iterable[str], stand: Stand | None) -> str:
    return ABSENT if stand is None else f"{' or '.join(sorted(types))}, in {_events(stand.events)}"


def _emptiness(known: Field | None) -> str:
    """How often an object or an array is empty: only then the ledger has its path."""
    return "never empty" if known is None else f"empty in {_events(known.events)}"


def _events(count: int) -> str:
    return f"{count} event{'' if count == 1 else 's'}"


def _often(count: int, survey: Survey) -> str:
    return "in each event" if count >= survey.payloads else f"in {number(count)} of {_events(survey.payloads)}"


def _shared(path: str, known: Field) -> bool:
    """Whether a field has one value in all of several events, and one that says something of the sender."""
    key = path.rpartition(".")[2]
    if key in OWN or key.endswith("_id") or known.many or known.events < 2:
        return False
    return isinstance(known.value, str) and len(known.value) <= LONGEST
