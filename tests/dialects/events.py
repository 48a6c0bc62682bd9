"""Streams for the tests of dialects: events as they stand on the wire, and what a reader makes of them."""

from __future__ import annotations

import json
from typing import Any

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Exchange, MemoryBody

KIT = load_kit()


def event(kind: str, *, named: bool = True, **fields: Any) -> str:
    """One SSE event whose payload has this type."""
    data = json.dumps({"type": kind} | fields, ensure_ascii=False, separators=(",", ":"))
    return (f"event: {kind}\n" if named else "") + f"data: {data}\n\n"


def read_text(text: str, rules: ReadingRules | None = None, size: int = 1 << 20) -> Reading:
    """The reading of a body, fed in pieces of `size` bytes."""
    data = text.encode("utf-8", "surrogatepass")
    analysis = Analysis(Exchange("-", "sse-body", MemoryBody(data)), KIT, rules)
    for start in range(0, len(data), size):
        analysis.feed(data[start : start + size])
    return analysis.finish()


def told(reading: Reading) -> list[tuple[str, str, str, str | None]]:
    """Kind, text, state and what closed each block."""
    return [(block.kind, block.text, block.state, block.closed_by) for block in reading.blocks]


def texts(reading: Reading) -> list[tuple[str, str]]:
    """Kind and text of each block."""
    return [(block.kind, block.text) for block in reading.blocks]


def rules_of(reading: Reading) -> set[str]:
    """The names of the findings."""
    return {finding.rule for finding in reading.findings}
