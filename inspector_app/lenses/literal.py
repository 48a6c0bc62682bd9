"""The literal reading: what the bytes say where the reference mends or infers (findings.md, general rule 4)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspector_app.core.reading import Reading
from inspector_app.core.rule_keys import LITERAL, REPAIRS
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Finding
from inspector_app.lenses.load import Lens

_TAKEN_BACK: dict[str, dict[str, Any]] = {
    "body-nonstream": {"not_sse": "nothing"},
    "sse-unterminated-event": {"dangling": "drop"},
    "sse-unframed-json": {"bare_error_line": "ignored", "not_sse": "nothing"},
    "sse-ignored-line": {"bare_error_line": "ignored"},
    "tool-index-reused": {"tool_key": "index"},
    "tool-index-remapped": {"tool_key": "index"},
    "tool-name-late": {"name_policy": "first"},
    "tool-args-object": {"args_object": "drop"},
    "tool-args-empty": {"empty_args": "text"},
    "reasoning-order": {"details_entries": "wire-order"},
    "reasoning-double-delivery": {"reasoning_pick": "all"},
    "think-tag-inline": {"think_tags": "literal"},
    "choice-duplicate-text": {"message": "appended"},
    "finish-content-after": {"finalize": "finish"},
    "finish-conflict": {"finish_pick": "last"},
}
"""Repair that was made -> the keys that decide it; the others are decided by `repairs`."""


_MUTE = ("noop", "unknown")
LOOKED_AT = 1000
"""Events of one finding that are looked at to tell whether anything was repaired."""
GENERATIONS = "meta-generation-spliced"


def repairs_of(reference: Reading) -> list[str]:
    """The repairs that the reference made in a stream, by the names of their findings, each once."""
    return list(dict.fromkeys(finding.rule for finding in reference.findings if repaired(reference, finding)))


def repaired(reference: Reading, finding: Finding) -> bool:
    """Whether the reference reads something otherwise than it stands because of what a finding says."""
    changes = _CHANGES.get(finding.rule)
    if changes is None:
        return finding.rule in REPAIRS
    return any(changes(reference, event) for event in finding.events[:LOOKED_AT])


def _says_something(reference: Reading, event: int) -> bool:
    """Whether an event that a strict reader drops gives the reference anything."""
    return event == reference.marker_event or any(delta.kind not in _MUTE for delta in reference.deltas(event))


def _sorted(reference: Reading, event: int) -> bool:
    """Whether entries of one delta were put into the order of their indexes; across deltas the wire's order stands."""
    before: dict[int, int] = {}
    for delta in reference.deltas(event):
        extra = delta.extra or {}
        index = extra.get("index")
        if extra.get("field") == "reasoning_details" and type(index) is int:
            if index < before.get(delta.choice, index):
                return True
            before[delta.choice] = index
    return False


_CHANGES: dict[str, Callable[[Reading, int], bool]] = {
    "sse-unterminated-event": _says_something,
    "reasoning-order": _sorted,
}
"""Findings that are a repair only in some events -> the test for an event."""


def literal(reference: Reading) -> Lens:
    """The literal reading of a stream as a lens: the reference but for the repairs that it made there.

    It is no client, stands in no list of them and has no file. What was decompressed stays so, a late name and an
    input in a block start are read as they came: there is no other reading of these.
    """
    made = repairs_of(reference)
    keys: dict[str, Any] = {}
    for rule in made:
        keys |= _TAKEN_BACK.get(rule, {})
    # Answers that end before the next one begins are told apart by every reader.
    kept = () if GENERATIONS in made else (GENERATIONS,)
    # What is the form of a dialect is read as its form.
    kept += tuple(sorted(getattr(reference.dialect_module, "BY_DESIGN", frozenset()).intersection(REPAIRS)))
    return Lens(
        name=LITERAL,
        title="Literal",
        kind="decoder",
        dialects=(reference.dialect,),
        evidence="source",
        source="",
        summary="What the bytes say, without the repairs of the reference.",
        rules=ReadingRules(repairs=kept, **keys),
        path=Path(),
    )
