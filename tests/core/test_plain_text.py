"""Events whose data is plain text, because their dialect says so by their name; a made-up dialect does here."""

from __future__ import annotations

import re
from dataclasses import replace
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import load_kit
from inspector_app.core.pattern import Query
from inspector_app.core.reading import Reading
from inspector_app.core.search import Search
from inspector_app.core.types import Delta, Exchange, MemoryBody


def decode(payload: Any, name: str | None) -> list[Delta]:
    if isinstance(payload, str) and name == "word":
        return [Delta("text.delta", 0, "", payload)] if payload else [Delta("noop", 0, "", payload)]
    return [Delta("unknown", 0, "", payload)]


WORDS: Any = SimpleNamespace(
    NAME="words",
    TEXT_EVENTS=frozenset({"word"}),
    evidence=lambda payload, name: 2 if isinstance(payload, str) and name == "word" else 0,
    decode=decode,
    keys=lambda payload: iter(payload),
    provider=lambda payload: None,
    reads=lambda path, rules: True,
)
LOADED = load_kit()
DIALECTS: dict[str, ModuleType] = {**LOADED.dialects, "words": WORDS}
KIT = replace(LOADED, dialects=DIALECTS)
CHAT = 'data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"a"}}]}\n\n'


def word(*lines: str) -> str:
    return "event: word\n" + "".join(f"data: {line}\n" for line in lines) + "\n"


def read(text: str, size: int = 1 << 20) -> Reading:
    body = text.encode()
    analysis = Analysis(Exchange("-", "sse-body", MemoryBody(body)), KIT)
    for start in range(0, len(body), size):
        analysis.feed(body[start : start + size])
    return analysis.finish()


TEXTS = ["true", "12", " two  words ", '"quoted', "[DONE]", "data: wrapped", "{", '{"a":1}', "{}", "ü"]


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_a_text_is_kept_to_the_letter(size: int) -> None:
    reading = read(word("Go") + word("", "", "B") + word("") + word("", "") + "".join(map(word, TEXTS)), size)
    assert reading.dialect == "words"
    assert reading.blocks[0].text == "Go\n\nB\n" + "".join(TEXTS)
    assert [reading.payload(n) for n in range(len(reading.events))] == [None] * len(reading.events)
    assert {finding.rule for finding in reading.findings} == set()
    assert {flag for n in range(len(reading.events)) for flag in reading.event(n).flags} == set()
    again = [delta.value for n in range(len(reading.events)) for delta in reading.decode(n)]
    assert again == ["Go", "\n\nB", "", "\n", *TEXTS]


def test_before_any_dialect_speaks_an_object_is_json() -> None:
    reading = read(word('{"a":1}') + word("Go") + word('{"a":1}'))
    assert reading.blocks[0].text == 'Go{"a":1}'
    assert [delta.value for delta in reading.deltas(0)] == [{"a": 1}]


def test_in_the_stream_of_another_dialect_the_name_means_nothing() -> None:
    reading = read(CHAT + word("Go"))
    assert reading.dialect == "openai-chat"
    assert {"json-invalid"} <= {finding.rule for finding in reading.findings}
    assert reading.event(1).flags == ("not-json",)


def test_bytes_that_are_no_text_are_said_to_be_none() -> None:
    body = b"event: word\ndata: a\xff\n\n"
    analysis = Analysis(Exchange("-", "sse-body", MemoryBody(body)), KIT)
    analysis.feed(body)
    reading = analysis.finish()
    assert reading.event(0).flags == ("invalid-utf8",)
    assert reading.blocks[0].text == "a\ufffd"


@pytest.mark.parametrize("scope", ["deltas", "blocks", "everything"])
def test_what_is_found_in_a_text_is_shown_where_it_stands(scope: str) -> None:
    text = word("word") + word("a word") + word("is", "one word")
    reading = read(text)
    search = Search(Query("word", scope=scope), reading, [reading])
    for _ in search.steps():
        pass
    everywhere = [found.span() for found in re.finditer("word", text)]
    names = [found.span(1) for found in re.finditer("event: (word)", text)]
    wanted = everywhere if scope == "everything" else [place for place in everywhere if place not in names]
    assert sorted((match.start, match.end) for match in search.matches.values()) == wanted
