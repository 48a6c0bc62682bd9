"""The literal reading: what the bytes say where the reference mends or infers (findings.md, general rule 4)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspector_app.core.reading import Reading
from inspector_app.core.rule_keys import LITERAL, REPAIRS
from inspector_app.core.rules import ReadingRules
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
    "reasoning-double-delivery": {"reasoning_pick": "all"},
    "think-tag-inline": {"think_tags": "literal"},
    "choice-duplicate-text": {"message": "appended"},
    "finish-content-after": {"finalize": "finish"},
    "finish-conflict": {"finish_pick": "last"},
}
"""Repair that was made -> the keys that decide it; the others are decided by `repairs`."""


GENERATIONS = "meta-generation-spliced"


def repairs_of(reference: Reading) -> list[str]:
    """The repairs that the reference made in a stream, by the names of their findings, each once."""
    return list(dict.fromkeys(finding.rule for finding in reference.findings if finding.rule in REPAIRS))


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
