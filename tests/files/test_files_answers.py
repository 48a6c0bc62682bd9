"""Several answers in one bare body are several exchanges; an answer that another one breaks into is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inspector_app.core.answers import LOOKED, apart
from inspector_app.core.kit import load_kit
from inspector_app.core.types import Exchange, Fault, MemoryBody
from inspector_app.files import read_input
from inspector_app.lenses.run import read
from inspector_app.report.outline import outline

KIT = load_kit()
DONE = b"data: [DONE]\n\n"


def sse(*payloads: dict[str, Any]) -> bytes:
    return b"".join(b"data: " + json.dumps(payload).encode() + b"\n\n" for payload in payloads)


def lines(*payloads: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(payload).encode() + b"\n" for payload in payloads)


def chat(name: str | None, *texts: str, finish: str | None = "stop") -> list[dict[str, Any]]:
    def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        named = {} if name is None else {"id": name}
        return named | {"object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}

    said = [chunk({"content": text}) for text in texts]
    return [chunk({"role": "assistant", "content": ""}), *said, *([chunk({}, finish)] if finish else [])]


def claude(name: str, *texts: str, over: bool = True) -> list[dict[str, Any]]:
    message = {"id": name, "type": "message", "role": "assistant", "content": [], "model": "c"}
    block: dict[str, Any] = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    delta = "content_block_delta"
    said = [{"type": delta, "index": 0, "delta": {"type": "text_delta", "text": text}} for text in texts]
    end = [
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    return [{"type": "message_start", "message": message}, block, *said, *(end if over else [])]


def responses(name: str, text: str) -> list[dict[str, Any]]:
    answer = {"id": name, "object": "response", "output": []}
    return [
        {"type": "response.created", "sequence_number": 0, "response": answer | {"status": "in_progress"}},
        {"type": "response.output_text.delta", "sequence_number": 1, "item_id": "i", "output_index": 0,
         "content_index": 0, "delta": text},
        {"type": "response.completed", "sequence_number": 2, "response": answer | {"status": "completed"}},
    ]  # fmt: skip


def gemini(name: str, text: str) -> list[dict[str, Any]]:
    def part(said: str, **more: Any) -> dict[str, Any]:
        content = {"parts": [{"text": said}], "role": "model"}
        return {"candidates": [{"content": content, "index": 0} | more], "responseId": name, "modelVersion": "g"}

    return [part(text), part("!", finishReason="STOP")]


def ollama(*texts: str) -> list[dict[str, Any]]:
    base = {"model": "q", "created_at": "2026-01-01T00:00:00Z"}
    said = [base | {"message": {"role": "assistant", "content": text}, "done": False} for text in texts]
    return [*said, base | {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"}]


def filtered(**more: Any) -> dict[str, Any]:
    """The chunk with which Azure opens an answer: the results of the prompt filter, and no name."""
    results = [{"prompt_index": 0, "content_filter_results": {}}]
    return {"choices": [], "created": 0, "id": "", "model": "", "object": "", "prompt_filter_results": results} | more


SEVERAL: dict[str, list[bytes]] = {
    "two Chat answers with their end markers": [sse(*chat("a", "One.")) + DONE, sse(*chat("b", "Two.")) + DONE],
    "two Chat answers without an id": [sse(*chat(None, "One.")) + DONE, sse(*chat(None, "Two.")) + DONE],
    "two Azure answers, which open without a name": [
        sse(filtered(), *chat("a", "One.")) + DONE,
        sse(filtered(), *chat("b", "Two.")) + DONE,
        sse(filtered(), filtered(), *chat("c", "Three.")) + DONE,
    ],
    "usage behind the end of the first answer": [
        sse(*chat("a", "One.")) + DONE + sse(filtered(usage={"total_tokens": 1})),
        sse(filtered(), *chat("b", "Two.")) + DONE,
    ],
    "a late chunk of the first answer": [
        sse(*chat("a", "One.")) + DONE + sse(filtered(), filtered(id="a")),
        sse(*chat("b", "Two.")) + DONE,
    ],
    "a log of Chat payloads": [lines(*chat("a", "One.")), lines(*chat("b", "Two.")), lines(*chat("c", "Three."))],
    "Anthropic messages": [sse(*claude("m1", "One.")), sse(*claude("m2", "Two.")), sse(*claude("m3", "Three."))],
    "a comment before the second message": [sse(*claude("m1", "One.")), b": again\n\n" + sse(*claude("m2", "Two."))],
    "a log of Responses": [lines(*responses("r1", "One.")), lines(*responses("r2", "Two."))],
    "Gemini, which has no end marker": [sse(*gemini("g1", "One")), sse(*gemini("g2", "Two"))],
    "Ollama, whose answers have neither start nor id": [lines(*ollama("One.")), lines(*ollama("Two", "."))],
    "answers of two APIs": [sse(*claude("m1", "One.")), sse(*chat("a", "Two.")) + DONE, sse(*claude("m2", "Three."))],
    "a second answer that was cut": [sse(*chat("a", "One.")) + DONE, sse(*chat("b", "Tw", finish=None))],
    "long answers": [
        sse(*claude("m1", *["word "] * 9000)),
        sse(*claude("m2", *["word "] * 100)),
    ],
    "long answers that only ids tell apart": [
        sse(*chat("a", *["word "] * 5000)) + DONE,
        sse(*chat("b", *["word "] * 100)) + DONE,
    ],
    "long answers that nothing but their ends tell apart": [lines(*ollama(*["word "] * 5000)), lines(*ollama("Two."))],
}

ONE: dict[str, bytes] = {
    "one answer": sse(*chat("a", "One.")) + DONE,
    "a retry in the midst of a Chat answer": sse(*chat("a", "One", finish=None), *chat("b", "Two.")) + DONE,
    "a message that breaks into another": sse(*claude("m1", "One", over=False), *claude("m2", "Two.")),
    "the end marker twice": sse(*chat("a", "One.")) + DONE + DONE,
    "text of the same answer behind the end": sse(*chat("a", "One.")) + DONE + sse(chat("a", "late")[1]) + DONE,
    "usage behind the finish": sse(*chat("a", "One."), {"id": "b", "object": "chat.completion.chunk", "choices": [],
                                                        "usage": {"total_tokens": 1}}) + DONE,
    "a chunk without a name behind the end": sse(*chat("a", "One.")) + DONE + sse(filtered()),
    "an id that changes": sse(*chat("a", "One ", finish=None), *chat("b", "two.")[1:]) + DONE,
    "a last line twice": lines(*ollama("One."), ollama()[0]),
    "an error behind the end": sse(*claude("m1", "One."), {"type": "error", "error": {"type": "e", "message": "m"}}),
    "one long answer": sse(*claude("m1", *["message_start "] * 5000)),
    "one long answer with ids": sse(*chat("a", *["word "] * 5000)) + DONE,
    "nothing": b"",
    "no answer": b"\0\1\2\n" * 9,
}  # fmt: skip


def saved(tmp_path: Path, body: bytes) -> list[Exchange]:
    path = tmp_path / ("a.sse" if body.startswith((b"data", b":")) else "a.jsonl")
    path.write_bytes(body)
    return read_input(str(path))


@pytest.mark.parametrize("answers", SEVERAL.values(), ids=list(SEVERAL))
def test_each_answer_is_an_exchange_that_reads_as_if_it_stood_alone(answers: list[bytes], tmp_path: Path) -> None:
    exchanges = saved(tmp_path, b"".join(answers))
    assert [(one.number, one.count) for one in exchanges] == [(n, len(answers)) for n in range(len(answers))]
    assert [one.body.slice(0, len(one.body) + 9) for one in exchanges] == answers
    for exchange, answer in zip(exchanges, answers, strict=True):
        alone = Exchange(exchange.name, exchange.format, MemoryBody(answer), synthetic=exchange.synthetic)
        alone.framing, alone.number, alone.count = exchange.framing, exchange.number, exchange.count
        found = read(exchange, KIT)
        assert outline(found, found, events=True) == outline(read(alone, KIT), read(alone, KIT), events=True)
        assert "meta-generation-spliced" not in {finding.rule for finding in found.findings}


@pytest.mark.parametrize("body", ONE.values(), ids=list(ONE))
def test_what_is_one_answer_stays_one_exchange(body: bytes, tmp_path: Path) -> None:
    (exchange,) = saved(tmp_path, body)
    assert (exchange.number, exchange.count, len(exchange.body)) == (0, 1, len(body))


@pytest.mark.parametrize("name", [name for name in ONE if "retry" in name or "breaks" in name])
def test_an_answer_that_breaks_into_another_is_told(name: str, tmp_path: Path) -> None:
    reading = read(saved(tmp_path, ONE[name])[0], KIT)
    assert "meta-generation-spliced" in {finding.rule for finding in reading.findings}
    assert [block.text for block in reading.blocks] == ["One", "Two."]


def test_what_came_as_one_response_is_one_exchange(tmp_path: Path) -> None:
    path = tmp_path / "a.http"
    path.write_bytes(b"HTTP/1.1 200 OK\r\n\r\n" + b"".join(SEVERAL["two Chat answers with their end markers"]))
    (exchange,) = read_input(str(path))
    assert [block.text for block in read(exchange, KIT).blocks] == ["One.", "Two."]


def test_faults_go_with_the_bytes_they_befell() -> None:
    one, two = SEVERAL["two Chat answers with their end markers"]
    faults = [Fault("http-cut", at, at, "x") for at in (3, len(one) + 5, len(one + two))]
    exchange = Exchange("x", "sse-body", MemoryBody(one + two), faults=faults)
    assert [[fault.at for fault in part.faults] for part in apart(exchange, KIT)] == [[3], [5, len(two)]]


def test_the_long_ones_are_long() -> None:
    """Of these only the start and the end is looked at first."""
    for name, body in (SEVERAL | {name: [body] for name, body in ONE.items()}).items():
        assert ("long" in name) is (len(b"".join(body)) > LOOKED)
