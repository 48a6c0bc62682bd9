"""Lines that are no JSON between those of an answer: the events around them are read as fast as ever, and the same."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from tests.core.streams import KIT

SAID = '{{"object":"chat.completion.chunk","choices":[{{"index":0,"delta":{{"content":"w{}"}}}}]}}'
ROUNDS = 60
ODD = ["hello", "", "{", '{"choices":[', "[DONE", '"text', "{}{}", "NaN", '{"error":"no"']


def read(body: bytes) -> Reading:
    analysis = Analysis(Exchange("-", "body", MemoryBody(body)), KIT)
    analysis.feed(body)
    return analysis.finish()


def stream(odd: str) -> bytes:
    return "".join(f"data: {SAID.format(n)}\n\ndata: {odd}\n\n" for n in range(ROUNDS)).encode()


def outcome(reading: Reading) -> object:
    blocks = [(block.kind, block.text, list(block.deltas), block.state) for block in reading.blocks]
    findings = [(found.rule, found.count, list(found.events)) for found in reading.findings]
    columns = list(reading.delta_blocks), list(reading.events.layouts), list(reading.events.flags)
    return blocks, findings, columns, reading.dialect


@pytest.mark.parametrize("odd", ODD)
def test_it_says_what_the_long_way_says(odd: str) -> None:
    short = read(stream(odd))
    with patch("inspector_app.core.plans.make_plan", return_value=None):
        long = read(stream(odd))
    assert outcome(short) == outcome(long)


@pytest.mark.parametrize("odd", ["hello", "{", '"text'])
def test_only_what_is_no_json_takes_the_long_way(odd: str) -> None:
    slow, taken = Analysis._slow, []

    def counted(analysis: Analysis, n: int, frame: object) -> None:
        taken.append(n)
        slow(analysis, n, frame)  # type: ignore[arg-type]

    with patch.object(Analysis, "_slow", counted):
        reading = read(stream(odd))
    assert len(reading.events) == 2 * ROUNDS
    assert sum(n % 2 == 0 for n in taken) < 8
