"""What is OpenAI's and neither Chat nor Responses: text completions, Assistants runs, speech and transcription."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.dialects.events import event, read_text, rules_of, texts, told

DONE = "data: [DONE]\n\n"


def chunk(*choices: dict[str, Any], **root: Any) -> str:
    payload = {"id": "c", "object": "text_completion", "created": 1, "model": "m", "choices": list(choices)} | root
    return f"data: {json.dumps(payload)}\n\n"


def choice(text: str | None, index: int = 0, reason: str | None = None, **more: Any) -> dict[str, Any]:
    return {"index": index, "text": text, "logprobs": None, "finish_reason": reason} | more


COUNTS = chunk(usage={"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7})
ZEROS = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}


def test_choices_of_a_completion_take_turns() -> None:
    body = chunk(choice("Lo"), choice("Hi", 1)) + chunk(choice("w", reason="stop")) + chunk(choice("gh", 1, "length"))
    reading = read_text(body + COUNTS + DONE)
    assert (reading.dialect, reading.marker, reading.clean) == ("openai-completions", "[DONE]", True)
    assert [(block.choice, block.text) for block in reading.blocks] == [(0, "Low"), (1, "High")]
    assert [(end["choice"], end["reason"]) for end in reading.finishes] == [(0, "stop"), (1, "length")]
    assert reading.usage is not None
    assert (reading.usage["input"], reading.usage["output"], reading.usage["total"]) == (3, 4, 7)


@pytest.mark.parametrize(
    ("body", "dialect"),
    [
        (chunk(choice("Low")), "openai-completions"),
        (chunk(prompt_filter_results=[{"prompt_index": 0}]) + chunk(choice("Low")), "openai-completions"),
        (chunk(choice("Low")).replace("text_completion", ""), "openai-completions"),
        (chunk(choice("Low")) + chunk({"delta": {}, "finish_reason": "stop"}), "openai-completions"),
        (chunk({"index": 0, "delta": {"content": "Low"}}) + chunk({"index": 1, "delta": {}}) + COUNTS, "openai-chat"),
        (chunk({"index": 0, "delta": {"content": "Low"}, "text": "Low"}), "openai-chat"),
        (chunk({"index": 0, "message": {"content": "Low"}}, object="chat.completion"), "openai-chat"),
    ],
)
def test_a_completion_is_told_from_chat(body: str, dialect: str) -> None:
    reading = read_text(body + DONE)
    assert reading.dialect == dialect
    assert texts(reading) == [("text", "Low")]
    assert "meta-dialect-switch" not in rules_of(reading)


def test_zeros_on_every_chunk_count_nothing() -> None:
    end = chunk(choice("", reason="stop"), usage=ZEROS)
    reading = read_text(chunk(choice("Low"), usage=ZEROS) + COUNTS + end + DONE)
    assert reading.usage is not None
    assert reading.usage["output"] == 4


def thing(name: str, payload: dict[str, Any]) -> str:
    kind = name.removesuffix(".delta").rpartition(".")[0] if not name.endswith(".delta") else name
    return f"event: {name}\ndata: {json.dumps({'object': kind, 'run_id': 'run_1'} | payload)}\n\n"


def run(status: str, **more: Any) -> str:
    return thing(f"thread.run.{status}", {"id": "run_1", "status": status, "model": "m"} | more)


def piece(*content: dict[str, Any], message: str = "msg_1") -> str:
    return thing("thread.message.delta", {"id": message, "delta": {"content": list(content)}})


def text_part(value: str, index: int = 0, **more: Any) -> dict[str, Any]:
    return {"index": index, "type": "text", "text": {"value": value} | more}


def calls(*elements: dict[str, Any], step: str = "step_1") -> str:
    details = {"type": "tool_calls", "tool_calls": list(elements)}
    return thing("thread.run.step.delta", {"id": step, "delta": {"step_details": details}})


def function(at: int = 0, **held: Any) -> dict[str, Any]:
    return {"index": at, "type": "function", "function": held}


def asked(*names: tuple[str, str, str]) -> str:
    found = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in names]
    return run("requires_action", required_action={"submit_tool_outputs": {"tool_calls": found}})


END = "event: done\n" + DONE


def test_parts_of_messages_are_told_apart() -> None:
    body = piece(text_part("Lo"), text_part("Hi", 1)) + piece(text_part("w")) + piece(text_part("Two"), message="msg_2")
    content = [{"type": "text", "text": {"value": "Low"}}, {"type": "text", "text": {"value": "Hi"}}]
    whole = thing("thread.message.completed", {"id": "msg_1", "content": content})
    reading = read_text(run("created") + body + whole + run("completed") + END)
    assert told(reading) == [
        ("text", "Low", "complete", "explicit"),
        ("text", "Hi", "complete", "explicit"),
        ("text", "Two", "complete", "finish"),
    ]
    assert (reading.dialect, reading.marker, reading.clean, reading.meta["id"]) == (
        "openai-assistants",
        "[DONE]",
        True,
        "run_1",
    )


def test_a_call_that_the_run_waits_for_is_the_one_that_was_streamed() -> None:
    pieces = [calls(function(id="x", name="f", arguments="") | {"id": "call_1"}), calls(function(arguments='{"a"'))]
    pieces += [calls(function(arguments=":1}")), calls(function(1, name="g", arguments="{}") | {"id": "call_2"})]
    wanted = asked(("call_1", "f", '{"a":1}'), ("call_2", "g", "{}"), ("call_3", "h", '{"b":2}'))
    reading = read_text(run("created") + "".join(pieces) + wanted + END)
    found = [(block.fields["id"], block.fields["name"], block.text, block.state) for block in reading.blocks]
    assert found == [
        ("call_1", "f", '{"a":1}', "complete"),
        ("call_2", "g", "{}", "complete"),
        ("call_3", "h", '{"b":2}', "complete"),
    ]
    assert [(end["raw"], end["reason"]) for end in reading.finishes] == [("requires_action", "tool_calls")]


def test_code_has_its_outputs_and_the_counts_are_the_runs() -> None:
    first = {"index": 0, "id": "call_1", "type": "code_interpreter", "code_interpreter": {"input": "", "outputs": []}}
    logs = {"index": 0, "type": "logs", "logs": "2"}
    body = calls(first) + calls({"index": 0, "type": "code_interpreter", "code_interpreter": {"input": "1+1"}})
    body += calls({"index": 0, "type": "code_interpreter", "code_interpreter": {"outputs": [logs]}})
    said = {"id": "call_1", "type": "code_interpreter", "code_interpreter": {"input": "1+1", "outputs": [logs]}}
    over = {"id": "step_1", "status": "completed", "step_details": {"tool_calls": [said]}}
    body += thing("thread.run.step.completed", over | {"usage": {"completion_tokens": 60}})
    counts = {"prompt_tokens": 9, "completion_tokens": 40, "prompt_token_details": {"cached_tokens": 5}}
    reading = read_text(run("created") + body + run("completed", usage=counts) + END)
    call, result = reading.blocks
    assert (call.text, call.fields["name"], call.fields["tool_kind"]) == ("1+1", "code_interpreter", "builtin")
    assert (result.kind, result.fields["result"], result.state) == ("tool_result", [logs], "complete")
    assert reading.usage is not None
    assert (reading.usage["output"], reading.usage["cache_read"]) == (40, 5)
    assert not rules_of(reading) & {"usage-inconsistent", "usage-conflict"}


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (run("incomplete", incomplete_details={"reason": "content_filter"}), "content_filter"),
        (run("incomplete", incomplete_details={"reason": "max_completion_tokens"}), "length"),
        (run("cancelled"), "cancelled"),
        (run("expired"), "error"),
        (run("in_progress"), None),
    ],
)
def test_how_a_run_ends(end: str, reason: str | None) -> None:
    reading = read_text(run("created") + piece(text_part("Low")) + end + END)
    assert [finish["reason"] for finish in reading.finishes] == ([reason] if reason else [])


def test_annotations_refusals_and_errors() -> None:
    note = {"type": "file_citation", "text": "[1]", "file_citation": {"file_id": "f"}}
    body = piece(text_part("Low[1]", annotations=[{"index": 0} | note]))
    body += piece({"index": 1, "type": "refusal", "refusal": "No."})
    content = [
        {"type": "text", "text": {"value": "Low[1]", "annotations": [note]}},
        {"type": "refusal", "refusal": "No."},
    ]
    body += thing("thread.message.completed", {"id": "msg_1", "content": content})
    failed = 'event: error\ndata: {"code":"server_error","message":"Gone.","type":"server_error"}\n\n'
    reading = read_text(run("created") + body + failed)
    assert texts(reading) == [("text", "Low[1]"), ("refusal", "No."), ("error", "Gone.")]
    assert reading.blocks[0].fields["citations"] == [note]


def test_segments_of_a_transcription_have_their_own_text() -> None:
    pieces = [event("transcript.text.delta", delta=text, segment_id="s1") for text in ("Low", " tide")]
    segments = [
        event("transcript.text.segment", id="s1", start=0.0, end=1.5, text="Low tide", speaker="A"),
        event("transcript.text.segment", id="s2", start=1.5, end=2.0, text="When?", speaker="B"),
    ]
    done = event("transcript.text.done", text="Low tide When?", usage={"type": "duration", "seconds": 2})
    reading = read_text("".join(pieces + segments) + done)
    assert (reading.dialect, reading.clean, reading.usage) == ("openai-audio", True, None)
    assert texts(reading) == [("text", "Low tide"), ("text", "When?")]
    metas = [delta.value for delta in reading.deltas(2) if delta.kind == "stream.meta"]
    assert metas == ["A", 0.0, 1.5]


@pytest.mark.parametrize("deltas", [("Low", " tide"), ()])
def test_a_transcription_is_read_once(deltas: tuple[str, ...]) -> None:
    usage = {"type": "tokens", "input_tokens": 4, "output_tokens": 2, "total_tokens": 6}
    pieces = [event("transcript.text.delta", named=False, delta=text) for text in deltas]
    done = event("transcript.text.done", named=False, text="Low tide", usage=usage)
    reading = read_text("".join(pieces) + done + DONE)
    assert texts(reading) == [("text", "Low tide")]
    assert (reading.marker, reading.clean) == ("[DONE]", True)
    assert reading.usage is not None
    assert reading.usage["input"] == 4
    assert not rules_of(reading)


def test_speech_is_one_sound() -> None:
    body = event("speech.audio.delta", audio="AAAA") + event("speech.audio.delta", audio="BBBB")
    reading = read_text(body + event("speech.audio.done", usage={"input_tokens": 4, "output_tokens": 9}))
    [block] = reading.blocks
    assert (block.kind, block.fields["media"], len(block.deltas)) == ("media", "audio", 2)
    assert [finish["reason"] for finish in reading.finishes] == ["stop"]


@pytest.mark.parametrize("name", ["openai-completions", "openai-assistants", "openai-audio"])
def test_an_odd_payload_is_shown(name: str) -> None:
    bodies = {
        "openai-completions": chunk(choice("Low"), {"index": 0, "text": {"odd": 1}}),
        "openai-assistants": piece(text_part("Low"), {"index": 1, "type": "odd"}),
        "openai-audio": event("transcript.text.delta", delta="Low", odd=1),
    }
    reading = read_text(bodies[name])
    assert reading.dialect == name
    assert [delta.kind for delta in reading.deltas(0)].count("unknown") == 1
