"""Which times of a recording cannot be true, because time does not run backwards."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise


def out_of_order(times: Sequence[int]) -> list[int]:
    """Positions of the times without which the others never decrease: as few as can be, the later one of a pair.

    Negative times are among them: nothing arrives before its request was sent.
    """
    fit = [number for number, time in enumerate(times) if time >= 0]
    if all(times[one] <= times[other] for one, other in pairwise(fit)):
        return [number for number, time in enumerate(times) if time < 0] if len(fit) < len(times) else []
    # The longest run that never rises, looked for from the end: so the earlier of two equals stays.
    ends: list[int] = []
    last: list[int] = []
    before = [-1] * len(times)
    for number in reversed(fit):
        place = bisect_right(ends, -times[number])
        before[number] = last[place - 1] if place else -1
        ends[place : place + 1] = [-times[number]]
        last[place : place + 1] = [number]
    kept, number = set(), last[-1]
    while number >= 0:
        kept.add(number)
        number = before[number]
    return [number for number in range(len(times)) if number not in kept]
