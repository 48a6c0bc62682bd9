"""The end of a long stream is judged in steps: a window repaints between them."""

from __future__ import annotations

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import load_kit
from inspector_app.core.types import Exchange, MemoryBody

KIT = load_kit()
CHUNK = b'data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":%b,"finish_reason":%b}]}\n\n'


def body(blocks: int) -> bytes:
    """Reasoning and text in turn, ten events each, with markup and a close tag in the text."""
    thought, text = CHUNK % (b'{"reasoning_content":"hm "}', b"null"), CHUNK % (b'{"content":"a "}', b"null")
    leak = CHUNK % (b'{"content":"</think><tool_call>{"}', b"null")
    return (10 * thought + 9 * text + leak) * blocks + CHUNK % (b"{}", b'"stop"') + b"data: [DONE]\n\n"


def ended(pieces: int, whole: bytes) -> tuple[Analysis, int]:
    analysis = Analysis(Exchange("x", "sse-body", MemoryBody(whole)), KIT)
    for at in range(0, len(whole), -(-len(whole) // pieces)):
        analysis.feed(whole[at : at + -(-len(whole) // pieces)])
    return analysis, sum(1 for _ in analysis.finish_steps())


def test_more_blocks_and_more_events_are_more_steps_and_not_longer_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    _, few = ended(1, body(1))
    _, more = ended(1, body(20))
    assert more >= few + 2 * 19, "rules that look at the words of blocks rest after each"
    monkeypatch.setattr("inspector_app.core.reading.GROUPED", 50)
    _, most = ended(1, body(20))
    assert most >= more + 2 * (402 // 50 - 1), "what is counted for all events is counted in pieces"


def test_rests_change_nothing_that_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    usual, _ = ended(1, body(5))
    monkeypatch.setattr("inspector_app.core.reading.GROUPED", 7)
    resting, _ = ended(13, body(5))
    assert resting.reading.findings == usual.reading.findings
    assert {"reasoning-interleaved", "tool-markup-leak"} <= {finding.rule for finding in usual.reading.findings}
    assert resting.reading.events_by_layout() == usual.reading.events_by_layout()
    count = len(usual.reading.events)
    both = [[reading.deltas_of(n) for n in range(count)] for reading in (usual.reading, resting.reading)]
    assert both[0] == both[1]
