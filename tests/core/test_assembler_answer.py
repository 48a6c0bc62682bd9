"""What the reference makes of choices, legacy calls, usage, errors and ends (R28 to R41, dialects.md 6 and 7)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.streams import bare, chunk, element, end, outcome, read, said, sse, stream, thought, tool

FILTERED = {"hate": {"filtered": False, "severity": "safe"}}


def both(*texts: str) -> list[dict[str, Any]]:
    """Two choices, one a chunk, in turns."""
    return [said(text, index=n % 2) for n, text in enumerate(texts)]


def counts(**given: int) -> dict[str, int]:
    return {f"{name}_tokens": count for name, count in given.items()}


SHAPES: dict[str, tuple[bytes, list[str]]] = {
    "two choices in turns": (
        sse(*both(*"abcdef"), end(index=1), end("length")),
        ["T:ace", "1/T:bdf", "finish length", "finish stop"],
    ),
    "three choices in turns, cut": (
        sse(*[said(str(n), index=n % 3) for n in range(9)]), ["T:036", "1/T:147", "2/T:258"]
    ),
    "two choices in one chunk": (
        sse(*[{"choices": [said(text, index=n)["choices"][0] for n, text in enumerate("ab")]}] * 3),
        ["T:aaa", "1/T:bbb"],
    ),
    "copilot: the text in one choice, the call in the other": (
        sse(said("a"), chunk({"tool_calls": [element("{}", index=0, id="c", name="f")]}, index=1),
            end("tool_calls"), end("tool_calls", index=1)),
        ["T:a", "1/C:c,f,{}", "finish tool_calls", "finish tool_calls"],
    ),
    "thoughts and texts of two choices do not touch": (
        sse(thought("a"), said("b", index=1), thought("c"), said("d", index=1), said("e")),
        ["R:ac", "1/T:bd", "T:e"],
    ),
    "no index is choice 0": (sse({"choices": [{"delta": {"content": "a"}}]}, said("b")), ["T:ab"]),
    "tgi: the index counts tokens": (
        sse(*[said(text, index=n) for n, text in enumerate("abcd")], end(index=4)), ["T:abcd", "finish stop"]
    ),
    "an index that stops counting is an index": (
        sse(*[said(text, index=n) for n, text in enumerate("abc")], said("d", index=0)), ["T:ad", "1/T:b", "2/T:c"]
    ),
    "a legacy call in pieces": (
        stream(*[chunk({"function_call": piece}) for piece in (
            {"name": "add", "arguments": ""}, {"arguments": '{"a":'}, {"arguments": "2}"})], finish="function_call"),
        ['C:-,add,{"a":2}', "finish function_call"],
    ),
    "text, then a legacy call": (
        stream(said("a"), chunk({"function_call": {"name": "f", "arguments": "{}"}})),
        ["T:a", "C:-,f,{}", "finish stop"],
    ),
    "mistral: a whole call with its finish": (
        sse(chunk({"content": "", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]},
                  "tool_calls", usage=counts(prompt=1, completion=2))),
        ["C:c,f,{}", "finish tool_calls"],
    ),
    "gemini: calls without index, one a chunk": (
        stream(*[tool("{}", index=..., id=i, name="f") for i in "ab"]), ["C:a,f,{}", "C:b,f,{}", "finish stop"]
    ),
    "a gateway with index 0 for all": (
        stream(tool('{"x":1}', id="a", name="f"), tool('{"x":2}', id="b", name="f")),
        ['C:a,f,{"x":1}', 'C:b,f,{"x":2}', "finish stop"],
    ),
    "claude behind a router: the index begins at 1": (
        stream(said("t"), tool("", index=1, id="a", name="f"), tool("", index=1), tool('{"x":1}', index=1),
               finish="tool_calls"),
        ["T:t", 'C:a,f,{"x":1}', "finish tool_calls"],
    ),
    "vllm: arguments in the finish chunk, then more": (
        sse(tool("[", id="a", name="f"), chunk({"tool_calls": [element("1", index=0)]}, "tool_calls"), tool("]")),
        ["C:a,f,[1]", "finish tool_calls"],
    ),
    "azure: filter results first and last": (
        stream(
            {"choices": [], "id": "", "model": "", "object": "", "created": 0,
             "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": FILTERED}]},
            said("a", id="1", model="m"), end(id="1", model="m"),
            {"id": "", "model": "", "choices": [{"index": 0, "finish_reason": None, "content_filter_results": FILTERED,
             "content_filter_offsets": {"check_offset": 9, "start_offset": 0, "end_offset": 9}}]},
            finish=None,
        ),
        ["T:a", "finish stop"],
    ),
    "copilot: chunks without choices": (
        stream({"choices": None, "copilot_references": [1]}, {"copilot_errors": []}, said("a")), ["T:a", "finish stop"]
    ),
    "openrouter: an error beside choices": (
        sse(said("a"), chunk({"content": ""}, "error", error={"code": 502, "message": "gone"})),
        ["T:a", "E:gone", "finish error"],
    ),
    "the text beside an error counts": (
        sse(said("a"), said("b", error={"message": "gone"})), ["T:ab", "E:gone"]
    ),
    "an error and then more": (
        stream(said("a"), {"error": {"message": "gone"}}, said("b")), ["T:a", "E:gone", "T:b", "finish stop"]
    ),
    "an error in one choice leaves the other alone": (
        sse(*both("a", "b"), {"choices": [{"index": 1, "delta": {}, "error": {"message": "gone"}}]}, *both("c", "d")),
        ["T:ac", "1/T:b", "1/E:gone", "1/T:d"],
    ),
    "baseten: the error is a text": (sse(said("a"), {"error": "gone"}), ["T:a", "E:gone"]),
    "groq: an error in its own object": (sse(said("a", x_groq={"id": "r", "error": "gone"})), ["T:a", "E:gone"]),
    "minimax: base_resp": (
        sse({"choices": None, "base_resp": {"status_code": 1004, "status_msg": "no key"}},
            said("a", base_resp={"status_code": 0, "status_msg": ""})),
        ["E:no key", "T:a"],
    ),
    "groq: an event line names the error": (
        sse(said("a")) + b'event: error\ndata: {"message":"gone","code":"tool_use_failed"}\n\n', ["T:a", "E:gone"]
    ),
    "two finish reasons": (sse(said("a"), end("length"), end("stop")), ["T:a", "finish length"]),
    "an empty and a null reason are none": (
        sse(chunk({"content": "a"}, ""), chunk({"content": "b"}, "null"), end()), ["T:ab", "finish stop"]
    ),
    "another answer begins before the first has ended": (
        sse(chunk({"role": "assistant", "content": "a"}, id="1"), said("b", id="1"),
            chunk({"role": "assistant", "content": "c"}, id="2"), said("d", id="2"), end(id="2")),
        ["T:ab", "T:cd", "finish stop"],
    ),
    "the calls of another answer are others": (
        sse(chunk({"role": "assistant", "content": "a"}, id="1"), tool("{", id="c", name="f") | {"id": "1"},
            chunk({"role": "assistant", "content": ""}, id="2"), tool("{}", id="c", name="f") | {"id": "2"}),
        ["T:a", "C:c,f,{", "C:c,f,{}"],
    ),
    "a third answer in one body": (
        b"".join(stream(chunk({"role": "assistant", "content": ""}, id=i), *[said(i, id=i)] * 3) for i in "123"),
        ["T:111", "T:222", "T:333", "finish stop"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_the_answer_of_a_real_shape(name: str) -> None:
    body, blocks = SHAPES[name]
    assert outcome(read(body)) == blocks
    assert outcome(read(body, size=1)) == blocks


USAGE: dict[str, tuple[list[Any], dict[str, int | None]]] = {
    "with the last choice": ([said("a", usage=None), end(usage=counts(prompt=3, completion=9, total=12))],
                             {"input": 3, "output": 9, "total": 12}),
    "after empty choices": ([said("a"), end(), {"choices": [], "usage": counts(prompt=3, completion=9)}],
                            {"input": 3, "output": 9, "total": None}),
    "on every chunk, growing": ([said("a", usage=counts(prompt=3, completion=n)) for n in (1, 2, 3)],
                                {"input": 3, "output": 3}),
    "in the choice": ([bare("stop", delta={}, usage=counts(prompt=3, completion=9))], {"input": 3, "output": 9}),
    "in x_groq and at the root": (
        [end(x_groq={"usage": counts(prompt=3, completion=9)}, usage=counts(prompt=3, completion=9))],
        {"input": 3, "output": 9},
    ),
    "in x_groq alone": ([end(x_groq={"usage": counts(prompt=3, completion=9)})], {"input": 3, "output": 9}),
    "after the end marker": ([said("a"), "[DONE]", {"choices": [], "usage": counts(prompt=3)}], {"input": 3}),
    "zeros replace nothing": (
        [said("a", usage=counts(prompt=3, completion=9)), end(usage=counts(prompt=0, completion=0))],
        {"input": 3, "output": 9},
    ),
    "zeros are counts where there is nothing else": ([end(usage=counts(prompt=0))], {"input": 0}),
    "null replaces nothing": ([said("a", usage=counts(prompt=3)), end(usage={"prompt_tokens": None})], {"input": 3}),
    "deepseek: cache": ([end(usage=counts(prompt=9, prompt_cache_hit=4))], {"input": 9, "cache_read": 4}),
    "xai: thought is not in the output": (
        [end(usage=counts(prompt=3, completion=2, total=10) | {"completion_tokens_details": {"reasoning_tokens": 5}})],
        {"input": 3, "output": 2, "reasoning": 5, "total": 10},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", USAGE)
def test_usage_in_all_its_places(name: str) -> None:
    payloads, wanted = USAGE[name]
    usage = read(sse(*payloads)).usage
    assert usage is not None
    assert {key: usage[key] for key in wanted} == wanted


@pytest.mark.parametrize("usage", [None, {}, "9", []])
def test_no_usage_is_none(usage: Any) -> None:
    assert read(stream(said("a", usage=usage))).usage is None


ENDS: list[tuple[bytes, bool, str]] = [
    (stream(said("a")), True, "complete"),
    (sse(said("a"), end()), False, "complete"),
    (stream(said("a"), finish=None), False, "truncated"),
    (sse(said("a")), False, "truncated"),
    (stream(said("a"), {"error": {"message": "e"}}), False, "truncated"),
    (stream(*both("a", "b"), end(index=1)), True, "complete"),
    (stream(*both("a", "b")), False, "complete"),
]


@pytest.mark.parametrize("body, clean, state", ENDS)
def test_an_end_is_clean_with_its_marker_and_every_reason(body: bytes, clean: bool, state: str) -> None:
    """R38 to R40."""
    reading = read(body)
    assert reading.clean is clean
    assert reading.blocks[0].state == state


def test_the_call_that_the_end_cuts_is_not_for_running() -> None:
    whole, cut = read(sse(tool("{}", id="a", name="f"), tool('{"x":', index=1, id="b", name="g"))).blocks
    assert (whole.fields["executable"], cut.fields["executable"]) == (True, False)
    assert (whole.state, cut.state) == ("complete", "truncated")


@pytest.mark.parametrize(
    "body, rule, fires",
    [
        (SHAPES["tgi: the index counts tokens"][0], "choice-index-counter", True),
        (SHAPES["three choices in turns, cut"][0], "choice-index-counter", False),
        (SHAPES["two finish reasons"][0], "finish-conflict", True),
        (SHAPES["copilot: the text in one choice, the call in the other"][0], "tool-other-choice", True),
        (SHAPES["another answer begins before the first has ended"][0], "meta-generation-spliced", True),
        (SHAPES["a third answer in one body"][0], "meta-generation-spliced", False),
        (SHAPES["a third answer in one body"][0], "finish-content-after", False),
    ],
)
def test_what_is_odd_is_reported(body: bytes, rule: str, fires: bool) -> None:
    assert (rule in {finding.rule for finding in read(body).findings}) is fires


def test_metadata_that_comes_empty_is_not_taken() -> None:
    """R34."""
    meta = read(SHAPES["azure: filter results first and last"][0]).meta
    assert (meta["id"], meta["model"]) == ("1", "m")
