"""What hangs on a keyed block beside its text: signatures, opaque reasoning, citations, results, late names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspector_app.core.keyed_blocks import beyond, open_part, part_of
from inspector_app.core.parts import AFTER_CLOSE, ENCRYPTED, MISMATCH, Part
from inspector_app.core.patches import Patches
from inspector_app.core.runs import Choice, Runs
from inspector_app.core.types import Delta


def _signature(runs: Runs, choice: Choice, n: int, number: int, delta: Delta, extra: dict[str, Any]) -> Part | None:
    if "signature" not in runs.rules.extras or beyond(runs, choice, extra):
        return None
    part = part_of(runs, choice, n, delta, extra | {"block": "reasoning"})
    fields = part.block.fields
    if part.block.kind not in ("reasoning", "tool_call"):
        runs.note(MISMATCH, n, delta.pointer, part.block, f"a signature for a block of kind {part.block.kind}")
        return None
    if part.ended is not None:
        runs.note(AFTER_CLOSE, n, delta.pointer, part.block, "signature")
    held = fields.get("signature")
    if held is not None and held != delta.value and extra.get("mode") != "append":
        fields.setdefault("signatures", [held]).append(delta.value)
    fields["signature"] = (held or "") + delta.value if extra.get("mode") == "append" else delta.value
    return part


def _opaque(runs: Runs, choice: Choice, n: int, number: int, delta: Delta, extra: dict[str, Any]) -> Part | None:
    if "opaque" not in runs.rules.extras:
        return None
    part = choice.parts.find(extra["key"], "reasoning")
    if part is None:
        part = open_part(runs, choice, n, extra | {"block": "reasoning"}, announced=False)
    name = delta.kind.partition(".")[2]
    held = part.block.fields.get(name)
    if held not in (None, delta.value):
        runs.note(ENCRYPTED, n, delta.pointer, part.block, "")
    part.block.fields[name] = delta.value
    return part


def _citation(runs: Runs, choice: Choice, n: int, number: int, delta: Delta, extra: dict[str, Any]) -> Part | None:
    if "citations" not in runs.rules.extras or beyond(runs, choice, extra):
        return None
    part = choice.parts.find(extra["key"], "text")
    if part is None and "nth" in extra:
        part = choice.parts.nth(extra["item"], "text", extra["nth"])
    if part is None:
        part = part_of(runs, choice, n, delta, extra | {"block": "text"})
    held = part.block.fields.setdefault("citations", [])
    if delta.value not in held:
        held.append(delta.value)
    return part


def _result(runs: Runs, choice: Choice, n: int, number: int, delta: Delta, extra: dict[str, Any]) -> Part | None:
    """A result that comes whole; a later one of the same key replaces or, in `append` mode, continues it."""
    part = choice.parts.by_key.get(extra["key"])
    if part is None or part.block.kind != "tool_result" or (part.ended is not None and not extra.get("resumes")):
        part = open_part(runs, choice, n, extra | {"block": "tool_result"}, announced=True)
        choice.parts.started += 1
    fields = part.block.fields
    if extra.get("mode") == "append":
        fields["result"] = [*fields.get("result", []), delta.value]
    else:
        fields["result"] = delta.value
    part.block.fragments.append("")
    runs.feed(part.block, n, number)
    if extra.get("complete"):
        part.ended = n
        part.block.state, part.block.closed_by, part.block.closed_at = "complete", "explicit", n
    return part


def _name(runs: Runs, choice: Choice, n: int, number: int, delta: Delta, extra: dict[str, Any]) -> Part | None:
    """A name that comes after the start of its call."""
    part = choice.parts.find(extra["key"], "tool_call")
    if part is not None and isinstance(delta.value, str):
        held = part.block.fields.get("name")
        part.block.fields["name"] = (held or "") + delta.value if extra.get("mode") == "append" else held or delta.value
    return part


def _patch(runs: Runs, choice: Choice, n: int, number: int, delta: Delta, extra: dict[str, Any]) -> Part | None:
    """A value for one place of the arguments of a call."""
    part = part_of(runs, choice, n, delta, extra | {"block": "tool_call"})
    if part.patches is None:
        part.patches = Patches()
    part.patches.take(extra["path"], delta.value)
    runs.late(choice, n, "arguments")
    part.block.fragments.append("")
    runs.feed(part.block, n, number)
    return part


HANDLERS: dict[str, Callable[[Runs, Choice, int, int, Delta, dict[str, Any]], Part | None]] = {
    "reasoning.signature": _signature,
    "reasoning.encrypted": _opaque,
    "reasoning.redacted": _opaque,
    "citation": _citation,
    "tool.result": _result,
    "tool.name": _name,
    "tool.args.patch": _patch,
}
"""Kinds that neither open nor feed nor end a block by their name."""
