"""What two recordings differ in, as Markdown for an issue or for the provider."""

from __future__ import annotations

from collections.abc import Sequence

from inspector_app.core.reading import Reading
from inspector_app.core.redact import redact_text
from inspector_app.core.text import clip
from inspector_app.report import markdown
from inspector_app.report.differences import Difference
from inspector_app.report.pace import Pace, rows_of

WIDEST = 200
TITLES = {
    "clients": "Clients that read one of the two right and the other not",
    "framing": "Framing: how lines are written",
    "shape": "Shape: which fields there are",
    "content": "Content",
}


def pair_as_markdown(
    readings: tuple[Reading, Reading],
    verdict: str,
    headline: str,
    rows: Sequence[Difference],
    asked: int | None = None,
    paces: tuple[Pace, Pace] | None = None,
) -> str:
    """A table for each layer with the first events, one of times, and below how to print the same; keys are masked.
    `asked`: how many clients have read both, None where nobody asked them.
    """
    names = [markdown.file_name(reading.exchange) for reading in readings]
    said = f"**{verdict}**: {markdown.words(headline)}" if headline else "the content is the same"
    lines = [f"{markdown.code(names[0])} (A) and {markdown.code(names[1])} (B): {said}.", ""]
    for name, reading in zip("AB", readings):
        lines.append(markdown.about(reading).replace("- stream:", f"- {name}:", 1))
    for layer, title in TITLES.items():
        found = [row for row in rows if row.layer == layer]
        if layer == "clients" and not asked:
            continue
        lines += ["", f"### {title}", ""]
        if not found:
            lines.append(f"None of the {asked} that were asked." if layer == "clients" else "The same.")
            continue
        lines += ["| what differs | A | B | first event |", "|---|---|---|---|"]
        lines += [f"| {' | '.join(_cells(row))} |" for row in found]
    times = rows_of(*paces) if paces is not None else []
    if times:
        lines += ["", "### Times since the request", "", "| what | A | B | after it |", "|---|---|---|---|"]
        lines += [f"| {' | '.join(_cells(row))} |" for row in times]
    return "\n".join([*lines, "", *markdown.command("diff", *names), "", markdown.closing(), ""])


def _cells(row: Difference) -> list[str]:
    what = markdown.code(row.what) if row.layer == "shape" else markdown.words(_short(row.what))
    where = ", ".join(f"{name} {n}" for name, n in zip("AB", row.events) if n is not None)
    return [what, markdown.words(_short(row.a)), markdown.words(_short(row.b)), where]


def _short(text: str) -> str:
    return clip(" ".join(redact_text(text).split()), WIDEST)
