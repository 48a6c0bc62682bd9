"""When the fragments of a text are not to be joined: growing snapshots (R25)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def is_cumulative(fragments: Sequence[str], sure: bool = False) -> bool:
    """True when the fragments are growing snapshots of one text.

    Three or more that are not empty, each starts with the whole one before, at least one is longer, the first has 2
    and the last 8 or more characters (R25, rule text-cumulative). Where it is `sure` that this sender may send
    snapshots, two are enough, of any length, and the last may repeat the first.
    """
    if len(fragments) < 2 or not fragments[-1].startswith(fragments[0]):
        return False
    texts = [text for text in fragments if text]
    if len(texts) < 2:
        return False
    few = len(texts) < 3 or len(texts[0]) < 2 or len(texts[-1]) < 8 or len(texts[0]) == len(texts[-1])
    if few and not sure:
        return False
    return all(after.startswith(before) for before, after in pairwise(texts))
