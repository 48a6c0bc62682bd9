"""A long body of lines that are no JSON is decoded once: to look for kinds that nobody knows, it was decoded again."""

from __future__ import annotations

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody

LINES = b"data: no JSON at all\n\n" * 40


def test_lines_that_are_no_json_are_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    again: list[int] = []
    decode = Reading.deltas
    monkeypatch.setattr(Reading, "deltas", lambda reading, n: again.append(n) or decode(reading, n))
    analysis = Analysis(Exchange("a", "sse-body", MemoryBody(LINES)), load_kit())
    analysis.feed(LINES)
    assert len(analysis.finish().events) == 40
    assert again == []
