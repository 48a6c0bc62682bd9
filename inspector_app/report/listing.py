"""What the commands print for people: tables and a few lines, foreign text made safe for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from inspector_app.core.diagnosis import Rule
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules, differences
from inspector_app.core.text import clip, duration, number, size, terminal
from inspector_app.core.types import Block, Finding
from inspector_app.report.comparison import Compared
from inspector_app.report.outline import counts, finish, ladder

_COLORS = {"error": "31;1", "warning": "33", "info": "34", "dim": "2", "bold": "1"}
WIDE = 100
"""Characters of a block's text shown in one line."""


class _Lens(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def dialects(self) -> tuple[str, ...]: ...
    @property
    def evidence(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def summary(self) -> str: ...
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
    head = [exchange.format, reading.framing, reference.dialect, *([reference.provider] if reference.provider else [])]
    if exchange.http is not None:
        head.append(f"HTTP {exchange.http.status}")
    head += [f"{number(found['events'])} events", size(found["bytes"])]
    first = ladder(reference)["first_event"]
    if first is not None:
        head.append(f"first event after {duration(first)}")
    name = exchange.name if exchange.count == 1 else f"{exchange.name} [{exchange.number + 1} of {exchange.count}]"
    out = [paint(terminal(name), "bold"), "  " + " · ".join(terminal(word) for word in head)]
    if reading.reader != reference.reader:
        out.append(f"  read as {reading.reader}")
    out += ["  " + _block(block) for block in reading.blocks[:SHOWN_BLOCKS]]
    if len(reading.blocks) > SHOWN_BLOCKS:
        out.append(f"  … and {number(len(reading.blocks) - SHOWN_BLOCKS)} more blocks")
    reasons = [str(entry["raw"]) for entry in finish(reading)]
    end = reading.marker or "no end marker"
    out.append("  " + terminal(f"finish {', '.join(reasons) or 'none'} · {end}"))
    if reading.client_error is not None:
        error = reading.client_error
        out.append(paint(terminal(f"  client error at event {error['event']}: {error['message']}"), "error"))
    if not reference.findings:
        out.append("  no findings")
    for finding in reference.findings:
        out.append(_finding(finding, paint))
    return "\n".join(out)


SHOWN_BLOCKS = 12


def _block(block: Block) -> str:
    text = terminal(clip(block.text, WIDE)) if block.text else ""
    if block.kind == "tool_call":
        name = block.fields.get("name")
        call = terminal(name) if name else "name MISSING" if name is None else 'name ""'
        state = "executable" if block.fields.get("executable") else "not executable"
        return f"{block.n:>3}  tool call  {call}({text})  {state}"
    return f"{block.n:>3}  {block.kind:<9}  {text}"


def _finding(finding: Finding, paint: Any) -> str:
    where = f"event {finding.places[0].event}" if finding.places else ""
    if finding.places:
        where += f", bytes {finding.places[0].start}–{finding.places[0].end}"
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
    if first is not None:
        out.append(terminal(f"  first difference at event {first.event}: {first.why}"))
    for label, values in (("blocks", difference.blocks), ("characters", difference.chars)):
        out.append(f"  {label}: {number(values[0])} and {number(values[1])}")
    return "\n".join(out)


def rules(found: list[Rule], color: bool = False) -> str:
    """Every rule, a line each."""
    paint = _paint if color else _plain
    rows = [(rule.severity, rule.name, rule.advice) for rule in found]
    return "\n".join(paint(line, row[0]) for line, row in zip(table(rows).split("\n"), rows, strict=False))


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
