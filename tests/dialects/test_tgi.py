"""Text generation of Hugging Face: tokens, special ones, the whole text at the end, errors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.dialects.events import read_text, rules_of, texts, told


def token(text: str, special: bool = False, **last: Any) -> str:
    fields = {"id": 5, "text": text, "logprob": -0.5, "special": special}
    return "data:" + json.dumps({"token": fields, "generated_text": None, "details": None} | last) + "\n\n"


def end(whole: str, reason: str = "eos_token", **details: Any) -> dict[str, Any]:
    return {"generated_text": whole, "details": {"finish_reason": reason, "generated_tokens": 3} | details}


@pytest.mark.parametrize(
    ("events", "text"),
    [
        ((token("Ja"), token("."), token("</s>", True, **end("Ja."))), "Ja."),
        ((token("Ja"), token(".", **end("Ja.", "length"))), "Ja."),
        ((token("Ja.", **end("Ja.")),), "Ja."),
        ((token("</s>", True, **end("Ja.")),), "Ja."),
        ((token("<|im_start|>", True), token("Ja"), token("</s>", True, **end("Ja"))), "Ja"),
    ],
)
def test_text_is_what_tokens_say(events: tuple[str, ...], text: str) -> None:
    reading = read_text("".join(events))
    assert (reading.dialect, reading.clean) == ("tgi", True)
    assert texts(reading) == [("text", text)]
    assert "tgi-text-differs" not in rules_of(reading)


@pytest.mark.parametrize(
    ("wire", "reason"), [("eos_token", "stop"), ("stop_sequence", "stop"), ("length", "length"), ("tired", None)]
)
def test_reasons(wire: str, reason: str | None) -> None:
    [finish] = read_text(token("Ja", **end("Ja", wire))).finishes
    assert (finish["raw"], finish["reason"]) == (wire, reason)


def test_counts() -> None:
    reading = read_text(token("Ja", **end("Ja", input_length=9)))
    assert reading.usage is not None
    assert (reading.usage["input"], reading.usage["output"]) == (9, 3)


@pytest.mark.parametrize("name", ["", "event:error\n"])
def test_an_error_in_the_middle(name: str) -> None:
    reading = read_text(token("Ja") + f'{name}data:{{"error":"Out of memory","error_type":"generation"}}\n\n')
    assert reading.errors == [{"event": 1, "type": "generation", "code": None, "message": "Out of memory"}]
    assert told(reading)[0] == ("text", "Ja", "truncated", "error")
    assert "error-shape" not in rules_of(reading)
    assert not reading.clean


def test_the_end_that_never_came() -> None:
    assert rules_of(read_text(token("Ja") + token("."))) >= {"end-truncated", "finish-missing"}


def test_a_token_counter_does_not_slow_the_reading_down() -> None:
    """Number, id and likelihood differ in each event, and still the events are one layout."""
    body = "".join(
        f'data:{{"index":{n},"token":{{"id":{n},"text":" a","logprob":-0.{n},"special":false}},'
        '"generated_text":null,"details":null}\n\n'
        for n in range(1, 40)
    )
    reading = read_text(body)
    assert reading.blocks[0].text == " a" * 39
    assert len(set(reading.events.layouts)) == 1
