"""The field ledger in pieces says what the whole one says, and where in the stream each field is."""

from __future__ import annotations

import json

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses.run import read
from inspector_app.report.outline import ledger
from inspector_app.ui.views import field_ledger
from inspector_app.ui.views.field_ledger import FieldLedger


def reading_of(count: int) -> Reading:
    events = []
    for n in range(count):
        value: dict[str, object] = {"choices": [{"delta": {"content": f"w{n} "}}]}
        if n % 7 == 3:
            value["usage"] = {"n": n, "parts": [1, 2]}
        if count // 2 <= n < count // 2 + 3:
            value[f"key {n}"] = None
        events.append(f"data: {json.dumps(value)}\n\n")
    return read(Exchange("a.sse", "sse", MemoryBody("".join(events).encode())), load_kit())


@pytest.mark.parametrize("count", [1, 250, 256, 257, 3000])
def test_pieces_make_the_whole(count: int) -> None:
    reading = reading_of(count)
    found = FieldLedger(reading)
    assert list(found.steps())[-1] == count
    expected = [{key: row[key] for key in row if key != "read"} for row in ledger(reading)]
    assert list(found.rows.values()) == expected
    assert found.stretches("choices[].delta.content") == [(0.0, 1.0)]
    if count > 300:
        ((start, end),) = found.stretches('["key 1500"]')
        assert start * count <= 1500 < end * count
        assert end - start <= found.grain / count


def test_fields_without_end_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field_ledger, "MOST", 5)
    found = FieldLedger(reading_of(400))
    list(found.steps())
    assert len(found.rows) == 5
    assert found.presence.keys() == found.rows.keys()
    assert found.rows["usage.n"]["count"] == 57
