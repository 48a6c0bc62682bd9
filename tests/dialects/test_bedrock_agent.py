"""Bedrock agents: base64 of plain text, its sources, the trace, and calls that go back to the client."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.pattern import Query
from inspector_app.core.reading import Reading
from inspector_app.core.search import Search
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.core.wrapped import Stretch
from inspector_app.dialects.bedrock_agent import decode
from tests.dialects.events import KIT, read_text, rules_of, texts
from tests.framing.aws_frames import event, exception


def chunk(text: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return "chunk", {"bytes": b64encode(text.encode()).decode()} | more


def trace(**steps: Any) -> tuple[str, dict[str, Any]]:
    return "trace", {"agentId": "A", "sessionId": "s", "trace": steps}


def read(*events: tuple[str, dict[str, Any]], size: int = 1 << 20, tail: bytes = b"") -> Reading:
    body = b"".join(event(kind, payload | {"p": "abc"}) for kind, payload in events) + tail
    analysis = Analysis(Exchange("-", "binary-body", MemoryBody(body)), KIT)
    for start in range(0, len(body), size):
        analysis.feed(body[start : start + size])
    return analysis.finish()


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_pieces_of_text(size: int) -> None:
    pieces = [f"{n}. „Ja“ " for n in range(20)]
    reading = read(*map(chunk, pieces), size=size)
    assert (reading.dialect, reading.provider, reading.clean) == ("bedrock-agent", "bedrock", True)
    assert texts(reading) == [("text", "".join(pieces))]
    assert [reading.deltas(n)[0].value for n in range(20)] == pieces
    start, end = reading.place(7, "/bytes")
    coded = b64encode(pieces[7].encode())
    assert reading.body.slice(start, end) == b'"bytes":"' + coded + b'"'
    assert rules_of(reading) == {"frame-not-sse"}


@pytest.mark.parametrize("size", [1, 1 << 20])
@pytest.mark.parametrize(
    "before", [[], [chunk("So: ")], [trace(orchestrationTrace={"modelInvocationInput": {"text": "{}"}})]]
)
def test_text_that_looks_like_an_object_is_text(before: list[tuple[str, dict[str, Any]]], size: int) -> None:
    pieces = ['{"', 'answer": ', "{", "}", '{"a": 1}', "}"]
    reading = read(*before, *map(chunk, pieces), size=size)
    assert reading.dialect == "bedrock-agent"
    assert texts(reading)[-1][1].endswith("".join(pieces))
    assert rules_of(reading) == {"frame-not-sse"}


@pytest.mark.parametrize("before", [[chunk("So: ")], [trace(orchestrationTrace={"observation": {"type": "FINISH"}})]])
def test_a_whole_object_is_text_in_the_stream_of_an_agent(before: list[tuple[str, dict[str, Any]]]) -> None:
    reading = read(*before, chunk('{"outputText": "Ja"}'))
    assert reading.dialect == "bedrock-agent"
    assert texts(reading)[-1][1].endswith('{"outputText": "Ja"}')


def test_sources_belong_to_the_text() -> None:
    source = {"retrievedReferences": [{"content": {"text": "x"}}]}
    [block] = read(chunk("Ja, "), chunk("da.", attribution={"citations": [source]})).blocks
    assert (block.text, block.fields["citations"]) == ("Ja, da.", [source])


def test_a_trace_has_thoughts_and_steps() -> None:
    reading = read(
        trace(orchestrationTrace={"modelInvocationInput": {"text": "{}"}}),
        trace(orchestrationTrace={"rationale": {"text": "I look it up.", "traceId": "t"}}),
        trace(orchestrationTrace={"observation": {"type": "FINISH"}}),
        chunk("Ja."),
    )
    assert texts(reading) == [("reasoning", "I look it up."), ("text", "Ja.")]
    assert [reading.deltas(n)[0].kind for n in range(4)] == ["progress", "reasoning.delta", "progress", "text.delta"]


def test_a_failure_in_the_trace_is_an_error() -> None:
    reading = read(trace(failureTrace={"failureReason": "no model", "traceId": "t"}))
    assert [error["message"] for error in reading.errors] == ["no model"]


def test_a_call_goes_back_to_the_client() -> None:
    call = {"actionGroup": "doors", "function": "ring", "parameters": [{"name": "times", "value": "2"}]}
    reading = read(("returnControl", {"invocationId": "i", "invocationInputs": [{"functionInvocationInput": call}]}))
    [block] = reading.blocks
    assert (block.kind, block.fields["name"], block.fields["id"]) == ("tool_call", "ring", "i")
    assert json.loads(block.text) == call["parameters"]
    assert block.state == "complete"


def test_files() -> None:
    [block] = read(("files", {"files": [{"name": "a.csv", "type": "text/csv", "bytes": "eA=="}]})).blocks
    assert block.kind == "media"


def test_a_log_of_events() -> None:
    lines = [{kind: payload} for kind, payload in (trace(orchestrationTrace={"x": 1}), chunk("Ja, "), chunk("da."))]
    reading = read_text("".join(json.dumps(line) + "\n" for line in lines))
    assert (reading.dialect, texts(reading)) == ("bedrock-agent", [("text", "Ja, da.")])


def test_an_exception_ends_it() -> None:
    reading = read(chunk("Ja"), tail=exception("dependencyFailedException", b'{"message":"no"}'))
    assert [(error["type"], error["message"]) for error in reading.errors] == [("dependencyFailedException", "no")]
    assert not reading.clean


@pytest.mark.parametrize(
    ("payload", "kinds"),
    [
        ({"bytes": "%%", "attribution": {}}, ["unknown"]),
        ({"bytes": "YQ==", "novel": 1}, ["text.delta", "unknown"]),
        ({"bytes": "YQ==", "attribution": 7}, ["text.delta", "unknown"]),
        ({"bytes": "%%"}, ["unknown"]),
        ([], ["unknown"]),
    ],
)
def test_what_is_odd_is_shown(payload: Any, kinds: list[str]) -> None:
    assert [delta.kind for delta in decode(payload, "chunk")] == kinds


def test_what_is_found_in_the_text_lies_in_its_base64() -> None:
    reading = read(chunk("Über den Fluss "), chunk("führt eine Brücke."))
    search = Search(Query("Brücke"), reading, [reading])
    for _ in search.steps():
        pass
    [match] = search.matches.values()
    start, end = reading.place(1, "/bytes")
    coded = b64encode("führt eine Brücke.".encode())
    at = reading.body.slice(start, end).index(coded) + start
    wanted = Stretch(b"", at, True).span(len("führt eine ".encode()), len("führt eine Brücke".encode()))
    assert (match.start, match.end) == wanted
