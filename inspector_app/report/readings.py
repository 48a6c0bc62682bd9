"""What clients make of a recording, for people at a terminal: a line for each client, and advice both ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

from inspector_app.core.text import number, terminal
from inspector_app.report import listing


class Row(Protocol):
    """What this needs of a row of the matrix (`lenses.matrix.Row`)."""

    @property
    def lens(self) -> Any: ...
    @property
    def verdict(self) -> str: ...
    @property
    def event(self) -> int | None: ...
    @property
    def client_error(self) -> Any: ...
    @property
    def difference(self) -> Any: ...


class Advice(Protocol):
    """What this needs of advice (`lenses.advice_words.Advice`)."""

    @property
    def rule(self) -> str: ...
    @property
    def client(self) -> str: ...
    @property
    def gateway(self) -> str: ...


def table(rows: Sequence[Row]) -> str:
    """The clients that read the dialect, in the order given; those that do not are only counted."""
    asked = [row for row in rows if row.verdict != "n/a"]
    out = [("  CLIENT", "VERDICT", "BLOCKS", "EVENT", "WHAT IT MAKES OF IT")]
    for row in asked:
        blocks = number(row.difference.blocks[1])
        event = "-" if row.event is None else number(row.event)
        out.append((f"  {row.lens.name}", row.verdict, blocks, event, terminal(_words(row))))
    counts = Counter(row.verdict for row in rows)
    told = ", ".join(f"{number(counts[verdict])} {verdict}" for verdict in dict.fromkeys(row.verdict for row in rows))
    return f"{listing.table(out)}\n  {told or 'no lenses'}"


def _words(row: Row) -> str:
    words: str = row.difference.headline
    cause = row.difference.cause
    words += f": {cause}" if words and cause else ""
    error = row.client_error
    if error is not None and error["message"] not in words:
        words += f"{'; ' if words else ''}it says: {error['message']}"
    return words


def advice(found: Advice) -> str:
    """One sentence for each side, in two lines."""
    because = f" ({found.rule})" if found.rule else ""
    return f"  to the client's author: {found.client}{because}\n  to the gateway's author: {found.gateway}"
