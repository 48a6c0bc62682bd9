"""Counting fields by the shapes of payloads says the same as taking each payload apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from inspector_app.core.frame import Frame
from inspector_app.core.kit import load_kit
from inspector_app.core.payload import read_payload
from inspector_app.core.pointer import flatten
from inspector_app.core.reading import Reading
from inspector_app.core.shapes import Shapes, datas
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses.run import read
from inspector_app.report.outline import type_of

KIT = load_kit()
WORDS = ("Snow ", 'say "hi"', "\\", 'end\\"', "雪", "\n", "", "a:b", "[DONE]", "{}", "\u2028", "null", "1", "😀", '"')

HEADS = (*[b"data: "] * 8, b"data:", b"event: chunk\ndata: ", b": ping\ndata: ", b"id: 4\ndata: ")


def payload(random: Random) -> bytes:
    """A chunk of one of a few shapes, as servers of all kinds write it."""
    delta: dict[str, Any] = {"content": random.choice(WORDS)}
    if random.random() < 0.3:
        part = {"index": random.randrange(3), "arguments": random.choice(WORDS)}
        delta = {"tool_calls": [part] * random.randrange(3)}
    created = random.choice((7, 8, 8.5, -1, 1e300))
    whole: dict[str, Any] = {"id": "c-1", "created": created, "choices": [{"delta": delta}]}
    if random.random() < 0.2:
        key = random.choice(("usage", "a.b", 'q"k', "x[]"))
        whole[key] = random.choice((None, True, {}, [], [1, 2], {"n": 3}, "s"))
    if random.random() < 0.1:
        whole = dict(sorted(whole.items()))
    separators = random.choice(((",", ":"), (", ", ": ")))
    text = json.dumps(whole, ensure_ascii=random.random() < 0.3, separators=separators)
    if random.random() < 0.05:
        text = text.replace('"c-1"', '"c-1", "id": "c-2"')
    if random.random() < 0.03:
        text = text[:-3]
    return text.encode("utf-8", "replace")


def stream(seed: int, events: int = 400) -> bytes:
    random = Random(seed)
    out = []
    for _ in range(events):
        head = random.choice(HEADS)
        out.append(head + payload(random) + b"\n\n")
    end = b"\r\n" if seed % 2 else b"\n"
    return b"".join([*out, b"data: [DONE]\n\n"]).replace(b"\n", end)


def all_leaves(reading: Reading) -> Iterator[tuple[int, str, Any]]:
    """Event, ledger path and value of everything, each payload taken apart."""
    for n in range(len(reading.events)):
        frame = Frame(reading.events.flags[n], reading.events.names.get(n), reading.text(n))
        for value in read_payload(frame, reading.rules, None, n, reading.markers).values:
            for path, leaf in flatten(value):
                yield n, path, leaf


@pytest.mark.parametrize("seed", range(12))
def test_they_count_what_is_there(seed: int) -> None:
    body = stream(seed)
    reading = read(Exchange("a.sse", "sse", MemoryBody(body)), KIT)
    expected: dict[str, list[Any]] = {}
    values: dict[str, set[str]] = {}
    for n, path, leaf in all_leaves(reading):
        row = expected.setdefault(path, [0, n, n, set()])
        row[0], row[2] = row[0] + 1, n
        row[3].add(type_of(leaf))
        values.setdefault(path, set()).add(json.dumps(leaf))
    found: dict[str, list[Any]] = {}
    seen: dict[str, set[str]] = {}
    shapes = Shapes(reading, lambda path: len(seen[path]) > 1)
    skipped = 0
    for start in range(0, len(reading.events), 37):
        for n, shape, new in shapes.over(start, min(start + 37, len(reading.events))):
            skipped += not new
            for path, times in shape.paths.items() if shape is not None and not new else ():
                found[path][0] += times
                found[path][2] = n
            for path, leaf in new:
                row = found.setdefault(path, [0, n, n, set()])
                row[0], row[2] = row[0] + 1, n
                row[3].add(type_of(leaf))
                seen.setdefault(path, set()).add(json.dumps(leaf))
    assert found == expected
    assert list(found) == list(expected)
    # What is left out tells nothing new: one value where there is one, several where there are several.
    assert {path for path in seen if len(seen[path]) == 1} == {path for path in values if len(values[path]) == 1}
    assert skipped > 40


@pytest.mark.parametrize("seed", (0, 1))
def test_the_data_of_events_is_what_the_reading_gives(seed: int) -> None:
    reading = read(Exchange("a.sse", "sse", MemoryBody(b"\xef\xbb\xbf" + stream(seed))), KIT)
    count = len(reading.events)
    for start in range(0, count, 23):
        end = min(start + 23, count)
        assert list(datas(reading, start, end)) == [(n, reading.text(n)) for n in range(start, end)]


def test_keys_that_are_never_the_same_are_not_learned_for_ever() -> None:
    body = b"".join(b'data: {"k%d": %d, "choices": []}\n\n' % (n, n) for n in range(2000))
    reading = read(Exchange("a.sse", "sse", MemoryBody(body)), KIT)
    shapes = Shapes(reading, lambda path: False)
    paths = {path for _, _, new in shapes.over(0, 2000) for path, _ in new}
    assert len(paths) == 2001
    assert sum(map(len, shapes._known.values())) < 70
