"""Streams on which real clients are run besides the shared cases: the shapes of dialects.md 22.3 and 22.4."""

from __future__ import annotations

import json
from typing import Any

from tests.core.streams import chunk, element, end, said, sse, stream, thought, tool

TIDE = '{"port":"Bergen"}'
ROLE = chunk({"role": "assistant", "content": ""})


def broken(body: bytes) -> bytes:
    """With the start of a character, and none of its rest, in the place of XX."""
    return body.replace(b"XX", b"\xc3(")


def calls(*elements: dict[str, Any], **more: Any) -> dict[str, Any]:
    return chunk({"tool_calls": list(elements)}, **more)


def chat(*payloads: Any, finish: str | None = "tool_calls") -> bytes:
    return stream(ROLE, *payloads, finish=finish)


def start(index: int, block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, kind: str, **value: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **value}}


def stop(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


MESSAGE = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None,
           "stop_sequence": None, "usage": {"input_tokens": 3, "output_tokens": 1}}  # fmt: skip
START = {"type": "message_start", "message": MESSAGE}
TEXT = start(0, {"type": "text", "text": ""})
TOOL = {"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}


def ending(reason: str = "end_turn", **more: Any) -> list[dict[str, Any]]:
    told = {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None},
            "usage": {"output_tokens": 9}} | more  # fmt: skip
    return [told, {"type": "message_stop"}]


def messages(*events: Any, named: bool = True) -> bytes:
    out = []
    for event in events:
        out += [f"event: {event['type']}\n"] if named and isinstance(event, dict) else []
        out += [f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n"]
    return "".join(out).encode()


def words(index: int, *texts: str) -> list[dict[str, Any]]:
    return [delta(index, "text_delta", text=text) for text in texts]


def parts(index: int, *texts: str) -> list[dict[str, Any]]:
    return [delta(index, "input_json_delta", partial_json=text) for text in texts]


BODIES: dict[str, bytes] = {
    # Chat
    "two calls, whole": chat(calls(element(TIDE, index=0, id="a", name="f"), element("{}", index=1, id="b", name="g"))),
    "two calls in pieces": chat(
        tool("", id="a", name="f"), tool('{"x":'), tool("1}"), tool("", index=1, id="b", name="g"), tool("{}", index=1)
    ),
    "two calls, pieces mixed": chat(
        tool("", id="a", name="f"), tool("", index=1, id="b", name="g"), tool('{"x":'), tool("{}", index=1), tool("1}")
    ),
    "no index, two calls": chat(*(tool(TIDE, index=..., id=i, name="f") for i in "ab")),
    "no index, arguments in pieces": chat(
        tool("", index=..., id="a", name="f"), tool('{"x":', index=...), tool("1}", index=...)
    ),
    "one index, two ids": chat(tool(TIDE, id="a", name="f"), tool("{}", id="b", name="g")),
    "the id again and again": chat(tool('{"x":', id="a", name="f"), tool("1}", id="a")),
    "another id in each piece": chat(tool('{"x":', id="a", name="f"), tool("1}", id="b")),
    "no id": chat(tool(TIDE, name="f")),
    "the name again": chat(tool('{"x":', id="a", name="f"), tool("1}", name="f")),
    "the name late": chat(tool("", id="a"), tool('{"x":', name="f"), tool("1}")),
    "no arguments": chat(tool("", id="a", name="f")),
    "arguments that are cut": chat(tool('{"x": 1, "y": "Ber', id="a", name="f"), finish="length"),
    "a placeholder, then arguments": chat(tool("{}", id="a", name="f"), tool('{"x":1}')),
    "a call between texts": chat(said("a"), tool("{}", id="a", name="f"), said("b")),
    "a thought between texts": chat(said("a"), thought("r"), said("b"), finish="stop"),
    "thoughts and null": chat(thought("a", content=None), thought("b", content=None), chunk(
        {"content": "t", "reasoning_content": None}), finish="stop"),
    "two finish reasons": chat(said("a"), end("stop"), finish="length"),
    "stopped by length": chat(said("a"), finish="length"),
    "filtered": chat(said("a"), finish="content_filter"),
    "two choices": chat(said("a"), said("b", index=1), said("c"), end("stop", index=1), finish="stop"),
    "usage at the end": chat(said("a"), end("stop"), {"object": "chat.completion.chunk", "choices": [],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}}, finish=None),
    "details of reasoning": chat(chunk({"reasoning_details": [{"type": "reasoning.text", "text": "r", "index": 0}]}),
                                 said("a"), finish="stop"),
    "no object": chat(said("a"), finish="stop").replace(b'"object":"chat.completion.chunk",', b""),
    "no role": stream(said("a")),
    "CR LF": chat(said("a"), said("b"), finish="stop").replace(b"\n", b"\r\n"),
    "no space": chat(said("a"), said("b"), finish="stop").replace(b"data: ", b"data:"),
    "comments": b": ping\n\n" + chat(said("a"), finish="stop").replace(b"\n\n", b"\n\n: ping\n\n", 2),
    "no end marker": sse(ROLE, said("a"), end("stop")),
    # Anthropic
    "text": messages(START, TEXT, *words(0, "Hel", "lo"), stop(0), *ending()),
    "a thought, a text, a call": messages(
        START, start(0, {"type": "thinking", "thinking": ""}), delta(0, "thinking_delta", thinking="Hm."),
        delta(0, "signature_delta", signature="c2ln"), stop(0), start(1, {"type": "text", "text": ""}),
        *words(1, "Now."), stop(1), start(2, TOOL), *parts(2, '{"port":', '"Bergen"}'), stop(2), *ending("tool_use"),
    ),
    "no event lines": messages(START, TEXT, *words(0, "a"), stop(0), *ending(), named=False),
    "the index begins at one": messages(
        START, start(1, {"type": "text", "text": ""}), *words(1, "a"), stop(1), *ending()
    ),
    "a block that never started": messages(START, TEXT, *words(0, "a"), *words(1, "b"), stop(0), *ending()),
    "a thought in a text": messages(
        START, TEXT, *words(0, "a"), delta(0, "thinking_delta", thinking="r"), stop(0), *ending()
    ),
    "overlapping calls": messages(
        START, start(0, TOOL), start(1, TOOL | {"id": "toolu_2"}), *parts(0, "{}"), *parts(1, TIDE), stop(0), stop(1),
        *ending("tool_use"),
    ),
    "a call without arguments": messages(START, start(0, TOOL), *parts(0, ""), stop(0), *ending("tool_use")),
    "input that is cut": messages(START, start(0, TOOL), *parts(0, '{"a": tru'), stop(0), *ending("max_tokens")),
    "input in the start": messages(START, start(0, TOOL | {"input": {"port": "Bergen"}}), stop(0), *ending("tool_use")),
    "an error in the stream": messages(
        START, TEXT, *words(0, "a"), {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    ),
    "no message_stop": messages(START, TEXT, *words(0, "a"), stop(0), ending()[0]),
    "usage is null": messages(START, TEXT, *words(0, "a"), stop(0), *ending(usage=None)),
    "an end marker of another API": messages(START, TEXT, *words(0, "a"), stop(0), *ending(), "[DONE]"),
    "a delta after the stop": messages(START, TEXT, *words(0, "a"), stop(0), *words(0, "b"), *ending()),
    "data that is no JSON": messages(START, TEXT, *words(0, "a"), "{no", stop(0), *ending()),
    "a ping": messages(START, {"type": "ping"}, TEXT, *words(0, "a"), stop(0), *ending()),
    # Gemini
    "gemini, a thought and a text": b"".join(
        f"data: {json.dumps({'candidates': [candidate]})}\r\n\r\n".encode()
        for candidate in (
            {"content": {"role": "model", "parts": [{"text": "Hm.", "thought": True}]}, "index": 0},
            {"content": {"role": "model", "parts": [{"text": "Hel"}]}, "index": 0},
            {"content": {"role": "model", "parts": [{"text": "lo"}]}, "finishReason": "STOP", "index": 0},
        )
    ),
    "gemini, two calls": (
        "data: " + json.dumps({"candidates": [{"content": {"role": "model", "parts": [
            {"functionCall": {"name": name, "args": {"x": 1}}} for name in "fg"
        ]}, "finishReason": "STOP", "index": 0}]}) + "\n\n"
    ).encode(),
    # Bytes that are not UTF-8
    "a byte that is not UTF-8 in the text": broken(chat(said("a"), said("XX"), said("z"), finish="stop")),
    "a byte that is not UTF-8 in a comment": broken(sse(ROLE, said("a")) + b": XX\n\n" + stream(said("z"))),
    "the data ends inside a character": broken(sse(ROLE, said("a"), end()) + b'data: {"x":"XX')[:-1],
    "a byte that is not UTF-8 behind the end marker": broken(chat(said("a"), finish="stop") + b"XX\n\n"),
    "messages, a byte that is not UTF-8": broken(
        messages(START, TEXT, *words(0, "a", "XX", "z"), stop(0), *ending())
    ),
    "gemini, a byte that is not UTF-8": (
        b'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"a\xc3("}]},'
        b'"finishReason":"STOP","index":0}]}\n\n'
    ),
}  # fmt: skip
"""Name -> body."""
