"""Characters and tokens over time, checked by hand."""

from __future__ import annotations

from array import array
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector_app.core.analysis import Analysis
from inspector_app.core.rates import MEANINGS, Rates, Tokens, tokens_of
from inspector_app.core.reading import Reading
from tests.core.streams import DONE, KIT, chunk, element, end, said, sse, thought, tool
from tests.core.timed import MS, exchange_of, positions_of, reading_of


def rates_of(reading: Reading) -> Rates:
    rates = Rates(reading, positions_of(reading))
    rates.extend()
    return rates


def entries(rates: Rates) -> list[tuple[int, int, str, int]]:
    """Time in ms, event, meaning and characters of each entry."""
    sizes = (rates.within(n - 1, n) for n in range(len(rates)))
    rows = zip(rates.times, rates.events, rates.codes, sizes, strict=True)
    return [(time // MS, event, MEANINGS[code], sum(size)) for time, event, code, size in rows]


def test_every_event_counts_what_it_said_at_its_time() -> None:
    two = chunk({"tool_calls": [element("{", index=0), element("[1", index=1)]})
    reading = reading_of(
        [
            (10, sse(chunk({"role": "assistant"}), thought("abc"))),
            (20, sse(chunk({"reasoning_content": "de", "content": "f"}))),
            (30, sse(said("ghij"))),
            (40, sse(tool("", id="a", name="f"), tool("", index=1, id="b", name="g"))),
            (50, sse(two)),
            (60, sse(tool("}"), tool("]", index=1), end("tool_calls"), DONE)),
        ]
    )
    rates = rates_of(reading)
    assert entries(rates) == [
        (10, 1, "reasoning", 3),
        (20, 2, "reasoning", 2),
        (20, 2, "text", 1),
        (30, 3, "text", 4),
        (50, 6, "tool", 3),
        (60, 7, "tool", 1),
        (60, 8, "tool", 1),
    ]
    assert [rates.entry_at(ms * MS) for ms in (9, 10, 29.9, 60, 900)] == [-1, 0, 2, 6, 6]
    assert rates.within(0, 4) == (2, 8)
    assert rates.within(-1, 6) == (5, 10)


def test_growing_snapshots_count_what_is_new() -> None:
    texts = ["So", "So it", "So it is", "So it is done"]
    rates = rates_of(reading_of([(10 * n, sse(said(text))) for n, text in enumerate(texts, 1)] + [(90, sse(DONE))]))
    assert rates.reading.blocks[0].text == texts[-1]
    assert [size for _, _, _, size in entries(rates)] == [2, 3, 3, 5]


@pytest.mark.parametrize(
    "usage, reasoning, other, expected",
    [
        (None, 10, 30, Tokens(0.25, 0.25, True)),
        ({"output": None}, 10, 30, Tokens(0.25, 0.25, True)),
        ({"output": 0}, 10, 30, Tokens(0.25, 0.25, True)),
        ({"output": 20}, 0, 0, Tokens(0.25, 0.25, True)),
        ({"output": 20, "reasoning": None}, 10, 30, Tokens(0.5, 0.5, False)),
        ({"output": 20, "reasoning": 5}, 10, 30, Tokens(0.5, 0.5, False)),
        ({"output": 20, "reasoning": 8}, 10, 30, Tokens(0.8, 0.4, False)),
        ({"output": 20, "reasoning": 0}, 10, 30, Tokens(0.5, 0.5, False)),
        ({"output": 20, "reasoning": 20}, 10, 30, Tokens(0.5, 0.5, False)),
        ({"output": 20, "reasoning": 8}, 0, 30, Tokens(0.0, 0.4, False)),
        ({"output": 21, "reasoning": 20}, 10, 0, Tokens(2.0, 0.0, False)),
        ({"output": 15, "reasoning": 20}, 10, 30, Tokens(2.0, 0.5, False)),
    ],
)
def test_tokens_of_the_usage_are_spread_over_the_characters(
    usage: dict[str, Any] | None, reasoning: int, other: int, expected: Tokens
) -> None:
    assert tokens_of(usage, reasoning, other) == pytest.approx(expected)


def test_the_usage_of_a_stream_is_used() -> None:
    last = {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 6, "total_tokens": 7}}
    rates = rates_of(reading_of([(5, sse(said("abcd"), said("efgh"), end(), last, DONE))]))
    assert rates.tokens == Tokens(0.75, 0.75, False)


SAID = st.sampled_from(
    [thought("ab"), said("c"), said("<think>d"), said("e</think>f"), tool("{"), tool("}", index=1), said("")]
)


@settings(max_examples=80, deadline=None)
@given(payloads=st.lists(SAID, min_size=1, max_size=25), looks=st.sets(st.integers(0, 27)), lag=st.integers(0, 2))
def test_what_is_taken_in_piece_by_piece_is_what_is_taken_in_at_once(
    payloads: list[Any], looks: set[int], lag: int
) -> None:
    reads = [(10 * n, sse(payload)) for n, payload in enumerate([*payloads, end(), DONE], 1)]
    analysis = Analysis(exchange_of(reads), KIT)
    positions: array[int] = array("q")
    rates = Rates(analysis.reading, positions)
    for number, piece in enumerate(analysis.reading.exchange.chunks()):
        analysis.feed(piece)
        known = len(analysis.reading.events) - lag
        positions.extend(analysis.reading.time_of(n) or 0 for n in range(len(positions), known))
        if number in looks:
            rates.extend()
            assert list(rates.events) == sorted(rates.events)
            assert all(event < len(positions) for event in rates.events)
    reading = analysis.finish()
    positions.extend(reading.time_of(n) or 0 for n in range(len(positions), len(reading.events)))
    rates.extend()
    whole = rates_of(reading)
    assert entries(rates) == entries(whole)
    assert rates.within(-1, len(rates) - 1) == whole.within(-1, len(whole) - 1)


def test_a_walk_that_is_left_goes_on_where_it_was() -> None:
    reading = reading_of([(n, sse(said("ab"))) for n in range(1, 9001)] + [(9999, sse(DONE))])
    rates = Rates(reading, positions_of(reading))
    next(rates.in_steps())
    assert 0 < len(rates) < 9000
    rates.extend()
    assert (len(rates), rates.within(-1, 8999)) == (9000, (0, 18_000))
