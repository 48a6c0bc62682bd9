"""What `check`, `diff` and `rules` print for people."""

from __future__ import annotations

import json
from array import array
from typing import Any

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.core.types import Exchange, Finding, MemoryBody, Place
from inspector_app.lenses import compare, load_lenses, shipped_folder
from inspector_app.lenses.run import read, read_as
from inspector_app.report import listing

KIT = load_kit()
LENSES = load_lenses([shipped_folder()])
CALL = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}


def exchange(*payloads: Any, tail: str = "data: [DONE]\n\n", space: str = " ") -> Exchange:
    body = "".join(f"data:{space}{json.dumps(payload)}\n\n" for payload in payloads) + tail
    return Exchange("a.sse", "sse-body", MemoryBody(body.encode()))


def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def told(one: Exchange, lens: str | None = None) -> list[str]:
    reference = read(one, KIT)
    reading = reference if lens is None else read_as(LENSES[lens], reference, KIT)
    return listing.check(reading, reference).split("\n")


def test_an_answer_without_a_finish_reason_says_none() -> None:
    lines = told(exchange(chunk({"content": "hi"}), tail=""))
    assert "  finish none · no [DONE]" in lines


PART = {"content": {"role": "model", "parts": [{"text": "hi"}]}}
ENDS: list[tuple[str, str, bool, str]] = [
    ("Chat with its marker", "data: [DONE]\n\n", False, "finish stop · [DONE]"),
    ("Chat without it", "", False, "finish stop · no [DONE]"),
    ("a log of Chat, whose marker is no payload", "", True, "finish stop · a log of payloads keeps no [DONE]"),
]


@pytest.mark.parametrize(("what", "tail", "log", "words"), ENDS, ids=[row[0] for row in ENDS])
def test_the_end_of_a_chat_answer_is_its_marker(what: str, tail: str, log: bool, words: str) -> None:
    one = exchange(chunk({"content": "hi"}, "stop"), tail=tail)
    one.synthetic = log
    assert "  " + words in told(one)


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ({"candidates": [PART | {"finishReason": "STOP"}]}, "finish STOP · the reason is its end"),
        ({"candidates": [PART]}, "finish none · no end: a reason would be it"),
        ({"strange": 1}, "finish none · no end marker"),
        ({"type": "message_start", "message": {"id": "m", "role": "assistant"}}, "finish none · no message_stop"),
    ],
)
def test_where_no_marker_came_it_is_told_what_the_dialect_promises(payload: dict[str, Any], words: str) -> None:
    assert "  " + words in told(exchange(payload, tail=""))


@pytest.mark.parametrize(
    "one, head, why",
    [
        (exchange(tail=""), "sse-body · no dialect · 0 events · 0 B", "the body is empty"),
        (
            exchange(tail=": hi\n"),
            "sse-body · sse · no dialect · 0 events + 1 comment · 5 B",
            "no event is part of an answer",
        ),
        (
            exchange({"level": "debug", "chunk": chunk({"content": "hi"})}, tail=""),
            "sse-body · sse · unknown dialect · 1 event · 150 B",
            "this JSON is of no dialect that is known (see: stream-inspector dialects)",
        ),
    ],
)
def test_a_body_without_an_answer_says_why(one: Exchange, head: str, why: str) -> None:
    lines = told(one)
    assert lines[1].replace("\u2009", " ") == f"  {head}"
    assert lines[2] == f"  no blocks: {why}"


def test_a_consequence_stands_behind_its_cause() -> None:
    lines = told(exchange(chunk({"content": "hi"}), tail=""))
    [cause] = [at for at, line in enumerate(lines) if "end-truncated  event" in line]
    assert "finish-missing" in lines[cause + 3]
    assert "(follows from end-truncated)" in lines[cause + 3]
    assert "end-marker-missing" in lines[cause + 5]


def finding(rule: str, under: str | None = None) -> Finding:
    return Finding(rule, "error", "message", "advice", 1, [Place(0, 0, 0)], array("I", [0]), under=under)


def test_no_finding_is_left_out_even_where_two_blame_each_other() -> None:
    found = [finding("a", "b"), finding("b", "a"), finding("c", "gone"), finding("d", "c")]
    assert [one.rule for one in listing.causes_first(found)] == ["c", "d", "a", "b"]


def test_a_place_without_bytes_is_one_byte() -> None:
    [line] = [line for line in told(exchange(chunk({"content": "hi"}), tail="")) if "end-truncated  event" in line]
    assert line.endswith("event 0, byte 121")


@pytest.mark.parametrize(
    "lens, call",
    [
        (None, "    0  tool call  look({})  can be run"),
        ("wingmate-2026-06", "  no blocks: wingmate-2026-06 made nothing of it"),
        ("zcode-3.11", "    0  tool call  look({})  can be run"),
    ],
)
def test_a_call_as_a_client_reads_it(lens: str | None, call: str) -> None:
    one = exchange(chunk({"tool_calls": [CALL]}), chunk({}, "tool_calls"), space="")
    assert call in told(one, lens)


def test_a_call_that_lost_its_id_says_so() -> None:
    empty = CALL | {"id": "", "function": {"name": "", "arguments": "{}"}}
    one = exchange(chunk({"tool_calls": [CALL | {"function": {"name": "look"}}]}), chunk({"tool_calls": [empty]}))
    assert '    0  tool call  name ""({})  cannot be run  id ""' in told(one, "wingmate-2026-06")


@pytest.mark.parametrize(
    ("first", "missing"),
    [(CALL | {"id": None}, 2), (CALL | {"id": None, "type": None}, 2), (CALL, 1)],
)
def test_an_id_that_the_stream_never_gave_is_missing(first: dict[str, Any], missing: int) -> None:
    second = {"index": 1, "type": "function", "function": {"name": "wait", "arguments": "{}"}}
    one = exchange(chunk({"tool_calls": [first]}), chunk({"tool_calls": [second]}), chunk({}, "tool_calls"))
    assert sum("id MISSING" in line for line in told(one)) == missing


def test_an_id_that_is_no_duty_is_not_missing() -> None:
    calls = [{"function": {"name": "look", "arguments": {}}}, {"id": "c", "function": {"name": "go", "arguments": {}}}]
    said = {"model": "m", "message": {"role": "assistant", "content": "", "tool_calls": calls}, "done": False}
    last = {"model": "m", "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"}
    body = "".join(json.dumps(line) + "\n" for line in (said, last))
    lines = told(Exchange("x", "body", MemoryBody(body.encode())))
    assert sum("tool call" in line for line in lines) == 2
    assert not any("MISSING" in line for line in lines)


def test_two_readings_are_counted_by_name() -> None:
    one = exchange(*[chunk({"reasoning_content": word, "tool_calls": []}) for word in "abcdefghijkl"])
    reference = read(one, KIT)
    lines = listing.diff(compare(reference, read_as(LENSES["zcode-3.11"], reference, KIT)), "a.sse").split("\n")
    assert lines[0] == "a.sse: zcode-3.11 against reference: fragmented"
    assert lines[-2:] == ["  reference    1 block   12 characters", "  zcode-3.11  12 blocks  12 characters"]


def test_a_rule_is_listed_with_what_it_says_and_advises() -> None:
    lines = listing.rules([KIT.rules["tool-id-empty"], KIT.rules["body-html"]]).split("\n")
    assert lines == [
        'warning  tool-id-empty  The id is "" in N fragments.',
        "                        Leave the id out of fragments that continue a call.",
        "error    body-html      A web page stands where the stream should be…",
        f"                        {KIT.rules['body-html'].advice}",
    ]
    assert "{count}" not in listing.rules(list(KIT.rules.values()))


def test_calls_of_the_server_results_and_media_say_what_they_are() -> None:
    parts: list[dict[str, Any]] = [
        {"executableCode": {"language": "PYTHON", "code": "1+1"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "2"}},
        {"inlineData": {"mimeType": "audio/L16;rate=24000", "data": "AAAA" * 16000}},
        {"fileData": {"mimeType": "video/mp4", "fileUri": "gs://b/1\x1b[31m"}},
    ]
    lines = told(exchange(*({"candidates": [{"content": {"role": "model", "parts": [part]}}]} for part in parts)))
    blocks = [line for line in lines if line[2:5].strip().isdigit()]
    assert blocks[0].endswith("  run by the server")
    assert blocks[1].startswith("    1  result     ")
    assert '"OUTCOME_OK"' in blocks[1]
    assert blocks[2] == "    2  media      audio  pcm · 1.00\u2009s · 48.0\u2009kB"
    assert blocks[3].startswith("    3  media      video  mp4 · gs://b/1")
    assert "\x1b" not in blocks[3]


def test_a_loss_is_told_with_its_cause_once_and_with_what_is_lacking_once() -> None:
    reference = read(exchange(chunk({"content": "hi"}), chunk({"tool_calls": [CALL]}), space=""), KIT)
    lines = listing.diff(compare(reference, read_as(LENSES["wingmate-2026-06"], reference, KIT)), "a.sse").split("\n")
    assert sum("is not read" in line for line in lines) == 1
    assert sum("lacks" in line for line in lines) == 1
    assert lines[2].startswith("  first difference at event 0: wingmate-2026-06 lacks 2 characters of the text")


def test_an_error_is_told_once_too() -> None:
    details = {"reasoning_details": [{"type": "reasoning.text", "text": "Hm", "index": 0}]}
    reference = read(exchange(chunk(details), chunk({}, "stop")), KIT)
    lines = listing.diff(compare(reference, read_as(LENSES["openclaw"], reference, KIT)), "a.sse").split("\n")
    assert lines[2].endswith("event 0: openclaw lacks 2 characters of the reasoning; it ends in an error at event 2")
    assert [sum(words in line for line in lines) for words in ("it raises", "is not read", "lacks")] == [1, 1, 1]
