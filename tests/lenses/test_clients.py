"""Which clients a change of the stream breaks."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses import load_lenses, shipped_folder
from inspector_app.lenses.clients import Asked, ask, words_of
from inspector_app.lenses.run import read

KIT = load_kit()
LENSES = load_lenses([shipped_folder()])


def stream(*deltas: dict[str, Any], head: str = "data: ") -> Reading:
    chunks = [{"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": one}]} for one in deltas]
    body = "".join(f"{head}{json.dumps(chunk)}\n\n" for chunk in chunks) + f"{head}[DONE]\n\n"
    return read(Exchange("a.sse", "sse", MemoryBody(body.encode())), KIT)


def asked(a: Reading, b: Reading, lenses: Any = LENSES) -> Asked:
    *rests, last = ask(a, b, lenses.values(), KIT)
    assert last is not None
    assert {*rests} <= {None}
    return last


ANSWER = {"content": "Yes."}
OLD = stream({"reasoning_content": "Hm, "}, {"reasoning_content": "so."}, ANSWER)
DETAILS = [{"reasoning_details": [{"type": "reasoning.text", "text": word}]} for word in ("Hm, ", "so.")]


@pytest.mark.parametrize(
    ("b", "broken"),
    [
        (OLD, set()),
        (stream(*DETAILS, ANSWER), {"openclaw"}),
        (stream({"reasoning_content": "Hm, so."}, ANSWER, head="data:"), {"wingmate-2026-06"}),
    ],
)
def test_clients_that_read_the_one_right_and_the_other_not(b: Reading, broken: set[str]) -> None:
    found = asked(OLD, b)
    assert broken <= {row.lens.name for row in found.broken}
    assert bool(found.broken) == bool(broken)
    assert not any(row.lens.name.endswith("-fixed") for row in found.broken)
    assert {row.lens.evidence for row in found.broken} <= {"report"}


def test_what_was_wrong_before_is_not_broken_by_the_change() -> None:
    before = stream(*DETAILS, ANSWER)
    assert "openclaw" not in {row.lens.name for row in asked(before, stream(*DETAILS, {"content": "No."})).broken}
    assert "openclaw" not in {row.lens.name for row in asked(before, OLD).broken}


def test_words_name_the_field_that_is_not_read() -> None:
    (row,) = (row for row in asked(OLD, stream(*DETAILS, ANSWER)).broken if row.lens.name == "openclaw")
    assert words_of(row) == "Reasoning is lost — `reasoning_details` is not read (2 events, from event 0)"
    assert row.event == 0


def test_libraries_are_not_asked_but_the_users_own_clients_are(tmp_path: Path) -> None:
    library = next(lens for lens in LENSES.values() if lens.evidence != "report" and "openai-chat" in lens.dialects)
    assert asked(OLD, OLD, {"x": library}).clients == 0
    assert asked(OLD, OLD, {"x": replace(library, path=tmp_path / "x.toml")}).clients == 1


def test_who_does_not_speak_about_one_of_both_is_not_asked() -> None:
    other = read(Exchange("b.sse", "sse", MemoryBody(b'event: message_start\ndata: {"type":"message_start"}\n\n')), KIT)
    assert asked(OLD, other) == Asked(0, ())
