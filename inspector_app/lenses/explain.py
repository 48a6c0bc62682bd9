"""A lens in words: which rules it sets otherwise than the reference, and what each of them means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspector_app.core.rules import RULES, Key, ReadingRules, differences
from inspector_app.lenses.load import REFERENCE, Lens


def explain(lens: Lens) -> str:
    """Several lines of plain text for `lenses --explain`."""
    out = [
        f"{lens.name}: {lens.title}",
        f"  {lens.summary}",
        f"  known by {lens.evidence}: {lens.source}",
        f"  reads {', '.join(lens.dialects)}",
    ]
    reference = ReadingRules()
    changed = differences(lens.rules)
    if not changed:
        return "\n".join([*out, "  no rule differs from the reference"])
    for key, value in changed.items():
        out += ["", f"  {key} = {_shown(value)}  (reference: {_shown(getattr(reference, key))})"]
        out.append(f"      {RULES[key].meaning}")
    return "\n".join(out)


def explain_reference() -> str:
    """Every rule a lens can set: what the reference has, what it means, what it takes."""
    reference = ReadingRules()
    out = [
        f"{REFERENCE}: the most correct reading known",
        "  What stands here is what a lens can set otherwise, in its table [rules].",
    ]
    for key, rule in RULES.items():
        out += ["", f"  {key} = {_shown(getattr(reference, key))}"]
        out += [f"      {rule.meaning}", f"      takes {_takes(rule)}"]
    return "\n".join(out)


def reference_object() -> dict[str, Any]:
    """The same for `lenses --explain reference --json`."""
    reference = ReadingRules()
    told = {}
    for key, rule in RULES.items():
        value = getattr(reference, key)
        default = sorted(value) if isinstance(value, frozenset) else value
        told[key] = {"default": default, "meaning": rule.meaning, "takes": rule.shape, "values": rule.values}
    return {"name": REFERENCE, "rules": told}


def _takes(rule: Key) -> str:
    words = ", ".join(f'"{word}"' for word in rule.values)
    return {
        "choice": words,
        "flag": "true, false",
        "number": "a whole number, 0 or more",
        "text": "a text",
        "list": f"a list, in the order that counts, of {words}",
        "set": f"a list of {words or 'texts'}",
        "table": "a table, name of a finding = text of the error",
        "repairs": f'"all", or a list of {words}',
    }[rule.shape]


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple | frozenset):
        items = sorted(value) if isinstance(value, frozenset) else value
        return "[" + ", ".join(f'"{item}"' for item in items) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f'{key} = "{text}"' for key, text in value.items()) + "}"
    return str(value)
