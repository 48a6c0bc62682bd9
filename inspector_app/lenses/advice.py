"""Why a client reads otherwise: the rule that makes the difference, found by trying, and advice both ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from inspector_app.core.kit import Kit
from inspector_app.core.reading import Reading
from inspector_app.core.rule_keys import REPAIRS
from inspector_app.core.rules import RULES, ReadingRules, differences
from inspector_app.lenses.advice_words import BY_RULE, BY_VERDICT, FOR_CLIENT, NO_REASONING, OTHERWISE, Advice
from inspector_app.lenses.compare import Difference, compare
from inspector_app.lenses.load import Lens
from inspector_app.lenses.run import read_as

LARGEST = 1 << 20
"""Bytes of a body up to which rules are tried one by one; each costs a reading."""
MOST = 3
"""Causes that are told of one difference."""

ON_FINDINGS = ("stops_on", "parts_on", "skips_on")

FIRST = {
    "failed": (*ON_FINDINGS, "error_key", "bad_json", "missing_finish", "end_marker", "args_parse", "missing_role"),
    "lost": ("reasoning_fields", "space_required", "name_policy", "id_policy", "dangling", "named_event", "tool_key"),
    "merged": ("tool_key", "index_missing", "repairs", "text_end", "choice", "block_form"),
    "fragmented": ("reasoning_end", "id_policy", "index_missing", "tool_key"),
    "altered": ("think_tags", "refusal", "id_policy", "name_policy", "repairs"),
}
"""Verdict -> the rules that are tried first, since they make such differences most often."""


def advise(lens: Lens, reference: Reading, difference: Difference, kit: Kit, **how: str | None) -> Advice | None:
    """What the author of the client and that of the gateway can do about a difference from the reference, if any.

    `how`: the dialect and the framing where they are given.
    """
    if difference.verdict == "same" or difference.first_difference is None:
        return None
    if len(reference.exchange.body) > LARGEST:
        return Advice("", *BY_VERDICT[difference.verdict])
    rules = list(_causes(lens, reference, difference, kit, how))
    advice = [_advice(rule, lens, reference, difference, kit) for rule in rules or [""]]
    client, gateway = (" ".join(dict.fromkeys(words)) for words in (
        [one.client for one in advice], [one.gateway for one in advice],
    ))  # fmt: skip
    return Advice(", ".join(one.rule for one in advice), client, gateway)


def _causes(
    lens: Lens, reference: Reading, difference: Difference, kit: Kit, how: dict[str, str | None]
) -> Iterator[str]:
    """The rule that makes the difference; then, where without it there is one just as bad, the next."""
    found = difference
    for _ in range(MOST):
        rule = _cause(lens, reference, found, kit, how)
        if not rule:
            return
        yield rule
        without = replace(lens.rules, **{rule: getattr(ReadingRules(), rule)})
        lens, found = replace(lens, rules=without), _compared(lens, without, reference, kit, how)
        if found.verdict != difference.verdict:
            return


def _advice(rule: str, lens: Lens, reference: Reading, difference: Difference, kit: Kit) -> Advice:
    assert difference.first_difference is not None
    if rule in (*ON_FINDINGS, "repairs"):
        finding = _finding(lens, rule, reference, difference.first_difference.event)
        if finding:
            client = FOR_CLIENT.get(finding, OTHERWISE)
            return Advice(finding, client, kit.rules[finding].advice)
    words = BY_RULE.get(rule)
    if rule == "reasoning_fields" and words is not None:
        fields = lens.rules.reasoning_fields
        return Advice(rule, words[0], f"{words[1][:-1]}: {', '.join(fields)}." if fields else NO_REASONING)
    if words is None:
        return Advice("", *BY_VERDICT[difference.verdict])
    return Advice(rule, *words)


def _cause(lens: Lens, reference: Reading, difference: Difference, kit: Kit, how: dict[str, str | None]) -> str:
    """The rule that alone gives the same difference; else the one without which there is none, or another one."""
    known = dict.fromkeys((*FIRST[difference.verdict], *RULES))
    changed = [key for key in known if key in differences(lens.rules)]
    if len(changed) == 1:
        return changed[0]
    base = ReadingRules()
    for key in changed:
        together = ON_FINDINGS if key in ON_FINDINGS else (key,)
        alone = replace(base, **{one: getattr(lens.rules, one) for one in together})
        if _mark(_compared(lens, alone, reference, kit, how)) == _mark(difference):
            return key
    better = ""
    for key in changed:
        without = replace(lens.rules, **{key: getattr(base, key)})
        found = _compared(lens, without, reference, kit, how)
        if found.verdict == "same":
            return key
        if not better and _mark(found) != _mark(difference):
            better = key
    return better


def _compared(lens: Lens, rules: ReadingRules, reference: Reading, kit: Kit, how: dict[str, str | None]) -> Difference:
    return compare(reference, read_as(replace(lens, rules=rules), reference, kit, **how))


def _mark(difference: Difference) -> tuple[Any, ...]:
    return difference.verdict, _event(difference), difference.headline


def _event(difference: Difference) -> int | None:
    return difference.first_difference.event if difference.first_difference is not None else None


def _finding(lens: Lens, key: str, reference: Reading, event: int) -> str:
    """The finding that a rule about findings acts on, the nearest to an event; empty where none was raised."""
    if key == "repairs":
        names = {rule for rule in REPAIRS if not lens.rules.repairs_rule(rule)}
    else:
        names = set(getattr(lens.rules, key))
    return min(_distances(names, reference, event), default=(0, ""))[1]


def _distances(names: set[str], reference: Reading, event: int) -> Iterator[tuple[int, str]]:
    for finding in reference.findings:
        if finding.rule in names:
            yield min((abs(event - n) for n in finding.events), default=0), finding.rule
