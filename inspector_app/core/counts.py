"""Token counts that differ from event to event: where they stand in a payload, and the statement they make.

Some servers have usage in every chunk. What a dialect makes of it is found out and not told: numbers of the payload are
replaced by others, and where those come out in the usage unchanged, and nowhere else, further ones need no decoding.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from inspector_app.core.types import Delta

Steps = tuple[str | int, ...]
"""The way from the root of a payload to something in it."""

Decode = Callable[[Any], Sequence[Delta]]

MOST = 24
"""Numbers of one payload that are looked at."""


class Counts(NamedTuple):
    """The usage of payloads that are equal but for some numbers.

    `places` are those numbers in the payload, `in_value` and `in_raw` where each comes out in the value of the delta
    and in the copy of what the wire said.
    """

    delta: Delta
    places: tuple[Steps, ...]
    in_value: tuple[tuple[str, int], ...]
    in_raw: tuple[tuple[Steps, int], ...]

    def of(self, numbers: Sequence[int | float]) -> Delta:
        """The statement where the numbers in `places` are these."""
        kind, choice, pointer, value, extra = self.delta
        value = value.copy()
        for key, number in self.in_value:
            value[key] = numbers[number]
        if self.in_raw:
            assert extra is not None
            extra = extra.copy()
            extra["raw"] = raw = extra["raw"].copy()
            for steps, number in self.in_raw:
                node = raw
                for part in steps[:-1]:
                    inner = node[part].copy()
                    node[part] = inner
                    node = inner
                node[steps[-1]] = numbers[number]
        return Delta(kind, choice, pointer, value, extra)


def find_counts(payload: Any, deltas: Sequence[Delta], decode: Decode) -> Counts | None:
    """Which numbers of a payload may differ, from its deltas and from what two payloads like it would say.

    None where there is no usage, more than one, or where the numbers do more than to be told.
    """
    delta = _usage(deltas)
    if delta is None or type(delta.value) is not dict or type((delta.extra or {}).get("raw", {})) is not dict:
        return None
    steps = steps_of(payload, delta.pointer)
    if steps is None or not steps:
        return None
    held = at(payload, steps)
    root = steps if isinstance(held, dict | list) else steps[:-1]
    places = [(*root, *rest) for rest in _numbers(at(payload, root))]
    if len(places) > MOST:
        return None
    like = [at(payload, place) for place in places]
    # Two payloads with other numbers: rising in one and falling in the other, so that no sum or maximum looks equal.
    high = [1_000_003 + 17 * n if type(one) is int else 0.5 + n for n, one in enumerate(like)]
    low = [2 * (len(like) - n) + 3 if type(one) is int else 2.0 * (len(like) - n) for n, one in enumerate(like)]
    told = _usage(decode(_with(payload, places, high)))
    if told is None:
        return None
    in_value = tuple((key, high.index(one)) for key, one in told.value.items() if type(one) is int and one in high)
    in_raw = tuple(
        (rest, high.index(one))
        for rest in _numbers((told.extra or {}).get("raw", {}))
        if (one := at((told.extra or {})["raw"], rest)) in high
    )
    counts = Counts(delta, tuple(places), in_value, in_raw)
    for numbers in (like, high, low):
        expected = [counts.of(numbers) if one is delta else one for one in deltas]
        if list(decode(_with(payload, places, numbers))) != expected:
            return None
    return counts


def _usage(deltas: Sequence[Delta]) -> Delta | None:
    found = [delta for delta in deltas if delta.kind == "usage"]
    return found[0] if len(found) == 1 else None


def _numbers(value: Any, path: Steps = ()) -> Iterator[Steps]:
    """Where numbers above zero stand; a zero may mean that nothing is told, so it stays as it is."""
    if type(value) in (int, float):
        if value > 0:
            yield path
    elif isinstance(value, dict | list):
        for key, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _numbers(member, (*path, key))


def _with(payload: Any, places: Sequence[Steps], numbers: Sequence[int | float]) -> Any:
    out = copy.deepcopy(payload)
    for place, number in zip(places, numbers, strict=True):
        at(out, place[:-1])[place[-1]] = number
    return out


def at(value: Any, steps: Steps) -> Any:
    """What stands at the end of a way. Raises where there is none."""
    for part in steps:
        value = value[part]
    return value


def steps_of(value: Any, pointer: str) -> Steps | None:
    """The way that a JSON Pointer is; None for one with an escape."""
    if "~" in pointer:
        return None
    steps: list[str | int] = []
    for part in pointer.split("/")[1:]:
        step: str | int = int(part) if isinstance(value, list) else part
        steps.append(step)
        value = value[step]
    return tuple(steps)
