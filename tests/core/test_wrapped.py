"""Payloads in an envelope: what is inside is read, and every place leads to the base64 that holds it."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core import flags as F
from inspector_app.core.analysis import Analysis
from inspector_app.core.pattern import Query
from inspector_app.core.reading import Reading
from inspector_app.core.search import Search
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.core.wrapped import Stretch, open_payload
from inspector_app.report.outline import ledger
from tests.dialects.events import KIT, rules_of, texts, told
from tests.framing.aws_frames import event, exception

ENVELOPES = tuple(KIT.envelopes.values())
SPOKEN = "Zwölf Brücken, 🌉 und ein „Nein“."


def messages(pieces: Iterable[str]) -> list[dict[str, Any]]:
    deltas = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": one}} for one in pieces
    ]
    return [
        {"type": "message_start", "message": {"id": "msg_bdrk_1", "role": "assistant", "content": [], "usage": {}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *deltas,
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 5}},
        {"type": "message_stop", "amazon-bedrock-invocationMetrics": {"inputTokenCount": 3}},
    ]


def coded(inner: Any) -> str:
    data = inner if isinstance(inner, bytes) else json.dumps(inner, ensure_ascii=False).encode()
    return b64encode(data).decode()


def frames(payloads: Iterable[Any]) -> bytes:
    return b"".join(event("chunk", {"bytes": coded(one), "p": "abcdef"[: n % 6]}) for n, one in enumerate(payloads))


def read(body: bytes, size: int = 1 << 20, **how: Any) -> Reading:
    analysis = Analysis(Exchange("-", "binary-body", MemoryBody(body)), KIT, **how)
    for start in range(0, len(body), size):
        analysis.feed(body[start : start + size])
    return analysis.finish()


@given(st.binary(min_size=1, max_size=40), st.data())
def test_a_span_is_the_least_base64_that_holds_the_bytes(data: bytes, draw: st.DataObject) -> None:
    first = draw.draw(st.integers(0, len(data) - 1))
    last = draw.draw(st.integers(first + 1, len(data)))
    start, end = Stretch(data, 100, True).span(first, last)
    text = b64encode(data)
    bits = "".join(
        f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.index(chr(c)):06b}"
        for c in text.rstrip(b"=")
    )
    held = bits[6 * (start - 100) : 6 * (end - 100)]
    wanted = "".join(f"{byte:08b}" for byte in data[first:last])
    assert wanted in held
    assert len(held) - len(wanted) < 12
    assert Stretch(data, 100, True).within(start, end) == (first, last)


def test_bytes_as_they_are_stay_where_they_are() -> None:
    plain = Stretch(b"abc", 7)
    assert (plain.span(1, 3), plain.within(8, 99)) == ((8, 10), (1, 3))


@pytest.mark.parametrize(
    ("payload", "name", "inside"),
    [
        ({"bytes": coded({"a": 1})}, "chunk", {"a": 1}),
        ({"p": "xy", "bytes": coded({"a": 1})}, "chunk", {"a": 1}),
        ({"chunk": {"bytes": coded({"a": 1})}}, None, {"a": 1}),
        ({"bytes": coded({"a": 1})}, "other", None),
        ({"bytes": coded({"a": 1})}, None, None),
        ({"bytes": coded(b"plain text")}, "chunk", None),
        ({"bytes": "no base64"}, "chunk", None),
        ({"bytes": coded({"a": 1})[:-1]}, "chunk", None),
        ({"bytes": 7}, "chunk", None),
        ({"bytes": coded({"a": 1}), "attribution": {}}, "chunk", None),
        ([1], "chunk", None),
        ("x", None, None),
    ],
)
def test_what_is_an_envelope(payload: Any, name: str | None, inside: Any) -> None:
    data = json.dumps(payload).encode()
    found = open_payload(ENVELOPES, data, name)
    found = found if found is not None and found[1].is_object else None
    assert (json.loads(found[1].data) if found is not None else None) == inside
    if found is not None:
        assert b64decode(data[found[1].start :].partition(b'"')[0]) == found[1].data


def test_data_that_is_no_json_is_no_envelope() -> None:
    assert open_payload(ENVELOPES, b'{"bytes":"e30="', "chunk") is None


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_the_dialect_inside_reads_it(size: int) -> None:
    reading = read(frames(messages(SPOKEN.split(" "))), size)
    assert (reading.dialect, reading.provider) == ("bedrock-invoke/anthropic", "bedrock")
    assert told(reading) == [("text", SPOKEN.replace(" ", ""), "complete", "explicit")]
    assert (reading.marker, reading.clean) == ("message_stop", True)
    assert rules_of(reading) == {"frame-not-sse"}


def test_by_plan_it_is_what_the_long_way_gives() -> None:
    pieces = [f"piece {n}, „{n}“ " for n in range(60)] + ['with "quotes" and \\ ', "end"]
    reading = read(frames(messages(pieces)))
    assert texts(reading) == [("text", "".join(pieces))]
    for n in range(2, 2 + len(pieces)):
        [delta] = reading.deltas(n)
        assert (delta.pointer, delta.value) == ("/delta/text", pieces[n - 2])


@pytest.mark.parametrize("log", [False, True])
def test_a_place_is_the_base64_of_the_value(log: bool) -> None:
    payloads = messages(SPOKEN.split(" "))
    if log:
        body = "".join(json.dumps({"chunk": {"bytes": coded(one)}}) + "\n" for one in payloads).encode()
    else:
        body = frames(payloads)
    reading = read(body)
    assert reading.dialect == "bedrock-invoke/anthropic"
    for n, piece in enumerate(SPOKEN.split(" "), 2):
        start, end = reading.place(n, "/delta/text")
        inside = reading.inside(n)
        assert inside is not None
        outer = body[inside.start : inside.start + 4 * -(-len(inside.data) // 3)]
        assert b64decode(outer) == inside.data
        first, last = inside.within(start, end)
        assert inside.data[first:last] == f'"text": "{piece}"'.encode()
        assert reading.payload(n) == payloads[n]
        assert reading.data(n) != reading.text(n) == inside.data


def test_what_is_found_in_a_block_lies_in_the_base64() -> None:
    body = frames(messages(["the old ", "bridge"]))
    reading = read(body)
    search = Search(Query("bridge"), reading, [reading])
    for _ in search.steps():
        pass
    inside = reading.inside(3)
    assert inside is not None
    at = inside.data.index(b"bridge")
    assert {(match.start, match.end) for match in search.matches.values()} == {inside.span(at, at + 6)}


def test_the_rest_of_an_envelope_is_shown() -> None:
    odd = event("chunk", {"bytes": coded(messages("a")[2]), "p": "abc", "novel": [1]})
    payloads = messages("a")
    reading = read(frames(payloads[:2]) + odd + frames(payloads[3:]))
    assert [(delta.kind, delta.value) for delta in reading.deltas(2)] == [
        ("text.delta", "a"),
        ("unknown", {"novel": [1]}),
    ]
    assert texts(reading) == [("text", "a")]


def test_the_ledger_is_of_what_is_inside() -> None:
    paths = {row["path"]: row["read"] for row in ledger(read(frames(messages("a"))))}
    assert paths["delta.text"]
    assert "bytes" not in paths


def test_broken_json_inside_is_a_finding() -> None:
    payloads = messages("a")
    reading = read(frames(payloads[:3]) + frames([b'{"type": "content_block_delta", "index":}']) + frames(payloads[3:]))
    assert "json-invalid" in rules_of(reading)
    assert reading.events.flags[3] & F.WRAPPED
    assert texts(reading) == [("text", "a")]


def test_an_exception_among_envelopes_ends_it() -> None:
    reading = read(frames(messages("ab")[:4]) + exception("modelStreamErrorException", b'{"message":"no"}'))
    assert reading.dialect == "bedrock-invoke/anthropic"
    assert [error["message"] for error in reading.errors] == ["no"]
    assert [block.state for block in reading.blocks if block.kind == "text"] == ["truncated"]


@pytest.mark.parametrize(
    ("payload", "name"),
    [
        ({"choices": [{"index": 0, "delta": {"content": "a"}}]}, "bedrock-invoke/openai-chat"),
        ({"event_type": "text-generation", "text": "a", "is_finished": False}, "bedrock-invoke/cohere"),
        ({"messageStart": {"role": "assistant"}}, "bedrock-invoke/nova"),
        ({"completion": "a", "stop_reason": None}, "bedrock-invoke/anthropic-completions"),
        ({"outputText": "a", "index": 0, "completionReason": None}, "bedrock-invoke/titan"),
        ({"somebody": "else"}, "unknown"),
    ],
)
def test_a_stream_is_named_by_what_is_inside(payload: Any, name: str) -> None:
    reading = read(frames([payload] * 3))
    assert reading.dialect == name
    assert (reading.dialect_module is None) == (name == "unknown")


def test_a_dialect_may_be_forced_by_the_name_of_the_stream() -> None:
    reading = read(frames(messages("a")), dialect="bedrock-invoke/anthropic")
    assert (reading.dialect, texts(reading)) == ("bedrock-invoke/anthropic", [("text", "a")])


def test_every_name_has_a_title() -> None:
    assert KIT.titles["bedrock-invoke/anthropic"] == "Amazon Bedrock InvokeModel: Anthropic Messages"
    assert KIT.titles.keys() == KIT.names.keys() >= KIT.dialects.keys()
    assert not KIT.envelopes.keys() & KIT.names.keys()


def test_bodies_of_the_corpus_have_places(shared: Path) -> None:
    folder = shared / "corpus"
    rows = [json.loads(line) for line in (folder / "index.jsonl").read_text("utf-8").splitlines()]
    rows = [row for row in rows if row["dialect"].startswith("bedrock-invoke/")]
    if not rows:
        pytest.skip("the recorded bodies are not here")
    for row in rows:
        body = (folder / row["file"]).read_bytes()
        reading = read(body)
        assert reading.dialect == row["dialect"]
        for n in range(len(reading.events)):
            for delta in reading.deltas(n):
                start, end = reading.place(n, delta.pointer)
                inside = reading.inside(n)
                assert inside is not None
                if delta.pointer and isinstance(delta.value, str):
                    held = inside.data[slice(*inside.within(start, end))]
                    assert json.dumps(delta.value, ensure_ascii=False)[1:-1].encode() in held
