"""Which clients a change of the stream breaks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses import load_lenses, shipped_folder
from inspector_app.lenses.clients import Asked, ask, words_of
from inspector_app.lenses.matrix import matrix
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
    # Those that reports tell of are named first.
    told = [row.lens.evidence == "report" for row in found.broken]
    assert told == sorted(told, reverse=True)
    # The other way round the same clients read the first one wrong.
    turned = asked(b, OLD)
    assert [row.lens.name for row in turned.mended] == [row.lens.name for row in found.broken]
    assert {row.lens.name for row in turned.broken} == {row.lens.name for row in found.mended}


def test_what_was_wrong_before_is_not_broken_by_the_change() -> None:
    before = stream(*DETAILS, ANSWER)
    assert "openclaw" not in {row.lens.name for row in asked(before, stream(*DETAILS, {"content": "No."})).broken}
    assert "openclaw" not in {row.lens.name for row in asked(before, OLD).broken}


def test_words_name_the_field_that_is_not_read() -> None:
    (row,) = (row for row in asked(OLD, stream(*DETAILS, ANSWER)).broken if row.lens.name == "openclaw")
    assert words_of(row) == "Reasoning is lost — `reasoning_details` is not read (2 events, from event 0)"
    assert row.event == 0


def test_libraries_are_asked_too() -> None:
    """A stream whose call in pieces has an empty id behind the first is read wrong by more than one reports tell of."""

    def piece(name: str, arguments: str) -> dict[str, Any]:
        call = {"index": 0, "id": name and "call_1", "function": {"name": name, "arguments": arguments}}
        return {"tool_calls": [call]}

    bad, good = stream(piece("look", "{"), piece("", "}")), stream(piece("look", "{}"))
    found = asked(bad, good)
    both = [
        {row.lens.name for row in matrix(reading, LENSES.values(), KIT) if row.verdict not in ("right", "n/a")}
        for reading in (bad, good)
    ]
    hurt = both[0] - both[1]
    assert {row.lens.name for row in found.mended} == hurt
    assert {"wingmate-2026-06", "ruby-llm", "sse-devtools-panel-1.2"} <= hurt
    assert found.broken == ()
    assert found.mended[0].lens.name == "wingmate-2026-06"
    assert asked(bad, bad) == Asked(found.clients, ())


def test_nobody_is_asked_where_one_of_the_two_has_no_event() -> None:
    nothing = read(Exchange("b.sse", "sse", MemoryBody(b"\x00\xff" * 50)), KIT)
    assert asked(OLD, nothing) == asked(nothing, OLD) == Asked(0, ())


def test_who_does_not_speak_about_one_of_both_is_not_asked() -> None:
    other = read(Exchange("b.sse", "sse", MemoryBody(b'event: message_start\ndata: {"type":"message_start"}\n\n')), KIT)
    assert asked(OLD, other, {"x": LENSES["wingmate-2026-06"]}) == Asked(0, ())
