"""Where two answers part, by character, and which of their events belong together."""

from __future__ import annotations

import json
from functools import cache

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.pairing import along
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses.stretches import MOST, content_of, event_of, told


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


def call(number: int, name: str, arguments: str) -> dict[str, object]:
    function = {"name": name, "arguments": arguments}
    return {"tool_calls": [{"index": number, "id": f"call_{number}", "type": "function", "function": function}]}


def calls(*known: tuple[str, str]) -> Reading:
    return read(*(call(number, *one) for number, one in enumerate(known)))  # type: ignore[arg-type]


SAIL, RAIL, WALK = ("sail", '{"to": 1}'), ("rail", '{"to": 2}'), ("walk", '{"to": 3}')


@pytest.mark.parametrize(
    "a, b, rows",
    [
        ((SAIL, WALK), (SAIL, RAIL, WALK), [("tool call", "not there", '[rail {"to": 2}]', (None, 1))]),
        ((SAIL, RAIL, WALK), (SAIL, WALK), [("tool call", '[rail {"to": 2}]', "not there", (1, None))]),
        ((SAIL, RAIL), (SAIL, ("rail", '{"to": 9}')), [("tool call", '{"to": [2]}', '{"to": [9]}', (1, 1))]),
        ((SAIL, RAIL), (SAIL, ("ride", '{"to": 2}')), [("name of tool call", "rail", "ride", (1, 1))]),
        ((("rest", ""),), (), [("tool call", "[rest]", "not there", (0, None))]),
    ],
)
def test_calls_are_laid_beside_those_they_are(
    a: tuple[tuple[str, str], ...], b: tuple[tuple[str, str], ...], rows: list[object]
) -> None:
    ours, theirs = calls(*a), calls(*b)
    found, _ = content_of(ours, theirs)
    assert [tuple(row) for row in told(ours, theirs, found)] == rows


def test_what_stands_around_a_difference_says_where_it_was_cut() -> None:
    def parted(a: str, b: str) -> tuple[str, str]:
        (row,) = told(say(a), say(b), content_of(say(a), say(b))[0])
        return row.a, row.b

    long = "It was a long and {} way to the mill."
    assert parted(long.format("quiet"), long.format("noisy"))[1] == "…as a long and [noisy] way to the mi…"
    assert parted("red fox", "old fox") == ("[red] fox", "[old] fox")


def test_what_follows_an_insert_stands_beside_what_it_is() -> None:
    words = [f"word{n} " for n in range(300)]
    a, b = say(*words), say(*words[:100], *["more "] * 50, *words[100:200], *words[210:])
    found, pairs = content_of(a, b)
    assert [stretch.texts for stretch in found] == [("", "more " * 50), (" " + "".join(words[200:210])[:-1], "")]
    beside = along(pairs, 300, 340).b_of
    assert [beside(n) for n in (0, 99, 100, 150, 199, 210, 299)] == [0, 99, 150, 200, 249, 250, 339]


def test_a_long_text_with_a_change_at_both_ends_is_not_all_different() -> None:
    words = [f"word{n}, " for n in range(20_000)]
    a, b = say("So ", *words, "then"), say("Thus ", *words[:9_000], "indeed ", *words[9_000:], "now")
    found, _ = content_of(a, b)
    assert [stretch.texts for stretch in found] == [("So", "Thus"), ("", "indeed "), ("then", "now")]


def test_beyond_many_places_the_last_one_is_all_the_rest() -> None:
    a, b = (say(*(f"same{n} {word}{n} " for n in range(3000))) for word in "xy")
    found, _ = content_of(a, b)
    assert len(found) == MOST
    assert found[-1].texts[0].endswith("x2999")
