"""Two that speak a language of their own: Replicate in plain text, IBM watsonx.ai in results."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.dialects.events import read_text, rules_of, texts


def sse(name: str, data: str) -> str:
    return f"event: {name}\n" + "".join(f"data: {line}\n" for line in data.split("\n")) + "\n"


def words(*said: str) -> str:
    return "".join(sse("output", word) for word in said)


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_output_is_text_to_the_letter(size: int) -> None:
    said = ("Low", "", " ", "\n\n", "true", "[DONE]", '{"a":1}', "data: x", "12")
    reading = read_text(words(*said) + sse("done", "{}"), size=size)
    assert (reading.dialect, reading.marker, reading.clean) == ("replicate", "done", True)
    assert texts(reading) == [("text", "".join(said))]
    assert not rules_of(reading)


@pytest.mark.parametrize(
    ("end", "raw", "reason", "clean"),
    [
        (sse("done", "{}"), "done", "stop", True),
        (sse("done", '{"reason":"canceled"}'), "canceled", "cancelled", True),
        (sse("error", '{"detail":"No memory."}') + sse("done", '{"reason":"error"}'), "error", "error", False),
    ],
)
def test_how_a_prediction_ends(end: str, raw: str, reason: str, clean: bool) -> None:
    reading = read_text(words("Low") + end)
    assert [(finish["raw"], finish["reason"]) for finish in reading.finishes] == [(raw, reason)]
    assert reading.clean == clean
    assert [error["message"] for error in reading.errors] == ([] if clean else ["No memory."])


def test_logs_and_files_are_no_text() -> None:
    reading = read_text(words("Low", "data:image/webp;base64,AAAA") + sse("logs", "step 1") + sse("done", "{}"))
    assert [block.kind for block in reading.blocks] == ["text", "media"]
    assert [(delta.kind, delta.value) for delta in reading.deltas(2)] == [("stream.meta", "step 1")]


def test_nothing_but_a_reason_is_enough_to_know_it_by() -> None:
    assert read_text(sse("error", '{"detail":"No."}') + sse("done", '{"reason":"error"}')).dialect == "replicate"
    assert read_text(sse("progress", '{"a":1}') + sse("done", "{}")).dialect == "unknown"
    assert read_text(sse("output", '{"a":1}') + sse("done", "{}")).dialect == "unknown"


def result(text: str, count: int, reason: str = "not_finished", put_in: int = 0, **root: Any) -> str:
    held = {"generated_text": text, "generated_token_count": count, "input_token_count": put_in, "stop_reason": reason}
    return sse("message", json.dumps({"model_id": "m", "created_at": f"t{count}", "results": [held]} | root))


@pytest.mark.parametrize(
    ("reason", "normal"),
    [("eos_token", "stop"), ("MAX_TOKENS", "length"), ("time_limit", "length"), ("cancelled", "cancelled")],
)
def test_results_are_pieces_and_counts_are_sums(reason: str, normal: str) -> None:
    reading = read_text(result("", 0, put_in=8) + result("Low", 1) + result(" tide", 2) + result("", 3, reason))
    assert (reading.dialect, reading.meta["model"], reading.clean) == ("watsonx", "m", True)
    assert texts(reading) == [("text", "Low tide")]
    assert [(finish["raw"], finish["reason"]) for finish in reading.finishes] == [(reason, normal)]
    assert reading.usage is not None
    assert (reading.usage["input"], reading.usage["output"]) == (8, 3)
    assert not rules_of(reading)


def test_warnings_and_errors() -> None:
    failed = sse("error", json.dumps({"errors": [{"code": "x", "message": "Too long."}], "status_code": 500}))
    reading = read_text(result("Low", 1, system={"warnings": [{"message": "Old."}]}) + failed)
    assert reading.deltas(0)[-1].kind == "stream.meta"
    assert [error["message"] for error in reading.errors] == ["Too long."]
    assert "finish-missing" in rules_of(reading)


def test_its_chat_endpoint_speaks_chat() -> None:
    payload = {"model_id": "m", "model": "m", "choices": [{"index": 0, "delta": {"content": "Low"}}]}
    assert read_text(sse("message", json.dumps(payload))).dialect == "openai-chat"
