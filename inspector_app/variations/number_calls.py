"""Two calls on one index, an index that is no number, or one that skips: each call gets its own, from 0 on."""

from __future__ import annotations

from itertools import count

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR
from inspector_app.variations._indices import calls_of, numbered, unfit
from inspector_app.variations._payloads import BY_LINES

NAME = "number-calls"
TITLE = "Number the tool calls of each choice 0, 1, 2, in all of their pieces"
SORT = REPAIR
KEEPS_MEANING = True
FRAMINGS = BY_LINES
__all__ = ["FRAMINGS", "KEEPS_MEANING", "NAME", "SORT", "TITLE", "apply", "unfit"]


def apply(reading: Reading) -> Exchange:
    counters: dict[int, count[int]] = {}
    numbers = {block.n: next(counters.setdefault(block.choice, count())) for block in calls_of(reading)}
    return numbered(reading, numbers, lambda held, right: type(held) is not int or held != right)
