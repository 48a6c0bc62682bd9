"""Events that are read by plan say what they say when each is read the long way."""

from __future__ import annotations

import copy
import json
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector_app.core.analysis import Analysis
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.files import read_input
from inspector_app.lenses.run import read
from tests.dialects.events import KIT

RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.rec.jsonl"))
EACH = pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.name.partition(".")[0])
FEW = settings(max_examples=20)
"""Of each recording; there are dozens, and more with each dialect."""
COUNTS = [ReadingRules(), *(ReadingRules(usage=mode) for mode in ("sum", "max", "none"))]

NUMBERS = st.one_of(
    st.integers(-2, 5),
    st.sampled_from([10**9, 10**15 - 1, 10**15, 2**53 + 1, 2**64, 0.5, 2.0, 0.1 + 0.2, 1e-9, 1e22, -0.25, True, None]),
    st.floats(0, 1000, allow_nan=False),
    st.integers(1, 10**6),
)
TEXTS = st.text(max_size=4) | st.sampled_from([" quay", "é", "\n", '"', "\\", "\x7f", "{", "[DONE]", "", "潮"])


@cache
def recorded(path: Path) -> Reading:
    return read(read_input(str(path))[0], KIT)


@cache
def events(path: Path) -> list[bytes]:
    reading = recorded(path)
    return [reading.body.slice(*reading.bytes_of(n)) for n in range(len(reading.events))]


def analysed(path: Path, body: bytes, rules: ReadingRules | None = None) -> Reading:
    analysis = Analysis(Exchange("-", "body", MemoryBody(body)), KIT, rules, framing=recorded(path).framing)
    analysis.feed(body)
    return analysis.finish()


def outcome(reading: Reading) -> object:
    blocks = [
        (b.kind, b.text, b.fragments, list(b.deltas), b.state, b.closed_by, b.closed_at, b.fields)
        for b in reading.blocks
    ]
    findings = [(f.rule, f.message, f.count, f.places, list(f.events), f.block) for f in reading.findings]
    columns = list(reading.delta_blocks), list(reading.events.layouts), list(reading.events.flags)
    # Numbers of another type are other numbers here: 1, 1.0 and true are equal in Python.
    return blocks, columns, repr(reading.usage), reading.marker, findings


def both_ways(path: Path, body: bytes, rules: ReadingRules | None = None) -> None:
    short = analysed(path, body, rules)
    with patch("inspector_app.core.plans.make_plan", return_value=None):
        long = analysed(path, body, rules)
    assert outcome(short) == outcome(long)


@EACH
@FEW
@given(data=st.data())
def test_the_short_way_says_what_the_long_way_says(path: Path, data: st.DataObject) -> None:
    whole = events(path)
    first = data.draw(st.integers(0, len(whole) - 1))
    kept = data.draw(st.lists(st.sampled_from(range(first, len(whole))), max_size=40))
    both_ways(path, b"".join(whole[at] for at in (sorted(kept) if data.draw(st.booleans()) else kept)))


def leaves(value: Any, kinds: tuple[type, ...], path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where values of these types stand."""
    if type(value) in kinds:
        yield path
    elif isinstance(value, dict | list):
        for key, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(member, kinds, (*path, key))


def changed(value: Any, places: list[tuple[Any, ...]], new: list[Any]) -> Any:
    out = copy.deepcopy(value)
    for place, one in zip(places, new, strict=True):
        node = out
        for key in place[:-1]:
            node = node[key]
        node[place[-1]] = one
    return out


def dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


@cache
def alterable(path: Path) -> list[int]:
    """Events whose data is an object on one line of its own, so that it can be exchanged."""
    reading = recorded(path)
    data = [reading.data(n) or b"" for n in range(len(reading.events))]
    binary = reading.framing == "aws-eventstream"
    return [n for n, one in enumerate(data) if not binary and one[:1] == b"{" and events(path)[n].count(one) == 1]


@EACH
@FEW
@given(data=st.data())
def test_numbers_and_texts_that_differ_say_what_they_say_the_long_way(path: Path, data: st.DataObject) -> None:
    """One event again and again, each time with other numbers or another text, or as it was."""
    if not alterable(path):
        return
    n = data.draw(st.sampled_from(alterable(path)))
    event, raw = events(path)[n], recorded(path).data(n) or b""
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return
    numbers, texts = list(leaves(value, (int, float))), list(leaves(value, (str,)))
    varied = data.draw(st.lists(st.sampled_from(numbers), unique=True)) if numbers else []
    told = data.draw(st.lists(st.sampled_from(texts), unique=True, max_size=2)) if texts else []
    many = []
    for _ in range(data.draw(st.integers(2, 12))):
        other = changed(value, varied, [data.draw(NUMBERS) for _ in varied])
        other = changed(other, told, [data.draw(TEXTS) for _ in told])
        many.append(event.replace(raw, dumped(other)) if data.draw(st.integers(0, 5)) else event)
    body = b"".join([*events(path)[:n], *many, *events(path)[n + 1 :]])
    both_ways(path, body, data.draw(st.sampled_from(COUNTS)))


@EACH
@FEW
@given(data=st.data())
def test_any_cut_gives_the_same_answer(path: Path, data: st.DataObject) -> None:
    """Whatever the reads are, and wherever the data ends."""
    body = b"".join(events(path))
    body = body[: data.draw(st.integers(0, len(body)))]
    exchange, framing = Exchange("-", "body", MemoryBody(body)), recorded(path).framing
    cuts = sorted(data.draw(st.sets(st.integers(0, len(body)), max_size=12)))
    analysis = Analysis(exchange, KIT, framing=framing)
    for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True):
        analysis.feed(body[start:end])
    assert outcome(analysis.finish()) == outcome(analysed(path, body))


def like_gemini(n: int) -> dict[str, Any]:
    part = {"parts": [{"text": f"word {n}"}], "role": "model"}
    details = [{"modality": "TEXT", "tokenCount": 9}]
    usage = {"promptTokenCount": 9, "candidatesTokenCount": n + 1, "totalTokenCount": n + 10}
    return {"candidates": [{"content": part}], "usageMetadata": usage | {"promptTokensDetails": details}}


def like_chat(n: int) -> dict[str, Any]:
    usage = {"prompt_tokens": 9, "completion_tokens": n + 1, "total_tokens": n + 10, "cost": 0.5 + n / 8}
    choice = {"index": 0, "delta": {"content": f"word {n}"}, "finish_reason": None}
    return {"object": "chat.completion.chunk", "choices": [choice], "usage": usage}


def like_a2a(n: int) -> dict[str, Any]:
    artifact = {"artifactId": "a", "parts": [{"kind": "text", "text": f"word {n}"}]}
    update = {"kind": "artifact-update", "taskId": "t", "artifact": artifact, "append": n % 50 != 0}
    return {"jsonrpc": "2.0", "id": 1, "result": update}


def like_speech(n: int) -> dict[str, Any]:
    return {"type": "speech.audio.delta", "audio": b64encode(b"sound %d" % n).decode()}


def like_watsonx(n: int) -> dict[str, Any]:
    result = {"generated_text": f"word {n}", "generated_token_count": n + 1, "input_token_count": 7}
    return {"model_id": "m", "created_at": f"2026-11-29T20:31:05.{n:03}Z", "results": [result]}


def like_agent(n: int) -> dict[str, Any]:
    return {"chunk": {"bytes": b64encode(b"word %d" % n).decode(), "p": "a" * (1 + n % 9)}}


def like_titan(n: int) -> dict[str, Any]:
    inside = orjson.dumps({"outputText": f"word {n}", "index": 0, "completionReason": None})
    return {"chunk": {"bytes": b64encode(inside).decode()}}


WORDS = "".join(f"word {n}" for n in range(200))
REPLACED = "".join(f"word {n}" for n in range(150, 200))


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (like_a2a, REPLACED),
        (like_speech, ""),
        (like_watsonx, WORDS),
        (like_agent, WORDS),
        (like_titan, WORDS),
    ],
)
def test_what_is_not_simply_added_is_no_reason_for_the_long_way(make: Any, text: str) -> None:
    """Texts that take the place of others, sound, times, and base64."""
    body = b"".join(b"%b\n" % orjson.dumps(make(n)) for n in range(200))
    slow: list[int] = []
    once = Analysis._slow
    with patch.object(Analysis, "_slow", lambda self, n, frame: (slow.append(n), once(self, n, frame))[1]):
        reading = read(Exchange("-", "body", MemoryBody(body)), KIT)
    assert len(slow) < 8
    assert [block.text for block in reading.blocks] == [text]
    assert len(reading.blocks[0].deltas) == (200 if text != REPLACED else 50)
    with patch("inspector_app.core.plans.make_plan", return_value=None):
        assert outcome(read(Exchange("-", "body", MemoryBody(body)), KIT)) == outcome(reading)


@pytest.mark.parametrize("make", [like_gemini, like_chat])
def test_usage_in_every_event_is_no_reason_for_the_long_way(make: Any) -> None:
    body = b"".join(b"data: %b\n\n" % orjson.dumps(make(n)) for n in range(200))
    slow: list[int] = []
    once = Analysis._slow
    with patch.object(Analysis, "_slow", lambda self, n, frame: (slow.append(n), once(self, n, frame))[1]):
        reading = read(Exchange("-", "sse-body", MemoryBody(body)), KIT)
    assert len(slow) < 5
    assert reading.blocks[0].text == "".join(f"word {n}" for n in range(200))
    assert reading.usage is not None
    assert (reading.usage["input"], reading.usage["output"], reading.usage["total"]) == (9, 200, 209)
    assert reading.usage["raw"].items() >= (make(199).get("usageMetadata") or make(199)["usage"]).items()
