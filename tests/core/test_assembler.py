"""What the reference makes of reasoning, on the shapes that providers send (dialects.md 5.1, 5.2, 6 to 8)."""

from __future__ import annotations

from typing import Any

import pytest

from inspector_app.core.assembler import Assembler
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from tests.core.streams import bare, chunk, element, end, outcome, read, said, sse, stream, thought, tool


def detail(text: str = "", kind: str = "text", **more: Any) -> dict[str, Any]:
    """An entry of `reasoning_details`."""
    key = {"text": "text", "summary": "summary", "encrypted": "data"}[kind]
    return {"type": f"reasoning.{kind}", key: text, "format": "anthropic-claude-v1", "index": 0} | more


def details(*entries: dict[str, Any], **delta: Any) -> dict[str, Any]:
    return chunk({"reasoning_details": list(entries)} | delta)


def thinking(text: str = "", signature: str = "", **delta: Any) -> dict[str, Any]:
    """LiteLLM: an element of `thinking_blocks` a chunk."""
    return chunk({"thinking_blocks": [{"type": "thinking", "thinking": text, "signature": signature}]} | delta)


def part(kind: str, text: str) -> dict[str, Any]:
    """Magistral: a part of a content list."""
    return {"type": kind, kind: [{"type": "text", "text": text}] if kind == "thinking" else text}


CALL = tool("{}", id="c", name="f")
EMPTY_KEYS: list[dict[str, Any]] = [
    {"tool_calls": []}, {"tool_calls": None}, {"content": ""}, {"content": None}, {"role": "assistant"},
    {"refusal": None}, {"function_call": None}, {"function_call": {}}, {"annotations": []}, {"tool_calls": [{}]},
    {"reasoning": ""},
    {"tool_calls": [{"index": 0, "id": "", "type": "function", "function": {"name": "", "arguments": ""}}]},
    {"content": []}, {"audio": {}}, {"images": []}, {"reasoning_details": []}, {"thinking_blocks": None},
]  # fmt: skip

SHAPES: dict[str, tuple[bytes, list[str]]] = {
    "deepseek: the inactive field is null": (
        stream(
            chunk({"role": "assistant", "content": None, "reasoning_content": ""}),
            *[thought(text, content=None) for text in ("Two ", "plus")],
            *[chunk({"content": text, "reasoning_content": None}) for text in ("Fo", "ur.")],
            end("stop", usage={"prompt_tokens": 3, "completion_tokens": 9}),
            finish=None,
        ),
        ["R:Two plus", "T:Four.", "finish stop"],
    ),
    "deepseek on azure: null role, null calls": (
        stream(*[thought(text, role=None, tool_calls=None) for text in ("a", "b")],
               chunk({"content": "c", "tool_calls": None})),
        ["R:ab", "T:c", "finish stop"],
    ),
    "qwen: reasoning, then a call in pieces whose id is empty": (
        stream(
            *[thought(text, content=None) for text in ("Look", " up")],
            tool("", id="call_9", name="search"),
            *[tool(text, id="") for text in ('{"q":', '"owl"}')],
            tool("", id=""),
            finish="tool_calls",
        ),
        ["R:Look up", 'C:call_9,search,{"q":"owl"}', "finish tool_calls"],
    ),
    "openrouter: reasoning and its entries say the same": (
        stream(*[details(detail(t), reasoning=t, content="") for t in ("Let ", "me ", "see")], said("Yes")),
        ["R:Let me see", "T:Yes", "finish stop"],
    ),
    "openrouter: the signature comes alone, after the text": (
        stream(details(detail("a")), details(detail("b")), details({"type": "reasoning.text", "signature": "S"}),
               said("t")),
        ["R:ab | signature=S", "T:t", "finish stop"],
    ),
    "openrouter: the signature comes after the answer began": (
        stream(details(detail("a")), said("t"), details({"type": "reasoning.text", "signature": "S"}), said("u")),
        ["R:a | signature=S", "T:tu", "finish stop"],
    ),
    "openrouter: two signed thoughts in one delta": (
        sse(details(detail("a", signature="S"), detail("b", index=1, signature="T"))),
        ["R:a | signature=S", "R:b | signature=T"],
    ),
    "openrouter: encrypted entries stay apart and end nothing": (
        sse(details(detail("a", "summary")), details(detail("X", "encrypted")), details(detail("b", "summary")),
            details(detail("Y", "encrypted", index=1))),
        ["R:ab | encrypted=['X', 'Y']"],
    ),
    "openrouter: nothing but an encrypted thought": (
        stream(details(detail("X", "encrypted"), content=""), said("t")),
        ["R: | encrypted=X", "T:t", "finish stop"],
    ),
    "openrouter: gemini uses one index for text and encrypted": (
        sse(details(detail("a"), detail("X", "encrypted")), details(detail("b"))),
        ["R:ab | encrypted=X"],
    ),
    "openrouter: indexes 2, 0, 1 in one delta": (
        sse(details(detail("c", index=2), detail("a", index=0), detail("b", index=1))),
        ["R:abc"],
    ),
    "openrouter: entries without index keep their place": (
        sse(details(detail("c", index=1), {"type": "reasoning.text", "text": "-"}, detail("a", index=0))),
        ["R:a-c"],
    ),
    "openrouter: the plain field mirrors entries out of order": (
        sse(details(detail("b", index=1), detail("a", index=0), reasoning="ab"),
            details(detail("d", index=1), detail("c", index=0), reasoning="dc")),
        ["R:abcd"],
    ),
    "openrouter: reasoning after the finish": (
        stream(said("t"), end(), details(detail("late")), finish=None),
        ["T:t", "R:late", "finish stop"],
    ),
    "openrouter: reasoning that the finish cut": (
        stream(details(detail("ear")), end(), details(detail("ly")), finish=None),
        ["R:early", "finish stop"],
    ),
    "minimax: entries with nothing but a text": (
        sse(*[chunk({"reasoning_details": [{"text": text}]}) for text in ("a", "b")], said("t")),
        ["R:ab", "T:t"],
    ),
    "litellm: a block a token, the signature in its own": (
        stream(*[thinking(t, reasoning_content=t) for t in ("Check ", "it")], thinking("", "S", reasoning_content=""),
               said("Done")),
        ["R:Check it | signature=S", "T:Done", "finish stop"],
    ),
    "litellm: a signed thought is over": (
        sse(thinking("a"), thinking("", "S"), thinking("b"), thinking("", "T")),
        ["R:a | signature=S", "R:b | signature=T"],
    ),
    "litellm: a redacted thought stands between": (
        sse(thinking("a"), chunk({"thinking_blocks": [{"type": "redacted_thinking", "data": "D"}]}), thinking("b")),
        ["R:a", "R: | redacted=D", "R:b"],
    ),
    "litellm: the signature beside the text of the plain field": (
        sse(thinking("", "S", reasoning_content="a")),
        ["R:a | signature=S"],
    ),
    "copilot: opaque pieces, one beside the text": (
        stream(*[chunk({"reasoning_text": text}) for text in ("Old ", "file")], chunk({"reasoning_opaque": "AB"}),
               chunk({"content": "Use", "reasoning_opaque": "CD"}), said(" v2"), chunk({"reasoning_opaque": "E"})),
        ["R:Old file | opaque=ABCDE", "T:Use v2", "finish stop"],
    ),
    "copilot: an opaque piece without any thought": (
        sse(chunk({"reasoning_opaque": "A", "content": "t"})),
        ["R: | opaque=A", "T:t"],
    ),
    "mistral: parts of a list, then strings": (
        stream(chunk({"content": [part("thinking", "Hm")]}), chunk({"content": [part("thinking", "m.")]}),
               chunk({"content": [part("text", "It ")]}), said("is"), said("")),
        ["R:Hmm.", "T:It is", "finish stop"],
    ),
    "mistral: text and thought in one list": (
        sse(chunk({"content": [part("text", "a"), part("thinking", "b"), part("text", "c")]})),
        ["T:a", "R:b", "T:c"],
    ),
    "a thinking part repeats the field beside it": (
        sse(*[thought(t, content=[part("thinking", t)]) for t in "abc"], said("t")), ["R:abc", "T:t"]
    ),
    "a thinking part says something else": (sse(thought("a", content=[part("thinking", "b")])), ["R:ab"]),
    "envoy: reasoning is an object": (
        sse(thought({"text": "a"}), thought({"text": "b"}), thought({"content": "c"}), thought([{"text": "d"}, "e"])),
        ["R:abcde"],
    ),
    "gemini: the signature of a call stays with the call": (
        sse(chunk({"tool_calls": [
            element("{}", id="a", name="f") | {"extra_content": {"google": {"thought_signature": "S"}}},
            element("{}", id="b", name="g"),
        ]})),
        ["C:a,f,{} | signature=S", "C:b,g,{}"],
    ),
    "groq: reasoning in a field of its own name": (
        stream(thought("a", "reasoning"), thought("b", "reasoning"), said("t")),
        ["R:ab", "T:t", "finish stop"],
    ),
    "a change of field is no end": (sse(thought("a"), thought("b", "reasoning"), thought("c", "thinking")), ["R:abc"]),
    "plain and summary are two runs": (
        sse(details(detail("a")), details(detail("b", "summary")), details(detail("c", "summary"))),
        ["R:a", "R:bc"],
    ),
    "thoughts between calls are thoughts of their own": (
        stream(thought("a"), CALL, thought("b"), tool("{}", index=1, id="d", name="g"), thought("c"), said("t")),
        ["R:a", "C:c,f,{}", "R:b", "C:d,g,{}", "R:c", "T:t", "finish stop"],
    ),
    "a thought between two pieces of one call": (
        sse(thought("a"), tool("[", id="c", name="f"), tool("1,"), tool("2,"), thought("b"), tool("3,"), tool("4,"),
            thought("d")),
        ["R:a", "C:c,f,[1,2,3,4,", "R:b", "R:d"],
    ),
    "white space between thoughts is text": (
        sse(thought("a"), said("\n\n"), thought("b")), ["R:a", "T:\n\n", "R:b"]
    ),
    "one chunk with everything": (
        sse(chunk({"tool_calls": [element("{}", index=0, id="c", name="f")], "content": "t", "reasoning": "r"})),
        ["R:r", "T:t", "C:c,f,{}"],
    ),
    "two fields that differ": (sse(thought("a", reasoning="b")), ["R:ab"]),
    "a chunk without delta is no end": (sse(thought("a"), bare(), thought("b")), ["R:ab"]),
    "an image ends a thought": (
        sse(thought("a"), chunk({"images": [{"type": "image_url"}]}), thought("b")), ["R:a", "M:", "R:b"]
    ),
    "a refusal ends a thought": (sse(thought("a"), chunk({"refusal": "no"}), thought("b")), ["R:a", "X:no", "R:b"]),
    "an error ends a thought": (sse(thought("a"), {"error": {"message": "e"}}, thought("b")), ["R:a", "E:e", "R:b"]),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_the_reasoning_of_a_real_shape(name: str) -> None:
    body, blocks = SHAPES[name]
    assert outcome(read(body)) == blocks
    assert outcome(read(body, size=1)) == blocks


@pytest.mark.parametrize("empty", EMPTY_KEYS)
@pytest.mark.parametrize("alone", [True, False])
def test_what_is_empty_ends_no_thought(empty: dict[str, Any], alone: bool) -> None:
    """R1, R5: 149 empty lists of calls leave one thought."""
    between = [chunk(empty)] if alone else []
    beside = {} if alone else empty
    chunks = [one for n in range(149) for one in (thought(f"{n} ", **beside), *between)]
    reading = read(stream(*chunks, said("t")))
    assert outcome(reading) == ["R:" + "".join(f"{n} " for n in range(149)), "T:t", "finish stop"]


@pytest.mark.parametrize(
    "other",
    [
        {"choices": []}, {"choices": []} | {"usage": {"prompt_tokens": 1}}, {"choices": None}, {"object": "chat.x"},
        {"choices": [{"index": 0, "delta": {}, "logprobs": {"content": [{"token": "a"}]}}]},
        {"choices": [{"index": 0, "content_filter_results": {"hate": {"filtered": False}}}]},
        chunk({"annotations": [{"type": "url_citation"}]}), chunk({"reasoning_opaque": "O"}), chunk({"foo": 1}),
        ": ping", chunk(None, ""), chunk(None, "null"),
    ],
)  # fmt: skip
def test_what_is_no_content_ends_no_thought(other: Any) -> None:
    reading = read(sse(thought("a"), other, thought("b"), other, other, thought("c")))
    assert [block.text for block in reading.blocks if block.kind == "reasoning"] == ["abc"]


@pytest.mark.parametrize(
    "body, fired",
    [
        (sse(details(detail("b", index=1), detail("a", index=0))), ["reasoning-order"]),
        (sse(details(detail("a"), reasoning="a")), ["reasoning-double-delivery"]),
        (sse(thought("a", reasoning="b")), ["reasoning-double-delivery"]),
        (sse(said("t"), end(), thought("late")), ["finish-content-after"]),
        (sse(thought("a"), said("\n"), thought("b")), []),
    ],
)
def test_a_repair_of_reasoning_is_reported(body: bytes, fired: list[str]) -> None:
    found = {finding.rule for finding in read(body).findings}
    assert {"reasoning-order", "reasoning-double-delivery", "finish-content-after"} & found == set(fired)


def test_a_block_knows_why_and_when_it_closed() -> None:
    reading = read(stream(thought("a"), said("t"), CALL, thought("b"), finish="tool_calls"))
    assert [(block.kind, block.closed_by, block.closed_at) for block in reading.blocks] == [
        ("reasoning", "text", 1),
        ("text", "tool_call", 2),
        ("tool_call", "finish", 4),
        ("reasoning", "finish", 4),
    ]


def test_what_the_end_of_the_data_cuts_is_truncated() -> None:
    reading = read(sse(said("t"), thought("a")))
    assert [(block.state, block.closed_by) for block in reading.blocks] == [
        ("complete", "reasoning"),
        ("truncated", "end"),
    ]


def test_a_dialect_may_leave_out_what_only_the_chat_family_needs() -> None:
    """Reasoning without a field is read, and a call needs no place in an array."""
    assembler = Assembler(ReadingRules(), lambda *_: None)
    assembler.apply(0, [Delta("reasoning.delta", 0, "/thought", "Look ")], 0)
    assembler.apply(1, [Delta("reasoning.delta", 0, "/thought", "it up.")], 1)
    call = Delta("tool.start", 0, "/call/name", "tide", {"id": "c1", "name": "tide"})
    assembler.apply(2, [call, Delta("tool.args", 0, "/call/args", "{}", {"id": "c1", "name": "tide"})], 2)
    [*assembler.ending(2, broke_off=False)]
    found = [(block.kind, block.text, block.fields.get("name")) for block in assembler.blocks]
    assert found == [("reasoning", "Look it up.", None), ("tool_call", "{}", "tide")]
