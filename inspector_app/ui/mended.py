"""Which blocks of the reference are not as they came: what it repaired or inferred there."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice

from inspector_app.core.reading import Reading
from inspector_app.core.types import Finding
from inspector_app.lenses import repaired

REPAIRED, INFERRED = "repaired", "inferred"
LOOKED_AT = 1000
"""Events of one finding that are looked at; a rule with more of them marks the same few blocks again and again."""
_KINDS = {
    "tool": ("tool_call",),
    "think": ("reasoning",),
    "reasoning": ("reasoning",),
    "text": ("text", "reasoning", "refusal", "tool_call"),
    "choice": ("text",),
}
"""First word of a rule -> the kinds of blocks that it changes; other repairs change none by themselves."""


def mended_by(reference: Reading, finding: Finding) -> str:
    """The word "inferred" or "repaired" for what the reference did about a finding; empty where it did nothing."""
    return INFERRED if finding.heuristic else REPAIRED if repaired(reference, finding) else ""


def mended_blocks(reference: Reading) -> dict[int, str]:
    """Block of a complete reference -> "repaired" or "inferred"."""
    found: dict[int, str] = {}
    for finding in reference.findings:
        if repaired(reference, finding):
            for n in _blocks(reference, finding):
                found.setdefault(n, mended_by(reference, finding))
    for block in reference.blocks:
        if (block.override is not None and "grown" not in block.fields) or "repaired" in block.fields:
            found.setdefault(block.n, REPAIRED)
    return found


def _blocks(reference: Reading, finding: Finding) -> Iterator[int]:
    if finding.block is not None:
        block = reference.blocks[finding.block]
        # An id that nobody made up is a gap, and drawn as one.
        if finding.rule != "tool-id-missing" or "id_made_up" in block.fields:
            yield block.n
        return
    kinds = _KINDS.get(finding.rule.partition("-")[0], ())
    blocks, starts = reference.blocks, [block.first_event for block in reference.blocks]
    for event in islice(finding.events, LOOKED_AT) if kinds else ():
        fed = {reference.delta_blocks[delta] for delta in range(*reference.deltas_of(event))}
        changed = [n for n in fed if n >= 0 and blocks[n].kind in kinds]
        after = bisect_left(starts, event)
        if not changed and after < len(blocks) and blocks[after].kind in kinds:
            # A tag that came alone gave nothing to the block that it opens.
            changed = [after]
        yield from changed
