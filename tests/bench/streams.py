"""The two streams of the benchmark, made up here: as many Chat chunks as asked for, always the same bytes."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

WORDS = re.findall(
    r"\S+",
    "the tide ferry harbour table import runs at night , . and then rows index quay map path cairn for each of every "
    "booking is slower than one before it so I look up sailing number day again from north to south with wind",
)
SEA = (" høy", "vann", " 潮", "汐", " Ærø", " 🌊")
ARGUMENTS = '{"from": "Sandvik", "to": "Nordøya", "day": "2026-05-%02d", "stops": [%s], "note": "bring \\"the map\\""}'

Delta = dict[str, Any]


def tokens(chance: random.Random) -> Iterator[str]:
    """Words as models cut them; one in fifty is no ASCII, one in forty has an escape in JSON."""
    while True:
        kind = chance.random()
        if kind < 0.02:
            yield chance.choice(SEA)
        elif kind < 0.045:
            yield chance.choice(("\n", ' "', '\\"', "\n\n"))
        else:
            yield " " + chance.choice(WORDS)


def answer(events: int, chance: random.Random) -> Iterator[tuple[str, Any]]:
    """A long thought, a long text, then calls: one with arguments that never seem to end, and many short ones."""
    words = tokens(chance)
    thought, text = events * 60 // 100, events * 36 // 100
    for _ in range(thought):
        yield "reasoning", next(words)
    for _ in range(text):
        yield "text", next(words)
    left = events - thought - text
    index = 0
    while left > 0:
        size = max(left // 2, 1) if index == 0 else min(left, 25)
        yield from call(index, size, chance)
        left -= size
        index += 1


def call(index: int, size: int, chance: random.Random) -> Iterator[tuple[str, Any]]:
    """One call in `size` chunks; its arguments are whole JSON in the end."""
    stops = ", ".join(str(chance.randrange(10_000)) for _ in range(size))
    whole = ARGUMENTS % (index % 28 + 1, stops)
    cuts = [len(whole) * n // max(size - 1, 1) for n in range(size)]
    yield (
        "start",
        {
            "index": index,
            "id": f"call_{index:06d}",
            "type": "function",
            "function": {"name": "find_sailing", "arguments": ""},
        },
    )
    for start, end in pairwise(cuts):
        yield "arguments", {"index": index, "function": {"arguments": whole[start:end]}}


def full_fields(events: int) -> Iterator[bytes]:
    """A gateway that writes every field of every chunk, empty ones too: compact JSON, one id, one time."""
    root = {"id": "chatcmpl-5b1c", "object": "chat.completion.chunk", "created": 1_796_400_000}
    root |= {"model": "glm-5.2", "system_fingerprint": "fp_7"}

    def chunk(finish: str | None = None, usage: Any = None, **delta: Any) -> bytes:
        whole = {"content": "", "refusal": None, "tool_calls": []} | delta
        choice = {"index": 0, "delta": whole, "logprobs": None, "finish_reason": finish}
        return orjson.dumps(root | {"choices": [choice], "usage": usage})

    yield chunk(role="assistant")
    for kind, value in answer(events - 4, random.Random(1)):
        if kind == "reasoning":
            yield chunk(reasoning_content=value)
        elif kind == "text":
            yield chunk(content=value)
        else:
            yield chunk(tool_calls=[value])
    yield chunk(finish="tool_calls")
    yield orjson.dumps(root | {"choices": [], "usage": usage(events)})
    yield b"[DONE]"


def many_shapes(events: int) -> Iterator[bytes]:
    """Four servers' shapes in turn, a `created` that changes, padding, a space after each colon and comma."""
    chance = random.Random(2)
    time, shape = 1_796_400_000, 0
    for n, (kind, value) in enumerate(answer(events - 3, random.Random(3))):
        if n % 25 == 0:
            time += 1
            shape = chance.randrange(4)
        yield spaced(chunk_of(shape, kind, value, time, chance))
    yield spaced(chunk_of(0, "finish", "tool_calls", time, chance))
    root = {"id": "chatcmpl-0f9e1c", "object": "chat.completion.chunk", "created": time, "model": "qwen3-235b"}
    yield spaced(root | {"choices": [], "usage": usage(events)})
    yield b"[DONE]"


def chunk_of(shape: int, kind: str, value: Any, time: int, chance: random.Random) -> dict[str, Any]:
    """One chunk as one of four servers writes it."""
    field = {"reasoning": "reasoning_content", "text": "content", "start": "tool_calls", "arguments": "tool_calls"}
    delta: Delta = {} if kind == "finish" else {field[kind]: [value] if isinstance(value, dict) else value}
    root = {"id": "chatcmpl-0f9e1c", "object": "chat.completion.chunk", "created": time, "model": "qwen3-235b"}
    choice: dict[str, Any] = {"index": 0, "delta": delta, "finish_reason": value if kind == "finish" else None}
    padding = "".join(chance.choices("abcdefghijkmnpqrstuvwxyz23456789", k=chance.randrange(1, 24)))
    match shape:
        case 0:
            root |= {"service_tier": "default", "system_fingerprint": "fp_b01"}
            return root | {"choices": [choice], "usage": None, "obfuscation": padding}
        case 1:
            choice["delta"] = {"content": None, "reasoning_content": None} | delta
            return root | {"choices": [choice | {"logprobs": None}], "obfuscation": padding}
        case 2:
            choice["delta"] = {"role": None, "content": None, "reasoning_content": None, "tool_calls": None} | delta
            return root | {"choices": [choice | {"logprobs": None, "matched_stop": None}], "usage": None}
        case _:
            return {"choices": [choice], "obfuscation": padding} | root


def usage(events: int) -> dict[str, int]:
    return {"prompt_tokens": 1024, "completion_tokens": events, "total_tokens": 1024 + events}


def spaced(payload: dict[str, Any]) -> bytes:
    return json.dumps(payload, ensure_ascii=False).encode()


STREAMS = {"full-fields": full_fields, "many-shapes": many_shapes}


def write_stream(name: str, events: int, path: Path) -> None:
    """Write one of STREAMS with exactly so many events."""
    with path.open("wb") as file:
        for payload in STREAMS[name](events):
            file.write(b"data: " + payload + b"\n\n")
