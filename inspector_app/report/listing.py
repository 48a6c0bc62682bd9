"""What the commands print for people: tables and a few lines, foreign text made safe for a terminal."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

from inspector_app.core.binary import binary_kind
from inspector_app.core.blank_text import between_thoughts
from inspector_app.core.diagnosis import Rule
from inspector_app.core.ends import OWN_TOOLS
from inspector_app.core.instead import broke_off_at_once
from inspector_app.core.media import media_in, media_words
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules, differences
from inspector_app.core.text import clip, duration, number, size, terminal
from inspector_app.core.timing import ladder
from inspector_app.core.types import Block, Finding
from inspector_app.report.comparison import Client, Compared
from inspector_app.report.differences import Difference
from inspector_app.report.end_words import end_words
from inspector_app.report.event_words import event_words
from inspector_app.report.notes import notes_listed
from inspector_app.report.outline import counts, finish

_COLORS = {"error": "31;1", "warning": "33", "info": "34", "dim": "2", "bold": "1"}
KIND_WORDS = {"tool_result": "result"}
WIDE = 100
"""Characters of a block's text shown in one line."""


class _Lens(Client, Protocol):
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def dialects(self) -> tuple[str, ...]: ...
    @property
    def rules(self) -> ReadingRules: ...


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Columns under each other; the last one runs free."""
    if not rows:
        return ""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    )


def check(reading: Reading, reference: Reading, color: bool = False) -> str:
    """One exchange: what it is, its blocks, its findings."""
    paint = _paint if color else _plain
    exchange, found = reading.exchange, counts(reading)
    dialect = {"none": "no dialect", "unknown": "unknown dialect"}.get(reference.dialect, reference.dialect)
    head = [exchange.format, *([reading.framing] if reading.framing != "none" else []), dialect]
    head += [reference.provider] if reference.provider else []
    if exchange.http is not None:
        head.append(f"HTTP {exchange.http.status}")
    head += [event_words(Counter(reference.events.flags)), size(found["bytes"])]
    first = ladder(reference)["first_event"]
    if first is not None:
        head.append(f"first event after {duration(first)}")
    name = exchange.name if exchange.count == 1 else f"{exchange.name} [{exchange.number + 1} of {exchange.count}]"
    out = [paint(terminal(name), "bold"), "  " + " · ".join(terminal(word) for word in head)]
    if reading.reader != reference.reader:
        out.append(f"  read as {reading.reader}; the findings are those of the stream, whoever reads it")
    missed = _without_id(reading, reference)
    blank = between_thoughts(reading.blocks)
    for block in reading.blocks[:SHOWN_BLOCKS]:
        between = "  (white space between two thoughts)" if block.n in blank else ""
        out.append("  " + _block(reading, block, block.n in missed) + between)
    more = len(reading.blocks) - SHOWN_BLOCKS
    if more > 0:
        out.append(f"  … and {number(more)} more {'block' if more == 1 else 'blocks'}")
    if not reading.blocks:
        out.append("  " + _no_blocks(reading, reference))
    reasons = ["none" if entry["raw"] is None else str(entry["raw"]) for entry in finish(reading)]
    if found["events"]:
        out.append("  " + terminal(f"finish {', '.join(reasons) or 'none'} · {end_words(reading)}"))
    if reading.client_error is not None:
        error = reading.client_error
        words = f"  the client reports an error at event {error['event']}; it says: {error['message']}"
        out.append(paint(terminal(words), "error"))
    if not reference.findings:
        out.append("  no findings")
    out += [_finding(finding, paint, len(reference.events)) for finding in causes_first(reference.findings)]
    return "\n".join([*out, *notes_listed(reference)])


SHOWN_BLOCKS = 12


def _no_blocks(reading: Reading, reference: Reading) -> str:
    """Why there is no answer, so that silence is not taken for health."""
    if reading.reader != reference.reader and reference.blocks:
        return f"no blocks: {reading.reader} made nothing of it"
    if not len(reading.events):
        if not len(reading.exchange.body):
            return "no blocks: the body is empty"
        kind = binary_kind(reading.exchange.body)
        return f"no blocks: the body is {kind}, shown as bytes" if kind else "no blocks: no event was found"
    if broke_off_at_once(reference):
        return "no blocks: the stream broke off within its first event"
    if reference.dialect == "unknown":
        return "no blocks: this JSON is of no dialect that is known (see: stream-inspector dialects)"
    return "no blocks: no event is part of an answer"


def causes_first(findings: Sequence[Finding]) -> list[Finding]:
    """The findings as they stand, but each that only follows from another one right behind it."""
    raised = {finding.rule for finding in findings}
    followers: dict[str, list[Finding]] = {}
    heads = []
    for finding in findings:
        if finding.under is None or finding.under not in raised:
            heads.append(finding)
        else:
            followers.setdefault(finding.under, []).append(finding)
    out: list[Finding] = []
    waiting = heads[::-1]
    while waiting:
        finding = waiting.pop()
        out.append(finding)
        waiting += followers.pop(finding.rule, [])[::-1]
    return out + [finding for circle in followers.values() for finding in circle]


def _without_id(reading: Reading, reference: Reading) -> set[int]:
    """The calls whose id is missing and not only absent: a finding misses it, or a client has none of a call although
    the calls of the stream have theirs.
    """
    found = {finding.block for finding in reference.findings if finding.rule == "tool-id-missing"}
    if reading.reader == reference.reader:
        return {block for block in found if block is not None}
    calls = [block for block in reference.blocks if block.kind == "tool_call"]
    due = bool(found) or (bool(calls) and all(block.fields.get("id") for block in calls))
    return {block.n for block in reading.blocks if due and block.kind == "tool_call" and not block.fields.get("id")}


def _block(reading: Reading, block: Block, missed: bool) -> str:
    """One block; `missed`: it is a call without the id that it should have."""
    text = terminal(clip(block.text, WIDE)) if block.text else ""
    if block.kind == "tool_call":
        name = block.fields.get("name")
        call = terminal(name) if name else "name MISSING" if name is None else 'name ""'
        state = "can be run" if block.fields.get("executable") else "cannot be run"
        if block.fields.get("tool_kind", "function") not in OWN_TOOLS:
            state = "run by the server"
        if missed:
            state += '  id ""' if block.fields.get("id") == "" else "  id MISSING"
        return f"{block.n:>3}  tool call  {call}({text})  {state}"
    held = block.fields.get("result")
    if block.kind == "media":
        said = [str(block.fields.get("media") or ""), media_words(media_in(reading, block)), text]
        text = "  ".join(filter(None, map(terminal, said)))
    elif not text and held is not None:
        text = terminal(clip(held if isinstance(held, str) else json.dumps(held, ensure_ascii=False), WIDE))
    return f"{block.n:>3}  {KIND_WORDS.get(block.kind, block.kind):<9}  {text}"


def _finding(finding: Finding, paint: Any, events: int) -> str:
    where = ""
    if finding.places:
        event, start, end = finding.places[0]
        where = f"bytes {start}–{end}" if end > start else f"byte {start}"
        where = f"event {event}, {where}" if events else where
    times = f" ×{number(finding.count)}" if finding.count > 1 else ""
    under = f" (follows from {finding.under})" if finding.under else ""
    heuristic = " (inferred)" if finding.heuristic else ""
    head = paint(f"  {finding.severity:<7}  {finding.rule}{times}", finding.severity)
    lines = [head + paint(f"  {where}{under}{heuristic}", "dim"), f"           {terminal(finding.message)}"]
    if finding.under is None:
        lines.append(paint(f"           {finding.advice}", "dim"))
    return "\n".join(lines)


def diff(difference: Compared, name: str) -> str:
    """Two readings compared, for people."""
    out = [terminal(f"{name}: {difference.b} against {difference.a}: {difference.verdict}")]
    if difference.headline:
        out.append(terminal(f"  {difference.headline}" + (f" — {difference.cause}" if difference.cause else "")))
    first = difference.first_difference
    # The cause stands above, and what is lacking in the sentence why: each is told once.
    why = "" if first is None else first.why
    raised = "" if difference.error is None else f"it raises: {difference.error[1]}"
    reason = difference.cause.partition(raised)[0].rstrip("; ") if raised else difference.cause
    for told in (f": {reason.removesuffix(', so the turn is empty')}", f" ({raised})", f"; {raised}"):
        why = why.replace(told, "", 1) if difference.cause and len(told) > len("; ") else why
    if first is not None:
        out.append(terminal(f"  first difference at event {first.event}: {why}"))
    readers = (difference.a, difference.b)
    sides = [(name, number(n), number(chars)) for name, n, chars in zip(readers, difference.blocks, difference.chars)]
    widths = [max(len(side[i]) for side in sides) for i in range(3)]
    if difference.lacks and difference.lacks not in why:
        out.append(terminal(f"  {difference.b} lacks {difference.lacks}"))
    for name, blocks, chars in sides:
        word = "block" if blocks == "1" else "blocks"
        out.append(f"  {name:<{widths[0]}}  {blocks:>{widths[1]}} {word:<6}  {chars:>{widths[2]}} characters")
    return "\n".join(out)


def streams(found: Sequence[Difference], names: tuple[str, str], asked: int | None = None) -> str:
    """What two recordings differ in, layer by layer: who reads one of them right and the other not, how lines are
    written, which fields there are. `asked`: how many clients have read both, None where nobody asked them.
    """
    out = []
    for layer in ("clients", "framing", "shape") if asked else ("framing", "shape"):
        rows = [row for row in found if row.layer == layer]
        said = "the same" if not rows else f"{len(rows)} difference{'s'[: len(rows) != 1]}"
        out.append(f"  {layer}: {said}" + (f", {number(asked or 0)} asked" if layer == "clients" else ""))
        for row in rows:
            out.append(terminal(f"    {row.what}"))
            for name, said, event in zip(names, (row.a, row.b), row.events):
                where = "" if event is None else f"  (event {event})"
                out.append(terminal(f"      {name:<{max(map(len, names))}}  {said}{where}"))
    return "\n".join(out)


def rules(found: list[Rule], color: bool = False) -> str:
    """Every rule with what it says, and its advice below. What a message is filled with stands as `N` and `…`."""
    paint = _paint if color else _plain
    wide = max(len(rule.name) for rule in found)
    out = []
    for rule in found:
        message = rule.message.format(count="N", s="s", detail="…", call="a call").replace("….", "…")
        out.append(paint(f"{rule.severity:<7}  {rule.name:<{wide}}", rule.severity) + f"  {message}")
        out.append(" " * (wide + 11) + paint(rule.advice, "dim"))
    return "\n".join(out)


def rule_object(rule: Rule) -> dict[str, Any]:
    """One rule for `rules --json`."""
    return {
        "rule": rule.name,
        "severity": rule.severity,
        "scope": rule.scope,
        "message": rule.message,
        "advice": rule.advice,
        "why": rule.why,
        "breaks": list(rule.breaks),
        "under": list(rule.under),
        "heuristic": rule.heuristic,
    }


def lens_object(lens: _Lens) -> dict[str, Any]:
    """One lens for `lenses --json`."""
    return {
        "name": lens.name,
        "title": lens.title,
        "kind": lens.kind,
        "dialects": list(lens.dialects),
        "evidence": lens.evidence,
        "source": lens.source,
        "summary": lens.summary,
        "rules": differences(lens.rules),
    }


def _paint(text: str, role: str) -> str:
    return f"\x1b[{_COLORS[role]}m{text}\x1b[0m"


def _plain(text: str, role: str) -> str:
    return text
