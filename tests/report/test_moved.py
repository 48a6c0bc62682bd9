"""Fields that came and went as people tell of them: objects as one row, and what came where another went."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses.run import read
from inspector_app.report.differences import differences
from inspector_app.report.moved import by_object, renamed
from inspector_app.report.survey import Survey

KIT = load_kit()
WORDS = ("The ", "weir ", "is ", "open.")
Delta = Callable[[str], dict[str, Any]]


def survey(delta: Delta, **more: Any) -> Survey:
    deltas: list[dict[str, Any]] = [{"role": "assistant"}, *map(delta, WORDS), {"content": "Yes."}]
    lines = [
        "data: " + json.dumps({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": one}], **more})
        for one in deltas
    ]
    body = "".join(f"{line}\n\n" for line in [*lines, "data: [DONE]"]).encode()
    found = Survey(read(Exchange("a.sse", "sse", MemoryBody(body)), KIT))
    for _ in found.steps():
        pass
    return found


def content(word: str) -> dict[str, Any]:
    return {"reasoning_content": word}


def details(word: str) -> dict[str, Any]:
    return {"reasoning_details": [{"type": "reasoning.text", "text": word, "format": "unknown", "index": 0}]}


def test_the_fields_of_an_object_that_came_are_one_row() -> None:
    a, b = survey(content), survey(details)
    rows = by_object(differences(a, b), a, b)
    assert [(row.what, row.a, row.b, row.events) for row in rows] == [
        ("choices[].delta.reasoning_content", "string, in 4 events", "not there", (1, None)),
        ("choices[].delta.reasoning_details[]", "not there", "4 fields: type, text, format, index", (None, 1)),
    ]
    back = by_object(differences(b, a), b, a)
    assert ("choices[].delta.reasoning_details[]", "not there") in [(row.what, row.b) for row in back]


def test_fields_of_an_object_that_both_have_stay_apart() -> None:
    a = survey(lambda word: {"reasoning_details": [{"type": "reasoning.text", "text": word}]})
    b = survey(details)
    assert [row.what for row in by_object(differences(a, b), a, b)] == [
        "choices[].delta.reasoning_details[].format",
        "choices[].delta.reasoning_details[].index",
    ]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (content, details, "reasoning_content went, reasoning_details came, from event 1"),
        (details, content, "reasoning_details went, reasoning_content came, from event 1"),
        (content, lambda word: {"reasoning": word}, "reasoning_content went, reasoning came, from event 1"),
        # The reference reads nothing of it; that it came in its place shows by its name.
        (content, lambda word: {"reasoning_content_2": word}, "reasoning_content went, reasoning_content_2 came"),
        (content, content, ""),
        (lambda word: {"tool_calls": []}, lambda word: {"tool_calls": [{"index": 0, "id": word}]}, ""),
        (content, lambda word: {"x_trace": word}, ""),
        (content, lambda word: {"content": word}, ""),
    ],
)
def test_what_came_where_another_field_went(old: Delta, new: Delta, words: str) -> None:
    a, b = survey(old), survey(new)
    found = renamed(by_object(differences(a, b), a, b), a, b)
    assert (found.words if found is not None else "").startswith(words)
    assert (found is None) == (not words)


def test_the_field_with_content_is_told_rather_than_another() -> None:
    a, b = survey(content, system_print="x"), survey(details, system_prints="x")
    found = renamed(by_object(differences(a, b), a, b), a, b)
    assert found is not None
    assert found.went == "choices[].delta.reasoning_content"
