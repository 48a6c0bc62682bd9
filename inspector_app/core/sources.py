"""Which of several reasoning fields of one event is read, and in what order its entries (R10)."""

from __future__ import annotations

from collections.abc import Sequence

from inspector_app.core.rules import ReadingRules
from inspector_app.core.runs import STRUCTURED, Note
from inspector_app.core.types import Delta

PICK_ORDER = ("reasoning_content", "reasoning", "reasoning_text", "thinking")


def pick(
    rules: ReadingRules, note: Note, n: int, group: Sequence[tuple[int, Delta]], texts: dict[str, str]
) -> set[str]:
    """The fields of one event that are not read because another one says the same (R10); `texts` by field."""
    if rules.reasoning_pick == "all":
        return set()
    order = [name for name in rules.reasoning_fields if name in texts]
    if rules.reasoning_pick == "structured-then-first":
        order = [name for name in (*STRUCTURED, *PICK_ORDER) if name in texts]
    if rules.reasoning_pick == "first":
        return set(order[1:])
    chosen = order[0]
    pointer = next(d.pointer for _, d in group if d.extra and d.extra["field"] == order[1])
    same = [name for name in order[1:] if texts[name] == texts[chosen]]
    detail = f"{order[1]} repeats {chosen}" if same else f"{order[1]} differs from {chosen}"
    note("reasoning-double-delivery", n, pointer, None, detail)
    return set(same)


def ordered(rules: ReadingRules, pairs: list[tuple[int, Delta]]) -> list[tuple[int, Delta]]:
    """`reasoning_details` of one delta in index order; entries without index keep their place."""
    mode = rules.details_entries
    places = []
    for i, (_, delta) in enumerate(pairs):
        extra = delta.extra or {}
        if extra.get("field") == "reasoning_details" and type(extra.get("index")) is int:
            places.append(i)
    if mode == "first":
        return [p for p in pairs if (p[1].extra or {}).get("entry", 0) == 0]
    if mode == "wire-order" or len(places) < 2:
        return pairs
    out = list(pairs)
    for i, pair in zip(places, sorted((pairs[i] for i in places), key=_detail_index), strict=True):
        out[i] = pair
    return out


def _detail_index(pair: tuple[int, Delta]) -> int:
    index = (pair[1].extra or {}).get("index")
    return index if isinstance(index, int) else 0
