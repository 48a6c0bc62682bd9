"""The findings of one stream as Markdown, ready for an issue: what is wrong, where, as sent, and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inspector_app.core.diagnosis import Rule
from inspector_app.core.reading import Reading
from inspector_app.core.types import Finding
from inspector_app.report import markdown
from inspector_app.report.end_words import end_words
from inspector_app.report.listing import causes_first
from inspector_app.report.notes import notes_as_markdown
from inspector_app.report.outline import finish

MOST = 30
"""Findings that are told; of more the number."""


def findings_as_markdown(reference: Reading, findings: Sequence[Finding], rules: Mapping[str, Rule]) -> str:
    """The report of these findings of the reference reading, most severe first."""
    code, words = markdown.code, markdown.words
    name = markdown.file_name(reference.exchange)
    counts = [(severity, sum(f.severity == severity for f in findings)) for severity in ("error", "warning", "info")]
    told = ", ".join(f"{count} {severity}{'' if count == 1 else 's'}" for severity, count in counts if count)
    lines = [f"**{words(name)}**: {told or 'no findings'}", "", markdown.about(reference)]
    reasons = [code(str(entry["raw"])) if entry["raw"] else "none" for entry in finish(reference)]
    if len(reference.events):
        end = code(reference.marker) if reference.marker else words(end_words(reference))
        lines.append(f"- finish: {', '.join(reasons) or 'none'}, end: {end}")
    raised = {finding.rule for finding in findings}
    ordered = causes_first(findings)
    for finding in ordered[:MOST]:
        times = f" ×{finding.count}" if finding.count > 1 else ""
        inferred = " (inferred)" if finding.heuristic else ""
        lines += ["", f"### {code(finding.rule)}: {finding.severity}{times}{inferred}", "", words(finding.message)]
        if finding.under in raised:
            lines.append(f"It follows from {code(finding.under or '')}.")
            continue
        lines += ["", f"- advice: {words(finding.advice)}"]
        rule = rules.get(finding.rule)
        lines += [f"- breaks: {words(entry)}" for entry in (rule.breaks if rule is not None else ())]
        if finding.places:
            lines += ["", *markdown.sent(reference, finding.places[0])]
    if len(ordered) > MOST:
        lines += ["", f"And {len(ordered) - MOST} more findings."]
    lines += notes_as_markdown(reference)
    return "\n".join([*lines, "", *markdown.command("check", name), "", markdown.closing(), ""])
