"""Events that are read by plan say what they say when each is read the long way."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.analysis import Analysis
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.files import read_input
from inspector_app.lenses.run import read
from tests.dialects.events import KIT

RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.rec.jsonl"))


@cache
def events(path: Path) -> list[bytes]:
    [exchange] = read_input(str(path))
    body = exchange.body.slice(0, len(exchange.body))
    return [part + b"\n\n" for part in body.split(b"\n\n") if part]


def outcome(reading: Reading) -> object:
    blocks = [
        (b.kind, b.text, b.fragments, list(b.deltas), b.state, b.closed_by, b.closed_at, b.fields)
        for b in reading.blocks
    ]
    findings = [(f.rule, f.message, f.count, f.places, list(f.events), f.block) for f in reading.findings]
    return blocks, list(reading.delta_blocks), list(reading.events.layouts), reading.usage, reading.marker, findings


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.name.partition(".")[0])
@given(data=st.data())
def test_the_short_way_says_what_the_long_way_says(path: Path, data: st.DataObject) -> None:
    whole = events(path)
    first = data.draw(st.integers(0, len(whole) - 1))
    kept = data.draw(st.lists(st.sampled_from(range(first, len(whole))), max_size=40))
    body = b"".join(whole[at] for at in (sorted(kept) if data.draw(st.booleans()) else kept))
    once = Exchange("-", "sse-body", MemoryBody(body))
    short = read(once, KIT)
    with patch("inspector_app.core.plans.make_plan", return_value=None):
        long = read(once, KIT)
    assert outcome(short) == outcome(long)


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.name.partition(".")[0])
@given(data=st.data())
def test_any_cut_gives_the_same_answer(path: Path, data: st.DataObject) -> None:
    """Whatever the reads are, and wherever the data ends."""
    body = b"".join(events(path))
    body = body[: data.draw(st.integers(0, len(body)))]
    exchange = Exchange("-", "sse-body", MemoryBody(body))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(body)), max_size=12)))
    analysis = Analysis(exchange, KIT)
    for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True):
        analysis.feed(body[start:end])
    assert outcome(analysis.finish()) == outcome(read(exchange, KIT))
