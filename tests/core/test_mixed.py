"""Streams of more than one dialect: each event is read by its own, and what goes on goes on (dialects.md section 3)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody

KIT = load_kit()


def data(payload: Any, name: str | None = None) -> bytes:
    head = b"" if name is None else f"event: {name}\n".encode()
    return head + b"data: " + json.dumps(payload).encode() + b"\n\n"


def chat(text: str | None = None, finish: str | None = None, **delta: Any) -> bytes:
    said = delta if text is None else {"content": text} | delta
    choice = {"index": 0, "delta": said, "finish_reason": finish}
    return data({"id": "c1", "object": "chat.completion.chunk", "model": "m", "choices": [choice]})


def claude(kind: str, **fields: Any) -> bytes:
    return data({"type": kind} | fields, kind)


def claude_text(text: str) -> bytes:
    return claude("content_block_delta", index=0, delta={"type": "text_delta", "text": text})


START = claude("message_start", message={"id": "msg_1", "type": "message", "role": "assistant", "content": []})
OPEN = claude("content_block_start", index=0, content_block={"type": "text", "text": ""})
CLOSE = claude("content_block_stop", index=0)
REASON = claude("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 3})
STOP = claude("message_stop")
PING = claude("ping")
ERROR = claude("error", error={"type": "overloaded_error", "message": "Overloaded"})
DONE = b"data: [DONE]\n\n"


def read(body: bytes, size: int = 1 << 20) -> Reading:
    analysis = Analysis(Exchange("x", "sse-body", MemoryBody(body)), KIT)
    for at in range(0, len(body), size):
        analysis.feed(body[at : at + size])
    return analysis.finish()


STREAMS: list[tuple[str, bytes, list[int], list[str], str | None]] = [
    (
        "a keep-alive of another API between chunks ends no block",
        chat("One ") + PING + chat("two ") + PING + PING + chat("three.") + chat(finish="stop") + DONE,
        [1, 3, 4],
        ["One two three."],
        "[DONE]",
    ),
    (
        "a keep-alive of another API before all chunks",
        PING + chat("One ") + chat("two.") + chat(finish="stop") + DONE,
        [0],
        ["One two."],
        "[DONE]",
    ),
    (
        "a router that changes the API in the midst and stays there",
        chat("One ") + chat("two ") + START + OPEN + claude_text("Three ") * 30 + CLOSE + REASON + STOP,
        list(range(2, 37)),
        ["One two ", "Three " * 30],
        "message_stop",
    ),
    (
        "a block of one API goes on behind chunks of another",
        START
        + OPEN
        + claude_text("One ")
        + chat("two ")
        + chat("three ")
        + claude_text("four.")
        + CLOSE
        + REASON
        + STOP,
        [3, 4],
        ["One four.", "two three "],
        "message_stop",
    ),
]


@pytest.mark.parametrize(("what", "body", "events", "texts", "marker"), STREAMS, ids=[row[0] for row in STREAMS])
@pytest.mark.parametrize("size", [1 << 20, 1])
def test_each_event_is_read_by_the_dialect_it_is_in(
    what: str, body: bytes, events: list[int], texts: list[str], marker: str | None, size: int
) -> None:
    found = read(body, size)
    switch = next(finding for finding in found.findings if finding.rule == "meta-dialect-switch")
    assert (switch.count, list(switch.events)) == (len(events), events)
    assert [block.text for block in found.blocks if block.kind == "text"] == texts
    assert found.marker == marker
    assert not {"end-marker-foreign", "end-marker-missing", "meta-unknown-value"} & {f.rule for f in found.findings}


@pytest.mark.parametrize("body", [row[1] for row in STREAMS], ids=[row[0] for row in STREAMS])
def test_an_event_is_decoded_again_by_the_dialect_that_read_it(body: bytes) -> None:
    """What follows no dialect's form belongs to the one that spoke before it."""
    found = read(body + data({"strange": 1}))
    rows = [[(d.kind, d.choice, d.pointer) for d in found.deltas(n)] for n in range(len(found.events))]
    assert rows == [list(found.layouts[number].rows) for number in found.events.layouts]


@pytest.mark.parametrize(("n", "name"), [(0, "anthropic-messages"), (1, "anthropic-messages"), (3, "openai-chat")])
def test_the_stranger_is_named(n: int, name: str) -> None:
    messages = [finding.message for finding in read(STREAMS[n][1]).findings if finding.rule == "meta-dialect-switch"]
    assert len(messages) == 1
    assert f"({name})" in messages[0]


def test_an_error_that_any_dialect_may_send_is_no_switch() -> None:
    found = read(chat("One ") + ERROR + chat("two.") + chat(finish="stop") + DONE)
    assert [error["message"] for error in found.errors] == ["Overloaded"]
    assert "meta-dialect-switch" not in {finding.rule for finding in found.findings}
