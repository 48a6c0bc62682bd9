"""Which of several reasoning fields of one event is read, and in what order its entries (R10)."""

from __future__ import annotations

from inspector_app.core.admit import Pairs
from inspector_app.core.rule_keys import REASONING_STRINGS
from inspector_app.core.rules import ReadingRules
from inspector_app.core.runs import STRUCTURED, Note
from inspector_app.core.types import Delta


def pick(rules: ReadingRules, note: Note, n: int, group: Pairs) -> set[str]:
    """The fields of one event that are not read because another one says the same (R10)."""
    texts: dict[str, str] = {}
    for _, delta in group:
        if delta.kind == "reasoning.delta" and (name := _field(delta)):
            texts[name] = texts.get(name, "") + delta.value
    if len(texts) < 2 or rules.reasoning_pick == "all":
        return set()
    if rules.reasoning_pick == "first":
        return set([name for name in rules.reasoning_fields if name in texts][1:])
    chosen, *others = [name for name in (*STRUCTURED, *REASONING_STRINGS) if name in texts]
    in_order = "".join(
        delta.value
        for _, delta in ordered(rules, group)
        if delta.kind == "reasoning.delta" and _field(delta) == chosen
    )
    same = {name for name in others if texts[name] in (texts[chosen], in_order)}
    pointer = next(delta.pointer for _, delta in group if _field(delta) == others[0])
    detail = f"{others[0]} repeats {chosen}" if same else f"{others[0]} differs from {chosen}"
    note("reasoning-double-delivery", n, pointer, None, detail)
    return same


def _field(delta: Delta) -> str:
    """The wire field a thought came in; empty where its dialect has only one."""
    return str((delta.extra or {}).get("field", ""))


def without_copies(rules: ReadingRules, note: Note, n: int, fields: Pairs, rest: Pairs) -> Pairs:
    """The rest of an event without the thinking parts of a content list that a reasoning field says too (R10)."""
    parts = [pair for pair in rest if pair[1].kind == "reasoning.delta"]
    if not parts or rules.reasoning_pick == "all":
        return rest
    known = [pair for pair in fields if _field(pair[1]) in rules.reasoning_fields]
    copied = set()
    for choice in {delta.choice for _, delta in parts}:
        said = _text(known, choice)
        if said and (rules.reasoning_pick == "first" or said == _text(parts, choice)):
            copied.add(choice)
            pointer = next(delta.pointer for _, delta in parts if delta.choice == choice)
            note("reasoning-double-delivery", n, pointer, None, "content_parts repeats a reasoning field")
    return [pair for pair in rest if pair[1].kind != "reasoning.delta" or pair[1].choice not in copied]


def _text(pairs: Pairs, choice: int) -> str:
    """The thought of one choice, each field of it once."""
    texts: dict[str, str] = {}
    for _, delta in pairs:
        if delta.kind == "reasoning.delta" and delta.choice == choice and delta.extra:
            texts[delta.extra["field"]] = texts.get(delta.extra["field"], "") + delta.value
    return next(iter(texts.values()), "")


def ordered(rules: ReadingRules, pairs: Pairs) -> Pairs:
    """`reasoning_details` of one delta in index order; entries without index keep their place."""
    if rules.details_entries == "wire-order":
        return pairs
    details = [i for i, (_, delta) in enumerate(pairs) if delta.extra and delta.extra["field"] == "reasoning_details"]
    if rules.details_entries == "first":
        behind = {i for i in details if (pairs[i][1].extra or {}).get("entry")}
        return [pair for i, pair in enumerate(pairs) if i not in behind]
    places = [i for i in details if type((pairs[i][1].extra or {}).get("index")) is int]
    if len(places) < 2:
        return pairs
    out = list(pairs)
    for i, pair in zip(places, sorted((pairs[i] for i in places), key=_detail_index), strict=True):
        out[i] = pair
    return out


def _detail_index(pair: tuple[int, Delta]) -> int:
    index = (pair[1].extra or {}).get("index")
    return index if isinstance(index, int) else 0
