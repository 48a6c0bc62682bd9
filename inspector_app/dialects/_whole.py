"""A streamed answer as the one document that the same API gives to a client that asks for no stream.

What the stream said is put into the dialect's own form: what a block holds, and the finish reason and the usage as the
wire had them. What the stream did not say is left out or null, as these APIs do it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from inspector_app.core.reading import Reading
from inspector_app.core.types import Block

Whole = dict[str, Any]


def chat(reading: Reading) -> Whole:
    """Chat Completions: a `chat.completion`."""
    choices = []
    for number in _choices(reading):
        message: Whole = {"role": "assistant", "content": _text(reading, number, "text") or None}
        if reasoning := _text(reading, number, "reasoning"):
            message["reasoning_content"] = reasoning
        if refusal := _text(reading, number, "refusal"):
            message["refusal"] = refusal
        calls = [
            {
                "id": _id(block),
                "type": "function",
                "function": {"name": block.fields.get("name"), "arguments": block.text},
            }
            for block in _calls(reading, number)
        ]
        if calls:
            message["tool_calls"] = calls
        choices.append({"index": number, "message": message, "finish_reason": _finish(reading, number)})
    return {**_meta(reading, "chat.completion"), "choices": choices, **_usage(reading, "usage")}


def completions(reading: Reading) -> Whole:
    """Text completions: a `text_completion`."""
    choices = [
        {"index": number, "text": _text(reading, number, "text"), "finish_reason": _finish(reading, number)}
        for number in _choices(reading)
    ]
    return {**_meta(reading, "text_completion"), "choices": choices, **_usage(reading, "usage")}


def responses(reading: Reading) -> Whole:
    """Responses: the `response` that the last event brings, with the items of the stream where it has none."""
    last = next((found for n in _backwards(reading) if (found := _member(reading.payload(n), "response"))), {})
    output = last.get("output")
    return {**_meta(reading, "response"), **last, "output": output or list(_output(reading))}


def messages(reading: Reading) -> Whole:
    """Anthropic Messages: a `message`."""
    start = next((found for n in range(len(reading.events)) if (found := _member(reading.payload(n), "message"))), {})
    return {
        **start,
        "type": "message",
        "role": "assistant",
        "content": [part for block in reading.blocks if (part := _content(block)) is not None],
        "stop_reason": _finish(reading, 0),
        "stop_sequence": _last(reading, "delta", "stop_sequence"),
        **_usage(reading, "usage"),
    }


def gemini(reading: Reading) -> Whole:
    """Gemini: a `GenerateContentResponse`; what no block holds is that of the last event."""
    last = _last_object(reading)
    candidates = [
        {
            "index": number,
            "content": {"role": "model", "parts": [_part(block) for block in _of(reading, number)]},
            "finishReason": _finish(reading, number),
        }
        for number in _choices(reading)
    ]
    return {**last, "candidates": candidates}


def ollama_chat(reading: Reading) -> Whole:
    """Ollama's chat: the last line, with the whole message."""
    message: Whole = {"role": "assistant", "content": _text(reading, 0, "text")}
    if thinking := _text(reading, 0, "reasoning"):
        message["thinking"] = thinking
    calls = [
        {
            **({"id": _id(block)} if _id(block) else {}),
            "function": {"name": block.fields.get("name"), "arguments": _json(block)},
        }
        for block in _calls(reading, 0)
    ]
    if calls:
        message["tool_calls"] = calls
    return {**_last_object(reading), "message": message}


def ollama_generate(reading: Reading) -> Whole:
    """Ollama's generate: the last line, with the whole text."""
    thinking = _text(reading, 0, "reasoning")
    return {
        **_last_object(reading),
        "response": _text(reading, 0, "text"),
        **({"thinking": thinking} if thinking else {}),
    }


def cohere(reading: Reading) -> Whole:
    """Cohere's chat, version 2."""
    blocks = _of(reading, 0)
    plan = "".join(block.text for block in blocks if block.fields.get("form") == "plan")
    content = [
        {"type": "thinking", "thinking": block.text}
        if block.kind == "reasoning"
        else {"type": "text", "text": block.text}
        for block in blocks
        if block.kind == "text" or (block.kind == "reasoning" and block.fields.get("form") != "plan")
    ]
    message: Whole = {"role": "assistant", "content": content}
    calls = [
        {
            "id": _id(block),
            "type": "function",
            "function": {"name": block.fields.get("name"), "arguments": block.text or "{}"},
        }
        for block in _calls(reading, 0)
    ]
    if calls:
        message["tool_calls"] = calls
    if plan:
        message["tool_plan"] = plan
    citations = [one for block in blocks for one in block.fields.get("citations", ())]
    if citations:
        message["citations"] = citations
    return {
        "id": reading.meta.get("id"),
        "message": message,
        "finish_reason": _finish(reading, 0),
        **_usage(reading, "usage"),
    }


def _meta(reading: Reading, kind: str) -> Whole:
    return {
        "id": reading.meta.get("id"),
        "object": kind,
        "created": reading.meta.get("created", 0),
        "model": reading.meta.get("model", ""),
    }


def _usage(reading: Reading, name: str) -> Whole:
    raw = (reading.usage or {}).get("raw")
    return {name: raw} if raw else {}


def _choices(reading: Reading) -> list[int]:
    found = {block.choice for block in reading.blocks} | {finish["choice"] for finish in reading.finishes}
    return sorted(found) or [0]


def _of(reading: Reading, choice: int) -> list[Block]:
    kinds = ("text", "reasoning", "refusal", "tool_call", "tool_result")
    return [block for block in reading.blocks if block.choice == choice and block.kind in kinds]


def _text(reading: Reading, choice: int, kind: str) -> str:
    return "".join(block.text for block in reading.blocks if block.choice == choice and block.kind == kind)


def _calls(reading: Reading, choice: int) -> list[Block]:
    return [block for block in reading.blocks if block.choice == choice and block.kind == "tool_call"]


def _id(block: Block) -> str | None:
    found = block.fields.get("id") or block.fields.get("id_made_up")
    return found if isinstance(found, str) else None


def _finish(reading: Reading, choice: int) -> Any:
    """The first reason that came for a choice."""
    return next((finish["raw"] for finish in reading.finishes if finish["choice"] == choice), None)


def _json(block: Block) -> Any:
    """The arguments of a call as a value; those that are no JSON as their text."""
    if not block.text:
        return {}
    try:
        return json.loads(block.text)
    except (ValueError, RecursionError):
        return block.text


def _backwards(reading: Reading) -> Iterator[int]:
    return iter(range(len(reading.events) - 1, -1, -1))


def _member(payload: Any, name: str) -> Whole:
    found = payload.get(name) if isinstance(payload, dict) else None
    return found if isinstance(found, dict) else {}


def _last_object(reading: Reading) -> Whole:
    return next((found for n in _backwards(reading) if isinstance(found := reading.payload(n), dict)), {})


def _last(reading: Reading, *path: str) -> Any:
    for n in _backwards(reading):
        value: Any = reading.payload(n)
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        if value is not None:
            return value
    return None


def _output(reading: Reading) -> Iterator[Whole]:
    for block in reading.blocks:
        if block.kind == "text":
            annotations = block.fields.get("citations") or []
            text = {"type": "output_text", "text": block.text, "annotations": annotations}
            yield {"type": "message", "role": "assistant", "status": "completed", "content": [text]}
        elif block.kind == "reasoning":
            yield {"type": "reasoning", "summary": [{"type": "summary_text", "text": block.text}]}
        elif block.kind == "tool_call":
            name = block.fields.get("name")
            yield {"type": "function_call", "call_id": _id(block), "name": name, "arguments": block.text}


def _content(block: Block) -> Whole | None:
    """A block of Anthropic's content."""
    if block.kind == "text":
        citations = block.fields.get("citations")
        return {"type": "text", "text": block.text, **({"citations": citations} if citations else {})}
    if block.kind == "reasoning":
        if block.fields.get("redacted") is not None:
            return {"type": "redacted_thinking", "data": block.fields["redacted"]}
        return {"type": "thinking", "thinking": block.text, "signature": block.fields.get("signature") or ""}
    if block.kind == "tool_call":
        kind = block.fields.get("type") or "tool_use"
        return {"type": kind, "id": block.fields.get("id"), "name": block.fields.get("name"), "input": _json(block)}
    result = block.fields.get("result") if block.kind == "tool_result" else None
    return result if isinstance(result, dict) else None


def _part(block: Block) -> Whole:
    """A part of Gemini's content."""
    signature = block.fields.get("signature")
    signed = {"thoughtSignature": signature} if isinstance(signature, str) else {}
    name = block.fields.get("name")
    if block.kind == "tool_call" and block.fields.get("tool_kind") == "builtin":
        return {str(name): _json(block), **signed}
    if block.kind == "tool_call":
        called = {**({"id": block.fields["id"]} if block.fields.get("id") else {}), "name": name, "args": _json(block)}
        return {"functionCall": called, **signed}
    if block.kind == "tool_result":
        return {"codeExecutionResult": block.fields.get("result"), **signed}
    return {"text": block.text, **({"thought": True} if block.kind == "reasoning" else {}), **signed}
