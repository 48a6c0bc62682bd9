"""Cohere v2: blocks by kind and index, a plan without a block, citations, and the end."""

from __future__ import annotations

from typing import Any

import pytest

from inspector_app.core.reading import Reading
from tests.dialects.events import event, read_text, rules_of, texts, told

START = event("message-start", id="m1", delta={"message": {"role": "assistant", "content": [], "tool_plan": ""}})
DONE = "data: [DONE]\n\n"


def said(kind: str, index: int | None = None, **message: Any) -> str:
    return event(kind, **({} if index is None else {"index": index}), delta={"message": message})


def content(index: int, *pieces: str, kind: str = "text") -> str:
    start = said("content-start", index, content={"type": kind, kind: ""})
    deltas = "".join(said("content-delta", index, content={kind: piece}) for piece in pieces)
    return start + deltas + event("content-end", index=index)


def call(index: int, *pieces: str, wrap: bool = False) -> str:
    one = {"id": f"c{index}", "type": "function", "function": {"name": "f", "arguments": ""}}
    start = said("tool-call-start", index, tool_calls=[one] if wrap else one)
    deltas = [said("tool-call-delta", index, tool_calls={"function": {"arguments": piece}}) for piece in pieces]
    return start + "".join(deltas) + event("tool-call-end", index=index)


def end(reason: str = "COMPLETE", **delta: Any) -> str:
    return event("message-end", delta={"finish_reason": reason} | delta)


def read(*parts: str) -> Reading:
    return read_text("".join((START, *parts)))


PLAN = said("tool-plan-delta", tool_plan="I ") + said("tool-plan-delta", tool_plan="look.")

ANSWERS = [
    ((content(0, "Ja", "."), end()), [("text", "Ja.")]),
    ((content(0, "Hm.", kind="thinking"), content(1, "Ja."), end()), [("reasoning", "Hm."), ("text", "Ja.")]),
    ((PLAN, call(0, '{"a":', "1}"), end("TOOL_CALL")), [("reasoning", "I look."), ("tool_call", '{"a":1}')]),
    ((content(0, "Ja."), call(0), call(1, "{}"), end()), [("text", "Ja."), ("tool_call", ""), ("tool_call", "{}")]),
    ((call(0, "{}", wrap=True), end()), [("tool_call", "{}")]),
]


@pytest.mark.parametrize(("parts", "blocks"), ANSWERS)
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_blocks(parts: tuple[str, ...], blocks: list[Any], size: int) -> None:
    reading = read_text("".join((START, *parts, DONE)), size=size)
    assert reading.dialect == "cohere-v2"
    assert texts(reading) == blocks
    assert {state for _, _, state, _ in told(reading)} == {"complete"}
    assert (reading.marker, reading.clean) == ("message-end", True)
    assert rules_of(reading) & {"cohere-block-unbalanced", "end-marker-foreign", "tool-args-object"} == set()


def test_names_of_calls_and_forms_of_reasoning() -> None:
    reading = read(PLAN, call(0), content(0, "Hm.", kind="thinking"), end())
    assert [block.fields.get("form") for block in reading.blocks] == ["plan", None, "raw"]
    assert (reading.blocks[1].fields["id"], reading.blocks[1].fields["name"]) == ("c0", "f")


def test_a_citation_belongs_to_the_text() -> None:
    citation = {"start": 0, "end": 2, "text": "Ja", "sources": []}
    reading = read(content(0, "Ja."), said("citation-start", 0, citations=citation), event("citation-end"), end())
    assert reading.blocks[0].fields["citations"] == [citation]


@pytest.mark.parametrize(
    ("wire", "reason"),
    [("COMPLETE", "stop"), ("TOOL_CALL", "tool_calls"), ("MAX_TOKENS", "length"), ("ERROR", "error"), ("NEW", None)],
)
def test_finish_reasons(wire: str, reason: str | None) -> None:
    [finish] = read(content(0, "Ja."), end(wire)).finishes
    assert (finish["raw"], finish["reason"]) == (wire, reason)


def test_tokens_go_before_what_was_billed() -> None:
    raw = {"billed_units": {"input_tokens": 1, "output_tokens": 2}, "tokens": {"input_tokens": 9, "output_tokens": 8}}
    usage = read(content(0, "Ja."), end(usage=raw | {"cached_tokens": 4})).usage
    assert usage is not None
    assert (usage["input"], usage["output"], usage["cache_read"], usage["total"]) == (9, 8, 4, None)


def test_an_error_at_the_end() -> None:
    reading = read(content(0, "Ja"), end("ERROR", error="model overloaded"))
    assert [error["message"] for error in reading.errors] == ["model overloaded"]
    assert not reading.clean


@pytest.mark.parametrize(
    "parts",
    [
        (said("content-delta", 0, content={"text": "Ja."}), event("content-end", index=0), end()),
        (said("content-start", 0, content={"type": "text", "text": "Ja."}), end()),
    ],
)
def test_unbalanced_blocks_are_read_all_the_same(parts: tuple[str, ...]) -> None:
    reading = read(*parts)
    assert texts(reading) == [("text", "Ja.")]
    assert "cohere-block-unbalanced" in rules_of(reading)


def test_without_its_end_it_is_cut() -> None:
    assert {"end-truncated", "finish-missing"} <= rules_of(read(content(0, "Ja.")))
