"""The links of a reading: byte, line, event, delta, block, read, and back."""

from __future__ import annotations

import json
from array import array
from typing import Any

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses.run import read

KIT = load_kit()


def chunk(*, finish: str | None = None, name: str = "chatcmpl-1", **delta: Any) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return (
        b"data: " + json.dumps({"id": name, "object": "chat.completion.chunk", "choices": [choice]}).encode() + b"\n\n"
    )


CALL = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "tide", "arguments": '{"at":'}}
REST = {"index": 0, "function": {"arguments": '"Hull"}'}}
STREAM = (
    chunk(role="assistant", content="")
    + chunk(reasoning_content="Look ")
    + chunk(reasoning_content="it up.")
    + b": ping\n\n\n"
    + chunk(content="Wait.")
    + chunk(tool_calls=[CALL])
    + chunk(tool_calls=[REST])
    + chunk(finish="tool_calls")
    + b"data: [DONE]\n\n"
)


def reading(body: bytes = STREAM, ends: list[int] | None = None, times: list[int] | None = None) -> Reading:
    exchange = Exchange("x.sse", "sse-body", MemoryBody(body), timing="measured" if times else "none")
    exchange.read_ends = array("Q", ends) if ends is not None else None
    exchange.read_times = array("q", times) if times is not None else None
    return read(exchange, KIT)


def test_every_byte_belongs_to_a_line_and_an_event_and_back() -> None:
    found = reading()
    for offset in range(len(STREAM)):
        line, event = found.lines.at(offset), found.event_at(offset)
        assert event is not None
        first, last = found.lines_of(event)
        assert first <= line < last
        start, end = found.bytes_of(event)
        assert start <= offset < end
    assert found.bytes_of(found.last_event)[1] == len(STREAM)


def test_blank_lines_that_follow_an_event_are_its_own() -> None:
    found = reading()
    assert found.lines_of(3) == (6, 9)
    assert found.event(3).flags == ("comment-only",)
    assert not found.event(3).dispatched


def test_a_delta_knows_its_event_and_its_block() -> None:
    found = reading()
    for block in found.blocks:
        for number, fragment in zip(block.deltas, block.fragments, strict=True):
            event = found.event_of_delta(number)
            first, last = found.deltas_of(event)
            assert first <= number < last
            assert block.first_event <= event <= block.last_event
            assert found.delta_blocks[number] == block.n
            said = found.deltas(event)[number - first]
            assert fragment in ("", said.value)


def test_a_pointer_leads_to_the_bytes_of_key_and_value() -> None:
    found = reading()
    start, end = found.place(1, "/choices/0/delta/reasoning_content")
    assert STREAM[start:end] == b'"reasoning_content": "Look "'
    start, end = found.place(5, "/choices/0/delta/tool_calls/0/function/name")
    assert STREAM[start:end] == b'"name": "tide"'
    assert found.place(5, None) == found.bytes_of(5)
    assert found.place(5, "/nothing/here") == found.bytes_of(5)


def test_an_event_is_timed_by_the_read_that_completed_it() -> None:
    cut = STREAM.index(b"it up")
    found = reading(ends=[cut, len(STREAM)], times=[5_000_000, 9_000_000])
    assert [found.read_of(n) for n in (0, 1, 2, found.last_event)] == [0, 0, 1, 1]
    assert [found.time_of(n) for n in (1, 2)] == [5_000_000, 9_000_000]


def test_without_reads_no_time_is_made_up() -> None:
    found = reading()
    assert found.read_of(2) is None
    assert found.time_of(2) is None


def test_blocks_and_their_ends() -> None:
    found = reading()
    assert [(b.kind, b.text, b.state, b.closed_by, b.closed_at) for b in found.blocks] == [
        ("reasoning", "Look it up.", "complete", "text", 4),
        ("text", "Wait.", "complete", "tool_call", 5),
        ("tool_call", '{"at":"Hull"}', "complete", "finish", 7),
    ]
    assert found.blocks[2].fields["executable"]
    assert found.clean
    assert {finding.rule for finding in found.findings} == {"sse-comment"}


GENERATIONS = [
    ("a retry in the midst", [("a", "One "), ("b", "Two.")], False, ["One ", "Two."], ["meta-generation-spliced"]),
    ("two complete answers", [("a", "One."), ("b", "Two.")], True, ["One.", "Two."], []),
    ("an id that drifts", [("a", "One "), ("a", "Two.")], False, ["One Two."], ["choice-role-repeated"]),
]


@pytest.mark.parametrize(("what", "answers", "ended", "texts", "rules"), GENERATIONS)
def test_answers_of_one_body_are_kept_apart(
    what: str, answers: list[tuple[str, str]], ended: bool, texts: list[str], rules: list[str]
) -> None:
    body = b""
    for n, (name, text) in enumerate(answers):
        body += chunk(role="assistant", content="", name=name) + chunk(content=text, name=name)
        if ended or n == len(answers) - 1:
            body += chunk(finish="stop", name=name) + b"data: [DONE]\n\n"
    found = reading(body)
    assert [block.text for block in found.blocks] == texts
    assert sorted(finding.rule for finding in found.findings) == rules


def test_events_are_known_by_their_flags_and_by_their_layouts() -> None:
    found = reading()
    flags, layouts = found.events.flags, found.events.layouts
    by_flags, by_layout = found.events_by_flags(), found.events_by_layout()
    assert by_flags, "the ping is flagged"
    assert {n: bits for bits, events in by_flags.items() for n in events} == {n: b for n, b in enumerate(flags) if b}
    assert {n: number for number, events in by_layout.items() for n in events} == dict(enumerate(layouts))
    assert list(by_layout) == list(dict.fromkeys(layouts))
