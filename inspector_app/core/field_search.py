"""Finds the events of which a condition holds (`field_filter`), in the form in which `search` gives what it found."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from inspector_app.core.field_filter import Filter, Row, parse_filter, rules_of, values_at
from inspector_app.core.field_words import MEANT, NAMES, Step, ending_in, keys_of, with_those_above
from inspector_app.core.pattern import Query
from inspector_app.core.pointer import flatten
from inspector_app.core.reading import Reading
from inspector_app.core.search import MOST, Key, Match
from inspector_app.core.text import clip

FIELDS = "fields"
"""The scope of a query that is a condition on fields."""
PIECE = 64
"""Events between two rests."""
SAMPLED = 100
"""Events of the beginning, and of the whole, whose fields are offered."""
PATIENCE = 400
"""Texts that may take an expression too long; then the search ends."""
MOST_PLACES = 20
"""Fields of one event that are shown as what was found."""
MOST_MEANT = 5
"""Fields that are named for one that no event has."""
LONGEST = 60
"""Characters of a field in what is said of it."""


class FieldSearch:
    """One condition in one recording. Each event of which it holds is one match; its fields are what is marked."""

    def __init__(self, query: Query, reference: Reading) -> None:
        """Raises PatternFault."""
        self.query = query
        self.filter: Filter = parse_filter(query.text)
        self.matches: dict[Key, Match] = {}
        self.ranges: list[tuple[int, int, Key]] = []
        self.deltas: dict[int, list[tuple[int, int, Key]]] = {}
        self.fragments: dict[tuple[str, int], dict[int, list[tuple[int, int, Key]]]] = {}
        self.part = 0.0
        self.stopped = ""
        self.given_up = 0
        self.order: list[Key] = []
        """The matches so far by their place in the stream."""
        self.remark = ""
        """Why nothing was found, where that is no matter of values."""
        self.meant: dict[str, list[str]] = {}
        """Fields that no event has, as they were typed -> ledger paths that end in them."""
        self._reference = reference

    def steps(self) -> Iterator[None]:
        """Searches; each step takes a few milliseconds."""
        reading = self._reference
        rules = rules_of(reading)
        for n in range(len(reading.events)):
            row = Row(reading, n, rules)
            if self.filter.test(row):
                self._add(row)
                if len(self.matches) >= MOST:
                    self.stopped = "many"
                    return
            slow = self.filter.slow.total() - self.given_up
            self.given_up += slow
            if self.given_up >= PATIENCE:
                self.stopped = "slow"
                return
            if slow or n % PIECE == PIECE - 1:
                self.part = n / len(reading.events)
                yield
        if not self.matches:
            yield from self._say_why()
        self.part = 1.0

    def _say_why(self) -> Iterator[None]:
        """Looks for what the condition speaks of, where it held of no event: there may be none of it."""
        reading, unmet = self._reference, dict(self.filter.paths)
        remarks = ["this recording has no times"] if self.filter.names & {"t", "gap"} and not timed(reading) else []
        near: dict[tuple[Step, ...], dict[str, None]] = {steps: {} for steps in unmet}
        known: set[str] = set()
        for n in range(len(reading.events)):
            if not unmet:
                break
            row = Row(reading, n, {})
            for payload in row.payloads:
                for steps in [steps for steps in unmet if next(values_at(payload, steps), None) is not None]:
                    del unmet[steps]
            _note_near(row, [near[steps] for steps in unmet], [keys_of(steps) for steps in unmet], known)
            if n % PIECE == PIECE - 1:
                yield
        for steps, typed in unmet.items():
            self.meant[typed] = list(near[steps])[:MOST_MEANT]
            paths = ", ".join(clip(path, LONGEST) for path in self.meant[typed])
            named = f"“{clip(typed, LONGEST)}”"
            name = MEANT.get(typed.lower())
            instead = f"; {name} is the {NAMES[name].partition(':')[0]}" if name is not None else ""
            remarks.append(f"no field {named}, but {paths}" if paths else f"no event has a field {named}{instead}")
        self.remark = " · ".join(remarks)

    def _add(self, row: Row) -> None:
        reading, n = self._reference, row.n
        start, end = reading.bytes_of(n)
        key: Key = (start, end, -1, -1)
        if key in self.matches:  # Two events of the same bytes: one inside of the other's frame.
            key = (start, end, -1, n)
        self.matches[key] = Match(start, end, n)
        self.order.append(key)
        pointers = [
            pointer
            for payload in row.payloads[:1]
            for steps in self.filter.paths
            for pointer, _ in list(values_at(payload, steps))[:MOST_PLACES]
        ]
        found = [reading.place(n, pointer) for pointer in pointers]
        self._mark_texts(n, pointers, key)
        whole = not found or any(place == (start, end) for place in found)
        self.ranges += [(start, end, key)] if whole else [(*place, key) for place in sorted(set(found))]

    def _mark_texts(self, n: int, pointers: list[str], key: Key) -> None:
        """The texts that came out of these fields, in the deltas and in the blocks of the reference."""
        reading = self._reference
        for number, delta in enumerate(reading.deltas(n), reading.deltas_of(n)[0]) if pointers else ():
            if not isinstance(delta.value, str) or not delta.value:
                continue
            if not any(
                pointer in ("", delta.pointer) or delta.pointer.startswith(f"{pointer}/") for pointer in pointers
            ):
                continue
            self.deltas[number] = [(0, len(delta.value), key)]
            block = reading.delta_blocks[number] if number < len(reading.delta_blocks) else -1
            held = reading.blocks[block] if block >= 0 else None
            at = bisect_left(held.deltas, number) if held is not None else 0
            if held is not None and at < len(held.fragments) and held.deltas[at] == number:
                of_block = self.fragments.setdefault((reading.reader, block), {})
                of_block[at] = [(0, len(held.fragments[at]), key)]


def _note_near(row: Row, near: list[dict[str, None]], sought: list[list[str]], known: set[str]) -> None:
    """Adds the paths of an event that end in the keys that are sought. `known` are paths that were looked at before."""
    # A payload is only gone through where one of the keys stands in it: most have none.
    said = (row.reading.text(row.n) or b"").lower() if sought else b""
    if not any(keys and keys[-1].encode("utf-8", "surrogatepass") in said for keys in sought):
        return
    for payload in row.payloads:
        for path, _ in flatten(payload):
            if path in known:
                continue
            known.add(path)
            for found, keys in zip(near, sought):
                if keys and len(found) < MOST_MEANT and (end := ending_in(path, keys)) is not None:
                    found.setdefault(end)


def fields_of(reading: Reading, most: int = 300) -> list[str]:
    """Paths of a recording to choose from, in order of appearance: those of its first, its last, and some events."""
    total = len(reading.events)
    some = sorted(
        {*range(min(SAMPLED, total)), *range(max(0, total - 20), total), *range(0, total, total // SAMPLED + 1)}
    )
    found: dict[str, None] = {}
    for n in some:
        for payload in Row(reading, n, {}).payloads:
            for path, _ in flatten(payload):
                if len(found) >= most:
                    return list(found)
                for part in with_those_above(path):
                    found.setdefault(part)
    return [path for path in found if path]


def timed(reading: Reading) -> bool:
    """Whether any event of a reading has a time."""
    exchange = reading.exchange
    return exchange.timing != "none" and exchange.read_times is not None
