"""Rules about answers: how often they count, where they point, what they follow from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, Finding, MemoryBody
from inspector_app.files import read_input
from inspector_app.findings._markup import leaks
from inspector_app.findings._markup_calls import likely_calls

STREAMS = Path(__file__).parent / "streams"
KIT = load_kit()


def read(exchange: Exchange) -> Reading:
    analysis = Analysis(exchange, KIT)
    for piece in exchange.chunks():
        analysis.feed(piece)
    return analysis.finish()


def body(*payloads: Any) -> Reading:
    lines = [payload if isinstance(payload, str) else json.dumps(payload) for payload in payloads]
    data = "".join(f"data: {line}\n\n" for line in lines)
    return read(Exchange("x", "sse-body", MemoryBody(data.encode())))


def chunk(delta: dict[str, Any], finish: str | None = None, **root: Any) -> dict[str, Any]:
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {"id": "chatcmpl-5", "object": "chat.completion.chunk", "model": "demo-1", "choices": choices, **root}


def calls(*fragments: tuple[int, str | None, str]) -> list[dict[str, Any]]:
    """Fragments of calls: index, the name where one begins, arguments."""
    out = []
    for index, name, arguments in fragments:
        begins = {} if name is None else {"id": f"call_{index}", "type": "function"}
        function = {"arguments": arguments} | ({} if name is None else {"name": name})
        out.append(chunk({"tool_calls": [{"index": index, "function": function} | begins]}))
    return out


ABOUT_CALLS = [
    (
        calls((0, "f", "{}"), (1, "look", '{"a":1}'), (1, None, '{"a":1}')),
        "tool-args-repeated",
        ["The arguments of call 1 (look, call_1) repeat what was sent before: a second copy."],
    ),
    (
        calls((0, "f", '{"a":1}'), (0, None, '{"a":1}'), (1, "look", '{"b":2}'), (1, None, '{"b":2}')),
        "tool-args-repeated",
        [
            "The arguments of call 0 (f, call_0) repeat what was sent before: a second copy.",
            "The arguments of call 1 (look, call_1) repeat what was sent before: a second copy.",
        ],
    ),
    (
        calls((0, "f", '{"a":1}'), (1, "look", "{}"), (1, None, '{"b":2}')),
        "tool-args-second-root",
        [
            "A second JSON value begins behind complete arguments, at call 1 (look, call_1): {} stands before them.",
        ],
    ),
    (
        calls((0, "f", '{"a":1}{"b":2}')),
        "tool-args-second-root",
        ["A second JSON value begins behind complete arguments, at call 1: the rest is a call of its own."],
    ),
]


@pytest.mark.parametrize(("chunks", "rule", "messages"), ABOUT_CALLS)
def test_a_finding_about_arguments_names_its_call(chunks: list[dict[str, Any]], rule: str, messages: list[str]) -> None:
    reading = body(*chunks, chunk({}, "tool_calls"), "[DONE]")
    assert [finding.message for finding in reading.findings if finding.rule == rule] == messages


def stream(name: str) -> Reading:
    return read(read_input(str(next(STREAMS.glob(f"{name}.*"))))[0])


def finding(reading: Reading, rule: str) -> Finding:
    (found,) = [one for one in reading.findings if one.rule == rule]
    return found


WIDE = {
    "tool-calls-empty-array": 150,
    "choice-role-repeated": 149,
    "text-empty-beside-reasoning": 149,
    "finish-empty-string": 150,
    "reasoning-field-variant": 149,
}


def test_every_delta_of_a_gateway_that_writes_all_fields_counts() -> None:
    fields = {"role": "assistant", "content": "", "tool_calls": [], "function_call": None, "refusal": None}
    thoughts = [chunk({**fields, "reasoning": f"token {n} "}, "") for n in range(149)]
    reading = body(chunk(fields, ""), *thoughts, chunk({"content": "Done."}, "stop"), "[DONE]")
    counts = {found.rule: found.count for found in reading.findings}
    assert {rule: counts.get(rule) for rule in WIDE} == WIDE
    places = finding(reading, "tool-calls-empty-array").places
    assert len(places) == 20
    assert {reading.body.slice(start, end) for _, start, end in places} == {b'"tool_calls": []'}


@pytest.mark.parametrize(
    "name, rule, count, events, pointer",
    [
        ("reasoning-empty/fires-white-space-only", "reasoning-empty", 2, [1, 2], "/choices/0/delta/reasoning_content"),
        ("text-cumulative/fires-text", "text-cumulative", 3, [1, 2, 3], "/choices/0/delta/content"),
        ("tool-id-empty/fires-continuation", "tool-id-empty", 2, [2, 3], "/choices/0/delta/tool_calls/0/id"),
        ("tool-args-null/fires-element", "tool-args-null", 1, [1], "/choices/0/delta/tool_calls/0/function/arguments"),
        ("finish-missing/fires-second-choice", "finish-missing", 1, [3], None),
        ("finish-chunk-after/fires-several-alike", "finish-chunk-after", 3, [4, 5, 6], "/choices/0"),
        ("finish-chunk-after/fires-in-second-choice", "finish-chunk-after", 1, [4], "/choices/0"),
        ("choice-null/fires-several-alike", "choice-null", 4, [2, 3, 4, 5], "/choices"),
        ("choice-multiple/fires-two", "choice-multiple", 2, [1], None),
        ("usage-cumulative/fires-running-totals", "usage-cumulative", 3, [0, 1, 2], "/usage"),
        ("text-citations/fires-list-in-every-chunk", "text-citations", 2, [0], "/citations/0"),
        ("think-tag-unbalanced/fires-close-only", "think-tag-unbalanced", 1, [2], "/choices/0/delta/content"),
        ("choice-index-counter/fires-one-per-token", "choice-index-counter", 5, [0, 1, 2, 3, 4], "/choices/0/index"),
        (
            "reasoning-blocks-per-delta/fires-without-mirror",
            *("reasoning-blocks-per-delta", 6, [1, 2, 3, 4, 5, 6], "/choices/0/delta/thinking_blocks/0"),
        ),
        (
            "tool-args-invalid/fires-wrong-in-the-middle",
            *("tool-args-invalid", 1, [3], "/choices/0/delta/tool_calls/0/function/arguments"),
        ),
        ("tool-markup-leak/fires-hermes", "tool-markup-leak", 1, [1], "/choices/0/delta/content"),
    ],
)
def test_count_and_place(name: str, rule: str, count: int, events: list[int], pointer: str | None) -> None:
    found = finding(stream(name), rule)
    assert (found.count, list(found.events), found.pointer) == (count, events, pointer)


@pytest.mark.parametrize("name, told", [("fires-wrong-in-the-middle", b"'"), ("fires-text-behind", b"d")])
def test_the_place_of_arguments_that_are_no_json_is_the_character(name: str, told: bytes) -> None:
    reading = stream(f"tool-args-invalid/{name}")
    (place,) = finding(reading, "tool-args-invalid").places
    assert reading.body.slice(place.start, place.end) == told


@pytest.mark.parametrize(
    "name, rule, words",
    [
        ("choice-duplicate-text/fires-message-at-the-end", "choice-duplicate-text", "equals the joined deltas"),
        ("choice-duplicate-text/fires-text-beside-delta", "choice-duplicate-text", "equals the joined deltas"),
        ("choice-duplicate-text/fires-other-text", "choice-duplicate-text", "differs from the joined deltas"),
        ("tool-multi-in-delta/fires-start-and-fragment", "tool-multi-in-delta", "several with index 0"),
        ("finish-conflict/fires-tools-then-stop", "finish-conflict", "tool_calls then stop"),
        ("think-tag-inline/fires-cut-tag", "think-tag-inline", "cut over 2 deltas"),
        ("tool-args-invalid/fires-text-behind", "tool-args-invalid", "character 16"),
        ("tool-args-invalid/fires-text-behind", "tool-args-invalid", "of call 0 (get_weather, call_1) are no JSON"),
        ("tool-args-truncated/fires-cut-stream", "tool-args-truncated", "of call 0 ("),
        ("usage-conflict/fires-choice", "usage-conflict", "/choices/0/usage"),
        ("error-in-stream/fires-base-resp", "error-in-stream", "insufficient balance"),
    ],
)
def test_the_message_says_what(name: str, rule: str, words: str) -> None:
    assert words in finding(stream(name), rule).message


@pytest.mark.parametrize(
    "name, rule, cause",
    [
        ("tool-args-truncated/fires-cut-stream", "finish-missing", "end-truncated"),
        ("error-in-stream/fires-without-choices", "finish-missing", "error-in-stream"),
        ("finish-missing/fires-done-without-reason", "finish-missing", None),
        ("finish-error/fires-in-error-chunk", "finish-error", "error-in-stream"),
        ("finish-error/fires-error", "finish-error", None),
        ("error-shape/fires-string", "error-shape", "error-in-stream"),
        ("frame-cut/fires-payload", "sse-unterminated-event", "frame-cut"),
        ("frame-cut/fires-payload", "end-truncated", "frame-cut"),
        ("frame-cut/fires-payload", "end-marker-missing", "end-truncated"),
        ("frame-cut/silent-unterminated-but-whole", "sse-unterminated-event", None),
    ],
)
def test_consequences_stand_under_their_cause(name: str, rule: str, cause: str | None) -> None:
    assert finding(stream(name), rule).under == cause


@pytest.mark.parametrize(
    "name, words", [("length", "token limit"), ("tool-calls", "lost the rest"), ("cut-stream", "ask again")]
)
def test_the_advice_for_cut_arguments_goes_by_how_the_choice_ended(name: str, words: str) -> None:
    assert words in finding(stream(f"tool-args-truncated/fires-{name}"), "tool-args-truncated").advice


def test_token_counts_that_are_texts_are_told() -> None:
    usage = {"prompt_tokens": "12", "completion_tokens": 30, "total_tokens": 42}
    found = finding(body(chunk({"content": "a"}, "stop") | {"usage": usage}, "[DONE]"), "usage-inconsistent")
    assert found.message == 'The token counts are odd: prompt_tokens is the text "12", no number.'
    assert "as JSON numbers" in found.advice
    assert found.pointer == "/usage/prompt_tokens"
    good = body(chunk({"content": "a"}, "stop") | {"usage": usage | {"prompt_tokens": 12}}, "[DONE]")
    assert "usage-inconsistent" not in {found.rule for found in good.findings}


@pytest.mark.parametrize(
    "index, words, advice",
    [
        ("0", '("0" is a text)', "as a JSON integer"),
        (0.0, "(0.0 is no integer)", "as a JSON integer"),
        (1, "(1 where 0 was due)", "Renumber the calls"),
    ],
)
def test_an_index_that_is_no_integer_is_not_called_out_of_order(index: object, words: str, advice: str) -> None:
    call = {"index": index, "id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    found = finding(body(chunk({"tool_calls": [call]}, "tool_calls"), "[DONE]"), "tool-index-not-sequential")
    assert words in found.message
    assert advice in found.advice


def test_the_advice_for_an_error_goes_by_whether_the_dialect_has_choices() -> None:
    chat = body(chunk({"content": "a"}), {"error": {"message": "no"}})
    assert "without choices" in finding(chat, "error-in-stream").advice
    start = {"type": "message_start", "message": {"id": "m", "role": "assistant", "content": [], "usage": {}}}
    messages = body(start, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
    assert "choices" not in finding(messages, "error-in-stream").advice


def halves(*pieces: bytes) -> bytes:
    """A Chat stream whose texts are these bytes."""
    start, end = b'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"', b'"}}]}\n\n'
    return b"".join(start + piece + end for piece in pieces)


@pytest.mark.parametrize(
    "pieces, message, advice",
    [
        ((b"", b"M\xc3", b"\xbcnchen"), ": `ü` is cut in two between events 1 and 2.", "by bytes"),
        ((b"\xe2", b"\x82\xac"), ": `€` is cut in two between events 0 and 1.", "by bytes"),
        ((b"\xc3", b"\xbc\xc3", b"\xa4"), "events 0 and 1, the first of 2 such characters.", "by bytes"),
        ((b"\xc3", b"\xbc", b"caf\xe9"), ": `ü` is cut in two between events 0 and 1.", "Encode once"),
        ((b"caf\xe9", b"x"), "as UTF-8.", "Encode once"),
        ((b"\xc3\xbc\xc3", b"\xc3"), "as UTF-8.", "Encode once"),
    ],
)
def test_a_character_cut_between_events_is_put_together(pieces: tuple[bytes, ...], message: str, advice: str) -> None:
    found = finding(read(Exchange("x.sse", "sse-body", MemoryBody(halves(*pieces)))), "body-invalid-utf8")
    assert found.message.endswith(message)
    assert advice in found.advice


def test_a_message_stays_one_short_line() -> None:
    reading = body(chunk({"role": "assistant"}), {"error": {"message": "a\nb" * 9000, "type": None, "code": None}})
    message = finding(reading, "error-in-stream").message
    assert "\n" not in message
    assert len(message) < 300


def test_likely_reading_of_a_stray_close_tag() -> None:
    assert stream("think-tag-unbalanced/fires-close-only").blocks[0].fields["likely_reasoning"] == "Hm. So then."


@pytest.mark.parametrize(
    "name, arguments",
    [
        ("hermes", {"city": "Oslo"}),
        ("qwen-coder", {"city": "Oslo"}),
        ("glm", {"city": "Oslo"}),
        ("deepseek", {"city": "Oslo"}),
        ("dsml", {"city": "Oslo"}),
        ("kimi-in-reasoning", {"city": "Oslo"}),
        ("mistral", {"city": "Oslo"}),
        ("minimax", {"city": "Oslo"}),
        ("harmony", {"city": "Oslo"}),
    ],
)
def test_the_call_behind_leaked_markup(name: str, arguments: dict[str, Any]) -> None:
    reading = stream(f"tool-markup-leak/fires-{name}")
    (call,) = reading.blocks[0].fields["suggested_calls"]
    assert call["name"] == "get_weather"
    assert json.loads(call["arguments"]) == arguments
    assert not [block for block in reading.blocks if block.kind == "tool_call"]


def test_several_calls_in_order_and_no_more_than_twenty() -> None:
    text = "".join(f'<tool_call>{{"name":"f{n}","arguments":{{}}}}</tool_call>' for n in range(30))
    assert [call["name"] for call in likely_calls(text)] == [f"f{n}" for n in range(20)]
    assert len(leaks(text)) == 30


MARKS = st.sampled_from(
    [
        *("<tool_call>", "{", "</tool_call>", "<|", "|>", "<｜", "｜>", "tool▁call▁begin", "DSML", "f", "`"),
        *("```\n", "\n", 'invoke name="f"', "[TOOL_CALLS]", "<arg_key>", "</arg_key>", "<function=f>"),
        *("<|channel|>", "<|message|>"),
    ]
)


@given(st.lists(MARKS, max_size=40).map("".join))
def test_no_text_breaks_the_search_for_markup(text: str) -> None:
    found = leaks(text)
    assert [leak.start for leak in found] == sorted({leak.start for leak in found})
    assert all(0 <= leak.start < len(text) for leak in found)
    for call in likely_calls(text):
        assert call["name"]


WORDS = st.sampled_from(["", " ", "null", "stop", "tool_calls", "assistant", "{", "{}", '{"a":1}', "<think>", "\ufffd"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 3) | st.just(0.5) | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["text", "name", "id"]), inner),
    max_leaves=4,
)


def some(keys: str, **more: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """An object with any of these keys, values of any type, and keys whose value is mostly what it should be."""
    mostly = {key: value | VALUES for key, value in more.items()}
    return st.fixed_dictionaries({}, optional=dict.fromkeys(keys.split(), VALUES) | mostly)


ELEMENTS = some("index id type", function=some("name arguments"), custom=some("name input"))
DETAILS = some("type text summary data signature index id")
DELTAS = some(
    "role content refusal reasoning_content reasoning reasoning_text thinking reasoning_opaque annotations audio",
    tool_calls=st.lists(ELEMENTS, max_size=3),
    function_call=some("name arguments"),
    reasoning_details=st.lists(DETAILS, max_size=3),
    thinking_blocks=st.lists(some("type thinking signature"), max_size=2),
)
USAGE = some("prompt_tokens completion_tokens total_tokens completion_tokens_details")
CHOICES = some("index finish_reason text error", delta=DELTAS, message=DELTAS, usage=USAGE)
PAYLOADS = some(
    "id object model error citations base_resp type",
    choices=st.lists(CHOICES, max_size=3),
    usage=USAGE,
    x_groq=some("error", usage=USAGE),
)


@settings(max_examples=40)
@given(st.lists(PAYLOADS | st.just("[DONE]"), max_size=8))
def test_no_payload_breaks_a_rule(payloads: list[Any]) -> None:
    reading = body(chunk({"role": "assistant"}), *payloads)
    for found in reading.findings:
        assert found.rule in KIT.rules
        assert found.count >= 1
        assert found.places
