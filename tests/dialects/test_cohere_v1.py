"""Cohere v1: lines by event type, calls in pieces and whole, and the end with everything again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector_app.core.reading import Reading
from tests.dialects.events import read_text, texts


def line(kind: str, **fields: Any) -> str:
    return json.dumps({"is_finished": kind == "stream-end", "event_type": kind} | fields) + "\n"


def text(said: str) -> str:
    return line("text-generation", text=said)


def piece(**fields: Any) -> str:
    return line("tool-calls-chunk", tool_call_delta={"index": 0} | fields)


WHOLE = line("tool-calls-generation", tool_calls=[{"name": "f", "parameters": {"a": 1}}])
END = line("stream-end", finish_reason="COMPLETE", response={"text": "Ja."})


def read(*lines: str) -> Reading:
    return read_text(line("stream-start", generation_id="g1") + "".join(lines))


@pytest.mark.parametrize(
    ("lines", "blocks"),
    [
        ((text("Ja"), text(".")), [("text", "Ja.")]),
        ((text("Ja."), WHOLE), [("text", "Ja."), ("tool_call", '{"a":1}')]),
        ((piece(name="f"), piece(parameters='{"a":'), piece(parameters="1}"), WHOLE), [("tool_call", '{"a":1}')]),
        (
            (line("tool-calls-chunk", text="Look."), piece(name="f"), WHOLE),
            [("reasoning", "Look."), ("tool_call", '{"a":1}')],
        ),
    ],
)
def test_blocks(lines: tuple[str, ...], blocks: list[Any]) -> None:
    reading = read(*lines, END)
    assert (reading.dialect, reading.marker, reading.clean) == ("cohere-v1", "stream-end", True)
    assert texts(reading) == blocks


def test_the_text_at_the_end_counts_where_no_other_came() -> None:
    assert texts(read(END)) == [("text", "Ja.")]


def test_a_call_is_named_and_closed() -> None:
    [block] = read(WHOLE, END).blocks
    assert (block.fields["name"], block.fields["id"], block.state, block.closed_by) == (
        "f",
        None,
        "complete",
        "explicit",
    )


@pytest.mark.parametrize(
    ("wire", "reason"), [("COMPLETE", "stop"), ("MAX_TOKENS", "length"), ("ERROR_TOXIC", "content_filter")]
)
def test_finish_reasons(wire: str, reason: str) -> None:
    [finish] = read(text("Ja."), line("stream-end", finish_reason=wire)).finishes
    assert (finish["raw"], finish["reason"]) == (wire, reason)


def test_citations_and_counts() -> None:
    citation = {"start": 0, "end": 2, "text": "Ja", "document_ids": ["d"]}
    meta = {"billed_units": {"input_tokens": 1.0, "output_tokens": 2.0}}
    end = line("stream-end", finish_reason="COMPLETE", response={"meta": meta})
    reading = read(text("Ja."), line("citation-generation", citations=[citation]), end)
    assert reading.blocks[0].fields["citations"] == [citation]
    assert reading.usage is not None
    assert (reading.usage["input"], reading.usage["output"]) == (1, 2)
