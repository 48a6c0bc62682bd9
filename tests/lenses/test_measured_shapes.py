"""Shapes on which five clients were measured, with what they gave: blocks, finish reason, error (dialects.md 22.3)."""

from __future__ import annotations

import pytest

from inspector_app.lenses import load_lenses, shipped_folder
from tests.core.streams import (
    DONE,
    bare,
    chunk,
    data,
    element,
    end,
    outcome,
    read,
    said,
    sse,
    stream,
    thought,
    tool,
)

LENSES = load_lenses([shipped_folder()])
NAMES = (
    "openai-python-helper-3.57", "pydantic-ai-2.68", "litellm-1.110", "openai-node-helper-6.49",
    "ai-sdk-openai-compatible-2.0.92",
)  # fmt: skip

A, BREAK, END = data(said("a")), data(said("a\u2028")), data(end())
CALL = {"tool_calls": [element("{}", index=0, id="c", name="f")]}
PARTS = [{"type": "thinking", "thinking": [{"type": "text", "text": "h"}]}]
ANSWER = {"object": "chat.completion", "choices": [{"index": 0, "message": {"content": "x"}, "finish_reason": "stop"}]}


def raw(*lines: str, ends: str = "\n") -> bytes:
    return "".join(line + ends for line in lines).encode()


SHAPES: dict[str, tuple[bytes, tuple[str, str, str, str, str]]] = {
    "an empty list of calls beside each thought": (
        stream(*[thought(t, tool_calls=[]) for t in "abc"], said("t")),
        ("R:abc T:t stop", "R:abc T:t stop", "R:abc T:t stop", "R:c T:t stop", "R:abc T:t stop"),
    ),
    "the field reasoning": (
        stream(thought("a", "reasoning"), thought("b", "reasoning"), said("t")),
        ("R:ab T:t stop", "R:ab T:t stop", "R:ab T:t stop", "R:b T:t stop", "R:ab T:t stop"),
    ),
    "reasoning is an object": (
        stream(thought({"text": "a"}), said("t")),
        ("R:a T:t stop", "T:t stop", "T:t stop raises", "R:a T:t stop", "T:t stop part"),
    ),
    "tags in deltas of their own": (
        stream(*map(said, ("<think>", "a", "</think>", "b"))),
        (*["T:<think>a</think>b stop"], "R:a T:b stop", *["T:<think>a</think>b stop"] * 3),
    ),
    "tags that are cut": (
        stream(*map(said, ("<thi", "nk>a</think>", "b"))), ("T:<think>a</think>b stop",) * 5
    ),
    "content is a list, then a text": (
        stream(chunk({"content": PARTS}), said("a")),
        ("T:[list] stop", "T:a stop", "T:a stop", "T:[object Object]a stop", "R:h T:a stop"),
    ),
    "choices are null": (
        stream(said("a"), {"choices": None, "object": "chat.completion.chunk"}, said("b")),
        ("T:a raises", "T:ab stop", "T:ab stop", "T:a raises", "T:ab stop part"),
    ),
    "a choice without a delta": (stream(said("a"), bare(), said("b")), ("T:ab stop",) * 5),
    "the text in choice 0, the call in choice 1": (
        stream(said("a"), chunk(CALL, index=1), end(), end("tool_calls", index=1), finish=None),
        ("T:a 1/C:c,f,{} stop tool_calls", "T:a C:c,f,{} tool_calls", "T:a tool_calls",
         "T:a 1/C:c,f,{} stop tool_calls raises", "T:a C:c,f,{} tool_calls"),
    ),
    "a refusal": (
        stream(chunk({"refusal": "no"})), ("X:no stop", "stop", "stop", "X:no stop", "T:no content-filter")
    ),
    "no finish reason": (
        stream(said("a"), finish=None), ("T:a", "T:a", "T:a stop raises", "T:a raises", "T:a raises")
    ),
    "an error that nobody framed": (
        raw(f"data: {A}", "", '{"error":{"message":"e"}}'),
        ("T:a", "T:a", "T:a stop raises", "T:a raises", "T:a raises"),
    ),
    "an error beside choices": (
        sse(said("a"), chunk({"content": ""}, "error", error={"message": "e"})),
        ("T:a raises", "T:a raises", "T:a stop raises", "T:a raises", "T:a part"),
    ),
    "an error that is a text": (
        sse(said("a"), {"error": "e"}), ("T:a raises", "T:a raises", "T:a stop raises", "T:a raises", "T:a part")
    ),
    "an event line that says error": (
        sse(said("a")) + b'event: error\ndata: {"error":{"message":"e"}}\n\n',
        ("T:a raises", "T:a raises", "T:a stop raises", "T:a raises", "T:a part"),
    ),
    "text after the end marker": (
        stream(said("a")) + sse(said("b")), (*["T:a stop"] * 4, "T:ab stop")
    ),
    "a byte-order mark": (
        "\ufeff".encode() + stream(said("a"), said("b")), (*["T:b stop"] * 3, "T:ab stop", "T:ab stop")
    ),
    "the last event without its blank line": (
        raw(f"data: {A}", "", f"data: {END}"), ("T:a", "T:a", "T:a stop raises", "T:a raises", "T:a raises")
    ),
    "an id, then a blank line too many": (
        raw("id: 1", f"data: {A}", "", "", f"data: {END}", "", f"data: {DONE}", ""),
        ("T:a raises", "T:a raises", "T:a stop raises", "T:a stop", "T:a stop"),
    ),
    "a retry line alone": (
        raw("retry: 5", "", f"data: {A}", "", f"data: {END}", ""),
        ("raises", "raises", "raises", "T:a stop", "T:a stop"),
    ),
    "an event line alone": (
        raw("event: x", "", f"data: {A}", "", f"data: {END}", ""),
        ("raises", "raises", "raises", "raises", "T:a stop"),
    ),
    "empty data": (
        raw("data:", "", f"data: {A}", "", f"data: {END}", ""),
        ("raises", "raises", "raises", "raises", "T:a stop part"),
    ),
    "data that does not parse": (
        sse("{no", said("a"), end()), ("raises", "raises", "raises", "raises", "T:a stop part")
    ),
    "lone CR, comments, no space, a raw U+2028": (
        raw(": ping", "", f"data:{BREAK}", "", f"data: {END}", "", f"data: {DONE}", "", ends="\r"),
        ("T:a\u2028 stop",) * 5,
    ),
    "one JSON object": (data(ANSWER).encode(), ("raises", "raises", "", "raises", "raises")),
    "the index begins at 1": (
        stream(tool("{}", index=1, id="c", name="f"), finish="tool_calls"),
        ("C:c,f,{} raises", "C:c,f,{} tool_calls", "C:c,f,{} tool_calls", "C:c,f,{} tool_calls raises",
         "C:c,f,{} tool_calls"),
    ),
    "the index is a text": (
        stream(tool("{}", index="0", id="c", name="f"), finish="tool_calls"),
        (*["C:c,f,{} tool_calls"] * 4, "tool_calls part"),
    ),
    "a call without a type": (
        stream(tool("{}", id="c", name="f", type=...), finish="tool_calls"),
        (*["C:c,f,{} tool_calls"] * 3, "C:c,f,{} tool_calls part", "C:c,f,{} tool_calls"),
    ),
}  # fmt: skip
SHAPES = {
    shape: (body.replace(b'"delta":{"', b'"delta":{"role":"assistant","', 1), measured)
    for shape, (body, measured) in SHAPES.items()
}
"""Shape -> stream, and what each client of NAMES made of it. SDKs pass unknown fields on: they have the thought."""

DIFFERENT = {
    ("content is a list, then a text", "openai-python-helper-3.57"): "keeps the list and loses the text behind it",
    ("reasoning is an object", "litellm-1.110"): "fails when it joins the chunks, after the last event",
    (
        "the text in choice 0, the call in choice 1",
        "litellm-1.110",
    ): "reports the finish reason of the choice that it does not read",
    ("a refusal", "ai-sdk-openai-compatible-2.0.92"): "makes up a finish reason of its own",
}
"""(shape, client) -> what no rule says."""


def words(lines: list[str]) -> str:
    """An outcome in one line: blocks but for errors, the finish reason, whether and how the client fails."""
    short = (line.removeprefix("finish ").partition(" at ")[0] for line in lines if "E:" not in line)
    return " ".join(short)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("place, name", [*enumerate(NAMES)])
def test_a_measured_client_reads_a_shape_as_it_did(shape: str, place: int, name: str) -> None:
    body, measured = SHAPES[shape]
    same = words(outcome(read(body, LENSES[name].rules))) == measured[place]
    assert same is ((shape, name) not in DIFFERENT)


@pytest.mark.parametrize("place, output", [*enumerate([3, 6, 3, 3, 3])])
def test_usage_on_every_chunk(place: int, output: int) -> None:
    chunks = [said("a", usage={"prompt_tokens": 1, "completion_tokens": count}) for count in (1, 2, 3)]
    usage = read(stream(*chunks), LENSES[NAMES[place]].rules).usage
    assert usage is not None
    assert usage["output"] == output
