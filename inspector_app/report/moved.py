"""Fields that came and went, as people tell of them: an object as one thing, and what came where another field went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from inspector_app.core.reading import Reading
from inspector_app.core.text import clip
from inspector_app.report.differences import ABSENT, Difference
from inspector_app.report.paths import STEP, above
from inspector_app.report.survey import Survey

ALIKE = 0.5
"""How alike two names are at least, 0 to 1, that are told as one in place of the other whatever they hold."""
MOST = 40
"""Fields that went, and that came, which are held against each other."""
NEAR = 100
"""Events from a field's first one on in which it may hold content."""
LONGEST = 48
"""Characters of a name in a headline."""
CONTENT = (".delta", ".args", ".result")
"""How the kinds of the deltas end that bring content."""


class Renamed(NamedTuple):
    """One field, or object, that went from stream a, and one in its place in stream b; `events` are their first."""

    went: str
    came: str
    events: tuple[int, int]

    @property
    def words(self) -> str:
        """A headline, by the names alone."""
        a, b = self.events
        where = f"event {a}" if a == b else f"event {a}, in B {b}"
        went, came = (clip(_name(path), LONGEST) for path in (self.went, self.came))
        return f"{went} went, {came} came, from {where}"


def by_object(rows: Sequence[Difference], a: Survey, b: Survey) -> list[Difference]:
    """The same rows with one for all the fields of an object that one of both has and the other has not at all."""
    known = _ancestors(a.fields), _ancestors(b.fields)
    tops = [_top(row.what, known[side]) if (side := _lacking(row)) is not None else "" for row in rows]
    groups: dict[tuple[str, int | None], list[Difference]] = {}
    for row, top in zip(rows, tops, strict=True):
        groups.setdefault((top, _lacking(row)), []).append(row)
    out = []
    for row, top in zip(rows, tops, strict=True):
        group = groups[top, _lacking(row)]
        if not top or len(group) == 1:
            out.append(row)
        elif row is group[0]:
            out.append(_object(top, group))
    return out


def renamed(rows: Iterable[Difference], a: Survey, b: Survey) -> Renamed | None:
    """The field, or the object, that went and the one that came in its place, the likeliest pair of `by_object`'s rows:
    both stand in one object, begin with the same event or come as often, and hold content or have names alike.
    """
    if a.reading.dialect != b.reading.dialect:
        return None
    shape = [row for row in rows if row.layer == "shape"]
    went = [row for row in shape if row.b == ABSENT and row.events[0] is not None][:MOST]
    came = [row for row in shape if row.a == ABSENT and row.events[1] is not None][:MOST]
    best: tuple[tuple[bool, float], Renamed] | None = None
    for old in went:
        for new in came:
            events = old.events[0] or 0, new.events[1] or 0
            same = events[0] == events[1] or _often(a, old.what) == _often(b, new.what)
            bare = _bare(old.what), _bare(new.what)
            # An array that is empty in the one and not in the other is the same field.
            if not same or bare[0] == bare[1] or above(bare[0]) != above(bare[1]):
                continue
            content = _brings(a.reading, old.what, events[0]) and _brings(b.reading, new.what, events[1])
            alike = SequenceMatcher(None, _name(old.what), _name(new.what), autojunk=False).ratio()
            rank = content, alike
            if (content or alike >= ALIKE) and (best is None or rank > best[0]):
                best = rank, Renamed(old.what, new.what, events)
    return best[1] if best is not None else None


def _lacking(row: Difference) -> int | None:
    """Which stream has nothing of a row, None where both have something."""
    if row.layer != "shape":
        return None
    return 0 if row.a == ABSENT else 1 if row.b == ABSENT else None


def _ancestors(paths: Iterable[str]) -> set[str]:
    """The paths, and those of all objects and arrays that they stand in."""
    found: set[str] = set()
    for path in paths:
        while path not in found:
            found.add(path)
            path = above(path)
    return found


def _top(path: str, known: set[str]) -> str:
    """The highest of what holds a path that the other stream has not; an array with its mark."""
    at, steps = "", STEP.findall(path)
    for step, after in zip(steps, [*steps[1:], ""]):
        at += step
        if at not in known:
            return f"{at}[]" if after == "[]" else at
    return path


def _object(top: str, group: Sequence[Difference]) -> Difference:
    names = ", ".join(row.what[len(top) :].removeprefix(".") or "itself" for row in group)
    said = f"{len(group)} fields: {names}"
    first = min(group, key=lambda row: max(-1 if event is None else event for event in row.events))
    lacks_a = first.a == ABSENT
    return Difference("shape", top, ABSENT if lacks_a else said, said if lacks_a else ABSENT, first.events)


def _often(survey: Survey, path: str) -> int:
    """In how many events a field is, or that of an object which is there most often."""
    bare = _bare(path)
    return max((known.events for name, known in survey.fields.items() if _within(name, bare)), default=0)


def _brings(reading: Reading, path: str, first: int) -> bool:
    """Whether content is read from a field, or from one in an object."""
    bare = _bare(path)
    return any(
        delta.kind.endswith(CONTENT) and _within(_path(delta.pointer), bare)
        for n in range(first, min(first + NEAR, len(reading.events)))
        for delta in reading.deltas(n)
    )


def _within(path: str, bare: str) -> bool:
    return path.startswith(bare) and path[len(bare) : len(bare) + 1] in ("", ".", "[")


def _path(pointer: str) -> str:
    """The ledger path of a JSON Pointer whose keys are plain words."""
    out = ""
    for step in pointer.split("/")[1:]:
        out += "[]" if step.isdecimal() else f".{step}"
    return out.removeprefix(".")


def _bare(path: str) -> str:
    """The path of an array itself, not of what is in it."""
    return path.removesuffix("[]")


def _name(path: str) -> str:
    return str(STEP.findall(_bare(path))[-1]).removeprefix(".")
