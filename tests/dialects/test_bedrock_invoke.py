"""What stands in the chunks of Bedrock InvokeModel, beside events that have a dialect elsewhere."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from tests.dialects.events import KIT, event, read_text, rules_of, texts, told
from tests.framing import aws_frames

METRICS = {"inputTokenCount": 7, "outputTokenCount": 9, "invocationLatency": 3}
LAST = {"amazon-bedrock-invocationMetrics": METRICS}


def read(*payloads: Any, size: int = 1 << 20) -> Reading:
    coded = [b64encode(json.dumps(payload).encode()).decode() for payload in payloads]
    body = b"".join(aws_frames.event("chunk", {"bytes": one, "p": "abc"}) for one in coded)
    analysis = Analysis(Exchange("-", "binary-body", MemoryBody(body)), KIT)
    for start in range(0, len(body), size):
        analysis.feed(body[start : start + size])
    return analysis.finish()


def titan(text: str, reason: str | None = None, count: int | None = None, **more: Any) -> dict[str, Any]:
    counts = {"totalOutputTextTokenCount": count, "inputTextTokenCount": None if count is None else 5}
    return {"outputText": text, "index": 0, "completionReason": reason} | counts | more


def llama(text: str, count: int, reason: str | None = None, **more: Any) -> dict[str, Any]:
    first = 4 if count == 1 else None
    counts = {"prompt_token_count": first, "generation_token_count": count}
    return {"generation": text, "stop_reason": reason} | counts | more


def legacy(text: str, reason: str | None = None, **more: Any) -> dict[str, Any]:
    return {"completion": text, "stop_reason": reason, "stop": "\n\nHuman:" if reason else None} | more


def command(text: str, reason: str | None = None, **more: Any) -> dict[str, Any]:
    end = {"finish_reason": reason} if reason else {}
    return {"text": text, "is_finished": reason is not None, "index": 0} | end | more


STREAMS: list[tuple[str, tuple[Any, ...], tuple[str, str | None], tuple[int | None, int | None]]] = [
    ("titan", (titan("Ja", count=2), titan(","), titan(" da."), titan("", "FINISH", 6)), ("FINISH", "stop"), (5, 6)),
    ("titan", (titan("Ja, da.", "LENGTH", 6, **LAST),), ("LENGTH", "length"), (5, 6)),
    ("titan", (titan("Ja,"), titan(" da.", "Length", **LAST)), ("Length", "length"), (7, 9)),
    (
        "titan",
        (titan("Ja, da.", **{"amazon-bedrock-guardrailAction": "INTERVENED"}),),
        ("INTERVENED", "content_filter"),
        (None, None),
    ),
    ("llama", (llama("Ja", 1), llama(",", 2), llama(" da.", 3), llama("", 4, "stop")), ("stop", "stop"), (4, 4)),
    ("llama", (llama("Ja", 1), llama(", da.", 2, "length", **LAST)), ("length", "length"), (7, 9)),
    ("cohere", (command("Ja,"), command(" da."), command("", "COMPLETE", **LAST)), ("COMPLETE", "stop"), (7, 9)),
    (
        "cohere",
        ({"generations": [{"text": "Ja, da.", "finish_reason": "MAX_TOKENS", "id": "g"}], "prompt": "?"} | LAST,),
        ("MAX_TOKENS", "length"),
        (7, 9),
    ),
    (
        "anthropic-completions",
        (legacy("Ja,"), legacy(" da."), legacy("", "stop_sequence", **LAST)),
        ("stop_sequence", "stop"),
        (7, 9),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "payloads", "finish", "counts"), STREAMS)
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_streams(
    name: str, payloads: tuple[Any, ...], finish: tuple[str, str | None], counts: tuple[Any, Any], size: int
) -> None:
    reading = read(*payloads, size=size)
    assert reading.dialect == f"bedrock-invoke/{name}"
    assert told(reading) == [("text", "Ja, da.", "complete", "finish")]
    assert [(one["raw"], one["reason"]) for one in reading.finishes] == [finish]
    usage = reading.usage or {}
    assert (usage.get("input"), usage.get("output")) == counts
    assert reading.clean
    assert rules_of(reading) == {"frame-not-sse"}
    assert not [delta for n in range(len(payloads)) for delta in reading.deltas(n) if delta.kind == "unknown"]


def test_base64_may_be_escaped() -> None:
    """A slash and an equals sign as some writers have them; all places still lead to the bytes."""
    payload = {"outputText": "Was? Ja??>>~~", "index": 10, "completionReason": None}
    coded = b64encode(json.dumps(payload).encode())
    assert b"/" in coded
    assert b"=" in coded
    raw = coded.replace(b"/", rb"\/").replace(b"=", rb"\u003d")
    plain, escaped = (b'{"chunk":{"bytes":"%b"}}\n' % one for one in (coded, raw))
    readings = []
    for line in (plain, escaped):
        analysis = Analysis(Exchange("-", "body", MemoryBody(2 * line)), KIT, framing="ndjson")
        analysis.feed(2 * line)
        readings.append(analysis.finish())
    one, other = readings
    assert other.dialect == "bedrock-invoke/titan"
    assert texts(one) == texts(other) == [("text", "Was? Ja??>>~~" * 2)]
    inside, straight = other.inside(1), one.inside(1)
    assert inside is not None
    assert straight is not None
    for first in range(len(inside.data)):
        for last in (first + 1, len(inside.data)):
            start, end = inside.span(first, last)
            said = other.body.slice(start, end).replace(rb"\/", b"/").replace(rb"\u003d", b"=")
            assert said == one.body.slice(*straight.span(first, last))
            assert inside.within(start, end) == straight.within(*straight.span(first, last))


def test_rules_of_a_dialect_hold_inside_of_an_envelope() -> None:
    function = {"name": "tide", "arguments": "{}"}
    call = {"tool_calls": [{"index": 0, "type": "function", "function": function}]}
    chunk = {"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": call}]}
    reading = read(chunk, chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    assert (reading.dialect, reading.speaks) == ("bedrock-invoke/openai-chat", "openai-chat")
    assert "tool-id-missing" in rules_of(reading)


def test_several_texts_are_several_choices() -> None:
    reading = read(
        {"generations": [{"text": "a", "finish_reason": "COMPLETE"}, {"text": "b", "finish_reason": "ERROR"}]}
    )
    assert [(block.text, block.choice) for block in reading.blocks] == [("a", 0), ("b", 1)]
    assert [(one["choice"], one["reason"]) for one in reading.finishes] == [(0, "stop"), (1, "error")]


def test_what_a_guardrail_did_is_a_filter() -> None:
    trace = {"guardrail": {"actionReason": "blocked"}}
    reading = read(titan("No.", **{"amazon-bedrock-guardrailAction": "INTERVENED", "amazon-bedrock-trace": trace}))
    kinds = [(delta.kind, delta.pointer) for delta in reading.deltas(0)]
    assert kinds[-2:] == [("filter", "/amazon-bedrock-guardrailAction"), ("filter", "/amazon-bedrock-trace")]
    assert reading.place(0, "/amazon-bedrock-trace") != reading.bytes_of(0)


def test_a_whole_number_may_have_a_fraction() -> None:
    usage = read(titan("Ja.", "FINISH") | {"inputTextTokenCount": 6.0, "totalOutputTextTokenCount": 3.0}).usage
    assert usage is not None
    assert (usage["input"], usage["output"]) == (6, 3)


def test_the_number_of_tokens_so_far_is_progress() -> None:
    reading = read(*[llama(f"{n} ", n) for n in range(1, 30)], llama("", 30, "stop"))
    assert [(delta.kind, delta.value) for delta in reading.deltas(20)] == [("text.delta", "21 "), ("progress", 21)]
    assert [block.text for block in reading.blocks] == ["".join(f"{n} " for n in range(1, 30))]


def test_nova_is_converse_under_the_names_of_its_events() -> None:
    usage = {"inputTokens": 3, "outputTokens": 4, "cacheReadInputTokenCount": 2}
    reading = read(
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"delta": {"text": "Ja."}, "contentBlockIndex": 0}},
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": "end_turn"}},
        {"metadata": {"usage": usage, "metrics": {}}} | LAST,
    )
    assert reading.dialect == "bedrock-invoke/nova"
    assert texts(reading) == [("text", "Ja.")]
    assert reading.usage is not None
    assert (reading.usage["output"], reading.usage["cache_read"]) == (4, 2)
    assert [delta.kind for delta in reading.deltas(4)] == ["usage", "stream.meta"]


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_text_completions_over_sse_with_pings(size: int) -> None:
    own = {"id": "compl_1", "model": "claude-2.1", "log_id": "compl_1"}
    pieces = event("completion", **legacy("Ja,"), **own) + event("ping") + event("completion", **legacy(" da."), **own)
    reading = read_text(pieces + event("completion", **legacy("", "max_tokens"), **own), size=size)
    assert (reading.dialect, reading.provider) == ("anthropic-completions", "anthropic")
    assert told(reading) == [("text", "Ja, da.", "complete", "finish")]
    assert reading.finishes[0]["reason"] == "length"
    assert reading.meta["id"] == "compl_1"
    assert rules_of(reading) == set()


def test_a_ping_in_messages_is_theirs() -> None:
    message = {"id": "msg_1", "role": "assistant", "content": [], "usage": {}}
    start = event("message_start", message=message)
    reading = read_text(event("ping") + start + event("ping") + event("message_stop"))
    assert reading.dialect == "anthropic-messages"
    assert "meta-dialect-switch" not in rules_of(reading)


@pytest.mark.parametrize(
    "payload",
    [legacy("Ja.", exception="overloaded"), titan("Ja.", error="no"), llama("Ja.", 1, error={"message": "no"})],
)
def test_errors(payload: dict[str, Any]) -> None:
    reading = read(payload)
    assert [block.kind for block in reading.blocks] == ["text", "error"]
    assert not reading.clean
