"""One recording under every lens, as Markdown for an issue and as one JSON object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

from inspector_app.core.reading import Reading
from inspector_app.core.text import clip
from inspector_app.report import markdown
from inspector_app.report.comparison import Client, Compared

SCHEMA = "stream-inspector/matrix/1"
WIDEST = 300
"""Characters of what differs in one row."""
HEAD = ("client", "reads", "what differs", "blocks", "characters", "first event", "known by")


class Named(Client, Protocol):
    """What this says of a lens."""

    @property
    def name(self) -> str: ...


class MatrixRow(Protocol):
    """What this needs of a row (`lenses.matrix.Row`)."""

    @property
    def lens(self) -> Named: ...
    @property
    def verdict(self) -> str: ...
    @property
    def event(self) -> int | None: ...
    @property
    def difference(self) -> Compared | None: ...
    def to_json(self) -> dict[str, Any]: ...


def matrix_as_markdown(reference: Reading, rows: Sequence[MatrixRow]) -> str:
    """A table with a row for each client, the worst first as they come."""
    counted = Counter(row.verdict for row in rows)
    name = markdown.file_name(reference.exchange)
    said = ", ".join(f"{count} {verdict}" for verdict, count in counted.items())
    lines = [f"{markdown.code(name)} as {len(rows)} clients read it: {said}.", "", markdown.about(reference), ""]
    lines += [f"| {' | '.join(HEAD)} |", "|---|---|---|--:|--:|--:|---|"]
    lines += [f"| {' | '.join(_cells(row))} |" for row in rows]
    return "\n".join([*lines, "", *markdown.command("check", name, "--all-lenses"), "", markdown.closing(), ""])


def _cells(row: MatrixRow) -> list[str]:
    found = row.difference
    lens = f"{markdown.words(row.lens.title)} ({markdown.code(row.lens.name)})"
    verdict = row.verdict if row.verdict in ("right", "n/a") else f"**{row.verdict}**"
    if found is None:
        return [lens, verdict, "reads another API", "", "", "", row.lens.evidence]
    what = "; ".join(filter(None, (found.headline, found.cause)))
    event = "" if row.event is None else str(row.event)
    told = markdown.words(clip(" ".join(what.split()), WIDEST))
    return [lens, verdict, told, str(found.blocks[1]), str(found.chars[1]), event, row.lens.evidence]


def matrix_object(reference: Reading, rows: Sequence[MatrixRow]) -> dict[str, Any]:
    """The same for other programs."""
    return {
        "schema": SCHEMA,
        "file": reference.exchange.name,
        "dialect": reference.dialect,
        "reference": {"blocks": len(reference.blocks), "events": len(reference.events)},
        "lenses": [row.to_json() for row in rows],
    }
