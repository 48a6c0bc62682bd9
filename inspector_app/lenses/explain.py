"""A lens in words: which rules it sets otherwise than the reference, and what each of them means."""

from __future__ import annotations

from inspector_app.core.rules import RULES, ReadingRules, differences
from inspector_app.lenses.load import Lens


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


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple | frozenset):
        items = sorted(value) if isinstance(value, frozenset) else value
        return "[" + ", ".join(f'"{item}"' for item in items) + "]"
    return str(value)
