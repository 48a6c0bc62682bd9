"""Whatever the bytes are: no exception, valid JSON, and every client reads to the end of what it can read."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector_app.core.json_text import DEPTH_LIMIT
from inspector_app.core.kit import load_kit
from inspector_app.core.types import Exchange, Finding, MemoryBody
from inspector_app.lenses.compare import compare
from inspector_app.lenses.load import load_lenses, shipped_folder
from inspector_app.lenses.run import knows, read, read_as
from inspector_app.report import listing
from inspector_app.report.outline import dumps, outline

KIT = load_kit()
LENSES = load_lenses([shipped_folder()])


def show(body: bytes) -> list[Finding]:
    """Read a body as everybody and print it in every form; returns the findings."""
    reference = read(Exchange("x", "sse-body", MemoryBody(body)), KIT)
    for reading in [reference, *(read_as(lens, reference, KIT) for lens in LENSES.values() if knows(lens, reference))]:
        printed = dumps(outline(reading, reference, events=True, fields=True))
        printed.encode()
        json.loads(printed, parse_constant=pytest.fail)
        listing.check(reading, reference)
        compare(reference, reading)
    return reference.findings


def lists(depth: int) -> str:
    return "[" * depth + "1" + "]" * depth


def objects(depth: int) -> str:
    return '{"a":' * depth + "1" + "}" * depth


def chunk(delta: str, root: str = "") -> bytes:
    return b'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":%b}]%b}\n\n' % (
        delta.encode(),
        root.encode(),
    )


def call(arguments: str) -> bytes:
    function = f'{{"name":"f","arguments":{arguments}}}'
    return chunk(f'{{"tool_calls":[{{"index":0,"id":"c","function":{function}}}]}}')


PLACES: dict[str, Any] = {
    "root": lambda value: chunk('{"content":"a"}', f',"x":{value}'),
    "delta": lambda value: chunk(f'{{"content":"a","x":{value}}}'),
    "arguments": lambda value: call(json.dumps(value)),
    "arguments that are no string": call,
    "usage": lambda value: chunk("{}", f',"usage":{{"prompt_tokens":1,"x":{value}}}'),
    "reasoning": lambda value: chunk(f'{{"reasoning":{value}}}'),
    "content": lambda value: chunk(f'{{"content":{value}}}'),
    "citations": lambda value: chunk(f'{{"content":"x","citations":[{value}]}}'),
    "message of an error": lambda value: b'data: {"error":{"message":%b}}\n\n' % value.encode(),
    "error": lambda value: b'data: {"error":%b}\n\n' % value.encode(),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("nest", [lists, objects])
def test_deep_nesting(nest: Any, place: str) -> None:
    # Twice, since the second payload is compared with the first.
    for depth in (DEPTH_LIMIT - 10, 900, 1_010, 10_000):
        body = PLACES[place](nest(depth)) * 2
        found = [finding for finding in show(body) if finding.rule == "meta-limit-reached"]
        if depth < DEPTH_LIMIT or place == "arguments":
            assert not found
        else:
            assert found[0].message.endswith(f"nested deeper than {DEPTH_LIMIT}.")


NUMBERS = {
    "NaN": "json-invalid",
    "-Infinity": "json-invalid",
    "1e400": "meta-limit-reached",
    "9" * 5_000: "meta-limit-reached",
    "9" * 4_300: None,
    "-0.0": None,
    "1e308": None,
}


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number[:10])
def test_odd_numbers(number: str) -> None:
    body = chunk('{"content":"a"}', f',"usage":{{"prompt_tokens":{number}}}') + call("1").replace(
        b'"index":0', b'"index":' + number.encode()
    )
    rules = {finding.rule for finding in show(body * 2)}
    assert rules & {"json-invalid", "meta-limit-reached"} == ({NUMBERS[number]} if NUMBERS[number] else set())


RICH = {
    "id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "service_tier": "x",
    "choices": [{
        "index": 0, "finish_reason": None, "native_finish_reason": "stop", "logprobs": {"content": [{"token": "a"}]},
        "delta": {
            "role": "assistant", "content": "a", "refusal": "b", "reasoning": "c", "reasoning_content": "d",
            "reasoning_details": [{"type": "reasoning.text", "text": "e", "index": 0, "format": "f", "signature": "g"}],
            "tool_calls": [{"index": 0, "id": "h", "type": "function", "function": {"name": "i", "arguments": "{}"}}],
            "function_call": {"name": "j", "arguments": "{}"}, "annotations": [{"type": "url_citation"}],
            "audio": {"id": "k", "data": "bA==", "transcript": "l"}, "images": [{"image_url": {"url": "m"}}],
        },
    }],
    "usage": {"prompt_tokens": 1, "completion_tokens": 2, "completion_tokens_details": {"reasoning_tokens": 1}},
    "error": {"message": "n", "code": 1, "type": "o"}, "citations": ["p"],
}  # fmt: skip
ODD = st.sampled_from([[], {}, [[]], [{}], {"type": []}, None, True, -1, 1.5, "", "x", 10**30])


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from places(member, (*path, key))


@settings(max_examples=40)  # each is read by every client
@given(st.lists(st.tuples(st.sampled_from(list(places(RICH))[1:]), ODD), min_size=1, max_size=3))
def test_any_member_may_be_of_another_type(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    value = copy.deepcopy(RICH)
    for path, odd in changes:
        node: Any = value
        try:
            for key in path[:-1]:
                node = node[key]
            node[path[-1]] = copy.deepcopy(odd)
        except (TypeError, KeyError, IndexError):
            continue  # What held it is of another type by now.
    show(b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in (RICH, value, value, RICH)))


LONE = r'{"content":"\ud800","\udfff":"\udfff","tool_calls":[{"index":0,"id":"\udc00","function":{"name":"\ud801"}}]}'

ODD = {
    "nothing": b"",
    "only a byte-order mark": b"\xef\xbb\xbf",
    "NUL bytes": b"\0" * 1_000,
    "NUL bytes in data": b"data: \0\0\n\nid: a\0b\nevent: \0\n\n" + chunk(r'{"content":"a\u0000b"}'),
    "every byte": bytes(range(256)) * 8,
    "every byte as data": b"".join(b"data: " + bytes([byte]) + b"\n\n" for byte in range(256)),
    "no UTF-8": chunk('{"content":"é"}').replace("é".encode(), b"\xff\xfe\xe2\x82")
    + b"event: \xff\nid: \xff\n: \xff\n\n",
    "lone surrogates": chunk(LONE, r',"error":{"message":"\ud800"}') * 2,
    "surrogates as UTF-8": chunk('{"content":"?"}').replace(b"?", b"\xed\xa0\x80"),
    "a web page": b"<!DOCTYPE html>\n<html><head><title>\x1b[31m502</title></head></html>",
    "chunk sizes": b"1a\r\ndata: {}\r\n\r\n\r\n0\r\n\r\n",
    "only brackets": b"data: " + b"[" * 5_000 + b"\n\ndata: " + b"]" * 5_000 + b"\n\n",
    "only quotes": b'data: """"\n\n{"\n\n"',
    "only carriage returns": b"\r" * 5_000 + chunk('{"content":"a"}').replace(b"\n", b"\r"),
    "one event of many lines": b"data: x\n" * 5_000 + b"\n",
    "many choices": b"".join(
        chunk('{"content":"a"}').replace(b'"index":0', b'"index":%d' % n) for n in (7, -1, 1 << 70, 5)
    ),
    "tags byte by byte": b"".join(chunk(f'{{"content":"{c}"}}') for c in "<think>a</think>b<think>c"),
}


@pytest.mark.parametrize("body", ODD.values(), ids=ODD)
def test_odd_bytes(body: bytes) -> None:
    for framing in (b"", b"data: ", b'{"a":', b"\n", chunk('{"content":"a"}')):
        show(framing + body)
