"""Where two answers part, by character, and which of their events belong together."""

from __future__ import annotations

import json
from functools import cache

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses.stretches import content_of, event_of


@cache
def kit() -> Kit:
    return load_kit()


def read(*deltas: dict[str, str]) -> Reading:
    chunks = [{"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks).encode()
    analysis = Analysis(Exchange("x.sse", "sse-body", MemoryBody(body)), kit())
    analysis.feed(body)
    analysis.finish()
    return analysis.reading


def say(*words: str) -> Reading:
    return read(*({"content": word} for word in words))


@pytest.mark.parametrize(
    "a, b, parted",
    [
        (("The ", "red ", "fox"), ("The red", " fox"), []),
        (("The ", "red ", "fox ", "ran"), ("The ", "blue ", "fox ", "sat"), [("red", "blue"), ("ran", "sat")]),
        (("one two three",), ("one 2 3",), [("two three", "2 3")]),
        (("two metres of draught",), ("two meters of draught",), [("metres", "meters")]),
        (("a cat",), ("a cats",), [("cat", "cats")]),
        (("now",), ("now then",), [("", " then")]),
        (("駅まで歩く",), ("駅から歩く",), [("まで", "から")]),
        ((), ("hello",), [("", "hello")]),
    ],
)
def test_the_texts_that_differ(a: tuple[str, ...], b: tuple[str, ...], parted: list[tuple[str, str]]) -> None:
    found, _ = content_of(say(*a), say(*b))
    assert [stretch.texts for stretch in found] == parted


def test_where_they_stand() -> None:
    a, b = say("The ", "red ", "fox"), say("Th", "e bl", "ue fox")
    (stretch,), _ = content_of(a, b)
    assert (event_of(a, stretch.a[0]), event_of(b, stretch.b[0])) == (1, 1)
    assert [a.blocks[part.block].text[part.start : part.end] for part in stretch.a] == ["red"]


def test_long_texts_that_differ_all_over_are_one_stretch() -> None:
    a, b = (say(" ".join(f"{word}{n}" for n in range(1200))) for word in "xy")
    found, _ = content_of(a, b)
    assert len(found) == 1


def test_blocks_that_belong_together_lead_from_event_to_event() -> None:
    a = read({"reasoning": "Hm"}, {"content": "Yes"}, {"content": " no"})
    b = read({"reasoning": "H"}, {"reasoning": "m"}, {"reasoning": ""}, {"content": "Yes no"})
    _, pairs = content_of(a, b)
    assert sorted(pairs) == [(0, 0), (0, 1), (1, 3), (2, 3)]


def test_blocks_without_common_words_go_by_their_order() -> None:
    a = read({"reasoning": "Hm"}, {"content": "Yes"})
    b = read({"reasoning": "So"}, {"reasoning": " so"}, {"content": "No"})
    _, pairs = content_of(a, b)
    assert sorted(pairs) == [(0, 0), (0, 1), (1, 2), (1, 2)]
