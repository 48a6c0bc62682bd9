"""Recordings for the benchmark of the window: long ones, and some of a form that is hard to show."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.streams import STREAMS

EVENTS_A_READ = 3
BLOCK_DELTAS = 20
"""Deltas of each block where there are to be many blocks."""


def chunks(events: int) -> Iterator[str]:
    """A thought, a text and calls, as `check` is measured with."""
    return (payload.decode() for payload in STREAMS["full-fields"](events))


def one_block(events: int) -> Iterator[str]:
    """One text in so many deltas."""
    for n in range(events - 2):
        yield chunk({"content": f" word{n % 977}"})
    yield chunk({}, "stop")
    yield "[DONE]"


def many_blocks(events: int) -> Iterator[str]:
    """Thought and text in turn, a few deltas each."""
    for n in range(events - 2):
        field = "reasoning_content" if n // BLOCK_DELTAS % 2 else "content"
        yield chunk({field: f" word{n % 977}"})
    yield chunk({}, "stop")
    yield "[DONE]"


def one_line(size: int) -> Iterator[str]:
    """An answer whose second event is a line of about `size` bytes: half of it a text, half many small values."""
    yield chunk({"role": "assistant", "content": "A page: "})
    numbers = [{"n": n, "word": f"word {n % 977}"} for n in range(size // 60)]
    yield json.dumps(json.loads(chunk({"content": "word " * (size // 10)})) | {"extra": numbers})
    yield chunk({"content": "That was it."})
    yield chunk({}, "stop")
    yield "[DONE]"


def chunk(delta: dict[str, Any], finish: str | None = None) -> str:
    """One event of Chat."""
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    root = {"id": "chatcmpl-5b1c", "object": "chat.completion.chunk", "created": 1_796_400_000, "model": "glm-5.2"}
    return json.dumps(root | {"choices": [choice]})


SHAPES = {"chunks": chunks, "one-block": one_block, "many-blocks": many_blocks, "one-line": one_line}
"""Shape -> its payloads, for so many events or, of one line, bytes."""


def write_recording(shape: str, count: int, path: Path) -> None:
    """Write a shape in reads of three events or so, 20 to 40 ms apart, now and then a longer wait and a burst."""
    chance, ns = random.Random(5), 400_000_000
    header = {"format": "stream-inspector/recording", "version": 1, "timing": "measured", "bytes": "exact"}
    head = {"status": 200, "headers": [["content-type", "text/event-stream"]]}
    with path.open("wb") as file:
        file.write(json.dumps(header | {"request": {"method": "POST", "url": "https://one.example/v1"}}).encode())
        file.write(b"\n" + json.dumps({"t": ns - 1, "head": head}).encode() + b"\n")
        held: list[str] = []

        def write() -> None:
            file.write(json.dumps({"t": ns, "text": "".join(held)}).encode() + b"\n")
            held.clear()

        for n, payload in enumerate(SHAPES[shape](count), 1):
            held.append(f"data: {payload}\n\n")
            if len(held) >= EVENTS_A_READ * (20 if n % 5000 < 100 else 1):
                ns += round(chance.uniform(2, 4) * 1e7 * (100 if n % 20_000 < 3 else 1))
                write()
        if held:
            ns += 30_000_000
            write()
        file.write(json.dumps({"t": ns + 1000, "end": {"reason": "complete"}}).encode() + b"\n")
